"""Pair partition: certificates of lower bounds, from prices of generated groups."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.certificates.pair_partition import (
    MOST_LOOKED,
    bound_of,
    is_checkable,
    proved,
    worth_along,
)
from atleastk.models.certificates.pair_sets import GroupPrices
from atleastk.models.certificates.weights import Prices
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.set_partition.master import Master
from atleastk.solvers.engine.set_partition.triples import violated_triples
from atleastk.solvers.pair_partition import triangles, two_groups
from atleastk.solvers.pair_partition.listed_trees import MOST_TRIPLES, tree_of
from atleastk.solvers.pair_partition.pricing import MOST_PRICED, PairOracle

COUNT: Final = {"kind": "count"}

_TRIED: Final = 4
"""Solutions of the linear program that are tried: of several with one value some have
groups of one price, which is what a certificate can say. Not tuned."""

_SHORT: Final = 2_000
"""Groups of a list that is short enough without more triples. Not tuned."""

QUICK: Final = 2_000_000
"""Items of sets for which a certificate is re-checked at once: a third of a second."""


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
    if instance.n <= MOST_PRICED and is_checkable(instance):
        certificate = _priced(instance, bound, budget)
        if certificate is not None:
            return certificate
    if two_groups.refuses(instance) is None:
        return two_groups.refuted(instance, bound, budget)
    return None


def _priced(
    instance: PairPartition, bound: int, budget: Budget
) -> Mapping[str, Any] | None:
    """Return prices of groups that prove a bound, with a tree where these leave a gap.

    None if none were found.
    """
    oracle = PairOracle(instance, budget)
    for seed in range(budget.seed, budget.seed + _TRIED):
        master = Master(oracle, oracle.above, seed)
        master.converge(budget)
        prices = master.proof.prices
        certificate = certificate_of(instance, oracle, prices, bound, budget)
        if certificate is not None or budget.spent:
            return certificate
        if master.proof.bound - oracle.lift < bound:
            break
    return _listed(instance, bound, oracle, master, budget)


def _listed(
    instance: PairPartition,
    bound: int,
    oracle: PairOracle,
    master: Master,
    budget: Budget,
) -> Mapping[str, Any] | None:
    """Return a tree over groups that are listed by prices, of triples too."""
    single = master.frame.demand == 1
    while not budget.spent:
        proof, limit = master.proof, bound + oracle.lift
        few = oracle.listed(proof.prices, proof.spare(limit), _SHORT, budget)
        has, shares = master.groups.has, master.point
        triples = violated_triples(has, shares, single, most=100)
        many = len(master.triples) + len(triples) > MOST_TRIPLES
        if few is None and len(triples) and not many:
            master.cut(triples)
            if master.converge(budget) and master.proof.total > proof.total:
                continue
        prices = _plain(oracle, master.proof.prices, budget)
        return None if prices is None else tree_of(instance, prices, bound, budget)
    return None


def _plain(oracle: PairOracle, prices: Prices, budget: Budget) -> GroupPrices | None:
    """Return prices without reliefs, that of a group so that none is worth more."""
    worth = oracle.greatest_worth(prices, budget)
    if worth is None:
        return None
    of_triples = prices.triples, prices.of_triples
    return GroupPrices(prices.scale, oracle.plain(prices), worth, *of_triples)


def certificate_of(
    instance: PairPartition,
    oracle: PairOracle,
    prices: Prices,
    bound: int,
    budget: Budget,
    most: int = MOST_LOOKED,
) -> Mapping[str, Any] | None:
    """Return a certificate for a bound that weights and a price of a group prove.

    None if they prove less, or if it takes too long to read.
    """
    with suppress(NotApplicableError):
        if oracle.order is None:
            plain = _plain(oracle, prices, budget)
            if plain is None:
                return None
            certificate = {"kind": "weights", **plain.to_dict()}
            found = proved(instance, certificate, most)
        else:
            weights, order = oracle.plain(prices), oracle.order
            worth = (
                worth_along(instance, weights.tolist(), prices.scale, order, most) or 0
            )
            plain = GroupPrices(prices.scale, weights, worth)
            certificate = {"kind": "weights", **plain.to_dict(), "order": order}
            found = bound_of(instance, plain)
        return certificate if found is not None and found >= bound else None
    return None
