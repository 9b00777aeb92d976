"""Rectangles: covering the plane may cost more than covering the points.

Sixteen points of weight 1 on the border of a 5 x 5 grid, k = 4. All partitions of the
grid into boxes of weight 4 or more are tried, and all sets of disjoint boxes that cover
the points.
"""

from functools import cache
from itertools import product

side, k = 5, 4
points = {(x, y) for x, y in product(range(side), repeat=2) if {x, y} & {0, side - 1}}
Cells = frozenset[tuple[int, int]]


def box(x: int, y: int, width: int, height: int) -> Cells:
    """Return the cells of a box."""
    return frozenset(product(range(x, x + width), range(y, y + height)))


every = [
    box(x, y, width, height)
    for x, y in product(range(side), repeat=2)
    for width in range(1, side - x + 1)
    for height in range(1, side - y + 1)
]


def weight(cells: Cells) -> int:
    """Return the number of points in a box."""
    return len(cells & points)


def least(wanted: Cells) -> int:
    """Return the least cost of disjoint boxes that cover what is wanted."""
    for cost in range(k, len(points) + 1):
        boxes = [b for b in every if k <= weight(b) <= cost]

        @cache
        def coverable(left: Cells, free: Cells, boxes: tuple[Cells, ...]) -> bool:
            if not left:
                return True
            first = min(left)
            return any(
                coverable(left - b, free - b, boxes)
                for b in boxes
                if first in b and b <= free
            )

        if coverable(wanted, box(0, 0, side, side), tuple(boxes)):
            return cost
    raise AssertionError


plane, few = least(box(0, 0, side, side)), least(frozenset(points))
print(f"the border of a {side} x {side} grid, k = {k}: plane {plane}, points {few}")
raise SystemExit(plane <= few)
