"""Instances of every problem whose optima are known by hand."""

from itertools import product

import networkx as nx

from atleastk import (
    BinCovering,
    CellularClustering,
    ConnectedPartition,
    Generalization,
    IntervalCovering,
    KAmbiguity,
    KAnonymity,
    PairPartition,
    RectangleTiling,
    RGather,
    Suppression,
)
from atleastk.instances.generators.connected_partition import (
    tight_3_connected,
    tight_4_connected,
)
from atleastk.instances.generators.diversity import patients
from atleastk.instances.generators.generalization import people
from atleastk.instances.generators.k_ambiguity import seven_people

READINGS = ("input", "member", "any")
FIGURE_1 = {
    "points": [[0, 0], [2, 0], [1000, 3], [1000, 0], [1000, -3]],
    "metric": "manhattan",
    "r": 2,
}
FIGURE_3 = [[1] * 4, *([1 + (i == j) for j in range(4)] for i in range(4))]
PAIRS = [[0, 0, 0], [0, 0, 1], [1, 2, 0], [2, 1, 0]]
"""Rows 0 and 1 differ in the last column, rows 2 and 3 in the first two."""
SPIDER = nx.Graph([(0, 1), (0, 2), (0, 3), (0, 4), (4, 5)])
LINE = [[0], [1], [2], [10], [11], [19]]
FIVE = [[0], [1], [2], [10], [12]]
NEAR_THE_THIRD = [[0, 8, 2], [8, 0, 2], [2, 2, 0]]
TWINS = [[0, 8, 2, 9], [8, 0, 2, 9], [2, 2, 0, 1], [9, 9, 1, 0]]
APART = [[0, None], [None, 0]]
LONELY = [[0, 1, None], [1, 0, None], [None, None, 0]]
PATH_OF_THREE = [[0, 1, None], [1, 0, 1], [None, 1, 0]]
FAR_BUT_FOR_ONE = [[0, 9, 9, 0], [9, 0, 9, 0], [9, 9, 0, 0], [0, 0, 0, 0]]
PIECES = [(0, 1), (1, 2), (3, 4)]
PATH, STAR = [(0, 1), (1, 2), (2, 3)], [(0, 1), (0, 2), (0, 3)]
SQUARES = [[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]
TREE = [["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"], ["d", "y", "*"]]
RARE = [["a", "x", "*"], ["c", "y", "*"], ["?", "*", "*"]]
RARE_AND_BACK = [["a", "x", "x", "*"], ["c", "y", "y", "*"], ["?", "*", "z", "*"]]
RING = [(x, y, 1) for x in range(5) for y in range(5) if not (0 < x < 4 and 0 < y < 4)]
CENTRED = [*RING, (2, 2, 4)]
ROW = [(0, 0, 2), (0.5, 0, 1), (7, 0, 2)]


def labels(text, k, on="entries", **wish):
    """Return generalisation of one column of these labels."""
    return Generalization([[label] for label in text], k, [TREE], on, **wish)


def dropping(text, rows, **wish):
    return labels(text, 2, "attributes", suppress_rows=rows, **wish)


def with_rare_label(tree):
    """The rows of a rare label look dropped from level 1 on: company for another."""
    rows = [["?"], ["a"], ["c"], ["c"]]
    return Generalization(rows, 2, [tree], "attributes", suppress_rows=1)


def cells_of(points=FIVE, **fields):
    return CellularClustering(points=points, **fields)


KNOWN = [
    (BinCovering([10, 6, 6, 6], 10), 16),  # own bins for heavy items cost 18
    (BinCovering([3, 3, 3], 4), 9),  # fewer bins than the total allows
    (BinCovering([7, 7, 7, 7, 2, 2, 2, 2], 9), 9),  # sorted Fold makes 22
    (BinCovering([4, 4, 4, 3, 1, 1, 1, 1], 4), 5),  # four k, one k - 1, k ones
    (BinCovering([5] * 4 + [4] + [1] * 5, 5), 6),  # the same of five
    (BinCovering([4] * 4 + [1] * 4, 5), 5),  # Fold makes 3 k - 3
    (BinCovering([7], 3), 7),
    (BinCovering([7], 7), 7),
    (BinCovering([9, 1, 4], 1), 9),  # k = 1: the largest
    (BinCovering([2, 3, 4], 9), 9),  # a total of k
    (BinCovering([10, 6, 6, 6], 10, "excess"), 8),
    (BinCovering([10, 6, 6, 6], 10, "quadratic"), 120),
    (BinCovering([1, 1], 3), None),
    (IntervalCovering([2, 1, 3], 2), 3),
    (IntervalCovering([2, 1, 3], 2, "excess"), 2),
    (IntervalCovering([2, 1, 3], 2, "quadratic"), 6),
    (IntervalCovering([1, 1], 3), None),
    (PairPartition(points=[[0], [1], [7], [9], [10]], k=2), 15),
    (PairPartition(items=3, costs=[], k=4), None),
    (ConnectedPartition([2, 1, 1, 2], PATH, 3), 3),
    (ConnectedPartition([1, 2, 2, 1], PATH, 4), 6),
    (ConnectedPartition([3, 1, 1, 1], STAR, 2), 6),
    (ConnectedPartition([3, 1, 1, 2], STAR, 2), 5),
    (ConnectedPartition([9, 1], [(0, 1)], 2), 10),
    (ConnectedPartition([2, 0, 2], PATH[:2], 2), 2),
    (ConnectedPartition([0, 0], [(0, 1)], 1), None),
    (ConnectedPartition([3, 3, 4, 4], [(0, 1), (2, 3)], 4), 6),
    (ConnectedPartition([3, 3, 1], [(0, 1)], 3), None),
    (ConnectedPartition([], [], 1), 0),
    (ConnectedPartition([3, 1, 2, 0, 3], PIECES, 3), 3),
    (ConnectedPartition([3, 1, 2, 0, 2], PIECES, 3), None),
    # A node of weight k is no part of its own if its neighbours need it:
    (ConnectedPartition([9, 1, 1, 0, 9], [(0, 1), (0, 2), (2, 3), (3, 4)], 5), 10),
    (tight_3_connected(0, k=9), 9),
    (tight_4_connected(0, k=9), 9),
    (KAnonymity(SQUARES, 2), 4),
    (KAnonymity([*SQUARES, [1, 1, 2]], 2), 5),
    (KAnonymity(SQUARES, 3), 12),
    (KAnonymity(SQUARES, 1), 0),
    (KAnonymity([["1"], [1]], 2), 2),  # a text is not a number
    (KAnonymity([], 2), 0),
    (KAnonymity([list(row) for row in product([0, 1], repeat=3)], 2), 8),
    (KAnonymity([[0, 0, 0]] * 3 + 2 * [[1, 0, 0]], 3), 5),
    (KAnonymity([[1, "1"]] * 5, 2), 0),
    (KAnonymity([["*"], ["a"]], 2), 2),  # stars are values of tables, too
    (KAnonymity([[1, 2], [1, 3], [1, 4]], 3), 3),  # exactly k rows
    (KAnonymity([[0, 0]] * 2 + [[1, 1]] * 3, 3), 10),  # too few for two groups
    (KAnonymity([[1]], 2), None),
    (KAnonymity([[], []], 2), 0),
    # Three equal rows may have to give some of them away, though k = 3:
    (KAnonymity([[0] * 3] * 3 + 2 * [[0, 0, 1], [0, 1, 0], [1, 0, 0]], 3), 9),
    (KAmbiguity([[0], [1]], 2), 1),
    (KAmbiguity([[0], [1], [2]], 3), 2),
    (KAmbiguity([[0, 0], [0, 1]], 2), 1),
    (KAmbiguity([[0, 0], [1, 1]], 1), 0),
    (KAmbiguity([["1"], [1]], 2), 1),
    (KAmbiguity([["*"], ["a"]], 2), 1),
    (KAmbiguity([[0] * 3, [1] * 3, [2] * 3], 2), 3),
    (KAmbiguity([[0], [0]], 3), None),
    (KAmbiguity([], 3), 0),
    (seven_people(0), 4),
    (labels("abcdd", 1), 0),
    (labels("abcdd", 2), 5),
    (labels("abcdd", 3), 10),
    (labels("abcdd", 6), None),
    (labels("abcdd", 2, "attributes"), 1),
    (labels("abcdd", 3, "attributes"), 2),
    (labels("abcdd", 2, "attributes", loss="discernibility"), 13),
    (labels("abcdd", 3, "attributes", loss="discernibility"), 25),
    (labels("abcdd", 2, "attributes", loss="average-class-size"), 3),
    (labels("abcdd", 6, "attributes"), None),
    *(
        (people(0, on=on, loss=loss), best)
        for on, loss, best in [
            ("entries", "height", 8),  # as in the text of [Chaytor06]
            ("entries", "precision", 20),
            ("attributes", "height", 4),  # area codes keep one digit at the most
            ("attributes", "precision", 9),
            ("attributes", "discernibility", 17),
            ("attributes", "average-class-size", 4),
        ]
    ),
    *(
        (patients(0, on=on, reading=reading, l=least), best)
        for on, reading, least, best in [
            ("entries", "distinct", 1, 8),
            ("entries", "distinct", 2, 23),
            ("attributes", "distinct", 1, 4),
            ("attributes", "distinct", 2, 5),
            ("entries", "frequency", 2, None),  # four of seven have the flu
            ("entries", "distinct", 4, None),
        ]
    ),
    # A row that is dropped needs another, which may be taken from three:
    (dropping("aaccc", 0), 0),
    (dropping("abccc", 1), 1),
    (dropping("abccc", 2), 0),
    (dropping("accc", 1), 2),
    (dropping("accc", 2), 0),
    (dropping("acc", 2), 2),
    (dropping("accc", 2, loss="discernibility"), 14),
    (dropping("abccc", 2, loss="average-class-size"), 3),
    (dropping("abccc", 1, loss="average-class-size"), 3),
    (with_rare_label(RARE), 1),
    (with_rare_label(RARE_AND_BACK), 3),
    (cells_of(r=1), 0),
    (cells_of(r=2), 3 + 4),
    (cells_of(r=2, centres="any"), 6 + 4),
    (cells_of(r=3), 5 * 10),
    (cells_of(r=2, max_clusters=1), 5 * 10),
    (cells_of(r=3, centres="any"), 5 * 12),
    (cells_of(r=2, max_outliers=1), 2 + 4),
    (cells_of(r=2, max_outliers=2), 3),
    (cells_of(r=2, max_outliers=5), 0),
    (cells_of(r=5, max_outliers=4), 50),
    (cells_of(facility_costs=[1] * 5), 5),
    (cells_of([[0], [1]], facility_costs=[9, 2]), 2 + 2),
    (cells_of([[0], [1]], facility_costs=[9, 2], r=2), 2 + 2),
    (cells_of([[0], [9]], facility_costs=[30, 2]), 2 + 2 + 9),
    (cells_of([[0], [9]], facility_costs=[7, 2], centres="member"), 9),
    (CellularClustering(**FIGURE_1, centres="any"), 22),
    (CellularClustering(points=FIGURE_3, metric="hamming", r=5), 5),
    (cells_of([]), 0),
    (cells_of([[1]], r=2), None),
    # A centre may be an outlier, or in another cluster:
    (CellularClustering(distances=NEAR_THE_THIRD, r=2, max_outliers=1), 4),
    (CellularClustering(distances=TWINS, r=2), 2 * 2 + 2 * 1),
    (CellularClustering(distances=TWINS, r=2, centres="member"), 4 * 2),
    (CellularClustering(distances=APART, r=2), None),
    (CellularClustering(distances=APART, r=1), 0),
    (CellularClustering(distances=APART, r=2, max_outliers=2), 0),
    (RGather(distances=[[0, 9, 1], [9, 0, 1], [1, 1, 0]], r=2, max_outliers=1), 1),
    (RGather(distances=[], r=2), 0),
    (RGather(distances=[[0]], r=2), None),
    *((RGather.of_graph(SPIDER, r=3, centres=c), 1 + (c != "input")) for c in READINGS),
    *(
        (RGather(**{"metric": "manhattan", "centres": reading, **fields}), cost)
        for fields, costs in [
            (FIGURE_1, (3, 3, 6)),
            ({"points": LINE, "r": 1}, (0, 0, 0)),
            ({"points": LINE, "r": 2}, (8, 8, 8)),
            ({"points": LINE, "r": 2, "max_outliers": 1}, (1, 1, 2)),
            ({"points": LINE, "r": 3}, (8, 8, 9)),
            ({"points": LINE, "r": 3, "max_outliers": 3}, (1, 1, 2)),
            ({"points": LINE, "r": 4}, (10, 10, 19)),
            ({"points": LINE, "r": 4, "max_outliers": 2}, (8, 8, 10)),
            ({"points": LINE, "r": 1, "max_clusters": 1}, (10, 10, 19)),
            ({"points": LINE, "r": 1, "max_clusters": 2}, (8, 8, 9)),
            (
                {"points": LINE, "r": 1, "max_clusters": 2, "max_outliers": 1},
                (1, 1, 2),
            ),
            ({"points": LINE, "r": 6, "max_outliers": 6}, (0, 0, 0)),
        ]
        for reading, cost in zip(READINGS, costs, strict=True)
    ),
    *(
        (RGather(distances=rows, r=r, max_outliers=outliers, centres=reading), cost)
        for rows, r, outliers, costs in [
            (LONELY, 2, 0, (None, None, None)),
            (LONELY, 2, 1, (1, 1, 1)),
            (PATH_OF_THREE, 3, 0, (1, 1, None)),
            (FAR_BUT_FOR_ONE, 2, 0, (0, 0, 9)),
        ]
        for reading, cost in zip(READINGS, costs, strict=True)
    ),
    # Pinwheels leave a hole, or hold a point; straight cuts make none:
    (RectangleTiling(RING, 4, "points"), 4),
    (RectangleTiling(RING, 4), 6),
    (RectangleTiling(RING, 4, guillotine=True), 6),
    (RectangleTiling(CENTRED, 4, "points"), 4),
    (RectangleTiling(CENTRED, 4), 4),
    (RectangleTiling(CENTRED, 4, guillotine=True), 5),
    (RectangleTiling(ROW, 3), 5),
    (RectangleTiling(ROW, 2), 3),
    (RectangleTiling([(0, 0, 1), (1, 1, 1)], 3), None),
    (RectangleTiling([(0, 0, 0)], 1), None),
    (RectangleTiling([], 1), 0),
    (RectangleTiling([(1, 1, 2)] * 3, 2), 6),
    *(
        (Suppression.named(name, PAIRS, 2, limits), best)
        for name, limits, best in [
            ("MIN-e-SUP", {}, 6),
            ("MIN-r'-SUP", {}, 2),
            ("MIN-c'-SUP", {}, 2),
            ("MIN-r-DEL", {}, 4),
            ("MIN-c-DEL", {}, 3),
            ("r-MIN-e-SUP", {"rows": 3}, None),
            ("c-MIN-e-SUP", {"columns": 2}, None),
            ("c-MIN-e-SUP", {"columns": 3}, 6),
            ("c-MIN-r-DEL", {"columns": 1}, 2),
            ("c-MIN-r-DEL", {"columns": 3}, 0),
            ("r-MIN-c-DEL", {"rows": 1}, 3),
            ("r-MIN-c-DEL", {"rows": 3}, 1),
            ("r-e-MIN-c-SUP", {"rows": 2, "entries": 6}, 1),
            ("r-c-MIN-e-SUP", {"rows": 2, "columns": 1}, 6),
            ("r-c-MIN-e-SUP", {"rows": 1, "columns": 2}, None),
            ("e-SUP", {"entries": 6}, 0),
            ("e-SUP", {"entries": 5}, None),
            ("e-MAX-k-SUP", {"entries": 6}, -2),
            ("e-MAX-k-SUP", {"entries": 12}, -4),
            ("e-MAX-k-SUP", {"entries": 5}, None),
        ]
    ),
    # What is more important loses no more than the rest, which may lose more for it:
    *(
        (Suppression(table, 2, **fields), best)
        for table, fields, best in [
            ([[0, 0], [1, 0]], {"column_order": [[1], [0]]}, 2),
            ([[0, 0], [1, 0]], {"column_order": [[0], [1]]}, 4),
            ([[0, 0], [0, 1], [5, 5], [5, 5]], {"row_order": [[2, 3], [0, 1]]}, 2),
            ([[0, 0], [0, 1], [5, 5], [5, 5]], {"row_order": [[0, 1], [2, 3]]}, 4),
            ([[0, 0], [0, 1], [1, 0], [1, 1]], {"intact": [0]}, 4),
            ([[0, 0], [0, 1], [1, 0], [1, 1]], {"intact": [0, 1]}, None),
            ([["1"], [1]], {}, 2),
        ]
    ),
    # One row to delete, and none that can be spared: all go.
    *(
        (Suppression.named("MIN-r-DEL", [[cell] for cell in cells], 2), best)
        for cells, best in [("abb", 3), ("abbb", 2), ("a", None)]
    ),
]
"""Instances and their optima; None if there is no solution."""


def known_of(problem):
    """Return the instances of a problem, with their optima."""
    return [(each, best) for each, best in KNOWN if each.problem == problem]
