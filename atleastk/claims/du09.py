"""The claims of [Du09]: maps, points, and min-max bin covering.

[Du09] W. Du, D. Eppstein, M. T. Goodrich, G. S. Lueker, "On the Approximability of
Geometric and Geographic Generalization and the Min-Max Bin Covering Problem", 2009.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, combinations, pairwise, product
from random import Random
from typing import Any, Final, get_args

from atleastk import api
from atleastk.claims.claim import Attempt, Kind, Trial, claims_of_paper
from atleastk.claims.map_gadgets import every_gadget, wrong_states
from atleastk.claims.map_images import COST, IMAGES, Image, matchings, objection
from atleastk.claims.trials import always, optimum_of, promise_kept
from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.datasets.census_names import NameSet, census_counts
from atleastk.instances.interval_covering import IntervalCovering
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.instances.reductions import partition
from atleastk.instances.reductions import three_partition as triples
from atleastk.instances.reductions.three_dimensional_matching import (
    ThreeDimensionalMatching,
)
from atleastk.models.covering import levels
from atleastk.packages import nx
from atleastk.solvers.bin_covering.algorithms.greedy_bins import (
    Leftovers,
    costs_over_k,
    pack,
)
from atleastk.solvers.bin_covering.algorithms.relaxed_bins import (
    keeps_relaxed_promise,
    relaxed_scheme,
)

__all__ = ["CLAIMS"]

_claim: Final = claims_of_paper("Du09")
Tree = tuple[list[int], list[int], int]
"""Parents, weights and k."""

_NAMES: Final = "the names of 1990 in random orders, and sorted"
_FOLDS: Final = ("fold", "fold-last", "fold-decreasing", "fold-increasing")
_KD_TREES: Final = (
    "kd-balanced",
    "kd-smallest-side",
    "kd-alternating",
    "kd-random",
    "guillotine",
)


def _bins(rng: Random) -> BinCovering:
    """Draw sizes near k, k / 2, k / 3 and 1, which add up to k at least."""
    k = rng.randint(1, 24)
    near = [1, 2, k // 3, k // 2, k // 2 + 1, k - 1, k, k + 1, rng.randint(1, 2 * k)]
    sizes = [max(1, rng.choice(near)) for _ in range(rng.randint(1, 9))]
    return BinCovering([*sizes, *[k] * (sum(sizes) < k)], k)


def _map(rng: Random) -> Any:
    family, parameters = rng.choice(
        [
            ("delaunay", {"n": 9, "parts": 3}),
            ("tree", {"n": 11, "parts": 4}),
            ("wheel", {"n": 9, "parts": 3}),
            ("cubic", {"n": 10}),
            ("grid", {"rows": 3, "columns": 4, "parts": 3}),
        ]
    )
    seed = rng.randrange(2**31)
    return api.generate("connected-partition", family, seed, **parameters)


def _points(rng: Random) -> RectangleTiling:
    side = rng.randint(1, 5)
    points = [
        (rng.randrange(side), rng.randrange(side), rng.randint(1, 6))
        for _ in range(rng.randint(1, 9))
    ]
    total = sum(weight for *_, weight in points)
    cover = rng.choice(["plane", "points"])
    return RectangleTiling(points, rng.randint(1, total), cover=cover)


def _matching(rng: Random) -> ThreeDimensionalMatching:
    """Draw triples, a matching among them every second time."""
    n = rng.randint(1, 3)
    sides = [rng.sample(range(n), n) for _ in range(rng.choice([0, 3]))]
    planted = list(zip(*sides, strict=True))
    others = [t for t in product(range(n), repeat=3) if t not in planted]
    size = rng.randint(n, min(2 * n, n**3))
    drawn = [*planted, *rng.sample(others, size - len(planted))]
    return ThreeDimensionalMatching(n, rng.sample(drawn, size))


def _triples(rng: Random) -> triples.ThreePartition:
    """Draw six or nine weights between B / 4 and B / 2 of the right total."""
    while True:
        target, groups = rng.randint(8, 40), rng.randint(2, 3)
        low, high = target // 4 + 1, -(-target // 2) - 1
        weights = [rng.randint(low, high) for _ in range(3 * groups)]
        weights[-1] += groups * target - sum(weights)
        if low <= weights[-1] <= high:
            return triples.ThreePartition(target, weights)


def _has_triples(problem: triples.ThreePartition) -> bool:
    return _splits(sorted(problem.weights), problem.target)


def _splits(weights: list[int], target: int) -> bool:
    if not weights:
        return True
    first, *others = weights
    for i, j in combinations(range(len(others)), 2):
        rest = [w for place, w in enumerate(others) if place not in {i, j}]
        if first + others[i] + others[j] == target and _splits(rest, target):
            return True
    return False


def _tree(rng: Random) -> Tree:
    """Draw the parents and weights of a tree, and k of at most its weight."""
    n = rng.randint(1, 9)
    parents = [rng.randrange(node) if node else -1 for node in range(n)]
    weights = [rng.choice([0, 0, 1, 2, 3, 7]) for _ in range(n)]
    return parents, weights, rng.randint(1, max(1, sum(weights)))


def _parts_cut(
    tree: Tree, fewest: bool = False
) -> Iterator[tuple[set[int], int | None, nx.Graph[int]]]:
    """Yield every part with its node at the cut edge, and the tree it was cut from.

    The lightest part goes first; of these, one of the `fewest` nodes if so asked. The
    last part is the tree that no edge splits, and has no such node.
    """
    parents, weights, k = tree
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(parents)))
    graph.add_edges_from((v, p) for v, p in enumerate(parents) if p >= 0)
    while True:
        cuts = []
        for edge in graph.edges:
            rest = nx.restricted_view(graph, [], [edge])
            sides = [set(nx.node_connected_component(rest, end)) for end in edge]
            first, second = (sum(weights[v] for v in side) for side in sides)
            if min(first, second) >= k:
                cuts += [(first, sides[0], edge[0]), (second, sides[1], edge[1])]
        if not cuts:
            yield set(graph), None, graph.copy()
            return
        _weight, side, node = min(
            cuts, key=lambda cut: (cut[0], len(cut[1]) if fewest else 0)
        )
        yield side, node, graph.copy()
        graph.remove_nodes_from(side)


def _beyond_lemmas(tree: Tree) -> str | None:
    """Tell which part is heavier than Lemma 1 or 2 allows."""
    _parents, weights, k = tree
    kappa = max(k, *weights)
    degree: int | None = None
    for part, node, graph in _parts_cut(tree):
        if degree is None:
            degree = max(d for _, d in graph.degree())
        weight = sum(weights[v] for v in part)
        most = kappa + (degree - (node is not None)) * (k - 1)
        if k <= weight and weight > most:
            return f"the part {sorted(part)} weighs {weight}, more than {most}"
    return None


def _heavy_below(tree: Tree) -> str | None:
    """Cut the lightest part of fewest nodes; tell which subtree below it weighs k."""
    _parents, weights, k = tree
    for part, node, graph in _parts_cut(tree, fewest=True):
        if node is not None:
            below = graph.subgraph(part - {node})
            for subtree in nx.connected_components(below):
                if sum(weights[v] for v in subtree) >= k:
                    return (
                        f"below {node} the subtree {sorted(subtree)} weighs k or more"
                    )
    return None


def _polyhedral(rng: Random, connectivity: int) -> nx.Graph[int]:
    """Draw a planar graph of 5 to 8 nodes, 3- or 4-connected.

    A wheel, or one with two hubs, has edges moved, added and taken away.
    """
    rim, hubs = rng.randint(4, 6), connectivity - 2
    graph: nx.Graph[int] = nx.cycle_graph(rim)
    graph.add_edges_from((rim + hub, v) for hub in range(hubs) for v in range(rim))
    for _ in range(12):
        changed = nx.Graph(graph)
        if rng.random() < 0.7:
            changed.remove_edge(*rng.choice(list(changed.edges)))
        if rng.random() < 0.7:
            changed.add_edge(*rng.sample(range(len(graph)), 2))
        kept = nx.node_connectivity(changed) >= connectivity
        if kept and nx.check_planarity(changed)[0]:
            graph = changed
    return graph


def _without_low_tree(rng: Random) -> str | None:
    """Look for a 3-connected planar graph without a spanning tree of degree 3."""
    graph = _polyhedral(rng, 3)
    if _has_path(graph):
        return None
    low = any(
        max(d for _, d in nx.Graph(list(tree)).degree()) <= 3
        for tree in combinations(graph.edges, len(graph) - 1)
        if nx.is_tree(nx.Graph(list(tree))) and len(nx.Graph(list(tree))) == len(graph)
    )
    return None if low else f"{sorted(graph.edges)}: every spanning tree has degree 4"


def _without_cycle(rng: Random) -> str | None:
    """Look for a 4-connected planar graph without a Hamiltonian cycle."""
    graph = _polyhedral(rng, 4)
    found = _has_path(graph, closed=True)
    return None if found else f"{sorted(graph.edges)}: no Hamiltonian cycle"


def _has_path(graph: nx.Graph[int], *, closed: bool = False) -> bool:
    """Tell whether a graph has a Hamiltonian path, or cycle, by trying all."""

    def extended(path: list[int]) -> bool:
        if len(path) == len(graph):
            return not closed or graph.has_edge(path[-1], path[0])
        return any(extended([*path, v]) for v in graph[path[-1]] if v not in path)

    return any(extended([v]) for v in ([0] if closed else graph))


def _without_sink(tree: Tree) -> str | None:
    """Orient edges to the heavier side, ties at random; look at where none leaves."""
    parents, weights, k = tree
    graph: nx.Graph[int] = nx.Graph((v, p) for v, p in enumerate(parents) if p >= 0)
    graph.add_nodes_from(range(len(parents)))
    rng = Random(sum(weights))
    left: set[int] = set()
    split = False
    for edge in graph.edges:
        rest = nx.restricted_view(graph, [], [edge])
        sides = [
            sum(weights[v] for v in nx.node_connected_component(rest, end))
            for end in edge
        ]
        split |= min(sides) >= k
        tie = sides[0] == sides[1]
        left.add(rng.choice(edge) if tie else edge[sides[0] > sides[1]])
    sinks = set(graph) - left
    for sink in sinks:
        below = nx.connected_components(graph.subgraph(set(graph) - {sink}))
        heavy = any(sum(weights[v] for v in side) >= k for side in below)
        if heavy and not split:
            return f"a subtree of {sink} weighs k or more"
    return None if sinks else "every node has an edge that leaves it"


def _halved(rng: Random) -> str | None:
    """Lemma 8: look for a list that cannot be cut so."""
    xs = [rng.randint(1, 12) for _ in range(rng.randint(1, 10))]
    sums = [0, *accumulate(xs)]
    cut = min(max(left, sums[-1] - left) for left in sums)
    return None if 2 * cut <= sums[-1] + max(xs) else f"{xs}: {cut} at best"


def _in_three(rng: Random) -> str | None:
    """Lemma 9: look for numbers of at most half their sum, not in three parts so."""
    xs = [rng.randint(1, 9) for _ in range(rng.randint(2, 7))]
    while 2 * max(xs) > sum(xs):
        xs.append(rng.randint(1, 9))
    ways = product(range(3), repeat=len(xs))
    for way in ways:
        parts = [
            sum(x for x, p in zip(xs, way, strict=True) if p == q) for q in range(3)
        ]
        if 2 * max(parts) <= sum(xs):
            return None
    return f"{xs}: no way into three"


def _relaxed(rng: Random) -> str | None:
    """Theorem 11: look for bins that break inequality (4)."""
    k = rng.randint(2, 12)
    sizes = [rng.randint(1, k + 2) for _ in range(rng.randint(1, 7))]
    instance = BinCovering([*sizes, *[k] * (sum(sizes) < k)], k)
    epsilon = rng.choice([Fraction(1, 4), Fraction(1, 3), Fraction(2, 5)])
    optimum = optimum_of(instance)
    assert optimum is not None
    bins = relaxed_scheme(instance, epsilon)
    if keeps_relaxed_promise(instance, epsilon, bins, optimum):
        return None
    return f"{instance.to_dict()}, e = {epsilon}: levels {levels(instance, bins)}"


def _of_matchings(images: Sequence[Image]) -> Attempt:
    """Return a trial of reductions from 3DM: what images cost, and all that is 3."""

    def attempt(rng: Random) -> str | None:
        image, problem = rng.choice(images), _matching(rng)
        yes, cost = bool(matchings(problem)), optimum_of(image.forward(problem))
        why = objection(image, problem)
        if not (cost == COST if yes else cost is None or cost > COST):
            why = f"a matching is {yes}, the image costs {cost}"
        return why and f"{image.name} of {problem.to_dict()}: {why}"

    return attempt


def _ill_made(_rng: Random) -> str | None:
    wrong = [gadget.name for gadget in every_gadget() if wrong_states(gadget)]
    return f"{wrong}: states are wrong or missing" if wrong else None


def _below_kappa(instance: Any) -> str | None:
    cost = optimum_of(instance)
    kappa = max(instance.k, *instance.weights)
    return f"{cost} < {kappa}" if cost is not None and cost < kappa else None


def _infeasible_iff_small(rng: Random) -> str | None:
    k = rng.randint(1, 20)
    instance = BinCovering([rng.randint(1, 9) for _ in range(rng.randint(0, 4))], k)
    cost = optimum_of(instance)
    if instance.sizes and (cost is None) != (instance.total < k):
        return f"{instance.to_dict()}: total {instance.total}, optimum {cost}"
    return f"{instance.to_dict()}: {cost} < k" if cost and cost < k else None


def _row(rng: Random) -> IntervalCovering:
    sizes = [rng.randint(1, 6) for _ in range(rng.randint(1, 8))]
    return IntervalCovering(sizes, rng.randint(1, sum(sizes)))


def _not_least(row: IntervalCovering) -> str | None:
    """Compare the dynamic program with all ways to cut a row."""
    n, cuts = len(row.sizes), range(1, len(row.sizes))
    best = None
    for kept in product((False, True), repeat=n - 1):
        ends = [0, *(c for c, cut in zip(cuts, kept, strict=True) if cut), n]
        sums = [sum(row.sizes[a:b]) for a, b in pairwise(ends)]
        if min(sums) >= row.k and (best is None or max(sums) < best):
            best = max(sums)
    cost = optimum_of(row)
    return None if cost == best else f"{cost}, not {best}"


def _feasible_map(rng: Random) -> str | None:
    instance = _map(rng)
    enough = sum(instance.weights) >= instance.k
    feasible = optimum_of(instance) is not None
    return None if feasible == enough else f"{instance.to_dict()}: feasible {feasible}"


def _tight_kd(rng: Random) -> str | None:
    instance: Any = api.generate("rectangle-tiling", "tight-kd", k=rng.randint(2, 12))
    cost = optimum_of(instance)
    return (
        None if cost == instance.k else f"{instance.to_dict()}: the optimum is {cost}"
    )


def _of_triples(problem: triples.ThreePartition) -> str | None:
    yes, bins = _has_triples(problem), len(problem.weights) // 3
    cost = optimum_of(triples.to_bin_covering(problem))
    assert cost is not None
    right = (
        cost == problem.target if yes else cost * (bins - 1) >= bins * problem.target
    )
    return None if right else f"{yes}, but it costs {cost}"


def _of_lifted(problem: triples.ThreePartition) -> str | None:
    yes = _has_triples(problem)
    for offset in (1, problem.target, 500):
        image = triples.gap_instance(problem, offset)
        cost = optimum_of(image)
        assert cost is not None
        if (cost == image.k) != yes or (not yes and cost < 4 * offset + problem.target):
            return f"{yes}, but with {offset} it costs {cost}"
    return None


def _halves(rng: Random) -> list[int]:
    weights = [rng.randint(1, 30) for _ in range(rng.randint(2, 9))]
    return [*weights[:-1], weights[-1] + sum(weights) % 2]


def _of_halves(weights: list[int]) -> str | None:
    image = partition.gap_instance(weights)
    sums = {0}
    for weight in weights:
        sums |= {weight + other for other in sums}
    wanted = image.k if image.k in sums else 2 * image.k
    cost = optimum_of(image)
    return None if cost == wanted else f"it costs {cost}, not {wanted}"


def _odd_large(rng: Random) -> str | None:
    k = rng.randint(4, 40)
    large = [rng.randint(k // 2 + 1, k - 1) for _ in range(rng.choice([3, 5, 7]))]
    left = k - 1 - max(large)
    small = []
    while left and rng.random() < 0.8:
        small.append(rng.randint(1, min(left, k // 2)))
        left -= small[-1]
    instance = BinCovering([*large, *small], k)
    cost = optimum_of(instance)
    assert cost is not None
    return f"{instance.to_dict()}: it costs {cost}" if 2 * cost < 3 * k else None


def _own_bins(instance: BinCovering) -> str | None:
    """Compare the best solution with own bins for items of k and more with 5/2 OPT."""
    k = instance.k
    heavy = sorted(size for size in instance.sizes if size >= k)
    light = [size for size in instance.sizes if size < k]
    if sum(light) < k:
        own = max(heavy[0] + sum(light), heavy[-1])
    else:
        own = max([optimum_of(BinCovering(light, k)) or 0, *heavy])
    optimum = optimum_of(instance)
    assert optimum is not None
    return f"{own} with own bins, {optimum} without" if 2 * own > 5 * optimum else None


def _greedy_bins(sizes: Sequence[int], k: int) -> list[list[int]]:
    """Fill bins in order up to level k; the last one may not reach it."""
    bins: list[list[int]] = [[]]
    for size in sizes:
        if sum(bins[-1]) >= k:
            bins.append([])
        bins[-1].append(size)
    return bins


def _light_items(rng: Random) -> tuple[list[int], int]:
    """Draw items of less than k, which add up to k at least."""
    k = rng.randint(2, 24)
    near = [1, max(1, k // 3), max(1, k // 2), k // 2 + 1, k - 1, rng.randint(1, k - 1)]
    sizes = [min(k - 1, rng.choice(near)) for _ in range(rng.randint(1, 14))]
    while sum(sizes) < k:
        sizes.append(rng.randint(1, k - 1))
    return sizes, k


def _ill_filled(case: tuple[list[int], int]) -> str | None:
    """Theorem 7: levels of greedy bins in any order."""
    sizes, k = case
    levels_ = [sum(items) for items in _greedy_bins(sizes, k)]
    full = all(k <= level <= 2 * k - 2 for level in levels_[:-1])
    return None if full and levels_[-1] <= 2 * k - 2 else f"levels {levels_}"


def _wrong_cases(case: tuple[list[int], int]) -> str | None:
    """Theorem 10: greedy bins in decreasing order, and what each case says of them."""
    sizes, k = case
    bins = _greedy_bins(sorted(sizes, reverse=True), k)
    *others, last = bins
    if sum(last) >= k:
        return None
    if len(bins) == 3 and sum(sizes) >= 5 * k:
        return "three bins hold 5k or more"
    first, rest = last[0], sum(last[1:])
    if 2 * first <= k or not others:
        return None
    large = [sum(2 * size > k for size in items) for items in others]
    if set(large) != {2} or 2 * rest >= k or any(2 * size > k for size in last[1:]):
        return f"case 2: {bins}"
    greatest = others[0][0]
    swapped = [greatest + rest, sum(others[0]) - greatest + first]
    in_order = all(k <= level <= 2 * k for level in swapped)
    return f"case 2.1: {bins}" if greatest + rest >= k and not in_order else None


def _above_three(rng: Random) -> str | None:
    """Theorem 11: Fold, what is left over on a greedy bin, with items of k and more."""
    light, k = _light_items(rng)
    heavy = [rng.randint(k, 5 * k) for _ in range(rng.randint(1, 3))]
    *full, last = [sum(items) for items in _greedy_bins(light, k)]
    levels_ = [*heavy, *full]
    if last >= k:
        levels_.append(last)
    else:
        levels_[len(heavy) + rng.randrange(len(full))] += last
    optimum = optimum_of(BinCovering([*light, *heavy], k))
    cost = max(levels_)
    right = cost == optimum if max(heavy) >= 3 * k else cost <= 3 * k
    return (
        None if right else f"{light}, {heavy}, k = {k}: {cost}, the optimum {optimum}"
    )


def _more_bins(rng: Random) -> str | None:
    """Theorem 11: look for more bins of level (1 - 2e) k than b, items up to 3k."""
    k, e = rng.randint(1, 6), rng.choice([Fraction(1, 4), Fraction(1, 3)])
    sizes = [rng.randint(1, 3 * k) for _ in range(rng.randint(1, 6))]
    b = Fraction(sum(sizes), k) / (1 - 2 * e)
    least = -(-((1 - 2 * e) * k) // 1)
    most = max(
        (len(set(homes)) for homes in product(range(len(sizes)), repeat=len(sizes))
         if all(
             sum(x for x, h in zip(sizes, homes, strict=True) if h == home) >= least
             for home in set(homes)
         )),
        default=0,
    )  # fmt: skip
    kept = most <= b <= 3 * len(sizes) / (1 - 2 * e)
    return None if kept else f"{sizes}, k = {k}, e = {e}: {most} bins, b = {b}"


def _above_fullest_fold(rng: Random) -> str | None:
    """Section 5: compare Spread with Fold, what is left over on the fullest bin."""
    sizes, k = _light_items(rng)
    *full, last = [sum(items) for items in _greedy_bins(sizes, k)]
    fold = max(full, default=0) + last if last < k else max([*full, last])
    (spread,) = costs_over_k(sizes, [k], Leftovers.SPREAD)
    return f"{sizes}, k = {k}: Spread {spread}, Fold {fold}" if spread > fold else None


def _reduced(rng: Random) -> str | None:
    """Tell where own bins are no optimum, an item being k above the least heavy."""
    k = rng.randint(1, 9)
    heavy = [rng.randint(k, 4 * k) for _ in range(rng.randint(2, 5))]
    light = [1] * rng.randint(0, k - 1)
    instance = BinCovering([*heavy, *light], k)
    own = max([min(heavy) + len(light), *heavy])
    if max(heavy) < min(heavy) + k or optimum_of(instance) == own == max(heavy):
        return None
    return f"{instance.to_dict()}: own bins cost {own}"


def _emptiest(rng: Random) -> str | None:
    instance = _bins(rng)
    optimum = optimum_of(instance)
    cost = api.approximate(instance, "spread-emptiest").cost
    assert optimum is not None
    assert cost is not None
    if 11 * cost <= 23 * optimum:
        return None
    return f"{instance.to_dict()}: it costs {cost}, the optimum {optimum}"


def _row_of_names(rng: Random) -> tuple[Sequence[int], list[int]]:
    """Draw the counts of one set of names in random order, and values of k."""
    counts = list(census_counts(rng.choice(get_args(NameSet))))
    rng.shuffle(counts)
    return counts, [rng.randint(max(counts), sum(counts) // 2) for _ in range(200)]


def _fold_wins(rng: Random) -> str | None:
    counts, ks = _row_of_names(rng)
    if rng.random() < 0.5:
        counts = sorted(counts, reverse=rng.random() < 0.5)
    fold, spread = (
        sum(Fraction(cost, k) for cost, k in zip(costs, ks, strict=True))
        for costs in (
            costs_over_k(counts, ks, leftovers)
            for leftovers in (Leftovers.FOLD_LEAST, Leftovers.SPREAD)
        )
    )
    return f"Fold {fold}, Spread {spread}" if spread > fold else None


def _sorted_wins(rng: Random) -> str | None:
    """Compare random with decreasing order for Fold, with increasing for Spread."""
    counts, ks = _row_of_names(rng)
    for leftovers, falling in ((Leftovers.FOLD_LEAST, True), (Leftovers.SPREAD, False)):
        drawn = costs_over_k(counts, ks, leftovers)
        ordered = costs_over_k(sorted(counts, reverse=falling), ks, leftovers)
        better = sum(a < b for a, b in zip(drawn, ordered, strict=True))
        if 4 * better < len(ks):
            return f"{leftovers.name}: random is better for {better} of {len(ks)}"
    return None


def _smooth(rng: Random) -> str | None:
    """Look at the ratios where one bin less is filled than for k less by one."""
    counts, _ = _row_of_names(rng)
    order, bins = range(len(counts)), rng.randint(2, 6)

    def filled(k: int) -> int:
        return len(pack(counts, k, order, Leftovers.FOLD_LEAST))

    low, high = sum(counts) // (bins + 1), sum(counts)
    if low < max(counts):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if filled(middle) >= bins else (low, middle)
    fold, spread = (
        after / high - before / low
        for before, after in (
            costs_over_k(counts, [low, high], leftovers)
            for leftovers in (Leftovers.FOLD_LEAST, Leftovers.SPREAD)
        )
    )
    told = f"{bins} bins to k = {low}: Fold rises {fold:.2f}, Spread {spread:.2f}"
    return None if fold > 0 and fold >= spread else told


def _far_from_worst(rng: Random) -> str | None:
    counts, ks = _row_of_names(rng)
    for leftovers, most in ((Leftovers.FOLD_LEAST, 2), (Leftovers.SPREAD, 1.5)):
        costs = costs_over_k(counts, ks, leftovers)
        mean = sum(cost / k for cost, k in zip(costs, ks, strict=True)) / len(ks)
        if mean > most:
            return f"{leftovers.name} costs {mean:.2f} k on average"
    return None


CLAIMS: Final = (
    _claim(
        "section 2, hypotheses",
        Kind.STATEMENT,
        "A connected planar graph with non-negative integer weights can be "
        "partitioned into connected parts of weight k or more.",
        witness="du09_light_map",
        repair="Every component weighs k or more, as inequality (3) asks of bins.",
        repaired=Trial("maps of 9 to 12 nodes of weight k or more", _feasible_map),
    ),
    _claim(
        "section 2, kappa",
        Kind.STATEMENT,
        "No partition of a map costs less than kappa = max(k, heaviest node).",
        trial=Trial("maps of 9 to 12 nodes", always(_map, _below_kappa)),
    ),
    _claim(
        "section 2, 3DM to connected partition",
        Kind.REDUCTION,
        "The image of a 3-dimensional matching problem is partitioned into "
        "connected triples iff there is a matching; it is planar and 3-regular.",
        reading="With the gadgets of Figures 2 to 4: the triangle with three tails, "
        "the connectors, cross-overs, fans and caps. The optimum is 3, or 4 and more.",
        trial=Trial(
            "3DM of 1 to 3 elements a side and n to 2n triples, drawn planar and "
            "3-regular, one of the two, or neither",
            _of_matchings(IMAGES[:4]),
        ),
        evidence="All 3DM of one or two elements a side and 10 of three: the solutions "
        "of cost 3 of 268 images choose all matchings (182 have one), and nothing "
        "else; planar and 3-regular those of up to 4 triples, 175 (88).",
        degenerate="An element in no triple: the image is infeasible or costs more.",
    ),
    _claim(
        "sections 2 and 3, gadgets",
        Kind.STATEMENT,
        "The gadgets do what the proofs need: of what is beyond it a connector or a "
        "corridor covers one end, a triple all or nothing, a choice all ends but one, "
        "a chooser one, a crossing two neighbours, a cap nothing.",
        reading="Figures 2 to 4 are not in the text: crossings, caps and choosers are "
        "derived here.",
        trial=Trial(
            "all states of all 39 gadgets: choices of 2 to 8 triples, choosers of 1 to "
            "6, corridors to cover the points and the plane",
            _ill_made,
        ),
    ),
    _claim(
        "Lemma 1",
        Kind.LEMMA,
        "A tree of degree d that no edge can split costs at most kappa + d (k - 1).",
        reading="A tree that weighs k or more. The proof's unique node may be two if "
        "there are ties; one is enough.",
        trial=Trial(
            "trees of 1 to 9 nodes, weights 0 to 7", always(_tree, _beyond_lemmas)
        ),
    ),
    _claim(
        "Lemma 1, proof",
        Kind.STATEMENT,
        "If all edges are oriented to the heavier side, ties anyhow, a unique node has "
        "all of them oriented inwards.",
        witness="du09_two_sinks",
        repair="There is at least one, and any of them will do.",
        repaired=Trial(
            "trees of 1 to 9 nodes, weights 0 to 7", always(_tree, _without_sink)
        ),
    ),
    _claim(
        "Lemma 2",
        Kind.LEMMA,
        "The lightest part T1 that is split off costs at most kappa + (d - 1) (k - 1).",
        trial=Trial(
            "trees of 1 to 9 nodes, weights 0 to 7", always(_tree, _beyond_lemmas)
        ),
    ),
    _claim(
        "Lemma 2, proof",
        Kind.STATEMENT,
        "The subtrees below the cut edge weigh at most k - 1 each, or one of the "
        "edges to them would have been cut in preference.",
        witness="du09_equally_light",
        repair="Among the lightest parts the one of the fewest nodes is cut. The lemma "
        "holds either way, for the weight is the same.",
        repaired=Trial(
            "trees of 1 to 9 nodes, weights 0 to 7", always(_tree, _heavy_below)
        ),
    ),
    _claim(
        "Theorem 3, trees",
        Kind.STATEMENT,
        "A 3-connected planar graph has a spanning tree of degree 3 (Barnette).",
        trial=Trial(
            "wheels of 5 to 7 nodes with edges moved, added and taken away",
            _without_low_tree,
        ),
    ),
    _claim(
        "Theorem 3, cycles",
        Kind.STATEMENT,
        "A 4-connected planar graph is Hamiltonian (Tutte).",
        trial=Trial(
            "wheels with two hubs of 6 to 8 nodes, edges moved, added and taken away",
            _without_cycle,
        ),
    ),
    _claim(
        "Theorem 3",
        Kind.THEOREM,
        "Cutting trees costs at most kappa + 3 (k - 1) <= 4 OPT on 3-connected "
        "planar graphs, and kappa + 2 (k - 1) <= 3 OPT on 4-connected ones.",
        reading="Wherever trees of degree 3, or Hamiltonian paths, are found.",
        trial=Trial(
            "maps of 9 to 12 nodes",
            promise_kept(_map, ("tree-cut", "hamiltonian-cut", "balanced-cut")),
        ),
    ),
    _claim(
        "section 3, rectangles",
        Kind.STATEMENT,
        "To partition the plane into rectangles, or the points into disjoint "
        "rectangles, is one problem.",
        reading="Sections 1 and 3 define it in these two ways.",
        witness="du09_plane_or_points",
        repair="They are two problems, and both are here by the field cover.",
    ),
    _claim(
        "section 3, 3DM to rectangles",
        Kind.REDUCTION,
        "The image of a 3DM is partitioned into rectangles of three points iff "
        "there is a matching.",
        trial=Trial(
            "3DM of 1 to 3 elements a side and n to 2n triples, to cover the plane or "
            "the points, and of weights 1 only",
            _of_matchings(IMAGES[4:7]),
        ),
        evidence="All 3DM of one or two elements a side and 10 of three: the solutions "
        "of cost 3 of 268 images choose all matchings (182 have one), and nothing "
        "else; each of the three.",
    ),
    _claim(
        "section 3, 3DM to RTILE",
        Kind.REDUCTION,
        "A similar reduction shows 4/3 for RTILE: p tiles of weight 3 iff there "
        "is a matching, and else one of 4 or more.",
        trial=Trial(
            "3DM of 1 to 3 elements a side and n to 2n triples",
            _of_matchings(IMAGES[7:]),
        ),
        evidence="All 3DM of one or two elements a side and 10 of three: the solutions "
        "of cost 3 of 268 images choose all matchings (182 have one), and nothing "
        "else.",
    ),
    _claim(
        "Theorem 4",
        Kind.THEOREM,
        "A kd-tree that cuts wherever both sides keep k costs at most 5 OPT.",
        reading="At most kappa + 4 (k - 1), for any rule that chooses among the cuts.",
        trial=Trial("1 to 9 points of a 5 x 5 grid", promise_kept(_points, _KD_TREES)),
    ),
    _claim(
        "section 3, four points",
        Kind.EXAMPLE,
        "Four points of weight k - 1 about one of k may be tiled at cost k, "
        "while the kd-tree costs 5k - 4.",
        witness="du09_four_arms",
        repair="Two more points on every arm make the optimum k: family tight-kd.",
        repaired=Trial("k from 2 to 12", _tight_kd),
    ),
    _claim(
        "section 4, intervals",
        Kind.STATEMENT,
        "Ordered labels grouped into intervals are solved optimally by a simple "
        "greedy algorithm in O(n log n) time.",
        reading="Close an interval as soon as it holds k; merge what is left over.",
        witness="du09_greedy_intervals",
        repair="A dynamic program, in the same time.",
        repaired=Trial("rows of 1 to 8 sizes up to 6", always(_row, _not_least)),
    ),
    _claim(
        "section 4, inequality (3)",
        Kind.STATEMENT,
        "There is a solution iff all sizes add up to k, and every one costs k.",
        trial=Trial("up to 4 items", _infeasible_iff_small),
        degenerate="No items: the empty partition is feasible, and costs nothing.",
    ),
    _claim(
        "Theorem 5",
        Kind.THEOREM,
        "3-Partition of m sets with target B has a solution iff bin covering with "
        "k = B costs B; if not, it costs m B / (m - 1) or more.",
        trial=Trial(
            "two or three triples of target 8 to 40", always(_triples, _of_triples)
        ),
    ),
    _claim(
        "Theorem 6, binary",
        Kind.THEOREM,
        "No polynomial algorithm has a ratio below 2 for sizes in binary.",
        reading="The construction is in the preprint; ours is PARTITION with its half "
        "as k: the optimum is k if the answer is yes, and 2k if no.",
        trial=Trial("2 to 9 weights of an even total", always(_halves, _of_halves)),
    ),
    _claim(
        "Theorem 6, unary",
        Kind.THEOREM,
        "No polynomial algorithm has a ratio below 4/3 for sizes in unary.",
        reading="3-Partition with D added to every weight: k = 3D + B if yes, and else "
        "4D + B or more, since some bin then holds four items.",
        trial=Trial("two or three triples, D to 500", always(_triples, _of_lifted)),
    ),
    _claim(
        "Theorem 7",
        Kind.THEOREM,
        "Fold costs at most max(k - 1 + greatest size, 3k - 3).",
        hypotheses="all sizes add up to k or more",
        reading="In any order, whichever bin the leftovers go to.",
        trial=Trial("1 to 9 items near k, k/2, k/3 and 1", promise_kept(_bins, _FOLDS)),
        degenerate="k = 1: the bound is the greatest size.",
    ),
    _claim(
        "Theorem 7, greedy bins",
        Kind.STATEMENT,
        "All greedy bins but the last hold k to 2k - 2.",
        hypotheses="no item of size k or more",
        trial=Trial("items below k, up to 14", always(_light_items, _ill_filled)),
    ),
    _claim(
        "Lemma 8",
        Kind.LEMMA,
        "A list of sum s, of numbers up to m, is cut into two up to (s + m) / 2.",
        trial=Trial("1 to 10 numbers up to 12", _halved),
    ),
    _claim(
        "Lemma 9",
        Kind.LEMMA,
        "Numbers of sum 1, none above 1/2, go into three parts of at most 1/2.",
        trial=Trial("2 or more numbers up to 9, scaled", _in_three),
    ),
    _claim(
        "Theorem 10",
        Kind.THEOREM,
        "Bin covering has a polynomial algorithm of ratio 5/2.",
        reading="Its search is replaced, see below; as printed it is tested as well.",
        trial=Trial(
            "1 to 9 items near k, k/2, k/3 and 1",
            promise_kept(_bins, ("five-halves", "five-halves-printed")),
        ),
    ),
    _claim(
        "Theorem 10, heavy items",
        Kind.STATEMENT,
        "Items of size k and more may have bins of their own, one with all small items "
        "if these do not fill a bin, without a ratio beyond 5/2.",
        reading="The best such solution costs 5/2 OPT at most.",
        trial=Trial("1 to 9 items near k, k/2, k/3 and 1", always(_bins, _own_bins)),
    ),
    _claim(
        "Theorem 10, without loss of generality",
        Kind.STATEMENT,
        "Items of size k and more may have bins of their own without loss of "
        "generality.",
        reading="Some optimum has them so, and a ratio for the others is one for all.",
        witness="du09_own_bins",
        repair="The ratio 5/2 survives: the proof is in five_halves.py.",
        repaired=Trial(
            "1 to 9 items near k, k/2, k/3 and 1", promise_kept(_bins, ("five-halves",))
        ),
        nearby=("own bins cost 3/2 OPT at most: no, 53 against 33 for k = 23",),
    ),
    _claim(
        "Theorem 10, cases",
        Kind.STATEMENT,
        "If the last greedy bin, in decreasing order, holds less than k: three bins "
        "hold less than 5k; if its first item is above k/2, the others hold two such "
        "items each and the small items less than k/2 (case 2), and two items swapped "
        "make levels of k to 2k (case 2.1).",
        hypotheses="no item of size k or more",
        trial=Trial("items below k, up to 14", always(_light_items, _wrong_cases)),
    ),
    _claim(
        "Theorem 10, search",
        Kind.STATEMENT,
        "Two or three greedy bins can be searched exhaustively in O(n^4) time.",
        untested="A time bound. That search decides PARTITION, so it is polynomial for "
        "sizes in unary only; five-halves does without it.",
    ),
    _claim(
        "Theorem 10, case 2.2",
        Kind.STATEMENT,
        "If there is an odd number of items above k/2, and the greatest with all "
        "small items together is below k, then OPT >= 3k/2.",
        hypotheses="no item of size k or more",
        trial=Trial("an odd number of large items, small ones of little", _odd_large),
    ),
    _claim(
        "Theorem 11",
        Kind.THEOREM,
        "For fixed e bins of level (1 - 2e) k and at most (1 + e) (OPT + e k) are "
        "found in polynomial time.",
        reading="As repaired: relaxed_bins.py tells of three slips in its proof, as of "
        "b <= n / (1 - 2e), which supposes no item above k.",
        trial=Trial("1 to 7 items, e = 1/4, 1/3 and 2/5", _relaxed),
    ),
    _claim(
        "Theorem 11, optimum at most 3k",
        Kind.STATEMENT,
        "If the items below k fill a bin, Fold is optimal with an item of 3k or more, "
        "and else costs 3k at most.",
        reading="What is left over goes to a greedy bin.",
        trial=Trial("items below k, up to 14, and 1 to 3 up to 5k", _above_three),
        nearby=("to any other bin, as Theorem 7 has it: no, 30, 5, 5, 5 for k = 10",),
    ),
    _claim(
        "Theorem 11, number of bins",
        Kind.STATEMENT,
        "b, the sum of all items over (1 - 2e) k, is at most n / (1 - 2e).",
        reading="Of items up to 3k, which are left.",
        witness="du09_more_bins",
        repair="At most 3 n / (1 - 2e). No more bins than b have level (1 - 2e) k.",
        repaired=Trial("1 to 6 items up to 3k, e = 1/4, 1/3", _more_bins),
    ),
    _claim(
        "Theorem 11, oversize items",
        Kind.STATEMENT,
        "If items below k do not fill a bin, reducing the others by the least of "
        "them less k leaves them at most 2k.",
        witness="du09_oversize",
        repair="If some item is k or more above the least one, own bins are optimal; "
        "else all are below 2k.",
        repaired=Trial("heavy items, and light ones of less than k", _reduced),
    ),
    _claim(
        "section 5, Spread and Fold",
        Kind.ALGORITHM,
        "Spread is better than Fold.",
        reading="It never costs more in the same order, whichever of the last and the "
        "emptiest bin Fold takes. The text says it of names, see Figure 7.",
        witness="du09_spread_or_fold",
        repair="It never costs more than Fold with what is left over on the fullest "
        "bin.",
        repaired=Trial("items below k, up to 14", _above_fullest_fold),
    ),
    _claim(
        "section 5, Spread",
        Kind.ALGORITHM,
        "Spread is a simplified version of the method of Theorem 10.",
        reading="It keeps the ratio of 5/2, which the text does not say.",
        witness="du09_spread",
        repair="Nothing above 23/11 is known of spread-emptiest.",
        repaired=Trial("1 to 9 items near k, k/2, k/3 and 1", _emptiest),
    ),
    *(
        _claim(
            number,
            Kind.FINDING,
            says,
            reading=reading,
            trial=Trial(_NAMES, needs="names", attempt=attempt),
            nearby=nearby,
            evidence=evidence,
        )
        for number, says, reading, attempt, nearby, evidence in (
            (
                "Figure 7, Spread and Fold",
                "Spread is superior to Fold on the names of the census, in random and "
                "in sorted order.",
                "On average over 200 values of k, in the same order.",
                _fold_wins,
                (),
                "On the mean of 201 values of k for each of the three files, over the "
                "optimum, all of them proved: Spread 1.08, Fold 1.29, both in one "
                "random order; in decreasing order 1.04 and 1.30. "
                "benchmarks/ratios_figure7.md, by the study "
                "scripts/studies/figure7.toml.",
            ),
            (
                "Figure 7, orders",
                "A random order is often superior to a sorted one.",
                "For a quarter of the values of k or more: than decreasing order for "
                "Fold, than increasing order for Spread.",
                _sorted_wins,
                (
                    "than decreasing order for Spread: no, for 4 to 10 % of k only, "
                    "and the mean is 1.04 against 1.08 in random order",
                ),
                "",
            ),
            (
                "Figure 7, thresholds",
                "Where one bin less is filled the ratio rises, most so for Fold.",
                "From k to k + 1, in a random order; as much for Spread at the most.",
                _smooth,
                (),
                "",
            ),
        )
    ),
    _claim(
        "Figure 7, worst case",
        Kind.FINDING,
        "Both are much better there than the worst case.",
        reading="Over 200 values of k Fold costs at most 2k on average, and Spread "
        "3/2 k, where both may cost 3k.",
        trial=Trial(_NAMES, needs="names", attempt=_far_from_worst),
        evidence="On the same 603 instances both cost twice the optimum at worst: "
        "benchmarks/ratios_figure7.md, by the study scripts/studies/figure7.toml.",
    ),
)
"""The claims of [Du09], in the order of the text."""
