"""Pair partition: certificates of lower bounds, from prices of generated groups."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.certificates.pair_partition import (
    MOST_SETS,
    bound_of,
    is_checkable,
    proved,
    worth_along,
)
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.set_partition.master import Master
from atleastk.solvers.engine.set_partition.oracle import Prices
from atleastk.solvers.pair_partition import triangles, two_groups
from atleastk.solvers.pair_partition.pricing import PairOracle

COUNT: Final = {"kind": "count"}

_TRIED: Final = 4
"""Solutions of the linear program that are tried: of several with one value some have
groups of one price, which is what a certificate can say. Not tuned."""

QUICK_SETS: Final = 3_000
"""Sets for which a certificate is re-checked at once: a third of a second."""


def certify(
    instance: PairPartition, bound: int | None, budget: Budget
) -> Mapping[str, Any] | None:
    """Return a certificate for a lower bound on the cost, or None if none was found.

    The bound None stands for: nothing is feasible.
    """
    if bound is None:
        return None if instance.counts else COUNT
    if instance.has_reliefs and triangles.refuses(instance) is None:
        certificate = triangles.certificate_of(instance, bound, budget)
        if certificate is not None:
            return certificate
    if is_checkable(instance):
        certificate = _weights(instance, bound, budget)
        if certificate is not None:
            return certificate
    if two_groups.refuses(instance) is None:
        return two_groups.refuted(instance, bound, budget)
    return None


def _weights(
    instance: PairPartition, bound: int, budget: Budget
) -> Mapping[str, Any] | None:
    """Return prices of groups that prove a bound, or None if none were found."""
    oracle = PairOracle(instance, budget)
    for seed in range(budget.seed, budget.seed + _TRIED):
        master = Master(oracle, oracle.above, seed)
        master.converge(budget)
        prices = master.proof.prices
        certificate = certificate_of(instance, oracle, prices, bound, budget)
        if certificate is not None or budget.spent:
            return certificate
    return None


def certificate_of(
    instance: PairPartition,
    oracle: PairOracle,
    prices: Prices,
    bound: int,
    budget: Budget,
    most_sets: int = MOST_SETS,
) -> Mapping[str, Any] | None:
    """Return a certificate for a bound that weights and a price of a group prove.

    None if they prove less, or if it takes too long to read.
    """
    weights, order = oracle.plain(prices).tolist(), oracle.order
    certificate = {"kind": "weights", "scale": prices.scale, "weights": weights}
    with suppress(NotApplicableError):
        if order is None:
            worth = oracle.greatest_worth(prices, budget)
            certificate["group"] = worth
            found = None if worth is None else proved(instance, certificate, most_sets)
        else:
            worth = worth_along(instance, weights, prices.scale, order, most_sets) or 0
            certificate |= {"group": worth, "order": order}
            found = bound_of(instance, weights, prices.scale, worth)
        return certificate if found is not None and found >= bound else None
    return None
