"""Certificates of interval covering, checked in integers without any solver.

``{"kind": "total"}``
    0 < S < k: infeasible.
``{"kind": "reachability", "cost": K}``
    No solution costs less than K. To check it, mark the positions between items that
    the start reaches by intervals of level k..K-1, one interval after the other; the
    end must stay unmarked. Objective ``max``.
``{"kind": "hitting", "items": [i, ...]}``
    Every interval of level k holds one of the items, since less than k lies between
    two of them. So there are at most as many intervals. Objective ``excess``.
``{"kind": "prefixes"}``
    The bound is at most f_n, where f_0 = 0 and f_j, what the first j items cost, is the
    least f_i + L (L - k) over the intervals from i to j of level L >= k; none of a
    level above 2k - 2 + max x is needed, as one can be cut where it first reaches k,
    which costs less. Objective ``quadratic``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from itertools import accumulate, pairwise
from operator import mul
from typing import Any, Final

from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.fields.shapes import PRINTED_DIGITS, Integer
from atleastk.instances.interval_covering import IntervalCovering
from atleastk.models.certificates.forms import Forms, object_form
from atleastk.models.certificates.weights import expect_bound, field
from atleastk.models.covering import is_feasible
from atleastk.models.in_time import look_up
from atleastk.models.results.fields import INTEGER, INTEGERS

_MOST_STEPS: Final = 20_000_000
"""The most intervals of the dynamic program: about ten seconds."""

_BITS_OF_A_STEP: Final = 1000
"""Bits of a number whose square counts as one step; longer ones count more."""


def check_certificate(
    instance: IntervalCovering, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Check that a certificate proves a bound; see the package."""
    kind = certificate.get("kind") if isinstance(certificate, Mapping) else None
    if bound is None:
        if kind != "total":
            raise CertificateError(
                f"kind: no {kind!r} certificate of infeasibility, expected total"
            )
        if is_feasible(instance):
            message = f"the total size {instance.total} reaches k = {instance.k}"
            if not instance.n:
                message = "no items are covered by no intervals"
            raise CertificateError(message)
        return
    match kind, instance.objective:
        case "reachability", "max":
            _check_reachability(instance, certificate, bound)
        case "hitting", "excess":
            _check_hitting(instance, certificate, bound)
        case "prefixes", "quadratic":
            expect_bound(_least_quadratic(instance), bound)
        case _, objective:
            raise CertificateError(
                f"kind: no {kind!r} certificate for objective {objective}"
            )


def _check_reachability(
    instance: IntervalCovering, certificate: Mapping[str, Any], bound: int
) -> None:
    cost = field(certificate, "cost", Integer(0, PRINTED_DIGITS))
    if cost < bound:
        raise CertificateError(
            f"cost: the certificate is for {cost}, the bound is {bound}"
        )
    sums = list(accumulate(instance.sizes, initial=0))
    marked = [0]  # the prefix sums that intervals reach, increasing
    for reached in sums[1:]:
        low = bisect_left(marked, reached - cost + 1)
        if low < bisect_right(marked, reached - instance.k):
            marked.append(reached)
    if cost > 0 and marked[-1] == sums[-1]:
        raise CertificateError(
            f"cost: intervals of level at most {cost - 1} cover the row"
        )


def _check_hitting(
    instance: IntervalCovering, certificate: Mapping[str, Any], bound: int
) -> None:
    items = field(certificate, "items", INTEGERS)
    if any(after <= before for before, after in pairwise((-1, *items, instance.n))):
        raise CertificateError(
            f"items: expected increasing items of 0..{instance.n - 1}"
        )
    sums = list(accumulate(instance.sizes, initial=0))
    for before, after in pairwise((-1, *items, instance.n)):
        if sums[after] - sums[before + 1] >= instance.k:
            raise CertificateError(
                f"items: between {before} and {after} an interval has room"
            )
    proved = instance.total - instance.k * len(items)
    if proved < bound:
        raise CertificateError(
            f"items: {len(items)} of them prove the bound {proved}, not {bound}"
        )


def _least_quadratic(instance: IntervalCovering) -> int | None:
    """Return the least cost by dynamic programming; the total reaches k, or is 0."""
    k, sums = instance.k, list(accumulate(instance.sizes, initial=0))
    widest = 2 * k - 2 + max(instance.sizes, default=0)
    starts = [
        range(bisect_left(sums, reached - widest), bisect_right(sums, reached - k))
        for reached in sums[1:]
    ]
    steps = (1 + reached.bit_length() // _BITS_OF_A_STEP for reached in sums[1:])
    if sum(map(mul, steps, map(len, starts))) > _MOST_STEPS:
        raise NotApplicableError("the certificate is too large to re-check")
    least: list[int | None] = [0]
    for reached, some in zip(sums[1:], starts, strict=True):
        look_up()
        levels = ((least[i], reached - sums[i]) for i in some)
        costs = (f + level * (level - k) for f, level in levels if f is not None)
        least.append(min(costs, default=None))
    return least[-1]


FORMS: Final[Forms] = {
    "total": object_form(),
    "reachability": object_form(cost=INTEGER),
    "hitting": object_form(items=INTEGERS),
    "prefixes": object_form(),
}
