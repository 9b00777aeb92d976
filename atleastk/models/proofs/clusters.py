"""Proofs of r-gather and cellular clustering, by weights and by trees.

With weights, clusters are chosen by centre, in cellular clustering by radius too. With
trees, all clusters are listed, as sets of points.

There is a 0/1 variable for every cluster, and one for every outlier. The sum of the
clusters with two points is 1 if they are together, so every split of the tree
(:mod:`atleastk.models.certificates.cluster_trees`) is a pair of assumptions. One line
derives from each which variables are 0: clusters with one of two points that are
together, with both that are apart, with an outlier, and outliers that are clustered. A
leaf needs this for variables that are worth more than all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.clustering import Clustering
from atleastk.instances.r_gather import RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.certificates.cluster_trees import ClusterLeaf
from atleastk.models.proofs.chosen import Choice, Chosen
from atleastk.models.proofs.listed import Group, Listed, expect_few, expect_kind
from atleastk.models.proofs.vipr import Number, Program


def refuted_gathered(
    instance: RGather, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of r-gather: clusters by their centre."""
    expect_kind(certificate, "count", "weights", "tree")
    radius = FAR - 1 if bound is None else min(bound, FAR) - 1
    if certificate["kind"] == "tree":
        return _clusterings_refuted(instance, certificate["tree"], radius, None)
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
    chosen = _chosen(instance, remarks, choices)
    _refute(instance, chosen, weights, {})
    return chosen.program


def refuted_cellular(
    instance: CellularClustering, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return that of cellular clustering: clusters by their centre and radius."""
    expect_kind(certificate, "count", "weights", "tree")
    if certificate["kind"] == "tree":
        most = None if bound is None else bound - 1
        return _clusterings_refuted(instance, certificate["tree"], FAR - 1, most)
    pairs = list(_choices(instance))
    choices = [choice for _, _, choice in pairs]
    r, about = instance.r, "those of c and d have c and d, as far apart as any two"
    if not instance.any_centre:
        about = "those about c up to d have points no farther from c than d"
    remarks = [f"{about}, {r} or more."]
    if instance.centres == "member":
        remarks += ["Each has its centre."]
    chosen = _chosen(instance, remarks, choices)
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
    _refute(instance, chosen, weights, cost)
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


def _clusterings_refuted(
    instance: Clustering, tree: Mapping[str, Any], radius: int, most: int | None
) -> Program:
    """Return the program of all clusterings, refuted by a tree.

    Clusters have at most this `radius`, or diameter with centres anywhere; `most` is
    the greatest total cost, None if only radii count.
    """
    clusters = list(_clusters(instance, radius))
    reached = "any distance" if radius >= FAR - 1 else f"a distance of {radius}"
    about = (
        f"Variables: whether a set of {instance.r} or more points is a cluster, all "
        f"within {reached}, named by the points,",
        f'with centres "{instance.centres}"; and whether a point is an outlier.',
        "Rows: every point is in a cluster, or an outlier.",
    )
    groups = [
        Group("cluster_" + "_".join(map(str, points)), dict.fromkeys(points, 1))
        for points, _ in clusters
    ]
    n = instance.n
    outliers = min(instance.max_outliers, n)
    listed = Listed.of(about, groups, [1] * n, outliers=outliers)
    program = listed.program
    cost = None
    if most is not None:
        paid = {g: price for g, (_, price) in enumerate(clusters) if price}
        cost = program.row("cost", "L", paid, most)
    limit = _limit(instance, program, listed.count)
    if not groups:
        combined: dict[int, Number] = listed.summed([1] * n, -1)
        if listed.out.row is not None:
            combined[listed.out.row] = 1
        program.refuted(combined)
        return program
    if limit is None or instance.most_clusters < (instance.max_clusters or 0):
        limit = listed.most([1] * n)
    share = Fraction(1, n)
    shares: dict[int, Number] = listed.summed([1] * n, share)
    if listed.out.row is not None:
        shares[listed.out.row] = -share
    one = program.rounded("G", listed.count, shares)
    _Tree(instance, listed, cost, limit, one).refute(tree, _Place())
    return program


def _clusters(
    instance: Clustering, radius: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield all clusters of at most a radius, each with its least cost."""
    distances, fees = instance.space.matrix, instance.facilities
    n = instance.n
    expect_few(1 << min(n, 62))
    nowhere = np.zeros(n, dtype=np.int64)
    stack: list[tuple[tuple[int, ...], Any]] = [((), nowhere)]
    while stack:
        points, reach = stack.pop()
        centres = reach <= min(radius, FAR - 1)
        members = list(points)
        if instance.any_centre:
            if not centres[members].all():
                continue
        elif not centres.any():
            continue
        stack += [
            ((*points, point), np.maximum(reach, distances[point]))
            for point in range(points[-1] + 1 if points else 0, n)
        ]
        if instance.centres == "member":
            centres = centres & np.isin(np.arange(n), members)
        if len(points) < max(1, instance.r) or not centres.any():
            continue
        if instance.any_centre:
            yield points, len(points) * int(reach[members].max())
        else:
            prices = len(points) * reach + (0 if fees is None else fees)
            yield points, int(prices[centres].min())


class _Place(NamedTuple):
    """A node of the tree."""

    none: tuple[int, ...] = ()
    """Lines that variables are 0."""
    out: Mapping[int, int] = {}
    """By the variable of an outlier, the line that it is one."""


class _Tree(NamedTuple):
    """How a tree refutes a list of clusters."""

    instance: Clustering
    listed: Listed
    cost: int | None
    """The row of the costs, if they count."""
    most: int
    one: int
    """`most`, `one`: the lines of the most clusters, and that there is one."""

    def refute(self, tree: Mapping[str, Any], place: _Place) -> int:
        """Return the contradiction of a node."""
        listed, program = self.listed, self.listed.program
        if "weights" in tree:
            leaf = ClusterLeaf.parsed(tree, self.instance.n)
            return self._refute_leaf(leaf, place)
        if "pair" in tree:
            cases, split = listed.by_pair(*tree["pair"])
            sides = (
                (tree["apart"], place._replace(none=(*place.none, cases.below))),
                (tree["together"], place._replace(none=(*place.none, *split))),
            )
        else:
            point = tree["point"]
            out = listed.out.variables[point]
            cases = program.cases({out: 1}, 0)
            alone = listed.others({point}, cases.above)
            outside = {**place.out, out: cases.above}
            sides = (
                (tree["clustered"], place._replace(none=(*place.none, cases.below))),
                (tree["outlier"], _Place((*place.none, alone), outside)),
            )
        below, above = (self.refute(child, side) for child, side in sides)
        return program.joined(cases, below, above)

    def _refute_leaf(self, leaf: ClusterLeaf, place: _Place) -> int:
        more: dict[int, Number] = {}
        if self.cost is not None and leaf.scale:
            more[self.cost] = leaf.scale
        if self.listed.out.row is not None:
            more[self.listed.out.row] = self._last_outlier(leaf, place)
        counted = self.one, self.most
        return self.listed.refute(
            leaf.weights, counted, more, place.none, place.out, leaf.most
        )

    def _last_outlier(self, leaf: ClusterLeaf, place: _Place) -> int:
        """Return the greatest weight of a point beyond the limit of outliers."""
        program, variables = self.listed.program, self.listed.out.variables
        barred = {v for line in place.none for v in program.line(line).terms}
        decided = barred | place.out.keys()
        pairs = zip(variables, leaf.weights, strict=True)
        weights = sorted(
            (y for v, y in pairs if y > 0 and v not in decided), reverse=True
        )
        spare = self.instance.max_outliers - len(place.out)
        return weights[spare] if 0 <= spare < len(weights) else 0


def _limit(
    instance: Clustering, program: Program, count: Mapping[int, int]
) -> int | None:
    """Add the row of the most clusters, if they are limited."""
    if instance.max_clusters is None:
        return None
    return program.row("clusters", "L", count, instance.max_clusters)


def _chosen(
    instance: Clustering, remarks: Sequence[str], choices: Sequence[Choice]
) -> Chosen:
    """Return the program of clusters."""
    outliers = min(instance.max_outliers, instance.n)
    about = (
        "Variables: how often a cluster is used, and whether a point is in it:",
        *remarks,
        "Rows: a point is in a cluster that is used, each has enough points, and every "
        f"point is in one, but {outliers} may be outliers.",
    )
    return Chosen.of(about, choices, [1] * instance.n, outliers)


def _refute(
    instance: Clustering,
    chosen: Chosen,
    weights: Sequence[int],
    cost: Mapping[int, Number],
) -> None:
    """Add the proof that weights of points refute all clusterings.

    `cost` has the row of the cost, if there is one, with its factor.
    """
    program = chosen.program
    limit = _limit(instance, program, chosen.count)
    if not chosen.made:
        weights = [1] * instance.n
    combined = chosen.bounded({**chosen.worth(weights), **cost})
    greatest = max(chosen.greatest(combined), default=0)
    if greatest > 0:
        combined[_most_clusters(instance, chosen, limit)] = greatest
    elif greatest < 0:
        combined[_one_cluster(instance, chosen)] = greatest
    if chosen.out.row is not None:
        positive = sorted((y for y in weights if y > 0), reverse=True)
        q = instance.max_outliers
        combined[chosen.out.row] = positive[q] if len(positive) > q else 0
    program.refuted(combined)


def _most_clusters(instance: Clustering, chosen: Chosen, limit: int | None) -> int:
    """Return the line of the most clusters: each has r points."""
    if limit is not None and instance.most_clusters == instance.max_clusters:
        return limit
    combined = dict.fromkeys(chosen.rows, Fraction(1, instance.r))
    for made in chosen.made:
        combined[made.enough] = Fraction(-1, instance.r)
    return chosen.program.rounded("L", chosen.count, combined)


def _one_cluster(instance: Clustering, chosen: Chosen) -> int:
    """Return the line that there is a cluster: not all points may be outliers."""
    share = Fraction(1, instance.n)
    combined = dict.fromkeys(chosen.rows, share)
    if chosen.out.row is not None:
        combined[chosen.out.row] = -share
    for made in chosen.made:
        combined.update(dict.fromkeys(made.links.values(), -share))
    return chosen.program.rounded("G", chosen.count, combined)
