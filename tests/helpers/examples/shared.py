"""What instances of several problems are made of."""

from atleastk.instances.hierarchies.hierarchy import Hierarchy, suppression_of

TABLE = [["c", 2], ["a", 1], ["b", 1], ["a", 2], ["c", 2], ["b", 1]]
CHAINS = [
    Hierarchy([["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"]]),
    suppression_of([1, 2]),
]
PLACES = [[0, 0], [9, 9], [1, 0], [9, 8], [0, 2], [7, 9]]
