"""Groups of rows, generated: the best of every pattern, and a linear program over them.

At weights of the records every pattern offers its best group: the k rows of greatest
weight, and all further ones whose weight exceeds their stars.

The restricted master problem is the program over the groups generated so far:

minimise the stars such that every record has all its copies in groups, which may be
taken in part. Copies that are in no group cost a high price, so that there is always a
feasible point. Groups that use a pair of a pattern and a record that is not allowed are
fixed at zero, not removed: programs that differ little follow each other, and each
starts from the basis of the one before.

Floating point: what follows from an answer must be re-checked in integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from atleastk.arrays import BoolArray, FloatArray, Int32Array, IntArray
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine.linear_program import Basis, GrowingLp
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.tables.listed_table import ListedTable


@dataclass(frozen=True, slots=True)
class GroupOptimum:
    """The duals of the records, the value, the basis, and the copies in every pair."""

    duals: FloatArray
    value: float
    activity: FloatArray
    basis: Basis


class GroupProgram:
    """A linear program with a row for every record; groups are added to it."""

    def __init__(self, table: ListedTable) -> None:
        patterns, records = table.patterns, table.records
        self._patterns, self._rows = patterns, records.distinct
        self._lp = GrowingLp(records.copies, records.copies)
        dear = 2.0 * (records.most + 1) * table.k
        self._lp.add_columns(sparse.eye_array(records.distinct), dear)
        self._allowed = np.ones(patterns.pairs, dtype=np.bool_)
        self._known: set[tuple[int, bytes]] = set()
        self._used: sparse.csr_array[Any] = sparse.csr_array((0, patterns.pairs))
        """How many copies groups have of pairs, [group, pair]."""

    def add(self, groups: Groups) -> int:
        """Add groups, marked by their patterns; return how many were not there."""
        known = list(zip(groups.mark.tolist(), groups.names, strict=True))
        fresh = np.array([name not in self._known for name in known], dtype=np.bool_)
        if not fresh.any():
            return 0
        self._known.update(known)
        groups = groups.only(fresh)
        self._lp.add_columns(groups.rows, groups.cost)
        group, record, copies = groups.entries
        spread = self._rows
        names = self._patterns.pattern * spread + self._patterns.records
        pair = np.searchsorted(names, groups.mark[group] * spread + record)
        shape = groups.count, self._patterns.pairs
        used = sparse.csr_array((copies.astype(np.float64), (group, pair)), shape)
        self._used = sparse.csr_array(sparse.vstack((self._used, used)))
        return groups.count

    def allow(self, allowed: BoolArray) -> None:
        """Allow the groups whose pairs are all allowed, and no others."""
        self._allowed = allowed
        barred = self._used @ ~allowed
        self._lp.cap(self._rows, np.where(barred > 0, 0.0, np.inf))

    def solve(self, budget: Budget) -> GroupOptimum | None:
        """Return an optimum, None if the budget is spent."""
        optimum = self._lp.solve(budget)
        if optimum is None:
            return None
        activity = np.asarray(optimum.primal[self._rows :] @ self._used)
        return GroupOptimum(optimum.duals, optimum.value, activity, self._lp.basis)

    def value_without(self, out: BoolArray, optimum: GroupOptimum) -> float:
        """Return roughly the value if further pairs were excluded."""
        allowed = self._allowed
        self.allow(allowed & ~out)
        self._lp.start_from(optimum.basis)
        value = self._lp.value_after(60)
        self.allow(allowed)
        self._lp.start_from(optimum.basis)
        return value


def best_groups(table: ListedTable, weights: IntArray, scale: int, most: int) -> Groups:
    """Return the best group of every pattern, if its reduced cost is below `most`.

    Items are the distinct records; the mark of a group is its pattern.
    """
    patterns, copies = table.patterns, table.records.copies
    pattern, ends, record, taken = _best_groups(
        copies,
        weights,
        table.prices(scale),
        patterns.starts,
        patterns.records,
        table.k,
        most,
    )
    sizes = np.diff(np.concatenate(([0], np.cumsum(taken)))[ends])
    cost = sizes * patterns.stars[pattern].astype(np.int64)
    return Groups.of(len(copies), ends, record, cost, pattern, taken)


@compiled
def _best_groups(
    supply: IntArray,
    weights: IntArray,
    prices: IntArray,
    starts: IntArray,
    members: Int32Array,
    k: int,
    most: int,
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return pattern, ends, records and copies of groups.

    Those are the best of each pattern, if their reduced costs are below `most`.
    """
    pattern = np.empty(len(prices), dtype=np.int64)
    ends = np.zeros(len(prices) + 1, dtype=np.int64)
    record = np.empty(len(members), dtype=np.int64)
    copies = np.empty(len(members), dtype=np.int64)
    found = 0
    for p in range(len(prices)):
        matching = members[starts[p] : starts[p + 1]]
        used = ends[found]
        size = missed = 0
        # The rows of greatest weight up to k, and all of negative reduced cost.
        for i in np.argsort(-weights[matching], kind="mergesort"):
            r = matching[i]
            loss = prices[p] - weights[r]
            if size >= k and loss >= 0:
                break
            taken = supply[r] if loss < 0 else min(supply[r], k - size)
            record[used], copies[used] = r, taken
            used += 1
            size += taken
            missed += taken * loss
        # Otherwise the next group overwrites these entries.
        if missed < most:
            pattern[found] = p
            found += 1
            ends[found] = used
    used = ends[found]
    return pattern[:found], ends[: found + 1], record[:used], copies[:used]
