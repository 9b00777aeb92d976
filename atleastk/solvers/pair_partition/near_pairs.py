"""Pair partition: least squares of many points, bounded by near pairs and triangles.

*Theorem.* Let d_ij be squared distances. Every solution costs, before it is rounded
down, at least 1/k of the least sum of d_ij z_ij over 0 <= z <= 1 with

    sum over j of z_ij >= k - 1,       z_ij + z_jh - z_ih <= 1.

*Proof.* Let z_ij = (k - 1) / (s - 1) for i and j in one group of s >= k, else 0. It has
all that is asked: in a group a triangle has one such number on its left side, at most
1. And (k - 1) / (s - 1) <= k / s, so that P(S) / s is at least 1/k of its sum.

So the multipliers of :mod:`atleastk.models.certificates.pair_triangles` bound k times
the cost, here of pairs that are near alone: one that is further than all listed pairs
of both its items costs at least the mean of these lengths, and the multipliers of items
are cut to half of that. Then it is best at 0, as long as it is in no triangle.
Triangles are added as the linear program violates them. All is checked in integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.instances.pair_partition import PairPartition
from atleastk.packages import spatial
from atleastk.solvers.budget import Budget
from atleastk.solvers.pair_partition.triangles import TriangleProgram
from atleastk.solvers.precision import SURE

_NEAR: Final = 15
"""Points that are listed for every point, besides 2k. Not tuned."""

_ADDED: Final = 1
"""Triangles that are added in a round, for every point. Not tuned."""

_VIOLATED: Final = 1e-4
"""Triangles that are violated by less are not added."""

_GAIN: Final = 1e-3
"""Rounds that raise the bound by less, relative to it, are the last."""


class _NearPairs(TriangleProgram):
    """The linear program of near pairs, with the triangles so far."""

    added, least = _ADDED, _VIOLATED

    def __init__(self, instance: PairPartition) -> None:
        n, places = instance.n, instance.places
        count = min(n, _NEAR + 2 * instance.k)
        nearest = spatial.KDTree(places).query(places, k=[*range(1, count + 1)])
        lengths, near = map(np.array, nearest)
        far = lengths[:, -1]
        ends = np.stack((np.repeat(np.arange(n), count), near.ravel()), axis=1)
        ends = np.unique(np.sort(ends, axis=1), axis=0)
        first, second = pairs = ends[ends[:, 0] < ends[:, 1]].T
        self.lengths = np.square(places[first] - places[second]).sum(axis=1)
        self.others = (SURE * far * far).astype(np.int64)  # [item]: if not listed
        self.k, self.scale = instance.k, max(1, 2**56 // max(1, instance.total))
        super().__init__(n, self.k, pairs.T, self.lengths)

    def bound(self, duals: FloatArray) -> int:
        """Return what multipliers prove of k times the cost, of any duals."""
        whole = np.rint(np.abs(duals) * self.unit * self.scale).astype(np.int64)
        items = np.minimum(whole[: self.n], self.scale * self.others // 2)
        paid = whole[self.n :]
        reduced = self.scale * self.lengths - items[self.pairs].sum(axis=1)
        for side, sign in enumerate((1, 1, -1)):
            np.add.at(reduced, self.triangles[:, side], sign * paid)
        saved = sum(np.minimum(reduced, 0).tolist())
        total = (self.k - 1) * sum(items.tolist()) - sum(paid.tolist()) + saved
        return int(total) // self.scale


def bounds(instance: PairPartition, budget: Budget) -> Iterator[int]:
    """Yield lower bounds of points by least squares, better and better ones."""
    near, best = _NearPairs(instance), 0
    rounded = instance.n // instance.k  # less than 1 for every group
    while not budget.spent:
        optimum = near.program.solve(budget, apart=True)
        if optimum is None:
            return
        found = near.bound(optimum.duals)
        yield max(0, -(-found // instance.k) - rounded)
        if found < (1.0 + _GAIN) * best or not near.add(optimum.primal):
            return
        best = max(best, found)
