"""k-ambiguity: baselines.

fully-suppressed-rows
    Suppress k - 1 rows except for constant columns, then release what is not needed. At
    most (k - 1) m cells, by Lemma 1 of :mod:`atleastk.instances.k_ambiguity`: at most
    (k - 1) m times the optimum, and optimal for large tables of many values.
k-anonymous
    Make the table k-anonymous by an approximation algorithm, then release what is not
    needed. Never more cells than the k-anonymous table; no guarantee.

The seed decides in which order cells are released.
"""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.k_ambiguity import looks_of, solution_of
from atleastk.models.results.guarantee import Guarantee, Regardless
from atleastk.models.results.solution import Solution
from atleastk.models.tables.patterns import MOST_COLUMNS
from atleastk.solvers.k_ambiguity.local_search import released, suppressed_rows
from atleastk.solvers.k_anonymity.algorithms.catalogue import approx_dr, approx_gr
from atleastk.solvers.method import Algorithm
from atleastk.solvers.tables.closed_patterns import closed_patterns


def _k_less_one_rows(instance: KAmbiguity) -> int:
    return (instance.k - 1) * instance.m


LEMMA_1 = Guarantee(
    statement="cost <= (k - 1) m",
    theorem="Lemma 1 of atleastk.instances.k_ambiguity",
    ceiling=Regardless(_k_less_one_rows),
)


def fully_suppressed_rows(instance: KAmbiguity, seed: int = 0) -> Solution:
    """Suppress k - 1 rows, then release what is not needed."""
    return solution_of(instance, released(instance, suppressed_rows(instance), seed))


def k_anonymous(instance: KAmbiguity, seed: int = 0) -> Solution:
    """Make the table k-anonymous, then release what is not needed.

    By APPROX-DR, or APPROX-GR where the closed patterns are too many.
    """
    algorithm = approx_gr
    if instance.m <= MOST_COLUMNS and instance.n >= instance.k:
        patterns = closed_patterns(instance.records, instance.k)
        algorithm = approx_gr if patterns is None else approx_dr
    looks = looks_of(instance, algorithm(instance))
    return solution_of(instance, released(instance, looks, seed))


ALGORITHMS: Sequence[Algorithm[KAmbiguity]] = (
    Algorithm(
        "fully-suppressed-rows",
        "k - 1 rows are suppressed, less the cells that are not needed",
        fully_suppressed_rows,
        LEMMA_1,
    ),
    Algorithm(
        "k-anonymous",
        "A k-anonymous table, less the cells that are not needed",
        k_anonymous,
    ),
)
