"""Interval covering: exact polynomial algorithms, and a model to agree with.

Write P_0 = 0 < P_1 < ... < P_n = S for the prefix sums; an interval from position i to
j has level P_j - P_i.

``max``, O(n log S)
    Whether intervals of level k to K make up the row takes O(n) for each K; see
    :mod:`~atleastk.solvers.engine.intervals`. That is monotone in K: bisect.

``excess``, O(n)
    The cost is S - k * (number of intervals), so find the most intervals: close one as
    soon as it reaches k, and merge what is left over into the last. By induction the
    t-th interval closed ends no later than the t-th interval of any solution, so no
    solution has more.

``quadratic``, O(n log n)
    f_j = min over i of f_i + w(i, j), w(i, j) = L (L - k) for L = P_j - P_i >= k. An
    optimum has no interval of level above W = 2k - 2 + max x: it could be cut into two
    of level >= k (cut where the first part reaches k), of levels a and b, which saves
    2ab. For i < i' the difference of their candidates at j grows with j, so i is better
    up to some position and i' after it: a queue of candidates, each the best on a
    stretch, with the crossings found by bisection. In 64 bits while S * W < 2^61.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final

from atleastk.instances.interval_covering import IntervalCovering
from atleastk.models.covering import is_feasible, levels, total_cost
from atleastk.models.encodings.interval_covering import interval_model
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.rows import Row, row, worth_compiling
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.engine.intervals import least_level, trace
from atleastk.solvers.engine.modelled import Methods, at_most
from atleastk.solvers.interval_covering.first import (
    first_answers,
    greedy_ends,
    intervals_between,
    most_intervals,
)
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search

_MOST_ITEMS: Final = 100
"""Of which all 5,050 intervals are listed; they are in 171,700 entries."""


def best_intervals(instance: IntervalCovering) -> PackedGroups | None:
    """Return the intervals of an optimal solution; None if infeasible."""
    if not is_feasible(instance):
        return None
    if not instance.n:
        return intervals_between([])
    match instance.objective:
        case "max":
            ends = least_maximum(instance.sizes, instance.k)
        case "excess":
            ends = most_intervals(instance.sizes, instance.k)
        case "quadratic":
            ends = least_quadratic(instance.sizes, instance.k)
    return intervals_between(ends)


def least_maximum(sizes: Sequence[int], k: int) -> list[int]:
    """Return the ends of intervals of level >= k whose greatest level is least."""
    total = sum(sizes)
    fits = worth_compiling(len(sizes), total)
    sums = row(accumulate(sizes, initial=0), fits=fits)
    before = row((0 for _ in range(len(sizes) + 1)), fits=fits)
    low = max(k, *sizes, -(-total // (total // k)))
    ends = pairwise((0, *most_intervals(sizes, k)))
    high = max(int(sums[end] - sums[start]) for start, end in ends)
    least_level(sums, k, low, high, before, fits=fits)
    return trace(before)


def least_quadratic(sizes: Sequence[int], k: int) -> list[int]:
    """Return the ends of intervals of level L >= k with the least sum of L (L - k)."""
    total, widest = sum(sizes), 2 * k - 2 + max(sizes)
    fits = worth_compiling(len(sizes), 2 * total * max(widest, 1))
    positions = range(len(sizes) + 1)
    sums = row(accumulate(sizes, initial=0), fits=fits)
    costs, before, queue, since = (
        row((0 for _ in positions), fits=fits) for _ in range(4)
    )
    quadratic = _quadratic_compiled if fits else _quadratic
    quadratic(sums, k, widest, costs, before, queue, since)
    return trace(before)


def solve(search: Search[IntervalCovering]) -> None:
    """Solve the instance of a search to optimality."""
    instance = search.instance
    source = "dynamic-program"
    intervals = best_intervals(instance)
    if intervals is None:
        search.close_infeasible(source, {"kind": "total"})
        return
    solution = Solution.of(intervals)
    cost = total_cost(instance, levels(instance, solution))
    search.offer(solution, source)
    search.raise_bound(cost, source, _certificate(instance, cost))


def _certificate(instance: IntervalCovering, cost: int) -> Mapping[str, Any]:
    """Return a certificate that no solution costs less."""
    match instance.objective:
        case "max":
            return {"kind": "reachability", "cost": cost}
        case "excess":
            ends = greedy_ends(instance.sizes, instance.k)
            return {"kind": "hitting", "items": [end - 1 for end in ends]}
        case "quadratic":
            return {"kind": "prefixes"}


def _begin(search: Search[IntervalCovering], source: str) -> bool:
    """Offer the most intervals, or report that there is no solution."""
    instance = search.instance
    if not is_feasible(instance):
        search.close_infeasible(source, {"kind": "total"})
        return False
    offer_first(search, first_answers(instance))
    return True


METHODS: Sequence[Method[IntervalCovering]] = (
    Method(
        "dynamic-program",
        "Prefix dynamic programs; O(n log S) for max, O(n log n) for the others",
        "combinatorial",
        solve,
        polynomial=True,
    ),
    *Methods(_begin).modelled(
        "choose among all intervals",
        interval_model,
        {"intervals": CpSat(), "intervals-highs": Highs()},
        at_most(_MOST_ITEMS, "items"),
    ),
)


@inlined
def _candidate(sums: Row, costs: Row, k: int, i: int, j: int) -> int:
    """Return the cost at j if the last interval begins at i."""
    level = sums[j] - sums[i]
    total: int = costs[i] + level * (level - k)
    return total


@inlined
def _crossing(
    sums: Row, costs: Row, k: int, widest: int, a: int, b: int, now: int
) -> int:
    """Return the first position from `now` on where b > a is as good as a.

    That is at the latest where the level from a exceeds the widest.
    """
    low, high = now, len(sums)
    while low < high:
        j = (low + high) // 2
        if sums[j] - sums[a] > widest or _candidate(sums, costs, k, b, j) <= _candidate(
            sums, costs, k, a, j
        ):
            high = j
        else:
            low = j + 1
    return low


@inlined
def _quadratic(
    sums: Row,
    k: int,
    widest: int,
    costs: Row,
    before: Row,
    queue: Row,
    since: Row,
) -> None:
    """Fill in costs and predecessors (-1: unreached): a monotone queue of candidates.

    ``sums``, ``costs`` and ``before`` are indexed [position], ``queue`` and ``since``,
    which are scratch, [place in the queue].

    ``since[t]`` is the position from which candidate ``queue[t]`` beats the one before.
    """
    front, back, looked = 0, 0, 0
    for j in range(1, len(sums)):
        # Positions that are at least k below j enter; who is best nowhere leaves.
        while looked < j and sums[j] - sums[looked] >= k:
            if before[looked] >= 0:
                cross = j
                while back > front:
                    cross = _crossing(
                        sums, costs, k, widest, queue[back - 1], looked, j
                    )
                    if back - 1 > front and cross <= since[back - 1]:
                        back -= 1
                    else:
                        break
                queue[back] = looked
                since[back] = cross
                back += 1
            looked += 1
        # The first in the queue is the best at j.
        while back - front > 1 and since[front + 1] <= j:
            front += 1
        if back > front and sums[j] - sums[queue[front]] <= widest:
            before[j] = queue[front]
            costs[j] = _candidate(sums, costs, k, queue[front], j)
        else:
            before[j] = -1


_quadratic_compiled = compiled(_quadratic)
