"""Generalisation: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.generalization.auto`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from atleastk.instances.generalization import Generalization
from atleastk.instances.records import Records
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.encodings.generalization import leader_model, pair_model
from atleastk.models.encodings.k_anonymity import pattern_model
from atleastk.models.encodings.suppressed_rows import suppressing_pair_model
from atleastk.models.generalization import solution_dropping_rest
from atleastk.models.tables.patterns import Patterns
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.engine.modelled import Methods, refusing
from atleastk.solvers.engine.subsets import by_subsets, cheapest
from atleastk.solvers.generalization.auto import minimise_on_entries, solve
from atleastk.solvers.generalization.first import begin
from atleastk.solvers.generalization.hitting_sets import minimise_by_hitting_sets
from atleastk.solvers.generalization.predictive_tagging import minimise_by_tagging
from atleastk.solvers.generalization.refusals import (
    refuses_attributes,
    refuses_entries,
    refuses_leaders,
    refuses_pairs,
    refuses_tagging,
)
from atleastk.solvers.generalization.subset_dp import priced, refuses
from atleastk.solvers.method import Method
from atleastk.solvers.tables.closed_patterns import MODELLED_PAIRS, listed_patterns

__all__ = ["METHODS", "solve"]


def _pair_model(instance: Generalization) -> Encoding:
    if instance.suppress_rows:
        return suppressing_pair_model(instance)
    return pair_model(instance)


def _listed(instance: Generalization) -> tuple[Records, Patterns]:
    """Return a column for every level, and the patterns at their prices."""
    records = records_of_levels(instance)
    return records, listed_patterns(records, instance.k, MODELLED_PAIRS)


def _pattern_model(instance: Generalization) -> Encoding:
    records, patterns = _listed(instance)
    inner = pattern_model(records, instance.k, patterns, instance.most_dropped)
    return inner.turned(partial(solution_dropping_rest, instance))


def _refuses_patterns(instance: Generalization) -> str | None:
    if instance.on == "entries" and instance.levels is not None:
        return "it knows no limits of levels"
    return refuses_attributes(instance) or refusing(_listed)(instance)


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
        minimise_on_entries,
        refuses_attributes,
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
