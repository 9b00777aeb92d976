import random
import threading

import numpy as np
import pytest
from maps import instance_of

from atleastk.instances.connected_partition import MOST_WEIGHT, ConnectedPartition
from atleastk.instances.generators.connected_partition import delaunay
from atleastk.models.connected_partition import check, counting_bound
from atleastk.models.results.solution import Solution
from atleastk.solvers.brute_force.connected_partition import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import Component, components_of
from atleastk.solvers.connected_partition.first import first_answers
from atleastk.solvers.connected_partition.local_search import improve
from atleastk.solvers.connected_partition.trees import amiss, divided
from atleastk.solvers.engine.part_counts import LeastLevels, PartCounts


def component_of(instance: ConnectedPartition) -> Component:
    (component,) = components_of(instance)
    return component


def some_instance(seed: int, n: int) -> ConnectedPartition:
    rng = random.Random(seed)
    weights = [rng.choice((0, 1, rng.randint(1, 20))) for _ in range(n)]
    weights[rng.randrange(n)] = rng.choice((3, 40))
    edges = [(rng.randrange(v), v) for v in range(1, n)]
    for _ in range(rng.randrange(n)):
        u, v = rng.sample(range(n), 2)
        edges.append((u, v))
    return ConnectedPartition(weights, edges, rng.randint(1, max(1, sum(weights) // 2)))


def levels_of(instance: ConnectedPartition) -> LeastLevels:
    floor = max(instance.weights)
    counts = PartCounts(instance.total, instance.k, floor, instance.n)
    return counts.least_levels()


def only(parts: int, level: int) -> LeastLevels:
    return LeastLevels(np.array([parts]), np.array([level]))


def weights_of_parts(component: Component, labels: np.ndarray) -> list[int]:
    solution = Solution.labelled(labels)
    violations = check(instance_of(component, 1), solution).violations
    assert not [violation for violation in violations if "not connected" in violation]
    return [sum(component.weights[list(part)].tolist()) for part in solution.groups]


def improved(instance: ConnectedPartition, rounds: int, seed: int = 0) -> list[int]:
    costs = []
    component = component_of(instance)

    def offer(labels: np.ndarray) -> None:
        verdict = check(instance, Solution.labelled(labels))
        assert not verdict.violations
        costs.append(verdict.cost)

    budget = Budget(seed=seed)
    improve(component, instance.k, budget, rounds, offer, levels_of(instance))
    assert costs == sorted(set(costs), reverse=True)
    return costs


@pytest.mark.parametrize("parts", [1, 2, 7, 29, 30])
def test_divides_into_so_many_connected_parts(parts):
    for seed in range(4):
        component = component_of(some_instance(seed, 30))
        labels = divided(component, parts, np.random.default_rng(seed))
        assert len(weights_of_parts(component, labels)) == parts


def test_finds_the_optima_of_brute_force():
    for seed in range(24):
        instance = some_instance(seed, 3 + seed % 6)
        if instance.total >= instance.k:
            cost, _ = optimum(instance)
            assert improved(instance, 30_000)[-1] == cost, seed


def test_meets_the_counting_bound():
    for n, parts in ((60, 6), (120, 15), (200, 25), (300, 10)):
        instance = delaunay(1, n=n, w=20, parts=parts)
        expected = counting_bound(instance.weights, instance.k)
        assert improved(instance, 2_000_000)[-1] == expected


def test_takes_very_large_weights():
    small = delaunay(2, n=30, w=20, parts=4)
    unit = MOST_WEIGHT // small.total
    instance = ConnectedPartition(
        [w * unit for w in small.weights], small.edges, small.k * unit
    )
    expected = [cost * unit for cost in improved(small, 100_000)[-1:]]
    assert improved(instance, 100_000)[-1:] <= expected
    heaviest = ConnectedPartition([MOST_WEIGHT // 2] * 2, [(0, 1)], 1)
    assert improved(heaviest, 1_000)[-1] == MOST_WEIGHT // 2


def test_repeats_itself():
    instance = delaunay(5, n=80, w=20, parts=22)
    assert improved(instance, 50_000, seed=3) == improved(instance, 50_000, seed=3)


def test_leaves_out_numbers_of_parts_that_are_closed():
    instance = delaunay(1, n=40, w=20, parts=6)
    found = []
    improve(
        component_of(instance),
        instance.k,
        Budget(),
        100_000,
        found.append,
        only(4, levels_of(instance).level(4)),
    )
    assert {len(set(labels.tolist())) for labels in found} == {1, 4}


def test_ends_when_the_budget_is_spent():
    instance = some_instance(1, 40)
    stop = threading.Event()
    stop.set()
    found = []
    budget, levels = Budget(stop=stop), levels_of(instance)
    improve(component_of(instance), instance.k, budget, 10**15, found.append, levels)
    assert len(found) >= 1


@pytest.mark.parametrize("seed", range(3))
def test_a_large_map_is_brought_down_below_parts_that_grow(seed):
    instance = delaunay(seed, n=600, w=20, parts=60)
    component, costs = components_of(instance)[0], []

    def offer(labels):
        costs.append(int(np.bincount(labels, weights=component.weights).max()))
        assert np.bincount(labels, weights=component.weights).min() >= instance.k

    improve(component, instance.k, Budget(), 1, offer, levels_of(instance))
    (_, grown), *_ = first_answers(instance)
    assert min(costs) <= check(instance, grown).cost
    assert min(costs) < 1.3 * instance.k


def test_what_is_amiss_with_the_greatest_weights_fits_into_64_bits():
    ends = np.array([1, MOST_WEIGHT])
    assert amiss(np.int64(MOST_WEIGHT), 3, ends) == 0
    assert amiss(np.int64(MOST_WEIGHT), 1, ends // 2) == MOST_WEIGHT // 2
    assert amiss(np.int64(100), 3, (1, 30)) == 10


@pytest.mark.parametrize("parts", [20, 29])
def test_only_open_numbers_of_parts_are_offered(parts):
    """Parts of a tree may be more or fewer than were asked for."""
    component = component_of(delaunay(2, n=400, parts=30))
    k, start = component.total // 40, np.zeros(component.n, dtype=np.int64)
    levels, offers = only(parts, max(k, -(-component.total // parts))), []
    improve(component, k, Budget.of(), 30_000, offers.append, levels, start)
    none = PartCounts(component.total, k, component.total + 1).least_levels()
    improve(component, k, Budget.of(), 30_000, offers.append, none, start)
    assert offers
    assert {len(np.unique(labels)) for labels in offers} == {parts}
