"""Lagrangian multipliers of the records, and the bounds that they prove, in integers.

Let u_t be a weight for every copy of record t, and c_p the stars of pattern p. The
*value* of a pattern is

    V_p = max of the sum over S of (u_t - c_p), S a set of at least k rows matching p:

the k greatest terms, and all further positive ones. Its *level* w_p is the least of c_p
and the k-th greatest weight of its rows.

Theorem (weak duality)
----------------------
Every solution costs at least  L = sum of copies_t u_t - sum over p of max(0, V_p).

Proof. Merge the groups of a solution that have the same pattern. Then every pattern p
that is used has one set S_p of at least k matching rows, and these partition the rows.
The cost, the sum of c_p |S_p|, is the sum of all u_t less, for every p in use, the sum
over S_p of (u_t - c_p), which is at most V_p. What L subtracts for other patterns only
makes it smaller.

The greatest L is the value of the linear program with 0 <= x_pt <= copies_t y_p,
sum_t x_pt >= k y_p, 0 <= y_p <= 1 and sum_p x_pt = copies_t: with u as multipliers of
the last rows it falls apart into patterns, whose best points are y_p = 0 or a set S.

Truncated lists
---------------
If of the patterns with more than r stars not all are listed, let any row pay r + 1 in a
place outside the list, without company. No solution pays less there, and L loses
copies_t max(0, u_t - r - 1). Lowering u_t to r + 1 makes that up, and raises no V_p: so
weights of at most r + 1 keep the theorem as it stands.

Reduced cost fixing
-------------------
A solution that uses p costs at least L + max(0, -V_p), as L subtracts max(0, V_p) for
it. One that puts a row of t into p costs at least

    L + max(0, -V_p) + max(0, w_p - u_t).

Proof. The best set S of at least k rows with one of t among them is worth V_p less
max(0, w_p - u_t). If k terms or more are positive then w_p = c_p: a positive term is in
the best set anyway, any other is added to it for u_t - c_p. If fewer are, the best set
has exactly k rows, down to w_p <= c_p: a row of at least w_p is in it, or can be, and a
lighter one is best exchanged for the lightest, for u_t - w_p.

Weighted rows
-------------
If a row of t pays v_t times, its term is u_t - c_p v_t, and the theorem stands as it
is; a place outside a truncated list then costs it (r + 1) v_t. So does fixing, with
u_t - c_p (v_t - 1) in place of u_t: only differences of terms enter the proof.

Sensitive values
----------------
Groups that have the same pattern and keep a condition may be merged, so V_p may be the
greatest sum of any sets that the condition admits, or more sets. Let S be one of l
values or more: the greatest row of each of l values, the greatest others up to k rows,
all further ones above 0; and w_p its least term, or 0 if that is positive, plus c_p.
Fixing holds as it stands. Let S' be a set with a row of t that S lacks. If S' can do
without, its value is V_p + u_t - c_p at most. If not, its values have become too few
without, and S has a row of another one, or its rows have, and S has another row: let
that one, of level w_p or more, take the place of t. The result is worth V_p at most.

If groups have shares, V_p is less: let V'_p and w'_p be those of different values, of
which such groups have so many. A set with a row of t is worth V_p at
most, and V'_p - max(0, w'_p - u_t): both are said by w_p = w'_p - (V'_p - V_p).

All costs are integers: pairs beyond B - 1 are in no solution that costs less than B.
Weights are integers in units of 1 / scale, so all of this is exact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from atleastk.arrays import FloatArray, Int32Array, IntArray
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.valuation import Valuation


@dataclass(frozen=True, slots=True, eq=False)
class Multipliers:
    """Weights of the records, and the bound that they prove."""

    weights: IntArray  # in units of 1 / scale, [record]
    scale: int
    total: int  # L in units of 1 / scale, exactly
    rows: FloatArray | None = None  # of the linear program, if asked for: [pattern]

    @property
    def bound(self) -> int:
        """No solution costs less."""
        return max(0, -(-self.total // self.scale))

    @property
    def value(self) -> float:
        """The bound before rounding."""
        return self.total / self.scale


def prove(table: ListedTable, weights: IntArray, scale: int) -> Multipliers:
    """Return weights with the bound that they prove.

    Weights above the greatest that a truncated list allows are lowered to it.
    """
    records = table.records
    if not table.complete:
        most = table.greatest_weight * scale * records.worth
        weights = np.minimum(weights, most)
    total = int(records.copies @ weights) - Valuation(table, scale)(weights, 0, 0)
    return Multipliers(weights, scale, total)


def appraise(table: ListedTable, known: Multipliers) -> tuple[IntArray, IntArray]:
    """Return the value and the level of every pattern, in units of 1 / scale."""
    valuation, asked = Valuation(table, known.scale), table.asked
    valuation(known.weights, 0, 0)
    if asked is None or (asked.share == 1 and not asked.close):
        return valuation.values, valuation.levels
    different = replace(asked, share=1, close=False)
    values, levels = appraise(replace(table, asked=different), known)
    return valuation.values, levels - (values - valuation.values)


def reduced_costs(table: ListedTable, known: Multipliers) -> IntArray:
    """Return by how much every pair raises L at least, in units of 1 / scale."""
    patterns, weights = table.patterns, known.weights
    further, prices = table.records.worth - 1, table.prices(known.scale)
    pairs = patterns.starts, patterns.records
    raises = _raises(*pairs, weights, further, prices, *appraise(table, known))
    return np.asarray(raises)


def relevant(table: ListedTable, known: Multipliers, below: int) -> ListedTable:
    """Return the patterns and pairs that solutions of cost less than `below` may use.

    Bounds from the result hold for these solutions only: the least of them and `below`
    is a bound for all.
    """
    spare = (below - 1) * known.scale - known.total
    return table.only(table.supported(reduced_costs(table, known) <= spare))


@compiled
def _raises(
    starts: IntArray,
    members: Int32Array,
    weights: IntArray,
    further: IntArray,
    prices: IntArray,
    values: IntArray,
    levels: IntArray,
) -> IntArray:
    raises = np.empty(len(members), dtype=np.int64)
    for p in range(len(values)):
        base = max(0, -values[p])
        for i in range(starts[p], starts[p + 1]):
            t = members[i]
            weight = weights[t] - prices[p] * further[t]
            raises[i] = base + max(0, levels[p] - weight)
    return raises
