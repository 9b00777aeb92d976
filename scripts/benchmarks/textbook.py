"""Textbook heuristics: the ten lines that anybody would write first, one per problem.

What the automatic choice of methods must never be worse than. They are written for the
eye and share nothing with the package but the instances that they read.

=========================  ============================================================
bins                       longest processing time first: the largest size into the
                           emptiest of floor(W / k) bins, a bin fewer until all reach k
                           (of more than two hundred, a hundredth fewer)
intervals                  close an interval as soon as it reaches k
tables                     nearest neighbours: the first row that is left and the k - 1
                           rows left that differ from it in the fewest columns
sensitive values           the same; a group of too few values joins the next one
clusters                   farthest-first centres, fewer until every cluster is large
                           enough (greatest radius); nearest neighbours (sums)
maps                       greedy growth: the neighbour that was met first, until k
tilings, grids             straight cuts through the middle of the weight
=========================  ============================================================
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Groups = list[list[int]]
Array = NDArray[Any]


def longest_first(instance: Any) -> Groups | None:
    """Bins: the largest first into the emptiest, a bin fewer until all reach k."""
    sizes, k = instance.sizes, instance.k
    order = sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True)
    bins = sum(sizes) // k
    while bins:
        heap: list[tuple[int, int]] = [(0, b) for b in range(bins)]
        groups: Groups = [[] for _ in range(bins)]
        for item in order:
            level, emptiest = heap[0]
            groups[emptiest].append(item)
            heapq.heapreplace(heap, (level + sizes[item], emptiest))
        if heap[0][0] >= k:
            return groups
        bins -= max(1, bins // 100)
    return None


def next_fit(instance: Any) -> Groups | None:
    """Intervals: close one as soon as it reaches k; the rest joins the last."""
    groups: Groups = [[]]
    level = 0
    for item, size in enumerate(instance.sizes):
        if level >= instance.k:
            groups.append([])
            level = 0
        groups[-1].append(item)
        level += size
    if level < instance.k and len(groups) > 1:
        rest = groups.pop()
        groups[-1] += rest
    return groups


def nearest_rows(instance: Any) -> Groups:
    """Tables: a row and the k - 1 rows that differ from it in the fewest columns."""
    return _nearest(_codes(instance.table), instance.k)


def nearest_diverse(instance: Any) -> Groups:
    """Sensitive values: nearest rows; a group of less than l values joins the next."""
    groups: Groups = [[]]
    for group in nearest_rows(instance):
        if _values(instance, groups[-1]) >= instance.l:
            groups.append([])
        groups[-1] += group
    if len(groups) > 1 and _values(instance, groups[-1]) < instance.l:
        groups[-2] += groups.pop()
    return groups


def nearest_points(instance: Any) -> Groups:
    """Clusters: a point and the r - 1 points that are nearest to it."""
    return _nearest(np.array(instance.points, dtype=np.int64), instance.r)


def nearest_squares(instance: Any) -> Groups:
    """Points by squares: the same, groups of k."""
    return _nearest(np.array(instance.points, dtype=np.int64), instance.k)


def farthest_first(instance: Any) -> Groups:
    """Clusters: every point goes to its centre, each centre the farthest from all."""
    points = np.array(instance.points, dtype=np.int64)
    most = len(points) // instance.r
    nearest = _squares(points, points[0])
    home = np.zeros(len(points), dtype=np.int64)
    homes = [home.copy()]
    for centre in range(1, most):
        far = _squares(points, points[int(nearest.argmax())])
        home[far < nearest] = centre
        nearest = np.minimum(nearest, far)
        if np.bincount(home, minlength=centre + 1).min() >= instance.r:
            homes.append(home.copy())
    return grouped(homes[-1])


def greedy_growth(instance: Any) -> Groups | None:
    """Grow parts of a map from the border of the last; leftovers join a neighbour."""
    near: list[list[int]] = [[] for _ in instance.weights]
    for u, v in instance.edges:
        near[u].append(v)
        near[v].append(u)
    part = [-1] * len(near)
    levels: list[int] = []
    for start in range(len(near)):
        if part[start] < 0:
            _grow(start, near, part, levels, instance.weights, instance.k)
    homes = {p: p for p in range(len(levels))}
    for p, level in enumerate(levels):
        if level < instance.k:
            around = {
                part[v] for u in range(len(near)) if part[u] == p for v in near[u]
            }
            large = [q for q in around if levels[q] >= instance.k]
            if not large:
                return None
            homes[p] = min(large, key=levels.__getitem__)
            levels[homes[p]] += level
    return grouped(np.array([homes[p] for p in part]))


def straight_cuts(instance: Any) -> Groups:
    """Tilings: halve the weight, where both sides keep k, as long as that goes."""
    points = np.array(instance.points, dtype=np.int64)
    groups, left = [], [np.arange(len(points))]
    while left:
        box = left.pop()
        halves = _halved(points, box, instance.k)
        if halves is None:
            groups.append(box.tolist())
        else:
            left += halves
    return groups


def grid_cuts(instance: Any) -> Groups:
    """Grids: halve the weight and the number of rectangles, the longer side first."""
    grid = np.array(instance.grid, dtype=np.int64)
    cells = np.arange(grid.size).reshape(grid.shape)
    groups: Groups = []
    left: list[tuple[Array, int]] = [(cells, instance.p)]
    while left:
        box, p = left.pop()
        if p == 1 or box.size == 1:
            groups.append(box.ravel().tolist())
            continue
        axis = int(box.shape[1] > box.shape[0])
        lines = grid.ravel()[box].sum(axis=1 - axis).cumsum()
        cut = int(np.searchsorted(lines, lines[-1] * (p // 2) / p)) + 1
        cut = min(max(cut, 1), len(lines) - 1)
        first, second = np.split(box, [cut], axis=axis)
        most = [min(p // 2, first.size), min(p - p // 2, second.size)]
        left += [(first, most[0]), (second, most[1])]
    return groups


HEURISTICS: Mapping[str, Callable[[Any], Groups | None]] = {
    "bin-covering": longest_first,
    "interval-covering": next_fit,
    "k-anonymity": nearest_rows,
    "k-ambiguity": nearest_rows,
    "generalization": nearest_rows,
    "suppression": nearest_rows,
    "diversity": nearest_diverse,
    "pair-partition": nearest_squares,
    "r-gather": farthest_first,
    "cellular-clustering": nearest_points,
    "connected-partition": greedy_growth,
    "rectangle-tiling": straight_cuts,
    "rectangle-tiling-grid": grid_cuts,
}
"""By problem."""


def _codes(table: Sequence[Sequence[object]]) -> Array:
    columns = zip(*table, strict=True)
    return np.stack([np.unique(c, return_inverse=True)[1] for c in columns], axis=1)


def _values(instance: Any, group: Sequence[int]) -> int:
    return len({tuple(instance.sensitive[i]) for i in group})


def _squares(points: Array, point: Array) -> Array:
    squares: Array = ((points - point) ** 2).sum(axis=1)
    return squares


def _nearest(rows: Array, k: int) -> Groups:
    """Group the first row that is left with its k - 1 nearest; the last ones together.

    Cells of texts are equal or not; coordinates are compared by their squares.
    """
    left = np.arange(len(rows))
    groups: Groups = []
    while len(left) >= 2 * k:
        others = rows[left]
        gaps = (others - others[0]) ** 2
        far = (gaps if rows.shape[1] == 2 else gaps != 0).sum(axis=1)
        taken = np.argpartition(far, k - 1)[:k]
        groups.append(left[taken].tolist())
        left = np.delete(left, taken)
    return [*groups, left.tolist()]


def grouped(homes: Array) -> Groups:
    """Return the items of every home."""
    order = np.argsort(homes, kind="stable")
    ends = np.flatnonzero(np.diff(homes[order])) + 1
    return [group.tolist() for group in np.split(order, ends)]


def _grow(
    start: int,
    near: Sequence[Sequence[int]],
    part: list[int],
    levels: list[int],
    weights: Sequence[int],
    k: int,
) -> None:
    """Cut what can be reached from `start` into parts, in the order of a search."""
    starts = deque([start])
    while starts:
        first = starts.popleft()
        if part[first] >= 0:
            continue
        this, queue = len(levels), deque([first])
        levels.append(0)
        while queue and levels[this] < k:
            node = queue.popleft()
            if part[node] < 0:
                part[node] = this
                levels[this] += weights[node]
                queue.extend(v for v in near[node] if part[v] < 0)
        starts.extend(queue)


def _halved(points: Array, box: Array, k: int) -> list[Array] | None:
    found: tuple[int, list[Array]] | None = None
    for axis in (0, 1):
        order = box[np.argsort(points[box, axis], kind="stable")]
        below = points[order, 2].cumsum()
        apart = np.diff(points[order, axis]) > 0
        fits = apart & (below[:-1] >= k) & (below[-1] - below[:-1] >= k)
        if fits.any():
            heavier = np.maximum(below[:-1], below[-1] - below[:-1])
            cut = int(np.where(fits, heavier, below[-1] + 1).argmin())
            if found is None or heavier[cut] < found[0]:
                found = int(heavier[cut]), [order[: cut + 1], order[cut + 1 :]]
    return None if found is None else found[1]
