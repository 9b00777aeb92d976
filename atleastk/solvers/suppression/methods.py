"""The utility-preserving suppression family: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.suppression.auto`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.suppression import Suppression
from atleastk.models.encodings.suppression import cell_model
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.modelled import Methods
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
from atleastk.solvers.tables.closed_patterns import MODELLED_PAIRS
from atleastk.solvers.tables.leaders import refuses_leaders

__all__ = ["METHODS", "solve"]

Minimise = Callable[[Search[Suppression], Backend, str], None]


def _minimise_patterns(
    search: Search[Suppression], backend: Backend, source: str
) -> None:
    listed = Listing.of(search.instance, search.budget, MODELLED_PAIRS)
    if listed is not None:
        if isinstance(backend, Highs):
            backend = highs_for(search.instance)
        minimise_by_patterns(search, listed, backend, source)
    elif not search.budget.spent:
        raise NotApplicableError(_refuses_patterns(search.instance))


def _minimise_cells(search: Search[Suppression], backend: Backend, source: str) -> None:
    minimise_encoded(search, cell_model(search.instance), backend, source)


def _or_k(minimise: Minimise) -> Minimise:
    """Return what minimises a cost, and maximises k by decisions."""

    def either(search: Search[Suppression], backend: Backend, source: str) -> None:
        def decide(decision: Search[Suppression]) -> None:
            if begin(decision, source):
                minimise(decision, backend, source)

        if search.instance.minimise == "k":
            maximise_k(search, decide, source)
        else:
            minimise(search, backend, source)

    return either


def _refuses_patterns(instance: Suppression) -> str | None:
    reason = listing.refuses(instance)
    if reason is not None:
        return reason
    if Listing.of(instance, Budget(), MODELLED_PAIRS) is None:
        return f"its patterns match more than {MODELLED_PAIRS} row kinds in all"
    return None


_BEGUN: Final = Methods(begin)
_WHOLE: Final[Methods[Suppression]] = Methods(lambda *_: True)

METHODS: Sequence[Method[Suppression]] = (
    *_BEGUN.each(
        "rows assigned to patterns",
        _or_k(_minimise_patterns),
        {"patterns": Highs(), "patterns-cp-sat": CpSat()},
        _refuses_patterns,
    ),
    *_BEGUN.each(
        "cells, and rows led by one another",
        _or_k(_minimise_cells),
        {"cells": CpSat(), "sat": Sat()},
        lambda instance: refuses_leaders(instance.n, instance.m),
    ),
    _WHOLE.one(
        "deletion",
        "sets of deleted columns that hit all conflicts; deletion problems only",
        "combinatorial",
        minimise_deletion,
        refuses_deletion,
    ),
    _WHOLE.one(
        "exhaustive",
        "all suppressions of all regions [Chaytor06, Lemmas 4.3.2 - 4.3.4]",
        "combinatorial",
        search_all,
        exhaustive.refuses,
    ),
)
