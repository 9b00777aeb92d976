"""The parts of a move of the local search, compiled: ruin, listing, recreation.

What a move is: :mod:`atleastk.solvers.k_anonymity.ruin_and_recreate`.
"""

from __future__ import annotations

import numpy as np

from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.k_anonymity.greedy_cover import NONE
from atleastk.solvers.k_anonymity.local_search_state import (
    Desk,
    Homes,
    Table,
    enter,
    leave,
)

MOST_GROUPS = 8
"""A move frees up to about this many times k rows ..."""
_MOST_TRIES = 60
"""... and looks at no more than this many records that match its pattern."""
_NOISE = 1.0
_FORCED = 0.9
_SEED_TRIES = 20
LOSING = 0.25
"""The share of moves in which rows may come from cheaper groups and lose a star."""


@compiled
def paying(table: Table, homes: Homes) -> int:
    """Return a random row that pays; NONE if a few tries find no one."""
    for _ in range(_SEED_TRIES):
        u = homes.mine[int(np.random.random() * len(homes.mine))]
        if table.stars[homes.pattern[u]] > 0:
            return int(u)
    return NONE


@compiled
def aim(row: int, table: Table, homes: Homes) -> int:
    """Return a random pattern that the row matches and that asks no more of it."""
    t = table.record[row]
    most = table.stars[homes.pattern[row]]
    first = table.record_starts[t]
    low, high = first, table.record_starts[t + 1]
    while low < high:
        middle = (low + high) // 2
        if table.stars[table.listed[middle]] <= most:
            low = middle + 1
        else:
            high = middle
    return int(table.listed[first + int(np.random.random() * (low - first))])


@compiled
def ruin(
    row: int, q: int, loss: int, table: Table, homes: Homes, desk: Desk
) -> tuple[int, int, int]:
    """Free the row's group and others; return rows, distinct records, what they pay."""
    k = table.k
    whole = 2 * k + max(2, k // 2)
    goal = 1 + int(np.random.random() * k * MOST_GROUPS)
    span = table.starts[q + 1] - table.starts[q]
    place = int(np.random.random() * span)
    looks = min(_MOST_TRIES, span)
    # Calls with constants would be compiled apart: hence numbers that are none.
    freed, distinct, paid = int(np.int64(0)), int(np.int64(0)), 0
    u = row
    while True:
        p = homes.pattern[u]
        if homes.size[p] <= whole:
            member = homes.first[p]
            while member >= 0:
                if desk.is_free[member] == 0:
                    distinct = _free(member, freed, distinct, table, homes, desk)
                    freed += 1
                    paid += table.stars[p] * table.worth[table.record[member]]
                member = homes.after[member]
        elif homes.size[p] > k:
            distinct = _free(u, freed, distinct, table, homes, desk)
            freed += 1
            paid += table.stars[p] * table.worth[table.record[u]]
        if freed >= goal:
            break
        found = False
        while looks > 0 and not found:
            looks -= 1
            t = table.records[table.starts[q] + place]
            place = place + 1 if place + 1 < span else 0
            copies = table.rows[t + 1] - table.rows[t]
            u = table.rows[t] + int(np.random.random() * copies)
            if homes.owner[u] != 0 and desk.is_free[u] == 0:
                found = table.stars[homes.pattern[u]] >= table.stars[q] - loss
        if not found:
            break
    return freed, distinct, paid


@compiled
def _free(
    row: int, freed: int, distinct: int, table: Table, homes: Homes, desk: Desk
) -> int:
    """Free a row; return how many distinct records are free now."""
    desk.is_free[row] = 1
    desk.free[freed] = row
    homes.size[homes.pattern[row]] -= 1
    t = table.record[row]
    if desk.left[t] == 0:
        desk.free_records[distinct] = t
        desk.chain[t] = -1
        distinct += 1
    desk.left[t] += 1
    desk.next_free[row] = desk.chain[t]
    desk.chain[t] = row
    return distinct


@compiled
def list_candidates(
    q: int, loss: int, distinct: int, table: Table, homes: Homes, desk: Desk
) -> tuple[int, int]:
    """Find refuges; return how many closed patterns are listed, and the candidates."""
    listed = 0
    for i in range(distinct):
        t = desk.free_records[i]
        desk.refuge[t] = -1
        limit = table.stars[len(table.stars) - 1]
        place, end = table.record_starts[t], table.record_starts[t + 1]
        while place < end:
            p = table.listed[place]
            if table.stars[p] > limit:
                break
            if homes.size[p] >= table.k:
                if desk.refuge[t] < 0:
                    desk.refuge[t] = p
                    limit = table.stars[p] + loss
            else:
                if desk.held[p] == 0:
                    desk.candidates[listed] = p
                    listed += 1
                desk.held[p] += desk.left[t]
            place += 1
        desk.scanned[t] = place
    candidates = 0
    for i in range(listed):
        p = desk.candidates[i]
        if desk.held[p] >= table.k:
            desk.candidates[i] = desk.candidates[candidates]
            desk.candidates[candidates] = p
            candidates += 1
            desk.key[p] = table.stars[p] + _NOISE * np.random.random()
            if p == q and np.random.random() < _FORCED:
                desk.key[p] = -1.0
    return listed, candidates


@compiled
def recreate(
    loss: int, distinct: int, candidates: int, table: Table, desk: Desk
) -> tuple[int, int]:
    """Find new homes for the free rows; return the number of entries and the cost.

    The number of entries is NONE if some row has no home.
    """
    entries, cost = int(np.int64(0)), 0
    while True:
        best = -1
        i = 0
        while i < candidates:
            p = desk.candidates[i]
            if desk.held[p] < table.k:
                candidates -= 1
                desk.candidates[i] = desk.candidates[candidates]
                desk.candidates[candidates] = p
                continue
            if best < 0 or desk.key[p] < desk.key[desk.candidates[best]]:
                best = i
            i += 1
        if best < 0:
            break
        p = desk.candidates[best]
        candidates -= 1
        desk.candidates[best] = desk.candidates[candidates]
        desk.candidates[candidates] = p
        opened = _open(p, loss, entries, distinct, table, desk)
        for i in range(entries, opened):
            t = desk.entry_record[i]
            cost += desk.entry_copies[i] * table.stars[p] * table.worth[t]
        entries = opened
    for i in range(distinct):
        t = desk.free_records[i]
        if desk.left[t] > 0:
            refuge = desk.refuge[t]
            if refuge < 0:
                return -1, 0
            desk.entry_record[entries] = t
            desk.entry_copies[entries] = desk.left[t]
            desk.entry_pattern[entries] = refuge
            entries += 1
            cost += desk.left[t] * table.stars[refuge] * table.worth[t]
    return entries, cost


@compiled
def _open(
    p: int, loss: int, entries: int, distinct: int, table: Table, desk: Desk
) -> int:
    """Open a pattern if that saves; return the number of entries then."""
    worst = table.stars[len(table.stars) - 1] + 1
    taken, saved, end = 0, 0, entries
    for i in range(distinct):
        t = desk.free_records[i]
        if desk.left[t] == 0 or not _lists(t, p, table, desk):
            continue
        gain = worst if desk.refuge[t] < 0 else table.stars[desk.refuge[t]]
        gain -= table.stars[p]
        desk.entry_record[end] = t
        desk.entry_copies[end] = desk.left[t] if gain > 0 else 0
        desk.entry_pattern[end] = gain
        end += 1
        if gain > 0:
            taken += desk.left[t]
            saved += desk.left[t] * gain * table.worth[t]
    for lost in range(loss + 1):
        for i in range(entries, end):
            if taken < table.k and desk.entry_pattern[i] == -lost:
                t = desk.entry_record[i]
                filled = min(desk.left[t], table.k - taken)
                desk.entry_copies[i] = filled
                taken += filled
                saved -= filled * lost * table.worth[t]
    if saved <= 0 or taken < table.k:
        return entries
    for i in range(entries, end):
        copies = desk.entry_copies[i]
        if copies > 0:
            t = desk.entry_record[i]
            desk.left[t] -= copies
            for place in range(table.record_starts[t], desk.scanned[t]):
                q = table.listed[place]
                if desk.held[q] > 0:
                    desk.held[q] -= copies
            desk.entry_record[entries] = t
            desk.entry_copies[entries] = copies
            desk.entry_pattern[entries] = p
            entries += 1
    return entries


@compiled
def _lists(t: int, p: int, table: Table, desk: Desk) -> bool:
    """Tell whether a free record lists a pattern."""
    low, end = table.record_starts[t], desk.scanned[t]
    high = end
    while low < high:
        middle = (low + high) // 2
        if table.listed[middle] < p:
            low = middle + 1
        else:
            high = middle
    return bool(low < end and table.listed[low] == p)


@compiled
def commit(entries: int, homes: Homes, desk: Desk) -> None:
    """Bring the free rows to their new homes."""
    for i in range(entries):
        t, p = desk.entry_record[i], desk.entry_pattern[i]
        for _ in range(desk.entry_copies[i]):
            u = desk.chain[t]
            desk.chain[t] = desk.next_free[u]
            leave(u, homes.pattern[u], homes)
            enter(u, p, homes)
            homes.pattern[u] = p
            homes.size[p] += 1
            desk.is_free[u] = 0
