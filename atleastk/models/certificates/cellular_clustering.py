"""Certificates of cellular clustering, checked in integers without any solver.

``{"kind": "count"}``
    0 < n < r and n > max_outliers: infeasible.
``{"kind": "weights", "scale": D, "weights": [y per point]}``
    Let V be at least the greatest value of y(S) - D c(S) over the clusters S. Any
    solution has at most ``most_clusters`` of them, and at least one if not all points
    may be outliers. Hence, see :mod:`~atleastk.models.certificates.weights`, D times
    its cost is at least

        sum y - (the max_outliers greatest of the y that are positive)
              - V * (most clusters if V > 0, else fewest).

    If there is no cluster at all, and a point that has to be in one, then nothing is
    feasible: any weights certify that.
``{"kind": "tree", "tree": node}``
    See :mod:`~atleastk.models.certificates.cluster_trees`.

The greatest value
------------------
A cluster about c of radius d consists of at least r points within d of c, among them c
itself if centres are members, and is worth the sum of y - D d over them, less D f_c.
The best has all points of y > D d, and of the others the greatest until there are r.
With centres anywhere, a cluster of diameter d(a, b) has a and b, and points within
that distance of both: V is the greatest value of these, even if they are further apart.
All pairs of points are tried: time O(n^3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.fields.shapes import AnyObject
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.admissible.clusters import Sites
from atleastk.models.certificates.cluster_trees import (
    Question,
    check_tree,
    expect_few_points,
)
from atleastk.models.certificates.clustering import expect_too_few, surplus
from atleastk.models.certificates.forms import (
    ANY_NODE,
    NODE_OF_POINTS,
    SCALED,
    Forms,
    object_form,
)
from atleastk.models.certificates.weights import (
    expect_bound,
    expect_safe,
    field,
    integer,
    kind_of,
    weights_of,
)
from atleastk.models.in_time import look_up

_MOST_POINTS: Final = 1000
"""The most points: a check of a thousand takes ten seconds."""


def check_certificate(
    instance: CellularClustering, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Check that a certificate proves a bound; see the package."""
    kind = kind_of(certificate, instance, *FORMS)
    if kind == "count":
        expect_too_few(instance, bound)
        return
    if kind == "tree":
        expect_few_points(instance)
        field(certificate, "tree", AnyObject())
        if bound is None or bound > 0:
            check_tree(question_of(instance, bound), certificate)
        return
    scale = field(certificate, "scale", integer(1))
    weights = weights_of(certificate, instance.n)
    if not is_checkable(instance):
        raise NotApplicableError(
            f"{instance.n} points are too many to re-check the certificate"
        )
    distances = instance.space.matrix
    farthest = int(distances[distances < FAR].max(initial=0))
    dearest = scale * max(1, farthest, int(instance.facilities.max(initial=0)))
    expect_safe((instance.n + 1) * (max(map(abs, weights), default=0) + dearest))
    proved = proven(instance, np.array(weights, dtype=np.int64), scale)
    if proved is None:
        return
    if bound is None:
        raise CertificateError(
            "the certificate does not prove that nothing is feasible"
        )
    expect_bound(proved, bound)


def is_checkable(instance: CellularClustering) -> bool:
    """Tell whether weights for these points can be re-checked in reasonable time."""
    return instance.n <= _MOST_POINTS


def question_of(instance: CellularClustering, bound: int | None) -> Question:
    """Return the question of a tree; the bound None stands for infeasible.

    No cost is negative, so a bound of 0 needs no tree.
    """
    costs = int(bound is not None)
    sites = _sites_about(instance, np.arange(instance.n), costs)
    return Question(instance, sites, 1 if bound is None else bound)


def _sites_about(instance: CellularClustering, centres: IntArray, costs: int) -> Sites:
    """Return the sites of centres, whose clusters cost so many times as much.

    With centres anywhere, a pair of points is a site of the first.
    """
    distances, points = instance.space.matrix, np.arange(instance.n)
    about = distances[centres]
    if instance.any_centre:
        pairs = centres[:, None] <= points
    else:  # of the points at the same distance from a centre, the first
        order = np.argsort(about, axis=1, kind="stable")
        sorted_ = np.take_along_axis(about, order, axis=1)
        pairs = np.zeros(about.shape, dtype=np.bool_)
        first = np.diff(sorted_, axis=1, prepend=-1) > 0
        np.put_along_axis(pairs, order, first, axis=1)
    place, last = np.nonzero(pairs & (about < FAR))
    centre, limit = centres[place], about[place, last]
    within, forced = about[place] <= limit[:, None], centre[:, None] == points
    if instance.any_centre:
        within &= distances[last] <= limit[:, None]
        forced |= last[:, None] == points
    elif instance.centres == "input":
        forced[:] = False
    return Sites(
        min(instance.r, instance.n + 1),  # of any magnitude
        distances,
        limit if instance.any_centre else None,
        costs * limit,
        costs * instance.facilities[centre],
        within,
        forced,
    )


def proven(instance: CellularClustering, weights: IntArray, scale: int) -> int | None:
    """Return the bound that weights prove, at least 0; None if nothing is feasible."""
    value = greatest_value(instance, weights, scale)
    if value is None:
        return None if instance.least_clustered else 0
    fewest = 1 if instance.least_clustered else 0
    count = instance.most_clusters if value > 0 else fewest
    least = surplus(instance, weights) - value * count
    return max(0, -(-least // scale))


def greatest_value(
    instance: CellularClustering, weights: IntArray, scale: int
) -> int | None:
    """Return V, or None if there is no cluster."""
    if instance.most_clusters == 0:
        return None
    greatest: int | None = None
    for centre in np.arange(instance.n)[:, None]:  # one by one: to save memory
        look_up()
        sites = _sites_about(instance, centre, 1)
        enough = sites.within.sum(axis=1) >= sites.least
        for value in sites.only(enough).values(weights, scale).tolist():
            greatest = value if greatest is None else max(greatest, value)
    return greatest


FORMS: Final[Forms] = {
    "count": object_form(),
    "weights": object_form(**SCALED),
    "tree": object_form(tree=ANY_NODE),
}

NODE_FORM: Final = NODE_OF_POINTS
