"""A few instances of every problem and variant, for what has to hold of all of them."""

from collections.abc import Mapping, Sequence

from atleastk import (
    BinCovering,
    CellularClustering,
    ConnectedPartition,
    Diversity,
    Generalization,
    IntervalCovering,
    KAmbiguity,
    KAnonymity,
    RectangleTiling,
    RectangleTilingGrid,
    RGather,
    Suppression,
)
from atleastk.instances.hierarchies.hierarchy import Hierarchy, suppression_of
from atleastk.instances.instance import Instance

TABLE = [["c", 2], ["a", 1], ["b", 1], ["a", 2], ["c", 2], ["b", 1]]
CHAINS = [
    Hierarchy([["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"]]),
    suppression_of([1, 2]),
]
VALUES = [["ill"], ["ill"], ["well"], ["well"], ["ill"], ["well"]]
PLACES = [[0, 0], [9, 9], [1, 0], [9, 8], [0, 2], [7, 9]]
POINTS = [[0, 0, 3], [1, 2, 1], [2, 1, 2], [3, 3, 4], [4, 0, 2]]
SIZES = [10, 6, 6, 6, 4]

INSTANCES: Mapping[str, Sequence[Instance]] = {
    "bin-covering": [
        BinCovering(SIZES, 10),
        BinCovering(SIZES, 10, "excess"),
        BinCovering(SIZES, 10, "quadratic"),
        BinCovering(SIZES, 33),
    ],
    "interval-covering": [
        IntervalCovering([4, 6, 6, 3, 6], 8),
        IntervalCovering([4, 6, 6, 3, 6], 8, "excess"),
        IntervalCovering([4, 6, 6, 3, 6], 8, "quadratic"),
        IntervalCovering([4, 6], 11),
    ],
    "k-anonymity": [KAnonymity(TABLE, 2), KAnonymity(TABLE, 7)],
    "suppression": [
        Suppression(TABLE, 2, limits={"per_row": 1}),
        Suppression(TABLE, 2, minimise="rows", limits={"columns": 1}),
        Suppression(TABLE, 2, minimise="columns", deletion=True),
        Suppression(TABLE, 2, minimise="k", limits={"rows": 4}),
        Suppression(TABLE, 2, minimise="none", limits={"entries": 9}),
        *(
            Suppression(TABLE, 2, minimise=what)
            for what in ("entries", "rows", "columns", "per_row", "per_column")
        ),
        Suppression(TABLE, 5, limits={"entries": 1}),
    ],
    "generalization": [
        Generalization(TABLE, 2, CHAINS),
        Generalization(TABLE, 2, CHAINS, "attributes"),
        Generalization(TABLE, 2, CHAINS, "attributes", "discernibility"),
        Generalization(TABLE, 7, CHAINS),
    ],
    "diversity": [
        Diversity(TABLE, 2, CHAINS, sensitive=VALUES, l=2),
        Diversity(TABLE, 2, CHAINS, sensitive=VALUES, t="1/3"),
        Diversity(TABLE, 2, CHAINS, "attributes", sensitive=VALUES, l=2),
        Diversity(TABLE, 2, CHAINS, sensitive=VALUES, l=3),
    ],
    "k-ambiguity": [KAmbiguity(TABLE, 2), KAmbiguity(TABLE, 7)],
    "r-gather": [
        RGather(r=2, points=PLACES, metric="manhattan"),
        RGather(r=2, points=PLACES, metric="manhattan", centres="member"),
        RGather(r=2, points=PLACES, metric="euclidean", centres="any", max_outliers=2),
        RGather(r=2, points=PLACES, metric="manhattan", max_clusters=2),
        RGather(r=1, points=PLACES, metric="manhattan", max_clusters=2),
        RGather(r=2, points=PLACES, metric="manhattan", max_clusters=2, max_outliers=1),
        RGather(r=7, points=PLACES, metric="manhattan"),
    ],
    "cellular-clustering": [
        CellularClustering(r=2, points=PLACES, metric="manhattan"),
        CellularClustering(
            r=2, points=PLACES, metric="manhattan", facility_costs=[5, 4, 3, 2, 3, 4]
        ),
        CellularClustering(
            r=2, points=PLACES, metric="manhattan", centres="any", max_outliers=1
        ),
        CellularClustering(r=1, points=PLACES, metric="manhattan"),
        CellularClustering(r=2, points=PLACES, metric="manhattan", max_outliers=1),
        CellularClustering(r=7, points=PLACES, metric="manhattan"),
    ],
    "connected-partition": [
        ConnectedPartition([3, 5, 2, 4, 6], [(0, 2), (2, 4), (4, 1), (1, 3)], 5),
        ConnectedPartition([3, 5, 2], [(0, 2)], 5),
        ConnectedPartition([3, 5, 2], [(0, 2)], 6),
    ],
    "rectangle-tiling": [
        RectangleTiling(POINTS, 4),
        RectangleTiling(POINTS, 4, "points"),
        RectangleTiling(POINTS, 4, guillotine=True),
        RectangleTiling(POINTS, 13),
    ],
    "rectangle-tiling-grid": [
        RectangleTilingGrid([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 4),
        RectangleTilingGrid([[1, 2, 3], [4, 5, 6]], 3, guillotine=True),
    ],
}
"""By problem; where there are instances without a solution, the last is one."""
