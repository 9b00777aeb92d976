"""Connected partition: its name, its question, and where its parts are."""

from typing import Final

from atleastk.solvers.problem import described

PROBLEM: Final = described(
    "connected-partition",
    "Partition a graph into connected parts >= k; minimise the heaviest part",
    formats=("dimacs", "map"),
    priced="solvers.connected_partition.subset_dp.priced",
    ground="research.adversary.grounds.NODES",
    tiny="research.adversary.tiny.maps",
)
