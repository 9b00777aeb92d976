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
from atleastk.packages import sparse, spatial
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import GrowingLp

_NEAR: Final = 15
"""Points that are listed for every point, besides 2k. Not tuned."""

_ADDED: Final = 1
"""Triangles that are added in a round, for every point. Not tuned."""

_VIOLATED: Final = 1e-4
"""Triangles that are violated by less are not added."""

_GAIN: Final = 1e-3
"""Rounds that raise the bound by less, relative to it, are the last."""

_SURE: Final = 1.0 - 1e-9
"""What lengths in floats are relied on for."""


class _NearPairs:
    """The linear program of near pairs, with the triangles so far."""

    def __init__(self, instance: PairPartition) -> None:
        n, places = instance.n, instance.places
        count = min(n, _NEAR + 2 * instance.k)
        nearest = spatial.KDTree(places).query(places, k=[*range(1, count + 1)])
        lengths, near = map(np.array, nearest)
        far = lengths[:, -1]
        ends = np.stack((np.repeat(np.arange(n), count), near.ravel()), axis=1)
        ends = np.unique(np.sort(ends, axis=1), axis=0)
        self.pairs = ends[ends[:, 0] < ends[:, 1]]  # [pair, end]
        first, second = self.pairs.T
        self.lengths = np.square(places[first] - places[second]).sum(axis=1)
        self.others = (_SURE * far * far).astype(np.int64)  # [item]: if not listed
        self.k, self.n = instance.k, n
        self.scale = max(1, 2**56 // max(1, instance.total))
        self.unit = max(1.0, float(self.lengths.mean()))
        self.names = first * n + second  # [pair]: increasing
        self.triangles = np.zeros((0, 3), dtype=np.int64)  # columns of ij, jh, ih
        self.program = GrowingLp(np.full(n, self.k - 1.0), np.inf)
        pairs = sparse.csr_array(
            (
                np.ones(2 * len(first)),
                self.pairs.ravel(),
                2 * np.arange(len(first) + 1),
            ),
            shape=(len(first), n),
        )
        self.program.add_columns(pairs, self.lengths / self.unit, 1.0)

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

    def add(self, together: FloatArray) -> bool:
        """Add listed triangles that a point violates; return whether there are any."""
        used = np.flatnonzero(together > _VIOLATED)
        first, second = self.pairs[used].T
        ends = np.concatenate((first, second)), np.concatenate((second, first))
        columns = sparse.csr_array((np.tile(used, 2), ends), shape=(self.n, self.n))
        found: list[tuple[float, int, int, int]] = []
        for j in range(self.n):
            beside = slice(columns.indptr[j], columns.indptr[j + 1])
            around, column = columns.indices[beside], columns.data[beside]
            one, other = np.triu_indices(len(around), 1)
            low = np.minimum(around[one], around[other])
            high = np.maximum(around[one], around[other])
            name = low * self.n + high
            third = np.minimum(np.searchsorted(self.names, name), len(self.names) - 1)
            sides = column[one], column[other], third
            excess = together[sides[0]] + together[sides[1]] - together[third] - 1.0
            broken = (self.names[third] == name) & (excess > _VIOLATED)
            found += zip(
                (-excess[broken]).tolist(),
                *(side[broken].tolist() for side in sides),
                strict=True,
            )
        worst = sorted(found)[: _ADDED * self.n]
        if not worst:
            return False
        fresh = np.array([sides for _, *sides in worst], dtype=np.int64)
        signs = np.tile([1.0, 1.0, -1.0], len(fresh))
        rows = signs, fresh.ravel(), 3 * np.arange(len(fresh) + 1)
        shape = len(fresh), len(self.pairs)
        self.program.add_rows(sparse.csr_array(rows, shape=shape), -np.inf, 1.0)
        self.triangles = np.concatenate((self.triangles, fresh))
        return True


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
