"""Annealing of connected groups by trees that are cut."""

import random

import numpy as np
import pytest

from atleastk.instances.generators.pair_partition import network
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.admissible.pair_partition import is_admissible
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.solvers.brute_force.pair_partition import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.pair_partition.halving import in_halves
from atleastk.solvers.pair_partition.local_search import Units
from atleastk.solvers.pair_partition.recombine import neighbours_of, recombine


def random_tree(seed, n, parts, signed=False):
    rng = random.Random(seed)
    costs = [
        (rng.randrange(i), i, rng.randint(-9 if signed else 1, 9)) for i in range(1, n)
    ]
    return PairPartition(
        items=n, costs=costs, k=2, groups=(parts, parts), connected=True
    )


def annealed(instance, rounds, seed=0):
    units, labels = Units(instance), np.zeros(instance.n, dtype=np.int64)
    for group, items in enumerate(in_halves(instance, Budget())):
        labels[items] = group
    with Budget().flagging() as flag:
        recombine(
            units.plain,
            labels,
            units.mean,
            0.02,
            rounds,
            np.random.default_rng(seed),
            flag,
        )
    return PackedGroups.labelled(labels).lists()


@pytest.mark.parametrize("seed", range(12))
def test_it_finds_the_optima_of_small_graphs(seed):
    signed = seed % 2 == 1
    tree = random_tree(seed, 9, 3, signed)
    more = network(seed, n=9, density=40, high=20, parts=3, k=2)
    for instance in (tree, more):
        best = optimum(instance)
        if best is None:
            continue
        groups = annealed(instance, 20_000)
        assert all(is_admissible(instance, group) for group in groups)
        assert len(groups) == instance.groups[0]
        assert sum(map(instance.cost_of, groups)) == best[0]


def test_groups_keep_their_number_and_their_sizes():
    instance = network(1, n=40, density=10, high=20, parts=6, k=4)
    for rounds in (0, 1, 10, 1000):
        groups = annealed(instance, rounds)
        assert len(groups) == 6
        assert all(is_admissible(instance, group) for group in groups)


def test_nothing_but_sizes_may_be_asked_of_sparse_graphs():
    plain = {"items": 4, "costs": [(0, 1, 1), (1, 2, 1), (2, 3, 1)], "k": 1}
    assert Units(PairPartition(**plain)).plain is None
    assert Units(PairPartition(**plain, connected=True)).plain is not None
    asked = {"apart": [[0, 1]]}, {"require": [{"of": [1, 0, 1, 0], "at_least": 1}]}
    dense = network(1, n=20, density=90, high=20, parts=3, k=2)
    assert Units(dense).plain is None
    for more in asked:
        assert Units(PairPartition(**plain, **more, connected=True)).plain is None


def test_neighbours_stand_first():
    adjacent = np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]], dtype=np.bool_)
    assert neighbours_of(adjacent).tolist() == [[1, 2], [0, -1], [0, -1]]
    alone = np.zeros((2, 2), dtype=np.bool_)
    assert neighbours_of(alone).tolist() == [[-1], [-1]]  # a place to look at
