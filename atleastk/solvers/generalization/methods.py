"""Generalisation: the exact methods, and the automatic choice.

- On attributes: descents, then predictive tagging of all nodes of the lattice, or of
  those left open; if they are too many, implicit hitting sets and more descents
  (:mod:`~atleastk.solvers.generalization.attributes`).
- On entries: suppression on the expanded table
  (:mod:`~atleastk.solvers.generalization.entries`), with prices where that table is too
  wide (:mod:`~atleastk.solvers.generalization.near_rows`,
  :mod:`~atleastk.solvers.generalization.priced_patterns`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.generalization import Generalization
from atleastk.models.encodings.encoding import SolutionEncoding
from atleastk.models.encodings.generalization import leader_model, pair_model
from atleastk.models.encodings.suppressed_rows import suppressing_pair_model
from atleastk.models.tables.patterns import MOST_COLUMNS
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.modelled import Methods
from atleastk.solvers.engine.subsets import by_subsets, cheapest
from atleastk.solvers.generalization.attributes import minimise_on_attributes
from atleastk.solvers.generalization.entries import solve_as_suppression
from atleastk.solvers.generalization.first import begin
from atleastk.solvers.generalization.hitting_sets import minimise_by_hitting_sets
from atleastk.solvers.generalization.near_rows import NearRows
from atleastk.solvers.generalization.predictive_tagging import minimise_by_tagging
from atleastk.solvers.generalization.priced_patterns import (
    PricedPatterns,
    priced_pattern_model,
    solve_priced,
)
from atleastk.solvers.generalization.refusals import (
    refuses_attributes,
    refuses_entries,
    refuses_leaders,
    refuses_pairs,
    refuses_tagging,
)
from atleastk.solvers.generalization.subset_dp import priced, refuses
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search
from atleastk.solvers.tables.closed_patterns import pairs_within

_MOST_PAIRS: Final = 400_000
"""Pairs of a pattern and a record it matches, of the method "patterns"."""
_MOST_REPEATED: Final = 1_000_000
"""The most cells of an expanded table with repeated columns."""

_FIRST_SHARE: Final = 0.1
_FIRST_EFFORT: Final = 200
"""The most that a first improvement takes, as a share of the time left and in moves per
row: on tables of 50 rows it is mostly the last."""

_SHARE: Final = 0.4
"""The share of the time left for an expanded table of repeated columns."""

_MOST_EXPANDED: Final = 10_000_000
"""Cells of the table with a column for every unit of every level."""


def solve(search: Search[Generalization]) -> None:
    """Find a generalisation of least loss and prove it, as far as the budget goes."""
    instance = search.instance
    if not begin(search, "one group"):
        return
    if instance.on == "attributes":
        minimise_on_attributes(search)
        return
    narrow = instance.expanded_columns <= MOST_COLUMNS
    if narrow and _refuses_suppression(instance) is None:
        solve_as_suppression(search, "suppression")
        return
    near = NearRows.of(search)
    near.build()
    near.rearrange(search.budget.share(_FIRST_SHARE), _FIRST_EFFORT)
    most = pairs_within(search.budget, instance.records.distinct)
    priced = None if search.done else PricedPatterns.of(instance, most)
    if priced is not None:
        solve_priced(search, priced)
    elif search.done:
        return
    elif _expanded_cells(instance) <= _MOST_REPEATED and not instance.has_persons:
        solve_as_suppression(search, "suppression", search.budget.share(_SHARE))
    elif refuses_leaders(instance) is None:
        minimise_encoded(search, leader_model(instance), CpSat(), "leaders")
    near.rearrange_to_the_end()


def _pair_model(instance: Generalization) -> SolutionEncoding:
    if instance.suppress_rows:
        return suppressing_pair_model(instance)
    return pair_model(instance)


def _pattern_model(instance: Generalization) -> SolutionEncoding:
    priced = PricedPatterns.of(instance, _MOST_PAIRS)
    if priced is None:
        raise NotApplicableError(_refuses_patterns(instance))
    return priced_pattern_model(priced)


def _refuses_patterns(instance: Generalization) -> str | None:
    if instance.on == "entries" and PricedPatterns.of(instance, _MOST_PAIRS) is None:
        return "its patterns are too many, have too many levels, or cost too much"
    return refuses_attributes(instance)


def _expanded_cells(instance: Generalization) -> int:
    return instance.n * instance.expanded_columns


def _refuses_suppression(instance: Generalization) -> str | None:
    cells = _expanded_cells(instance)
    if cells > _MOST_EXPANDED:
        return f"its levels count {cells} in all rows; it takes {_MOST_EXPANDED}"
    if instance.has_persons:
        return "its rows have different weights"
    return refuses_attributes(instance)


_EXACT: Final = Methods(begin)

METHODS: Sequence[Method[Generalization]] = (
    _EXACT.one(
        "tagging",
        "attributes: nodes tagged along halved chains of the lattice",
        "combinatorial",
        minimise_by_tagging,
        refuses_tagging,
    ),
    _EXACT.one(
        "hitting-sets",
        "attributes: nodes that exceed all refused ones, in HiGHS",
        Highs.family,
        minimise_by_hitting_sets,
        refuses_entries,
    ),
    *_EXACT.modelled(
        "attributes: distinct records joined in pairs",
        _pair_model,
        {"pairs": CpSat()},
        refuses_pairs,
    ),
    _EXACT.one(
        "suppression",
        "entries: all methods of k-anonymity, on a column for every level",
        "combinatorial",
        solve_as_suppression,
        _refuses_suppression,
    ),
    *_EXACT.modelled(
        "entries: records assigned to closed patterns of levels",
        _pattern_model,
        {"patterns": Highs()},
        _refuses_patterns,
    ),
    *_EXACT.modelled(
        "entries: rows led by the first of their group",
        leader_model,
        {"leaders": CpSat(), "sat": Sat()},
        refuses_leaders,
    ),
    by_subsets(
        "entries: a dynamic program over all subsets of rows",
        begin,
        cheapest(priced),
        refuses,
    ),
)
