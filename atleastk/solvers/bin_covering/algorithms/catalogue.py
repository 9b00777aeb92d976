"""Min-max bin covering: the approximation algorithms of [Du09].

Fold (Theorem 7)
    Heavy items (size >= k) get bins of their own, the others fill bins in order; what
    is left over goes to one bin, the least (``fold``) or the last (``fold-last``).
    Cost <= max(k - 1 + max x, 3k - 3). Tight for both:
    k - 1 items k - 1, then k - 1 ones, k odd: 3k - 3, the optimum is k. Decreasing
    order does not help: {7 x4, 2 x4}, k = 9 costs 22, the optimum is 9.

Spread (section 5)
    As Fold, but the leftovers go one by one to the emptiest bin while that does not
    raise the fullest, and then round robin from the first. The paper proves nothing of
    it; the proof of Theorem 7 bounds it by max(k - 1 + max x, 3k - 3) as well. Round
    robin is the weak step:

    - any order: k - 1 ones, then k - 1 items k - 1, k odd: 3k - 3, the optimum is k;
    - decreasing order: {k - 1 x3, k / 2 x2, 1 x3}, k even, k >= 8: 5/2 k - 1, the
      optimum is k. {98 x3, 71, 50, 49 x3, 10 x3, 3 x3, 1 x3}, k = 100, costs 259, the
      optimum is 101; with finer sizes 26062 against 10040 is the worst known;
    - ``spread-emptiest`` goes on with the emptiest bin: on {17 x2, 15 x2, 5 x2, 3 x2},
      k = 20, 41, where the optimum is k, and 21/10 in the limit of ``worst-spread``.

Longest processing time first
    See :mod:`atleastk.solvers.bin_covering.algorithms.longest_first`.

Five halves (Theorem 10)
    See :mod:`atleastk.solvers.bin_covering.algorithms.five_halves`.

Theorem 11's scheme breaks level k by design, so it is not an algorithm for this
problem: see :mod:`atleastk.solvers.bin_covering.algorithms.relaxed_bins`.

All promises are for the objective ``max``. The solutions are feasible for the others.

As printed
----------
Fold's leftovers go to "some other bin": the least and the last are both here. The text
does not say in which direction "sorted" sorts. Its finding that random order often
beats sorted order fits increasing order only; both are here.

References
----------
[Du09] W. Du, D. Eppstein, M. T. Goodrich, G. S. Lueker, "On the Approximability of
Geometric and Geographic Generalization and the Min-Max Bin Covering Problem", 2009,
sections 4 and 5.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.covering import asks_max
from atleastk.models.results.guarantee import Guarantee, Times
from atleastk.models.results.solution import Solution
from atleastk.solvers.bin_covering.algorithms.five_halves import (
    five_halves,
    five_halves_printed,
    needs_search,
)
from atleastk.solvers.bin_covering.algorithms.greedy_bins import Leftovers, pack
from atleastk.solvers.bin_covering.algorithms.longest_first import longest_first
from atleastk.solvers.method import Algorithm


def _theorem_7_ceiling(instance: BinCovering, _optimum: int) -> int:
    k = instance.k
    return max(k - 1 + max(instance.sizes, default=0), 3 * k - 3)


THEOREM_7 = Guarantee(
    statement="cost <= max(k - 1 + max x, 3k - 3)",
    theorem="[Du09] Theorem 7",
    hypotheses="the objective is max",
    ceiling=_theorem_7_ceiling,
    applies=asks_max,
)

THEOREM_10 = Guarantee(
    statement="cost <= 5/2 * OPT",
    theorem="[Du09] Theorem 10",
    hypotheses="the objective is max",
    ceiling=Times(Fraction(5, 2)),
    applies=asks_max,
)


def _longest_first_ceiling(instance: BinCovering, optimum: int) -> int:
    k, largest = instance.k, max(instance.sizes, default=0)
    return min(2 * optimum, k - 1 + largest + max(k - 1, largest))


LONGEST_FIRST = Guarantee(
    statement="cost <= min(2 * OPT, k - 1 + max x + max(k - 1, max x))",
    theorem="our own; proof in bin_covering/algorithms/longest_first.py",
    hypotheses="the objective is max",
    ceiling=_longest_first_ceiling,
    applies=asks_max,
)


def ordered(sizes: Sequence[int], order: str, seed: int = 0) -> Sequence[int]:
    """Return the items in an order: given, decreasing, increasing or random."""
    items = list(range(len(sizes)))
    if order == "random":
        random.Random(seed).shuffle(items)
    elif order != "given":
        items.sort(key=sizes.__getitem__, reverse=order == "decreasing")
    return items


def _greedy(order: str, leftovers: Leftovers) -> Callable[[BinCovering, int], Solution]:
    """Return what fills bins in an order, and deals out what is left over."""

    def run(instance: BinCovering, seed: int) -> Solution:
        items = ordered(instance.sizes, order, seed)
        return Solution.of(pack(instance.sizes, instance.k, items, leftovers))

    return run


def _fold(name: str, order: str, *, last: bool = False) -> Algorithm[BinCovering]:
    to = "last" if last else "least"
    return Algorithm(
        name,
        f"Fold in {order} order, leftovers to the {to} bin; O(n)",
        _greedy(order, Leftovers.FOLD_LAST if last else Leftovers.FOLD_LEAST),
        THEOREM_7,
    )


def _spread(name: str, order: str, *, emptiest: bool = False) -> Algorithm[BinCovering]:
    end = "always the emptiest bin" if emptiest else "round robin in the end"
    return Algorithm(
        name,
        f"Spread in {order} order, leftovers one by one, {end}",
        _greedy(order, Leftovers.SPREAD_EMPTIEST if emptiest else Leftovers.SPREAD),
    )


ALGORITHMS: Sequence[Algorithm[BinCovering]] = (
    _fold("fold", "given"),
    _fold("fold-last", "given", last=True),
    _fold("fold-decreasing", "decreasing"),
    _fold("fold-increasing", "increasing"),
    _fold("fold-random", "random"),
    _spread("spread", "given"),
    _spread("spread-decreasing", "decreasing"),
    _spread("spread-increasing", "increasing"),
    _spread("spread-random", "random"),
    _spread("spread-emptiest", "decreasing", emptiest=True),
    Algorithm(
        "longest-processing-time",
        "Longest first into the emptiest bin, of as many as then reach k",
        longest_first,
        LONGEST_FIRST,
    ),
    Algorithm(
        "five-halves",
        "Greedy decreasing bins with a repaired end; O(n log n)",
        five_halves,
        THEOREM_10,
    ),
    Algorithm(
        "five-halves-printed",
        "Greedy decreasing bins, exhaustive search if there are at most three",
        five_halves_printed,
        THEOREM_10,
        needs_search,
    ),
)
