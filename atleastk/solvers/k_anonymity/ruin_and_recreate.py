"""Local search on the rows of a table: compiled ruin and recreate, with annealing.

The state gives every row a closed pattern that it matches; an *open* pattern has at
least k rows, a closed one has none. One move

1. picks a row that pays and a pattern q that it matches, and *frees* the row's group
   and the groups of other rows that match q and pay no less than q asks; of a group
   of many rows only the rows that match, as long as k remain;
2. lists the closed patterns that free rows match and that cost no more than the
   cheapest open pattern of the row, its *refuge*; those with k free rows are
   candidates. In some moves all of this allows for the loss of a star;
3. opens candidates in the order of their stars plus noise, q mostly first, if that
   saves against the refuges; takes all rows that save, and fills up with those that
   lose least; the other rows go to their refuges;
4. is accepted if the cost does not grow, or else with probability exp(-growth / heat).

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
from atleastk.solvers.k_anonymity.greedy_cover import NONE, Ground
from atleastk.solvers.k_anonymity.local_search_state import (
    Desk,
    Homes,
    Table,
    enter,
    leave,
    link,
)
from atleastk.solvers.k_anonymity.ruin_and_recreate_moves import (
    LOSING,
    MOST_GROUPS,
    aim,
    commit,
    list_candidates,
    paying,
    recreate,
    ruin,
)


class State:
    """A pattern for every row, that moves change; may be a share of the table only.

    Attributes
    ----------
    pattern
        The pattern of every row, shared by all states of the same table.
    mine
        The rows of this share. All rows of a group are in the same share.
    """

    def __init__(self, ground: Ground, pattern: Int32Array, mine: Int32Array) -> None:
        patterns = ground.patterns
        count, rows, distinct = patterns.count, len(ground.record), len(ground.rows) - 1
        self.ground = ground
        self.pattern = pattern
        self.mine = mine
        owner = np.zeros(rows, dtype=np.uint8)
        owner[mine] = 1
        self._table = Table(
            patterns.stars,
            patterns.starts,
            patterns.records,
            ground.starts,
            ground.listed,
            ground.rows,
            ground.record,
            ground.records.worth,
            ground.k,
        )
        self._homes = Homes(
            pattern,
            np.bincount(pattern[mine], minlength=count).astype(np.int32),
            np.full(count, NONE, dtype=np.int32),
            np.full(rows, NONE, dtype=np.int32),
            np.full(rows, NONE, dtype=np.int32),
            mine,
            owner,
        )
        room = min(len(mine), (MOST_GROUPS + 4) * ground.k + 8)
        self._desk = Desk(
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
        worth = self.ground.records.worth[self.ground.record[self.mine]]
        return int(self.ground.patterns.stars[self.pattern[self.mine]] @ worth)

    def settle(self) -> int:
        """Move rows to cheaper open patterns where k remain; return what that saves."""
        return int(_settle(self._table, self._homes))

    def anneal(
        self, moves: int, hot: float, cold: float, seed: int, flag: ByteArray
    ) -> int:
        """Make moves while it cools from `hot` to `cold`; return how many were made.

        Fewer are made only if the flag is raised.
        """
        return int(
            _anneal(self._table, self._homes, self._desk, moves, hot, cold, seed, flag)
        )


@compiled
def _settle(table: Table, homes: Homes) -> int:
    saved = 0
    for u in homes.mine:
        p = homes.pattern[u]
        if homes.size[p] <= table.k:
            continue
        t = table.record[u]
        for i in range(table.record_starts[t], table.record_starts[t + 1]):
            q = table.listed[i]
            if table.stars[q] >= table.stars[p]:
                break
            if homes.size[q] >= table.k:
                leave(u, p, homes)
                enter(u, q, homes)
                homes.pattern[u] = q
                homes.size[p] -= 1
                homes.size[q] += 1
                saved += (table.stars[p] - table.stars[q]) * table.worth[t]
                break
    return saved


@compiled
def _anneal(
    table: Table,
    homes: Homes,
    desk: Desk,
    moves: int,
    hot: float,
    cold: float,
    seed: int,
    flag: ByteArray,
) -> int:
    np.random.seed(seed)
    heat = hot
    if len(homes.mine) == 0:
        return moves
    for move in range(moves):
        if move & 255 == 0:
            if flag[0] != 0:
                return move
            heat = hot * (cold / hot) ** (move / moves)
        row = paying(table, homes)
        if row < 0:
            continue
        q = aim(row, table, homes)
        loss = 1 if np.random.random() < LOSING else 0
        freed, distinct, old = ruin(row, q, loss, table, homes, desk)
        listed, candidates = list_candidates(q, loss, distinct, table, homes, desk)
        entries, new = recreate(loss, distinct, candidates, table, desk)
        growth = new - old
        if entries >= 0 and (
            growth <= 0 or np.random.random() < np.exp(-growth / heat)
        ):
            commit(entries, homes, desk)
        else:
            for i in range(freed):
                u = desk.free[i]
                desk.is_free[u] = 0
                homes.size[homes.pattern[u]] += 1
        for i in range(listed):
            desk.held[desk.candidates[i]] = 0
        for i in range(distinct):
            desk.left[desk.free_records[i]] = 0
    return moves
