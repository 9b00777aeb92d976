"""Proofs of trees of clusterings: all clusters are listed, as sets of points.

There is a 0/1 variable for every cluster, and one for every outlier. The sum of the
clusters with two points is 1 if they are together, so every split of the tree
(:mod:`atleastk.models.certificates.cluster_trees`) is a pair of assumptions. One line
derives from each which variables are 0: clusters with one of two points that are
together, with both that are apart, with an outlier, and outliers that are clustered. A
leaf needs this for variables that are worth more than all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from atleastk.instances.clustering import Clustering
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.certificates.cluster_trees import ClusterLeaf
from atleastk.models.proofs.listed import Group, Listed, expect_few
from atleastk.models.proofs.vipr import Number, Program


def clusterings_refuted(
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
    limit = None
    if instance.max_clusters is not None:
        limit = program.row("clusters", "L", listed.count, instance.max_clusters)
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
