"""The parts of a move of ruin and recreate, compiled: ruin, candidates, recreation.

:mod:`atleastk.solvers.tables.ruin_and_recreate` says what a move is.
"""

from __future__ import annotations

import numpy as np

from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.sorting import number
from atleastk.solvers.tables.conditions import (
    Condition,
    clear_counts,
    count_record,
    excess,
    helps,
    keeps,
    lacking,
)
from atleastk.solvers.tables.local_search_state import (
    NONE,
    Homes,
    Table,
    Workspace,
    enter,
    leave,
)

MOST_GROUPS = 8
"""A move frees up to about this many times k rows ..."""
_MOST_TRIES = 60
"""... and looks at no more than this many records that match its pattern."""
_FORCED = 0.9
"""The share of moves in which the pattern of the move is opened first."""
TRIES = 20
"""Random draws to find a row that pays."""
LOSING_SHARE = 0.25
"""The share of moves in which rows may come from cheaper groups and lose a cell."""
LOSING_MORE = 0.5
"""Of those the share in which they may lose one more, and so on, if rows have to keep a
condition."""
SPARING_SHARE = 0.1
"""The share of moves in which patterns take no more than k rows, where columns are
balanced: rows that have no others like them find company."""
_MOST_TRIES_FOR_VALUES = 300
_WHOLE = 4
"""The same looks, and the most rows of a group that is freed as a whole, as a multiple
of k, where rows have to keep a condition."""


@compiled
def random_paying_row(table: Table, homes: Homes) -> int:
    """Return a random row that pays; NONE if none is found in a few draws."""
    for _ in range(TRIES):
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
    row: int,
    q: int,
    loss: int,
    table: Table,
    homes: Homes,
    work: Workspace,
    condition: Condition | None,
) -> tuple[int, int, int]:
    """Free the row's group and others; return rows, distinct records and their cost."""
    k = table.k
    goal = 1 + int(np.random.random() * k * MOST_GROUPS)
    span = table.starts[q + 1] - table.starts[q]
    place = int(np.random.random() * span)
    looks = min(_MOST_TRIES, span)
    spare = len(table.stars)
    if condition is not None:
        looks = min(_MOST_TRIES_FOR_VALUES, span)
        clear_counts(spare, condition)
    # Calls with constants would be compiled apart: hence numbers that are none.
    freed, distinct, paid = int(np.int64(0)), int(np.int64(0)), int(np.int64(0))
    matching, missing = int(np.int64(0)), False
    u = row
    while True:
        before = freed
        freed, distinct, paid = _free_at(
            u, freed, distinct, paid, table, homes, work, condition
        )
        # If rows have to keep a condition, those that help come last.
        if condition is not None and freed > before:
            count_record(table.record[u], spare, 1, condition)
            matching += 1
        if freed >= goal:
            missing = condition is not None and lacking(spare, matching, condition) > 0
            if not missing or freed >= goal + k * MOST_GROUPS:
                break
        # Another row that matches q, and has no fewer stars than it.
        found = False
        while looks > 0 and not found:
            looks -= 1
            t = table.records[table.starts[q] + place]
            place = place + 1 if place + 1 < span else 0
            if (
                condition is not None
                and missing
                and not helps(t, spare, matching, condition)
            ):
                continue
            copies = table.rows[t + 1] - table.rows[t]
            u = table.rows[t] + int(np.random.random() * copies)
            if homes.owner[u] != 0 and work.is_free[u] == 0:
                found = table.stars[homes.pattern[u]] >= table.stars[q] - loss
        if not found:
            break
    return freed, distinct, paid


@compiled
def _free_at(
    u: int,
    freed: int,
    distinct: int,
    paid: int,
    table: Table,
    homes: Homes,
    work: Workspace,
    condition: Condition | None,
) -> tuple[int, int, int]:
    """Free the group of a row, or the row alone if the group is large."""
    k, p = table.k, homes.pattern[u]
    whole = 2 * k + max(2, k // 2)
    if condition is not None:
        whole = _WHOLE * k
    if homes.size[p] <= whole:
        member = homes.first[p]
        while member >= 0:
            if work.is_free[member] == 0:
                distinct = _free(member, freed, distinct, table, homes, work, condition)
                freed += 1
                paid += table.stars[p] * table.worth[table.record[member]]
            member = homes.after[member]
    elif homes.size[p] > k:
        t = table.record[u]
        if condition is None or keeps(t, p, homes.size[p], -1, condition):
            distinct = _free(u, freed, distinct, table, homes, work, condition)
            freed += 1
            paid += table.stars[p] * table.worth[t]
    return freed, distinct, paid


@compiled
def _free(
    row: int,
    freed: int,
    distinct: int,
    table: Table,
    homes: Homes,
    work: Workspace,
    condition: Condition | None,
) -> int:
    """Free a row; return how many distinct records are free now."""
    work.is_free[row] = 1
    work.free[freed] = row
    p, t = homes.pattern[row], table.record[row]
    homes.size[p] -= 1
    if condition is not None:
        count_record(t, p, -1, condition)
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
    q: int,
    loss: int,
    distinct: int,
    table: Table,
    homes: Homes,
    work: Workspace,
    condition: Condition | None,
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
                if work.refuge[t] < 0 and admits(t, p, homes, condition):
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
            work.key[p] = table.stars[p] + table.cell * np.random.random()
            if p == q and np.random.random() < _FORCED:
                work.key[p] = -1.0
    return listed, candidates


@inlined
def admits(t: int, p: int, homes: Homes, condition: Condition | None) -> bool:
    """Tell whether a row of a record may join an open pattern."""
    if condition is None:
        return True
    return bool(keeps(t, p, homes.size[p], 1, condition))


@compiled
def recreate(
    loss: int,
    most: int,
    distinct: int,
    candidates: int,
    table: Table,
    homes: Homes,
    work: Workspace,
    condition: Condition | None,
) -> tuple[int, int]:
    """Find new patterns for the free rows; return the number of entries and the cost.

    The number of entries is NONE if some row has no pattern.
    """
    entries, cost = int(np.int64(0)), int(np.int64(0))
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
        opened = _open(p, loss, most, entries, distinct, table, work, condition)
        for i in range(entries, opened):
            t = work.entry_record[i]
            cost += work.entry_copies[i] * table.stars[p] * table.worth[t]
        entries = opened
    # The rows left go to their refuges.
    for i in range(distinct):
        if (
            work.left[work.free_records[i]] > 0
            and work.refuge[work.free_records[i]] < 0
        ):
            return -1, 0
    if condition is not None and (condition.share > 1 or condition.close):
        return _take_refuge(entries, cost, distinct, table, homes, work, condition)
    for i in range(distinct):
        t = work.free_records[i]
        if work.left[t] > 0:
            refuge = work.refuge[t]
            work.entry_record[entries] = t
            work.entry_copies[entries] = work.left[t]
            work.entry_pattern[entries] = refuge
            entries += 1
            cost += work.left[t] * table.stars[refuge] * table.worth[t]
    return entries, cost


@compiled
def _take_refuge(
    entries: int,
    cost: int,
    distinct: int,
    table: Table,
    homes: Homes,
    work: Workspace,
    condition: Condition,
) -> tuple[int, int]:
    """Put the rows left into open patterns that keep the condition with all of them."""
    first, end, complete = entries, entries, True
    for i in range(distinct):
        t = work.free_records[i]
        place = table.record_starts[t]
        for _ in range(work.left[t]):
            # The cheapest pattern that admits one more row; later ones go no cheaper.
            while place < table.record_starts[t + 1]:
                p = table.listed[place]
                if homes.size[p] >= table.k and admits(t, p, homes, condition):
                    break
                place += 1
            if place == table.record_starts[t + 1]:
                complete = False
                break
            homes.size[p] += 1
            count_record(t, p, 1, condition)
            work.entry_record[end] = t
            work.entry_copies[end] = 1
            work.entry_pattern[end] = p
            end += 1
            cost += table.stars[p] * table.worth[t]
    # They only move there if the move is accepted.
    for i in range(first, end):
        homes.size[work.entry_pattern[i]] -= 1
        count_record(work.entry_record[i], work.entry_pattern[i], -1, condition)
    return end if complete else -1, cost


@compiled
def _open(
    p: int,
    loss: int,
    most: int,
    entries: int,
    distinct: int,
    table: Table,
    work: Workspace,
    condition: Condition | None,
) -> int:
    """Open a pattern if that saves; return the number of entries after it.

    It takes the rows that save, at `most` so many, or fills up to k.
    """
    worst = table.stars[len(table.stars) - 1] + table.cell
    # All rows that save; the gain of the others is noted in their entries.
    taken, saved, end = int(np.int64(0)), int(np.int64(0)), entries
    for i in range(distinct):
        t = work.free_records[i]
        if work.left[t] == 0 or not _lists(t, p, table, work):
            continue
        gain = worst if work.refuge[t] < 0 else table.stars[work.refuge[t]]
        gain -= table.stars[p]
        work.entry_record[end] = t
        copies = min(work.left[t], most - taken) if gain > 0 else 0
        work.entry_copies[end] = copies
        work.entry_pattern[end] = gain
        end += 1
        taken += copies
        saved += copies * gain * table.worth[t]
    if condition is not None:
        taken, saved = _complete(entries, end, taken, saved, table, work, condition)
    else:
        # Up to k rows, those that lose least.
        lost = number(0)
        while taken < table.k and lost <= loss:
            further = loss + 1
            for i in range(entries, end):
                loses = -work.entry_pattern[i]
                if taken < table.k and loses == lost:
                    t = work.entry_record[i]
                    filled = min(work.left[t], table.k - taken)
                    work.entry_copies[i] = filled
                    taken += filled
                    saved -= filled * lost * table.worth[t]
                elif loses > lost:
                    further = min(further, loses)
            lost = further
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
def _complete(
    first: int,
    end: int,
    taken: int,
    saved: int,
    table: Table,
    work: Workspace,
    condition: Condition,
) -> tuple[int, int]:
    """Add rows to those that save, or leave some out, until they keep the condition.

    Returns the rows, and what they save: 0 if that fails.
    """
    new = len(table.stars)
    clear_counts(new, condition)
    for i in range(first, end):
        if work.entry_copies[i] > 0:
            count_record(work.entry_record[i], new, work.entry_copies[i], condition)
    dropping = False
    while True:
        lack = lacking(new, taken, condition)
        if lack == 0 and taken >= table.k:
            return taken, saved
        # The row that loses least; it helps if the group would exceed k otherwise.
        chosen, sign = -1, 1
        must = lack > 0 and taken + lack >= table.k
        if not dropping:
            for i in range(first, end):
                t, gain = work.entry_record[i], work.entry_pattern[i]
                if work.entry_copies[i] == work.left[t]:
                    continue
                if chosen >= 0 and gain <= work.entry_pattern[chosen]:
                    continue
                if not must or helps(t, new, taken, condition):
                    chosen = i
        # If there is none, rows of the most frequent values are left out.
        if chosen < 0 and lack > 0 and (condition.share > 1 or condition.close):
            dropping, sign, worst = True, -1, int(np.int64(0))
            for i in range(first, end):
                if work.entry_copies[i] > 0:
                    beyond = excess(work.entry_record[i], new, taken, condition)
                    if beyond > worst:
                        chosen, worst = i, beyond
        if chosen < 0 or (dropping and taken <= table.k):
            return 0, 0
        t = work.entry_record[chosen]
        work.entry_copies[chosen] += sign
        count_record(t, new, sign, condition)
        taken += sign
        saved += sign * work.entry_pattern[chosen] * table.worth[t]


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
def commit(
    entries: int, homes: Homes, work: Workspace, condition: Condition | None
) -> None:
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
            if condition is not None:
                count_record(t, p, 1, condition)
            work.is_free[u] = 0
