"""Bin completion: an exact search for a partition into bins of given levels.

Definition
----------
Given at most 64 sizes with total S, a number of bins m and a greatest level K, decide
whether the items can be partitioned into m bins with levels in [low, K], where low is
the bottom of the window that counting leaves (:mod:`atleastk.models.bin_covering`).

Method
------
All admissible bins are enumerated once as bit masks, then an exact cover is searched by
depth first, always completing a bin of the item with the fewest bins left. What decides
is the **waste** K - level. Over a whole solution it adds up to exactly m K - S, so that

- a bin that wastes more than what is left is dropped;
- items whose least waste is at least w, of total size X_w, fill at least
  ceil(X_w / (K - w)) bins, and each of these wastes at least w: summed over w this is
  a lower bound on the waste still needed;
- likewise sum x_i * waste_i <= K * (waste left), waste_i being the least of item i.

Bins are kept in order of waste, so both bounds fall out of the pass that counts the
bins of every item. A bin that takes an item but leaves an equal one of lower index is
skipped: swapping the two gives the same tree.

Complexity
----------
Exponential. Practical for up to about 45 items of any magnitude when solutions are
rare, and for more when bins hold two or three items.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled import compiled

__all__ = ["MOST_ITEMS", "Answer", "Outcome", "complete_bins"]

MOST_ITEMS = 64
"""Bins are bit masks of this many items."""

_SAFE = 2**62
_MOST_HALVED = 44

IntArray = NDArray[np.int64]
MaskArray = NDArray[np.uint64]

_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_BIT_INDEX = np.zeros(64, dtype=np.int64)
for _bit in range(64):
    _BIT_INDEX[((int(_DE_BRUIJN) << _bit) & (2**64 - 1)) >> 58] = _bit


class Outcome(Enum):
    """How a search ended."""

    FOUND = "found"
    REFUTED = "refuted"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of a search, the bins as indices of the sizes, the nodes visited."""

    outcome: Outcome
    bins: tuple[tuple[int, ...], ...] = ()
    nodes: int = 0


def complete_bins(
    sizes: Sequence[int],
    bins: int,
    low: int,
    high: int,
    budget: Budget,
    *,
    most_nodes: int = 2**60,
    most_patterns: int = 2_000_000,
) -> Answer:
    """Search a partition of the sizes into so many bins with levels in [low, high].

    Stops, without an answer, when the budget or a cap is spent.
    """
    n, total = len(sizes), sum(sizes)
    if n > MOST_ITEMS:
        message = f"bin completion takes {MOST_ITEMS} items at most, not {n}"
        raise ValueError(message)
    low, cap = max(low, total - (bins - 1) * high), min(high, total - (bins - 1) * low)
    if bins > n or low > cap or total > bins * high:
        return Answer(Outcome.REFUTED)
    order = sorted(range(n), key=lambda i: -sizes[i])
    with budget.flagging() as flag:
        found = _admissible([sizes[i] for i in order], low, cap, most_patterns, flag)
        if found is None:
            return Answer(Outcome.STOPPED)
        return _cover(
            [sizes[i] for i in order],
            order,
            *found,
            bins=bins,
            high=high,
            most_nodes=most_nodes,
            budget=budget,
            flag=flag,
        )


def _admissible(
    sizes: Sequence[int],
    low: int,
    high: int,
    most: int,
    flag: NDArray[np.uint8],
) -> tuple[MaskArray, list[int] | IntArray] | None:
    """Return masks and levels of all bins in [low, high]; None if too many."""
    if sum(sizes) < _SAFE:
        array = np.array(sizes, dtype=np.int64)
        halving = len(sizes) <= _MOST_HALVED
        steps = 8 << (len(sizes) + 1) // 2 if halving else 50 * most
        steps = max(1_000_000, steps)
        masks, reached, complete = _enumerate(array, low, high, most, steps, flag)
        if not complete and halving and len(masks) < most and flag[0] == 0:
            masks, reached, complete = _enumerate_halves(array, low, high, most)
        return (masks, reached) if complete else None
    return _enumerate_big(sizes, low, high, most)


def _cover(
    sizes: Sequence[int],
    order: Sequence[int],
    masks: MaskArray,
    levels: list[int] | IntArray,
    *,
    bins: int,
    high: int,
    most_nodes: int,
    budget: Budget,
    flag: NDArray[np.uint8],
) -> Answer:
    n, total = len(sizes), sum(sizes)
    exact = bins * high < _SAFE
    if exact:
        waste = high - np.asarray(levels, dtype=np.int64)
        ranks = np.argsort(waste, kind="stable")
        masks, waste = masks[ranks], waste[ranks]
        slack, weight = bins * high - total, np.array(sizes, dtype=np.int64)
    else:
        # Too large to add up: without waste the search is the plain exact cover.
        waste = np.zeros(len(masks), dtype=np.int64)
        slack, weight = 0, np.ones(n, dtype=np.int64)
    twins = sum(1 << i for i in range(1, n) if sizes[i] == sizes[i - 1])
    products = exact and high * max(total, slack) < _SAFE
    halt = np.zeros(1, dtype=np.uint8)
    counts = np.zeros(budget.workers, dtype=np.int64)

    def explore(worker: int) -> tuple[int, MaskArray]:
        ended, chosen = _search(
            weight,
            masks,
            waste,
            bins,
            slack,
            high if exact else 1,
            np.uint64(twins),
            products,
            worker,
            budget.workers,
            most_nodes,
            flag,
            halt,
            counts,
        )
        if ended == 1:
            halt[0] = 1
        return ended, chosen

    if budget.workers == 1:
        ends = [explore(0)]
    else:
        with ThreadPoolExecutor(budget.workers) as pool:
            ends = list(pool.map(explore, range(budget.workers)))
    nodes = int(counts.sum())
    for ended, chosen in ends:
        if ended == 1:
            found = tuple(
                tuple(order[i] for i in range(n) if int(mask) >> i & 1)
                for mask in chosen
            )
            return Answer(Outcome.FOUND, found, nodes)
    refuted = all(ended == 0 for ended, _ in ends)
    return Answer(Outcome.REFUTED if refuted else Outcome.STOPPED, (), nodes)


def _enumerate_big(
    sizes: Sequence[int], low: int, high: int, most: int
) -> tuple[MaskArray, list[int]] | None:
    """Enumerate like :func:`_enumerate`, in Python integers of any magnitude."""
    suffix = [0]
    for size in reversed(sizes):
        suffix.append(suffix[-1] + size)
    suffix.reverse()
    masks: list[int] = []
    reached: list[int] = []
    stack = [(0, 0, 0)]
    while stack:
        start, level, mask = stack.pop()
        for i in range(start, len(sizes)):
            if level + suffix[i] < low:
                break
            if level + sizes[i] > high:
                continue
            grown = (i + 1, level + sizes[i], mask | 1 << i)
            stack.append(grown)
            if grown[1] >= low:
                masks.append(grown[2])
                reached.append(grown[1])
                if len(masks) > most:
                    return None
    return np.array(masks, dtype=np.uint64), reached


@compiled
def _enumerate(
    sizes: IntArray,
    low: int,
    high: int,
    most: int,
    most_steps: int,
    flag: NDArray[np.uint8],
) -> tuple[MaskArray, IntArray, bool]:
    """Enumerate all subsets of decreasing sizes with a sum in [low, high]."""
    n = len(sizes)
    one = np.uint64(1)
    suffix = np.zeros(n + 1, np.int64)
    for i in range(n - 1, -1, -1):
        suffix[i] = suffix[i + 1] + sizes[i]
    masks = np.empty(1024, np.uint64)
    levels = np.empty(1024, np.int64)
    count = 0
    stack = np.empty(n + 1, np.int64)
    depth = 0
    level = 0
    mask = np.uint64(0)
    i = 0
    steps = 0
    while True:
        steps += 1
        if steps > most_steps or ((steps & 4095) == 0 and flag[0] != 0):
            return masks[:count], levels[:count], False
        if i < n and level + sizes[i] > high:
            left, right = i, n
            while left < right:
                middle = (left + right) // 2
                if level + sizes[middle] <= high:
                    right = middle
                else:
                    left = middle + 1
            i = left
        if i < n and level + suffix[i] >= low:
            stack[depth] = i
            depth += 1
            level += sizes[i]
            mask |= one << np.uint64(i)
            if level >= low:
                if count == most:
                    return masks[:count], levels[:count], False
                if count == len(masks):
                    masks = np.concatenate((masks, np.empty(count, np.uint64)))
                    levels = np.concatenate((levels, np.empty(count, np.int64)))
                masks[count] = mask
                levels[count] = level
                count += 1
            i += 1
        else:
            if depth == 0:
                break
            depth -= 1
            i = stack[depth]
            level -= sizes[i]
            mask ^= one << np.uint64(i)
            i += 1
    return masks[:count], levels[:count], True


@compiled
def _enumerate_halves(
    sizes: IntArray, low: int, high: int, most: int
) -> tuple[MaskArray, IntArray, bool]:
    """Enumerate like :func:`_enumerate`, by meeting in the middle.

    O(2^(n/2)) time besides the output: for bins of so many items that few of their
    subsets have a sum in the window.
    """
    n = len(sizes)
    half = n // 2
    left = np.zeros(1 << half, np.int64)
    for bit in range(half):
        for mask in range(1 << bit):
            left[mask | (1 << bit)] = left[mask] + sizes[2 * bit]
    right = np.zeros(1 << (n - half), np.int64)
    for bit in range(n - half):
        for mask in range(1 << bit):
            item = 2 * bit + 1 if bit < half else n - 1
            right[mask | (1 << bit)] = right[mask] + sizes[item]
    rising = np.argsort(left)
    ranks = np.argsort(right)
    masks = np.empty(1024, np.uint64)
    levels = np.empty(1024, np.int64)
    count = 0
    top = len(ranks) - 1
    for a in rising:
        while top >= 0 and left[a] + right[ranks[top]] > high:
            top -= 1
        b = top
        while b >= 0 and left[a] + right[ranks[b]] >= low:
            if count == most:
                return masks[:count], levels[:count], False
            if count == len(masks):
                masks = np.concatenate((masks, np.empty(count, np.uint64)))
                levels = np.concatenate((levels, np.empty(count, np.int64)))
            bits = np.uint64(0)
            for bit in range(half):
                if (a >> bit) & 1:
                    bits |= np.uint64(1) << np.uint64(2 * bit)
            for bit in range(n - half):
                if (ranks[b] >> bit) & 1:
                    item = 2 * bit + 1 if bit < half else n - 1
                    bits |= np.uint64(1) << np.uint64(item)
            masks[count] = bits
            levels[count] = left[a] + right[ranks[b]]
            count += 1
            b -= 1
    return masks[:count], levels[:count], True


@compiled
def _search(
    sizes: IntArray,
    masks: MaskArray,
    waste: IntArray,
    bins: int,
    slack: int,
    high: int,
    twins: np.uint64,
    products: bool,
    worker: int,
    workers: int,
    most_nodes: int,
    flag: NDArray[np.uint8],
    halt: NDArray[np.uint8],
    counts: IntArray,
) -> tuple[int, MaskArray]:
    """Search an exact cover; 1 found, 0 refuted, -1 stopped.

    The workers share the second level of the tree in turns.
    """
    n = len(sizes)
    one = np.uint64(1)
    none = np.uint64(0)
    shift = np.uint64(58)
    everything = none
    for i in range(n):
        everything |= one << np.uint64(i)
    # The bins still possible at each depth, one list behind the other.
    pool = masks.copy()
    cost = waste.copy()
    first = np.zeros(bins + 2, np.int64)
    last = np.zeros(bins + 2, np.int64)
    last[0] = len(masks)
    left = np.empty(bins + 1, np.uint64)
    left[0] = everything
    spare = np.empty(bins + 1, np.int64)
    spare[0] = slack
    amount = np.empty(bins + 1, np.int64)
    amount[0] = sizes.sum()
    pivot = np.empty(bins + 1, np.uint64)
    at = np.empty(bins + 1, np.int64)
    chosen = np.zeros(bins, np.uint64)
    options = np.empty(n, np.int64)
    entering = True
    depth = 0
    nodes = 0
    turns = 0
    while True:
        if entering:
            nodes += 1
            if nodes > most_nodes or (
                (nodes & 63) == 0 and (flag[0] != 0 or halt[0] != 0)
            ):
                counts[worker] = nodes
                return -1, chosen
            rest = left[depth]
            options[:] = 0
            seen = none
            needed = 0
            product = 0
            unseen = amount[depth]
            previous = 0
            dead = False
            for a in range(first[depth], last[depth]):
                bits = pool[a]
                fresh = bits & ~seen
                if fresh != none:
                    step = cost[a]
                    if step > previous:
                        needed += (step - previous) * (
                            (unseen + high - step - 1) // (high - step)
                        )
                        previous = step
                        if needed > spare[depth] or (
                            products and product + unseen * step > spare[depth] * high
                        ):
                            dead = True
                            break
                    seen |= fresh
                    while fresh != none:
                        lowest = fresh & (~fresh + one)
                        size = sizes[_BIT_INDEX[(lowest * _DE_BRUIJN) >> shift]]
                        unseen -= size
                        if products:
                            product += size * previous
                        fresh ^= lowest
                while bits != none:
                    lowest = bits & (~bits + one)
                    options[_BIT_INDEX[(lowest * _DE_BRUIJN) >> shift]] += 1
                    bits ^= lowest
            if dead or seen != rest:
                if depth == 0:
                    break
                depth -= 1
                entering = False
                continue
            fewest = _SAFE
            scarce = 0
            for i in range(n):
                if (rest >> np.uint64(i)) & one != none and options[i] < fewest:
                    fewest = int(options[i])
                    scarce = i
            pivot[depth] = one << np.uint64(scarce)
            at[depth] = first[depth]
            entering = False
        taken = -1
        for a in range(at[depth], last[depth]):
            bits = pool[a]
            if bits & pivot[depth] != none:
                if ((left[depth] & ~bits) << one) & bits & twins != none:
                    continue
                if depth == 1:
                    turns += 1
                    if turns % workers != worker:
                        continue
                taken = a
                break
        if taken < 0:
            if depth == 0:
                break
            depth -= 1
            continue
        at[depth] = taken + 1
        chosen[depth] = pool[taken]
        rest = left[depth] & ~pool[taken]
        if rest == none:
            if depth == bins - 1:
                counts[worker] = nodes
                return 1, chosen
            continue
        if depth == bins - 1:
            continue
        begin = last[depth]
        length = last[depth] - first[depth]
        if begin + length > len(pool):
            grown = np.empty(2 * len(pool) + length, np.uint64)
            grown[:begin] = pool[:begin]
            pool = grown
            dearer = np.empty(2 * len(cost) + length, np.int64)
            dearer[:begin] = cost[:begin]
            cost = dearer
        remaining = spare[depth] - cost[taken]
        end = begin
        for a in range(first[depth], last[depth]):
            if cost[a] > remaining:
                break
            bits = pool[a]
            if bits & ~rest != none:
                continue
            pool[end] = bits
            cost[end] = cost[a]
            end += 1
        amount[depth + 1] = amount[depth] - (high - cost[taken])
        depth += 1
        first[depth] = begin
        last[depth] = end
        left[depth] = rest
        spare[depth] = remaining
        entering = True
    counts[worker] = nodes
    return 0, chosen
