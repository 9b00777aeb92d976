from examples.shared import CHAINS, TABLE

from atleastk import Diversity
from atleastk.instances.hierarchies.hierarchy import suppression_of

VALUES = [["ill"], ["ill"], ["well"], ["well"], ["ill"], ["well"]]
INSTANCES = [
    Diversity(TABLE, 2, CHAINS, sensitive=VALUES, l=2),
    Diversity(TABLE, 2, CHAINS, sensitive=VALUES, t="1/3"),
    Diversity(TABLE, 2, CHAINS, "attributes", sensitive=VALUES, l=2),
    Diversity(TABLE, 2, CHAINS, sensitive=VALUES, l=3),
    Diversity(TABLE[:3], 2, CHAINS, sensitive=VALUES[1:4], l=2, copies=[1, 3, 2]),
]
EMPTY = [
    Diversity([], 3, [], sensitive=[]),
    Diversity([], 3, [suppression_of([1])], sensitive=[], l=2, t=0),
]
