"""The primal-dual method of [Aggarwal10, section 3] as printed, step by step.

In fractions and by plain search, for few points: lemmas about intermediate clusters are
tested here. The package's own method is another program.

What trials of [Aggarwal10] draw, few points of a metric, is here as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, Final

from atleastk.packages import nx

Distances = Sequence[Sequence[int]]
DRAWN: Final = "points of a line, grid, graph or cube of bits, 4 to 9 of them"
"""What is drawn of metrics, in words."""


def small_metric(rng: Random) -> dict[str, Any]:
    """Draw few points of an integer metric, as an instance takes them."""
    n = rng.randint(4, 9)
    if rng.random() < 0.3:
        graph = nx.path_graph(n)
        graph.add_edges_from(rng.sample(range(n), 2) for _ in range(3))
        for edge in graph.edges:
            graph.edges[edge]["weight"] = rng.randint(1, 4)
        lengths = dict(nx.all_pairs_dijkstra_path_length(graph))
        return {"distances": [[lengths[i][j] for j in range(n)] for i in range(n)]}
    side, wide = rng.choice([(9, 1), (4, 2), (1, 4)])
    points = [[rng.randint(0, side) for _ in range(wide)] for _ in range(n)]
    return {"points": points, "metric": "manhattan"}


@dataclass(frozen=True, slots=True)
class Opened:
    """A cluster (v, d) that was paid for, with the points that it connected."""

    centre: int
    radius: int
    fee: int
    tight: frozenset[int]
    """The points within d that have alpha of d or more, at the end."""
    connected: frozenset[int]


@dataclass(frozen=True, slots=True)
class Shared:
    """A cluster that may share points with others; its r nearest are among them."""

    centre: int
    radius: int
    points: frozenset[int]


def risen(
    distances: Distances, fees: Sequence[int], r: int = 0
) -> tuple[list[Fraction], list[Opened]]:
    """Raise the alphas; return them, and the temporarily open clusters.

    A cluster (v, d) costs r d more than its centre, and has r points within d.
    """
    n = len(distances)
    balls = {
        (v, d): [p for p in range(n) if distances[v][p] <= d]
        for v in range(n)
        for d in set(distances[v])
    }
    prices = {
        (v, d): fees[v] + r * d for (v, d), ball in balls.items() if len(ball) >= r
    }
    alphas: dict[int, Fraction] = {}
    found: list[tuple[int, int, frozenset[int]]] = []
    now = Fraction(0)

    def paid(v: int, d: int) -> Fraction | None:
        """Return when a cluster is paid for; None if no point would be connected."""
        ball = balls[v, d]
        left = [p for p in ball if p not in alphas]
        missing = Fraction(prices[v, d])
        for p in ball:
            missing -= max(alphas.get(p, Fraction(d)) - d, Fraction(0))
        return max(now, d + missing / len(left)) if left else None

    while len(alphas) < n:
        times = {c: time for c in prices if (time := paid(*c)) is not None}
        (v, d), now = min(times.items(), key=lambda item: item[1])
        connected = frozenset(p for p in balls[v, d] if p not in alphas)
        alphas |= dict.fromkeys(connected, now)
        found.append((v, d, connected))
    clusters = [
        Opened(
            v,
            d,
            prices[v, d],
            frozenset(p for p in balls[v, d] if alphas[p] >= d),
            connected,
        )
        for v, d, connected in found
    ]
    return [alphas[p] for p in range(n)], clusters


def assigned(clusters: Sequence[Opened]) -> list[tuple[Opened, frozenset[int]]]:
    """Open clusters for good, and assign all points, as the text does.

    Of the clusters that share a tight point with a witness that was shut, the greatest
    is joined: the text asks for one that is no smaller than the witness.
    """
    home: dict[int, Opened] = {}
    disjoint = []
    for cluster in sorted(clusters, key=lambda c: -c.radius):
        if cluster.tight.isdisjoint(home):
            disjoint.append(cluster)
            home |= dict.fromkeys(cluster.tight, cluster)
    direct = dict(home)
    for cluster in clusters:
        for point in cluster.connected - set(home):
            homes = [direct[j] for j in cluster.tight if j in direct]
            home[point] = max(homes, key=lambda c: c.radius)
    return [
        (cluster, frozenset(p for p, c in home.items() if c is cluster))
        for cluster in disjoint
    ]


def shared(
    distances: Distances, r: int, clusters: Sequence[tuple[Opened, frozenset[int]]]
) -> list[Shared]:
    """Assign the r points nearest to every centre to its cluster as well."""
    made = []
    for cluster, points in clusters:
        row = distances[cluster.centre]
        near = sorted(range(len(row)), key=row.__getitem__)[:r]
        every = points | set(near)
        made.append(Shared(cluster.centre, max(row[p] for p in every), every))
    return made


@dataclass(slots=True)
class _Tree:
    """An open cluster, the points it got, and what hangs below it."""

    root: Shared
    first: frozenset[int]
    second: list[tuple[Shared, frozenset[int]]]


def disjoint(
    rng: Random, r: int, clusters: Sequence[Shared]
) -> Iterator[tuple[Shared, frozenset[int], list[Shared]]]:
    """Make clusters disjoint; yield each group with second-level nodes.

    It comes with the open cluster of its tree, and the leftover clusters in it. What
    the text leaves open is drawn.
    """
    home: dict[int, _Tree] = {}
    trees: list[_Tree] = []
    leftover: list[tuple[Shared, _Tree]] = []
    for cluster in sorted(clusters, key=lambda c: c.radius):
        free = cluster.points - set(home)
        if len(free) >= r:
            trees.append(_Tree(cluster, free, []))
            home |= dict.fromkeys(free, trees[-1])
        else:
            taken = sorted(cluster.points & set(home))
            leftover.append((cluster, home[rng.choice(taken)]))
    rng.shuffle(leftover)
    for cluster, tree in leftover:
        free = cluster.points - set(home)
        if free:
            tree.second.append((cluster, free))
            home |= dict.fromkeys(free, tree)
    for tree in trees:
        for group, heads in _groups(rng, r, tree):
            yield tree.root, group, heads


def _groups(
    rng: Random, r: int, tree: _Tree
) -> Iterator[tuple[frozenset[int], list[Shared]]]:
    group: frozenset[int] = frozenset()
    heads: list[Shared] = []
    for cluster, points in tree.second:
        group |= points
        heads.append(cluster)
        if len(group) >= r:
            yield group, heads
            group, heads = frozenset(), []
    if group:
        enough = len(group) + len(tree.first) >= 2 * r
        more = r - len(group) if enough else len(tree.first)
        yield group | set(rng.sample(sorted(tree.first), more)), heads
