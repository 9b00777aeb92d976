"""[Aggarwal10] section 2, r-gather: Theorems 2.3, 2.4 and 2.8 and their lemmas."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from itertools import combinations, product
from random import Random
from typing import Any, Final

from atleastk.instances.generators.r_gather import random_formula
from atleastk.instances.r_gather import RGather
from atleastk.instances.reductions.formulas import ThreeSat
from atleastk.instances.reductions.r_gather import REDUCTIONS as OF_FORMULAS
from atleastk.packages import nx
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.rising import DRAWN, Distances, small_metric
from atleastk.research.claims.trials import cases, partitions, promise, solved

Groups = Sequence[Collection[int]]


def _gather(rng: Random, **fields: Any) -> RGather:
    return RGather(**small_metric(rng), r=rng.randint(1, 4), **fields)


def _gather_most(rng: Random, **fields: Any) -> RGather:
    """Draw an instance whose centres may be anywhere, with outliers."""
    limits = {"max_outliers": rng.randint(0, 3), **fields}
    return _gather(rng, centres=rng.choice(["input", "any"]), **limits)


def _gather_few_of_most(rng: Random) -> RGather:
    return _gather_most(rng, max_clusters=rng.randint(1, 3))


def _distances(instance: RGather) -> Distances:
    distances: Distances = instance.space.matrix.tolist()
    return distances


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
    points_left = set(range(len(distances)))
    while True:
        left = {
            p
            for p in points_left
            if sum(distances[p][q] <= reach for q in points_left) >= r
        }
        if left == points_left or not again:
            points_left = left
            break
        points_left = left
    uncovered, centres = set(points_left), []
    for _ in range(k):
        if uncovered:
            centre = max(
                sorted(uncovered),
                key=lambda c: sum(distances[c][q] <= reach for q in uncovered),
            )
            centres.append(centre)
            uncovered -= {q for q in uncovered if distances[centre][q] <= 2 * reach}
    clusters: dict[int, list[int]] = {centre: [] for centre in centres}
    for p in points_left - uncovered:
        clusters[min(centres, key=lambda c: distances[c][p])].append(p)
    return points_left, clusters


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
    points_left, clusters = _greedy(distances, r, k, reach, again)
    if not points_left.issuperset(p for group in best for p in group):
        return f"{instance.to_dict()}: Lemma 2.6, {best} is not in {points_left}"
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


TRIALS: Final[Mapping[str, Trial]] = {
    "section 2.1": cases("formulas of 2 to 6 variables", _formula, _of_formula),
    "Lemma 2.2": Trial(DRAWN, _fails_at_best),
    "section 2.2, lower bound": Trial(DRAWN, _wide),
    "section 2.2, smallest R": Trial(DRAWN, _above_best),
    "section 2.2, greater R": promise(DRAWN, _gather, "r-gather"),
    "Theorem 2.3": promise(DRAWN, _gather, "r-gather"),
    "Theorem 2.4": promise(DRAWN, _gather_most, "r-eps-gather"),
    "section 2.3, input centres": promise(
        DRAWN,
        lambda rng: _gather(rng, max_outliers=rng.randint(0, 3)),
        "r-eps-gather-input",
    ),
    "section 2.4, (k, r)-center": promise(
        DRAWN,
        lambda rng: _gather(rng, max_clusters=rng.randint(1, 3)),
        "k-r-center",
    ),
    "Lemma 2.5": Trial(DRAWN, partial(_ill_filtered, again=True)),
    "Lemma 2.6": Trial(DRAWN, _filtered_either_way),
    "Lemma 2.7": Trial(DRAWN, _filtered_either_way),
    "Theorem 2.8": promise(DRAWN, _gather_few_of_most, "k-r-eps-center"),
}
