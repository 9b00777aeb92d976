"""Certificates of r-gather, checked in integers without any solver.

``{"kind": "count"}``
    There are fewer than r points, and more than may be outliers: infeasible.
``{"kind": "weights", "radius": K, "weights": [[point, y], ...], "most": Y}``
    Integers y, 0 for the points that are not named, and Y >= 0 such that y(S) <= Y for
    every cluster S of radius at most K. If

        sum of all y - sum of the max_outliers greatest positive y  >  Y m,

    where m is the greatest number of clusters, then the cost is above K.

``{"kind": "tree", "radius": K, "tree": node}``
    See :mod:`~atleastk.models.certificates.cluster_trees`.

Proof: the left side is at most the sum of y over the points that are in clusters, and
each of the m clusters of a solution of cost at most K has at most Y of it.

The cost is a distance. So weights prove every bound below which there is no distance
above K; and that nothing is feasible, if there is no distance above K at all.

The greatest y(S)
-----------------
A cluster with centre c is a set of at least r points of the ball of radius K about c:
at best all of positive weight, filled up to r by the greatest others. If the centre has
to be a member, it is one of them. A cluster of diameter K is in the ball about its
heaviest member, and has no heavier points.

Since Y >= 0 only balls that hold points of positive weight matter: few points of
positive weight are quick to check.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.fields.shapes import ListOf
from atleastk.instances.r_gather import RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.admissible.clusters import Sites, best_choices
from atleastk.models.certificates.cluster_trees import (
    Question,
    check_tree,
    expect_few_points,
)
from atleastk.models.certificates.clustering import expect_too_few, surplus
from atleastk.models.certificates.forms import (
    ANY_NODE,
    NODE_OF_POINTS,
    Forms,
    object_form,
)
from atleastk.models.certificates.weights import (
    array_of_weights,
    field,
    integer,
    kind_of,
)
from atleastk.models.results.fields import PAIR

Certificate = Mapping[str, Any]


def check_certificate(
    instance: RGather, certificate: Certificate, bound: int | None
) -> None:
    """Check that a certificate proves a bound; see the package."""
    kind = kind_of(certificate, instance, *FORMS)
    if kind == "count":
        expect_too_few(instance, bound)
        return
    radius = field(certificate, "radius", integer(-1))
    if kind == "tree":
        expect_few_points(instance)
        check_tree(question_of(instance, radius), certificate)
        _refuse_distance_between(instance, radius, FAR if bound is None else bound)
        return
    most = field(certificate, "most", integer(0))
    n = instance.n
    weights = array_of_weights(certificate, "[point, weight]", (n,), most, n + 1)
    if bound is not None and bound <= 0:
        return
    if not refutes(instance, radius, weights, most):
        raise CertificateError(f"the weights do not refute the radius {radius}")
    _refuse_distance_between(instance, radius, FAR if bound is None else bound)


def question_of(instance: RGather, radius: int) -> Question:
    """Return the question of a tree: clusters of a radius, or of a diameter."""
    distances = instance.space.matrix
    within = distances <= min(radius, FAR - 1)
    forced = np.eye(instance.n, dtype=np.bool_)
    limit: IntArray | None = None
    if instance.any_centre:  # the centre is the first of the points
        within = np.triu(within)
        limit = np.full(instance.n, min(radius, FAR - 1))
    elif instance.centres == "input":
        forced[:] = False
    nothing = np.zeros(instance.n, dtype=np.int64)
    least = min(instance.r, instance.n + 1)  # of any magnitude
    sites = Sites(least, distances, limit, nothing, nothing, within, forced)
    return Question(instance, sites, 1)


def refutes(instance: RGather, radius: int, weights: IntArray, most: int) -> bool:
    """Tell whether weights, with `most` as Y >= 0, prove that the cost is greater."""
    if surplus(instance, weights) <= most * instance.most_clusters:
        return False
    return greatest_weight(instance, radius, weights, most) <= most


def greatest_weight(
    instance: RGather, radius: int, weights: IntArray, least: int = 0
) -> int:
    """Return the greatest weight of a cluster, or `least` >= 0 if it is not above."""
    space, radius = instance.space, min(radius, FAR - 1)
    light_last = np.argsort(-weights, kind="stable")
    positive = light_last[: np.count_nonzero(weights > 0)]
    greatest, every = least, np.arange(space.n)
    step = max(1, space.at_a_time * space.n // max(1, len(positive)))
    around = [
        (space.between(some, positive) <= radius) @ weights[positive]
        for some in np.split(every, range(step, space.n, step))
    ]
    most = np.concatenate(around)
    heavy = every[most > greatest]
    for some in np.split(heavy, range(space.at_a_time, len(heavy), space.at_a_time)):
        centres = some[most[some] > greatest]
        balls = space.between(centres, light_last) <= radius
        values = _best(instance, balls, centres, weights, light_last)
        greatest = max(greatest, int(values.max(initial=greatest)))
    return greatest


def _best(
    instance: RGather,
    balls: BoolArray,
    centres: IntArray,
    weights: IntArray,
    order: IntArray,
) -> IntArray:
    """Return the greatest weight of a cluster about each of some centres.

    `balls` has a row per centre and a column per point, in the `order` of falling
    weight. Centres whose balls are too small have none.
    """
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    places = ranks[centres]
    if instance.any_centre:
        balls = balls & (np.arange(len(order)) >= places[:, None])
    forced = np.zeros_like(balls)
    forced[np.arange(len(centres)), places] = instance.centres != "input"
    forced &= balls
    gains = np.broadcast_to(weights[order], balls.shape)
    least = min(instance.r, instance.n + 1)  # of any magnitude
    values, sizes = best_choices(forced, balls & ~forced, gains, least)
    return values[sizes >= least]


def _refuse_distance_between(instance: RGather, radius: int, bound: int) -> None:
    """Raise CertificateError if a distance is above `radius` but below `bound`."""
    if bound <= radius + 1:
        return
    space = instance.space
    for start in range(0, space.n, space.at_a_time):
        rows = np.arange(start, min(space.n, start + space.at_a_time))
        found = space.rows(rows)
        between = found[(found > radius) & (found < min(bound, FAR))]
        if len(between):
            least = int(between.min())
            raise CertificateError(
                f"the certificate proves that the cost is above {radius}, and "
                f"{least} is a distance, below the bound"
            )


FORMS: Final[Forms] = {
    "count": object_form(),
    "weights": object_form(radius=integer(-1), weights=ListOf(PAIR), most=integer(0)),
    "tree": object_form(radius=integer(-1), tree=ANY_NODE),
}

NODE_FORM: Final = NODE_OF_POINTS
