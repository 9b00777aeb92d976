"""The local search among some of the points, as compiled code sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.metric_spaces import FAR
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular.clusters import (
    ANY,
    COUNT,
    MEMBER,
    TOTAL,
    Clusters,
    Ground,
    restore,
)
from atleastk.solvers.cellular.wandering import lay_out, wander

__all__ = ["Part"]

IntArray = NDArray[np.int64]

_NEAR: Final = 10
_HANDY: Final = 6
_EVERYWHERE: Final = 128
_ROUNDS: Final = 10
_MOST_ROUNDS: Final = 1_000
_LARGEST: Final = 2**62


@dataclass(frozen=True)
class Part:
    """A search among some of the points, whose other clusters stay what they are.

    Attributes
    ----------
    points
        The points it is about; inside they are 0, 1, ...
    """

    points: IntArray
    ground: Ground
    now: Clusters
    best: Clusters

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
        few = n <= _EVERYWHERE and instance.centres == "input"
        reading = {"input": 0, "member": MEMBER, "any": ANY}[instance.centres]
        ground = Ground(
            distances,
            facilities,
            _least(distances, min(_NEAR, n - 1)),
            _least(instance.r * distances + facilities, min(_HANDY, n - 1)),
            np.arange(n if few else 0, dtype=np.int64),
            instance.r,
            reading,
            max_clusters,
            max_outliers,
        )
        now, best = (_laid_out(numbered, n // instance.r + 2) for _ in range(2))
        return cls(points, ground, now, best)

    def settle(self, budget: Budget) -> None:
        """Descend from the start."""
        with budget.flagging() as flag:
            lay_out(self.ground, self.now, flag)
        restore(self.best, self.now)

    def improve(
        self, heat: float, enough: int | None, rng: np.random.Generator, budget: Budget
    ) -> bool:
        """Wander for a while; tell whether anything better came of it."""
        if self.best.sums[TOTAL] == _LARGEST:
            self.settle(budget)
        before = int(self.best.sums[TOTAL])
        rounds = min(_ROUNDS * (10 + int(self.now.sums[COUNT])), _MOST_ROUNDS)
        restore(self.now, self.best)
        goal = -1 if enough is None else enough
        with budget.flagging() as flag:
            wander(self.ground, self.now, self.best, rounds, heat, goal, rng, flag)
        return bool(self.best.sums[TOTAL] < before)

    def assignment(self) -> tuple[IntArray, IntArray]:
        """Return by point the best cluster found, 0 for outliers, and its centre."""
        label = self.best.label.copy()
        inside = self.best.centre[label]
        named = (label > 0) & (inside >= 0)
        centre = np.where(named, self.points[inside], -1)
        return label, centre


def _laid_out(label: IntArray, slots: int) -> Clusters:
    """Return the state of a search that has not begun."""
    return Clusters(
        label.copy(),
        np.full(len(label), -1, dtype=np.int64),
        np.full(slots, -1, dtype=np.int64),
        np.zeros(slots, dtype=np.int64),
        np.zeros(slots, dtype=np.int64),
        np.zeros(slots, dtype=np.int64),
        np.full(2, _LARGEST, dtype=np.int64),
    )


def _finite(instance: CellularClustering, points: IntArray) -> IntArray:
    """Return the distances; what is too far has one that no good solution needs."""
    everything = len(points) == instance.n
    space = instance.space
    found = space.matrix if everything else space.between(points, points)
    far = found >= FAR
    if not far.any():
        return np.ascontiguousarray(found)
    n = len(points)
    greatest = int(found[~far].max(initial=0))
    costly = 4 * n * greatest + int(instance.facilities.max(initial=0)) + 1
    return np.where(far, min(costly, _LARGEST // (8 * n)), found)


def _least(keys: IntArray, count: int) -> IntArray:
    """Return for every row the columns of the least keys but its own, ascending."""
    found = np.empty((len(keys), count), dtype=np.int64)
    for i, row in enumerate(keys):
        others = row.copy()
        others[i] = _LARGEST
        first = np.argpartition(others, count - 1)[:count] if count else others[:0]
        found[i] = first[np.argsort(others[first], kind="stable")]
    return found
