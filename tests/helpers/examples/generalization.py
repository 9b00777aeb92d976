from examples.shared import CHAINS, TABLE

from atleastk import Generalization
from atleastk.instances.hierarchies.hierarchy import suppression_of

INSTANCES = [
    Generalization(TABLE, 2, CHAINS),
    Generalization(TABLE, 2, CHAINS, "attributes"),
    Generalization(TABLE, 2, CHAINS, "attributes", "discernibility"),
    Generalization(TABLE, 7, CHAINS),
    Generalization(TABLE[:3], 2, CHAINS, copies=[1, 3, 2]),
]
EMPTY = [
    Generalization([], 3, []),
    Generalization([], 3, [suppression_of([1])]),
    Generalization([], 3, [suppression_of([1])], "attributes"),
    Generalization([], 3, [suppression_of([1])], "attributes", "discernibility"),
]
