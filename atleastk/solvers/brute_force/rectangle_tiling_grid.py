"""RTILE: brute force.

Every tiling of at most 16 cells (70,878 of them for 4 x 4) is tried, without bounds or
any code of the solvers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import product

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangle_tiling_grid import solution_of_boxes
from atleastk.models.rectangles import Box, RectanglesSolution, by_guillotine
from atleastk.solvers.brute_force.bin_covering import refuse_more

Cell = tuple[int, int]
Choices = dict[Cell, list[tuple[Box, frozenset[Cell]]]]


def optimum(instance: RectangleTilingGrid) -> tuple[int, RectanglesSolution] | None:
    """Return the least cost and a best solution; there always is one."""
    refuse_more(instance.n, 16, "cells")
    weights = {
        (a, c, b, d): sum(sum(row[c:d]) for row in instance.grid[a:b])
        for a, c, b, d in _boxes(instance.rows, instance.columns)
    }
    few = (
        tiling
        for tiling in _tilings(instance.rows, instance.columns)
        if len(tiling) <= instance.p
    )
    best = least_heavy(few, weights.__getitem__, instance.guillotine)
    assert best is not None, "the whole grid is a tiling"
    return best[0], solution_of_boxes(instance, best[1])


def least_heavy(
    found: Iterable[Sequence[Box]], weight: Callable[[Box], int], guillotine: bool
) -> tuple[int, Sequence[Box]] | None:
    """Return the least weight of a heaviest box, and the first boxes of that weight.

    Only tilings that would be the best so far are checked for straight cuts.
    """
    best: tuple[int, Sequence[Box]] | None = None
    for boxes in found:
        heaviest = max(map(weight, boxes), default=0)
        better = best is None or heaviest < best[0]
        if better and (not guillotine or by_guillotine(boxes)):
            best = heaviest, boxes
    return best


def packings(
    rows: int,
    columns: int,
    admits: Callable[[Box], bool],
    optional: Callable[[Cell], bool],
) -> Iterator[list[Box]]:
    """Yield all sets of disjoint admitted boxes that cover all but optional cells.

    The first cell that is not decided yet, row by row, is the first of a box, or stays
    free. So every set is met once.
    """
    cells = frozenset(product(range(rows), range(columns)))
    choices: Choices = {cell: [] for cell in cells}
    for box in filter(admits, _boxes(rows, columns)):
        a, c, b, d = box
        inside = frozenset(product(range(a, b), range(c, d)))
        choices[a, c].append((box, inside))
    yield from _extended([], cells, choices, optional)


def _extended(
    boxes: list[Box],
    left: frozenset[Cell],
    choices: Choices,
    optional: Callable[[Cell], bool],
) -> Iterator[list[Box]]:
    """Yield the sets that go on from some boxes, with the cells not decided yet."""
    if not left:
        yield boxes
        return
    first = min(left)
    if optional(first):
        yield from _extended(boxes, left - {first}, choices, optional)
    for box, inside in choices[first]:
        if inside <= left:
            yield from _extended([*boxes, box], left - inside, choices, optional)


def _boxes(rows: int, columns: int) -> Iterator[Box]:
    for a, c in product(range(rows), range(columns)):
        for b, d in product(range(a + 1, rows + 1), range(c + 1, columns + 1)):
            yield a, c, b, d


@cache
def _tilings(rows: int, columns: int) -> tuple[tuple[Box, ...], ...]:
    """Return all tilings of a grid."""
    return tuple(map(tuple, packings(rows, columns, lambda _: True, lambda _: False)))
