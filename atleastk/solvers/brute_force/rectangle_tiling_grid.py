"""RTILE: the judge.

Every tiling of at most 16 cells (70,878 of them for 4 x 4) is tried, without bounds or
any part of what it judges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangle_tiling_grid import solution_of_boxes
from atleastk.models.rectangles import Box, RectanglesSolution, by_guillotine

CELLS = 16
"""The most cells that the judge takes."""

Cell = tuple[int, int]
Choices = dict[Cell, list[tuple[Box, frozenset[Cell]]]]


def optimum(instance: RectangleTilingGrid) -> tuple[int, RectanglesSolution] | None:
    """Return the least cost and a best solution; there always is one."""
    if instance.n > CELLS:
        raise NotApplicableError(
            f"brute force takes at most {CELLS} cells, got {instance.n}"
        )
    weights = {
        (a, c, b, d): sum(sum(row[c:d]) for row in instance.grid[a:b])
        for a, c, b, d in _boxes(instance.rows, instance.columns)
    }
    cost, boxes = min(
        (max((weights[box] for box in tiling), default=0), tiling)
        for tiling in _tilings(instance.rows, instance.columns, instance.guillotine)
        if len(tiling) <= instance.p
    )
    return cost, solution_of_boxes(instance, boxes)


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
def _tilings(rows: int, columns: int, guillotine: bool) -> tuple[tuple[Box, ...], ...]:
    """Return all tilings of a grid, or those by straight cuts."""
    found = packings(rows, columns, lambda _box: True, lambda _cell: False)
    return tuple(
        tuple(boxes) for boxes in found if not guillotine or by_guillotine(boxes)
    )
