"""Certificates of tables that are weights of the records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.records import Records
from atleastk.models.certificates.k_anonymity import is_checkable
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Proof
from atleastk.solvers.tables.closed_patterns import (
    closed_patterns,
    is_listable,
    pairs_within,
)
from atleastk.solvers.tables.dual_ascent import improve
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import Multipliers, prove

Certificate = Mapping[str, Any]

_MOST_LISTED: Final = 500_000
"""Pairs of a pattern and a record, of tables so wide that the checker lists them one by
one: a matter of seconds."""

SHARE: Final = 0.3
"""The share of the time left for weights; the rest is for a tree. Not tuned."""

SHARE_OF_LESS: Final = 1 - SHARE
"""The same where the bound may be out of reach: then a tree is not likely, either."""


def weights_for(instance: KAnonymity, bound: int, budget: Budget) -> Certificate | None:
    """Return weights that prove a bound on the cost, or None if none were found."""
    return if_enough(best_weights(instance, bound, budget), bound)


def if_enough(found: Proof | None, bound: int) -> Certificate | None:
    """Return a certificate if it is one of this bound."""
    return found.certificate if found is not None and found.bound == bound else None


def best_weights(instance: KAnonymity, bound: int, budget: Budget) -> Proof | None:
    """Return weights that prove the greatest bound found, up to `bound`."""
    most = None if is_checkable(instance.records) else _MOST_LISTED
    return weighed(instance.records, instance.k, bound, budget, most)


def weighed(
    records: Records,
    k: int,
    bound: int,
    budget: Budget,
    most_pairs: int | None = None,
    unit: int = 1,
) -> Proof | None:
    """Return weights of records that prove the greatest bound found, up to `bound`.

    All costs are multiples of `unit`. None if patterns cannot be listed, with as many
    pairs as the budget has time and memory for, unless it is said.
    """
    if not records.n:
        nothing = Multipliers(np.zeros(0, dtype=np.int64), 1, 0)
        return Proof(min(bound, 0), written(nothing))
    if not is_listable(records, k):
        return None
    most = pairs_within(budget, records.distinct) if most_pairs is None else most_pairs
    patterns = closed_patterns(records, k, most, budget)
    if patterns is None:
        return None
    table = ListedTable(patterns, records, k)
    found = improve(table, budget, enough=bound - unit + 1)
    least, reached = min(bound, found.bound), unit * -(-found.bound // unit)
    proof = certificate_of(table, found, least)
    return Proof(min(bound, reached), proof)


def certificate_of(
    table: ListedTable, known: Multipliers, bound: int, unit: int = 1
) -> Certificate:
    """Return a certificate for a bound that the multipliers prove.

    The weights are rounded: short to write, and quick to read.
    """
    return written(coarsest(known, bound, partial(prove, table)), unit)


def coarsest(
    found: Multipliers, bound: int, proved: Callable[[IntArray, int], Multipliers]
) -> Multipliers:
    """Return weights at the coarsest of a few scales that still prove a bound."""
    for bits in range(4, found.scale.bit_length() - 1, 4):
        ratio = found.scale >> bits
        coarse = proved((found.weights + ratio // 2) // ratio, 1 << bits)
        if coarse.bound >= bound:
            return coarse
    return found


def written(found: Multipliers, unit: int = 1) -> Certificate:
    """Return weights as a certificate of costs that are multiples of a unit."""
    weights = [unit * weight for weight in found.weights.tolist()]
    return {"kind": "weights", "scale": found.scale, "weights": weights}
