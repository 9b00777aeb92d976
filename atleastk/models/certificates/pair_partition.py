"""Certificates of pair partition, checked in integers without any solver.

``{"kind": "count"}``
    No number of groups fits the number of items, the least and greatest sizes and the
    window on the number of groups: infeasible.
``{"kind": "weights", "scale": D, "weights": [y_0, ..., y_{n-1}], "group": m}``
    Prices, with ``triples`` maybe: if no admissible group is worth more than m, the
    bound is what they prove for the numbers of groups that counting allows
    (:mod:`~atleastk.models.certificates.pair_sets`).
``{"kind": "weights", ..., "order": [item, ...]}``
    The same for groups that are connected by all pairs that cost anything, and ``sum``.
    Groups of any size are found along this order of all items, without triples:
    :mod:`~atleastk.models.certificates.pair_boundary`.
``{"kind": "listed", "scale": D, "weights": [...], "group": m, "tree": node}``
    Let such prices prove T / D. Groups of a solution that costs less than the bound B
    are worth m - D (B - 1) + T at least, since none is worth more than m. So all groups
    worth that are listed; a tree (:mod:`~atleastk.models.certificates.pair_trees`)
    refutes their choices. Its leaves are prices: no listed group that satisfies the
    decisions above is worth more than the price of a group, and they prove B.
``{"kind": "triangles", ...}``
    For ``sum``: see :mod:`~atleastk.models.certificates.pair_triangles`.
``{"kind": "tree", "tree": node}``
    For ``sum`` and two groups: see :mod:`~atleastk.models.certificates.pair_halves`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.fields.shapes import Integer, ListOf
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.certificates import weights as entries
from atleastk.models.certificates.forms import (
    ANY_NODE,
    COLUMNS,
    LISTS,
    NODE_OF_PAIRS,
    PRICES,
    TRIANGLE,
    Forms,
    may_hold,
    object_form,
)
from atleastk.models.certificates.pair_boundary import greatest_worth
from atleastk.models.certificates.pair_halves import check_tree
from atleastk.models.certificates.pair_sets import MOST_SUM, GroupPrices, groups_above
from atleastk.models.certificates.pair_trees import leaves_of
from atleastk.models.certificates.pair_triangles import proved_by_triangles
from atleastk.models.certificates.weights import expect_bound, kind_of
from atleastk.models.results.fields import INTEGER, INTEGERS

MOST_LOOKED: Final = 100_000_000
"""Items of the sets that the search looks at: some fifteen seconds."""

MOST_LISTED: Final = 20_000
"""Groups of a list: every leaf looks at all of them."""

_A_STATE: Final = 25
"""Such items that are looked at in the time that a state along an order takes."""

FORMS: Final[Forms] = {
    "count": object_form(),
    "weights": may_hold(object_form(**PRICES), triples=ListOf(TRIANGLE), order=COLUMNS),
    "listed": may_hold(object_form(**PRICES, tree=ANY_NODE), triples=ListOf(TRIANGLE)),
    "triangles": may_hold(
        object_form(scale=INTEGER, items=INTEGERS, triangles=ListOf(TRIANGLE)),
        vectors=LISTS,
    ),
    "tree": object_form(tree=ANY_NODE),
}
"""The forms of certificates, by kind; the JSON Schema of results is made from them."""

NODE_FORM: Final = NODE_OF_PAIRS


def check_certificate(
    instance: PairPartition, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Raise CertificateError unless the bound is proved; None says: infeasible."""
    kind = kind_of(certificate, instance, *FORMS)
    if (kind == "count") != (bound is None):
        raise CertificateError(f"certificate kind: {kind} proves nothing of {bound}")
    if bound is None:
        if instance.counts:
            raise CertificateError(
                f"{instance.counts[0]} groups are possible by counting"
            )
        return
    if kind in ("tree", "listed"):
        read_tree = check_tree if kind == "tree" else _check_listed
        read_tree(instance, certificate, bound)
        return
    read = proved if kind == "weights" else proved_by_triangles
    expect_bound(read(instance, certificate), bound)


def is_checkable(instance: PairPartition) -> bool:
    """Return whether the numbers of weights at a scale of 1 would fit 64 bits."""
    return 8 * instance.total * (instance.n + 2) < MOST_SUM


def proved(
    instance: PairPartition, certificate: Mapping[str, Any], most: int = MOST_LOOKED
) -> int | None:
    """Return the bound that weights prove, None if they refute every solution.

    Raise NotApplicableError if more than `most` items of sets have to be looked at.
    """
    prices = GroupPrices.parsed(certificate, instance)
    if "order" in certificate:
        order = entries.field(certificate, "order", ListOf(Integer(), instance.n))
        weights = prices.weights.tolist()
        worth = worth_along(instance, weights, prices.scale, order, most)
        if worth is not None and worth > prices.group:
            raise CertificateError(
                f"a group is worth {worth}, more than {prices.group}"
            )
    else:
        for has, costs in groups_above(instance, prices, prices.group, most):
            _expect_worth(prices, has, costs)
    return bound_of(instance, prices)


def bound_of(instance: PairPartition, prices: GroupPrices) -> int | None:
    """Return the bound of prices if no group is worth more than its price.

    None if no number of groups is possible.
    """
    if not instance.counts:
        return None
    proved = -(-prices.total(instance.counts) // prices.scale)
    return max(instance.least_cost, proved)


def listed(
    instance: PairPartition, prices: GroupPrices, bound: int, most: int = MOST_LOOKED
) -> tuple[BoolArray, IntArray]:
    """Return all groups of solutions that cost less than a bound, and their costs.

    Raise NotApplicableError if more than `most` items of sets have to be looked at.
    """
    if not instance.counts:
        raise CertificateError("no number of groups is possible: a certificate counts")
    total, many = prices.total(instance.counts), 0
    worth = prices.group - (prices.scale * (bound - 1) - total) - 1
    found = []
    for has, costs in groups_above(instance, prices, min(worth, prices.group), most):
        _expect_worth(prices, has, costs)
        found.append((has, costs))
        many += len(costs)
        if many > MOST_LISTED:
            raise NotApplicableError("its groups are too many to re-check")
    every, paid = zip(*found, strict=True)
    return np.concatenate(every), np.concatenate(paid)


def refutes(
    instance: PairPartition,
    prices: GroupPrices,
    bound: int,
    has: BoolArray,
    costs: IntArray,
) -> bool:
    """Tell whether prices refute all choices of these groups that cost less."""
    enough = prices.total(instance.counts) > prices.scale * (bound - 1)
    return enough and not (prices.worth(has, costs) > prices.group).any()


def _check_listed(
    instance: PairPartition, certificate: Mapping[str, Any], bound: int
) -> None:
    """Raise CertificateError unless all choices of the listed groups are refuted."""
    prices = GroupPrices.parsed(certificate, instance)
    has, costs = listed(instance, prices, bound)
    for leaf, decided in leaves_of(certificate, instance.n):
        left = decided.allows(has)
        of_leaf = GroupPrices.parsed(leaf, instance)
        if not refutes(instance, of_leaf, bound, has[left], costs[left]):
            raise CertificateError("certificate tree: a leaf refutes too little")


def _expect_worth(prices: GroupPrices, has: BoolArray, costs: IntArray) -> None:
    """Raise CertificateError if a group is worth more than its price."""
    worth = prices.worth(has, costs)
    for place in np.flatnonzero(worth > prices.group)[:1]:
        items = np.flatnonzero(has[place]).tolist()
        raise CertificateError(
            f"the group {items} is worth {worth[place]}, more than {prices.group}"
        )


def worth_along(
    instance: PairPartition,
    weights: Sequence[int],
    scale: int,
    order: Sequence[int],
    most: int = MOST_LOOKED,
) -> int | None:
    """Return what a group is worth at most, by an order; None if there is no group.

    Raise NotApplicableError if that takes longer than to look at `most` items of sets.
    """
    along = instance.connected and instance.pays_along
    if not along or instance.objective != "sum":
        raise CertificateError(
            "certificate order: for sums of groups that what they pay for connects"
        )
    if sorted(order) != list(range(instance.n)):
        raise CertificateError("certificate order: expected every item once")
    return greatest_worth(instance, weights, scale, order, most // _A_STATE)
