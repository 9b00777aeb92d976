"""Heuristics: a partition into m bins whose levels lie in a window.

Three local searches, each on the sum of what levels lack to the window:

- *annealing* moves and swaps single items; closes instances with small numbers;
- *splitting* divides the items of two bins anew, by meeting in the middle: with ten or
  more items a bin it hits any level to the unit, whatever the numbers' magnitude;
- *rearranging* partitions the items of several bins anew, by
  :mod:`~atleastk.solvers.bin_covering.completion`: for bins of two to six items.

None proves anything; all are deterministic for a seed unless time cuts them short.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.instances.bin_covering import BinCovering
from atleastk.models.status import Status
from atleastk.models.windows import Window
from atleastk.solvers.bin_covering.algorithms.longest_first import Placed, place
from atleastk.solvers.bin_covering.completion import MOST_ITEMS, Bins, complete_bins
from atleastk.solvers.bin_covering.evening import evened
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.compiled.rows import WORD
from atleastk.solvers.engine.race import together
from atleastk.solvers.search import Search

__all__ = [
    "MOST_ANNEALED",
    "MOST_A_BIN",
    "Filled",
    "fill_window",
    "rearrange",
    "settle",
]

MOST_ANNEALED = 3
"""Beyond this effort longer annealing gains less than rearranging."""
MOST_A_BIN = 18
"""Rearranging needs two bins whose items bin completion can take."""


_FREE = 26
"""So many items can be split by meeting in the middle in about a millisecond."""
_FIRST_REARRANGED = 36
_LEAST_REARRANGED = 20
_MOST_LOOKED_AT = 256
_NODES = 1_000
_SPACIOUS = 0.9
_SIDEWAYS = 0.5
_STEPS = 200_000


@dataclass(frozen=True, slots=True)
class Filled(Placed):
    """A partition into bins, as arrays.

    Attributes
    ----------
    lack
        What the levels lack to the window in total; 0 if all are in it.
    """

    lack: int


def fill_window(
    sizes: Sequence[int],
    bins: int,
    low: int,
    high: int,
    budget: Budget,
    *,
    steps: int,
    seed: int = 0,
    start: Bins | None = None,
) -> Filled | None:
    """Even out, anneal and split from a start; by default longest first.

    None if the numbers are too large for 64 bits, or there are more bins than items.
    """
    if bins > len(sizes) or sum(sizes) >= WORD:
        return None
    array = np.array(sizes, dtype=np.int64)
    placed = place(sizes, bins) if start is None else _placed(array, start)
    if steps > 0:
        placed = evened(array, placed, budget)
    items, homes, levels = placed.items, placed.homes, placed.levels
    array = array[items]
    spacious = steps > 0 and len(sizes) >= 5 * bins
    rounds = max(20, steps // 20_000)
    with budget.flagging() as flag:
        if spacious:
            _split(array, homes, levels, low, high, rounds + 2 * bins, seed, flag)
        lack = _anneal(array, homes, levels, low, high, steps, seed, flag)
        if lack > 0 and spacious:
            lack = _split(array, homes, levels, low, high, rounds, seed, flag)
    return Filled(items, homes, levels, int(lack))


def _placed(sizes: IntArray, bins: Bins) -> Placed:
    """Return bins as arrays, items in decreasing order."""
    homes = np.empty(len(sizes), dtype=np.int64)
    homes[np.concatenate(bins)] = np.repeat(np.arange(len(bins)), [*map(len, bins)])
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
    """Search bins of a window locally; offer what is found; tell if it is.

    None if local search cannot take the instance.
    """
    instance, bins = search.instance, window.parts
    low, high = window.least, window.most
    seed = search.budget.seed + effort
    steps = _STEPS * 4 ** min(effort, MOST_ANNEALED)
    found = fill_window(
        instance.sizes,
        bins,
        low,
        high,
        part,
        steps=steps,
        seed=seed,
        start=_known(search, bins),
    )
    if found is None:
        return None
    settled = found.lack == 0
    if not settled and instance.n <= MOST_A_BIN * bins:
        shift = part.slice(0.1 * 2**effort)
        held = rearrange(instance.sizes, found.bins(), low, high, shift, seed=seed)
        if held is not None:
            search.offer(held, "local search")
            return True
    if found.levels.min() >= instance.k:
        search.offer(found.bins(), "local search")
    return settled


def _known(search: Search[BinCovering], bins: int) -> Bins | None:
    """Return the best known solution if it has so many bins."""
    known = search.solution
    if known is None or len(known.groups) != bins:
        return None
    return [list(group) for group in known.groups]


def rearrange(
    sizes: Sequence[int],
    start: Bins,
    low: int,
    high: int,
    budget: Budget,
    *,
    seed: int = 0,
) -> Bins | None:
    """Partition several bins anew, until no level is outside [low, high].

    The workers of the budget try different bins, until one of them succeeds. None if
    none does in time.
    """
    if budget.workers == 1:
        return _rearrange(sizes, start, low, high, budget, seed)

    def attempt(own: int, race: Budget) -> Bins | None:
        found = _rearrange(sizes, start, low, high, replace(race, workers=1), own)
        if found is not None:
            race.stop.set()
        return found

    attempts = range(seed, seed + budget.workers)
    found = together([partial(attempt, own) for own in attempts], budget)
    return next(filter(None, found), None)


def _rearrange(
    sizes: Sequence[int], start: Bins, low: int, high: int, budget: Budget, seed: int
) -> Bins | None:
    """Partition some bins anew, with or without the one that lacks most, and again.

    Without it nothing is gained at once, but a new partition leaves what its levels
    can vary in fewer bins, where it is of more use.

    They hold as many items as bin completion can take: more after a quick refutation,
    fewer after a search cut short. Often the bins with most room are preferred: what
    the levels leave to the window is what makes a new partition likely.
    """
    chance = random.Random(seed)
    held = [list(group) for group in start]
    levels = [sum(sizes[i] for i in group) for group in held]
    most_items = _FIRST_REARRANGED

    def lack(b: int) -> int:
        return max(0, levels[b] - high, low - levels[b])

    while not budget.spent:
        worst = max(range(len(held)), key=lack)
        if lack(worst) == 0:
            return held
        chosen = [] if chance.random() < _SIDEWAYS else [worst]
        room = most_items - sum(len(held[b]) for b in chosen)
        others = chance.sample(range(len(held)), min(len(held), _MOST_LOOKED_AT))
        if chosen and chance.random() < _SPACIOUS:
            others = sorted(others[: len(others) // 2 + 1], key=levels.__getitem__)
            if levels[worst] < low:
                others.reverse()
        for b in others:
            if b != worst and len(held[b]) <= room:
                chosen.append(b)
                room -= len(held[b])
        total = sum(levels[b] for b in chosen)
        if len(chosen) < 2 or not len(chosen) * low <= total <= len(chosen) * high:
            if len(chosen) == len(held):
                return None
            continue
        items = [i for b in chosen for i in held[b]]
        answer = complete_bins(
            [sizes[i] for i in items],
            len(chosen),
            low,
            high,
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


@compiled
def _anneal(
    sizes: IntArray,
    homes: IntArray,
    levels: IntArray,
    low: int,
    high: int,
    steps: int,
    seed: int,
    flag: ByteArray,
) -> int:
    """Move and swap items; leave the best partition seen and return what it lacks."""
    n, bins = len(sizes), len(levels)
    lack = 0
    for b in range(bins):
        lack += max(0, levels[b] - high) + max(0, low - levels[b])
    if lack == 0 or bins == 1 or steps == 0:
        return lack
    np.random.seed(seed)
    best = lack
    kept = homes.copy()
    hot = max(1.0, 0.3 * sizes.sum() / n)
    cold = max(0.2, 1e-6 * hot)
    cooling = (cold / hot) ** (1.0 / max(1, steps // 256))
    heat = hot
    for step in range(steps):
        if (step & 255) == 0:
            heat *= cooling
            if flag[0] != 0:
                break
        i = np.random.randint(n)
        a = homes[i]
        j = -1
        shift = sizes[i]
        if np.random.randint(4) != 0:
            j = np.random.randint(n)
            b = homes[j]
            shift -= sizes[j]
        else:
            b = np.random.randint(bins)
        if a == b or shift == 0:
            continue
        before = max(0, levels[a] - high) + max(0, low - levels[a])
        before += max(0, levels[b] - high) + max(0, low - levels[b])
        less, more = levels[a] - shift, levels[b] + shift
        after = max(0, less - high) + max(0, low - less)
        after += max(0, more - high) + max(0, low - more)
        if after > before and np.random.random() >= np.exp((before - after) / heat):
            continue
        homes[i] = b
        if j >= 0:
            homes[j] = a
        levels[a] = less
        levels[b] = more
        lack += after - before
        if lack < best:
            best = lack
            kept[:] = homes
            if lack == 0:
                break
    homes[:] = kept
    levels[:] = 0
    for i in range(n):
        levels[homes[i]] += sizes[i]
    return best


@compiled
def _split(
    sizes: IntArray,
    homes: IntArray,
    levels: IntArray,
    low: int,
    high: int,
    rounds: int,
    seed: int,
    flag: ByteArray,
) -> int:
    """Split pairs of bins anew, the worst with a random one; return what is lacking.

    The worst bin gets the level nearest to the middle of the window, so that the rest
    of the total is left for the others to share.
    """
    n, bins = len(sizes), len(levels)
    np.random.seed(seed)
    total = levels.sum()
    free = np.empty(_FREE, np.int64)
    members = np.empty(n, np.int64)
    lack = 0
    for b in range(bins):
        lack += max(0, levels[b] - high) + max(0, low - levels[b])
    for _ in range(rounds):
        if lack == 0 or bins == 1 or flag[0] != 0:
            break
        a = 0
        furthest = -1
        for b in range(bins):
            distance = abs(bins * levels[b] - total)
            if distance > furthest:
                a, furthest = b, distance
        other = np.random.randint(bins - 1)
        if other >= a:
            other += 1
        count = 0
        for i in range(n):
            if homes[i] == a or homes[i] == other:
                members[count] = i
                count += 1
        chosen = min(count, _FREE)
        fixed = levels[a]
        for f in range(chosen):
            g = f + np.random.randint(count - f)
            members[f], members[g] = members[g], members[f]
            free[f] = sizes[members[f]]
            if homes[members[f]] == a:
                fixed -= free[f]
        goal = total // bins - fixed
        mask = _nearest_sum(free[:chosen], goal)
        level = fixed
        for f in range(chosen):
            if (mask >> f) & 1:
                level += free[f]
        pair = levels[a] + levels[other]
        before = max(abs(bins * levels[a] - total), abs(bins * levels[other] - total))
        after = abs(bins * level - total)
        if after >= before and bins > 2:
            continue
        lack -= max(0, levels[a] - high) + max(0, low - levels[a])
        lack -= max(0, levels[other] - high) + max(0, low - levels[other])
        for f in range(chosen):
            homes[members[f]] = a if (mask >> f) & 1 else other
        levels[a] = level
        levels[other] = pair - level
        lack += max(0, levels[a] - high) + max(0, low - levels[a])
        lack += max(0, levels[other] - high) + max(0, low - levels[other])
    return lack


@compiled
def _nearest_sum(values: IntArray, goal: int) -> int:
    """Return the subset, as bits, whose sum is nearest to a goal."""
    n = len(values)
    half = n // 2
    left = np.zeros(1 << half, np.int64)
    for bit in range(half):
        for mask in range(1 << bit):
            left[mask | (1 << bit)] = left[mask] + values[bit]
    right = np.zeros(1 << (n - half), np.int64)
    for bit in range(n - half):
        for mask in range(1 << bit):
            right[mask | (1 << bit)] = right[mask] + values[half + bit]
    rising = np.argsort(left)
    falling = np.argsort(right)[::-1]
    best = 0
    nearest = abs(goal)
    b = 0
    for a in range(len(rising)):
        while True:
            miss = left[rising[a]] + right[falling[b]] - goal
            if abs(miss) < nearest:
                nearest = abs(miss)
                best = rising[a] | (falling[b] << half)
            if miss <= 0 or b + 1 == len(falling):
                break
            b += 1
        if nearest == 0:
            break
    return best
