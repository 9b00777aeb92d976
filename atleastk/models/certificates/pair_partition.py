"""Certificates of pair partition, checked in integers without any solver.

``{"kind": "count"}``
    No number of groups fits the number of items, the least and greatest sizes and the
    window on the number of groups: infeasible.
``{"kind": "weights", "scale": D, "weights": [y_0, ..., y_{n-1}], "group": m}``
    Integers. No admissible group S has y(S) - D c(S) > m: then a solution of g groups
    costs at least (y(all items) - g m) / D, and at least the least of these for any
    number of groups that counting allows (:mod:`atleastk.models.certificates.weights`).
``{"kind": "weights", ..., "order": [item, ...]}``
    The same for groups that are connected by all pairs that cost anything, and ``sum``.
    Groups of any size are found along this order of all items:
    :mod:`~atleastk.models.certificates.pair_boundary`.
``{"kind": "triangles", ...}``
    For ``sum``: see :mod:`~atleastk.models.certificates.pair_triangles`.
``{"kind": "tree", "tree": node}``
    For ``sum`` and two groups: see :mod:`~atleastk.models.certificates.pair_halves`.

Without an order, the search for a group that breaks this goes through sets by their
first item. A set S
with candidates C can only become one of size s if S and the s - |S| best of C do, where
a candidate j pays for the pairs with S, and half of its cheapest s - |S| - 1 others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.fields.shapes import Integer, ListOf
from atleastk.instances.pair_partition import MOST_TOTAL, PairPartition
from atleastk.models.admissible.pair_partition import is_admissible
from atleastk.models.certificates import weights as entries
from atleastk.models.certificates.forms import (
    ANY_NODE,
    COLUMNS,
    NODE_OF_HALVES,
    WHOLE,
    WHOLES,
    Forms,
    object_form,
)
from atleastk.models.certificates.pair_boundary import greatest_worth
from atleastk.models.certificates.pair_halves import check_tree
from atleastk.models.certificates.pair_triangles import TRIANGLES, proved_by_triangles
from atleastk.models.certificates.weights import (
    expect_bound,
    kind_of,
    weights_of,
)

MOST_SETS: Final = 100_000
"""Sets that the search looks at: some ten seconds."""

STATES: Final = 40
"""States along an order that are kept in the time in which a set is looked at."""

_MOST_SUM: Final = 2**62
"""Numbers of the search stay below, in 64 bits."""

FORMS: Final[Forms] = {
    "count": object_form(),
    "weights": object_form(
        scale=WHOLE, weights=WHOLES, group=WHOLE, may_hold={"order": COLUMNS}
    ),
    "triangles": object_form(scale=WHOLE, items=WHOLES, triangles=TRIANGLES),
    "tree": object_form(tree=ANY_NODE),
}
"""The forms of certificates, by kind; the JSON Schema of results is made from them."""

NODE_FORM: Final = NODE_OF_HALVES


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
    if kind == "tree":
        check_tree(instance, certificate, bound)
        return
    read = proved if kind == "weights" else proved_by_triangles
    expect_bound(read(instance, certificate), bound)


def is_checkable(instance: PairPartition) -> bool:
    """Return whether the numbers of weights at a scale of 1 would fit 64 bits."""
    return 8 * instance.total * (instance.n + 2) < _MOST_SUM


def proved(
    instance: PairPartition, certificate: Mapping[str, Any], most: int = MOST_SETS
) -> int | None:
    """Return the bound that weights prove, None if they refute every solution.

    Raise NotApplicableError if more than `most` sets have to be looked at.
    """
    weights = weights_of(certificate, instance.n)
    scale = entries.field(certificate, "scale", Integer(minimum=1))
    group = entries.field(certificate, "group", Integer())
    _expect_safe(instance, weights, scale, group)
    if "order" in certificate:
        order = entries.field(certificate, "order", ListOf(Integer(), instance.n))
        worth = worth_along(instance, weights, scale, order, most)
        if worth is not None and worth > group:
            raise CertificateError(f"a group is worth {worth}, more than {group}")
    else:
        search = _Search(
            instance, np.array(weights, dtype=np.int64), scale, group, most
        )
        everything = np.arange(instance.n)
        for place, first in enumerate(everything.tolist()):
            search.extend((first,), everything[place + 1 :], instance.matrix[first])
    return bound_of(instance, weights, scale, group)


def bound_of(
    instance: PairPartition, weights: Sequence[int], scale: int, group: int
) -> int | None:
    """Return the bound that weights prove if no group is worth more than `group`."""
    counts = instance.counts
    if not counts:
        return None
    paid = max(group * counts[0], group * counts[-1])
    return max(instance.least_cost, -(-(sum(weights) - paid) // scale))


def worth_along(
    instance: PairPartition,
    weights: Sequence[int],
    scale: int,
    order: Sequence[int],
    most: int = MOST_SETS,
) -> int | None:
    """Return what a group is worth at most, by an order; None if there is no group.

    Raise NotApplicableError if that takes longer than to look at `most` sets.
    """
    along = instance.connected and instance.pays_along
    if not along or instance.objective != "sum":
        raise CertificateError(
            "certificate order: for sums of groups that what they pay for connects"
        )
    if sorted(order) != list(range(instance.n)):
        raise CertificateError("certificate order: expected every item once")
    return greatest_worth(instance, weights, scale, order, STATES * most)


def _expect_safe(
    instance: PairPartition, weights: Sequence[int], scale: int, group: int
) -> None:
    most = 4 * scale * max(1, instance.total) + sum(map(abs, weights)) + abs(group)
    if most * (instance.n + 2) >= _MOST_SUM:
        raise NotApplicableError("the weights are too large to re-check")


@dataclass(slots=True)
class _Search:
    """A search for a group that is worth more than it may be."""

    instance: PairPartition
    weights: IntArray  # [item]
    scale: int
    group: int
    most_sets: int
    looked_at: int = 0
    nearest: IntArray = field(init=False)  # [others, item]: sums of the cheapest pairs

    def __post_init__(self) -> None:
        matrix, most = self.instance.matrix.copy(), self.instance.most_size
        np.fill_diagonal(matrix, 0)
        far = np.where(np.eye(len(matrix), dtype=np.bool_), MOST_TOTAL, matrix)
        cheap = np.sort(far, axis=0)[: max(0, most - 1)]
        cheap[cheap == MOST_TOTAL] = 0
        none = np.zeros((1, len(matrix)), dtype=np.int64)
        self.nearest = np.concatenate((none, np.cumsum(cheap, axis=0)))

    def extend(self, group: tuple[int, ...], left: IntArray, paying: IntArray) -> None:
        """Look at a set of items with any others of those left.

        `paying` is what each item pays for its pairs with the set.
        """
        self.looked_at += 1
        if self.looked_at > self.most_sets:
            raise NotApplicableError("the certificate is too large to re-check")
        self._expect_worth(group)
        while (values := self._open(group, left, paying)) is not None:
            place = int(values.argmin())
            item, left = int(left[place]), np.delete(left, place)
            more = paying + self.instance.matrix[item]
            self.extend((*group, item), left, more)

    def _expect_worth(self, group: tuple[int, ...]) -> None:
        instance, items = self.instance, list(group)
        if instance.k <= len(items) <= instance.most_size:
            given = int(self.weights[items].sum())
            worth = given - self.scale * instance.cost_of(items)
            if worth > self.group and is_admissible(instance, items):
                raise CertificateError(
                    f"the group {sorted(items)} is worth {worth}, more than "
                    f"{self.group}"
                )

    def _open(
        self, group: tuple[int, ...], left: IntArray, paying: IntArray
    ) -> IntArray | None:
        """Return what items left cost at least, None if no size can be worth more."""
        instance, scale, held = self.instance, self.scale, len(group)
        inside = int(paying[list(group)].sum()) // 2
        given = int(self.weights[list(group)].sum())
        sizes = range(max(instance.k, held + 1), instance.most_size + 1)
        for size in sizes:
            more = size - held
            if more > len(left):
                break
            squares = instance.objective == "squares"
            shared = size if squares else 1
            slack = scale if squares else 0
            pays = 2 * paying[left] + self.nearest[more - 1][left]
            values: IntArray = scale * pays // (2 * shared) - self.weights[left]
            best = int(np.partition(values, more - 1)[:more].sum())
            if given - scale * inside // shared - best + slack > self.group:
                return values
        return None
