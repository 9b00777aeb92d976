"""Encodings of cellular clustering as linear models over bounded integers.

- *Balls* (:func:`ball_model`): the linear program of [Aggarwal10, Section 3] with
  sum x_pvd >= r y_vd.
- *Representatives* (:func:`representative_model`): few variables, weak bounds.
- *Groups* (:func:`group_model`): all admissible clusters, for few points.

All are exact.

Why y_vd is 0/1
---------------
Two clusters about v of radius at most d can be merged: the result is large enough, pays
one facility cost less, counts as one cluster, and v stays a member. So some optimal
solution has no two clusters of the same centre and radius.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import comb, inf
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.clustering import (
    ClusteringSolution,
    completed,
    measured,
    solution_of,
)
from atleastk.models.encodings.clustering import partition_points, with_outliers
from atleastk.models.encodings.encoding import Encoding, point
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.linear import LinearModelBuilder
from atleastk.models.results.solution import Solution


def ball_model(instance: CellularClustering) -> Encoding:
    """Clusters have a centre, a radius and members.

    Variables: y_v_d, there is a cluster about v of radius d; x_p_v_d, point p is in it;
    o_p, point p is left over.

    minimise    sum_{v,d} f_v y_v_d + sum_{p,v,d} d x_p_v_d
    subject to  sum_{v,d} x_p_v_d + o_p = 1            for every point p,
                x_p_v_d <= y_v_d                       for all p, v, d,
                sum_p x_p_v_d >= r y_v_d               for all v, d,
                sum_{v,d} y_v_d <= max_clusters,   sum_p o_p <= max_outliers,
    member, any x_v_v_d = y_v_d                        for all v, d,
    any         x_p_v_d + x_q_v_d <= y_v_d             for p and q further apart than d,

    where of centres "any" v is the first point of the cluster and d its diameter.
    """
    builder = LinearModelBuilder()
    distances = instance.space.matrix
    leads = instance.any_centre
    opened: dict[tuple[int, int], int] = {}
    joined: dict[tuple[int, int], dict[int, int]] = {}
    homes: list[list[int]] = [[] for _ in range(instance.n)]
    for v in range(instance.n):
        for d, ball in _balls(instance, v):
            facility = int(instance.facilities[v])
            opened[v, d] = y = builder.variable(0, 1, facility, "y", v, d)
            joined[v, d] = members = {
                p: builder.variable(0, 1, d, "x", p, v, d) for p in ball
            }
            for p, x in members.items():
                homes[p].append(x)
                sure = p == v and instance.centres != "input"
                builder.row([y, x], [1, -1], at_least=0, at_most=0 if sure else 1)
            factors = [1] * len(members) + [-instance.r]
            builder.row([*members.values(), y], factors, at_least=0)
            if leads:
                for p, q in combinations(ball, 2):
                    if distances[p, q] > d:
                        row = [members[p], members[q], y]
                        builder.row(row, [1, 1, -1], at_most=0)
    left = partition_points(builder, instance, homes)
    if instance.limited:
        builder.row(opened.values(), at_most=instance.most_clusters)
    model = builder.build()

    def decode(values: IntArray) -> ClusteringSolution:
        used = [key for key, y in opened.items() if values[y]]
        groups = [[p for p, x in joined[key].items() if values[x]] for key in used]
        centres = () if leads else [v for v, _ in used]
        return solution_of(groups, centres, _chosen(left, values))

    def encode(solution: Solution) -> IntArray | None:
        full = completed(instance, solution)
        radii = measured(instance, full)
        heads = [group[0] for group in full.groups] if leads else full.centres
        values = np.zeros(model.columns, dtype=np.int64)
        for group, v, d in zip(full.groups, heads, radii, strict=True):
            if (v, d) not in opened:
                return None
            values[opened[v, d]] = 1
            values[[joined[v, d][p] for p in group]] = 1
        return with_outliers(left, values, full.outliers)

    return Encoding(model, decode, encode)


def ball_entries(instance: CellularClustering, enough: float = inf) -> int:
    """Return the number of variables x_pvd, and of rows that separate points.

    Counting ends when there are more than `enough`.
    """
    distances = instance.space.matrix
    total = 0
    for v in range(instance.n):
        for d, ball in _balls(instance, v):
            total += len(ball)
            if instance.any_centre:
                total += int((distances[np.ix_(ball, ball)] > d).sum()) // 2
            if total > enough:
                return total
    return total


def _balls(instance: CellularClustering, v: int) -> Iterator[tuple[int, list[int]]]:
    """Yield the radii of clusters about v, each with the points within it.

    With centres "any", the diameters of clusters whose first point is v.
    """
    first = v if instance.any_centre else 0
    distances = instance.space.matrix[first:, first:]
    row = instance.space.row(v)[first:]
    levels = np.unique(distances if instance.any_centre else row)
    for d in levels[levels < FAR].tolist():
        ball = (np.flatnonzero(row <= d) + first).tolist()
        if len(ball) >= instance.r:
            yield d, ball


def representative_model(instance: CellularClustering) -> Encoding:
    """Clusters are known by their first points.

    Variables: x_p_s, the first point of the cluster of p is s; w_s_v, its centre is v;
    R_s, its radius; c_p, the radius of the cluster of p; o_p, point p is left over.
    With M, the greatest distance:

    minimise    sum_p c_p + sum_{s,v} f_v w_s_v
    subject to  sum_{s<=p} x_p_s + o_p = 1             for every point p,
                x_p_s <= x_s_s,   sum_p x_p_s >= r x_s_s,
                c_p >= R_s - M (1 - x_p_s)             for all p, s,
                sum_v w_s_v = x_s_s                    unless centres are anywhere,
                R_s >= sum_v d(v, p) w_s_v - M (1 - x_p_s),
    any         R_s >= d(p, q) (x_p_s + x_q_s - 1)     for all p, q, s,
                sum_s x_s_s <= max_clusters,   sum_p o_p <= max_outliers.
    """
    builder, n = LinearModelBuilder(), instance.n
    distances = instance.space.matrix
    most = int(distances[distances < FAR].max(initial=0))
    led = [
        {s: builder.variable(0, 1, 0, "x", p, s) for s in range(p + 1)}
        for p in range(n)
    ]
    radius = [builder.variable(0, most, 0, "R", s) for s in range(n)]
    paid = [builder.variable(0, most, 1, "c", p) for p in range(n)]
    left = partition_points(builder, instance, [list(of_p.values()) for of_p in led])
    for p, of_p in enumerate(led):
        for s, x in of_p.items():
            if s < p:
                builder.row([led[s][s], x], [1, -1], at_least=0)
            builder.row([paid[p], radius[s], x], [1, -1, -most], at_least=-most)
    for s in range(n):
        members = [led[p][s] for p in range(s, n)]
        factors = [1] * len(members)
        factors[0] -= instance.r
        builder.row(members, factors, at_least=0)
    if instance.limited:
        builder.row([led[s][s] for s in range(n)], at_most=instance.most_clusters)
    if instance.any_centre:
        _widen(builder, distances, led, radius)
        centre: list[dict[int, int]] = [{} for _ in range(n)]
    else:
        centre = _centred(builder, instance, led, radius, most)
    model = builder.build()

    def decode(values: IntArray) -> ClusteringSolution:
        heads = [s for s in range(n) if values[led[s][s]]]
        groups = [[p for p in range(s, n) if values[led[p][s]]] for s in heads]
        centres = [v for s in heads for v in _chosen(centre[s], values)]
        return solution_of(groups, centres, _chosen(left, values))

    def encode(solution: Solution) -> IntArray | None:
        full = completed(instance, solution)
        values = np.zeros(model.columns, dtype=np.int64)
        for group, d in zip(full.groups, measured(instance, full), strict=True):
            values[[led[p][group[0]] for p in group]] = 1
            values[[paid[p] for p in group]] = d
            values[radius[group[0]]] = d
        for group, v in zip(full.groups, full.centres, strict=False):
            if v not in centre[group[0]]:
                return None
            values[centre[group[0]][v]] = 1
        return with_outliers(left, values, full.outliers)

    return Encoding(model, decode, encode)


def _widen(
    builder: LinearModelBuilder,
    distances: IntArray,
    led: Sequence[Mapping[int, int]],
    radius: Sequence[int],
) -> None:
    """Let diameters reach from any point of a cluster to any other."""
    for p, q in combinations(range(len(distances)), 2):
        d = int(distances[p, q])
        for s in range(p + 1):
            both = [led[p][s], led[q][s]]
            if d >= FAR:
                builder.row(both, at_most=1)
            elif d > 0:
                builder.row([radius[s], *both], [1, -d, -d], at_least=-d)


def _centred(
    builder: LinearModelBuilder,
    instance: CellularClustering,
    led: Sequence[Mapping[int, int]],
    radius: Sequence[int],
    most: int,
) -> list[dict[int, int]]:
    """Give every cluster a centre; let radii reach from there to its points."""
    n, distances = instance.n, instance.space.matrix
    member = instance.centres == "member"
    centre: list[dict[int, int]] = []
    for s in range(n):
        places = {
            v: builder.variable(0, 1, int(instance.facilities[v]), "w", s, v)
            for v in range(s if member else 0, n)
        }
        centre.append(places)
        factors = [1] * len(places) + [-1]
        builder.equation([*places.values(), led[s][s]], factors, 0)
        for p in range(s, n):
            x = led[p][s]
            if member:
                builder.row([x, places[p]], [1, -1], at_least=0)
            for v in places:
                if distances[v, p] >= FAR:
                    builder.row([x, places[v]], at_most=1)
            near = [v for v in places if 0 < distances[v, p] < FAR]
            builder.row(
                [radius[s], *(places[v] for v in near), x],
                [1, *(-int(distances[v, p]) for v in near), -most],
                at_least=-most,
            )
    return centre


def group_model(instance: CellularClustering) -> Encoding:
    """Return the set-partitioning model over the clusters of some optimal solution.

    minimise  sum c(S) z_S   subject to: every point is in one cluster, or an outlier.
    """
    builder = LinearModelBuilder()
    column: dict[tuple[int, ...], int] = {}
    holders: list[list[int]] = [[] for _ in range(instance.n)]
    best: dict[int, int] = {}
    for size in _sizes(instance):
        listed = [*combinations(range(instance.n), size)]
        array = np.array(listed, dtype=np.int64).reshape(-1, size)
        costs, centres = (found.tolist() for found in _priced(instance, array))
        for group, cost, centre in zip(listed, costs, centres, strict=True):
            if cost < FAR:
                z = builder.variable(0, 1, cost, "z", *group)
                column[group], best[z] = z, centre
                for p in group:
                    holders[p].append(z)
    left = partition_points(builder, instance, holders)
    if instance.limited:
        builder.row(column.values(), at_most=instance.most_clusters)
    model = builder.build()

    def decode(values: IntArray) -> ClusteringSolution:
        used = {group: z for group, z in column.items() if values[z]}
        centres = [] if instance.any_centre else [best[z] for z in used.values()]
        return solution_of(used, centres, _chosen(left, values))

    def encode(solution: Solution) -> IntArray | None:
        full = completed(instance, solution)
        if any(group not in column for group in full.groups):
            return None
        values = point(model.columns, ((column[group], 1) for group in full.groups))
        return with_outliers(left, values, full.outliers)

    return Encoding(model, decode, encode)


def groups_in_all(instance: CellularClustering) -> int:
    """Return an upper bound of the number of groups that `group_model` lists."""
    return sum(comb(instance.n, size) for size in _sizes(instance))


def _sizes(instance: CellularClustering) -> Iterable[int]:
    """Return the possible sizes of clusters of some optimal solution.

    Without facility costs and limits, all have fewer than 2 r points, or the centre is
    a member: a larger cluster is as good as two about the same centre, and one of more
    points has a diameter no less than its parts.
    """
    splits = (
        instance.centres != "member"
        and instance.max_clusters is None
        and not instance.facilities.any()
    )
    most = min(instance.n, 2 * instance.r - 1) if splits else instance.n
    return range(instance.r, most + 1)


def _priced(
    instance: CellularClustering, groups: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the least costs of groups of one size, with the centres (or -1)."""
    distances = instance.space.matrix
    count, size = groups.shape
    if instance.any_centre:
        widest = np.zeros(count, dtype=np.int64)
        for a, b in combinations(range(size), 2):
            np.maximum(widest, distances[groups[:, a], groups[:, b]], out=widest)
        none = np.full(count, -1, dtype=np.int64)
        usable = widest < FAR
        return np.where(usable, size * np.where(usable, widest, 0), FAR), none
    best = np.full(count, FAR, dtype=np.int64)
    centres = np.full(count, -1, dtype=np.int64)
    for v in range(instance.n):
        radii = distances[v][groups].max(axis=1, initial=0)
        usable = radii < FAR
        if instance.centres == "member":
            usable &= (groups == v).any(axis=1)
        costs = int(instance.facilities[v]) + size * np.where(usable, radii, 0)
        better = usable & (costs < best)
        best[better], centres[better] = costs[better], v
    return best, centres


def _chosen(variables: Mapping[int, int], values: IntArray) -> list[int]:
    return [key for key, variable in variables.items() if values[variable]]


FORMULATIONS: Final = (
    Formulation("balls", ball_model),
    Formulation("representatives", representative_model),
)
