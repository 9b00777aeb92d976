from examples.shared import TABLE

from atleastk import KAnonymity

INSTANCES = [
    KAnonymity(TABLE, 2),
    KAnonymity(TABLE, 7),
    KAnonymity([("a", "x"), ("b", "x"), ("a", "y")], 3, copies=[2, 1, 3]),
]
EMPTY = [KAnonymity([], 3)]
