import random
from itertools import combinations

import numpy as np
from drawing import symmetric

from atleastk import CellularClustering, RGather, Solution
from atleastk.models.admissible.decided import Decided
from atleastk.models.cellular_clustering import check
from atleastk.models.certificates.cellular_clustering import question_of
from atleastk.models.certificates.r_gather import question_of as question_of_radius


def random_distances(rng, n):
    return symmetric(n, lambda: None if rng.random() < 0.1 else rng.randrange(8))


def random_decisions(rng, n):
    decided = Decided.nothing(n)
    for _ in range(rng.randint(0, 4)):
        a, b = rng.randrange(n), rng.randrange(n)
        sides = decided.by_pair(a, b) if a != b else decided.by_point(a)
        decided = sides[rng.randrange(2)]
    return decided


def keeps(points, decided):
    inside = set(points)
    n = len(decided.inside)
    return not decided.outside[list(points)].any() and all(
        not (decided.apart[a, b] and b in inside)
        and not (decided.together[a, b] and b not in inside)
        for a in points
        for b in range(n)
    )


def cost_of(rows, options, points):
    n = len(rows)
    others = [p for p in range(n) if p not in points]
    alone = CellularClustering(distances=rows, max_outliers=len(others), **options)
    verdict = check(alone, Solution.of([points]))
    return verdict.cost if verdict.feasible else None


def test_the_most_valuable_cluster_is_found_under_decisions():
    rng, found_some = random.Random(1), 0
    for _ in range(150):
        n = rng.randint(1, 6)
        rows, centres = random_distances(rng, n), rng.choice(["input", "member", "any"])
        r, decided = rng.randint(1, min(n, 3)), random_decisions(rng, n)
        paid = None if centres == "any" else [rng.randrange(6) for _ in range(n)]
        options = {"r": r, "centres": centres, "facility_costs": paid}
        instance = CellularClustering(distances=rows, **options)
        weights = np.array([rng.randint(-3, 12) for _ in range(n)])
        kept = question_of(instance, 1).sites.restricted(decided)
        costs = {
            points: cost_of(rows, options, points)
            for size in range(r, n + 1)
            for points in combinations(range(n), size)
            if keeps(points, decided)
        }
        values = {
            points: int(weights[list(points)].sum()) - 2 * cost
            for points, cost in costs.items()
            if cost is not None
        }
        limit = rng.randint(-20, 5)
        found = list(kept.above(weights, 2, limit))
        assert bool(found) == (max(values.values(), default=limit) > limit)
        for points, cost in found:
            assert values[points] > limit
            assert cost >= costs[points]
        radius = rng.randrange(8)
        balls = RGather(distances=rows, r=r, centres=centres)
        kept = question_of_radius(balls, radius).sites.restricted(decided)
        best = max(
            (
                int(weights[list(points)].sum())
                for points in costs
                if reached(rows, centres, points) <= radius
            ),
            default=limit,
        )
        heavy = list(kept.above(weights, 0, limit))
        assert bool(heavy) == (best > limit)
        if heavy:
            found_some += 1
            assert max(int(weights[list(c.points)].sum()) for c in heavy) == best
    assert found_some > 30


def reached(rows, centres, points):
    far = [[100 if d is None else d for d in row] for row in rows]
    if centres == "any":
        return max(far[a][b] for a in points for b in points)
    about = points if centres == "member" else range(len(rows))
    return min(max(far[c][p] for p in points) for c in about)


def test_what_follows_is_decided_too():
    decided, _ = Decided.nothing(5).by_pair(0, 1)
    _, decided = decided.by_pair(1, 2)
    decided, _ = decided.by_pair(3, 0)
    assert decided.together[3, 1]
    assert decided.apart[2, 3]
    assert decided.inside.tolist() == [True, True, False, True, False]


def test_what_is_left_to_clusters():
    weights = np.array([5, 4, 3, -2])
    nothing = Decided.nothing(4)
    assert nothing.surplus(weights, 2) == 1
    outlier, inside = nothing.by_point(0)
    assert outlier.surplus(weights, 2) == 1
    assert inside.surplus(weights, 1) == 6
    assert outlier.by_pair(1, 2)[0].surplus(weights, 2) == 5
