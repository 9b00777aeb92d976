"""The utility-preserving suppression family: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.suppression.auto`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from atleastk.instances.errors import NotApplicableError
from atleastk.instances.suppression import Suppression
from atleastk.models.encodings.suppression import cell_model
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.encoded import minimise_encoded
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
_MOST_CELLS = 300_000


def _run(
    search: Search[Suppression],
    minimise: Callable[[Search[Suppression]], None],
    source: str,
) -> None:
    """Minimise with one engine; k is maximised by its decisions."""
    if not begin(search, source):
        return
    if search.instance.minimise == "k":
        maximise_k(search, partial(_run, minimise=minimise, source=source), source)
    else:
        minimise(search)


def _by_patterns(
    search: Search[Suppression],
    backend_for: Callable[[Suppression], Backend],
    source: str,
) -> None:
    listed = Listing.of(search.instance, search.budget, _MOST_PAIRS)
    if listed is not None:
        minimise_by_patterns(search, listed, backend_for(search.instance), source)
    elif not search.budget.spent:
        raise NotApplicableError(_refuses_patterns(search.instance))


def _by_cells(search: Search[Suppression], backend: Backend, source: str) -> None:
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


def _patterns_method(
    name: str,
    summary: str,
    family: str,
    backend_for: Callable[[Suppression], Backend],
) -> Method[Suppression]:
    minimise = partial(_by_patterns, backend_for=backend_for, source=name)
    run = partial(_run, minimise=minimise, source=name)
    return Method(name, summary, family, run, _refuses_patterns)


def _cells_method(name: str, summary: str, backend: Backend) -> Method[Suppression]:
    minimise = partial(_by_cells, backend=backend, source=name)
    run = partial(_run, minimise=minimise, source=name)
    return Method(name, summary, backend.family, run, _refuses_cells)


METHODS: Sequence[Method[Suppression]] = (
    _patterns_method(
        "patterns", "rows dealt out to patterns, in HiGHS", Highs.family, highs_for
    ),
    _patterns_method(
        "patterns-cp-sat",
        "rows dealt out to patterns, in CP-SAT",
        CpSat.family,
        lambda _: CpSat(),
    ),
    _cells_method("cells", "cells, and rows led by one another, in CP-SAT", CpSat()),
    _cells_method("sat", "cells, and rows led by one another, in SAT", Sat()),
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
