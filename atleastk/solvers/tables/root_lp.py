"""Groups of rows for set partitioning: the pricing oracle, and the LP over all groups.

Items are distinct records with their copies. Every pattern offers its best group: the k
rows of greatest weight, and all further ones whose weight exceeds their stars. What the
reduced costs of a solution come to at least is the theorem of
:mod:`~atleastk.solvers.tables.multipliers`, where a pattern counts once; groups that
are listed one by one are those of :mod:`~atleastk.solvers.tables.listed_groups`.

Every weighting that is tried gives an exact bound, whether or not the linear program is
solved over all groups. Good weights to start from save most of the rounds.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.master import Master, Proof
from atleastk.solvers.engine.set_partition.oracle import Frame, Priced, Prices
from atleastk.solvers.tables.listed_groups import list_groups
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import Multipliers, prove, relevant


class PatternOracle:
    """The groups of the patterns and pairs that are left of a table.

    Items are its distinct records; the mark of a group is its pattern among those left.
    """

    def __init__(self, table: ListedTable, scale: int) -> None:
        self._table = table
        self.frame = Frame(table.records.copies, scale, table.greatest_weight)

    def master(self, start: Multipliers, limit: int, seed: int) -> Master:
        """Return the linear program that begins with good groups at some weights."""
        proof = Proof(Prices(start.scale, start.weights), start.total)
        master = Master(self, limit, seed, proof)
        master.add(self.best(start.weights, self._table.k * start.scale))
        return master

    def price(self, prices: Prices, budget: Budget) -> Priced | None:
        """Return the best group of every pattern, if its reduced cost is negative.

        None with triples, which are not priced.
        """
        if budget.spent or len(prices.triples):
            return None
        weights, copies = prices.weights, self._table.records.copies
        proved = prove(self._table, weights, prices.scale)
        return Priced(self.best(weights, 0), proved.total - int(weights @ copies))

    def best(self, weights: IntArray, most: int) -> Groups:
        """Return the best group of every pattern, if it has a lower reduced cost."""
        patterns, copies = self._table.patterns, self._table.records.copies
        pattern, ends, record, taken = _best_groups(
            copies,
            weights,
            self._table.prices(self.frame.scale),
            patterns.starts,
            patterns.records,
            self._table.k,
            most,
        )
        sizes = np.diff(np.concatenate(([0], np.cumsum(taken)))[ends])
        cost = sizes * patterns.stars[pattern].astype(np.int64)
        return Groups.of(len(copies), ends, record, cost, pattern, taken)

    def listed(
        self, prices: Prices, spare: int, most: int, budget: Budget
    ) -> Groups | None:
        """Return all groups of reduced cost up to `spare`; None if too many."""
        weights, limit = _leaving(prices, spare), (most, most)
        pool = list_groups(self._table, *weights, budget, *limit, partly=False)
        return pool.groups if pool.complete.all() else None

    def narrow(self, prices: Prices, spare: int) -> None:
        """Forget the patterns and pairs that have only greater reduced costs."""
        self._table = relevant(self._table, *_leaving(prices, spare))


def _leaving(prices: Prices, spare: int) -> tuple[Multipliers, int]:
    """Return weights, and what has to cost less, if so much is left above them."""
    limit, rest = divmod(spare, prices.scale)
    return Multipliers(prices.weights, prices.scale, -rest), limit + 1


def converge(table: ListedTable, start: Multipliers, budget: Budget) -> Multipliers:
    """Return weights that prove the LP bound, or the best when the budget is spent."""
    oracle, records = PatternOracle(table, start.scale), table.records
    master = oracle.master(start, records.n * records.most + 1, budget.seed)
    master.converge(budget)
    return prove(table, master.proof.prices.weights, start.scale)


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
