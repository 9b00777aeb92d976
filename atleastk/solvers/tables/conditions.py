"""Conditions on the values of a group, counted while compiled loops build groups.

A group needs `different` values of every sensitive column, none of them in more than
one of `share` rows, and its values may not be too far from those of the table. What is
*lacking* is how many rows more a group needs for that, at least.

The values of the rows that a move frees are numbered anew, so that counts of new groups
are short.
"""

from __future__ import annotations

from typing import NamedTuple

from atleastk.arrays import Int32Array, IntArray
from atleastk.solvers.compiled.compile import compiled


class Condition(NamedTuple):
    """The sensitive values of the rows, the condition, and counts for one move.

    Attributes
    ----------
    of_row, totals
        Values by row and sensitive column; how many rows of the table have each.
    n
        The rows of the table.
    different, share
        The least number of different values, and l if no value may have more than 1/l.
    reach
        By the rows of a group, how far its values may be from those of the table; -1 if
        it is too wide.
    close
        Whether there is a condition on closeness.
    number
        The new number of a value, -1 if no free row has it.
    own, total, there
        The new numbers by slot; their totals; how many there are in each column.
    held
        How many rows of a new group have a value.
    """

    of_row: Int32Array  # [row, sensitive column]
    totals: IntArray  # [sensitive column, value]
    n: int
    different: int
    share: int
    reach: IntArray  # [size]
    close: bool
    number: Int32Array  # [sensitive column, value]
    own: Int32Array  # [sensitive column, slot]
    total: IntArray  # [sensitive column, number]
    there: IntArray  # [sensitive column]
    held: IntArray  # [new group, sensitive column, number]


@compiled
def number_values(free: int, row: IntArray, asked: Condition) -> None:
    """Give the values of the free rows new numbers."""
    for s in range(len(asked.there)):
        asked.there[s] = 0
        for i in range(free):
            value = asked.of_row[row[i], s]
            if asked.number[s, value] < 0:
                asked.number[s, value] = asked.there[s]
                asked.total[s, asked.there[s]] = asked.totals[s, value]
                asked.there[s] += 1


@compiled
def clear_numbers(free: int, row: IntArray, asked: Condition) -> None:
    """Forget the numbers after a move."""
    for s in range(len(asked.there)):
        for i in range(free):
            asked.number[s, asked.of_row[row[i], s]] = -1


@compiled
def fill_slot(i: int, row: int, asked: Condition) -> None:
    """Give a slot the values of a free row."""
    for s in range(len(asked.there)):
        asked.own[s, i] = asked.number[s, asked.of_row[row, s]]


@compiled
def clear_counts(g: int, asked: Condition) -> None:
    """Begin a new group."""
    for s in range(len(asked.there)):
        for v in range(asked.there[s]):
            asked.held[g, s, v] = 0


@compiled
def count_row(i: int, g: int, sign: int, asked: Condition) -> None:
    """Add the row of a slot to the counts of a new group, or take it away."""
    for s in range(len(asked.there)):
        asked.held[g, s, asked.own[s, i]] += sign


@compiled
def lacking(g: int, size: int, asked: Condition) -> int:
    """Return how many rows a group lacks, at least, to satisfy the condition."""
    lack = 0
    for s in range(len(asked.there)):
        different, most, apart = 0, 0, 0
        for v in range(asked.there[s]):
            held = asked.held[g, s, v]
            if held > 0:
                different += 1
                most = max(most, held)
                apart += max(0, asked.n * held - asked.total[s, v] * size)
        lack = max(lack, asked.different - different, asked.share * most - size)
        if apart > asked.reach[size]:
            lack = max(lack, 1)
    return lack


@compiled
def cheapest_helpful(
    live: int, g: int, size: int, added: Int32Array, asked: Condition
) -> int:
    """Return the cheapest slot whose row reduces what is lacking; -1 if none does."""
    chosen = -1
    for i in range(live):
        if chosen >= 0 and added[i] >= added[chosen]:
            continue
        for s in range(len(asked.there)):
            v = asked.own[s, i]
            held = asked.held[g, s, v]
            rare = asked.close and asked.n * held < asked.total[s, v] * size
            missing = held == 0 and asked.different > 1
            even = asked.share > 1 and asked.share * held < size
            if missing or rare or even:
                chosen = i
    return chosen


@compiled
def admits(i: int, g: int, size: int, asked: Condition | None) -> bool:
    """Tell whether a group satisfies the condition with the row of a slot, too."""
    if asked is None:
        return True
    count_row(i, g, 1, asked)
    lack = lacking(g, size + 1, asked)
    count_row(i, g, -1, asked)
    return bool(lack == 0)
