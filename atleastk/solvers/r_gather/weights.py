"""Lower bounds of r-gather with certificates: weights of the points.

The duals of :mod:`atleastk.solvers.r_gather.opening_lp`, times some denominator and
rounded, are weights y; the greatest weight of a cluster is then recomputed in integers.
So a bound holds whether or not the linear program was solved exactly, and with any of
its rows: weights are tried as soon as it leaves more uncovered than max_outliers.

Theorem: :mod:`atleastk.models.certificates.r_gather`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.r_gather import RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.certificates.clustering import surplus
from atleastk.models.certificates.r_gather import (
    Certificate,
    greatest_weight,
)
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Neighbourhoods
from atleastk.solvers.engine.linear_program import SCALES
from atleastk.solvers.r_gather.opening_lp import Openings, Shares
from atleastk.solvers.search import Search

SOURCE: Final = "weights"

_REFUTED: Final = 1e-4
"""In points: an uncovered remainder above this is worth an attempt at a proof."""


def refute(
    instance: RGather,
    radius: int,
    near: Neighbourhoods,
    budget: Budget,
    openings: Openings | None = None,
) -> Certificate | None:
    """Return a proof that the cost is above a radius, None if none was found.

    None proves nothing. The radius is at most the limit of `near`; `openings` continues
    a linear program at this radius.
    """
    if radius > near.limit:
        raise ValueError(
            f"the radius {radius} is above the limit {near.limit} of the points"
        )
    if openings is None:
        openings = Openings(instance, radius, near, budget.seed)
    for _ in range(60):  # further cuts seldom help, and slowly
        shares = openings.solve(budget)
        if shares is None or budget.spent:
            return None
        if shares.uncovered > instance.max_outliers + _REFUTED:
            found = _certificate(instance, radius, shares, budget)
            if found is not None:
                return found
        if not openings.cut(shares.opened):
            return None
    return None


def raise_by_weights(
    search: Search[RGather],
    near: Neighbourhoods,
    budget: Budget,
    ceiling: int = FAR,
    sets: list[IntArray] | None = None,
) -> int:
    """Raise the bound by bisection over the distances up to the cost.

    Only distances below the ceiling and up to the limit of `near` are refuted, and the
    cost may come down meanwhile. Return the least radius known to have no such proof,
    which is the next ceiling: nothing is left to do once no distance is between it and
    the bound. The sets of Hall rows are the first ones at every radius; those that are
    found take their place.
    """
    instance, known = search.instance, [] if sets is None else sets

    def proof_at(radius: int) -> Certificate | None:
        openings = Openings(instance, radius, near, budget.seed, sets=known)
        certificate = refute(instance, radius, near, budget, openings)
        known[:] = openings.sets
        return certificate

    return raise_by(search, near, budget, proof_at, SOURCE, ceiling)


def raise_by(
    search: Search[RGather],
    near: Neighbourhoods,
    budget: Budget,
    proof_at: Callable[[int], Certificate | None],
    source: str,
    ceiling: int = FAR,
) -> int:
    """Raise the bound as :func:`raise_by_weights` does, by proofs of any kind."""
    begun = ceiling < FAR
    levels = near.values((search.bound or 0) - 1, min(near.limit, ceiling - 1))
    while not (search.done or budget.spent):
        least, cost = search.bound or 0, FAR if search.cost is None else search.cost
        levels = levels[(levels >= least) & (levels < min(ceiling, cost))]
        if not len(levels):
            break
        # The first, then a quarter of all: few levels above the bound are refuted.
        part = 2 if ceiling < FAR else 4
        place, begun = (len(levels) - 1) // part if begun else 0, True
        radius = int(levels[place])
        certificate = proof_at(radius)
        if certificate is not None:
            above = levels[place + 1 : place + 2].min(
                initial=min(near.limit + 1, ceiling, cost)
            )
            search.raise_bound(int(above), source, certificate)
        elif not budget.spent:
            ceiling = radius
    return ceiling


def _certificate(
    instance: RGather, radius: int, shares: Shares, budget: Budget
) -> Certificate | None:
    """Return the coarsest rounding of weights that still refutes a radius."""
    for denominator in SCALES:
        if budget.spent:
            return None
        weights = np.rint(shares.weights * denominator).astype(np.int64)
        left = surplus(instance, weights)
        if left <= 0:
            continue
        most = greatest_weight(instance, radius, weights)
        if left > most * instance.most_clusters:
            named = np.flatnonzero(weights)
            pairs = zip(named.tolist(), weights[named].tolist(), strict=True)
            return {
                "kind": "weights",
                "radius": radius,
                "weights": [list(pair) for pair in pairs],
                "most": most,
            }
    return None
