import random

import numpy as np

from atleastk import ConnectedPartition, Solution, Status
from atleastk.instances.generators.connected_partition import delaunay
from atleastk.models.certificates.connected_partition import open_windows
from atleastk.models.connected_partition import check
from atleastk.solvers.brute_force.connected_partition import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.connected_sets import connected_sets
from atleastk.solvers.connected_partition.cover import decide_by_cover
from atleastk.solvers.connected_partition.cover_lp import CoverLp


def listed(component, window):
    sets = connected_sets(
        component, window.least, window.most, Budget.of(), 10**5, parts=window.parts
    )
    assert sets is not None
    return sets


def decided(instance, component, window, seed=0):
    budget = Budget.of(seed=seed)
    decision = decide_by_cover(component, window, listed(component, window), budget)
    if decision.found is not None:
        assert decision.status is Status.FEASIBLE
        assert len(decision.found) == window.parts
        verdict = check(instance, Solution(component.parts_of_groups(decision.found)))
        assert not verdict.violations
        assert verdict.cost <= window.most
    return decision.status


def random_map(rng):
    n = rng.randint(1, 8)
    edges = [(i, rng.randrange(i)) for i in range(1, n)]
    edges += [(i, j) for i in range(n) for j in range(i) if rng.random() < 0.15]
    weights = [rng.choice([0, 1, 2, 3, 9]) for _ in range(n)]
    return ConnectedPartition(weights, edges, rng.randint(1, max(1, sum(weights))))


def test_levels_of_small_maps():
    rng = random.Random(2)
    seen = {Status.FEASIBLE: 0, Status.INFEASIBLE: 0}
    for _ in range(120):
        instance = random_map(rng)
        best = optimum(instance)
        if best is None:
            continue
        (component,) = components_of(instance)
        for level in (best[0] - 1, best[0]):
            found = [
                decided(instance, component, window)
                for window in open_windows(instance.weights, instance.k, level)
            ]
            assert set(found) <= set(seen)
            assert (Status.FEASIBLE in found) == (level == best[0])
            for status in found:
                seen[status] += 1
    assert min(seen.values()) > 20


def test_a_map_with_five_nodes_a_part():
    instance = delaunay(0, n=40, parts=8)
    (component,) = components_of(instance)
    window = open_windows(instance.weights, instance.k, 51)[0]
    assert decided(instance, component, window) is Status.FEASIBLE


def test_a_spent_budget_decides_nothing():
    instance = delaunay(0, n=40, parts=8)
    (component,) = components_of(instance)
    window = open_windows(instance.weights, instance.k, 51)[0]
    sets = listed(component, window)
    decision = decide_by_cover(component, window, sets, Budget.of(0))
    assert decision.status is Status.UNKNOWN


def test_weights_refute_in_integers():
    instance = delaunay(0, n=60, parts=20)
    (component,) = components_of(instance)
    for window in open_windows(instance.weights, instance.k, 29):
        sets = listed(component, window)
        program = CoverLp(component.n, sets, window.parts)
        for _ in range(2):
            relaxed = program.solve(Budget.of())
            assert relaxed is not None
            assert relaxed.refuted is not None
            values = relaxed.refuted.values.tolist()
            sums = [sum(values[v] for v in sets.nodes(i)) for i in range(len(sets))]
            assert max(sums) <= relaxed.refuted.most
            assert sum(values) > window.parts * relaxed.refuted.most


def test_parts_that_are_not_allowed_have_no_share():
    path = ConnectedPartition([1] * 4, [(0, 1), (1, 2), (2, 3)], 1)
    (component,) = components_of(path)
    sets = connected_sets(component, 1, 3, Budget.of(), 100)
    assert sets is not None
    program = CoverLp(4, sets, 2)
    for banned in (None, [0, 1], [0], None):
        allowed = np.array([sets.nodes(i) != banned for i in range(len(sets))])
        relaxed = program.solve(Budget.of(), allowed)
        assert relaxed is not None
        assert relaxed.shares is not None
        assert not relaxed.shares[~allowed].any()
        assert relaxed.shares.sum() == 2
    nothing = np.array([3 not in sets.nodes(i) for i in range(len(sets))])
    relaxed = program.solve(Budget.of(), nothing)
    assert relaxed is not None
    assert relaxed.refuted is not None
