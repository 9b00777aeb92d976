"""[Aggarwal10] section 3, cellular clustering: Theorems 3.2, 3.5 and 3.8."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from random import Random
from typing import Final

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.generators.cellular_clustering import random_sets
from atleastk.instances.reductions.cellular_clustering import REDUCTIONS as OF_SETS
from atleastk.instances.reductions.cellular_clustering import SetCover
from atleastk.models.clustering import ClusteringSolution
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.rising import (
    DRAWN,
    Distances,
    Shared,
    assigned,
    disjoint,
    risen,
    shared,
    small_metric,
)
from atleastk.research.claims.trials import cases, least_cost, promise, solved

_PRICED: Final = f"{DRAWN}, with facility costs"
_TREES: Final = "trees of up to 8 nodes of weight below r"


def _cells(rng: Random, r: int = 1) -> CellularClustering:
    metric = small_metric(rng)
    (points,) = (metric[name] for name in ("points", "distances") if name in metric)
    fees = [rng.choice([0, 1, 3, 9]) for _ in points]
    return CellularClustering(**metric, r=r, facility_costs=fees)


def _cells_with_fees(rng: Random) -> CellularClustering:
    return _cells(rng, rng.randint(2, 3))


def _cells_of_most(rng: Random) -> CellularClustering:
    return CellularClustering(
        **small_metric(rng), r=rng.randint(1, 3), max_outliers=rng.randint(0, 3)
    )


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


def _augmented(instance: CellularClustering) -> str | None:
    """Section 3.1, step 1: price an optimum with r d_c more for every cluster."""
    cost, solution = solved(instance)
    if cost is None or solution is None:
        return None
    assert isinstance(solution, ClusteringSolution)
    more = sum(
        instance.r * int(instance.space.row(centre)[list(group)].max())
        for centre, group in zip(solution.centres, solution.groups, strict=True)
    )
    return f"{more} more than {cost}" if more > cost else None


def _priced(instance: CellularClustering) -> tuple[Distances, Sequence[int]]:
    """Return the distances and the facility costs of an instance."""
    return instance.space.matrix.tolist(), instance.facility_costs or ()


def _ill_risen(instance: CellularClustering) -> str | None:
    """Properties (1) to (3) and the dual: alphas, tight edges, what is paid."""
    distances, fees = _priced(instance)
    alphas, clusters = risen(distances, fees)
    for c in clusters:
        most = max(alphas[p] for p in c.tight)
        if any(alphas[p] < most for p in c.connected):
            return f"(3) fails for {c}"
    for v, d in product(range(instance.n), range(max(map(max, distances)) + 1)):
        ball = [p for p in range(instance.n) if distances[v][p] <= d]
        paid = sum((max(alphas[p] - d, Fraction(0)) for p in ball), Fraction(0))
        if paid > fees[v]:
            return f"({v}, {d}) is paid too much"
    return None


def _too_far(instance: CellularClustering) -> str | None:
    """Lemma 3.3: look for a point above 3 d_c from the centre of its cluster."""
    distances, fees = _priced(instance)
    for c, points in assigned(risen(distances, fees)[1]):
        if any(distances[c.centre][p] > 3 * c.radius for p in points):
            return f"{c} has {sorted(points)}"
    return None


def _too_dear(instance: CellularClustering) -> str | None:
    """Lemma 3.4: look for a cluster that its points do not pay for thrice."""
    distances, fees = _priced(instance)
    alphas, clusters = risen(distances, fees)
    for c, points in assigned(clusters):
        radius = max(distances[c.centre][p] for p in points)
        if len(points) * radius + 3 * c.fee > 3 * sum(alphas[p] for p in points):
            return f"{c} has {sorted(points)}"
    return None


def _shared(rng: Random) -> tuple[CellularClustering, Distances, list[Shared]]:
    """Draw an instance, r = 2 or 3, and the shared clusters of section 3.1."""
    r = rng.choice([2, 3])
    instance = _cells(rng, r)
    distances, fees = _priced(instance)
    clusters = assigned(risen(distances, fees, r)[1])
    return instance, distances, shared(distances, r, clusters)


def _shared_too_dear(rng: Random) -> str | None:
    """Section 3.1, step 2: compare shared clusters with 6 OPT."""
    instance, _, clusters = _shared(rng)
    fees = instance.facility_costs or ()
    cost = sum(len(c.points) * c.radius + fees[c.centre] for c in clusters)
    optimum = least_cost(instance)
    few = any(len(c.points) < instance.r for c in clusters)
    wrong = few or cost > 6 * optimum
    return f"{instance.to_dict()}: {cost}, the optimum {optimum}" if wrong else None


def _least(costs: Mapping[int, int], points: int, *, sharing: bool) -> int:
    """Return the least cost of clusters, given by bits, that hold all points."""
    full = (1 << points) - 1
    least = {0: 0}
    for held in range(full):  # more points have a greater number
        if held in least:
            first = ~held & (held + 1)
            for cluster, cost in costs.items():
                if cluster & first and (sharing or not cluster & held):
                    with_it = held | cluster
                    cost += least[held]
                    least[with_it] = min(cost, least.get(with_it, cost))
    return least[full]


def least_costs(
    distances: Distances,
    fees: Sequence[int],
    r: int,
    charge: Callable[[list[int]], int],
) -> tuple[int, int]:
    """Return the least costs of clusters of r points or more: disjoint, and shared."""
    n = len(distances)
    bits = {
        sum(1 << p for p in s): s
        for s in chain.from_iterable(
            combinations(range(n), size) for size in range(r, n + 1)
        )
    }
    costs = {
        cluster: min(
            charge([row[p] for p in points]) + fee
            for row, fee in zip(distances, fees, strict=True)
        )
        for cluster, points in bits.items()
    }
    return _least(costs, n, sharing=False), _least(costs, n, sharing=True)


def _dearer_alone(rng: Random) -> str | None:
    """Section 3.1: compare disjoint clusters with shared ones."""
    r = rng.choice([2, 3])
    instance = _cells(rng, r)
    distances, fees = _priced(instance)
    if instance.n > 7:
        return None
    fees = rng.choice([fees, [0] * instance.n])
    alone, sharing = least_costs(distances, fees, r, lambda far: len(far) * max(far))
    wrong = alone > (10 if any(fees) else 6) * sharing
    return f"{instance.to_dict()}: {alone}, {sharing} shared" if wrong else None


def _facilities(rng: Random) -> str | None:
    """Section 3.1: two piles of r - 1 points, and one point between them."""
    r = rng.randint(2, 4)
    places = [0] * (r - 1) + [1] + [2] * (r - 1)
    distances = [[abs(a - b) for b in places] for a in places]
    alone, sharing = least_costs(distances, [0] * len(places), r, sum)
    right = (alone, sharing) == (2 * (r - 1), 2)
    return None if right else f"r = {r}: {alone}, {sharing} shared"


def _too_far_below(rng: Random) -> str | None:
    """Lemma 3.7: look for a point above 3 d_c' from the centre of the open cluster."""
    instance, distances, clusters = _shared(rng)
    heads: list[Shared] = []
    for root, group, below in disjoint(rng, instance.r, clusters):
        radius = max(distances[root.centre][p] for p in group)
        most = max(head.radius for head in below)
        heads += below
        right_size = instance.r <= len(group) < 2 * instance.r
        if radius > 3 * most or not right_size:
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


TRIALS: Final[Mapping[str, Trial]] = {
    "Theorem 3.2": cases("up to 5 elements, 8 in all with the sets", _sets, _of_sets),
    "section 3, properties": cases(_PRICED, _cells, _ill_risen),
    "Lemma 3.3": cases(_PRICED, _cells, _too_far),
    "Lemma 3.4": cases(_PRICED, _cells, _too_dear),
    "Theorem 3.5": promise(DRAWN, _cells, "cellular"),
    "section 3.1, step 1": cases(DRAWN, _cells_with_fees, _augmented),
    "section 3.1, step 2": Trial(f"{_PRICED}, r = 2, 3", _shared_too_dear),
    "section 3.1, sharing": Trial(
        f"{_PRICED} or none, 7 of them at most, r = 2, 3", _dearer_alone
    ),
    "section 3.1, sharing facilities": Trial("r from 2 to 4", _facilities),
    "section 3.1, size of groups": Trial(_TREES, _ill_grouped),
    "Lemma 3.6, proof": Trial(_TREES, _ill_grouped),
    "Lemma 3.6": Trial(_TREES, _ill_grouped),
    "Lemma 3.7": Trial(f"{_PRICED}, r = 2, 3", _too_far_below),
    "Theorem 3.8": promise(
        DRAWN,
        lambda rng: CellularClustering(**small_metric(rng), r=rng.randint(2, 3)),
        *("r-cellular-printed", "r-cellular"),
    ),
    "Theorem 3.8, facility costs": promise(DRAWN, _cells_with_fees, "r-cellular"),
    "section 3.1, outliers": promise(DRAWN, _cells_of_most, "r-eps-cellular"),
}
