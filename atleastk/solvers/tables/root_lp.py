"""The optimum of the linear program over all groups, by stabilised column generation.

A column is a group; the dual of a record is its weight. Every pattern offers its best
group: the k rows of greatest weight, and all further ones whose weight exceeds their
stars. Weights half-way between the best known and the duals are tried first, which
keeps the duals from swinging. Good weights to start from save most of the rounds.

Every weighting tried gives an exact bound; the best one is the answer, converged or
not. [Desaulniers, Desrosiers, Solomon, "Column Generation", 2005]
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.models.tables.patterns import Patterns
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine.linear_program import GrowingLp
from atleastk.solvers.tables.multipliers import Multipliers, prove

_TOLERANCE: Final = 1e-4
"""The gap, in cells, at which the program counts as solved."""

_STABILITY: Final = 0.6
"""The share of the best weights in those that are tried first."""


def converge(
    patterns: Patterns,
    records: Records,
    k: int,
    start: Multipliers,
    budget: Budget,
) -> Multipliers:
    """Return weights that prove the LP bound, or the best when the budget is spent."""
    best, scale = start, start.scale
    program = GrowingLp(records.copies, records.copies, budget.seed)
    dear = 2.0 * (records.most + 1) * k
    program.add_columns(sparse.eye_array(records.distinct), dear)
    _add_groups(program, patterns, records, k, best.weights, scale, k * scale)
    while not budget.spent:
        optimum = program.solve(budget)
        if optimum is None or optimum.value - best.value < _TOLERANCE:
            break
        duals = optimum.duals * scale
        added = 0
        for share in (_STABILITY, 0.0):
            tried = share * best.weights + (1.0 - share) * duals
            weights = np.rint(tried).astype(np.int64)
            proved = prove(patterns, records, k, weights, scale)
            best = max(best, proved, key=lambda known: known.total)
            added += _add_groups(program, patterns, records, k, weights, scale, 0)
        if not added:
            break
    return best


def _add_groups(
    program: GrowingLp,
    patterns: Patterns,
    records: Records,
    k: int,
    weights: IntArray,
    scale: int,
    most: int,
) -> int:
    prices = scale * patterns.stars.astype(np.int64)
    pattern, ends, record, copies = best_groups(
        records.copies, weights, prices, patterns.starts, patterns.records, k, most
    )
    shape = len(pattern), records.distinct
    groups = sparse.csr_array((copies, record, ends), shape=shape)
    program.add_columns(groups, patterns.stars[pattern] * groups.sum(axis=1))
    return len(pattern)


@compiled
def best_groups(
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
