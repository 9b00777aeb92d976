"""The utility-preserving suppression family: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.suppression.auto`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.suppression import Suppression
from atleastk.models.encodings.suppression import cell_model
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.modelled import begun
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search
from atleastk.solvers.suppression import exhaustive, listing
from atleastk.solvers.suppression.auto import solve
from atleastk.solvers.suppression.deletion import minimise_deletion
from atleastk.solvers.suppression.deletion import refuses as refuses_deletion
from atleastk.solvers.suppression.exhaustive import search_all
from atleastk.solvers.suppression.first import begin
from atleastk.solvers.suppression.largest_k import maximise_k
from atleastk.solvers.suppression.listing import Listing
from atleastk.solvers.suppression.pattern_search import highs_for, minimise_by_patterns

__all__ = ["METHODS", "solve"]

_MOST_PAIRS = 400_000
"""Pairs of a pattern and a row kind it matches: models of 1.6 million entries."""
_MOST_CELLS = 300_000
"""Pairs of rows times columns: models of 1.6 million entries, written in a second."""


def _minimise_patterns(
    search: Search[Suppression],
    source: str,
    backend_for: Callable[[Suppression], Backend],
) -> None:
    listed = Listing.of(search.instance, search.budget, _MOST_PAIRS)
    if listed is not None:
        minimise_by_patterns(search, listed, backend_for(search.instance), source)
    elif not search.budget.spent:
        raise NotApplicableError(_refuses_patterns(search.instance))


def _minimise_cells(search: Search[Suppression], source: str, backend: Backend) -> None:
    minimise_encoded(search, cell_model(search.instance), backend, source)


def _refuses_patterns(instance: Suppression) -> str | None:
    reason = listing.refuses(instance)
    if reason is not None:
        return reason
    if Listing.of(instance, Budget(), _MOST_PAIRS) is None:
        return f"its patterns match more than {_MOST_PAIRS} row kinds in all"
    return None


def _refuses_cells(instance: Suppression) -> str | None:
    cells = instance.n * instance.n // 2 * max(1, instance.m)
    if cells > _MOST_CELLS:
        return f"{instance.n} rows are too many to be led by one another"
    return None


def _method(
    name: str,
    summary: str,
    family: str,
    minimise: Callable[[Search[Suppression], str], None],
    refuses: Callable[[Suppression], str | None],
) -> Method[Suppression]:
    """Return the method of one engine; k is maximised by its decisions."""

    def either(search: Search[Suppression], source: str) -> None:
        if search.instance.minimise == "k":
            maximise_k(search, run, source)
        else:
            minimise(search, source)

    run = begun(begin, either, name)
    return Method(name, summary, family, run, refuses)


def _by_patterns(
    name: str, solver: str, family: str, backend_for: Callable[[Suppression], Backend]
) -> Method[Suppression]:
    return _method(
        name,
        f"rows assigned to patterns, in {solver}",
        family,
        partial(_minimise_patterns, backend_for=backend_for),
        _refuses_patterns,
    )


def _by_cells(name: str, solver: str, backend: Backend) -> Method[Suppression]:
    return _method(
        name,
        f"cells, and rows led by one another, in {solver}",
        backend.family,
        partial(_minimise_cells, backend=backend),
        _refuses_cells,
    )


METHODS: Sequence[Method[Suppression]] = (
    _by_patterns("patterns", "HiGHS", Highs.family, highs_for),
    _by_patterns("patterns-cp-sat", "CP-SAT", CpSat.family, lambda _: CpSat()),
    _by_cells("cells", "CP-SAT", CpSat()),
    _by_cells("sat", "SAT", Sat()),
    Method(
        "deletion",
        "sets of deleted columns that hit all conflicts; deletion problems only",
        "combinatorial",
        partial(minimise_deletion, source="deletion"),
        refuses_deletion,
    ),
    Method(
        "exhaustive",
        "all suppressions of all regions [Chaytor06, Lemmas 4.3.2 - 4.3.4]",
        "combinatorial",
        partial(search_all, source="exhaustive"),
        exhaustive.refuses,
    ),
)
