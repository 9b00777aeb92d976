"""Entries minimised over few pairs of patterns and row kinds: those near the bound.

Weights of the rows prove that no table loses less than L cells, and by how much every
pair raises that (:mod:`atleastk.solvers.k_anonymity.multipliers`). A table that costs
little more than L uses no others. So a wish that costs little is kept by a table of few
pairs: their model is small. More and more pairs are offered, until the best table found
costs no more than any of further pairs may, or the time is over.

The weights are of the patterns that limits and intact columns leave, so L is a bound
for the wish.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from atleastk.instances.suppression import Suppression
from atleastk.models.encodings.encoding import SolutionEncoding
from atleastk.models.suppression import check
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.race import first_answer
from atleastk.solvers.k_anonymity.closing import lp_bound
from atleastk.solvers.k_anonymity.multipliers import reduced_costs
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.baselines import padded
from atleastk.solvers.suppression.first import offer_if_feasible
from atleastk.solvers.suppression.listing import Listing
from atleastk.solvers.suppression.pattern_search import highs_for

__all__ = ["minimise_near_bound"]

_SPARES: Final = (0.1, 0.2, 0.3, 1.0, 3.0, 10.0)
"""By how many stars the pairs offered raise the bound, in turn. On Adult, 500 and 2,000
rows, those of the first three held what was better than all found before."""

_MOST_RACED: Final = 2_000
"""Variables of models that CP-SAT may minimise before HiGHS does."""

_RIVALS: Final = 8
"""CP-SAT gains more from many workers than it loses on few cores."""


def minimise_near_bound(
    search: Search[Suppression], listing: Listing, source: str, budget: Budget
) -> None:
    """Minimise over more and more pairs, until all that matter were offered.

    Importance orders make a model much harder. So they are left out first, and what is
    found is padded; the orders follow if that costs more. It ends as soon as a model is
    not minimised in its time.
    """
    patterns, records = listing.patterns, listing.kinds.records
    proved = lp_bound(patterns, records, search.instance.k, budget)
    search.raise_bound(proved.bound, source)
    raises = reduced_costs(patterns, records, search.instance.k, proved)
    loose = Search(
        replace(search.instance, row_order=None, column_order=None), check, budget
    )
    at_bound = (search.bound or 0) - proved.value
    for spare in sorted((*_SPARES, max(0.0, at_bound))):
        most = int(spare * proved.scale)
        few = patterns.only(raises <= most)
        below = (proved.total + most) // proved.scale + 1
        for asked in (loose, search):
            model = Listing(asked.instance, listing.kinds, few).encode()
            _minimise(asked, model, source, budget, below)
            _tell(search, loose, source)
            if search.done or budget.ending:
                return
            if loose.cost is None or loose.cost == search.cost:
                break


def _minimise(
    search: Search[Suppression],
    encoding: SolutionEncoding,
    source: str,
    budget: Budget,
    below: int,
) -> None:
    """Minimise with HiGHS, and a small model with CP-SAT beside it."""

    def by(backend: Backend, workers: int, part: Budget) -> None:
        part = replace(part, workers=workers)
        minimise_encoded(search, encoding, backend, source, part, below=below)

    runs = [partial(by, highs_for(search.instance), 1)]
    if budget.workers > 1 and encoding.model.columns <= _MOST_RACED:
        runs.append(partial(by, CpSat(), max(_RIVALS, budget.workers)))
    first_answer(runs, budget, lambda _: True)


def _tell(search: Search[Suppression], loose: Search[Suppression], source: str) -> None:
    """Report what was found and proved without importance orders."""
    if loose.solution is not None:
        solution = padded(search.instance, loose.solution.groups)
        offer_if_feasible(search, solution, source)
    if loose.bound is not None:
        search.raise_bound(loose.bound, source)
