"""Simulated annealing on the patterns of rows, by compiled moves of ruin and recreate.

The state gives every row a closed pattern that it matches; an *open* pattern has at
least k rows, a closed one has none. One move [Schrimpf00]

1. picks a row that pays and a pattern q that it matches, and *frees* the row's group
   and the groups of other rows that match q and have no fewer stars than q; of a group
   of many rows only the rows that match, as long as k remain;
2. lists the closed patterns that free rows match and that cost no more than the
   cheapest open pattern of the row, its *refuge*; those with k free rows are
   candidates. Some moves allow for the loss of a cell in all of this;
3. opens candidates by their stars plus a noise of up to a cell, q mostly first, if that
   saves against the refuges; takes all rows that save, and fills up with those that
   lose least; the other rows go to their refuges;
4. is accepted with probability min(1, exp(-growth / heat)), growth being that of the
   cost.

Steps 2 and 3 are APPROX-DR [ParkShim07] on a few dozen rows, thousands of times a
second. Time per move: O(free records x patterns listed for each).

References
----------
[ParkShim07] H. Park, K. Shim, "Approximate Algorithms for k-Anonymity", SIGMOD 2007.
[Schrimpf00] G. Schrimpf et al., "Record Breaking Optimization Results Using the Ruin
and Recreate Principle", 2000.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import ByteArray, Int32Array
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tables.balance import Balance, accept, growth_of
from atleastk.solvers.tables.conditions import Condition, count_record, keeps
from atleastk.solvers.tables.cooling import Moves, heat_at
from atleastk.solvers.tables.local_search_state import (
    NONE,
    Homes,
    PatternIndex,
    Table,
    Workspace,
    enter,
    leave,
    link,
)
from atleastk.solvers.tables.ruin_and_recreate_moves import (
    LOSING_MORE,
    LOSING_SHARE,
    MOST_GROUPS,
    SPARING_SHARE,
    admits,
    commit,
    list_candidates,
    random_paying_row,
    random_target,
    recreate,
    ruin,
)


class State:
    """A pattern for every row, which moves change; perhaps only a share of the rows.

    With a `power` that norm of the stars of the columns is what moves lower.

    Attributes
    ----------
    pattern
        The pattern of every row, shared by all states of the same table.
    mine
        The rows of this share. All rows of a group are in the same share.
    """

    def __init__(
        self,
        index: PatternIndex,
        pattern: Int32Array,
        mine: Int32Array,
        power: float | None = None,
    ) -> None:
        listed, record, k = index.listed, index.table.record, index.table.k
        patterns, records, asked = listed.patterns, listed.records, listed.asked
        count, rows, distinct = patterns.count, len(record), records.distinct
        self.index = index
        self.pattern = pattern
        self.mine = mine
        owner = np.zeros(rows, dtype=np.uint8)
        owner[mine] = 1
        self._table = index.table
        self._homes = Homes(
            pattern,
            np.bincount(pattern[mine], minlength=count).astype(np.int32),
            np.full(count, NONE, dtype=np.int32),
            np.full(rows, NONE, dtype=np.int32),
            np.full(rows, NONE, dtype=np.int32),
            mine,
            owner,
        )
        self._balance = None
        if power is not None:
            used, times = np.unique(pattern, return_counts=True)
            hidden = 1 - (patterns.kept[used, None] >> np.arange(records.m) & 1)
            stars = times @ hidden
            self._balance = Balance(patterns.kept, stars, stars.copy(), power)
        self._condition = None
        room = (MOST_GROUPS + 4) * k + 8
        if asked is not None:
            own = pattern[mine], record[mine]
            self._condition = asked.counted(count, *own)
            room += MOST_GROUPS * k
        room = min(len(mine), room)
        self._work = Workspace(
            held=np.zeros(count, dtype=np.int32),
            key=np.zeros(count, dtype=np.float64),
            candidates=np.empty(count, dtype=np.int32),
            left=np.zeros(distinct, dtype=np.int32),
            chain=np.full(distinct, NONE, dtype=np.int32),
            refuge=np.full(distinct, NONE, dtype=np.int32),
            scanned=np.zeros(distinct, dtype=np.int64),
            next_free=np.full(rows, NONE, dtype=np.int32),
            is_free=np.zeros(rows, dtype=np.uint8),
            free=np.empty(room, dtype=np.int32),
            free_records=np.empty(room, dtype=np.int32),
            entry_record=np.empty(2 * room, dtype=np.int32),
            entry_copies=np.empty(2 * room, dtype=np.int32),
            entry_pattern=np.empty(2 * room, dtype=np.int32),
        )
        link(self._homes)

    @property
    def cost(self) -> int:
        """What the rows of this share pay."""
        worth = self.index.listed.records.worth[self._table.record[self.mine]]
        return int(self.index.listed.patterns.stars[self.pattern[self.mine]] @ worth)

    def settle(self) -> int:
        """Move rows to cheaper open patterns where k remain; return what that saves."""
        asked = self._condition, self._balance
        return int(_settle(self._table, self._homes, *asked))

    def anneal(
        self, moves: int, hot: float, cold: float, seed: int, flag: ByteArray
    ) -> int:
        """Make moves while it cools from `hot` to `cold`; return their number.

        It is smaller only if the flag is raised.
        """
        return int(
            _anneal(
                self._table,
                self._homes,
                self._work,
                self._condition,
                self._balance,
                Moves(moves, hot, cold, seed),
                flag,
            )
        )


@compiled
def _settle(
    table: Table, homes: Homes, condition: Condition | None, balance: Balance | None
) -> int:
    saved = 0
    for u in homes.mine:
        p = homes.pattern[u]
        if homes.size[p] <= table.k:
            continue
        t = table.record[u]
        if condition is not None and not keeps(t, p, homes.size[p], -1, condition):
            continue
        for i in range(table.record_starts[t], table.record_starts[t + 1]):
            q = table.listed[i]
            if table.stars[q] >= table.stars[p]:
                break
            # What is cheaper may have stars in fuller columns.
            if balance is not None and balance.kept[p] & ~balance.kept[q] != 0:
                continue
            if homes.size[q] >= table.k and admits(t, q, homes, condition):
                leave(u, p, homes)
                enter(u, q, homes)
                homes.pattern[u] = q
                homes.size[p] -= 1
                homes.size[q] += 1
                if condition is not None:
                    count_record(t, p, -1, condition)
                    count_record(t, q, 1, condition)
                saved += (table.stars[p] - table.stars[q]) * table.worth[t]
                break
    return saved


@compiled
def _anneal(
    table: Table,
    homes: Homes,
    work: Workspace,
    condition: Condition | None,
    balance: Balance | None,
    moves: Moves,
    flag: ByteArray,
) -> int:
    np.random.seed(moves.seed)
    heat = moves.hot
    if len(homes.mine) == 0:
        return moves.number
    for move in range(moves.number):
        if move & 255 == 0:
            if flag[0] != 0:
                return move
            heat = heat_at(move, moves)
        # Ruin, then recreate.
        row = random_paying_row(table, homes)
        if row < 0:
            continue
        q = random_target(row, table, homes)
        loss = table.cell if np.random.random() < LOSING_SHARE else 0
        if condition is not None:
            while loss > 0 and np.random.random() < LOSING_MORE:
                loss += table.cell
        freed, distinct, old = ruin(row, q, loss, table, homes, work, condition)
        listed, candidates = list_candidates(
            q, loss, distinct, table, homes, work, condition
        )
        most = len(homes.pattern)
        if balance is not None and np.random.random() < SPARING_SHARE:
            most = table.k
        entries, new = recreate(
            loss, most, distinct, candidates, table, homes, work, condition
        )
        # The new patterns, or the old ones again.
        growth: float = new - old
        if balance is not None:
            growth = table.cell * growth_of(freed, entries, homes, work, balance)
        if entries >= 0 and (
            growth <= 0 or np.random.random() < np.exp(-growth / heat)
        ):
            commit(entries, homes, work, condition)
            if balance is not None:
                accept(balance)
        else:
            for i in range(freed):
                u = work.free[i]
                work.is_free[u] = 0
                homes.size[homes.pattern[u]] += 1
                if condition is not None:
                    count_record(table.record[u], homes.pattern[u], 1, condition)
        # The workspace is cleared.
        for i in range(listed):
            work.held[work.candidates[i]] = 0
        for i in range(distinct):
            work.left[work.free_records[i]] = 0
    return moves.number
