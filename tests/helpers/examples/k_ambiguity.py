from examples.shared import TABLE

from atleastk import KAmbiguity

INSTANCES = [
    KAmbiguity(TABLE, 2),
    KAmbiguity(TABLE, 7),
    KAmbiguity([("a", "x"), ("b", "x"), ("a", "y")], 3, copies=[2, 1, 3]),
]
EMPTY = [KAmbiguity([], 3)]
