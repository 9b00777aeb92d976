"""k-ambiguity: instances for the tests that hold of every problem."""

from examples.shared import TABLE

from atleastk import KAmbiguity

INSTANCES = [KAmbiguity(TABLE, 2), KAmbiguity(TABLE, 7)]
EMPTY = [KAmbiguity([], 3)]
