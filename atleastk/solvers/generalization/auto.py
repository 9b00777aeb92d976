"""Generalisation: the automatic choice of methods.

- On attributes: descents, then predictive tagging of all nodes of the lattice, or of
  those left open; if they are too many, implicit hitting sets and more descents
  (:mod:`~atleastk.solvers.generalization.attributes`).
- On entries: the stages of all tables (:data:`atleastk.solvers.tables.stages.STAGES`),
  on a column for every level, at the price of that level
  (:mod:`~atleastk.models.tables.pseudo_columns`). Where rows may be dropped, those are
  chosen besides (:mod:`~atleastk.solvers.generalization.dropping`); where levels have
  limits the table falls apart (:mod:`~atleastk.solvers.generalization.blocks`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Final

from atleastk.arrays import IntArray
from atleastk.instances.generalization import Generalization
from atleastk.instances.records import Records
from atleastk.models.certificates.generalization import is_checkable
from atleastk.models.encodings.generalization import leader_model
from atleastk.models.generalization import completed
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.stages import begun
from atleastk.solvers.generalization.attributes import minimise_on_attributes
from atleastk.solvers.generalization.blocks import minimise_blocks
from atleastk.solvers.generalization.dropping import minimise_dropping
from atleastk.solvers.generalization.first import begin
from atleastk.solvers.generalization.full_domain import offer_full_domain
from atleastk.solvers.generalization.lattice_marks import MOST_NODES
from atleastk.solvers.generalization.least_levels import least_levels
from atleastk.solvers.search import Search
from atleastk.solvers.tables.stages import solve_table
from atleastk.solvers.tables.steps import Run

_NEARLY: Final = 0.9
_SECONDS_A_ROW: Final = 2e-5
"""The share of distinct rows from which, and the seconds left for each of them up to
which, groups of one node come first: those of near rows take 12 microseconds a row
(250,000 rows, 13 levels) and cost 4 % less."""

_SHARE: Final = 0.2
"""The share of the time left for bounds by nodes: not tuned."""


def run_of(search: Search[Any]) -> Run:
    """Return the table of a search on entries, in units of its costs."""
    instance = search.instance
    records, unit = records_of_levels(instance), instance.unit_of_levels
    weights, shared = records.weights, instance.unit // unit
    even = weights is None or bool((weights == shared).all())

    def least(part: Budget) -> IntArray:
        found: IntArray = least_levels(instance, part.share(_SHARE)) // unit
        if not even:
            found *= records.worth // shared
        return found

    return Run(
        search,
        replace(
            records,
            prices=records.price // unit,
            weights=None if even else records.worth // shared,
        ),
        instance.k,
        solution_of=partial(completed, instance),
        leaders=partial(leader_model, instance),
        unit=instance.unit,
        nested=instance.expanded_columns == records.m,
        certified=is_checkable(instance),
        least=least if instance.nodes <= MOST_NODES else None,
    )


def first_bound(search: Search[Generalization]) -> None:
    """Report what rows without k equals lose at least, before any solution."""
    instance = search.instance
    plain = instance.on == "entries" and instance.levels is None
    if plain and not (instance.most_dropped or instance.has_too_few):
        run_of(search).raise_by_values()


def minimise_on_entries(search: Search[Generalization], _: str) -> None:
    """Minimise on entries; the search has a solution."""
    if search.instance.levels is not None:
        minimise_blocks(search, solve)
    elif search.instance.most_dropped:
        minimise_dropping(run_of(search), solve)
    else:
        run = run_of(search)
        if _is_hurried(run.records, search.budget):
            offer_full_domain(run)
        solve_table(run)


def _is_hurried(records: Records, budget: Budget) -> bool:
    """Whether few rows are equal, and looking for near ones takes too long."""
    few = records.distinct >= _NEARLY * records.n
    return few and budget.remaining < _SECONDS_A_ROW * records.distinct


def solve(search: Search[Generalization]) -> None:
    """Find a generalisation of least loss and prove it, as far as the budget goes."""
    if not begun(search, begin):
        return
    if search.instance.on == "attributes":
        minimise_on_attributes(search)
    else:
        minimise_on_entries(search, "suppression")
