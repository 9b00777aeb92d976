"""The LP relaxation of set partitioning over listed parts, and weights that refute it.

Every node is in parts of total x = 1, and all x >= 0 add up to p. If
there is no such x then weights y refute it (:mod:`~atleastk.solvers.engine.relaxed`).
The restricted master problem is elastic: over few of the parts, it minimises by how
much coverage and the number of parts are missed. Parts with y(S) > Y for its duals are
added (column generation) until there are none, or until y, rounded to integers, refutes
with the exact Y = max y(S) of all listed parts. So refutations hold in integers.

It is solved again and again for some of the listed parts. The others are priced out:
|y| <= 1 and |Y| <= 1, so a part that costs |S| + 2 is never worth its cost.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import BoolArray, FloatArray, IntArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.connected_sets import ConnectedSets
from atleastk.solvers.engine.linear_program import SCALES, GrowingLp
from atleastk.solvers.engine.relaxed import Relaxed, Weights

_MISSED: Final = 1e-7
"""By how much a weight must be above a limit: the tolerance of HiGHS."""

_UNCOVERED: Final = 1e-6
"""How much a fractional partition may miss in all."""

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
        self._rows = GrowingLp([1] * n + [parts], [1] * n + [parts], seed)
        for row in range(n + 1):
            self._rows.add(1.0, [row], [1])
            self._rows.add(1.0, [row], [-1])
        self._slacks = 2 * n + 2
        self._known = np.zeros(len(sets), dtype=np.bool_)
        self._columns: list[int] = []
        self._priced_out = np.zeros(len(sets), dtype=np.bool_)

    def solve(self, budget: Budget, allowed: BoolArray | None = None) -> Relaxed | None:
        """Solve the program over the allowed parts; None if the result is unknown.

        At least one part is allowed.
        """
        if allowed is None:
            allowed = np.ones(len(self._sets), dtype=np.bool_)
        self._price(allowed)
        if not self._columns:
            self._add(self._few(np.flatnonzero(allowed)))
        while not budget.spent:
            optimum = self._rows.solve(budget)
            if optimum is None:
                return None
            if optimum.value <= _UNCOVERED:
                shares = np.zeros(len(self._sets))
                shares[self._columns] = optimum.primal[self._slacks :]
                return Relaxed(shares=np.where(allowed, shares, 0.0))
            duals, price = optimum.duals[:-1], -float(optimum.duals[-1])
            sums = self._sums(duals)
            if duals.sum() > self._parts * sums[allowed].max() + _MISSED:
                found = self._weights(duals, allowed)
                if found is not None:
                    return Relaxed(refuted=found)
            missed = np.flatnonzero((sums > price + _MISSED) & allowed & ~self._known)
            if len(missed) == 0:
                return None
            order = np.argsort(-sums[missed], kind="stable")
            self._add(self._few(missed[order]))
        return None

    def _price(self, allowed: BoolArray) -> None:
        """Make the parts that are not allowed too expensive, and no others."""
        changed = self._known & (self._priced_out == allowed)
        sizes = np.diff(self._sets.starts)
        for column, place in enumerate(self._columns):
            if changed[place]:
                cost = 0 if allowed[place] else int(sizes[place]) + 2
                self._rows.price(self._slacks + column, cost)
        self._priced_out[self._known] = ~allowed[self._known]

    def _add(self, places: IntArray) -> None:
        starts, items = self._sets.starts, self._sets.items
        for place in places.tolist():
            rows = [*items[starts[place] : starts[place + 1]].tolist(), self._n]
            self._rows.add(0.0, rows, [1] * len(rows))
            self._columns.append(place)
        self._known[places] = True

    def _few(self, order: IntArray) -> IntArray:
        """Return the first places whose nodes are not all in enough others before."""
        starts, items = self._sets.starts, self._sets.items
        uses = np.zeros(self._n, dtype=np.int64)
        chosen = []
        for place in order[: 40 * self._n].tolist():
            inside = items[starts[place] : starts[place + 1]]
            if uses[inside].min() < _USES:
                uses[inside] += 1
                chosen.append(place)
        return np.array(chosen, dtype=np.int64)

    def _sums(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return y(S) of every listed part."""
        sums: NDArray[Any] = np.add.reduceat(
            values[self._sets.items], self._sets.starts[:-1]
        )
        return sums

    def _weights(self, duals: FloatArray, allowed: BoolArray) -> Weights | None:
        """Return the coarsest rounding of duals that refutes, None if none does."""
        for denominator in SCALES:
            values = np.rint(duals * denominator).astype(np.int64)
            most = int(self._sums(values)[allowed].max())
            if int(values.sum()) > self._parts * most:
                return Weights(values, most)
        return None
