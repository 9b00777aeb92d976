"""k-ambiguity: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.k_ambiguity.auto`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.encodings.k_ambiguity import (
    all_star_sets,
    cell_model,
    star_model,
)
from atleastk.models.k_ambiguity import useful_columns
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.engine.modelled import Methods
from atleastk.solvers.k_ambiguity.auto import solve
from atleastk.solvers.k_ambiguity.first import begin
from atleastk.solvers.method import Method
from atleastk.solvers.tables.leaders import paired_cells

__all__ = ["METHODS", "solve", "whole_star_model"]

_MOST_CELLS: Final = 200_000
"""Pairs of rows times columns: models of half a million entries."""
_MOST_STAR_SETS: Final = 4_000
"""Distinct records times sets of columns: models of a million entries."""


def whole_star_model(instance: KAmbiguity) -> Encoding:
    """Return the model of all star sets."""
    return star_model(instance, all_star_sets(instance))


def _refuses_cells(instance: KAmbiguity) -> str | None:
    if paired_cells(instance.n, instance.m) > _MOST_CELLS:
        return f"{instance.n} rows have too many pairs that may match"
    return None


def _refuses_star_sets(instance: KAmbiguity) -> str | None:
    columns, distinct = len(useful_columns(instance)), instance.records.distinct
    if distinct << min(62, columns) > _MOST_STAR_SETS:
        return (
            f"{distinct} distinct records over {columns} columns have too many star "
            f"sets; it takes {_MOST_STAR_SETS}"
        )
    return None


_EXACT: Final = Methods(begin)
_CELLS: Final = "suppressed cells and pairs of rows that match", cell_model
_STAR_SETS: Final = (
    "copies of records by the set of columns they suppress",
    whole_star_model,
)

METHODS: Sequence[Method[KAmbiguity]] = (
    *_EXACT.modelled(*_CELLS, {"cells": CpSat()}, _refuses_cells),
    *_EXACT.modelled(*_STAR_SETS, {"star-sets": Highs()}, _refuses_star_sets),
    *_EXACT.modelled(*_CELLS, {"sat": Sat()}, _refuses_cells),
    *_EXACT.modelled(*_STAR_SETS, {"star-sets-cp-sat": CpSat()}, _refuses_star_sets),
)
