"""The parts of a move of ruin and recreate, compiled: ruin, candidates, recreation.

:mod:`atleastk.solvers.tables.ruin_and_recreate` says what a move is.
"""

from __future__ import annotations

import numpy as np

from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tables.local_search_state import (
    Homes,
    Table,
    Workspace,
    enter,
    leave,
)
from atleastk.solvers.tables.pattern_index import NONE

MOST_GROUPS = 8
"""A move frees up to about this many times k rows ..."""
_MOST_TRIES = 60
"""... and looks at no more than this many records that match its pattern."""
_NOISE = 1.0
"""Stars that are added at random to those of a candidate."""
_FORCED = 0.9
"""The share of moves in which the pattern of the move is opened first."""
_SEED_TRIES = 20
"""Random draws to find a row that pays."""
LOSING_SHARE = 0.25
"""The share of moves in which rows may come from cheaper groups and lose a star."""


@compiled
def random_paying_row(table: Table, homes: Homes) -> int:
    """Return a random row that pays; NONE if none is found in a few draws."""
    for _ in range(_SEED_TRIES):
        u = homes.mine[int(np.random.random() * len(homes.mine))]
        if table.stars[homes.pattern[u]] > 0:
            return int(u)
    return NONE


@compiled
def random_target(row: int, table: Table, homes: Homes) -> int:
    """Return a random pattern that the row matches, of no more stars than its own."""
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
    row: int, q: int, loss: int, table: Table, homes: Homes, work: Workspace
) -> tuple[int, int, int]:
    """Free the row's group and others; return rows, distinct records and their cost."""
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
        # The group of the row, or the row alone if the group is large.
        p = homes.pattern[u]
        if homes.size[p] <= whole:
            member = homes.first[p]
            while member >= 0:
                if work.is_free[member] == 0:
                    distinct = _free(member, freed, distinct, table, homes, work)
                    freed += 1
                    paid += table.stars[p] * table.worth[table.record[member]]
                member = homes.after[member]
        elif homes.size[p] > k:
            distinct = _free(u, freed, distinct, table, homes, work)
            freed += 1
            paid += table.stars[p] * table.worth[table.record[u]]
        if freed >= goal:
            break
        # Another row that matches q, and has no fewer stars than it.
        found = False
        while looks > 0 and not found:
            looks -= 1
            t = table.records[table.starts[q] + place]
            place = place + 1 if place + 1 < span else 0
            copies = table.rows[t + 1] - table.rows[t]
            u = table.rows[t] + int(np.random.random() * copies)
            if homes.owner[u] != 0 and work.is_free[u] == 0:
                found = table.stars[homes.pattern[u]] >= table.stars[q] - loss
        if not found:
            break
    return freed, distinct, paid


@compiled
def _free(
    row: int, freed: int, distinct: int, table: Table, homes: Homes, work: Workspace
) -> int:
    """Free a row; return how many distinct records are free now."""
    work.is_free[row] = 1
    work.free[freed] = row
    homes.size[homes.pattern[row]] -= 1
    t = table.record[row]
    if work.left[t] == 0:
        work.free_records[distinct] = t
        work.chain[t] = -1
        distinct += 1
    work.left[t] += 1
    work.next_free[row] = work.chain[t]
    work.chain[t] = row
    return distinct


@compiled
def list_candidates(
    q: int, loss: int, distinct: int, table: Table, homes: Homes, work: Workspace
) -> tuple[int, int]:
    """Find refuges; return the number of closed patterns listed, and of candidates."""
    listed = 0
    # Patterns of each free record by stars: up to its refuge, or `loss` more.
    for i in range(distinct):
        t = work.free_records[i]
        work.refuge[t] = -1
        limit = table.stars[len(table.stars) - 1]
        place, end = table.record_starts[t], table.record_starts[t + 1]
        while place < end:
            p = table.listed[place]
            if table.stars[p] > limit:
                break
            if homes.size[p] >= table.k:
                if work.refuge[t] < 0:
                    work.refuge[t] = p
                    limit = table.stars[p] + loss
            else:
                if work.held[p] == 0:
                    work.candidates[listed] = p
                    listed += 1
                work.held[p] += work.left[t]
            place += 1
        work.scanned[t] = place
    # Those of k free rows come first, with a random order to open them.
    candidates = 0
    for i in range(listed):
        p = work.candidates[i]
        if work.held[p] >= table.k:
            work.candidates[i] = work.candidates[candidates]
            work.candidates[candidates] = p
            candidates += 1
            work.key[p] = table.stars[p] + _NOISE * np.random.random()
            if p == q and np.random.random() < _FORCED:
                work.key[p] = -1.0
    return listed, candidates


@compiled
def recreate(
    loss: int, distinct: int, candidates: int, table: Table, work: Workspace
) -> tuple[int, int]:
    """Find new patterns for the free rows; return the number of entries and the cost.

    The number of entries is NONE if some row has no pattern.
    """
    entries, cost = int(np.int64(0)), 0
    while True:
        # The first candidate that still has k free rows; others are dropped.
        best = -1
        i = 0
        while i < candidates:
            p = work.candidates[i]
            if work.held[p] < table.k:
                candidates -= 1
                work.candidates[i] = work.candidates[candidates]
                work.candidates[candidates] = p
                continue
            if best < 0 or work.key[p] < work.key[work.candidates[best]]:
                best = i
            i += 1
        if best < 0:
            break
        p = work.candidates[best]
        candidates -= 1
        work.candidates[best] = work.candidates[candidates]
        work.candidates[candidates] = p
        # It takes its rows if that saves.
        opened = _open(p, loss, entries, distinct, table, work)
        for i in range(entries, opened):
            t = work.entry_record[i]
            cost += work.entry_copies[i] * table.stars[p] * table.worth[t]
        entries = opened
    # The rows left go to their refuges.
    for i in range(distinct):
        t = work.free_records[i]
        if work.left[t] > 0:
            refuge = work.refuge[t]
            if refuge < 0:
                return -1, 0
            work.entry_record[entries] = t
            work.entry_copies[entries] = work.left[t]
            work.entry_pattern[entries] = refuge
            entries += 1
            cost += work.left[t] * table.stars[refuge] * table.worth[t]
    return entries, cost


@compiled
def _open(
    p: int, loss: int, entries: int, distinct: int, table: Table, work: Workspace
) -> int:
    """Open a pattern if that saves; return the number of entries after it."""
    worst = table.stars[len(table.stars) - 1] + 1
    # All rows that save; the gain of the others is noted in their entries.
    taken, saved, end = 0, 0, entries
    for i in range(distinct):
        t = work.free_records[i]
        if work.left[t] == 0 or not _lists(t, p, table, work):
            continue
        gain = worst if work.refuge[t] < 0 else table.stars[work.refuge[t]]
        gain -= table.stars[p]
        work.entry_record[end] = t
        work.entry_copies[end] = work.left[t] if gain > 0 else 0
        work.entry_pattern[end] = gain
        end += 1
        if gain > 0:
            taken += work.left[t]
            saved += work.left[t] * gain * table.worth[t]
    # Up to k rows, those that lose least.
    for lost in range(loss + 1):
        for i in range(entries, end):
            if taken < table.k and work.entry_pattern[i] == -lost:
                t = work.entry_record[i]
                filled = min(work.left[t], table.k - taken)
                work.entry_copies[i] = filled
                taken += filled
                saved -= filled * lost * table.worth[t]
    if saved <= 0 or taken < table.k:
        return entries
    # The entries that count, and what other patterns then have left.
    for i in range(entries, end):
        copies = work.entry_copies[i]
        if copies > 0:
            t = work.entry_record[i]
            work.left[t] -= copies
            for place in range(table.record_starts[t], work.scanned[t]):
                q = table.listed[place]
                if work.held[q] > 0:
                    work.held[q] -= copies
            work.entry_record[entries] = t
            work.entry_copies[entries] = copies
            work.entry_pattern[entries] = p
            entries += 1
    return entries


@compiled
def _lists(t: int, p: int, table: Table, work: Workspace) -> bool:
    low, end = table.record_starts[t], work.scanned[t]
    high = end
    while low < high:
        middle = (low + high) // 2
        if table.listed[middle] < p:
            low = middle + 1
        else:
            high = middle
    return bool(low < end and table.listed[low] == p)


@compiled
def commit(entries: int, homes: Homes, work: Workspace) -> None:
    """Put the free rows into their new patterns."""
    for i in range(entries):
        t, p = work.entry_record[i], work.entry_pattern[i]
        for _ in range(work.entry_copies[i]):
            u = work.chain[t]
            work.chain[t] = work.next_free[u]
            leave(u, homes.pattern[u], homes)
            enter(u, p, homes)
            homes.pattern[u] = p
            homes.size[p] += 1
            work.is_free[u] = 0
