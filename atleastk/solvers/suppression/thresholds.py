"""The most suppressed cells of a column: minimised, and decided from below beside it.

Whether a limit on the cells of every column is feasible is a question without an
objective. With the limit c at most floor(c / k) patterns with a star in a column are
open (:mod:`atleastk.models.encodings.suppression_patterns`); a solver that minimises
uses that only once c is fixed. So while one run minimises, another decides the limit
that is the bound: if it is infeasible the bound rises, otherwise it is the optimum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from atleastk.instances.suppression import Suppression
from atleastk.models.encodings.admitted_patterns import FREE, Fixed
from atleastk.models.results.status import Status
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.race import together
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.listing import Listing

_FIRST_SHARE: Final = 0.2
"""The share of the time left for the first turn of all sets."""

_MORE: Final = 2.0
"""How many times as long a further turn is."""


def minimise_with_thresholds(
    search: Search[Suppression],
    listing: Listing,
    backend: Backend,
    source: str,
    minimise: Callable[[Budget], object],
    sets: Sequence[Fixed] = (FREE,),
) -> None:
    """Minimise the most cells of a column and decide limits until one is done.

    Parameters
    ----------
    minimise
        Minimises, within the budget that it receives.
    sets
        What may be fixed: a solution keeps one of them.
    """
    others = max(1, search.budget.workers - 1)
    runs = (
        lambda race: minimise(replace(race, workers=others)),
        lambda race: _raise_thresholds(
            search, listing, backend, source, sets, replace(race, workers=1)
        ),
    )
    together(runs, search.budget, lambda: search.closed)


def _raise_thresholds(
    search: Search[Suppression],
    listing: Listing,
    backend: Backend,
    source: str,
    sets: Sequence[Fixed],
    budget: Budget,
) -> None:
    """Decide whether the bound is feasible as a limit, until it is."""
    instance = search.instance
    most = instance.limits.get("per_column", instance.n)
    while not search.closed and not budget.spent:
        limit = search.bound or 0
        if limit > most:
            search.close_infeasible(source)
            return
        limits = {**instance.limits, "per_column": limit}
        decision = replace(instance, minimise="none", limits=limits)
        decided = replace(listing, instance=decision)
        refuted = _refuted(search, decided, backend, source, sets, budget)
        if refuted is None:
            return
        if refuted:
            search.raise_bound(limit + 1, source)


def _refuted(
    search: Search[Suppression],
    listing: Listing,
    backend: Backend,
    source: str,
    sets: Sequence[Fixed],
    budget: Budget,
) -> bool | None:
    """Tell whether every set is infeasible; by turns, each longer than the last.

    None if the back end gives a set up before its turn ends.
    """
    patience = _FIRST_SHARE * budget.remaining / max(1, len(sets))
    left, known = list(sets), search.bound or 0
    while left:
        undecided = []
        for fixed in left:
            if budget.spent or search.closed or (search.bound or 0) > known:
                return False
            encoding, part = listing.encode(fixed), budget.slice(patience)
            answer = backend.minimise(encoding.model, part)
            if answer.values is not None:
                search.offer(encoding.decode(answer.values), source)
                return False
            if answer.status is not Status.INFEASIBLE:
                if not part.spent:
                    return None
                undecided.append(fixed)
        left, patience = undecided, _MORE * patience
    return True
