"""The families that prove lower bounds on ratios, one list for all problems.

Each is the worst that is known for its algorithms, within their promises.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atleastk.research.lower_bounds.lower_bound import LowerBound

_SMALL: Final = tuple(range(4, 14))

BINS: Final = (
    LowerBound(
        "bin-covering",
        (
            "fold",
            "fold-last",
            "fold-decreasing",
            "fold-increasing",
            "spread-increasing",
        ),
        "tight-fold",
        "k",
        tuple(range(11, 31, 2)),
        "Bins of two k - 1 are filled first, and one takes the k - 1 of leftovers as "
        "well. A k - 1 and a one in each bin is k, below which no bin is.",
    ),
    LowerBound(
        "bin-covering",
        ("fold-random",),
        "tight-fold",
        "k",
        tuple(range(11, 31, 2)),
        "The shuffle by seed 0 makes it the family above. The optimum has no order.",
        fixed={"shuffled": 1},
    ),
    LowerBound(
        "bin-covering",
        ("spread",),
        "worst-spread",
        "k",
        tuple(range(10, 110, 10)),
        "Bins of 2k - 2 and k + 3 are filled; k - 1 would raise the fullest level in "
        "either, so it goes to the first. In bins of k are k - 2, 1 and 1; k - 1 and "
        "1, twice; and the two halves.",
    ),
    LowerBound(
        "bin-covering",
        ("spread-random",),
        "worst-spread",
        "k",
        tuple(range(10, 110, 10)),
        "The shuffle by seed 0 makes it the family above. The optimum has no order.",
        fixed={"shuffled": 1},
    ),
    LowerBound(
        "bin-covering",
        ("spread-decreasing",),
        "worst-spread",
        "k",
        tuple(range(60, 660, 60)),
        "With t = k / 6, a leftover of 3t - 1 would raise the fullest level in any of "
        "three bins, so they take turns, and the first, of 2k - 6, gets 3t - 1, "
        "t - 4 and ones. In bins of k are k - 3 and 3, twice; 5t + 4 and t - 4; 4t + 8 "
        "and two t - 4; two 3t - 1 and two ones, twice.",
        fixed={"order": "decreasing"},
    ),
    LowerBound(
        "bin-covering",
        ("spread-emptiest",),
        "worst-spread",
        "k",
        tuple(range(22, 242, 22)),
        "With t = k / 22, bins of 36t and 38t are filled; the emptiest takes 6t, the "
        "other 4t and 4t. In bins of k are 18t and 4t, twice, 16t and 6t, 15t and 7t.",
        fixed={"order": "emptiest"},
    ),
    LowerBound(
        "bin-covering",
        ("longest-processing-time",),
        "worst-longest-first",
        "k",
        tuple(range(6, 66, 6)),
        "In two bins the halves go apart, so one of them ends at 5/6 k: only one bin "
        "reaches k, of all. The two halves are k, and so are the three thirds.",
    ),
    LowerBound(
        "bin-covering",
        ("five-halves", "five-halves-printed"),
        "tight-five-halves",
        "k",
        tuple(range(14, 34, 2)),
        "The third bin closes with a half, and the other half, left with ones, joins a "
        "bin of two k - 1. The two halves are k, and so is a k - 1 with a one.",
    ),
    LowerBound(
        "interval-covering",
        ("greedy-merge-last",),
        "worst-greedy",
        "k",
        tuple(range(3, 13)),
        "The j-th interval of k begins with the j - 1 of the pair before, so k - 1 is "
        "left to the last. Pairs are k + 1. It cannot be twice the optimum: what is "
        "left and the item before it are in one interval of any solution.",
    ),
)

TABLES: Final = (
    LowerBound(
        "k-anonymity",
        ("approx-gr",),
        "worst-spider",
        "k",
        _SMALL,
        "A tree is one part of 3k - 3 rows, along whose edges 3k - 4 columns differ, "
        "all of which are hidden in it. Hiding the first column makes k copies equal.",
    ),
    LowerBound(
        "k-anonymity",
        ("approx-ds",),
        "worst-star",
        "k",
        tuple(range(3, 23, 2)),
        "The ball of a centre has 2k - 2 leaves first, and one more row, which differ "
        "in all columns. Hiding the last column makes k copies equal.",
    ),
    LowerBound(
        "k-anonymity",
        ("approx-dr",),
        "tight-leftovers",
        "k",
        _SMALL,
        "The rows 0 are a group of no stars, and k - 1 rows 1 join it one by one, as "
        "it never has the rows for two. One of them with these is the optimum.",
    ),
    LowerBound(
        "suppression",
        ("forest-entries",),
        "worst-spider",
        "k",
        _SMALL,
        "As of k-anonymity: all 3k - 4 columns of a tree are hidden, one is enough.",
    ),
    LowerBound(
        "suppression",
        ("forest-per-row",),
        "worst-spider",
        "k",
        _SMALL,
        "As of k-anonymity: a row has 3k - 4 cells hidden, one is enough.",
        fixed={"cost": "per_row"},
    ),
    LowerBound(
        "suppression",
        ("forest-per-column",),
        "tight-forest",
        "clusters",
        tuple(range(2, 12)),
        "Of two columns in which rows of a cluster differ the one that all share is "
        "hidden, in all rows. The other, the cluster's own, is hidden in its four.",
        fixed={"cost": "per_column"},
    ),
    LowerBound(
        "suppression",
        ("forest-columns",),
        "tight-forest",
        "clusters",
        tuple(range(2, 12)),
        "Of two columns in which rows of a cluster differ the cluster's own is hidden. "
        "The one that all share is enough.",
        fixed={"cost": "columns"},
    ),
    LowerBound(
        "generalization",
        ("datafly",),
        "worst-datafly",
        "height",
        tuple(range(1, 11)),
        "The column of more labels is raised to its top, and then the other. One level "
        "of that is enough.",
    ),
    LowerBound(
        "generalization",
        ("forest",),
        "worst-spider",
        "k",
        _SMALL,
        "As of k-anonymity, on hierarchies of height 1.",
    ),
    LowerBound(
        "diversity",
        ("merge",),
        "worst-merge",
        "n",
        tuple(range(4, 24, 2)),
        "Equal rows are one group, so two with one diagnosis can only join all of it. "
        "Lending one row of the other diagnosis hides three cells.",
    ),
    LowerBound(
        "k-ambiguity",
        ("k-anonymous",),
        "worst-pairs",
        "pairs",
        tuple(range(2, 12)),
        "Every pair keeps one hidden cell, as no row is hidden. A row that is hidden "
        "matches all.",
    ),
    LowerBound(
        "k-ambiguity",
        ("fully-suppressed-rows",),
        "worst-rows",
        "m",
        tuple(range(2, 12)),
        "k - 1 = 2 whole rows are hidden, and no cell of them can be released. Hiding "
        "the one cell that differs is enough.",
    ),
)

MAPS: Final = (
    LowerBound(
        "connected-partition",
        ("tree-cut", "balanced-cut"),
        "tight-spider",
        "k",
        tuple(range(200, 400, 20)),
        "From a leaf the tree goes on into the clique, of any but few trees, and the "
        "edge below the leaf is all that can be cut there: the centre keeps three "
        "leaves. The centre, a clique, a leaf with the node of weight 1 are k each.",
    ),
    LowerBound(
        "connected-partition",
        ("hamiltonian-cut",),
        "tight-spider",
        "k",
        tuple(range(200, 400, 20)),
        "The same with two legs, which is a path.",
        fixed={"legs": 2},
    ),
    LowerBound(
        "rectangle-tiling",
        ("kd-balanced", "kd-alternating"),
        "tight-kd",
        "k",
        tuple(range(5, 15)),
        "An arm of 32k behind its first point leaves 33k - 1, of 33k halved best; then "
        "16, 8 and 4 in the same way. Points of k - 1 and 1 are a rectangle of k.",
        fixed={"cut": "balanced"},
    ),
    LowerBound(
        "rectangle-tiling",
        ("kd-smallest-side",),
        "tight-kd",
        "k",
        tuple(range(2, 12)),
        "The lightest sides, of k, take one more of a pair on an arm than of the one "
        "before, and leave k - 1 on each of four. Pairs are k + 1.",
        fixed={"cut": "smallest-side"},
    ),
    LowerBound(
        "rectangle-tiling",
        ("kd-random",),
        "tight-kd",
        "k",
        tuple(range(2, 12)),
        "Of fifty crosses chance cuts all arms of one behind the first point. Points "
        "of k - 1 and 1 are a rectangle of k.",
        fixed={"cut": "random"},
    ),
    LowerBound(
        "rectangle-tiling",
        ("guillotine",),
        "worst-guillotine",
        "k",
        tuple(range(10, 20)),
        "No straight cut leaves the pinwheel whole; the best joins two rectangles but "
        "for 5. The pinwheel has k in each.",
    ),
    LowerBound(
        "rectangle-tiling-grid",
        ("kd-balanced", "slices", "balanced"),
        "worst-cross",
        "w",
        tuple(range(5, 15)),
        "No cut leaves w on both sides, so the first keeps all; the others keep the "
        "middle with a neighbour. Five cells with their zeros are w or less.",
    ),
    LowerBound(
        "rectangle-tiling-grid",
        ("jagged", "guillotine"),
        "pinwheel",
        "w",
        tuple(range(1, 11)),
        "Whatever the cuts, a corner or the middle gets a neighbour more, 3w. The "
        "pinwheel has 2w in each.",
        fixed={"arm": 2},
    ),
)

POINTS: Final = (
    LowerBound(
        "r-gather",
        ("r-gather", "k-r-center"),
        "tight-star",
        "r",
        tuple(range(3, 13)),
        "A leaf is taken as a centre, and the others are at distance 2. The hub is "
        "at distance 1 from all.",
    ),
    LowerBound(
        "r-gather",
        ("k-center",),
        "worst-hubs",
        "distance",
        tuple(range(1, 11)),
        "Both leaves go to the first of two hubs that are as near, twice as far from "
        "each other as from these. A hub with a leaf has half the diameter.",
    ),
    LowerBound(
        "r-gather",
        ("r-eps-gather", "r-eps-gather-input"),
        "tight-outliers",
        "r",
        tuple(range(4, 14)),
        "The first cluster takes the point that both stars share, so the rest is too "
        "few for another and joins at distance 4 (3 from a hub). Hubs are at 1.",
    ),
    LowerBound(
        "r-gather",
        ("k-r-eps-center", "k-r-eps-center-printed"),
        "tight-k-outliers",
        "r",
        tuple(range(3, 13)),
        "The first leaf covers all within 4, so no second cluster is made. Both hubs "
        "are at distance 1 from theirs.",
    ),
    LowerBound(
        "cellular-clustering",
        ("cellular",),
        "tight-facilities",
        "distance",
        tuple(range(10, 110, 10)),
        "Two open centres share a point, so one is closed, and its leaf is three times "
        "as far from the other. Both may stay open for 1 each.",
        fixed={"leaves": 1},
    ),
    LowerBound(
        "cellular-clustering",
        ("r-cellular", "r-cellular-printed", "r-eps-cellular"),
        "worst-five-points",
        "unit",
        tuple(range(1, 11)),
        "All five points are one cluster of diameter 13; of two, one has the third and "
        "the last. Distances are multiples of the unit, and so are all costs.",
    ),
    LowerBound(
        "pair-partition",
        ("mdav", "sorted"),
        "worst-places",
        "distance",
        tuple(range(10, 110, 10)),
        "Groups of 4 leave both places points that have to meet, at the square of the "
        "distance. Groups of 6 and 5 have one point 1 away from four.",
    ),
)

LOWER_BOUNDS: Final[Sequence[LowerBound]] = (*BINS, *TABLES, *MAPS, *POINTS)
"""All families, problem by problem."""
