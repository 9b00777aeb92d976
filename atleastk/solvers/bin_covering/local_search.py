"""Local search for a partition into m bins whose levels lie in a window.

Two local searches, each on the sum of what levels lack to the window, after bins were
evened (:mod:`~atleastk.solvers.bin_covering.evening`):

- *splitting* divides the items of two bins anew, by meeting in the middle: with ten or
  more items per bin it hits any level exactly, whatever the numbers' magnitude;
- *large neighbourhood search* ("rearranging") partitions the items of several bins anew
  by :mod:`~atleastk.solvers.bin_covering.bin_completion`: for bins of two to six items.

None proves anything; all are deterministic for a seed unless time cuts them short.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.instances.bin_covering import BinCovering
from atleastk.models.results.solution import labels_of
from atleastk.models.results.status import Status
from atleastk.models.windows import Window
from atleastk.solvers.bin_covering.algorithms.longest_first import Placed, place
from atleastk.solvers.bin_covering.bin_completion import MOST_ITEMS, Bins, complete_bins
from atleastk.solvers.bin_covering.evening import evened
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.rows import WORD
from atleastk.solvers.compiled.subsets import subset_sums
from atleastk.solvers.engine.race import together
from atleastk.solvers.search import Search

MOST_SPLIT = 3
"""Beyond this effort more splitting gains less than rearranging."""
MOST_A_BIN = 18
"""Items per bin: rearranging needs two bins whose items bin completion can take."""

_FREE = 26
"""Items that meeting in the middle splits in about a millisecond."""
_SPACIOUS_ITEMS = 5
"""Split bins only if there are at least this many items per bin: not tuned."""

_FIRST_REARRANGED = 36
"""Items that are rearranged at first, not tuned: their number adapts itself."""
_LEAST_REARRANGED = 20
"""Their number falls to this at the least: not tuned."""
_NODES = 1_000
"""Nodes of bin completion in a round, about a millisecond."""
_SPACIOUS = 0.9
"""The share of rounds in which bins with room are preferred: not tuned."""
_SIDEWAYS = 0.5
"""The share of rounds without the bin that lacks most: not tuned."""


@dataclass(frozen=True, slots=True)
class Filled(Placed):
    """A partition into bins, as arrays."""

    lack: int  # of the levels to the window in total; 0 if all are in it


def fill_window(
    sizes: Sequence[int],
    window: Window,
    budget: Budget,
    *,
    rounds: int,
    seed: int = 0,
    start: Bins | None = None,
) -> Filled | None:
    """Even out and split from a start, by default longest first; not for 0 rounds.

    None if the numbers are too large for 64 bits, or there are more bins than items.
    """
    bins = window.parts
    if bins > len(sizes) or sum(sizes) >= WORD:
        return None
    array = np.array(sizes, dtype=np.int64)
    placed = place(sizes, bins) if start is None else _placed(array, start)
    if rounds > 0:
        placed = evened(array, placed, budget)
    items, homes, levels = placed.items, placed.homes, placed.levels
    held = _Bins(array[items], homes, levels, window.least, window.most)
    spacious = rounds > 0 and len(sizes) >= _SPACIOUS_ITEMS * bins
    with budget.flagging() as flag:
        lack = _split(held, (rounds + 4 * bins) if spacious else 0, seed, flag)
    return Filled(items, homes, levels, int(lack))


def _placed(sizes: IntArray, bins: Bins) -> Placed:
    """Return bins as arrays, items in decreasing order."""
    homes = labels_of(bins, len(sizes))
    levels = np.zeros(len(bins), dtype=np.int64)
    np.add.at(levels, homes, sizes)
    items = np.argsort(-sizes, kind="stable")
    return Placed(items, homes[items], levels)


def settle(
    search: Search[BinCovering],
    window: Window,
    effort: int,
    part: Budget,
) -> bool | None:
    """Search locally for bins in a window, and offer them; return whether all are.

    None if local search cannot take the instance.
    """
    instance, bins = search.instance, window.parts
    seed = search.budget.seed + effort
    rounds = 40 * 4 ** min(effort, MOST_SPLIT)  # splits, besides some for each bin
    found = fill_window(
        instance.sizes,
        window,
        part,
        rounds=rounds,
        seed=seed,
        start=best_with(search, bins),
    )
    if found is None:
        return None
    settled = found.lack == 0
    if not settled and instance.n <= MOST_A_BIN * bins:
        shift = part.slice(0.1 * 2**effort)
        start = found.bins().lists()
        held = rearrange(instance.sizes, start, window, shift, seed=seed)
        if held is not None:
            search.offer(held, "local search")
            return True
    if found.levels.min() >= instance.k:
        search.offer(found.bins(), "local search")
    return settled


def best_with(search: Search[BinCovering], bins: int) -> Bins | None:
    """Return the best known solution if it has this many bins."""
    best = search.solution
    if best is None or len(best.groups) != bins:
        return None
    return [list(group) for group in best.groups]


def rearrange(
    sizes: Sequence[int],
    start: Bins,
    window: Window,
    budget: Budget,
    *,
    seed: int = 0,
) -> Bins | None:
    """Partition several bins anew, until no level is outside the window.

    The workers of the budget try different bins, until one of them succeeds. None if
    none does in time.
    """
    if budget.workers == 1:
        return _rearrange(sizes, start, window, budget, seed)

    def attempt(own: int, race: Budget) -> Bins | None:
        found = _rearrange(sizes, start, window, replace(race, workers=1), own)
        if found is not None:
            race.stop.set()
        return found

    attempts = range(seed, seed + budget.workers)
    found = together([partial(attempt, own) for own in attempts], budget)
    return next(filter(None, found), None)


def _rearrange(
    sizes: Sequence[int], start: Bins, window: Window, budget: Budget, seed: int
) -> Bins | None:
    """Partition some bins anew, with or without the one that lacks most, repeatedly.

    Without it nothing is gained at once, but the slack of the chosen bins ends up in
    fewer of them, where it is of more use.

    They hold as many items as bin completion can take: more after a quick refutation,
    fewer after a search cut short.
    """
    chance = random.Random(seed)
    held = [list(group) for group in start]
    levels = [sum(sizes[i] for i in group) for group in held]
    most_items = _FIRST_REARRANGED

    def lack(b: int) -> int:
        return max(0, levels[b] - window.most, window.least - levels[b])

    while not budget.spent:
        worst = max(range(len(held)), key=lack)
        if lack(worst) == 0:
            return held
        chosen = _chosen(held, levels, worst, window.least, most_items, chance)
        own, total = replace(window, parts=len(chosen)), sum(levels[b] for b in chosen)
        if len(chosen) < 2 or not own.admits(total):
            if len(chosen) == len(held):
                return None
            continue
        items = [i for b in chosen for i in held[b]]
        answer = complete_bins(
            [sizes[i] for i in items],
            own,
            budget,
            most_nodes=_NODES,
            most_patterns=200_000,
        )
        if answer.found is not None:
            for b, group in zip(chosen, answer.found, strict=True):
                held[b] = [items[i] for i in group]
                levels[b] = sum(sizes[i] for i in held[b])
        elif answer.status is Status.UNKNOWN:
            most_items = max(_LEAST_REARRANGED, most_items - 4)
        elif len(chosen) == len(held):
            return None
        elif answer.nodes < _NODES // 10:
            most_items = min(MOST_ITEMS, most_items + 1)
    return None


def _chosen(
    held: Bins,
    levels: Sequence[int],
    worst: int,
    low: int,
    most_items: int,
    chance: random.Random,
) -> list[int]:
    """Return random bins that hold `most_items` in all, often with the worst one.

    With it, bins with the most room to the ends of the window are often preferred: the
    room makes a new partition likely.
    """
    chosen = [] if chance.random() < _SIDEWAYS else [worst]
    room = most_items - sum(len(held[b]) for b in chosen)
    # Bins to choose from, in this round.
    others = chance.sample(range(len(held)), min(len(held), 256))
    if chosen and chance.random() < _SPACIOUS:
        others = sorted(others[: len(others) // 2 + 1], key=levels.__getitem__)
        if levels[worst] < low:
            others.reverse()
    for b in others:
        if b != worst and len(held[b]) <= room:
            chosen.append(b)
            room -= len(held[b])
    return chosen


class _Bins(NamedTuple):
    """Items in bins, and the window of their levels."""

    sizes: IntArray  # [item]
    homes: IntArray  # [item], the bin that it is in
    levels: IntArray  # [bin]
    low: int  # of the window
    high: int


@inlined
def _outside(bins: _Bins, level: int, other: int) -> int:
    """Return how far two levels are outside the window, in total."""
    lack = max(0, level - bins.high) + max(0, bins.low - level)
    return lack + max(0, other - bins.high) + max(0, bins.low - other)


@inlined
def _lack(bins: _Bins) -> int:
    """Return how far all levels are outside the window, in total."""
    lack = 0
    for level in bins.levels:
        lack += max(0, level - bins.high) + max(0, bins.low - level)
    return lack


@compiled
def _split(bins: _Bins, rounds: int, seed: int, flag: ByteArray) -> int:
    """Split the worst bin and a random one anew, repeatedly; return the lack.

    The worst bin gets the level nearest to the middle of the window, so that the rest
    of the total is left for the others to share. A round takes O(n + bins) and
    O(2^(_FREE / 2)).
    """
    sizes, homes, levels = bins.sizes, bins.homes, bins.levels
    m, lack, total = len(levels), _lack(bins), 0
    np.random.seed(seed)
    for level in levels:
        total += level
    members, free = np.empty(len(homes), np.int64), np.empty(_FREE, np.int64)
    for _ in range(rounds):
        if lack == 0 or m == 1 or flag[0] != 0:
            break
        # The bin whose level is furthest from the mean, and another one.
        a = 0
        for b in range(1, m):
            if abs(m * levels[b] - total) > abs(m * levels[a] - total):
                a = b
        b = np.random.randint(m - 1)
        if b >= a:
            b += 1
        # Of their items those drawn are free; the first bin keeps its others.
        chosen, level = _draw(bins, a, b, members), levels[a]
        for f in range(chosen):
            free[f] = sizes[members[f]]
            if homes[members[f]] == a:
                level -= free[f]
        # It takes those free items that bring it nearest to the mean.
        mask = _nearest_sum(free[:chosen], total // m - level)
        for f in range(chosen):
            if (mask >> f) & 1:
                level += free[f]
        before = max(abs(m * levels[a] - total), abs(m * levels[b] - total))
        if abs(m * level - total) >= before and m > 2:
            continue
        for f in range(chosen):
            homes[members[f]] = a if (mask >> f) & 1 else b
        lack -= _outside(bins, levels[a], levels[b])
        levels[a], levels[b] = level, levels[a] + levels[b] - level
        lack += _outside(bins, levels[a], levels[b])
    return lack


@compiled
def _draw(bins: _Bins, a: int, b: int, members: IntArray) -> int:
    """List the items of two bins, random ones first; return how many: _FREE at most."""
    count = 0
    for i in range(len(bins.homes)):
        if bins.homes[i] == a or bins.homes[i] == b:
            members[count] = i
            count += 1
    drawn = min(count, _FREE)
    for f in range(drawn):
        g = f + np.random.randint(count - f)
        members[f], members[g] = members[g], members[f]
    return drawn


@compiled
def _nearest_sum(values: IntArray, goal: int) -> int:
    """Return the subset, as bits, whose sum is nearest to a goal.

    Of the sums of two halves, one in rising and one in falling order, two pointers meet
    the nearest pair: O(2^(n/2)).
    """
    half = len(values) // 2
    left, ones = subset_sums(values[:half])
    right, twos = subset_sums(values[half:])
    best, nearest = 0, abs(goal)
    b = len(right) - 1
    for a in range(len(left)):
        while True:
            miss = left[a] + right[b] - goal
            if abs(miss) < nearest:
                nearest = abs(miss)
                best = ones[a] | (twos[b] << half)
            if miss <= 0 or b == 0:
                break
            b -= 1
        if nearest == 0:
            break
    return best
