"""Generalisation: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.generalization.auto`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.generalization import Generalization
from atleastk.models.encodings.encoding import SolutionEncoding
from atleastk.models.encodings.generalization import leader_model, pair_model
from atleastk.models.encodings.suppressed_rows import suppressing_pair_model
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.engine.modelled import Methods
from atleastk.solvers.engine.subsets import by_subsets, cheapest
from atleastk.solvers.generalization.auto import minimise_on_entries, solve
from atleastk.solvers.generalization.first import begin
from atleastk.solvers.generalization.hitting_sets import minimise_by_hitting_sets
from atleastk.solvers.generalization.predictive_tagging import minimise_by_tagging
from atleastk.solvers.generalization.priced_patterns import (
    priced_pattern_model,
    priced_patterns,
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

__all__ = ["METHODS", "solve"]

_MOST_PAIRS: Final = 400_000
"""Pairs of a pattern and a record it matches, of the method "patterns"."""


def _pair_model(instance: Generalization) -> SolutionEncoding:
    if instance.suppress_rows:
        return suppressing_pair_model(instance)
    return pair_model(instance)


def _pattern_model(instance: Generalization) -> SolutionEncoding:
    model = priced_pattern_model(instance, _MOST_PAIRS)
    if model is None:
        raise NotApplicableError(_refuses_patterns(instance))
    return model


def _refuses_patterns(instance: Generalization) -> str | None:
    entries = instance.on == "entries"
    if entries and instance.levels is not None:
        return "it knows no limits of levels"
    if entries and priced_patterns(instance, _MOST_PAIRS) is None:
        return "its patterns are too many, have too many levels, or cost too much"
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
