"""Certificates of standard sizes, checked in integers without any solver.

``{"kind": "count"}``
    There are fewer than k pieces, but at least one: infeasible.
``{"kind": "weights", "weights": [y_0, ..., y_{n-1}]}``
    One integer for every piece. If no run of k to 2k - 1 pieces, in order of length,
    weighs more than it costs, then no solution costs less than the sum of all weights.
    Proof: some best solution consists of such runs, and each of them pays for its
    pieces (:mod:`atleastk.instances.standard_sizes`).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any, Final

from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.standard_sizes import StandardSizes
from atleastk.models.certificates.forms import Forms, object_form
from atleastk.models.certificates.weights import expect_bound, kind_of, weights_of
from atleastk.models.results.fields import INTEGERS
from atleastk.models.standard_sizes import by_length, group_cost, is_feasible

_MOST_PIECES: Final = 100_000_000
"""Pieces of runs that are looked at: about ten seconds."""

FORMS: Final[Forms] = {
    "count": object_form(),
    "weights": object_form(weights=INTEGERS),
}
"""The forms of certificates, by kind; the JSON Schema of results is made from them."""


def check_certificate(
    instance: StandardSizes, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Raise CertificateError unless the bound is proved; None says: infeasible."""
    kind = kind_of(certificate, instance, *FORMS)
    if (kind == "count") != (bound is None):
        raise CertificateError(f"certificate kind: {kind} proves nothing of {bound}")
    if bound is None:
        if is_feasible(instance):
            raise CertificateError(
                f"{instance.n} items can be grouped with k = {instance.k}"
            )
        return
    expect_bound(_proved(instance, weights_of(certificate, instance.n)), bound)


def _proved(instance: StandardSizes, weights: tuple[int, ...]) -> int:
    """Return the sum of weights that no run breaks."""
    n, k, order = instance.n, instance.k, by_length(instance)
    if n * min(k, n) ** 2 > _MOST_PIECES:
        raise NotApplicableError("the certificate is too large to re-check")
    sums = list(accumulate((weights[item] for item in order), initial=0))
    lengths = [instance.lengths[item] for item in order]
    for end in range(k, n + 1):
        for start in range(max(0, end + 1 - 2 * k), end + 1 - k):
            weight, run = sums[end] - sums[start], lengths[start:end]
            if weight > group_cost(run):
                raise CertificateError(
                    f"weights: {len(run)} pieces up to length {run[-1]} weigh "
                    f"{weight}, more than they cost"
                )
    return sums[-1]
