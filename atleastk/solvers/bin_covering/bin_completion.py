"""Bin completion: an exact search for a partition into bins of given levels.

Definition
----------
Given at most 64 sizes with total S, a number of bins m and a greatest level K, decide
whether the items can be partitioned into m bins with levels in [low, K], where low is
the bottom of the window that counting leaves (:mod:`atleastk.models.bin_covering`).

Method
------
All admissible bins are enumerated once as bit masks, then an exact cover is searched by
depth first, always completing a bin of the item with the fewest bins left. What prunes
is the **waste** K - level. Over a whole solution it adds up to exactly m K - S, so that

- a bin that wastes more than the waste left is dropped;
- items whose least waste is at least w, of total size X_w, fill at least
  ceil(X_w / (K - w)) bins, and each of these wastes at least w: summed over w this is
  a lower bound on the waste still needed;
- likewise sum x_i * waste_i <= K * (waste left), waste_i being the least of item i.

Bins are sorted by waste, so both bounds fall out of the pass that counts the
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
from typing import NamedTuple

import numpy as np

from atleastk.arrays import ByteArray, IntArray, WordArray
from atleastk.models.results.status import Status
from atleastk.models.windows import Window
from atleastk.solvers.bin_covering.enumeration import admissible_masks
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.arrays import longer
from atleastk.solvers.compiled.bits import lowest
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.compiled.rows import WORD
from atleastk.solvers.compiled.sorting import number
from atleastk.solvers.engine.decision import Decision

Bins = list[list[int]]
"""The indices of the sizes in every bin."""

MOST_ITEMS = 64
"""Bins are bit masks of this many items."""

_REFUTED, _FOUND, _STOPPED = range(3)
"""How a search ends."""


@dataclass(frozen=True, slots=True)
class Completion(Decision[Bins]):
    """The outcome of a search."""

    nodes: int = 0  # that were visited


def complete_bins(
    sizes: Sequence[int],
    window: Window,
    budget: Budget,
    *,
    most_nodes: int = 2**60,
    most_patterns: int = 2_000_000,
) -> Completion:
    """Search a partition of the sizes into the bins of a window.

    Stops, without an answer, when the budget or a cap is spent.
    """
    n, total = len(sizes), sum(sizes)
    bins, low, high = window.parts, window.least, window.most
    if n > MOST_ITEMS:
        raise ValueError(f"bin completion takes {MOST_ITEMS} items at most, not {n}")
    low, cap = max(low, total - (bins - 1) * high), min(high, total - (bins - 1) * low)
    if bins > n or low > cap or total > bins * high:
        return Completion(Status.INFEASIBLE)
    order = sorted(range(n), key=lambda i: -sizes[i])
    falling = [sizes[i] for i in order]
    with budget.flagging() as flag:
        admissible = admissible_masks(falling, low, cap, most_patterns, flag)
        if admissible is None:
            why = f"there are more than {most_patterns} bins of a level to {high}"
            return Completion(Status.UNKNOWN, why=why)
        question = _question(falling, *admissible, bins, high, most_nodes)
        status, masks, nodes = _explore(question, budget.workers, flag)
    if status is not Status.FEASIBLE:
        return Completion(status, nodes=nodes)
    found = [[order[i] for i in range(n) if mask >> i & 1] for mask in masks]
    return Completion(status, found, nodes=nodes)


class _Question(NamedTuple):
    """The exact cover problem: a partition of all items into admissible bins."""

    sizes: IntArray  # [item], decreasing
    masks: WordArray  # [admissible bin], its items, in order of waste
    waste: IntArray  # [admissible bin], what its level lacks to `high`
    bins: int  # of a solution
    slack: int  # their waste in all
    high: int  # their greatest level
    twins: np.uint64  # the items that are as large as the one before
    products: bool  # whether sizes times wastes add up to less than 2^62
    most_nodes: int  # where every worker gives up


def _question(
    sizes: Sequence[int],
    masks: WordArray,
    levels: list[int] | IntArray,
    bins: int,
    high: int,
    most_nodes: int,
) -> _Question:
    twins = sum(1 << i for i in range(1, len(sizes)) if sizes[i] == sizes[i - 1])
    if bins * high < WORD:
        slack = bins * high - sum(sizes)
    else:  # too large to add up: without waste the search is the plain exact cover
        sizes, levels, high, slack = [1] * len(sizes), [1] * len(masks), 1, 0
    waste = high - np.array(levels, dtype=np.int64)
    ranks = np.argsort(waste, kind="stable")
    return _Question(
        np.array(sizes, dtype=np.int64),
        masks[ranks],
        waste[ranks],
        bins,
        slack,
        high,
        np.uint64(twins),
        high * max(sum(sizes), slack) < WORD,
        most_nodes,
    )


def _explore(
    question: _Question, workers: int, flag: ByteArray
) -> tuple[Status, list[int], int]:
    """Let all workers search; return what they found, and their nodes."""

    def explore(worker: int) -> tuple[int, list[int], int]:
        ended, chosen, nodes = _search(question, worker, workers, flag)
        if ended == _FOUND:
            flag[0] = 1  # the others may stop
        return ended, chosen.tolist(), nodes

    if workers == 1:
        ends = [explore(0)]
    else:
        with ThreadPoolExecutor(workers) as pool:
            ends = list(pool.map(explore, range(workers)))
    nodes = sum(visited for _, _, visited in ends)
    for ended, chosen, _ in ends:
        if ended == _FOUND:
            return Status.FEASIBLE, chosen, nodes
    refuted = all(ended == _REFUTED for ended, _, _ in ends)
    return Status.INFEASIBLE if refuted else Status.UNKNOWN, [], nodes


class _Path(NamedTuple):
    """The nodes from the root to a search, by depth: how many bins are chosen."""

    first: IntArray  # [depth], where the bins still possible begin in the pool of them
    last: IntArray  # [depth], and end
    at: IntArray  # [depth], where to look for the next bin to try
    left: WordArray  # [depth], the items that are in no chosen bin
    amount: IntArray  # [depth], their total size
    spare: IntArray  # [depth], what the bins that hold them may waste in all
    pivot: WordArray  # [depth], the item, as a bit, that the next bin has to hold
    chosen: WordArray  # [depth], the bin tried last


@compiled
def _search(
    question: _Question, worker: int, workers: int, flag: ByteArray
) -> tuple[int, WordArray, int]:
    """Search an exact cover; return how it ended, the bins chosen, and the nodes.

    The workers take turns at the children of the nodes of depth 1. Bins that are still
    possible stand in a pool, the lists of all depths one behind the other, each in
    order of waste. A node takes time linear in its list.
    """
    path = _root(question)
    pool = longer(question.masks, len(question.masks))
    waste = longer(question.waste, len(question.waste))
    options = np.empty(len(question.sizes), np.int64)
    depth, nodes, turns, entering = number(0), 0, 0, True
    while depth >= 0:
        # A new node is refuted, or gets an item to branch on.
        if entering:
            nodes += 1
            if nodes > question.most_nodes or ((nodes & 63) == 0 and flag[0] != 0):
                return _STOPPED, path.chosen, nodes
            entering = False
            item = _scarcest(question, path, depth, pool, waste, options)
            if item < 0:
                depth -= 1
                continue
            path.pivot[depth] = np.uint64(1) << np.uint64(item)
            path.at[depth] = path.first[depth]
        # Of all bins with that item the next is tried; after the last one, back.
        left, pivot = path.left[depth], path.pivot[depth]
        first, last = path.first[depth], path.last[depth]
        taken = _next_bin(pool, path.at[depth], last, left, pivot, question.twins)
        if taken < 0:
            depth -= 1
            continue
        path.at[depth] = taken + 1
        if depth == 1:
            turns += 1
            if turns % workers != worker:
                continue
        # The child holds what the bin leaves, and the bins that still fit.
        path.chosen[depth] = pool[taken]
        rest = left & ~pool[taken]
        if depth == question.bins - 1:
            if rest == np.uint64(0):
                return _FOUND, path.chosen, nodes
            continue
        if rest == np.uint64(0):
            continue
        if 2 * last - first > len(pool):
            pool = longer(pool, 2 * len(pool) + last - first)
            waste = longer(waste, len(pool))
        spare = path.spare[depth] - waste[taken]
        amount = path.amount[depth] - (question.high - waste[taken])
        depth += 1
        path.first[depth] = last
        path.last[depth] = _append_fitting(pool, waste, first, last, rest, spare)
        path.left[depth], path.spare[depth], path.amount[depth] = rest, spare, amount
        entering = True
    return _REFUTED, path.chosen, nodes


@compiled
def _root(question: _Question) -> _Path:
    """Return the path that ends at the root: no bin is chosen, all are possible."""
    n, depths = len(question.sizes), question.bins + 1
    path = _Path(
        np.zeros(depths, np.int64),
        np.zeros(depths, np.int64),
        np.zeros(depths, np.int64),
        np.zeros(depths, np.uint64),
        np.zeros(depths, np.int64),
        np.zeros(depths, np.int64),
        np.zeros(depths, np.uint64),
        np.zeros(question.bins, np.uint64),
    )
    path.last[0] = len(question.masks)
    path.spare[0] = question.slack
    for i in range(n):
        path.left[0] |= np.uint64(1) << np.uint64(i)
        path.amount[0] += question.sizes[i]
    return path


@compiled
def _scarcest(
    question: _Question,
    path: _Path,
    depth: int,
    pool: WordArray,
    waste: IntArray,
    options: IntArray,
) -> int:
    """Return the item left with the fewest bins; -1 if the node has no solution.

    Bins come in order of waste, so the first that holds an item is the one of its least
    waste, and when it comes all items not yet seen waste at least as much: this gives
    both lower bounds of the module as it goes. ``options`` is room for the bins of
    every item.
    """
    none, one = np.uint64(0), np.uint64(1)
    sizes, high, products = question.sizes, question.high, question.products
    rest, spare = path.left[depth], path.spare[depth]
    for i in range(len(sizes)):
        options[i] = 0
    seen, unseen, least, needed, product = none, path.amount[depth], 0, 0, 0
    for a in range(path.first[depth], path.last[depth]):
        bits = pool[a]
        fresh = bits & ~seen
        if fresh != none:
            # Bins of unseen items waste more than `least`: `step` at least.
            step = waste[a]
            if step > least:
                bins = (unseen + high - step - 1) // (high - step)
                needed += (step - least) * bins
                least = step
                if needed > spare or (
                    products and product + unseen * step > spare * high
                ):
                    return -1
            seen |= fresh
            while fresh != none:
                size = sizes[lowest(fresh)]
                unseen -= size
                if products:
                    product += size * least
                fresh &= fresh - one
        # Every item of the bin has one more.
        while bits != none:
            options[lowest(bits)] += 1
            bits &= bits - one
    if seen != rest:
        return -1
    fewest, scarcest = WORD, -1
    for i in range(len(sizes)):
        if (rest >> np.uint64(i)) & one != none and options[i] < fewest:
            fewest, scarcest = options[i], i
    return scarcest


@compiled
def _next_bin(
    pool: WordArray,
    start: int,
    end: int,
    left: np.uint64,
    pivot: np.uint64,
    twins: np.uint64,
) -> int:
    """Return the next bin of a list that holds an item, -1 for none.

    It takes no twin but leaves the equal item before it.
    """
    none = np.uint64(0)
    for a in range(start, end):
        bits = pool[a]
        if bits & pivot != none and (
            ((left & ~bits) << np.uint64(1)) & bits & twins == none
        ):
            return a
    return -1


@compiled
def _append_fitting(
    pool: WordArray, waste: IntArray, first: int, last: int, rest: np.uint64, spare: int
) -> int:
    """Append the bins of a list that hold no other items and waste no more than that.

    Returns where the new list, which begins where the old one ends, ends itself.
    """
    end, others = last, ~rest
    for a in range(first, last):
        if waste[a] > spare:
            break
        if pool[a] & others == np.uint64(0):
            pool[end], waste[end] = pool[a], waste[a]
            end += 1
    return end
