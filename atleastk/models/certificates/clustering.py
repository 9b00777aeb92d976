"""Shared parts of the certificates of r-gather and cellular clustering.

``{"kind": "count"}``
    There are fewer than r points, and more than may be outliers: infeasible.

Weights of points are added up over clusters. Any points may be outliers: clusters have
at least the sum of all weights, less the max_outliers greatest positive ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.clustering import Clustering
from atleastk.instances.fields.errors import CertificateError

TOO_FEW: Final[Mapping[str, Any]] = {"kind": "count"}
"""The certificate of instances that have :func:`too_few` points."""


def too_few(instance: Clustering) -> bool:
    """Tell whether there must be a cluster, and too few points for one."""
    return instance.max_outliers < instance.n < instance.r


def expect_too_few(instance: Clustering, bound: int | None) -> None:
    """Raise `CertificateError` unless counting proves the bound: None, infeasible."""
    if bound is not None or not too_few(instance):
        raise CertificateError(
            'a certificate of kind "count" proves exactly that there are fewer than r '
            "points, and more than max_outliers"
        )


def surplus(instance: Clustering, weights: IntArray) -> int:
    """Return the sum of the weights less that of the greatest outliers."""
    positive = np.sort(weights[weights > 0])[::-1]
    return int(weights.sum()) - int(positive[: instance.max_outliers].sum())
