"""From clusters that share points to disjoint ones of r points [Aggarwal10, 3.1].

Sharing
-------
Every cluster gets the r points nearest to its centre as well. They are within the
radius d that it opened with; its other points within 3 d.

Making them disjoint
--------------------
By increasing radius, a cluster with r unassigned points or more is *open* and gets
them. Another is *leftover*: one of its r nearest points was assigned before, to an open
cluster o of no greater radius, its parent. Points nobody got go to the leftover cluster
that had them before sharing. Leftover clusters of one parent are gathered until they
have r points; what remains is joined by points of o up to r, if those it leaves are r
at least, and else by all of o.

A *group* has points of leftover clusters; let c' be the one of them that opened with
the greatest radius d', and p the centre of o, whose points are within h of p. Clusters
reach no further than three times the radius they opened with, and o no further than its
leftover clusters c'', so h <= 3 d_o and h <= 3 d''. With q in the group, in the
leftover cluster c'' that shares x with o,

    d(q, p) <= d(q, v'') + d(v'', x) + d(x, p) <= 3 d'' + d'' + h <= 4 d' + h,

at most 7 d' instead of the 9 d' of Lemma 3.7, since x is among the r nearest. From the
centre v' of c' it is d' + 2h for points of o, 3 d' for those of c', and 4 d'' + 2h + d'
for those of other leftover clusters, at most 11 d'.

As printed
----------
- *Which o*: the text's "now assigned to an open cluster o" has to be o of a point that
  was assigned when the leftover cluster was considered. Otherwise its radius may be
  greater.
- "until the total weight exceeds r": r suffices; groups have 2r - 1 points at most.
- *Where the centre goes*: all groups of a parent have their centre at p, and the
  theorem's accounting says that they cost no more facilities than the shared solution.
  But each of them is a cluster that pays f_p. In an example of the tests the shared
  clusters (0, {0, 1, 3}), (6, {6, 7}), (2, {2, 4}), (1, {0, 1, 5}) pay 1 + 1 + 2 + 0,
  and the final ones (0, {0, 5}), (0, {1, 3}), (6, {6, 7}), (2, {2, 4}) one more. If f_p
  is great, so is the loss. So unless `printed`, a group has its centre at p or at that
  of c', what costs less; c' is a different one for every group, and no open one.

What it costs
-------------
Let points P_c of cluster c be within 3 d_c of v_c. As an open one, c costs at
most (|P_c| + r) 3 d_c + f_c. A group has r points; or it has all points of o, which is
no cluster then; or it has two leftover clusters or more, of less than r points each.
Charge r d to each of its leftover clusters, and to o if it has all points of that; so
none twice, or as open too. For r points that is at least r d', and else, for at most
2r - 1, r (d' + e), where e = d_o, or e is the second radius, and h <= 3e:

- About p, a group costs at most 8 times that: r (4 d' + h) <= 7 r d', or 2r (4 d' + 3e)
  <= 8 r (d' + e).
- About v', at most 11 times, and f_c'. With a second leftover cluster, of radius e, it
  is 2r max(3 d', d' + 10e) <= 11 r (d' + e). With none, it is 7 r d', or
  2r max(3 d', d' + 2h) <= 7 r (d' + d_o).

References
----------
[Aggarwal10] as in :mod:`atleastk.instances.cellular_clustering`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.spaces.metric_spaces import MetricSpace
from atleastk.solvers.cellular_clustering.algorithms.cellular_cover import Cover

Cluster = tuple[int, IntArray]
"""A centre and points."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A cluster of r points or more, some also of other clusters."""

    alone: Cover  # what it was before it shared
    radius: int  # which it has now
    points: IntArray  # all of them
    nearest: IntArray  # the r nearest of them


def shared(space: MetricSpace, r: int, clusters: Sequence[Cover]) -> list[Shared]:
    """Give every cluster the r points nearest to its centre as well."""
    found = []
    for cluster in clusters:
        row = space.row(cluster.centre)
        near = np.argpartition(row, r - 1)[:r]
        points = np.union1d(cluster.points, near)
        found.append(Shared(cluster, int(row[points].max()), points, near))
    return found


@dataclass(slots=True)
class _Tree:
    """An open cluster, its points, and the leftover clusters that share one of them."""

    root: Cover
    points: IntArray
    leftovers: list[tuple[Cover, IntArray]]


def disjoint(
    space: MetricSpace,
    r: int,
    clusters: Sequence[Shared],
    fees: IntArray,
    seed: int = 0,
    *,
    printed: bool = False,
) -> list[Cluster]:
    """Return clusters of r points at least, without a point in two.

    The seed decides among clusters of equal radius.
    """
    found: list[Cluster] = []
    for tree in _forest(space.n, r, clusters, seed):
        for group, heads in _groups(space, r, tree):
            centres = [tree.root.centre]
            if heads and not printed:
                centres.append(max(heads, key=lambda head: head.radius).centre)
            places = np.array(centres, dtype=np.int64)
            radii = space.between(places, group).max(axis=1)
            best = int(np.argmin(fees[places] + len(group) * radii))
            found.append((centres[best], group))
    return found


def _forest(n: int, r: int, clusters: Sequence[Shared], seed: int) -> list[_Tree]:
    """Say which clusters are open, and whose leftover clusters and points are."""
    ties = np.random.default_rng(seed).permutation(len(clusters))
    radii = np.array([cluster.radius for cluster in clusters], dtype=np.int64)
    owner = np.full(n, -1, dtype=np.int64)
    trees: list[_Tree] = []
    waiting: list[tuple[Cover, int]] = []
    for c in np.lexsort((ties, radii)):
        cluster = clusters[c]
        free = cluster.points[owner[cluster.points] < 0]
        if len(free) >= r:
            owner[free] = len(trees)
            trees.append(_Tree(cluster.alone, free, []))
        else:
            waiting.append((cluster.alone, int(owner[cluster.nearest].max())))
    for cluster, parent in waiting:
        free = cluster.points[owner[cluster.points] < 0]
        if len(free):
            owner[free] = parent
            trees[parent].leftovers.append((cluster, free))
    return trees


def _groups(
    space: MetricSpace, r: int, tree: _Tree
) -> Iterator[tuple[IntArray, list[Cover]]]:
    """Break a tree into groups, each with the leftover clusters that have a part."""
    parts: list[IntArray] = []
    heads: list[Cover] = []
    weight = 0
    for cluster, points in tree.leftovers:
        parts.append(points)
        heads.append(cluster)
        weight += len(points)
        if weight >= r:
            yield np.concatenate(parts), heads
            parts, heads, weight = [], [], 0
    rest = tree.points
    if weight:
        if weight + len(rest) >= 2 * r:
            apart = space.row(tree.root.centre)[rest]
            rest = rest[np.argsort(apart, kind="stable")]
            split = len(rest) - (r - weight)
            yield np.concatenate([*parts, rest[split:]]), heads
            rest = rest[:split]
        else:
            yield np.concatenate([*parts, rest]), heads
            return
    yield rest, []
