"""The LP relaxation of set partitioning over listed parts, and weights that refute it.

Every node is in parts of total x = 1, and all x >= 0 add up to p. If there is no such x
then weights refute it: :class:`~atleastk.solvers.engine.linear_program.Weights`.

The restricted master problem is elastic: over few of the parts, it minimises by how
much coverage and the number of parts are missed. Parts with y(S) > Y for its duals are
added (column generation) until there are none, or until y, rounded to integers, refutes
with the exact Y = max y(S) of all listed parts. So refutations hold in integers.

It is solved again and again for some of the listed parts; the others are capped at 0.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import BoolArray, FloatArray, IntArray
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.connected_sets import ConnectedSets
from atleastk.solvers.engine.linear_program import SCALES, GrowingLp, Relaxed, Weights
from atleastk.solvers.precision import NOTHING, TOLERANCE

_USES: Final = 3
"""New parts per round and node, about; chosen, not measured."""


class CoverLp:
    """The linear program over listed parts of a component with n nodes.

    Parameters
    ----------
    sets
        The parts; there is at least one.
    parts
        The number p.
    """

    def __init__(self, n: int, sets: ConnectedSets, parts: int, seed: int = 0) -> None:
        self._n, self._sets, self._parts = n, sets, parts
        ones = np.ones(len(sets.items), dtype=np.int64)
        shape = len(sets), n
        self._rows = sparse.csr_array((ones, sets.items, sets.starts), shape=shape)
        self._known = np.zeros(0, dtype=np.int64)  # sets in the order they entered
        sides, missed = np.append(np.ones(n), parts), sparse.eye_array(n + 1)
        self._program = GrowingLp(sides, sides, seed)
        self._program.add_columns(missed, 1.0)
        self._program.add_columns(-missed, 1.0)
        self._misses = 2 * n + 2

    def solve(self, budget: Budget, allowed: BoolArray | None = None) -> Relaxed | None:
        """Solve the program over the allowed parts; None if the result is unknown.

        At least one part is allowed.
        """
        if allowed is None:
            allowed = np.ones(len(self._sets), dtype=np.bool_)
        caps = np.where(allowed[self._known], np.inf, 0.0)
        self._program.cap(self._misses, caps)
        new = allowed.copy()
        new[self._known] = False
        if not len(self._known):
            new[self._add(np.flatnonzero(new))] = False
        while not budget.spent:
            optimum = self._program.solve(budget)
            if optimum is None:
                return None
            if optimum.value <= NOTHING:
                shares = np.zeros(len(self._sets))
                shares[self._known] = optimum.primal[self._misses :]
                return Relaxed(shares=np.where(allowed, shares, 0.0))
            duals, price = optimum.duals[:-1], -float(optimum.duals[-1])
            sums = self._sums(duals)
            if duals.sum() > self._parts * sums[allowed].max() + TOLERANCE:
                found = self._weights(duals, allowed)
                if found is not None:
                    return Relaxed(refuted=found)
            missed = np.flatnonzero((sums > price + TOLERANCE) & new)
            if not len(missed):
                return None
            heavy = missed[np.argsort(-sums[missed], kind="stable")]
            new[self._add(heavy)] = False
        return None

    def _add(self, order: IntArray) -> IntArray:
        """Add parts in order, unless all their nodes are in enough; return which."""
        starts, items = self._sets.starts, self._sets.items
        uses = np.zeros(self._n, dtype=np.int64)
        few: list[int] = []
        for place in order[: 40 * self._n].tolist():
            inside = items[starts[place] : starts[place + 1]]
            if uses[inside].min() < _USES:
                uses[inside] += 1
                few.append(place)
        chosen = np.array(few, dtype=np.int64)
        ones = sparse.csr_array(np.ones((len(chosen), 1)))
        self._program.add_columns(sparse.hstack((self._rows[chosen], ones)), 0.0)
        self._known = np.append(self._known, chosen)
        return chosen

    def _sums(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return y(S) of every listed part."""
        return np.asarray(self._rows @ values)

    def _weights(self, duals: FloatArray, allowed: BoolArray) -> Weights | None:
        """Return the coarsest rounding of duals that refutes, None if none does."""
        for denominator in SCALES:
            values = np.rint(duals * denominator).astype(np.int64)
            most = int(self._sums(values)[allowed].max())
            if int(values.sum()) > self._parts * most:
                return Weights(values, most)
        return None
