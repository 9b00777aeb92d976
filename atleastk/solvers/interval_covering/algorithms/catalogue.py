"""Interval covering: the greedy that fails.

``greedy-merge-last`` closes an interval at >= k and merges the rest into the last.

Theorem. ``greedy-merge-last`` costs at most OPT + k - 1, less than twice the optimum.

Proof. An interval is below k before its last item, so it weighs at most k - 1 and that
item, which is no more than OPT. What is left at the end weighs less than k: in any
solution the last interval has it and the item before it, and both together are at most
OPT. The last interval has these and less than k before them.

Tight: the family ``worst-greedy`` costs 2k - 1, the optimum is k + 1.

As printed
----------
[Du09, section 4] says that this problem "could be solved optimally in O(n log n) time
by a simple greedy algorithm". Every greedy we know of fails. ``greedy-merge-last``
costs 4 on (2, 1, 3), k = 2, where the optimum is 3; 5 on eight ones, k = 3, where it is
4; 9 on (2, 2, 3, 3, 3), k = 4, where it is 7. Deciding a cost K greedily, by closing
early or by extending while the level stays <= K, fails on (2, 1, 3) and (2, 1, 1, 3),
k = 2, with 4 against 3.
"""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.interval_covering import IntervalCovering
from atleastk.models.covering import asks_max
from atleastk.models.results.guarantee import Guarantee
from atleastk.models.results.solution import Solution
from atleastk.solvers.interval_covering.first import intervals_between, most_intervals
from atleastk.solvers.method import Algorithm


def _merge_last(instance: IntervalCovering, _seed: int) -> Solution:
    if not instance.n:
        return Solution(())
    if instance.total < instance.k:
        return Solution.of([range(instance.n)])
    return Solution.of(intervals_between(most_intervals(instance.sizes, instance.k)))


def _ceiling(instance: IntervalCovering, optimum: int) -> int:
    return optimum + instance.k - 1


LESS_THAN_TWICE = Guarantee(
    statement="cost <= OPT + k - 1 < 2 * OPT",
    theorem="our own; proof in interval_covering/algorithms/catalogue.py",
    hypotheses="the objective is max",
    ceiling=_ceiling,
    applies=asks_max,
)


ALGORITHMS: Sequence[Algorithm[IntervalCovering]] = (
    Algorithm(
        "greedy-merge-last",
        "Close an interval at k, merge the rest into the last; optimal for excess only",
        _merge_last,
        LESS_THAN_TWICE,
    ),
)
