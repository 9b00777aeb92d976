"""Peers: packages of others, asked for groups of instances, where they are installed.

None is needed by anything here; `pip install spopt k-means-constrained anonypy
gerrychain pymetis` adds all of them. Each is called as its documentation calls it:

k-means-constrained   points by squares: groups of at least k about floor(n / k) means,
                      from other seeds until time is up
gerrychain            maps: balanced parts cut off random trees, then short bursts of
                      ReCom for a light heaviest part, until time is up
spopt                 maps: max-p regions of weight at least k; as many as possible, not
                      the lightest heaviest one
pymetis               maps: as many connected parts as METIS balances so that all weigh
                      k; it knows no least weight, so fewer and fewer are tried
anonypy               tables: the partition of Mondrian
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import count, takewhile
from typing import Any, Final

import numpy as np

from atleastk import NotApplicableError
from atleastk.packages import nx
from atleastk.solvers.clock import CLOCK

Groups = list[list[int]]
Peer = Callable[[Any, float, int], Groups | None]
"""Takes an instance, seconds and workers; gives groups, or None if it finds none."""


_LOOSE: Final = 20
"""Thousandths by which METIS may miss the mean of parts."""

_BURST: Final = 10
_BURSTS: Final = 10**6
"""Steps of a burst, and more bursts than there is time for."""


def by_label(labels: Sequence[Any]) -> Groups:
    """Return the items of every label."""
    groups: dict[Any, list[int]] = {}
    for item, label in enumerate(labels):
        groups.setdefault(label, []).append(item)
    return [*groups.values()]


def expect(taken: bool) -> None:
    """Raise `NotApplicableError` unless a peer takes an instance."""
    if not taken:
        raise NotApplicableError("not for this package")


def graph_of(instance: Any) -> Any:
    """Return a map as a graph of networkx."""
    expect(instance.problem == "connected-partition")
    graph: Any = nx.Graph()
    for node, weight in enumerate(instance.weights):
        graph.add_node(node, weight=weight)
    graph.add_edges_from(instance.edges)
    return graph


def rounds(seconds: float) -> Iterator[int]:
    """Count until time is up, at least once."""
    until = CLOCK.now() + seconds
    return takewhile(lambda i: i == 0 or CLOCK.now() < until, count())


def k_means(instance: Any, seconds: float, workers: int) -> Groups | None:
    """Return the best of several runs of k-means with a least size."""
    expect(getattr(instance, "objective", "") == "squares")
    from k_means_constrained import KMeansConstrained

    points, parts = np.array(instance.points, dtype=float), instance.n // instance.k
    runs = (
        KMeansConstrained(
            parts, size_min=instance.k, n_init=1, random_state=seed, n_jobs=workers
        ).fit(points)
        for seed in rounds(seconds)
    )
    return by_label(min(runs, key=lambda run: run.inertia_).labels_.tolist())


def recom(instance: Any, seconds: float, _workers: int) -> Groups | None:
    """Return the lightest heaviest part of short bursts, from random trees."""
    graph = graph_of(instance)
    from gerrychain import Graph, Partition
    from gerrychain.constraints import contiguous
    from gerrychain.optimization import SingleMetricOptimizer
    from gerrychain.partition.initial_partition_generators import recursive_tree_part
    from gerrychain.proposals import recom as recombined
    from gerrychain.updaters import Tally

    until, plain = CLOCK.now() + seconds, Graph.from_networkx(graph)
    for parts in range(int(instance.total / (1.1 * instance.k)), 1, -1):
        target = instance.total / parts
        wanted = {"pop_col": "weight", "pop_target": target}
        wanted["epsilon"] = 1.0 - instance.k / target
        try:
            start = recursive_tree_part(plain, range(parts), rng=0, **wanted)
        except RuntimeError:
            continue
        tally = {"weight": Tally("weight")}
        search: Any = SingleMetricOptimizer(
            partial(recombined, **wanted),
            contiguous,
            Partition(plain, start, tally),
            lambda parted: max(parted["weight"].values()),
            maximize=False,
            rng=0,
        )
        for _ in search.short_bursts(_BURST, _BURSTS):
            if CLOCK.now() >= until:
                break
        best = search.best_part.assignment
        return by_label([best[node] for node in plain.node_indices])
    return None


def max_p(instance: Any, _seconds: float, _workers: int) -> Groups | None:
    """Return regions of max-p."""
    graph = graph_of(instance)
    from libpysal.weights import W
    from pandas import DataFrame
    from spopt.region import MaxPHeuristic

    frame = DataFrame({"weight": instance.weights})
    near = W({node: [*graph.neighbors(node)] for node in graph})
    np.random.seed(0)  # noqa: NPY002 - what it draws from
    model = MaxPHeuristic(frame, near, ["weight"], "weight", instance.k)
    model.solve()
    return by_label(model.labels_)


def metis(instance: Any, seconds: float, _workers: int) -> Groups | None:
    """Return parts of METIS, the first that all weigh enough, from the most down."""
    expect(instance.problem == "connected-partition")
    from pymetis import CSRAdjacency, Options, part_graph

    near, parts = CSRAdjacency(*instance.adjacency), instance.total // instance.k
    for _ in rounds(seconds):
        _, labels = part_graph(
            parts,
            adjacency=near,
            vweights=list(instance.weights),
            contiguous=True,
            options=Options(ufactor=_LOOSE),
        )
        held = np.bincount(labels, instance.weights, parts)
        if held.min() >= instance.k:
            return by_label(labels)
        parts -= max(1, parts // 50)
        if not parts:
            break
    return None


def mondrian(instance: Any, _seconds: float, _workers: int) -> Groups | None:
    """Return the partition of Mondrian."""
    expect(instance.problem == "k-anonymity")
    from anonypy.mondrian import Mondrian
    from pandas import DataFrame

    columns = [str(c) for c in range(instance.m)]
    frame = DataFrame(instance.table, columns=columns).astype(str).astype("category")
    found = Mondrian(frame, columns).partition(instance.k)
    return [each.tolist() for each in found]


PEERS: Final[Mapping[str, Peer]] = {
    name: peer
    for name, package, peer in (
        ("k-means-constrained", "k_means_constrained", k_means),
        ("gerrychain", "gerrychain", recom),
        ("spopt max-p", "spopt", max_p),
        ("pymetis", "pymetis", metis),
        ("anonypy", "anonypy", mondrian),
    )
    if find_spec(package) is not None
}
"""Those that are installed, by name."""
