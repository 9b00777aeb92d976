import random
import threading

import numpy as np
import pytest
from maps import require_partition

from atleastk import ConnectedPartition, Status
from atleastk.instances.generators.connected_partition import delaunay
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition import carving
from atleastk.solvers.connected_partition.carving import decide_by_carving
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.decide import by_lists


def heavy_component(seed, n, weights):
    instance = delaunay(seed, n, parts=4)
    return components_of(ConnectedPartition(weights, instance.edges, 1))[0]


def random_case(seed):
    rng = random.Random(seed)
    n = rng.randint(3, 14)
    scale = rng.choice([1, 1, 2**62 // (9 * n)])
    weights = [scale * rng.choice((0, 1, 1, 2, 3, 5, 9)) for _ in range(n)]
    component = heavy_component(seed, n, weights)
    parts = rng.randint(1, 5)
    mean = max(1, component.total // parts)
    slack = rng.choice((1, scale, max(1, mean // 5)))
    least = rng.randint(max(1, mean - slack), mean)
    return component, Window(parts, least, rng.randint(mean, mean + slack))


@pytest.mark.parametrize("counting", [True, False])
def test_decisions_are_those_of_lists(counting, monkeypatch):
    if not counting:  # so that luck has its turn, too
        monkeypatch.setattr(carving, "_FEW_STEPS", 2)
        monkeypatch.setattr(carving, "_STEPS", 2)
    statuses = set()
    for seed in range(150):
        component, window = random_case(seed)
        decision = decide_by_carving(component, window, Budget(seed=seed))
        expected = by_lists(component, window, None, Budget())
        assert decision.status is expected.status
        if decision.found is not None:
            require_partition(component, window, decision.found)
        statuses.add(decision.status)
    assert statuses == {Status.FEASIBLE, Status.INFEASIBLE}


def planted(seed, n, parts):
    """Return a map of millions in which so many parts weigh exactly the same.

    Nodes are given to the nearest of some of them; the first of each part makes up for
    what the others lack.
    """
    rng = np.random.default_rng(seed)
    component = heavy_component(seed, n, [1] * n)
    label = np.full(n, -1)
    queue = rng.choice(n, parts, replace=False).tolist()
    firsts = list(queue)
    label[queue] = range(parts)
    for node in queue:
        for v in component.neighbours[node]:
            if label[v] < 0:
                label[v] = label[node]
                queue.append(v)
    weights = rng.integers(10_000, 100_000, n)
    weights[firsts] = 0
    sums = np.bincount(label, weights).astype(np.int64)
    each = int(sums.max()) + 50_000
    weights[firsts] = each - sums
    return heavy_component(seed, n, weights.tolist()), Window(parts, each, each)


@pytest.mark.parametrize(("seed", "n", "parts"), [(1, 60, 4), (8, 120, 3)])
def test_heavy_parts_of_one_weight_are_found(seed, n, parts):
    component, window = planted(seed, n, parts)
    decision = decide_by_carving(component, window, Budget())
    require_partition(component, window, decision.found)
    assert decision == decide_by_carving(component, window, Budget())


def test_heavy_parts_are_refuted():
    component, _ = planted(4, 30, 4)
    odd = heavy_component(4, 30, (2 * component.weights + 1).tolist())
    least = odd.total // 4
    decision = decide_by_carving(odd, Window(4, least, least + 2), Budget())
    assert decision.status is Status.INFEASIBLE


def test_counting_refutes_at_once():
    component, _ = planted(1, 60, 4)
    decision = decide_by_carving(component, Window(4, 1, 2), Budget())
    assert decision.status is Status.INFEASIBLE


def test_thousands_of_parts_are_taken_one_after_the_other():
    path = ConnectedPartition([1] * 1200, [(i, i + 1) for i in range(1199)], 1)
    (component,), window = components_of(path), Window(1200, 1, 1)
    decision = decide_by_carving(component, window, Budget())
    require_partition(component, window, decision.found)


def test_no_time_is_no_answer():
    component, window = planted(1, 60, 4)
    decision = decide_by_carving(component, window, Budget.of(0.0))
    assert decision.status is Status.UNKNOWN


def test_listed_sets_are_not_tried_when_time_is_up(monkeypatch):
    component, window = planted(1, 60, 4)
    stop, lists, listed = threading.Event(), [], carving._Carver._listed

    def last(carver, parts, patience):
        lists.append(listed(carver, parts, patience))
        carver._flag[0] = 1
        stop.set()
        return lists[-1]

    monkeypatch.setattr(carving._Carver, "_listed", last)
    decision = decide_by_carving(component, window, Budget(stop=stop))
    assert decision.status is Status.UNKNOWN
    assert len(lists) == 1
    assert lists[0]
