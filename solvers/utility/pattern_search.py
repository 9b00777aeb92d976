"""Minimising over patterns: as one model, or a model for every region's columns.

The model that chooses the columns of a region beside its rows is weak: its relaxation
takes a share of every column. A model for each choice is strong and small. Only the
largest sets of columns that are allowed have to be tried, since more columns need no
more rows; if columns are minimised, sets by increasing size until one does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from scipy.sparse import csr_array, vstack

from atleastk.instances.suppression import Suppression
from atleastk.models.encodings.encoding import SolutionEncoding
from atleastk.models.encodings.suppression_patterns import Fixed
from atleastk.models.linear import INFINITE, LinearModel
from atleastk.models.status import Status
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.encoded import minimise_encoded
from atleastk.solvers.search import Search
from atleastk.solvers.utility.listing import Listing
from atleastk.solvers.utility.regions import choices, count_choices

__all__ = ["HIGHS", "minimise_by_patterns"]

HIGHS: Final = Highs({"presolve_rule_off": 1 << 12 | 1 << 14})
"""HiGHS as it is to be used on these models."""

_MOST_CHOICES: Final = 300
"""Sets of columns; more of them are left to one model."""


def minimise_by_patterns(
    search: Search[Suppression], listing: Listing, backend: Backend, source: str
) -> None:
    """Minimise over patterns until it is done or the budget is spent."""
    instance = search.instance
    both = instance.region == ("rows", "columns")
    if not both or count_choices(instance) > _MOST_CHOICES:
        minimise_encoded(search, listing.encode(), backend, source)
    elif instance.minimise == "columns":
        _fewest_columns(search, listing, backend, source)
    else:
        size = instance.most.columns
        assert size is not None
        _best_choice(search, listing, backend, source, min(size, instance.m))


def _fewest_columns(
    search: Search[Suppression], listing: Listing, backend: Backend, source: str
) -> None:
    """Try sets of columns by increasing size; the first that does is best."""
    instance = search.instance
    most = instance.most.columns
    sizes = instance.m if most is None else min(most, instance.m)
    for size in range(search.bound or 0, sizes + 1):
        if search.cost is not None and search.cost <= size:
            break
        for _, columns in choices(instance, size):
            if not _try(search, listing.encode(Fixed(columns)), backend, source):
                return
            if search.cost is not None and search.cost <= size:
                break
        if search.cost is None or search.cost > size:
            search.raise_bound(size + 1, source)
    _conclude(search, source)


def _best_choice(
    search: Search[Suppression],
    listing: Listing,
    backend: Backend,
    source: str,
    size: int,
) -> None:
    """Try all sets of columns of a size, each for something better than before."""
    by_rows = search.instance.minimise == "rows"
    for rows, columns in choices(search.instance, size):
        if search.done:
            return
        if by_rows:
            search.raise_bound(min(rows, _cost(search)), source)
            if rows >= _cost(search):
                break
        if not _try(search, listing.encode(Fixed(columns)), backend, source):
            return
    _conclude(search, source)


def _cost(search: Search[Suppression]) -> int:
    return INFINITE if search.cost is None else search.cost


def _conclude(search: Search[Suppression], source: str) -> None:
    """Close a search when everything was tried."""
    if search.cost is None:
        search.close_infeasible(source)
    else:
        search.raise_bound(search.cost, source)


def _try(
    search: Search[Suppression],
    encoding: SolutionEncoding,
    backend: Backend,
    source: str,
) -> bool:
    """Look for something better; tell whether all of it was found."""
    better = replace(encoding, model=_below(encoding.model, search.cost))
    answer = backend.minimise(
        better.model,
        search.budget,
        on_answer=lambda values: search.offer(encoding.decode(values), source),
    )
    if answer.values is not None:
        search.offer(encoding.decode(answer.values), source)
    if better.model.is_decision and answer.values is not None:
        return True
    return answer.status in (Status.OPTIMAL, Status.INFEASIBLE)


def _below(model: LinearModel, cost: int | None) -> LinearModel:
    """Return the model for costs below this one."""
    if cost is None or model.is_decision:
        return model
    last = csr_array(model.objective[None, :])
    return replace(
        model,
        rows=csr_array(vstack((model.rows, last))),
        row_lower=np.append(model.row_lower, -INFINITE),
        row_upper=np.append(model.row_upper, cost - 1),
    )
