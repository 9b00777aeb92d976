"""3DM into rectangle tiling with k = 3, and into RTILE [Du09, section 3].

All weights on the grid add up to 3 p, and tilings cost 3 iff all their rectangles weigh
exactly 3. So *the optimum is 3 iff there is a matching*; else it is 4 or more, and no
ratio below 4/3 is possible unless P = NP [Du09, Theorem 4].

Construction
------------
Gadgets as in :mod:`atleastk.instances.reductions.corridor_gadgets`, laid out like the
wires of :mod:`atleastk.instances.reductions.wiring`: at the bottom a triple for each
triple, then for every layer of crossings three rows of crossings and of corridors past
them and a row of corridors, and at the top the choosers of every element. Wires are two
apart. A triple whose three locations are in one rectangle is in the matching; then its
corridors cover its elements. An element without triples is a location of weight 1 among
blocked ones. Blocked locations surround all of it. With m triples and l layers the grid
has 5 + 4 l rows and 6 m + 1 columns, and 2 more for every element without triples.

The optimum is 3 with both covers or with neither. No weights are needed: with ``unit``
there are as many points of weight 1 at one place instead.

RTILE
-----
The text notes that no ratio below 4/3 is possible for RTILE, "similarly". Indeed the
same grid will do, with p: at most p rectangles of weight at most 3 in a total of 3 p
are p of weight exactly 3. (Blocked rows or columns make the grid square, if it has to.)

References
----------
[Du09] as in :mod:`atleastk.instances.rectangle_tiling`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.instances.reductions.corridor_gadgets import (
    BLOCK,
    Cells,
    chooser,
    corridor,
    crossing,
    triple,
)
from atleastk.instances.reductions.reduction import Reduction
from atleastk.instances.reductions.three_dimensional_matching import (
    ThreeDimensionalMatching,
)
from atleastk.instances.reductions.wiring import wiring_of


def to_rectangle_tiling(
    problem: ThreeDimensionalMatching, *, cover: str = "plane", unit: bool = False
) -> RectangleTiling:
    """Return the points whose optimum is 3 iff there is a matching.

    The first points are those of the triples, three each.
    """
    ends = [(2 * wire, 0) for wire in range(3 * len(problem.triples))]
    grid = blocked(_layout(problem))
    heavy = [(x, y, weight) for (x, y), weight in grid.items() if weight]
    places = sorted(heavy, key=lambda place: place[:2] not in ends)
    points = (
        [(x, y, 1) for x, y, weight in places for _ in range(weight)]
        if unit
        else places
    )
    return RectangleTiling(
        points, 3, cover, source="reduced from 3DM by [Du09] section 3"
    )


def to_rectangle_tiling_grid(problem: ThreeDimensionalMatching) -> RectangleTilingGrid:
    """Return the RTILE whose optimum is 3 iff there is a matching."""
    grid = blocked(_layout(problem))
    xs, ys = (sorted(set(places)) for places in zip(*grid, strict=True))
    weights = [[grid[x, y] for x in xs] for y in ys]
    return RectangleTilingGrid(
        weights, sum(grid.values()) // 3, source="reduced from 3DM by [Du09] section 3"
    )


def grid_matching_back(
    problem: ThreeDimensionalMatching, groups: Iterable[Iterable[int]]
) -> tuple[int, ...] | None:
    """Return the matching that rectangles of the grid choose; None if there is none."""
    columns = max(x for x, _ in _layout(problem)) + 3
    first = [columns + 1 + 6 * i for i in range(len(problem.triples))]
    return problem.matching_of(groups, [(cell, cell + 2, cell + 4) for cell in first])


def _layout(problem: ThreeDimensionalMatching) -> Cells:
    wiring = wiring_of(problem)
    wires = range(len(wiring.ends))
    free: Cells = {}
    for i in range(len(problem.triples)):
        free |= triple(6 * i, 0)
    y = 1
    for layer in wiring.layers:
        for wire in wires:
            free |= corridor(2 * wire, y, 4)
        for p in layer:
            free |= crossing(2 * p, y + 1)
        y += 4
    for wire in wires:
        free |= corridor(2 * wire, y, 1)
    x = 0
    for degree in wiring.degrees:
        ways = max(degree, 1)
        free |= chooser(x, y + 1, ways)
        x += 2 * ways
    return free


def blocked(free: Cells) -> Cells:
    """Return the free locations, and blocked ones in and around their bounding box."""
    xs, ys = ([*places] for places in zip(*free, strict=True))
    grid = {
        (x, y): BLOCK
        for y in range(min(ys) - 1, max(ys) + 2)
        for x in range(min(xs) - 1, max(xs) + 2)
    }
    return grid | free


REDUCTIONS: Final = (
    Reduction(
        "3DM",
        "rectangle-tiling",
        "many-one",
        "[Du09] section 3",
        to_rectangle_tiling,
        ThreeDimensionalMatching.matching_of,
        claim="optimum 3, else 4 or more",
    ),
    Reduction(
        "3DM",
        "rectangle-tiling-grid",
        "many-one",
        "[Du09] section 3",
        to_rectangle_tiling_grid,
        grid_matching_back,
        claim="optimum 3, else 4 or more",
    ),
)
"""3DM into rectangle tiling with k = 3, and into RTILE."""
