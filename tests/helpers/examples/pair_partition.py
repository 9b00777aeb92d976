"""Pair partition: instances for the tests that hold of every problem."""

from atleastk.instances.pair_partition import PairPartition

PATH = [(0, 1, 3), (1, 2, 1), (2, 3, 4), (3, 4, 2)]

INSTANCES = [
    PairPartition(points=[[0], [1], [7], [9], [10]], k=2),
    PairPartition(points=[[0, 0], [3, 0], [0, 4], [5, 5]], k=2, objective="squares"),
    PairPartition(items=5, costs=PATH, k=2, connected=True, groups=(2, 2)),
    PairPartition(
        items=6,
        costs=PATH,
        k=2,
        require=[{"of": ["a", "a", "b", "b", "a", "b"], "at_least": 1}],
        together=[[0, 4]],
        apart=[[0, 2]],
    ),
    PairPartition(items=3, costs=PATH[:2], k=4),
]
"""A few of every variant; the last has no solution."""

EMPTY = [PairPartition(items=0, costs=[], k=3), PairPartition(points=[], k=2)]
"""Without items."""
