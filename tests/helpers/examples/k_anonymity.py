from examples.shared import TABLE

from atleastk import KAnonymity

INSTANCES = [KAnonymity(TABLE, 2), KAnonymity(TABLE, 7)]
EMPTY = [KAnonymity([], 3)]
