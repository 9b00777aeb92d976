"""The local search among some of the points: the arrays of the compiled loops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.iterated_local_search import iterate
from atleastk.solvers.cellular_clustering.local_search_state import (
    COUNT,
    TOTAL,
    LinkedClusters,
    LocalInstance,
)
from atleastk.solvers.cellular_clustering.sites import ANY, MEMBER, READINGS

_LARGEST: Final = 2**62
"""A cost above all others."""

_PLACES: Final = 128
_PLACES_OF_PART: Final = 16
"""Candidate centres of two clusters. After 17 s 10,000 points, r = 10, are as cheap
with 8 in a part as with 16, and 0.8 % dearer with 32; 1,000 points, all at a time, are
up to 0.8 % dearer after 6 s with 32 than with 128."""

_SEEN: Final = 2**16
"""Sets of points that are remembered, at most: a megabyte."""

MOST_EFFORT: Final = 10
"""Rounds of a search for each of its clusters, at most: not tuned."""

_LEAST: Final = 10
"""Rounds of a search, at least: of 3 clusters, whose choices are few."""

_SEVERAL: Final = 10
"""Clusters from which on a search is as long as asked for, of fewer by the square: so
24 instances of 10 to 40 points end as cheap, those of up to 5 clusters in a quarter of
the time. With 20 in its place, 100 points with r = 10 ended 0.05 % dearer."""

_CALM: Final = 20
"""Clusters up to which a search is as hot as asked for. More are colder, by the root of
their number: 500 and 2,000 points, r = 10, end 1.2 and 0.8 % cheaper, and in proportion
0.9 % cheaper and 0.3 % dearer."""


@dataclass(frozen=True)
class Part:
    """A search among some of the points; the clusters of others stay as they are."""

    points: IntArray  # which are numbered 0, 1, ... inside
    local: LocalInstance
    now: LinkedClusters
    accepted: LinkedClusters
    best: LinkedClusters

    @classmethod
    def of(
        cls,
        instance: CellularClustering,
        points: IntArray,
        label: IntArray,
        max_clusters: int,
        max_outliers: int,
    ) -> Self:
        """Return the search that starts from clusters of the same label, 0 for none."""
        n = len(points)
        distances = _finite(instance, points)
        facilities = instance.facilities[points]
        numbered = np.zeros(n, dtype=np.int64)
        used = label > 0
        numbered[used] = np.unique(label[used], return_inverse=True)[1] + 1
        near = cheap = _least(distances, min(10, n - 1))
        if facilities.any():
            cheap = _least(instance.r * distances + facilities, min(6, n - 1))
        few = n <= 128 and instance.centres == "input"
        local = LocalInstance(
            distances,
            facilities,
            near,
            np.ascontiguousarray(cheap[:, :6]),
            np.arange(n if few else 0, dtype=np.int64),
            instance.r,
            READINGS[instance.centres],
            max_clusters,
            max_outliers,
            _PLACES if n == instance.n else _PLACES_OF_PART,
            np.random.default_rng(n).integers(2, _LARGEST, n),
            np.zeros((2, _SEEN), dtype=np.int64),
        )
        now, accepted, best = (_blank(n, n // instance.r + 2) for _ in range(3))
        _lay_out(local, now, numbered)
        return cls(points, local, now, accepted, best)

    def settle(self, budget: Budget) -> bool:
        """Descend from the start; return whether that was an improvement."""
        before = int(self.now.sums[TOTAL])
        self._search(self.now.size > 0, 0, 0.0, None, 1, budget)
        return bool(self.best.sums[TOTAL] < before)

    def improve(
        self,
        heat: float,
        enough: int | None,
        rng: np.random.Generator,
        budget: Budget,
        effort: int = MOST_EFFORT,
    ) -> bool:
        """Search for a while, longer with more effort; return whether that helped."""
        before = int(self.best.sums[TOTAL])
        dirty = self.now.size > 0
        if before < _LARGEST:
            dirty[:] = False
            for now, best in zip(self.now, self.best, strict=True):
                now[:] = best
        clusters = int(self.now.sums[COUNT])
        few = min(1.0, clusters / _SEVERAL)
        rounds = int(min(max(_LEAST, effort * (10 + clusters) * few**2), 1_000))
        heat *= (_CALM / max(_CALM, clusters)) ** 0.5
        seed = int(rng.integers(1, _LARGEST))
        self._search(dirty, rounds, heat, enough, seed, budget)
        return bool(self.best.sums[TOTAL] < before)

    def _search(
        self,
        dirty: BoolArray,
        rounds: int,
        heat: float,
        enough: int | None,
        seed: int,
        budget: Budget,
    ) -> None:
        goal = -1 if enough is None else enough
        dice = np.array([seed], dtype=np.uint64)
        states = self.now, self.accepted, self.best
        with budget.flagging() as flag:
            iterate(self.local, *states, dirty, rounds, heat, goal, dice, flag)

    def assignment(self) -> tuple[IntArray, IntArray]:
        """Return by point the best cluster found, 0 for outliers, and its centre."""
        label = self.best.label.copy()
        inside = self.best.centre[label]
        named = (label > 0) & (inside >= 0)
        centre = np.where(named, self.points[inside], -1)
        return label, centre


def _blank(n: int, slots: int) -> LinkedClusters:
    """Return room for clusters, of no cost below the largest."""
    return LinkedClusters(
        np.zeros(n, dtype=np.int64),
        np.full(n, -1, dtype=np.int64),
        np.full(slots, -1, dtype=np.int64),
        np.zeros(slots, dtype=np.int64),
        np.zeros(slots, dtype=np.int64),
        np.zeros(slots, dtype=np.int64),
        np.zeros(slots, dtype=np.int64),
        np.full(2, _LARGEST, dtype=np.int64),
    )


def _lay_out(local: LocalInstance, now: LinkedClusters, label: IntArray) -> None:
    """Make clusters, about the best centres, of the points with the same label."""
    order = np.argsort(label, kind="stable")
    now.label[:] = label
    now.sums[:], now.name[:] = 0, 0
    for points in np.split(order, np.flatnonzero(np.diff(label[order])) + 1):
        if not len(points):
            continue
        g = label[points[0]]
        now.head[g], now.size[g] = points[0], len(points)
        now.name[g] = np.bitwise_xor.reduce(local.names[points])
        now.following[points[:-1]] = points[1:]
        if g > 0:
            now.centre[g], now.price[g] = _best(local, points)
            now.sums[COUNT] += 1
            now.sums[TOTAL] += now.price[g]


def _best(local: LocalInstance, points: IntArray) -> tuple[int, int]:
    """Return the best centre of a cluster, -1 if it is anywhere, and its price."""
    if local.reading == ANY:
        return -1, len(points) * int(local.distances[np.ix_(points, points)].max())
    costs = local.facilities + len(points) * local.distances[points].max(axis=0)
    places = points if local.reading == MEMBER else np.arange(len(costs))
    centre = int(places[costs[places].argmin()])
    return centre, int(costs[centre])


def _finite(instance: CellularClustering, points: IntArray) -> IntArray:
    """Return the distances; infinite ones are finite, but too long for solutions."""
    everything = len(points) == instance.n
    space = instance.space
    found = space.matrix if everything else space.between(points, points)
    far = found >= FAR
    if far.any():
        n = len(points)
        greatest = int(found[~far].max(initial=0))
        costly = 4 * n * greatest + int(instance.facilities.max(initial=0)) + 1
        found = np.where(far, min(costly, _LARGEST // (8 * n)), found)
    found = np.ascontiguousarray(found)
    found.flags.writeable = False  # always, or all is compiled again
    return found


def _least(keys: IntArray, count: int) -> IntArray:
    """Return for every row the columns of the least keys but its own, ascending."""
    others = keys.copy()
    np.fill_diagonal(others, _LARGEST)
    if not count:
        return np.empty((len(keys), 0), dtype=np.int64)
    found = np.argpartition(others, count - 1, axis=1)[:, :count]
    near = np.take_along_axis(others, found, axis=1)
    order = np.argsort(near, axis=1, kind="stable")
    return np.ascontiguousarray(np.take_along_axis(found, order, axis=1))
