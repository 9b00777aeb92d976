"""k-anonymity: the approximation algorithms of [ParkShim07] and of the papers before.

==================  ==========================================================
approx-naive        greedy cover by all sets of k..2k-1 rows; tiny tables
approx-fq           the same by all frequent itemsets
approx-cf           the same by closed frequent itemsets
approx-cf-1.8       the same without those of m / 1.8 stars or more
approx-dr           closed frequent itemsets one by one, leftovers repaired
approx-ds           greedy cover by balls [MeyersonWilliams04]; small tables
approx-gr           trees of near rows, cut into parts [Aggarwal05]
==================  ==========================================================

What is wrong or missing in the papers is described with the parts:
:mod:`~atleastk.solvers.k_anonymity.algorithms.greedy_cover` (covers, partitions),
:mod:`~atleastk.solvers.k_anonymity.algorithms.set_systems` (what they choose from),
:mod:`~atleastk.solvers.tables.direct` (approx-dr; as printed it may
leave rows in no group), :mod:`~atleastk.solvers.k_anonymity.algorithms.diameter_cover`
(approx-ds), :mod:`~atleastk.solvers.tables.forest` (approx-gr).

All are deterministic: the seed has no effect. A table of fewer than k rows is one
group, which the checker refuses.

References
----------
[ParkShim07] H. Park, K. Shim, "Approximate Algorithms for k-Anonymity", SIGMOD 2007.
[MeyersonWilliams04] A. Meyerson, R. Williams, "On the Complexity of Optimal
K-Anonymity", PODS 2004.
[Aggarwal05] G. Aggarwal et al., "Anonymizing Tables", ICDT 2005.
[Chaytor06] R. Chaytor, "Utility-Preserving k-Anonymity", 2006, section 5.3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from math import lcm
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.records import Records
from atleastk.models.results.guarantee import Guarantee, Times
from atleastk.models.results.solution import Solution
from atleastk.models.tables.patterns import MOST_COLUMNS, Patterns
from atleastk.solvers.k_anonymity.algorithms.diameter_cover import MOST_RECORDS, balls
from atleastk.solvers.k_anonymity.algorithms.greedy_cover import partition
from atleastk.solvers.k_anonymity.algorithms.set_systems import (
    MOST_SUBSETS,
    as_itemsets,
    of_patterns,
    row_subsets,
    subsets_to_list,
)
from atleastk.solvers.method import Algorithm
from atleastk.solvers.tables.closed_patterns import MOST_PAIRS, closed_patterns
from atleastk.solvers.tables.direct import direct
from atleastk.solvers.tables.forest import decomposed, forest
from atleastk.solvers.tables.listed_table import ListedTable

_MOST_BALL_COLUMNS = 2**15 - 1
"""Columns whose number fits the two bytes that hold a distance."""

_UNITS = lcm(*range(1, 43))
"""Summands of harmonic numbers are rounded up to multiples of 1 over this."""


@dataclass(frozen=True, slots=True)
class _Harmonic:
    """The factor beta (2k - 1)^power / k * (1 + 1/2 + ... + 1/k)."""

    beta: Fraction = Fraction(1)
    power: int = 1

    def __call__(self, instance: KAnonymity) -> Fraction:
        k = min(instance.k, max(1, instance.n))  # a table of fewer rows costs nothing
        return _harmonic(k, self.power) * self.beta


@cache
def _harmonic(k: int, power: int) -> Fraction:
    harmonic = sum(-(-_UNITS // i) for i in range(1, k + 1))
    return Fraction((2 * k - 1) ** power * harmonic, k * _UNITS)


def logarithmic(theorem: str, beta: Fraction = Fraction(1)) -> Guarantee:
    """Return the promise of greedy covers, which is less than that of the paper."""
    shown = "" if beta == 1 else f"{float(beta):g} "
    return Guarantee(
        statement=f"cost <= {shown}(2k - 1) / k * (1 + 1/2 + ... + 1/k) * OPT",
        theorem=f"[ParkShim07] {theorem}, sharpened in greedy_cover.py",
        ceiling=Times(_Harmonic(beta)),
    )


def _of_trees(instance: KAnonymity) -> int:
    return 3 * instance.k - 3


LEMMA_5_3_1 = Guarantee(
    statement="cost <= (3k - 3) * OPT",
    theorem="[Chaytor06] Lemma 5.3.1, [Aggarwal05] Theorem 3",
    ceiling=Times(_of_trees),
)


_BALLS = Guarantee(
    statement="cost <= (2k - 1)^2 / k * (1 + 1/2 + ... + 1/k) * OPT",
    theorem="the proof in diameter_cover.py",
    ceiling=Times(_Harmonic(power=2)),
)


def _direct_factor(instance: KAnonymity) -> Fraction:
    k = min(instance.k, max(1, instance.n))
    return Fraction(1 + (k - 1) * (instance.m + 2 * k - 2), k)


_DIRECT = Guarantee(
    statement="cost <= (1 + (k - 1) (m + 2k - 2)) / k * OPT",
    theorem="the proof in direct.py",
    ceiling=Times(_direct_factor),
)


def _naive(records: Records, k: int) -> IntArray:
    one_each = np.ones(records.n, dtype=np.int64)
    return partition(row_subsets(records, k), one_each, k)


def _fq(records: Records, k: int) -> IntArray:
    return partition(as_itemsets(_closed(records, k), records), records.copies, k)


def _cf(beta: Fraction, records: Records, k: int) -> IntArray:
    system = of_patterns(_closed(records, k), records.m, beta)
    return partition(system, records.copies, k)


def _dr(records: Records, k: int) -> IntArray:
    return direct(ListedTable(_closed(records, k), records, k))


def _ds(records: Records, k: int) -> IntArray:
    return partition(balls(records, k), records.copies, k)


def _gr(records: Records, k: int) -> IntArray:
    parts = decomposed(forest(records, k), records.copies, k)
    return records.row_groups(*parts)[records.rows]


def _solution(
    groups: Callable[[Records, int], IntArray], instance: KAnonymity, _seed: int = 0
) -> Solution:
    """Return the solution of a table whose rows get groups in the order of records."""
    records, k, n = instance.records, instance.k, instance.n
    if n < k:
        return Solution.of([range(n)] if n else [])
    labels = np.empty(n, dtype=np.int64)
    labels[records.rows] = groups(records, k)
    return Solution.labelled(labels)


def approx_cf(
    instance: KAnonymity, seed: int = 0, beta: Fraction = Fraction(1)
) -> Solution:
    """Cover by closed itemsets of few stars and convert: APPROX-CF, APPROX-CF-beta."""
    return _solution(partial(_cf, beta), instance, seed)


approx_dr: Final = partial(_solution, _dr)
"""Take closed itemsets by increasing stars: APPROX-DR, with leftovers repaired."""

approx_gr: Final = partial(_solution, _gr)
"""Grow trees of near rows and cut them into parts: APPROX-GR."""


def _closed(records: Records, k: int) -> Patterns:
    patterns = closed_patterns(records, k)
    if patterns is None:
        raise NotApplicableError(
            f"the closed patterns have more than {MOST_PAIRS} pairs with records; "
            "use approx-gr, or fewer columns"
        )
    return patterns


def _refuses_columns(instance: KAnonymity) -> str | None:
    if instance.m <= MOST_COLUMNS:
        return None
    return f"{instance.m} columns have too many subsets; it takes {MOST_COLUMNS}"


def _refuses_subsets(instance: KAnonymity) -> str | None:
    count = subsets_to_list(instance.n, instance.k)
    if count <= MOST_SUBSETS:
        return None
    return (
        f"{instance.n} rows have {count} sets of k..2k-1; it takes {MOST_SUBSETS}: "
        "approx-cf has the same promise"
    )


def _refuses_balls(instance: KAnonymity) -> str | None:
    if instance.m > _MOST_BALL_COLUMNS:
        return f"it takes {_MOST_BALL_COLUMNS} columns, not {instance.m}"
    distinct = instance.records.distinct
    if distinct <= MOST_RECORDS:
        return None
    return f"it takes {MOST_RECORDS} distinct records, not {distinct}: use approx-gr"


ALGORITHMS: Sequence[Algorithm[KAnonymity]] = (
    Algorithm(
        "approx-naive",
        "Greedy cover by all sets of k..2k-1 rows, converted",
        partial(_solution, _naive),
        logarithmic("Theorem 4.7"),
        _refuses_subsets,
    ),
    Algorithm(
        "approx-fq",
        "Greedy cover by all frequent itemsets, converted",
        partial(_solution, _fq),
        logarithmic("Theorem 4.11"),
        _refuses_columns,
    ),
    Algorithm(
        "approx-cf",
        "Greedy cover by closed frequent itemsets, converted",
        approx_cf,
        logarithmic("Theorem 4.14"),
        _refuses_columns,
    ),
    Algorithm(
        "approx-cf-1.8",
        "The same without the itemsets of m / 1.8 stars or more",
        partial(approx_cf, beta=Fraction(9, 5)),
        logarithmic("section 4.4", Fraction(9, 5)),
        _refuses_columns,
    ),
    Algorithm(
        "approx-dr",
        "Closed frequent itemsets by increasing stars, leftovers where they cost least",
        approx_dr,
        _DIRECT,
        _refuses_columns,
    ),
    Algorithm(
        "approx-ds",
        "Greedy cover by balls of least diameter, converted",
        partial(_solution, _ds),
        _BALLS,
        _refuses_balls,
    ),
    Algorithm(
        "approx-gr",
        "Trees of rows and their nearest ones, cut into parts of k..3k-3",
        approx_gr,
        LEMMA_5_3_1,
    ),
)
