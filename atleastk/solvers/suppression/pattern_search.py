"""Minimising over patterns: as one model, or a model for every region's columns.

The model that chooses the columns of a region beside its rows is weak: its relaxation
takes a share of every column. A model for each choice is strong and small. Only the
largest sets of columns that are allowed have to be tried, since more columns need no
more rows; if columns are minimised, sets of every size.

With the columns C of the region chosen, the rows of the region are those with a star
outside C. Let the rows be classed by their values outside C. A row that is not of the
region looks like its class outside C, so its group is inside its class, which has k
rows then. Hence all rows in smaller classes are rows of the region, and if there are
any, k of them at least: rows of one pattern are all of the region or none.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import Final

import numpy as np

from atleastk.instances.records import Records
from atleastk.instances.suppression import Suppression
from atleastk.models.encodings.admitted_patterns import Fixed, is_ordered
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.linear import INFINITE, LinearModel
from atleastk.models.results.status import Status
from atleastk.packages import sparse
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.largest_k import LATE
from atleastk.solvers.suppression.listing import Listing

_MOST_CHOICES: Final = 300
"""Sets of columns; more of them are left to one model."""

_UNDECIDED: Final = "{}: the model of a choice of columns ended without a proof"


def highs_for(instance: Suppression) -> Highs:
    """Return HiGHS with the options for the model of an instance.

    With its presolve, HiGHS 1.14 returns wrong answers on models of importance orders:
    a worse point as optimal, or with some of the rules off infeasible where there are
    points. Without presolve none of 4000 small ones was wrong. Of 5000 without an order
    none was wrong either way.
    """
    return Highs({"presolve": "off"} if is_ordered(instance) else {})


def minimise_by_patterns(
    search: Search[Suppression],
    listing: Listing,
    backend: Backend,
    source: str,
    budget: Budget | None = None,
) -> None:
    """Minimise over patterns until it is done or the budget is spent.

    A budget of its own is kept where a single model decides.
    """
    instance = search.instance
    both = instance.region == ("rows", "columns")
    if not both or count_choices(instance) > _MOST_CHOICES:
        minimise_encoded(search, listing.encode(), backend, source, budget)
    else:
        _best_choice(search, listing, backend, source)


def _best_choice(
    search: Search[Suppression], listing: Listing, backend: Backend, source: str
) -> None:
    """Try all sets of columns, those of the least bound first.

    Each has some time, and more if its turn comes again: so the least of all bounds
    rises, and that is one for the problem.
    """
    instance, budget, known = search.instance, search.budget, search.bound or 0
    sets = [
        (size, *choice)
        for size in column_counts(instance, known)
        for choice in choices(instance, size)
    ]
    first = 0.3 * budget.remaining / max(1, len(sets))
    turns = []
    for size, rows, columns in sets:
        least = {"rows": rows, "columns": size}.get(instance.minimise, 0)
        turns.append((max(known, least), first, rows, columns))
    heapq.heapify(turns)
    while turns and not budget.spent and not search.closed:
        least, patience, rows, columns = heapq.heappop(turns)
        search.raise_bound(min(least, _cost(search)), source)
        if least >= _cost(search):
            break
        part = budget.slice(patience)
        found = _try(search, listing.encode(Fixed(columns)), backend, source, part)
        if found is not None:
            again = max(least, found), 2.0 * patience, rows, columns
            heapq.heappush(turns, again)
            if part.remaining > LATE * patience:
                search.remark(_UNDECIDED.format(source))
                break
    if not turns and not search.infeasible:
        search.conclude(source)
    elif turns:
        search.raise_bound(min(turns[0][0], _cost(search)), source)


def _cost(search: Search[Suppression]) -> int:
    return INFINITE if search.cost is None else search.cost


def _try(
    search: Search[Suppression],
    encoding: Encoding,
    backend: Backend,
    source: str,
    budget: Budget,
) -> int | None:
    """Search for a better solution; return a bound on one, None if there is none."""
    model = _below(encoding.model, search.cost)
    answer = backend.minimise(
        model,
        budget,
        on_answer=lambda values: search.offer(encoding.decode(values), source),
    )
    if answer.values is not None:
        search.offer(encoding.decode(answer.values), source)
        if model.is_decision:
            return None
    if answer.status in (Status.OPTIMAL, Status.INFEASIBLE):
        return None
    return answer.bound or 0


def _below(model: LinearModel, cost: int | None) -> LinearModel:
    if cost is None or model.is_decision:
        return model
    last = sparse.csr_array(model.objective[None, :])
    return replace(
        model,
        rows=sparse.csr_array(sparse.vstack((model.rows, last))),
        row_lower=np.append(model.row_lower, -INFINITE),
        row_upper=np.append(model.row_upper, cost - 1),
    )


def fewest_rows(instance: Suppression, columns: int) -> int:
    """Return the least number of rows of the region beside these columns."""
    records = instance.records
    others = [j for j in range(instance.m) if not columns >> j & 1]
    sizes = Records.coded(records.codes[:, others], records.copies).copies
    lonely = int(sizes[sizes < instance.k].sum())
    return max(lonely, instance.k) if lonely else 0


def choices(instance: Suppression, size: int) -> Iterator[tuple[int, int]]:
    """Yield (fewest rows, columns) for the sets of `size` columns, fewest first.

    Sets that need more rows than allowed are left out.
    """
    most = instance.most.rows
    found = []
    for chosen in combinations(range(instance.m), size):
        columns = sum(1 << j for j in chosen)
        rows = fewest_rows(instance, columns)
        if most is None or rows <= most:
            found.append((rows, columns))
    yield from sorted(found)


def column_counts(instance: Suppression, bound: int = 0) -> range:
    """Return how many columns to try: the most, or all from a bound on their number."""
    m, most = instance.m, instance.most.columns
    most = m if most is None else min(m, most)
    return range(bound if instance.minimise == "columns" else most, most + 1)


def count_choices(instance: Suppression) -> int:
    """Return the greatest number of sets of columns to try."""
    return sum(comb(instance.m, size) for size in column_counts(instance))
