"""Diversity: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.diversity.auto`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atleastk.instances.diversity import Diversity
from atleastk.models.encodings.diversity import leader_model, pair_model
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.diversity.auto import solve
from atleastk.solvers.diversity.first import begin
from atleastk.solvers.diversity.kind_patterns import assignment_model, refuses_patterns
from atleastk.solvers.diversity.node_counts import minimise_by_tagging
from atleastk.solvers.diversity.subset_dp import priced
from atleastk.solvers.engine.modelled import Methods
from atleastk.solvers.engine.subsets import by_subsets, cheapest
from atleastk.solvers.generalization import subset_dp
from atleastk.solvers.generalization.refusals import (
    refuses_leaders,
    refuses_pairs,
    refuses_tagging,
)
from atleastk.solvers.method import Method

__all__ = ["METHODS", "solve"]


def _refuses_sat(instance: Diversity) -> str | None:
    if instance.t is not None:
        return "it has no numbers for closeness"
    return refuses_leaders(instance)


def _refuses_pairs(instance: Diversity) -> str | None:
    if not instance.is_modelled:
        return "it has no numbers for entropy, recursive diversity, or order"
    return refuses_pairs(instance)


_EXACT: Final = Methods(begin)

METHODS: Sequence[Method[Diversity]] = (
    _EXACT.one(
        "tagging",
        "attributes: nodes tagged along halved chains of the lattice",
        "combinatorial",
        minimise_by_tagging,
        refuses_tagging,
    ),
    *_EXACT.modelled(
        "attributes: distinct records joined in pairs",
        pair_model,
        {"pairs": CpSat()},
        _refuses_pairs,
    ),
    *_EXACT.modelled(
        "entries: rows assigned to closed patterns of levels",
        assignment_model,
        {"patterns": Highs()},
        refuses_patterns,
    ),
    *_EXACT.modelled(
        "entries: rows led by the first of their group",
        leader_model,
        {"leaders": CpSat()},
        refuses_leaders,
    ),
    *_EXACT.modelled(
        "entries: rows led by the first of their group",
        leader_model,
        {"sat": Sat()},
        _refuses_sat,
    ),
    by_subsets(
        "entries: a dynamic program over all subsets of rows",
        begin,
        cheapest(priced),
        subset_dp.refuses,
    ),
)
