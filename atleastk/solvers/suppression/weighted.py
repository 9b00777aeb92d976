"""Suppression within limits where entries have weights.

Limits do not look at weights. So the table is first suppressed as if there were none:
that tells whether anything is feasible, and is a solution; the bound of its entries,
times the least weight of a row and of a column, is one of the cost. A model of cells
then minimises by the weights, if it is not too large to be written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from atleastk.instances.suppression import Suppression
from atleastk.models.encodings.suppression import cell_model
from atleastk.models.suppression import check
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.search import Search

_SHARE: Final = 0.3
"""The share of the time for the table without weights, if a model follows."""

_MOST_CELLS: Final = 600_000
"""Pairs of rows times columns of a model that is written in a second."""


def minimise_weighted(
    search: Search[Suppression], solve: Callable[[Search[Suppression]], None]
) -> None:
    """Minimise the cost of entries by their weights; `solve` knows none."""
    instance = search.instance
    modelled = instance.n**2 // 2 * max(1, instance.m) <= _MOST_CELLS
    part = search.budget.share(_SHARE) if modelled else search.budget
    plain: Search[Suppression] = Search(instance.unweighted, check, part)
    solve(plain)
    if plain.infeasible:
        search.close_infeasible("unweighted", plain.certificate)
        return
    if plain.solution is not None:
        search.offer(plain.solution, "unweighted")
    least = min(instance.row_worth, default=1) * min(instance.column_worth, default=1)
    search.raise_bound((plain.bound or 0) * least, "unweighted")
    if modelled and not search.done:
        minimise_encoded(search, cell_model(instance), CpSat(), "cells")
