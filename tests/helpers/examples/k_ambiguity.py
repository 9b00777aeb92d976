from examples.shared import TABLE

from atleastk import KAmbiguity

INSTANCES = [KAmbiguity(TABLE, 2), KAmbiguity(TABLE, 7)]
EMPTY = [KAmbiguity([], 3)]
