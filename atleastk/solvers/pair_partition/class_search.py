"""Pair partition: the search for groups of any size, bounded by classes of items.

The *worth* of a set S is its weights less its pairs' costs: minus its reduced cost, but
for prices of triples, which only lower it. An available item v *gains* its weight less
its pairs with S. If groups have to be connected, an item that does not touch S pays for
its cheapest pair that connects it with an available item instead: the one that leads to
S.

The items that gain are packed in classes. Let f(K) bound what any items of a class K
add. With v it is

    f(K + v) <= max(f(K), p(v) + min(f(K), sum over u in K of max(0, p(u) - c(u, v)))),

for gains p and costs c, less what v or u pays already for that pair. Every item goes to
the class whose bound grows least by it. After each item the sum over classes bounds the
sets of items up to it; so of items in this order, an item is the last one of a set only
if the bound up to it is enough, and only such are branched on, the last one first. That
is how cliques are bounded by colours [TomitaSeki03].

Where some pairs cost less than nothing, an item is paid half of these from the
beginning, and all items count as touching.

References
----------
[TomitaSeki03] E. Tomita, T. Seki, "An efficient branch-and-bound algorithm for finding
a maximum clique", Discrete Mathematics and Theoretical Computer Science, 2003.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.pair_partition.searched import (
    Asked,
    Costs,
    Found,
    is_admissible,
    keep,
    reduced_of,
)

_NEVER: Final = -(2**62)
"""Below every worth."""


class _Levels(NamedTuple):
    """Of every set on the way, what it may take."""

    items: IntArray  # [level, place]: available, those that touch last
    upper: IntArray  # [level, place]: what items up to this one add at most
    left: IntArray  # [level]: places that are not branched on yet
    touching: IntArray  # [level]: the first place of items that touch
    touch: BoolArray  # [level, item]
    paying: IntArray  # [level, item]: pairs with the set
    worth: IntArray  # [level]


class _Packing(NamedTuple):
    """Working memory of a bound by classes."""

    gain: IntArray  # [item]
    cheapest: IntArray  # [item]: what leads to the set costs, if it does not touch
    of: IntArray  # [item]: its class
    most: IntArray  # [class]: what its items add at most
    beside: IntArray  # [class]: what its items add beside the next one


@compiled
def search(
    costs: Costs,
    asked: Asked,
    order: IntArray,  # [place]: items, as they come first in groups
    effort: int,
    found: Found,
    least: IntArray,
    flag: ByteArray,
) -> int:
    """Fill `found` and `least`; return the number of groups, -1 if that is too much."""
    n = len(order)
    depth = min(n, costs.most) + 1
    levels = _Levels(
        np.zeros((depth, n), dtype=np.int64),
        np.zeros((depth, n), dtype=np.int64),
        np.zeros(depth, dtype=np.int64),
        np.zeros(depth, dtype=np.int64),
        np.zeros((depth, n), dtype=np.bool_),
        np.zeros((depth, n), dtype=np.int64),
        np.zeros(depth, dtype=np.int64),
    )
    packing = _Packing(
        np.zeros(n, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
    )
    inside = np.zeros(n, dtype=np.bool_)
    stack = np.zeros(n + 1, dtype=np.int64)
    available = np.zeros(n, dtype=np.int64)
    counted = np.zeros(n, dtype=np.int64)  # by class of those that are together
    count = 0
    for place in range(n):
        # The set is one item, and those after it in the order are available.
        first = order[place]
        many = 0
        for later in order[place + 1 :]:
            if not costs.apart[first, later]:
                available[many] = later
                many += 1
            levels.touch[0, later] = costs.adjacent[first, later]
            levels.paying[0, later] = costs.matrix[first, later]
        levels.worth[0] = asked.weights[first] - asked.group
        stack[0], inside[first] = first, True
        held, looked, pairs = 1, 0, 0
        bar, open_end = -asked.spare - 1, _NEVER
        entering = True
        while held > 0:
            level = held - 1
            if entering:
                # A new set: is it a group that is wanted?
                entering = False
                looked += 1
                if flag[0] != 0:
                    return -1
                worth = levels.worth[level]
                if held >= costs.least and worth > bar:
                    given = worth + asked.scale * pairs + asked.group
                    reduced = reduced_of(costs, asked, inside, held, pairs, given)
                    if -reduced > bar and is_admissible(costs, stack, held, counted):
                        count = keep(found, count, stack, held, reduced)
                        if count < 0:
                            return -1
                        if asked.only_better:
                            bar = -reduced
                levels.left[level] = 0
                if held < costs.most:
                    many = _reached(costs, levels.touch[level], available, many)
                    _expand(costs, asked, levels, level, available, many, bar, packing)
            # Branch on the last item that is worth it.
            p = levels.left[level] - 1
            while (
                p >= levels.touching[level]
                and levels.worth[level] + levels.upper[level, p] <= bar
            ):
                p -= 1
            if p >= levels.touching[level] and looked <= effort:
                levels.left[level] = p
                item = levels.items[level, p]
                many = 0
                for q in range(p):
                    j = levels.items[level, q]
                    if not costs.apart[item, j]:
                        available[many] = j
                        many += 1
                    touches = levels.touch[level, j] or costs.adjacent[item, j]
                    levels.touch[held, j] = touches
                    paying = levels.paying[level, j] + costs.matrix[item, j]
                    levels.paying[held, j] = paying
                paid = levels.paying[level, item]
                pairs += paid
                gained = asked.weights[item] - asked.scale * paid
                levels.worth[held] = levels.worth[level] + gained
                stack[held], inside[item] = item, True
                held += 1
                entering = True
                continue
            # Go back; what is left open bounds the sets that were not looked at.
            while p >= levels.touching[level]:
                open_end = max(open_end, levels.worth[level] + levels.upper[level, p])
                p -= 1
            held -= 1
            inside[stack[held]] = False
            if held > 0:
                pairs -= levels.paying[held - 1, stack[held]]
        least[first] = -max(bar, open_end) if asked.only_better else -open_end
    return count


@inlined
def _reached(costs: Costs, touch: BoolArray, available: IntArray, many: int) -> int:
    """Leave out available items that a set cannot reach; return how many are left."""
    if not costs.far:
        return many
    front = 0
    for p in range(many):
        if touch[available[p]]:
            available[front], available[p] = available[p], available[front]
            front += 1
    done = 0
    while done < front:
        item = available[done]
        done += 1
        for p in range(front, many):
            if costs.adjacent[item, available[p]]:
                available[front], available[p] = available[p], available[front]
                front += 1
    return front


@inlined
def _expand(
    costs: Costs,
    asked: Asked,
    levels: _Levels,
    level: int,
    available: IntArray,
    many: int,
    bar: int,
    packing: _Packing,
) -> None:
    """List the items that a set may take, and what those up to each add at most."""
    items, upper = levels.items[level], levels.upper[level]
    touch, paying = levels.touch[level], levels.paying[level]
    gain, cheapest = packing.gain, packing.cheapest
    # What does every item gain, and all of them?
    total = levels.worth[level] - bar
    for p in range(many):
        j = available[p]
        if touch[j] or costs.relieved:
            gain[j] = asked.weights[j] - asked.scale * paying[j]
            if costs.relieved:
                paid = 0
                for q in range(many):
                    paid += min(0, costs.matrix[j, available[q]])
                gain[j] -= asked.scale * paid // 2
        else:
            cheapest[j] = -_NEVER  # it can be reached, so there is a cheaper one
            for q in range(many):
                other = available[q]
                if costs.adjacent[j, other]:
                    cheapest[j] = min(cheapest[j], costs.matrix[j, other])
            gain[j] = asked.weights[j] - asked.scale * cheapest[j]
        total += max(0, gain[j])
    if total <= 0:
        return
    # Far items first, then those that touch; of both those that gain last, the best
    # ones in the end.
    count = far = near = best = 0
    for kind in range(4):
        if kind == 1:
            far = count
        elif kind == 2:
            near = count
        elif kind == 3:
            best = count
        for p in range(many):
            j = available[p]
            if touch[j] != (kind > 1) or (gain[j] > 0) != (kind % 2 == 1):
                continue
            if total + min(0, gain[j]) <= 0:
                continue
            q = count
            while kind == 3 and q > best and gain[items[q - 1]] > gain[j]:
                items[q] = items[q - 1]
                q -= 1
            items[q] = j
            count += 1
    # Pack what gains into classes, in this order.
    classes, bound = 0, 0
    for p in range(far, near):
        classes, bound = _packed(
            costs, asked, items, far, near, best, p, touch, packing, classes, bound
        )
    for p in range(near, best):
        upper[p] = bound + gain[items[p]]
    for p in range(best, count):
        classes, bound = _packed(
            costs, asked, items, far, near, best, p, touch, packing, classes, bound
        )
        upper[p] = bound
    levels.left[level], levels.touching[level] = count, near


@inlined
def _packed(
    costs: Costs,
    asked: Asked,
    items: IntArray,
    far: int,
    near: int,
    best: int,
    place: int,
    touch: BoolArray,
    packing: _Packing,
    classes: int,
    bound: int,
) -> tuple[int, int]:
    """Put an item into the class that grows least; return the classes and the bound."""
    gain, cheapest, of, most, beside = packing
    item = items[place]
    for c in range(classes):
        beside[c] = 0
    for p in range(far, place):
        if near <= p < best:
            continue
        other = items[p]
        cost = max(0, costs.matrix[item, other])
        if cost > 0 and not costs.relieved:
            # Whoever is far pays for its cheapest pair already.
            spared = 0
            if not touch[item]:
                spared = cheapest[item]
            if not touch[other]:
                spared = max(spared, cheapest[other])
            cost = max(0, cost - spared)
        beside[of[other]] += max(0, gain[other] - asked.scale * cost)
    chosen, grown = classes, gain[item]
    for c in range(classes):
        more = gain[item] + min(most[c], beside[c]) - most[c]
        if more < grown:
            chosen, grown = c, max(0, more)
    if chosen == classes:
        most[chosen] = 0
        classes += 1
    of[item] = chosen
    most[chosen] += grown
    return classes, bound + grown
