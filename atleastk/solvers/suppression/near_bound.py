"""Entries minimised over few pairs of patterns and row kinds: those near the bound.

Weights of the rows prove that no table loses less than L cells, and by how much every
pair raises that (:mod:`atleastk.solvers.k_anonymity.multipliers`). A table that costs
little more than L uses no others. So a wish that costs little is kept by a table of few
pairs: their model is small. More and more pairs are offered, until the best table found
costs no more than any of further pairs may, or the time is over.

The weights are of the patterns that limits and intact columns leave, so L is a bound
for the wish. Where an importance order is best kept by rows that agree on its first
columns, these are left as they are, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from atleastk.instances.suppression import Suppression
from atleastk.models.encodings.dealt_patterns import FREE, admitted
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
    search: Search[Suppression],
    listing: Listing,
    agreed: Sequence[int],
    source: str,
    budget: Budget,
) -> None:
    """Minimise over more and more pairs, until all that matter were offered.

    Importance orders make a model much harder. So they are left out first, and what is
    found is padded; the orders follow if that costs more. It ends as soon as a model is
    not minimised in its time.

    Parameters
    ----------
    agreed
        Columns that lose nothing: the intact ones. With more than these nothing is
        proved, and orders stay out.
    """
    instance, records = search.instance, listing.kinds.records
    exact = {*agreed} == {*instance.intact}
    loose = Search(
        replace(instance, row_order=None, column_order=None, intact=agreed),
        check,
        budget,
    )
    patterns = admitted(loose.instance, listing.patterns, FREE)
    proved = lp_bound(patterns, records, instance.k, budget)
    loose.raise_bound(proved.bound, source)
    raises = reduced_costs(patterns, records, instance.k, proved)
    at_bound = (search.bound or 0) - proved.value
    for spare in sorted((*_SPARES, max(0.0, at_bound))):
        most = int(spare * proved.scale)
        few = patterns.only(raises <= most)
        below = (proved.total + most) // proved.scale + 1
        for asked in (loose, search) if exact else (loose,):
            model = Listing(asked.instance, listing.kinds, few).encode()
            _minimise(asked, model, source, budget, below)
            if loose.solution is not None:
                solution = padded(instance, loose.solution.groups)
                offer_if_feasible(search, solution, source)
            if exact and loose.bound is not None:
                search.raise_bound(loose.bound, source)
            if search.done or budget.ending or (loose.closed and not exact):
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
