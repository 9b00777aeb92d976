"""Standard sizes: approximation algorithms, and what is promised of them.

``longest-first``
    Runs of k pieces from the longest on, the first of k + s if s are left over. It
    costs at most 2 - 1/k times the optimum.

    *Proof.* Let a_0 >= a_1 >= ... be the lengths. The longest piece shares its size
    with k - 1 others, so the optimum is at least k a_0 + a_k + a_(k+1) + ... A later
    run costs k times its longest piece, so no more than the k pieces up to that one;
    all of these have a rank above s. Hence the cost is at most
    (k + s) a_0 + a_(s+1) + a_(s+2) + ... <= (2k - 1) a_0 + a_k + a_(k+1) + ...
    The family ``one-long`` comes as close to the factor as one likes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from atleastk.instances.standard_sizes import StandardSizes
from atleastk.models.results.guarantee import Guarantee, Times
from atleastk.models.results.solution import Solution
from atleastk.solvers.method import Algorithm
from atleastk.solvers.standard_sizes.first import longest_first


def _longest_first(instance: StandardSizes, _seed: int) -> Solution:
    return Solution.of(longest_first(instance))


def _factor(instance: StandardSizes) -> Fraction:
    return 2 - Fraction(1, instance.k)


ALGORITHMS: Sequence[Algorithm[StandardSizes]] = (
    Algorithm(
        "longest-first",
        "Runs of k pieces from the longest on, the remainder with the first",
        _longest_first,
        Guarantee(
            "cost <= (2 - 1/k) * OPT",
            "proved in its file",
            Times(_factor),
        ),
    ),
)
