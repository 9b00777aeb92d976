import random

import pytest

from atleastk import ConnectedPartition, Solution
from atleastk.models.connected_partition import check, components
from atleastk.solvers.connected_partition.first import first_answers
from atleastk.solvers.connected_partition.region_growing import grown, grown_fast


def random_map(rng, n):
    edges = {(rng.randrange(v), v) for v in range(1, n) if rng.random() < 0.97}
    edges |= {tuple(sorted(rng.sample(range(n), 2))) for _ in range(n // 2)}
    weights = [rng.choice([0, 1, 5, 9]) for _ in range(n)]
    return ConnectedPartition(weights, sorted(edges), rng.randint(1, 25))


def grown_parts(instance):
    given = *instance.adjacency, instance.amounts, instance.k, 0
    home = grown(*given)
    assert (home == grown_fast(*given)).all()
    return Solution.labelled(home).groups


@pytest.mark.parametrize("seed", range(40))
def test_only_light_components_are_light(seed):
    rng = random.Random(seed)
    instance = random_map(rng, rng.randint(2, 60))
    parts = grown_parts(instance)
    verdict = check(instance, Solution.of(parts))
    light = [
        part
        for part in components(instance)
        if sum(instance.weights[node] for node in part) < instance.k
    ]
    assert len(verdict.violations) == len(light)
    assert all("below k" in violation for violation in verdict.violations)
    assert all(tuple(sorted(part)) in parts for part in light)


def test_a_path_is_cut_as_soon_as_it_weighs_enough():
    instance = ConnectedPartition([1] * 7, [(i, i + 1) for i in range(6)], 2)
    parts = grown_parts(instance)
    assert Solution.of(parts).groups == ((0, 1), (2, 3), (4, 5, 6))


@pytest.mark.parametrize("k", [4, 2**63, 10**30])
def test_no_part_weighs_more_than_all_nodes(k):
    assert not [*first_answers(ConnectedPartition([1, 2], [(0, 1)], k))]
