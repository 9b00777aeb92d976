"""Reduced cost fixing: all star sets that a better solution can have.

Let weights u hold at scale D (:mod:`atleastk.models.certificates.k_ambiguity`, bound
1). A suppressed row that hides P has the *slack* D |P| - (the weight of its class) >=
0, and in a solution of cost e these slacks add up to D e - sum of d_t u_t at most. So
rows of greater slack are in no such solution. The others are listed, and an integer
program finds the best solution among them, or refutes e.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.certificates.k_ambiguity import classes
from atleastk.models.encodings.k_ambiguity import StarSets, star_model
from atleastk.models.k_ambiguity import needs, useful_columns
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.k_ambiguity.weights import SCALE
from atleastk.solvers.search import Search

MOST_SETS: Final = 6_000
"""Star sets of one model."""
_MOST_CLASSES: Final = 50_000_000
"""Distinct records times sets of columns, all of which are enumerated."""


def star_sets_within(
    instance: KAmbiguity, weights: IntArray, cost: int
) -> StarSets | None:
    """Return the star sets of all solutions of this cost at most; None if too many.

    The weights hold at the common scale.
    """
    records, columns = instance.records, useful_columns(instance)
    lacking = needs(instance)
    if records.distinct << len(columns) > _MOST_CLASSES:
        return None
    slack = SCALE * cost - int((lacking * weights).sum())
    own = -(-lacking * weights // records.copies) - weights
    found: list[IntArray] = []
    sets: list[int] = []
    listed = 0
    for hidden, named in classes(records.codes[:, columns]):
        stars = hidden.bit_count()
        if not 0 < stars <= cost:
            continue
        total = np.zeros(int(named.max()) + 1, dtype=np.int64)
        np.add.at(total, named, weights)
        within = (SCALE * stars - total[named] - own <= slack).nonzero()[0]
        listed += len(within)
        if listed > MOST_SETS:
            return None
        found.append(within)
        sets.append(hidden)
    counts = [len(records_of) for records_of in found]
    return StarSets(
        np.concatenate([*found, np.zeros(0, dtype=np.int64)]),
        np.repeat(np.array(sets, dtype=np.int64), counts),
    )


def close_gap(
    search: Search[KAmbiguity], weights: IntArray, backend: Backend, source: str
) -> None:
    """Find an optimum among the star sets that weights leave, as far as they are few.

    All costs below the best known are tried at once if that is possible, else one after
    the other from the bound.
    """
    while not search.done:
        cost, bound = search.cost or 0, search.bound or 0
        tried, sets = cost - 1, star_sets_within(search.instance, weights, cost - 1)
        if sets is None:
            tried, sets = bound, star_sets_within(search.instance, weights, bound)
        if sets is None:
            return
        encoding = star_model(search.instance, sets, tried)
        minimise_encoded(search, encoding, backend, source, below=tried + 1)
        if (search.cost, search.bound) == (cost, bound):
            return
