"""The claims of [Aggarwal10]: r-gather, its variants, and cellular clustering.

[Aggarwal10] G. Aggarwal, T. Feder, K. Kenthapadi, S. Khuller, R. Panigrahy, D. Thomas,
A. Zhu, "Achieving Anonymity via Clustering", ACM Transactions on Algorithms 6(3), 2010.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from random import Random
from typing import Any, Final

from atleastk import api
from atleastk.claims.claim import Kind, Trial, claims_of_paper
from atleastk.claims.rising import Shared, assigned, disjoint, risen, shared
from atleastk.claims.trials import (
    always,
    example,
    optimum_of,
    partitions,
    promise_kept,
    solved,
)
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.generators.cellular_clustering import random_sets
from atleastk.instances.generators.r_gather import random_formula
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.r_gather import RGather
from atleastk.instances.reductions.cellular_clustering import REDUCTIONS as OF_SETS
from atleastk.instances.reductions.cellular_clustering import SetCover
from atleastk.instances.reductions.formulas import ThreeSat
from atleastk.instances.reductions.r_gather import REDUCTIONS as OF_FORMULAS
from atleastk.models.clustering import ClusteringSolution
from atleastk.models.k_anonymity import check
from atleastk.models.solution import Solution
from atleastk.packages import nx

__all__ = ["CLAIMS"]

_claim: Final = claims_of_paper("Aggarwal10")
Distances = Sequence[Sequence[int]]
Groups = Sequence[Collection[int]]
_DRAWN: Final = "points of a line, grid, graph or cube of bits, 4 to 9 of them"


def _metric(rng: Random) -> dict[str, Any]:
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


def _gather(rng: Random, **fields: Any) -> RGather:
    return RGather(**_metric(rng), r=rng.randint(1, 4), **fields)


def _gather_few(rng: Random) -> RGather:
    return _gather(rng, max_clusters=rng.randint(1, 3))


def _gather_most(rng: Random) -> RGather:
    """Draw an instance whose centres may be anywhere, with outliers."""
    return _gather(rng, max_outliers=rng.randint(0, 3), centres=_centres(rng))


def _gather_few_of_most(rng: Random) -> RGather:
    return _gather(
        rng,
        max_clusters=rng.randint(1, 3),
        max_outliers=rng.randint(0, 3),
        centres=_centres(rng),
    )


def _centres(rng: Random) -> str:
    return rng.choice(["input", "any"])


def _gather_input(rng: Random) -> RGather:
    return _gather(rng, max_outliers=rng.randint(0, 3))


def _cells(rng: Random, r: int = 1) -> CellularClustering:
    """Draw an instance with facility costs."""
    metric = _metric(rng)
    (points,) = (metric[name] for name in ("points", "distances") if name in metric)
    fees = [rng.choice([0, 1, 3, 9]) for _ in points]
    return CellularClustering(**metric, r=r, facility_costs=fees)


def _cells_of_r(rng: Random) -> CellularClustering:
    return CellularClustering(**_metric(rng), r=rng.randint(2, 3))


def _cells_with_fees(rng: Random) -> CellularClustering:
    return _cells(rng, rng.randint(2, 3))


def _cells_of_most(rng: Random) -> CellularClustering:
    return CellularClustering(
        **_metric(rng), r=rng.randint(1, 3), max_outliers=rng.randint(0, 3)
    )


def _distances(instance: RGather) -> Distances:
    space = instance.space
    return [space.row(i).tolist() for i in range(instance.n)]


def _radius(distances: Distances, groups: Groups) -> int:
    return max(
        min(max(distances[c][q] for q in group) for c in group) for group in groups
    )


def _diameter(distances: Distances, groups: Groups) -> int:
    return max(distances[p][q] for group in groups for p, q in product(group, repeat=2))


def _best_clusterings(distances: Distances, r: int) -> list[Groups]:
    every = list(partitions(tuple(range(len(distances))), r, len(distances)))
    least = min(_radius(distances, groups) for groups in every)
    return [groups for groups in every if _radius(distances, groups) == least]


def _condition_broken(
    rng: Random, distances: Distances, r: int, reach: int
) -> str | None:
    """Try conditions (1) and (2) for 2R = reach, centres in random order."""
    n = len(distances)
    near = [[q for q, d in enumerate(row) if d <= reach] for row in distances]
    if min(map(len, near)) < r:
        return f"condition (1) fails at {reach}"
    unmarked = rng.sample(range(n), n)
    centres = []
    while unmarked:
        centres.append(unmarked[0])
        unmarked = [p for p in unmarked if p not in near[centres[-1]]]
    network: Any = nx.DiGraph()
    for c in centres:
        network.add_edge("source", ("centre", c), capacity=r)
        network.add_edges_from((("centre", c), p, {"capacity": 1}) for p in near[c])
    network.add_edges_from((p, "sink", {"capacity": 1}) for p in range(n))
    if nx.maximum_flow_value(network, "source", "sink") == r * len(centres):
        return None
    return f"condition (2) fails at {reach} for {centres}"


def _fails_at_best(rng: Random) -> str | None:
    """Lemma 2.2: try 2R = d* of some best clustering."""
    instance = _gather(rng)
    distances, r = _distances(instance), instance.r
    if instance.n < r:
        return None
    best = rng.choice(_best_clusterings(distances, r))
    why = _condition_broken(rng, distances, r, _diameter(distances, best))
    return why and f"{instance.to_dict()}: {why}"


def _above_best(rng: Random) -> str | None:
    """Section 2.2: try all values; compare the smallest R with the best radius."""
    instance = _gather(rng)
    distances, r = _distances(instance), instance.r
    if instance.n < r:
        return None
    radius = _radius(distances, _best_clusterings(distances, r)[0])
    for reach in sorted({d for row in distances for d in row}):
        if _condition_broken(rng, distances, r, reach) is None:
            above = reach > 2 * radius
            return f"{instance.to_dict()}: 2R = {reach}, R* {radius}" if above else None
    return f"{instance.to_dict()}: no value meets the conditions"


def _greedy(
    distances: Distances, r: int, k: int, reach: int, again: bool
) -> tuple[set[int], dict[int, list[int]]]:
    """Filter and choose centres as section 2.4; return S, and who covers whom.

    With `again` the filter goes on until nothing changes.
    """
    kept = set(range(len(distances)))
    while True:
        left = {p for p in kept if sum(distances[p][q] <= reach for q in kept) >= r}
        if left == kept or not again:
            kept = left
            break
        kept = left
    uncovered, centres = set(kept), []
    for _ in range(k):
        if uncovered:
            centre = max(
                sorted(uncovered),
                key=lambda c: sum(distances[c][q] <= reach for q in uncovered),
            )
            centres.append(centre)
            uncovered -= {q for q in uncovered if distances[centre][q] <= 2 * reach}
    clusters: dict[int, list[int]] = {centre: [] for centre in centres}
    for p in kept - uncovered:
        clusters[min(centres, key=lambda c: distances[c][p])].append(p)
    return kept, clusters


def _ill_filtered(rng: Random, again: bool) -> str | None:
    """Lemmas 2.5 (if filtered again) to 2.7: sizes, radius, who is covered."""
    instance = _gather_few_of_most(rng)
    distances, r, k = _distances(instance), instance.r, instance.max_clusters or 0
    choices = [
        groups
        for chosen in combinations(
            range(instance.n), max(0, instance.n - instance.max_outliers)
        )
        for groups in partitions(chosen, r, instance.n)
        if 0 < len(groups) <= k
    ]
    if not choices:
        return None
    best = min(choices, key=lambda groups: _radius(distances, groups))
    reach = _diameter(distances, best)
    kept, clusters = _greedy(distances, r, k, reach, again)
    if not kept.issuperset(p for group in best for p in group):
        return f"{instance.to_dict()}: Lemma 2.6, {best} is not in {kept}"
    covered = sum(map(len, clusters.values()))
    if covered < sum(map(len, best)):
        return f"{instance.to_dict()}: Lemma 2.7, {covered} points are covered"
    for centre, members in clusters.items() if again else ():
        if len(members) < r or max(distances[centre][q] for q in members) > 2 * reach:
            return f"{instance.to_dict()}: Lemma 2.5, {centre} has {members}"
    return None


def _filtered_either_way(rng: Random) -> str | None:
    return _ill_filtered(rng, again=rng.random() < 0.5)


def _wide(rng: Random) -> str | None:
    """Section 2.2: look for a best clustering of diameter above twice its radius."""
    instance = _gather(rng)
    if instance.n < instance.r:
        return None
    distances = _distances(instance)
    best = rng.choice(_best_clusterings(distances, instance.r))
    radius, diameter = _radius(distances, best), _diameter(distances, best)
    return f"{instance.to_dict()}: {best}" if diameter > 2 * radius else None


def _formula(rng: Random) -> ThreeSat:
    variables, width = rng.randint(2, 6), rng.choice([2, 2, 3])
    most = max(1, min(6 * variables // width, 12) - 2)
    variables = max(width, variables)
    seed = rng.randrange(2**31)
    while True:
        try:
            return random_formula(seed, variables, rng.randint(1, most), width)
        except ValueError:  # so many clauses were not found
            seed += 1


def _of_formula(formula: ThreeSat) -> str | None:
    yes = any(
        formula.satisfied(values)
        for values in product((False, True), repeat=formula.variables)
    )
    (reduction,) = OF_FORMULAS
    radius, solution = solved(reduction.forward(formula))
    if radius is None or solution is None or (radius == 1) != yes:
        return f"satisfiable is {yes}, the radius {radius}"
    back = reduction.back(formula, solution.groups)
    right = back is not None and formula.satisfied(back) if yes else back is None
    return None if right else f"the way back gives {back}"


def _sets(rng: Random) -> SetCover:
    elements = rng.randint(1, 5)
    sets = rng.randint(1, 8 - elements)
    return random_sets(rng.randrange(2**31), elements, sets, rng.choice([20, 40, 60]))


def _of_sets(system: SetCover) -> str | None:
    fewest = next(
        size
        for size in range(len(system.sets) + 1)
        for chosen in combinations(range(len(system.sets)), size)
        if system.covers(chosen)
    )
    (reduction,) = OF_SETS
    cost, solution = solved(reduction.forward(system))
    assert reduction.cost is not None
    if cost is None or solution is None or reduction.cost(system, cost) != fewest:
        return f"{fewest} sets, not as the cost {cost} has it"
    back = reduction.back(system, solution.groups)
    right = system.covers(back) and len(back) == fewest
    return None if right else f"the way back gives {back}"


def _augmented(rng: Random) -> str | None:
    """Section 3.1, step 1: price an optimum with r d_c more for every cluster."""
    instance = _cells_with_fees(rng)
    cost, solution = solved(instance)
    if cost is None or solution is None:
        return None
    assert isinstance(solution, ClusteringSolution)
    more = sum(
        instance.r * int(instance.space.row(centre)[list(group)].max())
        for centre, group in zip(solution.centres, solution.groups, strict=True)
    )
    return f"{instance.to_dict()}: {more} more than {cost}" if more > cost else None


def _rising(rng: Random, r: int) -> tuple[CellularClustering, Distances, list[int]]:
    """Draw an instance with facility costs, its distances, and these costs."""
    instance = _cells(rng, max(1, r))
    distances = [instance.space.row(p).tolist() for p in range(instance.n)]
    return instance, distances, list(instance.facility_costs or ())


def _ill_risen(rng: Random) -> str | None:
    """Properties (1) to (3) and the dual: alphas, tight edges, what is paid."""
    instance, distances, fees = _rising(rng, 0)
    alphas, clusters = risen(distances, fees)
    for c in clusters:
        most = max(alphas[p] for p in c.tight)
        if any(alphas[p] < most for p in c.connected):
            return f"{instance.to_dict()}: (3) fails for {c}"
    for v, d in product(range(instance.n), range(max(map(max, distances)) + 1)):
        ball = [p for p in range(instance.n) if distances[v][p] <= d]
        paid = sum((max(alphas[p] - d, Fraction(0)) for p in ball), Fraction(0))
        if paid > fees[v]:
            return f"{instance.to_dict()}: ({v}, {d}) is paid too much"
    return None


def _too_far(rng: Random) -> str | None:
    """Lemma 3.3: look for a point above 3 d_c from the centre of its cluster."""
    instance, distances, fees = _rising(rng, 0)
    for c, points in assigned(risen(distances, fees)[1]):
        if any(distances[c.centre][p] > 3 * c.radius for p in points):
            return f"{instance.to_dict()}: {c} has {sorted(points)}"
    return None


def _too_dear(rng: Random) -> str | None:
    """Lemma 3.4: look for a cluster that its points do not pay for thrice."""
    instance, distances, fees = _rising(rng, 0)
    alphas, clusters = risen(distances, fees)
    for c, points in assigned(clusters):
        radius = max(distances[c.centre][p] for p in points)
        if len(points) * radius + 3 * c.fee > 3 * sum(alphas[p] for p in points):
            return f"{instance.to_dict()}: {c} has {sorted(points)}"
    return None


def _shared(rng: Random) -> tuple[CellularClustering, Distances, list[Shared]]:
    """Draw an instance, r = 2 or 3, and the shared clusters of section 3.1."""
    r = rng.choice([2, 3])
    instance, distances, fees = _rising(rng, r)
    clusters = assigned(risen(distances, fees, r)[1])
    return instance, distances, shared(distances, r, clusters)


def _shared_too_dear(rng: Random) -> str | None:
    """Section 3.1, step 2: compare shared clusters with 6 OPT."""
    instance, _, clusters = _shared(rng)
    fees = instance.facility_costs or ()
    cost = sum(len(c.points) * c.radius + fees[c.centre] for c in clusters)
    optimum = optimum_of(instance)
    assert optimum is not None
    few = any(len(c.points) < instance.r for c in clusters)
    wrong = few or cost > 6 * optimum
    return f"{instance.to_dict()}: {cost}, the optimum {optimum}" if wrong else None


def _too_far_below(rng: Random) -> str | None:
    """Lemma 3.7: look for a point above 3 d_c' from the centre of the open cluster."""
    instance, distances, clusters = _shared(rng)
    heads: list[Shared] = []
    for root, group, below in disjoint(rng, instance.r, clusters):
        radius = max(distances[root.centre][p] for p in group)
        most = max(head.radius for head in below)
        heads += below
        size_kept = instance.r <= len(group) < 2 * instance.r
        if radius > 3 * most or not size_kept:
            return f"{instance.to_dict()}: {sorted(group)} about {root.centre}"
    twice = len({id(head) for head in heads}) < len(heads)
    return f"{instance.to_dict()}: {heads} are of two groups" if twice else None


def _ill_grouped(rng: Random) -> str | None:
    """Lemma 3.6: group second-level nodes of less than r each, then the others."""
    r = rng.randint(1, 9)
    second = [rng.randint(1, r - 1) for _ in range(rng.randint(0, 8))] if r > 1 else []
    first = rng.randint(r, 3 * r)
    sizes, group = [], 0
    for weight in second:
        group += weight
        if group >= r:
            sizes.append(group)
            group = 0
    mixed = group if group == 0 else r if group + first >= 2 * r else group + first
    sizes += [mixed] if mixed else []
    left = first - max(0, mixed - group)
    wrong = any(not r <= size <= 2 * r - 1 for size in sizes) or 0 < left < r
    return f"r = {r}, {second}, {first}: {sizes}, {left} left" if wrong else None


def _figure(problem: str, family: str, **parameters: Any) -> Callable[[], object]:
    return lambda: optimum_of(api.generate(problem, family, **parameters))


def _figure_1b() -> object:
    table: list[tuple[int | str, ...]] = [
        (0, "b"),
        (2, "b"),
        ("d", 3),
        ("d", 0),
        ("d", -3),
    ]
    groups = Solution.of([[0, 1], [2, 3, 4]])
    instance = KAnonymity(table, 2)
    return check(instance, groups).cost, optimum_of(instance)


def _figure_3() -> object:
    table = [(1, 1, 1, 1), (0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]
    cellular = optimum_of(api.generate("cellular-clustering", "figure-3"))
    moved = sum(sum(value != 1 for value in row) for row in table)
    return optimum_of(KAnonymity(table, 5)), cellular, moved


CLAIMS: Final = (
    _claim(
        "Figure 1",
        Kind.EXAMPLE,
        "The five rows, r = 2: 2-gather has radius 3, 2-cellular clustering cost 11.",
        reading="Centres anywhere, so the package gives the diameter and twice the "
        "cost: 36 = (2 * 3)^2, and 22.",
        trial=example(
            lambda: (
                _figure("r-gather", "figure-1")(),
                _figure("cellular-clustering", "figure-1")(),
            ),
            (36, 22),
        ),
    ),
    _claim(
        "Figure 1, 2-anonymity",
        Kind.EXAMPLE,
        "Part (b) is a 2-anonymization of the five rows.",
        reading="By five stars, which is the least.",
        trial=example(_figure_1b, (5, 5)),
    ),
    _claim(
        "Figure 2",
        Kind.EXAMPLE,
        "Clusters of 50, 20 and 8 points of radius 10, 5 and 3 cost 624.",
        trial=example(lambda: 50 * 10 + 20 * 5 + 8 * 3, 624),
    ),
    _claim(
        "Figure 3",
        Kind.EXAMPLE,
        "5-anonymity hides all 20 entries; a 5-cellular clustering costs 5, and moves "
        "4 values.",
        trial=example(_figure_3, (20, 5, 4)),
    ),
    _claim(
        "section 2.1",
        Kind.REDUCTION,
        "A formula is satisfiable iff the graph made of it has an r-gather of radius "
        "1, and else 2 or more, for r > 6, literals in three clauses at most.",
        reading="r = 7, centres among the points.",
        trial=Trial("formulas of 2 to 6 variables", always(_formula, _of_formula)),
        evidence="All 15 sets of one to four clauses of two literals over two "
        "variables, and 300 random formulas of 2 to 6: 278 are satisfiable, and none "
        "speaks against it.",
        nearby=(
            "r = 3 to 6: no, (1 2)(1 -2)(-1 2)(-1 -2) and more of it",
            "centres anywhere: no; right for r >= 14 and separated formulas",
        ),
    ),
    _claim(
        "Lemma 2.2",
        Kind.LEMMA,
        "At R = d*/2, d* the diameter of a best clustering, both conditions are met.",
        reading="Whatever unmarked point is chosen next. Centres among the points.",
        trial=Trial(_DRAWN, _fails_at_best),
    ),
    _claim(
        "section 2.2, lower bound",
        Kind.STATEMENT,
        "d*/2 <= R*, the radius of a best clustering.",
        trial=Trial(_DRAWN, _wide),
    ),
    _claim(
        "section 2.2, smallest R",
        Kind.STATEMENT,
        "Of the values d_ij / 2 some meets the conditions, and the smallest that does "
        "is R* at most.",
        reading="All values are tried, in rising order.",
        trial=Trial(_DRAWN, _above_best),
    ),
    _claim(
        "section 2.2, greater R",
        Kind.STATEMENT,
        "If R meets the conditions, so does every greater one.",
        reading="The text does not say so, but to find R by bisection supposes it.",
        witness="aggarwal10_not_monotone",
        repair="Bisection is right all the same: a failure at R says that R < d*/2.",
        repaired=Trial(_DRAWN, promise_kept(_gather, ["r-gather"])),
    ),
    _claim(
        "Theorem 2.3",
        Kind.THEOREM,
        "r-gather has a polynomial algorithm of ratio 2.",
        trial=Trial(_DRAWN, promise_kept(_gather, ["r-gather"])),
        degenerate="n < r is infeasible.",
    ),
    _claim(
        "Theorem 2.4",
        Kind.THEOREM,
        "(r, e)-gather has a polynomial algorithm of ratio 4.",
        reading="Centres among the points, or anywhere; e n is the number of outliers.",
        trial=Trial(_DRAWN, promise_kept(_gather_most, ["r-eps-gather"])),
        nearby=(
            "less with centres among the points: no, 0 1 2 2 3 4, r = 3, attains 4",
        ),
    ),
    _claim(
        "section 2.3, input centres",
        Kind.STATEMENT,
        "If centres are points of the input, the ratio is 3.",
        trial=Trial(_DRAWN, promise_kept(_gather_input, ["r-eps-gather-input"])),
    ),
    _claim(
        "section 2.4, (k, r)-center",
        Kind.STATEMENT,
        "With at most k clusters the ratio is 2 as well.",
        trial=Trial(_DRAWN, promise_kept(_gather_few, ["k-r-center"])),
    ),
    _claim(
        "Lemma 2.5",
        Kind.LEMMA,
        "After the assignment every cluster has r points, and radius 4R at most.",
        reading="S is filtered once, and from then on only points of S are considered.",
        witness="aggarwal10_single_point",
        repair="The filter goes on until nothing changes; proof in greedy_centers.py.",
        repaired=Trial(_DRAWN, partial(_ill_filtered, again=True)),
    ),
    _claim(
        "Lemma 2.6",
        Kind.LEMMA,
        "The optimum on S is that on all points.",
        reading="No point of a best solution is filtered out at R = d*/2, by one "
        "filtering or by more.",
        trial=Trial(_DRAWN, _filtered_either_way),
    ),
    _claim(
        "Lemma 2.7",
        Kind.LEMMA,
        "At R = d*/2 the algorithm covers no fewer points than the optimum.",
        reading="By one filtering or by more.",
        trial=Trial(_DRAWN, _filtered_either_way),
    ),
    _claim(
        "Theorem 2.8",
        Kind.THEOREM,
        "The algorithm of section 2.4 has a ratio of 4 for (k, r, e)-center.",
        reading="As printed: S is filtered once, and the smallest R that succeeds is "
        "taken.",
        witness="aggarwal10_single_point",
        repair="The filter goes on until nothing changes, as for Lemma 2.5.",
        repaired=Trial(
            _DRAWN,
            promise_kept(_gather_few_of_most, ["k-r-eps-center"]),
        ),
    ),
    _claim(
        "Theorem 3.2",
        Kind.THEOREM,
        "There is a cover of k sets iff there is a cellular clustering of cost "
        "k + |X| + |S|.",
        reading="For any set system, as the proof takes it.",
        witness="aggarwal10_no_cover",
        repair="Every element is in a set.",
        repaired=Trial(
            "up to 5 elements, 8 in all with the sets", always(_sets, _of_sets)
        ),
        evidence="As repaired: all systems of one or two sets of up to three elements, "
        "and 300 random ones of 8 in all: of 206 one set holds everything, and none "
        "speaks against it.",
    ),
    *(
        _claim(
            number,
            kind,
            says,
            trial=Trial(f"{_DRAWN}, with facility costs", attempt),
            nearby=nearby,
        )
        for number, kind, says, attempt, nearby in (
            (
                "section 3, properties",
                Kind.STATEMENT,
                "The points that a cluster connects have the greatest alpha of all "
                "with tight edges to it, and no cluster is paid more than it costs.",
                _ill_risen,
                (),
            ),
            (
                "Lemma 3.3",
                Kind.LEMMA,
                "With the indirectly assigned points a cluster's radius is 3 d_c at "
                "most.",
                _too_far,
                (
                    "any tight point of the shut witness, not one of a cluster as "
                    "large: no, a point may then be at distance 1 in radius 0",
                ),
            ),
            (
                "Lemma 3.4",
                Kind.LEMMA,
                "A cluster's service cost and three times its facility cost are at "
                "most three times the alphas of its points.",
                _too_dear,
                (),
            ),
        )
    ),
    _claim(
        "Theorem 3.5",
        Kind.THEOREM,
        "The primal-dual method costs 3 OPT at most, for cellular clustering.",
        trial=Trial(_DRAWN, promise_kept(_cells, ["cellular"])),
    ),
    _claim(
        "section 3.1, step 1",
        Kind.STATEMENT,
        "With r d_c more for every cluster a best solution costs 2 OPT at most.",
        trial=Trial(_DRAWN, _augmented),
    ),
    _claim(
        "section 3.1, step 2",
        Kind.STATEMENT,
        "With the r points nearest to every centre the shared clusters cost 6 OPT at "
        "most.",
        trial=Trial(f"{_DRAWN}, with facility costs, r = 2, 3", _shared_too_dear),
    ),
    _claim(
        "Lemma 3.6",
        Kind.LEMMA,
        "Clusters with second-level nodes have at most 2r - 1 points.",
        reading="Collected until they weigh r: the text says until they exceed r.",
        trial=Trial("trees of up to 8 nodes of weight below r", _ill_grouped),
    ),
    _claim(
        "Lemma 3.7",
        Kind.LEMMA,
        "A cluster with second-level nodes has a leftover cluster c' of its own, and "
        "all its points are within 3 d_c' of the centre of the open cluster.",
        reading="d_c' as shared; the open cluster has a point of c' that was assigned "
        "when c' was considered. What is chosen freely is drawn.",
        trial=Trial(f"{_DRAWN}, with facility costs, r = 2, 3", _too_far_below),
        nearby=(
            "a point that is assigned at the end: then the open cluster may have a "
            "greater radius than c'",
        ),
    ),
    _claim(
        "Theorem 3.8",
        Kind.THEOREM,
        "r-cellular clustering costs 36 OPT at most.",
        hypotheses="no facility costs",
        reading="A leftover cluster joins an open one that was opened before it.",
        trial=Trial(
            _DRAWN, promise_kept(_cells_of_r, ["r-cellular-printed", "r-cellular"])
        ),
    ),
    _claim(
        "Theorem 3.8, facility costs",
        Kind.STATEMENT,
        "Disjoint clusters pay no more facility costs than the shared ones.",
        witness="aggarwal10_facilities",
        repair="A group may have its centre at that of a leftover cluster: r-cellular "
        "promises 33, with facility costs.",
        repaired=Trial(_DRAWN, promise_kept(_cells_with_fees, ["r-cellular"])),
    ),
    _claim(
        "section 3.1, outliers",
        Kind.STATEMENT,
        "With the technique of [Charikar01] there is a constant ratio with outliers.",
        reading="Ours, worked out in the package: 43, with facility costs 57.",
        trial=Trial(_DRAWN, promise_kept(_cells_of_most, ["r-eps-cellular"])),
    ),
)
"""The claims of [Aggarwal10], in the order of the text."""
