"""Pair partition: what the searches for groups read and write."""

from __future__ import annotations

from typing import NamedTuple

from atleastk.arrays import BoolArray, IntArray
from atleastk.solvers.compiled.compile import inlined


class Costs(NamedTuple):
    """What the search reads of an instance."""

    matrix: IntArray  # [item, item]
    adjacent: BoolArray  # [item, item]: all, unless groups have to be connected
    nearest: IntArray  # [item, others]: the sum of its cheapest pairs
    any_nearest: IntArray  # [item, others]: the least for that many others or more
    cheapest: IntArray  # [item]: its cheapest pair that connects, if it pays for one
    apart: BoolArray  # [item, item]
    amounts: IntArray  # [quantity, item]
    low: IntArray  # [quantity]
    high: IntArray  # [quantity]
    together: IntArray  # [item]: its class
    members: IntArray  # [class]: how many items it has
    squares: bool
    far: bool  # whether groups have to be connected
    relieved: bool  # whether some pair costs less than nothing
    least: int  # items of a group
    most: int


class Asked(NamedTuple):
    """Prices, and the reduced cost up to which groups are wanted."""

    scale: int
    weights: IntArray  # [item]
    group: int
    triples: IntArray  # [triple, 3]
    of_triples: IntArray  # [triple]
    spare: int
    only_better: bool  # than the best of the same first item


class Found(NamedTuple):
    """Groups one after the other."""

    ends: IntArray  # [group]
    items: IntArray  # [entry]
    reduced: IntArray  # [group]


@inlined
def keep(found: Found, count: int, stack: IntArray, held: int, reduced: int) -> int:
    """Add a group, the first items of a stack; return how many there are.

    -1 if there is no room for it.
    """
    begin = found.ends[count - 1] if count > 0 else 0
    if count == len(found.ends) or begin + held > len(found.items):
        return -1
    found.items[begin : begin + held] = stack[:held]
    found.ends[count], found.reduced[count] = begin + held, reduced
    return count + 1


@inlined
def reduced_of(
    costs: Costs,
    asked: Asked,
    inside: BoolArray,
    held: int,
    pairs: int,
    given: int,
) -> int:
    """Return the reduced cost of a set."""
    cost = pairs // held if costs.squares else pairs
    reduced = asked.scale * cost + asked.group - given
    for t in range(len(asked.of_triples)):
        shared = 0
        for p in range(3):
            shared += inside[asked.triples[t, p]]
        if shared >= 2:
            reduced += asked.of_triples[t]
    return reduced


@inlined
def is_admissible(costs: Costs, stack: IntArray, held: int, counted: IntArray) -> bool:
    """Return whether a set has the sums that are asked, and its classes whole."""
    for q in range(len(costs.low)):
        total = 0
        for p in range(held):
            total += costs.amounts[q, stack[p]]
        if total < costs.low[q] or total > costs.high[q]:
            return False
    for p in range(held):
        counted[costs.together[stack[p]]] = 0
    for p in range(held):
        counted[costs.together[stack[p]]] += 1
    for p in range(held):
        of = costs.together[stack[p]]
        if counted[of] != costs.members[of]:
            return False
    return True
