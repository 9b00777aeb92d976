"""Most parts against the enumeration of all partitions."""

from itertools import combinations
from random import Random

import pytest

from atleastk import ConnectedPartition
from atleastk.models.connected_partition import check, most_by_counting
from atleastk.models.results.solution import Solution
from atleastk.solvers.brute_force.bin_covering import partitions
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.most_parts import (
    more_parts,
    most_parts,
    split,
)


def random_map(rng):
    n = rng.randint(2, 7)
    edges = [[rng.randrange(v), v] for v in range(1, n)]
    pairs = [list(pair) for pair in combinations(range(n), 2)]
    edges += rng.sample(pairs, min(len(pairs), 3))
    weights = [rng.choice([0, 1, 2, 3, 9]) for _ in range(n)]
    return ConnectedPartition(weights, edges, rng.randint(1, max(1, sum(weights) // 2)))


def most(instance, level):
    found = ((p, check(instance, Solution.of(p))) for p in partitions(instance.n))
    return max(len(p) for p, v in found if v.feasible and v.cost <= level)


@pytest.mark.parametrize("seed", range(25))
def test_most_parts_and_more_parts(seed):
    instance = random_map(Random(seed))
    if instance.total < instance.k:
        return
    whole, budget = [list(range(instance.n))], Budget.of(60)
    offers = []
    most_parts(instance, whole, budget, offers.append)
    found = offers[-1]
    assert all(check(instance, Solution.of(o.groups)).feasible for o in offers)
    bounds = [offer.bound for offer in offers]
    assert bounds == sorted(bounds, reverse=True)
    verdict = check(instance, Solution.of(found.groups))
    assert verdict.feasible
    assert len(found.groups) == found.bound == most(instance, instance.total)
    assert found.bound <= most_by_counting(instance)
    for level in (verdict.cost, instance.total):
        finer = [whole] if level == instance.total else [found.groups]
        more_parts(instance, finer[0], level, budget, finer.append)
        checked = check(instance, Solution.of(finer[-1]))
        assert checked.feasible
        assert checked.cost <= level
        assert len(finer[-1]) == len(found.groups)
    verdict = check(instance, Solution.of(split(instance, whole)))
    assert verdict.feasible


def test_islands_add_up():
    instance = ConnectedPartition([9, 1, 1, 1], [[0, 1], [2, 3]], 1)
    offers = []
    most_parts(instance, [[0, 1], [2, 3]], Budget.of(60), offers.append)
    found = offers[-1]
    assert sorted(found.groups) == [[0], [1], [2], [3]]
    assert found.bound == most_by_counting(instance) == 4
