"""Proofs of cellular clustering: clusters by centre and radius."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from atleastk.instances.cellular_clustering import CellularClustering
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
    instance: CellularClustering, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    expect_kind(certificate, "count", "weights", "tree")
    if certificate["kind"] == "tree":
        most = None if bound is None else bound - 1
        return clusterings_refuted(instance, certificate["tree"], FAR - 1, most)
    pairs = list(_choices(instance))
    choices = [choice for _, _, choice in pairs]
    r, about = instance.r, "those of c and d have c and d, as far apart as any two"
    if not instance.any_centre:
        about = "those about c up to d have points no farther from c than d"
    remarks = [f"{about}, {r} or more."]
    if instance.centres == "member":
        remarks += ["Each has its centre."]
    chosen = clusters_chosen(instance, remarks, choices)
    cost = {}
    if bound is not None:
        terms: dict[int, int] = {}
        for (radius, facility, _), made in zip(pairs, chosen.made, strict=True):
            terms[made.used] = facility
            terms.update(dict.fromkeys(made.pairs.values(), radius))
        paid = {variable: price for variable, price in terms.items() if price}
        row = chosen.program.row("cost", "L", paid, bound - 1)
        cost[row] = certificate.get("scale", 1)
    weights = certificate.get("weights", [1] * instance.n)
    refute_clusters(instance, chosen, weights, cost)
    return chosen.program


def _choices(instance: CellularClustering) -> Iterator[tuple[int, int, Choice]]:
    """Yield every radius, its facility cost, and the choice."""
    distances, n = instance.space.matrix, instance.n
    for centre in range(n):
        about = distances[centre]
        facility = int(instance.facilities[centre])
        if instance.any_centre:
            ends = [(int(about[d]), d) for d in range(centre, n) if about[d] < FAR]
        else:
            ends = [(int(d), int(d)) for d in sorted({*about[about < FAR].tolist()})]
        for radius, end in ends:
            within = about <= radius
            forced = frozenset([centre] if instance.centres == "member" else [])
            if instance.any_centre:
                within &= distances[end] <= radius
                forced = frozenset([centre, end])
            items = within.nonzero()[0].tolist()
            if len(items) >= instance.r:
                name = f"c{centre}_d{end}"
                yield radius, facility, Choice(name, items, instance.r, forced)
