"""Certificates of bin covering, checked in integers without any solver.

A certificate is a JSON object that proves a lower bound on the cost, or infeasibility.
Item kinds are the distinct sizes, the largest first. Bounds:
:mod:`atleastk.models.bin_covering`. Theorem behind weights:
:mod:`atleastk.models.certificates.weights`.

``{"kind": "total"}``
    0 < S < k: infeasible.
``{"kind": "counting"}``
    The bound follows by counting.
``{"kind": "reach", "item": i}``
    No bin with item i has a level from k to bound - 1. Objective ``max``.
``{"kind": "subsets"}``
    The bound follows by a dynamic program over all multisets of sizes:
    :mod:`atleastk.models.certificates.bin_subsets`.
``{"kind": "weights", "refutes": K, "parts": {"m": [y per kind], ...}}``
    No solution costs at most K: for every number m of bins that counting does not
    exclude, sum y > m * y(S) for all bins S of the window of m and K. Objective
    ``max``.
``{"kind": "weights", "scale": D, "weights": [y per kind]}``
    The greatest y(S) - D * cost(S) over all bins S bounds the sum. Objectives
    ``excess``, ``quadratic``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.fields.shapes import AnyObject, ListOf, ObjectOf
from atleastk.models.admissible.bin_covering import BinGroups
from atleastk.models.bin_covering import (
    attainable,
    counting_cost,
    least_level,
    possible_bins,
)
from atleastk.models.certificates.bin_subsets import cost_of_subsets
from atleastk.models.certificates.forms import SCALED, Forms, object_form
from atleastk.models.certificates.weights import (
    expect_bound,
    field,
    integer,
    kind_of,
    weights_of,
)
from atleastk.models.covering import is_feasible
from atleastk.models.kinds import Kinds
from atleastk.models.results.fields import INTEGER, INTEGERS

_MOST_WORK = 4_000_000_000
"""Elementary steps of a check: about ten seconds."""


def check_certificate(
    instance: BinCovering, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Check that a certificate proves a bound; see the package."""
    kind = kind_of(certificate, instance, *FORMS)
    if (kind == "total") != (bound is None) or is_feasible(instance) == (bound is None):
        raise CertificateError(
            'a certificate of kind "total" proves exactly that 0 < S < k'
        )
    if bound is None:
        return
    if not instance.n and kind != "counting":
        raise CertificateError("without items the cost is 0, by counting")
    match kind:
        case "counting":
            proved = counting_cost(instance)
        case "reach":
            proved = _reach(instance, certificate)
        case "subsets":
            proved = cost_of_subsets(instance)
        case "weights" if instance.objective == "max":
            proved = _refutation(instance, certificate)
        case _:
            proved = _sum(instance, certificate)
    expect_bound(proved, bound)


def _reach(instance: BinCovering, certificate: Mapping[str, Any]) -> int:
    item = field(certificate, "item", integer(0))
    if item >= instance.n or instance.objective != "max":
        raise CertificateError(f"certificate item: {item} is no item of a max problem")
    least = least_level(instance, item)
    if least is None:
        raise NotApplicableError("levels are too long to re-check the certificate")
    return least


def _refutation(instance: BinCovering, certificate: Mapping[str, Any]) -> int:
    refuted = field(certificate, "refutes", integer(0))
    weights_by_parts = field(certificate, "parts", AnyObject())
    kinds = Kinds.of(instance.sizes)
    possible = possible_bins(instance, refuted)
    forms = (BinGroups.decision(instance, m, refuted, kinds) for m in possible)
    work = 0
    for bins, groups in zip(possible, forms, strict=True):
        of_kinds = ListOf(INTEGER, len(kinds.demand))
        weights = field(weights_by_parts, str(bins), of_kinds)
        work += groups.work
        if _bound_of(groups, weights, 0, work) is not None:
            raise CertificateError(
                f"the weights of {bins} bins do not refute level {refuted}"
            )
    return refuted + 1


def _sum(instance: BinCovering, certificate: Mapping[str, Any]) -> int | None:
    groups = BinGroups.sums(instance)
    scale = field(certificate, "scale", integer(1))
    weights = weights_of(certificate, len(groups.demand))
    proved = _bound_of(groups, weights, scale, groups.work)
    return None if proved is None else attainable(instance, proved)


def _bound_of(
    groups: BinGroups, weights: tuple[int, ...], scale: int, work: int
) -> int | None:
    """Return the bound that the weights prove, None if they refute everything."""
    if work > _MOST_WORK:
        raise NotApplicableError("the certificate is too large to re-check")
    try:
        return groups.proved(weights, scale)
    except NotApplicableError as error:
        raise NotApplicableError(
            f"the certificate is too large to re-check: {error}"
        ) from error


FORMS: Final[Forms] = {
    "total": object_form(),
    "counting": object_form(),
    "reach": object_form(item=integer(0)),
    "subsets": object_form(),
    "weights": {
        "anyOf": [
            object_form(**SCALED),
            object_form(
                refutes=integer(0),
                parts=ObjectOf(INTEGERS),
            ),
        ]
    },
}
