"""Pair partition in large groups: bounds by semidefinite programming.

Let Z have z_ij = 1 if i and j are in one group, else 0. Of at most P groups Z - J / P
has no negative eigenvalue, J all ones, and sums of rows are the sizes of groups. For
least squares let z_ij be k over the size of their group: then P is n / k, sums are k,
and k / K <= z_ii <= 1, K the most items of a group.

The least sum of c_ij z_ij over such Z >= 0 with z_ii <= 1 and z_ij + z_jh - z_ih <=
z_jj is approached by the method of multipliers [WenGoldfarbYin10]: each round takes the
eigenvalues of one matrix, and lets every triangle that was violated pay, one by one, in
O(n^3) time. What it has at any time, rounded, is a certificate
(:mod:`atleastk.models.certificates.pair_triangles`), and only what the checker makes of
it counts.

Columns of more than a few items are too many to be priced, and so are those of items
with many wishes. Where they can be, they prove more.

References
----------
[WenGoldfarbYin10] Z. Wen, D. Goldfarb, W. Yin, "Alternating direction augmented
Lagrangian methods for semidefinite programming", Mathematical Programming Computation
2, 2010.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from atleastk.arrays import BoolArray, FloatArray, IntArray
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.certificates.pair_triangles import proved_by_triangles
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine.modelled import at_most
from atleastk.solvers.pair_partition.pricing import paired
from atleastk.solvers.pair_partition.triangles import too_dear
from atleastk.solvers.search import Search

_MOST_ITEMS: Final = 400
"""Items of whose matrix the eigenvalues take a tenth of a second."""

_LEAST_SIZE: Final = 3
"""The least size of groups: without any size triangles say as much."""

_GAIN: Final = 1e-3
"""What a certificate gains at least, relative to the gap, or it is in vain."""

_IDLE: Final = 3
"""Certificates in vain, one after the other, after which there are no more."""

_DIGITS: Final = 24
"""Binary digits of multipliers, in mean costs."""

_ADDED: Final = 10
"""Triangles that are added to each certificate, for every item. Not tuned."""

_VIOLATED: Final = 1e-3
"""Triangles that are violated by less are not added."""

_STEP: Final = 1.5
"""By what the penalty changes where one residual is twice the other. Not tuned."""


def refuses(instance: PairPartition) -> str | None:
    """Say why an instance cannot be taken, or None if it can."""
    if instance.k < _LEAST_SIZE:
        return f"groups of at least {_LEAST_SIZE} items are bounded so"
    if not instance.counts or instance.counts[-1] < 2:
        return "there is one group"
    return too_dear(instance) or at_most(_MOST_ITEMS, "items")(instance)


def bound(search: Search[PairPartition], budget: Budget) -> None:
    """Report bounds until they hardly rise."""
    best, idle = search.instance.least_cost, 0
    for certificate in _Multipliers(search.instance).certificates(budget):
        proved = proved_by_triangles(search.instance, certificate)
        if proved > search.instance.total:  # no solution costs more
            search.close_infeasible("semidefinite program")
            return
        search.raise_bound(proved, "semidefinite program", certificate)
        cost = proved if search.cost is None else search.cost
        idle = idle + 1 if proved - best <= _GAIN * (cost - best) else 0
        if search.done or idle == _IDLE:
            return
        best = max(best, proved)


class _Multipliers:
    """The relaxation and the multipliers of its rows, in mean costs.

    Their sum is what the pairs cost: those of sizes, the slack of Z - J / P, the
    spares of z_ij >= 0, less those of triangles.
    """

    def __init__(self, instance: PairPartition) -> None:
        n, costs = instance.n, instance.matrix.astype(np.float64)
        self._unit = max(1.0, float(np.abs(costs).sum()) / max(1, n * (n - 1)))
        self._costs = costs / self._unit
        self._sizes, self._own = (instance.k, instance.largest), (1.0, 1.0)
        self._even, together = 1.0 / instance.counts[-1], instance.together
        if instance.objective == "squares":
            self._sizes = instance.k, instance.k
            self._own = instance.k / instance.most_size, 1.0
            self._even, together = instance.k / n, None
        self._together = paired(n, together)
        self._settled = self._together | paired(n, instance.apart)
        one, every = np.eye(n), np.ones((n, n))
        self._z = one + self._even * (every - one)
        self._penalty = 1.0
        self._values, self._axes, self._slack = np.zeros(n), one, np.zeros((n, n))
        self._size = np.full(n, float(instance.k))  # of the group of an item
        self._prices = np.zeros(n)  # of sizes, by item
        self._spare = np.zeros((n, n))
        self._pairs = np.zeros((n, n))  # spares less triangles
        self._triangles = np.zeros((0, 3), dtype=np.int64)
        self._paid = np.zeros(0)  # [triangle]

    def certificates(self, budget: Budget) -> Iterator[Mapping[str, Any]]:
        """Yield certificates, better and better ones.

        The last one comes when there is no time for a round and to check it: the
        quickest round so far, since others may have waited for a processor.
        """
        took = 0.0
        while budget.remaining > 2.0 * took:
            for _ in range(25):
                began = CLOCK.now()
                broken, off = self._round()
                seconds = CLOCK.now() - began
                took = min(took or seconds, seconds)
                if budget.remaining <= 2.0 * took:
                    break
            yield self._certificate()
            if budget.remaining <= 2.0 * took:
                return
            if broken > 2.0 * off:
                self._penalty /= _STEP
            elif off > 2.0 * broken:
                self._penalty *= _STEP
            self._add_triangles()

    def _round(self) -> tuple[float, float]:
        """Improve one multiplier after the other; return how far both ends are off."""
        z, costs, penalty, n = self._z, self._costs, self._penalty, len(self._z)
        # The prices of sizes, and then those that the window of sizes would have.
        left = costs - self._slack - self._pairs
        wanted = (self._size - z.sum(axis=1)) / penalty + left.sum(axis=1)
        wanted += n / 2.0 * self._prices
        prices = (wanted - wanted.mean() / 3.0) / n
        stiff = n / 2.0 * penalty
        self._prices = _priced(prices - self._size / stiff, self._sizes, stiff)
        self._size += stiff * (self._prices - prices)
        paid = np.add.outer(prices, prices) / 2.0
        # The slack of Z - J / P.
        left = costs - paid - self._pairs - (z - self._even) / penalty
        values, self._axes = np.linalg.eigh((left + left.T) / 2.0)
        self._values = np.maximum(values, 0.0)
        self._slack = (self._axes * self._values) @ self._axes.T
        # The spares of pairs and items, and then triangles, one after the other.
        left = costs - paid - self._slack
        wanted = left - (z - self._together) / penalty
        charged = self._spare - self._pairs
        spare = wanted + charged
        self._spare = np.where(self._settled, spare, np.maximum(spare, 0.0))
        own = _priced(spare.diagonal(), self._own, penalty)
        np.fill_diagonal(self._spare, own)
        over = self._spare - charged - wanted
        _charge(self._triangles, self._paid, over, self._spare, self._settled)
        self._pairs = wanted + over
        off = self._pairs - left
        self._z = z + penalty * off
        broken = np.linalg.norm(np.minimum(self._z, 0.0))
        broken += np.linalg.norm(self._size - self._z.sum(axis=1))
        ones = self._z.diagonal()
        broken += np.linalg.norm(ones - np.clip(ones, *self._own))
        return float(broken), float(np.linalg.norm(off))

    def _add_triangles(self) -> None:
        """Leave out triangles that pay nothing; add those most violated."""
        kept = self._paid > 0.0
        self._triangles, self._paid = self._triangles[kept], self._paid[kept]
        excess, middle = _most_violated(self._z)
        worst = np.argsort(-excess, axis=None, kind="stable")[: _ADDED * len(excess)]
        i, h = np.unravel_index(worst, excess.shape)
        rows = np.stack((i, middle[i, h], h), axis=1)[excess[i, h] > _VIOLATED]
        known = set(map(tuple, self._triangles.tolist()))
        new = [row for row in rows.tolist() if tuple(row) not in known]
        fresh = np.array(new, dtype=np.int64).reshape(-1, 3)
        self._triangles = np.concatenate((self._triangles, fresh))
        self._paid = np.concatenate((self._paid, np.zeros(len(fresh))))

    def _certificate(self) -> Mapping[str, Any]:
        scale = max(1, round(2**_DIGITS / self._unit))
        unit = scale * self._unit
        factors = np.sqrt(unit * self._values)[:, None] * self._axes.T
        vectors = np.rint(factors).astype(np.int64)
        paid = np.rint(unit / 2.0 * self._paid).astype(np.int64)
        triangles = np.column_stack((self._triangles, paid))[paid > 0]
        return {
            "kind": "triangles",
            "scale": scale,
            "items": np.rint(unit / 2.0 * self._prices).astype(np.int64).tolist(),
            "triangles": triangles.tolist(),
            "vectors": vectors[vectors.any(axis=1)].tolist(),
        }


def _priced(
    free: FloatArray, window: tuple[float, float], penalty: float
) -> FloatArray:
    """Return prices of what is within a window, near free ones.

    They are 0 inside of it, positive at its lower end, negative at its upper one.
    """
    low, high = window
    rises = np.maximum(0.0, free + low / penalty)
    return rises + np.minimum(0.0, free + high / penalty)


@compiled
def _charge(
    triangles: IntArray,  # [row, 3]: of z_ij + z_jh - z_ih <= z_jj
    paid: FloatArray,  # [row]
    over: FloatArray,  # [item, item]
    spare: FloatArray,  # [item, item]
    settled: BoolArray,  # [item, item]
) -> None:
    """Let every triangle pay what is best while all others stay, and so the spares."""
    for t in range(len(triangles)):
        i, j, h = triangles[t]
        more = (over[i, j] + over[j, h] - over[i, h] - over[j, j]) / 2.5
        more = max(more, -paid[t])
        if more == 0.0:
            continue
        paid[t] += more
        over[j, j] += more
        for a, b, sign in ((i, j, 1.0), (j, h, 1.0), (i, h, -1.0)):
            left = over[a, b] - sign * more / 2.0
            if not settled[a, b]:
                spared = max(0.0, spare[a, b] - left)
                left += spared - spare[a, b]
                spare[a, b] = spare[b, a] = spared
            over[a, b] = over[b, a] = left


@compiled
def _most_violated(z: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return by i < h by how much z_ij + z_jh - z_ih - z_jj is above 0, and for j."""
    n = len(z)
    excess, middle = np.zeros((n, n)), np.zeros((n, n), dtype=np.int64)
    for i in range(n):
        for h in range(i + 1, n):
            for j in range(n):
                if j not in (i, h):
                    found = z[i, j] + z[j, h] - z[i, h] - z[j, j]
                    if found > excess[i, h]:
                        excess[i, h], middle[i, h] = found, j
    return excess, middle
