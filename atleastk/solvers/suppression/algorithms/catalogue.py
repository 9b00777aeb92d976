"""The forest algorithm on four problems of the suppression family [Chaytor06, 5.3].

The groups are those of :mod:`~atleastk.solvers.tables.forest`
(approx-gr of k-anonymity); what is suppressed follows from the problem. It is
defined where nothing but the cost counts: no limits, no importance orders, no intact
columns. A table of less than k rows is one group, which the checker refuses.

=========================  ====================================
problem                    ratio at most, for k >= 2
=========================  ====================================
``forest-entries``         3k - 3
``forest-per-row``         min(n - 1, 3k - 4)
``forest-per-column``      min(n / k, m (3k - 3))
``forest-columns``         min(n - 1, m)
=========================  ====================================

Proofs
------
A root u gets an edge as long as its (k-1)-th nearest row is far, d(u), at most. In
every solution u has k - 1 equals, so it has d(u) suppressed cells or more.

- *Entries*: see :mod:`~atleastk.solvers.tables.forest`.
- *Per row*: every edge is at most the optimum, since d(u) is. A row has no more
  suppressed cells than the edges of its part are long together. Those are 3k - 4 at
  most, and n - 1: a part of at most 2k - 2 rows around a row of another part has an
  edge for each of its rows; all others, of at most 3k - 3 rows, are trees on these
  rows alone, since what remains at a root is joined by an edge from a row of its own.
- *Per column*: no column has more suppressed cells than the table, which are (3k - 3)
  times the optimum of entries at most; and that is m times the optimum here at most.
  If anything is suppressed, then k cells of a column at least, and at most n.
- *Columns*: if some columns suffice then d(u) is at most their number for all rows u,
  since k - 1 others differ from u only there. The columns suppressed differ along some
  edge, and there are n - 1 edges at most. Where a column is needed m are enough.

Families of :mod:`atleastk.instances.generators.suppression` attain the factors n / k
of per-column (``tight-chain``), and one of order n of columns (``tight-forest``).

As printed
----------
The paper promises n for cells per row and for columns, m (3k - 3) for cells per column
and 3k - 3 for entries. The algorithms are the same; the promises are sharper here: of
cells per row the paper has only the sum of all edges, at most n times the optimum.

References
----------
[Aggarwal05] G. Aggarwal et al., "Anonymizing Tables", ICDT 2005, section 6.
[Chaytor06] R. Chaytor, "Utility-Preserving k-Anonymity", 2006, section 5.3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from atleastk.instances.suppression import Suppression
from atleastk.models.results.guarantee import Guarantee, Times
from atleastk.models.suppression import SuppressionSolution, solution_of_groups
from atleastk.solvers.k_anonymity.algorithms.catalogue import approx_gr
from atleastk.solvers.method import Algorithm

_HYPOTHESES = "k >= 2, and there are no limits, orders and intact columns"


def _applies(instance: Suppression) -> bool:
    return instance.k >= 2 and _refuses_limits(instance) is None


def _guarantee(
    ratio: str, source: str, factor: Callable[[Suppression], Fraction | int]
) -> Guarantee:
    return Guarantee(
        statement=f"cost <= {ratio} * OPT",
        theorem=f"[Chaytor06] {source}",
        hypotheses=_HYPOTHESES,
        ceiling=Times(factor),
        applies=_applies,
    )


def _of_entries(instance: Suppression) -> int:
    return 3 * instance.k - 3


def _of_per_row(instance: Suppression) -> int:
    return min(instance.n - 1, 3 * instance.k - 4)


def _of_per_column(instance: Suppression) -> Fraction:
    most = instance.m * (3 * instance.k - 3)
    return min(Fraction(instance.n, instance.k), Fraction(most))


def _of_columns(instance: Suppression) -> int:
    return min(instance.n - 1, instance.m)


LEMMA_5_3_1 = _guarantee("(3k - 3)", "Lemma 5.3.1", _of_entries)

COROLLARY_5_3_2 = _guarantee(
    "min(n - 1, 3k - 4)", "Corollary 5.3.2, sharpened", _of_per_row
)

COROLLARY_5_3_3 = _guarantee(
    "min(n / k, m (3k - 3))", "Corollary 5.3.3, sharpened", _of_per_column
)

COROLLARY_5_3_4 = _guarantee("min(n - 1, m)", "Corollary 5.3.4, sharpened", _of_columns)


def forest_groups(instance: Suppression, seed: int = 0) -> SuppressionSolution:
    """Group rows by trees of near ones; the seed has no effect."""
    return solution_of_groups(instance, approx_gr(instance, seed).groups)


def _refuses_limits(instance: Suppression) -> str | None:
    """Return the restriction of an instance that the groups ignore, or None."""
    restrictions = {
        f"limits on {', '.join(instance.limits)}": instance.limits,
        "importance orders": instance.row_order or instance.column_order,
        "intact columns": instance.intact,
    }
    for what, given in restrictions.items():
        if given:
            return f"it knows nothing of {what}"
    return None


def _refuses(cost: str) -> Callable[[Suppression], str | None]:
    def refuses(instance: Suppression) -> str | None:
        if instance.minimise != cost:
            return f'it minimises "{cost}", not "{instance.minimise}"'
        return _refuses_limits(instance)

    return refuses


def _forest(what: str, cost: str, guarantee: Guarantee) -> Algorithm[Suppression]:
    return Algorithm(
        f"forest-{cost.replace('_', '-')}",
        f"Trees of rows and their nearest ones, cut into parts: {what}",
        forest_groups,
        guarantee,
        _refuses(cost),
    )


ALGORITHMS: Sequence[Algorithm[Suppression]] = (
    _forest("cells in all", "entries", LEMMA_5_3_1),
    _forest("cells per row", "per_row", COROLLARY_5_3_2),
    _forest("cells per column", "per_column", COROLLARY_5_3_3),
    _forest("columns, which are deleted as a whole", "columns", COROLLARY_5_3_4),
)
