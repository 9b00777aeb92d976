"""Parts that grow one beside the other."""

import random

import numpy as np
import pytest

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.connected_partition import check, components
from atleastk.models.solution import Solution
from atleastk.solvers.connected_partition.algorithms.spanning_trees import adjacency
from atleastk.solvers.connected_partition.growth import grown


def random_map(rng, n):
    edges = {(rng.randrange(v), v) for v in range(1, n) if rng.random() < 0.97}
    edges |= {tuple(sorted(rng.sample(range(n), 2))) for _ in range(n // 2)}
    weights = [rng.choice([0, 1, 5, 9]) for _ in range(n)]
    return ConnectedPartition(weights, sorted(edges), rng.randint(1, 25))


@pytest.mark.parametrize("seed", range(40))
def test_only_light_components_are_light(seed):
    """Connected parts of at least k, but for components that weigh less."""
    rng = random.Random(seed)
    instance = random_map(rng, rng.randint(2, 60))
    weights = np.array(instance.weights, dtype=np.int64)
    labels = grown(*adjacency(instance.neighbours), weights, instance.k)
    verdict = check(instance, Solution.labelled(labels))
    light = [
        part
        for part in components(instance)
        if sum(instance.weights[node] for node in part) < instance.k
    ]
    assert len(verdict.violations) == len(light)
    assert all("below k" in violation for violation in verdict.violations)
    for part in light:
        assert len({int(labels[node]) for node in part}) == 1


def test_a_path_is_cut_as_soon_as_it_weighs_enough():
    """Two, two and three of seven ones, k = 2."""
    instance = ConnectedPartition([1] * 7, [(i, i + 1) for i in range(6)], 2)
    labels = grown(*adjacency(instance.neighbours), np.ones(7, dtype=np.int64), 2)
    assert Solution.labelled(labels).groups == ((0, 1), (2, 3), (4, 5, 6))
