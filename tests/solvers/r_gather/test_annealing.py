import random
from itertools import combinations

import numpy as np

from atleastk.instances.r_gather import RGather
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import neighbourhoods
from atleastk.solvers.r_gather.annealing import Limits, annealed
from atleastk.solvers.r_gather.flow import fill


def random_instance(rng, n):
    points = [[rng.randint(0, 12), rng.randint(0, 12)] for _ in range(n)]
    return RGather(
        points=points,
        metric="manhattan",
        r=rng.randint(1, 5),
        max_clusters=rng.choice([None, 1, 2, 3]),
        max_outliers=rng.choice([0, 0, 1, 2]),
        centres=rng.choice(["input", "member"]),
    )


def lacking(instance, balls, centres, opened):
    chosen = balls.chosen(opened)
    own = centres[opened] if instance.centres == "member" else None
    home = fill(chosen, instance.n, instance.r, own).home
    uncovered = instance.n - len(np.unique(chosen.points))
    unfilled = len(opened) * instance.r - int((home >= 0).sum())
    return max(0, uncovered - instance.max_outliers) + unfilled


def annealed_at(instance, radius, opened, heat, rounds, seed):
    near = neighbourhoods(instance.space, radius)
    centres, balls = near.candidates(radius, instance.r)
    limits = Limits.of(instance)
    begin = np.arange(min(opened, len(centres), instance.most_clusters))
    rng = np.random.default_rng(seed)
    missing, found = annealed(
        balls, centres, begin, instance.n, limits, heat, rounds, rng, Budget.of()
    )
    return balls, centres, missing, found


def test_what_is_missing():
    rng = random.Random(0)
    served = left = 0
    for seed in range(150):
        instance = random_instance(rng, rng.randint(5, 25))
        if instance.n < instance.r:
            continue
        heat, rounds = rng.choice([0.1, 1.0, 5.0]), rng.choice([0, 1, 5, 300])
        radius = rng.randint(1, 9)
        balls, centres, missing, found = annealed_at(
            instance, radius, rng.randint(0, 4), heat, rounds, seed
        )
        assert len(found) <= instance.most_clusters
        assert len(np.unique(found)) == len(found)
        assert missing == lacking(instance, balls, centres, found)
        served += missing == 0
        left += missing > 0
    assert served > 20
    assert left > 20


def test_what_is_missing_of_many_clusters():
    """Searches in vain count as long as no cluster closes that they reached."""
    rng = random.Random(2)
    left = 0
    for seed in range(150):
        side = rng.choice([12, 20])
        points = [[rng.randint(0, side), rng.randint(0, side)] for _ in range(80)]
        outliers, centres = rng.choice([0, 5]), rng.choice(["input", "member"])
        limits = {"max_outliers": outliers, "centres": centres}
        instance = RGather(points=points, metric="manhattan", r=4, **limits)
        radius, rounds = rng.randint(2, 4), rng.choice([30, 100, 1000])
        balls, at, missing, found = annealed_at(instance, radius, 0, 0.5, rounds, seed)
        assert missing == lacking(instance, balls, at, found)
        left += missing > 0
    assert left > 20


def test_small_cases_are_solved():
    rng = random.Random(1)
    possible = 0
    for seed in range(60):
        instance = random_instance(rng, rng.randint(5, 10))
        if instance.n < instance.r:
            continue
        balls, centres, missing, _ = annealed_at(instance, 6, 0, 1.0, 3000, seed)
        sets = (
            np.array(some, dtype=np.int64)
            for k in range(instance.most_clusters + 1)
            for some in combinations(range(len(centres)), k)
        )
        least = min(lacking(instance, balls, centres, some) for some in sets)
        assert missing == least
        possible += least == 0
    assert possible > 20


def test_the_same_seed_gives_the_same_centres():
    instance = random_instance(random.Random(3), 25)
    first, again = (annealed_at(instance, 4, 0, 1.0, 500, 7)[2:] for _ in range(2))
    assert first[0] == again[0]
    assert first[1].tolist() == again[1].tolist()
