"""The 5/2-approximation of min-max bin covering [Du09, Theorem 10].

Sizes below are in units of k. Heavy items (size >= 1) get bins of their own; if the
light items do not fill a bin, all of them join the least heavy item. Otherwise the
light items are packed greedily in decreasing order. If only the last bin stays below 1
its items are split over the first three bins, or swapped, or merged, by cases.

As printed
----------
If the greedy packing has only two or three bins, "we can start from scratch and
exhaustively search for the optimum solution in O(n^4) time". This is polynomial only if
n counts records, that is for unary sizes: deciding whether 2k in total makes two bins
is PARTITION. Here the printed search runs over at most `EXHAUSTIVE_ITEMS` light items.
The first step is also printed as "without loss of generality", though own bins for
heavy items change the optimum: {10, 6, 6, 6}, k = 10 costs 18 with own bins and 16
without. The ratio survives this. Repaired, the algorithm searches for nothing: few bins
are opened by a rule.

Repaired
--------
Let T < 5 be the total of the light items, packed greedily into two or three bins.
Open one bin if T < 3, else two. Put the *large* light items (> 1/5) into them: the
eleven largest so that the fuller bin is as empty as possible, any others each into the
emptier bin. Then put every small item into the emptiest bin of all, heavy ones
included.

*Feasible.* While a light bin is below 1 no small item goes to a heavy one, so one bin
reaches 1. Of two, let F be the fuller and z the last item that decided it: F <=
(T + z) / 2, hence the other has at least (T - z) / 2 >= 1 if all light items stay; and
if one leaves, both had reached 1.

*Ratio.* One bin has at most T < 3, two have at most (T + 1) / 2 < 3, heavy items end no
higher or as they began. So let OPT < 6/5, and see that the cost is at most 5/2.

- No heavy items. T < 3: OPT >= T / floor(T) >= T / 2. T >= 3: cost <= (T + 1) / 2 <=
  5/2 * T / floor(T) <= 5/2 * OPT.
- q >= 1 heavy items. In an optimum every bin is below 6/5, so large items share no bin
  with heavy ones: they lie in j light bins, j <= floor(T). If a small item ends above
  5/2 then all bins were above 23/10, at least q + 1 of them if T < 3, q + 2 else; but
  all items are below 6/5 * (q + 2), or 6/5 * (q + 4): a contradiction. If a large item
  ends there: for T < 3 they total at most 6/5 * 2 < 5/2; for 3 <= T < 4, F <=
  (T + 1) / 2 < 5/2; for 4 <= T < 5 the two closed greedy bins exceed 3 together, so one
  of them has two items only, the other holds at most five large items and the last bin
  at most four: eleven, of which all splits are tried, and merging the j <= 4 bins of
  the optimum two by two shows a split below 12/5.

Cutting at T < 3 and T >= 3 without lifting small items on heavy ones is not enough:
{10 x9, 5 x4, 1 x9}, k = 10 would cost 29, the optimum is 11.

For the printed search the same case OPT < 6/5 leaves the light items of an optimum
with bins below 6/5 and small items, which make own bins or lift one bin to 11/5.

Tight
-----
The analysis of the case f <= 1/2 is: five items k - 1, two items k / 2, five items 1
cost 5/2 k - 2 for even k >= 14, the optimum is k.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heapify, heapreplace
from itertools import accumulate, product

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.results.solution import Solution

EXHAUSTIVE_ITEMS = 12
"""The most light items that the printed exhaustive search takes."""

_LARGE_ITEMS = 11
"""The most large items that can matter; see the module."""

Bins = list[list[int]]


def five_halves(instance: BinCovering, _seed: int = 0) -> Solution:
    """Return a solution of cost at most 5/2 * OPT in O(n log n) time."""
    return _theorem_10(instance, _large_then_small)


def five_halves_printed(instance: BinCovering, _seed: int = 0) -> Solution:
    """Return a solution of cost at most 5/2 * OPT, by the algorithm as printed."""
    return _theorem_10(instance, _search)


def needs_search(instance: BinCovering) -> str | None:
    """Say why the printed algorithm would take exponential time, or return None."""
    light, _ = _split(instance)
    closed, last = _decreasing(instance, light)
    if not closed or not last or len(closed) > 2 or len(light) <= EXHAUSTIVE_ITEMS:
        return None
    return (
        f"its greedy packing has {len(closed) + 1} bins, and the printed exhaustive "
        f"search over {len(light)} items below k is exponential (at most "
        f"{EXHAUSTIVE_ITEMS} are searched); use five-halves"
    )


def _theorem_10(
    instance: BinCovering,
    few_bins: Callable[[BinCovering, list[int], list[int]], Bins],
) -> Solution:
    sizes, k = instance.sizes, instance.k
    light, heavy = _split(instance)
    own = [[item] for item in heavy]
    closed, last = _decreasing(instance, light)
    if not last:
        return Solution.of([*closed, *own])
    if not closed:
        if not own:
            return Solution.of([last])
        own[-1] += last
        return Solution.of(own)
    if len(closed) <= 2:
        return Solution.of(few_bins(instance, light, heavy))
    first, final = light[0], last[0]
    rest = sum(sizes[item] for item in last[1:])
    if 2 * sizes[final] <= k:
        for group, part in zip(closed, _three_parts(sizes, last), strict=False):
            group += part
    elif sizes[first] + rest >= k:
        closed[0][0], last[0] = final, first
        closed.append(last)
    else:
        min(closed, key=lambda group: sum(sizes[i] for i in group)).extend(last)
    return Solution.of([*closed, *own])


def _split(instance: BinCovering) -> tuple[list[int], list[int]]:
    """Return the light and the heavy items, both in decreasing order."""
    sizes, k = instance.sizes, instance.k
    order = sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True)
    heavy = sum(size >= k for size in sizes)
    return order[heavy:], order[:heavy]


def _decreasing(instance: BinCovering, light: list[int]) -> tuple[Bins, list[int]]:
    """Pack greedily; return the closed bins and the open one, empty if none is."""
    closed: Bins = []
    last: list[int] = []
    level = 0
    for item in light:
        last.append(item)
        level += instance.sizes[item]
        if level >= instance.k:
            closed.append(last)
            last, level = [], 0
    return closed, last


def _three_parts(sizes: Sequence[int], items: list[int]) -> Bins:
    """Split items below k / 2 and k in total into three such parts [Du09, Lemma 9].

    The items are in decreasing order; the first is a part, the others are cut in two.
    """
    first, others = items[:1], items[1:]
    sums = list(accumulate((sizes[i] for i in others), initial=0))
    cut = next(
        position
        for position, reached in enumerate(sums)
        if 2 * reached >= sums[-1] - sizes[items[0]]
    )
    return [first, others[:cut], others[cut:]]


def _large_then_small(
    instance: BinCovering, light: list[int], heavy: list[int]
) -> Bins:
    """Pack light items of total below 5k: the repaired step."""
    sizes, k = instance.sizes, instance.k
    large = [item for item in light if 5 * sizes[item] > k]
    small = light[len(large) :]
    total = sum(sizes[item] for item in light)
    bins = [large] if total < 3 * k else _halves(sizes, large)
    bins += ([item] for item in heavy)
    levels = [(sum(sizes[i] for i in group), b) for b, group in enumerate(bins)]
    heapify(levels)
    for item in small:
        level, b = levels[0]
        bins[b].append(item)
        heapreplace(levels, (level + sizes[item], b))
    return bins


def _halves(sizes: Sequence[int], items: list[int]) -> Bins:
    """Split items in decreasing order: the largest best, the others greedily."""
    head, tail = items[:_LARGE_ITEMS], items[_LARGE_ITEMS:]
    total = sum(sizes[item] for item in head)

    def fuller(sides: Sequence[bool]) -> int:
        level = sum(sizes[i] for i, side in zip(head, sides, strict=True) if side)
        return max(level, total - level)

    sides = min(product((False, True), repeat=len(head)), key=fuller)
    bins: Bins = [[], []]
    for item, side in zip(head, sides, strict=True):
        bins[side].append(item)
    for item in tail:
        min(bins, key=lambda group: sum(sizes[i] for i in group)).append(item)
    return bins


def _search(instance: BinCovering, light: list[int], heavy: list[int]) -> Bins:
    """Pack light items of total below 5k optimally: the printed step.

    All packings are gone through, but for those that are no better whatever follows.
    """
    sizes, k = instance.sizes, instance.k
    left = [*accumulate((sizes[item] for item in light[::-1]), initial=0)][::-1]
    packed, best, most = [light], left[0], left[0] // k
    groups: Bins = []
    levels: list[int] = []

    def place(position: int) -> None:
        nonlocal packed, best
        lacking = sum(k - level for level in levels if level < k)
        if lacking > left[position] or max(levels, default=0) >= best:
            return
        if position == len(light):
            packed, best = [group[:] for group in groups], max(levels)
            return
        for b in range(min(len(groups) + 1, most)):
            if b == len(groups):
                groups.append([])
                levels.append(0)
            groups[b].append(light[position])
            levels[b] += sizes[light[position]]
            place(position + 1)
            levels[b] -= sizes[groups[b].pop()]
        if not groups[-1]:
            groups.pop()
            levels.pop()

    place(0)
    return [*packed, *([item] for item in heavy)]
