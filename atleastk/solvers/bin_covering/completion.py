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

import numpy as np

from atleastk.arrays import ByteArray, IntArray, WordArray
from atleastk.models.status import Status
from atleastk.solvers.bin_covering.enumeration import admissible_masks
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.arrays import longer
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine.decision import Decision

__all__ = ["MOST_ITEMS", "Bins", "Completion", "complete_bins"]

Bins = list[list[int]]
"""The indices of the sizes in every bin."""

MOST_ITEMS = 64
"""Bins are bit masks of this many items."""

_SAFE = 2**62


_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_BIT_INDEX = np.zeros(64, dtype=np.int64)
for _bit in range(64):
    _BIT_INDEX[((int(_DE_BRUIJN) << _bit) & (2**64 - 1)) >> 58] = _bit


@dataclass(frozen=True, slots=True)
class Completion(Decision[Bins]):
    """What a search came to.

    Attributes
    ----------
    nodes
        How many were visited.
    """

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
) -> Completion:
    """Search a partition of the sizes into so many bins with levels in [low, high].

    Stops, without an answer, when the budget or a cap is spent.
    """
    n, total = len(sizes), sum(sizes)
    if n > MOST_ITEMS:
        message = f"bin completion takes {MOST_ITEMS} items at most, not {n}"
        raise ValueError(message)
    low, cap = max(low, total - (bins - 1) * high), min(high, total - (bins - 1) * low)
    if bins > n or low > cap or total > bins * high:
        return Completion(Status.INFEASIBLE)
    order = sorted(range(n), key=lambda i: -sizes[i])
    falling = [sizes[i] for i in order]
    with budget.flagging() as flag:
        found = admissible_masks(
            [sizes[i] for i in order], low, cap, most_patterns, flag
        )
        if found is None:
            why = f"there are more than {most_patterns} bins of a level to {high}"
            return Completion(Status.UNKNOWN, why=why)
        return _cover(
            falling,
            order,
            *found,
            bins=bins,
            high=high,
            most_nodes=most_nodes,
            budget=budget,
            flag=flag,
        )


def _cover(
    sizes: Sequence[int],
    order: Sequence[int],
    masks: WordArray,
    levels: list[int] | IntArray,
    *,
    bins: int,
    high: int,
    most_nodes: int,
    budget: Budget,
    flag: ByteArray,
) -> Completion:
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

    def explore(worker: int) -> tuple[int, WordArray]:
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
            found = [
                [order[i] for i in range(n) if int(mask) >> i & 1] for mask in chosen
            ]
            return Completion(Status.FEASIBLE, found, nodes=nodes)
    refuted = all(ended == 0 for ended, _ in ends)
    status = Status.INFEASIBLE if refuted else Status.UNKNOWN
    return Completion(status, nodes=nodes)


@compiled
def _search(
    sizes: IntArray,
    masks: WordArray,
    waste: IntArray,
    bins: int,
    slack: int,
    high: int,
    twins: np.uint64,
    products: bool,
    worker: int,
    workers: int,
    most_nodes: int,
    flag: ByteArray,
    halt: ByteArray,
    counts: IntArray,
) -> tuple[int, WordArray]:
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
            pool = longer(pool, 2 * len(pool) + length)
            cost = longer(cost, len(pool))
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
