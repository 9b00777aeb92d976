"""Peers: packages of others, asked for groups of instances, where they are installed.

None is needed by anything here; `pip install spopt k-means-constrained anonypy
gerrychain pymetis` adds all of them but scclust, a library of C: it is there when the
linker finds a `libscclust.so`. Each is called as its documentation calls it:

k-means-constrained   points by squares: groups of at least k about floor(n / k) means,
                      from other seeds until time is up
gerrychain            maps: balanced parts cut off random trees, then short bursts of
                      ReCom for a light heaviest part, until time is up
spopt                 maps: max-p regions of weight at least k; as many as possible, not
                      the lightest heaviest one
pymetis               maps: as many connected parts as METIS balances so that all weigh
                      k; it knows no least weight, so fewer and fewer are tried
anonypy               tables: the partition of Mondrian
scclust               clusters and points: seeds of the graph of nearest neighbours, and
                      the others to the closest seed

Two are written here, as somebody writes them who needs an answer today:

strips                clusters and points: equal strips by x, up and down each by y, cut
                      after every k
pandas loops          tables: what is in a class of k is done; hide the column of most
                      values in what is left, and again
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from itertools import count, takewhile
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from atleastk import NotApplicableError
from atleastk.packages import nx
from atleastk.solvers.clock import CLOCK
from scripts.benchmarks.textbook import grouped

Groups = list[list[int]]
Peer = Callable[[Any, float, int], Groups | None]
"""Takes an instance, seconds and workers; gives groups, or None if it finds none."""


_LOOSE: Final = 20
"""Thousandths by which METIS may miss the mean of parts."""

_BURST: Final = 10
_BURSTS: Final = 10**6
"""Steps of a burst, and more bursts than there is time for."""


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
    return grouped(min(runs, key=lambda run: run.inertia_).labels_)


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
        return grouped(np.array([best[node] for node in plain.node_indices]))
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
    return grouped(np.array(model.labels_))


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
            return grouped(np.array(labels))
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


def points_of(instance: Any) -> tuple[NDArray[np.float64], int]:
    """Return the points of an instance, and how many a group has at least."""
    expect(instance.problem in ("r-gather", "cellular-clustering", "pair-partition"))
    expect(bool(instance.points))
    least = instance.k if instance.problem == "pair-partition" else instance.r
    return np.array(instance.points, dtype=np.float64), least


class _Options(ctypes.Structure):
    """Options of scclust, in their order."""

    _fields_ = (
        ("version", ctypes.c_int32),
        ("size_constraint", ctypes.c_uint32),
        ("types", ctypes.c_uint64 * 4),
        ("seed_method", ctypes.c_int),
        ("primary_points", ctypes.c_uint64 * 2),
        ("unassigned_methods", ctypes.c_int * 2),
        ("radii_and_batches", ctypes.c_uint64 * 7),
    )


_INWARDS_UPDATING: Final = 3
_CLOSEST_SEED: Final = 3
"""What the package of R chooses."""


def scclust(instance: Any, _seconds: float, _workers: int) -> Groups | None:
    """Return clusters of scclust."""
    points, least = points_of(instance)
    labels = np.zeros(len(points), dtype=np.intc)
    library, size, at = ctypes.CDLL(_SCCLUST), ctypes.c_size_t, ctypes.byref
    data, made = ctypes.c_void_p(), ctypes.c_void_p()
    library.scc_get_default_options.restype = _Options
    options = library.scc_get_default_options()
    options.size_constraint = least
    options.seed_method = _INWARDS_UPDATING
    options.unassigned_methods[0] = _CLOSEST_SEED
    library.scc_set_ann_dist_search()
    n, cells = size(len(points)), points.ctypes.data_as(ctypes.c_void_p)
    homes = labels.ctypes.data_as(ctypes.c_void_p)
    wrong = (
        library.scc_init_data_set(
            n, points.shape[1], size(points.size), cells, at(data)
        )
        or library.scc_init_empty_clustering(n, homes, at(made))
        or library.scc_sc_clustering(data, at(options), made)
    )
    library.scc_free_clustering(at(made))
    library.scc_free_data_set(at(data))
    return None if wrong else grouped(labels)


def strips(instance: Any, _seconds: float, _workers: int) -> Groups:
    """Return every k points of strips, which are passed up and down in turn."""
    points, least = points_of(instance)
    n, parts = len(points), max(1, len(points) // least)
    strip = np.empty(n, dtype=np.int64)
    across = round(parts**0.5) or 1
    strip[np.argsort(points[:, 0], kind="stable")] = np.arange(n) * across // n
    order = np.lexsort((points[:, 1] * (1 - strip % 2 * 2), strip))
    return [each.tolist() for each in np.split(order, np.arange(1, parts) * least)]


def pandas_loops(instance: Any, _seconds: float, _workers: int) -> Groups:
    """Return classes of k, of fewer and fewer columns; what is left joins the last."""
    expect(instance.problem == "k-anonymity")
    from pandas import DataFrame

    left, groups = DataFrame(instance.table), []
    columns = [*left]
    while columns and len(left) >= instance.k:
        sizes = left.groupby(columns)[columns[0]].transform("size")
        done = left[sizes >= instance.k]
        groups += [[*rows] for rows in done.groupby(columns).groups.values()]
        left = left[sizes < instance.k]
        columns.remove(left[columns].nunique().idxmax())
    rest = left.index.tolist()
    if rest and len(rest) < instance.k and groups:
        groups[-1] += rest
    elif rest:
        groups.append(rest)
    return groups


_SCCLUST: Final = "libscclust.so"


def _is_linked(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


PEERS: Final[Mapping[str, Peer]] = {
    name: peer
    for name, package, peer in (
        ("k-means-constrained", "k_means_constrained", k_means),
        ("gerrychain", "gerrychain", recom),
        ("spopt max-p", "spopt", max_p),
        ("pymetis", "pymetis", metis),
        ("anonypy", "anonypy", mondrian),
        ("scclust", _SCCLUST, scclust),
        ("strips", "numpy", strips),
        ("pandas loops", "pandas", pandas_loops),
    )
    if (_is_linked(package) if package == _SCCLUST else find_spec(package) is not None)
}
"""Those that are installed, by name."""
