import random
from dataclasses import replace

import numpy as np
import pytest
from maps import instance_of, random_component, require_partition

from atleastk import Status, solve
from atleastk.instances.generators.connected_partition import delaunay
from atleastk.models.windows import Window, window
from atleastk.solvers.brute_force.connected_partition import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition import auto
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.regions import repaired
from atleastk.solvers.connected_partition.trees import divided


def outside(component, wanted, labels):
    weights = np.bincount(labels, component.weights, wanted.parts)
    return sum(not wanted.holds(int(weight)) for weight in weights)


def groups_of(labels):
    return [np.flatnonzero(labels == part).tolist() for part in range(max(labels) + 1)]


@pytest.mark.parametrize("seed", range(20))
def test_one_region_of_a_small_map_is_the_whole_map(seed):
    rng = random.Random(seed)
    component = random_component(rng, 9, (1, 2, 3, 5, 9))
    k = rng.randint(1, component.total)
    for parts in range(1, component.total // k + 1):
        level = rng.randint(k, component.total)
        wanted = window(component.total, k, parts, level)
        if wanted is None or parts > component.n:
            continue
        instance = instance_of(component, k)
        draw = np.random.default_rng(seed)
        start = divided(component, parts, draw)
        found, left = repaired(component, wanted, start, 1, draw, Budget())
        assert left == outside(component, wanted, found)
        if left:
            assert (found == start).all()
            assert not within(instance, wanted)
        else:
            require_partition(component, wanted, groups_of(found))
            assert optimum(instance)[0] <= wanted.most


def within(instance, wanted):
    """Return whether so many parts can be within a window, by all labels."""
    n, adjacent = instance.n, {frozenset(edge) for edge in instance.edges}

    def grown(label, left):
        if label == wanted.parts:
            return not left
        if not left:
            return False
        first, *others = sorted(left)
        for bits in range(1 << len(others)):
            part = {first} | {v for i, v in enumerate(others) if bits >> i & 1}
            weight = sum(instance.weights[v] for v in part)
            if wanted.holds(weight) and joined(part) and grown(label + 1, left - part):
                return True
        return False

    def joined(part):
        met, queue = {min(part)}, [min(part)]
        for v in queue:
            new = {u for u in part - met if frozenset((u, v)) in adjacent}
            met |= new
            queue += sorted(new)
        return met == part

    return grown(0, frozenset(range(n)))


@pytest.mark.parametrize("seed", range(3))
def test_regions_are_repaired_and_the_rest_stays_connected(seed):
    (component,) = components_of(delaunay(seed, n=160, w=99, parts=40))
    least = int(0.9 * component.total / 40)
    wanted = Window(40, least, int(1.1 * component.total / 40))
    draw = np.random.default_rng(seed)
    start = divided(component, wanted.parts, draw)
    found, left = repaired(component, wanted, start, 3, draw, Budget())
    assert left == outside(component, wanted, found)
    assert left <= outside(component, wanted, start)
    anywhere = Window(wanted.parts, 0, component.total)
    require_partition(component, anywhere, groups_of(found))


def test_maps_are_solved_with_regions(monkeypatch):
    monkeypatch.setattr(auto, "_REGIONS", 8)
    for seed in range(6):
        made = delaunay(seed, n=10 + seed % 3 * 10, w=9, parts=4 + seed % 3 * 3)
        instance = replace(made, k=int(0.9 * made.k))
        result = solve(instance, workers=1)
        assert result.status is Status.OPTIMAL
        monkeypatch.setattr(auto, "_REGIONS", 10**6)
        assert solve(instance, workers=1).cost == result.cost
        monkeypatch.setattr(auto, "_REGIONS", 8)
