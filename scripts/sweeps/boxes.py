"""Tilings by rectangles, by definition: every way to place the next box is tried."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product

from scripts.sweeps.partitions import Document

Box = tuple[int, int, int, int]
"""The cells [a, b) x [c, d), as (a, c, b, d)."""
Weigh = Callable[[Box], int | None]
"""What a box costs; None if it may not be."""


def least_grid(document: Document) -> int | None:
    """Return the least heaviest of at most p rectangles."""
    grid, most = document["grid"], document["p"]
    shape = len(grid), len(grid[0]) if grid else 0
    if not shape[0] * shape[1]:
        return 0
    if document.get("guillotine"):
        return _cut((0, 0, *shape), most, _weight_of(grid))
    return _tiled(shape, most, _weight_of(grid))


def least_tiling(document: Document) -> int | None:
    """Return the least heaviest rectangle of weight k or more."""
    xs, ys, grid = _raster(document)
    if not xs:
        return 0
    weight, k = _weight_of(grid), document["k"]
    shape, most = (len(xs), len(ys)), len(document["points"])

    def heavy(box: Box) -> int | None:
        found = weight(box)
        return found if found is not None and found >= k else None

    if document.get("guillotine"):
        return _cut((0, 0, *shape), most, heavy)
    if document.get("cover", "plane") == "plane":
        return _tiled(shape, most, heavy)
    cells = sorted({(xs.index(x), ys.index(y)) for x, y, _ in document["points"]})
    return _packed(shape, tuple(cells), heavy)


def grid_cost(document: Document, solution: Document) -> int | None:
    """Return the cost of a solution of RTILE; None if it is none."""
    grid = document["grid"]
    columns = len(grid[0]) if grid else 0
    rows = len(grid) if columns else 0
    places = [divmod(i, columns) for i in range(rows * columns)]
    rectangles = solution.get("rectangles") or _bounding(places, solution["groups"])
    boxes = [(int(a), int(c), int(b) + 1, int(d) + 1) for a, c, b, d in rectangles]
    groups = [
        [i * columns + j for i in range(a, b) for j in range(c, d)]
        for a, c, b, d in boxes
    ]
    if groups != [sorted(group) for group in solution["groups"]]:
        return None
    if sorted(i for g in groups for i in g) != list(range(rows * columns)):
        return None
    if len(boxes) > document["p"] or not all(groups):
        return None
    if document.get("guillotine") and not _by_cuts((0, 0, rows, columns), boxes):
        return None
    weight = _weight_of(grid)
    return max((weight(box) or 0 for box in boxes), default=0)


def tiling_cost(document: Document, solution: Document) -> int | None:
    """Return the cost of a solution of rectangle tiling; None if it is none."""
    points: list[tuple[float, float, int]] = document["points"]
    places = [(x, y) for x, y, _ in points]
    rectangles = solution.get("rectangles") or _bounding(places, solution["groups"])
    if any({x0, x1} - {p[0] for p in points} for x0, _, x1, _ in rectangles):
        return None
    if any({y0, y1} - {p[1] for p in points} for _, y0, _, y1 in rectangles):
        return None
    groups = [
        [i for i, (x, y, _) in enumerate(points) if x0 <= x <= x1 and y0 <= y <= y1]
        for x0, y0, x1, y1 in rectangles
    ]
    if groups != [sorted(group) for group in solution["groups"]]:
        return None
    if sorted(i for g in groups for i in g) != list(range(len(points))):
        return None
    xs, ys, _ = _raster(document)
    boxes = [
        (xs.index(x0), ys.index(y0), xs.index(x1) + 1, ys.index(y1) + 1)
        for x0, y0, x1, y1 in rectangles
    ]
    cells = [c for box in boxes for c in _cells(box)]
    if len(cells) != len(set(cells)):
        return None
    if document.get("cover", "plane") == "plane" and len(cells) < len(xs) * len(ys):
        return None
    if document.get("guillotine") and not _by_cuts((0, 0, len(xs), len(ys)), boxes):
        return None
    weights = [sum(points[i][2] for i in group) for group in groups]
    if any(weight < document["k"] for weight in weights):
        return None
    return max(weights, default=0)


def _bounding(
    places: Sequence[tuple[float, float]], groups: Sequence[Sequence[int]]
) -> list[tuple[float, float, float, float]]:
    """Return the bounding boxes that a mere grouping stands for."""
    found = []
    for group in groups:
        xs, ys = zip(*(places[i] for i in group), strict=True)
        found.append((min(xs), min(ys), max(xs), max(ys)))
    return found


def _raster(
    document: Document,
) -> tuple[list[float], list[float], list[list[int]]]:
    """Return the distinct coordinates, and the weight of every cell."""
    points = document["points"]
    xs = sorted({x for x, _, _ in points})
    ys = sorted({y for _, y, _ in points})
    grid = [[sum(w for u, v, w in points if (u, v) == (x, y)) for y in ys] for x in xs]
    return xs, ys, grid


def _weight_of(grid: Sequence[Sequence[int]]) -> Weigh:
    @cache
    def weight(box: Box) -> int | None:
        return sum(grid[i][j] for i, j in _cells(box))

    return weight


def _cells(box: Box) -> list[tuple[int, int]]:
    a, c, b, d = box
    return list(product(range(a, b), range(c, d)))


def _boxes(shape: tuple[int, int]) -> list[Box]:
    rows, columns = shape
    return [
        (a, c, b, d)
        for a, c in product(range(rows), range(columns))
        for b, d in product(range(a + 1, rows + 1), range(c + 1, columns + 1))
    ]


def _tiled(shape: tuple[int, int], most: int, weigh: Weigh) -> int | None:
    """Return the least heaviest box of a tiling with at most so many boxes."""
    number = {cell: i for i, cell in enumerate(_cells((0, 0, *shape)))}
    starting: list[list[tuple[int, int]]] = [[] for _ in number]
    for box in _boxes(shape):
        cost = weigh(box)
        if cost is not None:
            mask = sum(1 << number[cell] for cell in _cells(box))
            starting[number[box[:2]]].append((mask, cost))
    full = (1 << len(number)) - 1

    @cache
    def least(covered: int, left: int) -> int | None:
        if covered == full:
            return 0
        if not left:
            return None
        best = None
        for mask, cost in starting[(~covered & covered + 1).bit_length() - 1]:
            if not mask & covered:
                rest = least(covered | mask, left - 1)
                if rest is not None and (best is None or max(cost, rest) < best):
                    best = max(cost, rest)
        return best

    return least(0, min(most, len(number)))


def _packed(
    shape: tuple[int, int], cells: tuple[tuple[int, int], ...], weigh: Weigh
) -> int | None:
    """Return the least heaviest of disjoint boxes that cover some cells."""
    choices = [
        (frozenset(_cells(box)), cost)
        for box in _boxes(shape)
        if (cost := weigh(box)) is not None
    ]

    @cache
    def least(covered: frozenset[tuple[int, int]]) -> int | None:
        bare = next((cell for cell in cells if cell not in covered), None)
        if bare is None:
            return 0
        best = None
        for inside, cost in choices:
            if bare in inside and not inside & covered:
                rest = least(covered | inside)
                if rest is not None and (best is None or max(cost, rest) < best):
                    best = max(cost, rest)
        return best

    return least(frozenset())


def _halves(box: Box) -> list[tuple[Box, Box]]:
    a, c, b, d = box
    return [
        *(((a, c, x, d), (x, c, b, d)) for x in range(a + 1, b)),
        *(((a, c, b, y), (a, y, b, d)) for y in range(c + 1, d)),
    ]


def _cut(box: Box, most: int, weigh: Weigh) -> int | None:
    """Return the least heaviest box that straight cuts make, of at most so many."""

    @cache
    def least(box: Box, left: int) -> int | None:
        best = weigh(box)
        for one, other in _halves(box):
            for share in range(1, left):
                first, second = least(one, share), least(other, left - share)
                if first is not None and second is not None:
                    worse = max(first, second)
                    best = worse if best is None else min(best, worse)
        return best

    a, c, b, d = box
    return least(box, min(most, (b - a) * (d - c)))


def _by_cuts(box: Box, boxes: Sequence[Box]) -> bool:
    """Tell whether straight cuts of a box make these."""
    if len(boxes) < 2:
        return True
    for one, other in _halves(box):
        parts = [[b for b in boxes if _within(b, half)] for half in (one, other)]
        if sum(map(len, parts)) == len(boxes) and all(parts):
            return _by_cuts(one, parts[0]) and _by_cuts(other, parts[1])
    return False


def _within(inner: Box, outer: Box) -> bool:
    a, c, b, d = inner
    return outer[0] <= a and outer[1] <= c and b <= outer[2] and d <= outer[3]
