import random

import numpy as np
import pytest
from maps import instance_of, random_component, require_partition

from atleastk import ConnectedPartition, Status
from atleastk.instances.generators.connected_partition import cubic, delaunay
from atleastk.models.windows import Window
from atleastk.solvers.brute_force.connected_partition import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.connected_sets import connected_sets
from atleastk.solvers.connected_partition.support import supported
from atleastk.solvers.connected_partition.sweep import sweep
from atleastk.solvers.engine.part_counts import PartCounts


def decide(component, window, budget=None):
    sets = connected_sets(
        component, window.least, window.most, Budget(), 10**6, parts=window.parts
    )
    left = supported(component, sets, np.zeros(1, dtype=np.uint8))
    return sweep(component, window, left, budget or Budget())


def walked(component, k):
    counts = PartCounts(component.total, k, component.heaviest)
    while (level := counts.bound) is not None:
        window = next(counts.open_windows(level))
        decision = decide(component, window)
        if decision.status is Status.FEASIBLE:
            require_partition(component, window, decision.found)
            return window.most
        assert decision.status is Status.INFEASIBLE
        counts.refute(window.parts, window.most)
    return None


@pytest.mark.parametrize("seed", range(30))
def test_the_walk_ends_at_the_optimum(seed):
    rng = random.Random(1000 + seed)
    component = random_component(rng, 9)
    k = rng.randint(1, max(1, component.total // rng.randint(1, 5)))
    best = optimum(instance_of(component, k))
    assert walked(component, k) == (best and best[0])


def test_maps_are_decided():
    instance = delaunay(1, 60, parts=15)
    assert (instance.k, walked(components_of(instance)[0], instance.k)) == (40, 41)
    instance = delaunay(1, 120, parts=40)
    assert (instance.k, walked(components_of(instance)[0], instance.k)) == (30, 33)


def test_many_nodes_and_few_weights():
    component = components_of(cubic(2, 300))[0]
    decision = decide(component, Window(100, 3, 3))
    require_partition(component, Window(100, 3, 3), decision.found)


def test_too_little_memory_or_time_is_no_answer():
    component = components_of(delaunay(1, 80, parts=27))[0]
    window = Window(27, 30, 34)
    little = Budget(memory=10_000.0)
    assert decide(component, window, little).status is Status.UNKNOWN
    sets = connected_sets(component, 30, 34, Budget(), 10**6)
    assert sweep(component, window, sets, Budget.of(0.0)).status is Status.UNKNOWN


def test_same_seed_same_partition():
    component = components_of(delaunay(3, 40, parts=13))[0]
    window = Window(12, 35, 45)
    assert decide(component, window) == decide(component, window)


def test_weights_may_be_large():
    big = 2**60
    path = components_of(ConnectedPartition([big] * 4, [(0, 1), (1, 2), (2, 3)], 1))
    window = Window(2, 2 * big, 2 * big)
    assert sorted(decide(path[0], window).found) == [[0, 1], [2, 3]]
