"""Proofs of r-gather: clusters by their centre, of radius at most K."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.r_gather import RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.proofs.chosen import Choice
from atleastk.models.proofs.clusters import (
    clusterings_refuted,
    clusters_chosen,
    refute_clusters,
)
from atleastk.models.proofs.listed import expect_kind
from atleastk.models.proofs.vipr import Program


def refuted(
    instance: RGather, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    expect_kind(certificate, "count", "weights", "tree")
    radius = FAR - 1 if bound is None else min(bound, FAR) - 1
    if certificate["kind"] == "tree":
        return clusterings_refuted(instance, certificate["tree"], radius, None)
    n, space = instance.n, instance.space
    weights = [0] * n
    for point, weight in certificate.get("weights", ()):
        weights[point] = weight
    order = list(range(n))
    if instance.any_centre:
        order.sort(key=lambda point: -weights[point])
    near = space.matrix <= radius
    choices = []
    for place, centre in enumerate(order):
        among = order[place:] if instance.any_centre else range(n)
        items = [point for point in among if near[centre, point]]
        forced = (
            frozenset[int]() if instance.centres == "input" else frozenset([centre])
        )
        if len(items) >= instance.r:
            choices.append(Choice(f"c{centre}", items, instance.r, forced))
    within = "any distance" if bound is None else f"a distance of {radius}"
    remarks = [f"those about c have {instance.r} or more points within {within} of c."]
    if instance.any_centre:
        ranked = " ".join(map(str, order))
        remarks += [
            f"Of every cluster c is the first of the points in the order {ranked}."
        ]
    elif instance.centres == "member":
        remarks += ["Each has its centre."]
    chosen = clusters_chosen(instance, remarks, choices)
    refute_clusters(instance, chosen, weights, {})
    return chosen.program
