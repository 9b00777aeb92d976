"""The primal-dual method: duals rise until clusters are paid for [Aggarwal10, 3].

A cluster (v, d), all points within d of v, costs F(v, d) = fee(v) + slope * d to open,
and d for each point that joins it. Clusters of fewer than `size` points in their ball,
and those that cost more than `most`, do not exist. The dual of the linear relaxation is

    maximise    sum alpha_i
    subject to  sum over i within d of v of max(0, alpha_i - d) <= F(v, d)  for all.

The alphas of all unconnected points rise together, one unit per unit of time. A cluster
opens as soon as it is paid for, d <= alpha_i for all its unconnected points, and then
connects these: it is their witness. A cluster that costs nothing is paid for at time d,
when its edges get tight, not before. If `leave` points need not be connected, the
process stops when these are left, and the last cluster connects its nearest points
only.

Where openings are dear against the distances, lists are of most points: 40 bytes, and
about half a microsecond, for each of :func:`expected_pairs`.

Whole numbers
-------------
Time ticks `scale` times per unit, and a cluster opens at the last tick at which nobody
has overpaid. So the alphas are a solution of the dual, exactly, and a cluster that
opens lacks at most one tick for each of the points that it connects.

Short lists
-----------
Of the n^2 clusters only those of radius d <= now take part, and among the points of a
cluster of radius d > now only the unconnected ones matter. So a centre knows only the
points within the *reach* of these points, which is extended when time comes to it; and
points that were connected before the nearest unconnected one was reached are dropped.
Points nearer to v than the least radius of a cluster about v count as that far. When
the next cluster of a centre is paid for is computed anew if it is the next of all: it
can only have become later.

References
----------
[Aggarwal10] as in :mod:`atleastk.instances.cellular_clustering`.
[Jain01] K. Jain, V. V. Vazirani: Approximation algorithms for metric facility location
and k-median problems using the primal-dual schema and Lagrangian relaxation. Journal of
the ACM 48(2), 2001.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

import numpy as np

from atleastk.arrays import FloatArray, Int32Array, IntArray
from atleastk.instances.spaces.metric_spaces import FAR, Matrix, MetricSpace
from atleastk.solvers.clustering.neighbourhoods import (
    nearest,
    neighbourhoods,
    spread,
)
from atleastk.solvers.compiled.arrays import longer
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.sorting import number, sink

Pairs = tuple[Int32Array, Int32Array, IntArray]
"""Centres, points, and their distances."""


NEVER: Final = 2**62
"""A tick that does not come."""

_MOST_PAIRS: Final = 8_000_000
"""Pairs of a centre and a point that are found at a time, of 16 bytes each."""

_FEW: Final = 32
"""Rows are computed if at most one in this many points reaches further: not tuned."""

_SAMPLE: Final = 64
"""Rows that are sampled for typical distances: not tuned."""


@dataclass(frozen=True, eq=False)
class Prices:
    """What it costs to open clusters, in units of the distances."""

    fees: IntArray  # [centre] the cluster (v, d) costs fees[v] + slope * d
    slope: int
    size: int = 1  # how many points there have to be within d of v
    most: int | None = None  # clusters that cost more do not exist

    def of(self, centres: IntArray, radii: IntArray) -> IntArray:
        """Return what clusters cost."""
        return self.fees[centres] + self.slope * radii


@dataclass(frozen=True, eq=False)
class Raised:
    """A solution of the dual, and the clusters that opened, in the order of time."""

    scale: int  # ticks per unit
    alphas: IntArray  # [point] the dual variables, in ticks
    witness: IntArray  # [point] the cluster that connected it; -1 if none did
    centres: IntArray  # [cluster] v
    radii: IntArray  # [cluster] d
    starts: IntArray  # [cluster + 1] members[starts[c]:starts[c + 1]] are those of c:
    members: Int32Array  # [entry] who pays for it, or could (d <= alpha), or joined it

    @property
    def unconnected(self) -> int:
        """The number of points without a witness."""
        return int((self.witness < 0).sum())

    def tight(self, cluster: int) -> Int32Array:
        """Return the points with tight edges to a cluster."""
        return self.members[self.starts[cluster] : self.starts[cluster + 1]]


class _Lists(NamedTuple):
    """The points that every centre knows, by their distance to it."""

    starts: IntArray  # [centre + 1] where its points begin
    sizes: IntArray  # [centre] how many there are
    points: Int32Array  # [entry]
    distances: IntArray  # [entry] how far they are, or are counted

    @classmethod
    def empty(cls, n: int) -> Self:
        """Return lists of no points."""
        none = np.zeros(0, dtype=np.int64)
        starts, sizes = np.zeros(n + 1, dtype=np.int64), np.zeros(n, dtype=np.int64)
        return cls(starts, sizes, none.astype(np.int32), none)

    def merged(self, owners: Int32Array, points: Int32Array, far: IntArray) -> Self:
        """Return the lists with new entries."""
        n, held = len(self.sizes), spread(self.starts[:-1], self.sizes)
        before = np.repeat(np.arange(n, dtype=np.int32), self.sizes)
        owners = np.concatenate((before, owners))
        points = np.concatenate((self.points[held], points))
        far = np.concatenate((self.distances[held], far))
        order = np.lexsort((far, owners))
        sizes = np.bincount(owners, minlength=n)
        starts = np.append(0, np.cumsum(sizes))
        return type(self)(starts, sizes, points[order], far[order])


class _Duals(NamedTuple):
    """The duals of points, as in :class:`Raised`."""

    alphas: IntArray  # [point]
    witness: IntArray  # [point]


class _OpenedClusters(NamedTuple):
    """The clusters that opened, as in :class:`Raised`, and room for more."""

    centres: IntArray  # [cluster]
    radii: IntArray  # [cluster]
    starts: IntArray  # [cluster + 1]
    members: Int32Array  # [entry]

    @classmethod
    def none(cls, n: int) -> Self:
        """Return room for clusters about n points."""
        centres, radii = np.zeros((2, n), dtype=np.int64)
        starts, members = np.zeros(n + 1, np.int64), np.zeros(4 * n + 4, np.int32)
        return cls(centres, radii, starts, members)


class _Pace(NamedTuple):
    """Prices in ticks, as in :class:`Prices`; the tick at which time stops."""

    fees: IntArray  # [centre]
    slope: int
    most: int
    scale: int
    horizon: int


def raised(
    space: MetricSpace, prices: Prices, scale: int, leave: int = 0, seed: int = 0
) -> Raised:
    """Raise the duals until all points but `leave` are connected, or nothing opens.

    The seed decides which of several clusters opens first at a tick.
    """
    n, opened, unconnected = space.n, 0, space.n
    lists, clusters = _Lists.empty(n), _OpenedClusters.none(n)
    duals = _Duals(np.zeros(n, dtype=np.int64), np.full(n, -1, dtype=np.int64))
    keys, reach = np.zeros(n, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    ranks = np.random.default_rng(seed).permutation(n).astype(np.int64)
    longest, least = span(space), nearest(space, prices.size)
    most = NEVER if prices.most is None else prices.most * scale
    new = _first_reach(space, prices, seed) if n > leave else 0
    while unconnected > leave:
        # Unconnected points that reach less far reach further, all that matters is in
        # the lists up to the horizon, and time goes on to it.
        short = np.flatnonzero((duals.witness < 0) & (reach < new))
        for pairs in _joined(space, short, reach, new, least):
            lists = lists.merged(*pairs)
        reach[short] = FAR if new >= longest else new
        now = int(reach[duals.witness < 0].min())
        horizon = NEVER if now >= FAR else now * scale
        clusters, opened, unconnected = _advanced(
            lists,
            duals,
            clusters,
            keys,
            ranks,
            _Pace(prices.fees * scale, prices.slope, most, scale, horizon),
            opened,
            unconnected,
            leave,
        )
        if horizon == NEVER:
            break
        new = now + max(1, now // 2)
        np.minimum(keys, horizon, out=keys)
    rest = duals.witness < 0
    if opened and rest.any():
        duals.alphas[rest] = duals.alphas.max()
    centres, radii, starts, members = clusters
    return Raised(
        scale,
        duals.alphas,
        duals.witness,
        centres[:opened],
        radii[:opened],
        starts[: opened + 1],
        members[: starts[opened]],
    )


def span(space: MetricSpace) -> int:
    """Return a length that no distance exceeds."""
    if isinstance(space, Matrix):
        given = space.given
        return int(given[given < FAR].max(initial=0))
    return 2 * int(space.row(0).max()) if space.n else 0


def _first_reach(space: MetricSpace, prices: Prices, seed: int) -> int:
    """Estimate a first reach from the prices of some clusters."""
    n = space.n
    some = np.random.default_rng(seed).permutation(n)[:_SAMPLE].astype(np.int64)
    rows, paid = _paid_alone(space, prices, some)
    reach = int(min(1.5 * np.median(paid), 2.0**41))
    allowed = _MOST_PAIRS // n * len(some)
    if allowed < rows.size:
        within = np.partition(rows, allowed, axis=None)
        reach = min(reach, int(within[allowed]))
    return max(0, reach)


def expected_pairs(space: MetricSpace, prices: Prices) -> int:
    """Estimate the pairs of a centre and a point that are in lists at a time.

    They are those that are near enough when about half of the centres could open alone.
    """
    if not space.n:
        return 0
    some = np.unique(np.linspace(0, space.n - 1, _SAMPLE).astype(np.int64))
    rows, paid = _paid_alone(space, prices, some)
    near: float = (rows <= np.median(paid)).mean()
    return int(near * space.n**2)


def _paid_alone(
    space: MetricSpace, prices: Prices, centres: IntArray
) -> tuple[IntArray, FloatArray]:
    """Return sorted rows, and when a cluster about the centre is paid for by all."""
    rows = np.sort(space.rows(centres), axis=1)
    counts = np.arange(1, space.n + 1)
    paid = rows + (prices.fees[centres, None] + prices.slope * rows) / counts
    paid[:, : prices.size - 1] = FAR
    return rows, paid.min(axis=1)


def _joined(
    space: MetricSpace, short: IntArray, reach: IntArray, new: int, least: IntArray
) -> Iterator[Pairs]:
    """Give the pairs of points that now reach so far and of centres, many at a time.

    `least` are the least radii of clusters about centres.
    """
    parts: list[Pairs] = []
    count = 0
    for owners, points, distances in _reached(space, short, reach, new):
        radii = np.maximum(distances, least[owners])
        finite = radii < FAR
        parts.append((owners[finite], points[finite], radii[finite]))
        count += len(radii)
        if count > _MOST_PAIRS:
            yield _concatenated(parts)
            parts, count = [], 0
    if parts:
        yield _concatenated(parts)


def _reached(
    space: MetricSpace, points: IntArray, reach: IntArray, new: int
) -> Iterator[Pairs]:
    """Give all centres and points whose distance is above the reach, at most `new`."""
    n = space.n
    if len(points) * _FEW > n:
        some = space.rows(points[:: max(1, len(points) // _SAMPLE)])
        if (some <= new).mean() * n * n <= 2 * _MOST_PAIRS:
            near = neighbourhoods(space, new)
            reaching = np.zeros(n, dtype=np.bool_)
            reaching[points] = True
            new_pairs = reaching[near.points] & (near.distances > reach[near.points])
            owners = np.repeat(np.arange(n, dtype=np.int32), np.diff(near.starts))
            yield owners[new_pairs], near.points[new_pairs], near.distances[new_pairs]
            return
    for start in range(0, len(points), space.at_a_time):
        chunk = points[start : start + space.at_a_time]
        rows = space.rows(chunk)
        inside = (rows > reach[chunk, None]) & (rows <= min(new, FAR - 1))
        which, where = np.nonzero(inside)
        reached: Int32Array = chunk[which].astype(np.int32)
        centres: Int32Array = where.astype(np.int32)
        yield centres, reached, rows[which, where]


def _concatenated(parts: list[Pairs]) -> Pairs:
    owners, points, distances = zip(*parts, strict=True)
    return np.concatenate(owners), np.concatenate(points), np.concatenate(distances)


@compiled
def _advanced(
    lists: _Lists,
    duals: _Duals,
    clusters: _OpenedClusters,
    keys: IntArray,  # [centre]
    ranks: IntArray,  # [centre]
    pace: _Pace,
    opened: int,
    unconnected: int,
    leave: int,
) -> tuple[_OpenedClusters, int, int]:
    """Raise the duals up to the horizon; return the clusters and both numbers updated.

    `keys` are the ticks before which no cluster about a centre is paid for; `ranks`
    break ties.
    """
    n, members = len(keys), clusters.members
    heap, top = np.empty(n, dtype=np.int64), number(0)
    for v in range(n):
        heap[v] = v
    for at in range(n // 2, -1, -1):
        sink(heap, n, at, keys, ranks)
    longest = 1
    for v in range(n):
        longest = max(longest, lists.sizes[v])
    dropped = np.zeros(longest, dtype=np.int64)
    dropped_sum = np.zeros(longest, dtype=np.int64)
    while unconnected > leave:
        # Nothing is paid for before the key of the first centre, which may be too low.
        v = heap[0]
        if keys[v] > pace.horizon or keys[v] == NEVER:
            break
        _shorten(v, lists, duals, pace.scale)
        tick, last = _next(v, lists, duals, pace, dropped, dropped_sum)
        if tick > keys[v]:
            keys[v] = tick
            sink(heap, n, top, keys, ranks)
            continue
        # It opens now, and connects its points up to the last one.
        low = lists.starts[v]
        radius = lists.distances[low + last]
        filled = clusters.starts[opened]
        if filled + last + 1 > len(members):
            members = longer(members, 2 * len(members) + last + 1)
        for at in range(low, low + last + 1):
            j = lists.points[at]
            if duals.witness[j] < 0:
                if unconnected == leave:
                    continue
                duals.witness[j], duals.alphas[j] = opened, tick
                unconnected -= 1
            if duals.alphas[j] >= radius * pace.scale:
                members[filled] = j
                filled += 1
        clusters.centres[opened], clusters.radii[opened] = v, radius
        opened += 1
        clusters.starts[opened] = filled
    grown = _OpenedClusters(clusters.centres, clusters.radii, clusters.starts, members)
    return grown, opened, unconnected


@inlined
def _shorten(v: int, lists: _Lists, duals: _Duals, scale: int) -> None:
    """Drop the points that have no tight edge to a cluster that can open still."""
    points, distances = lists.points, lists.distances
    low, high = lists.starts[v], lists.starts[v] + lists.sizes[v]
    first = low
    while first < high and duals.witness[points[first]] >= 0:
        first += 1
    end = low
    if first < high:
        # Clusters that open still reach the nearest point that is not connected.
        nearest = distances[first]
        for at in range(low, high):
            j = points[at]
            radius = max(nearest, distances[at]) * scale
            if duals.witness[j] < 0 or duals.alphas[j] >= radius:
                points[end], distances[end] = j, distances[at]
                end += 1
    lists.sizes[v] = end - low


@inlined
def _next(
    v: int,
    lists: _Lists,
    duals: _Duals,
    pace: _Pace,
    dropped: IntArray,  # [place in list]
    dropped_sum: IntArray,  # [place in list]
) -> tuple[int, int]:
    """Return when the next cluster about v is paid for, and its furthest point.

    A connected point at distance d with dual alpha pays for the clusters of radius d
    to alpha; `dropped` counts those whose interval ends. Sums may leave 64 bits, their
    differences do not. O(s log s) for s points.
    """
    distances, alphas, scale = lists.distances, duals.alphas, pace.scale
    low, size = lists.starts[v], lists.sizes[v]
    rising, frozen, frozen_sum = 0, 0, 0
    soonest, last = NEVER, -1
    for k in range(size):
        # The ball of radius d(k) holds `rising` points whose alphas still rise, and
        # `frozen` other ones that pay for it.
        frozen -= dropped[k]
        frozen_sum -= dropped_sum[k]
        dropped[k] = 0
        dropped_sum[k] = 0
        radius = distances[low + k] * scale
        j = lists.points[low + k]
        if duals.witness[j] < 0:
            rising += 1
        elif alphas[j] > radius:
            frozen += 1
            frozen_sum += alphas[j]
            below, above = k + 1, size
            while below < above:
                middle = (below + above) // 2
                if distances[low + middle] * scale >= alphas[j]:
                    above = middle
                else:
                    below = middle + 1
            if below < size:
                dropped[below] += 1
                dropped_sum[below] += alphas[j]
        if rising == 0 or (
            k + 1 < size and distances[low + k + 1] == distances[low + k]
        ):
            continue
        cost = pace.fees[v] + pace.slope * radius
        if cost <= pace.most:
            missing = max(0, cost - (frozen_sum - frozen * radius))
            tick = radius + missing // rising
            if tick < soonest:
                soonest, last = tick, k
    return soonest, last
