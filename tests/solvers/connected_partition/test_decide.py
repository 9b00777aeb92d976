import random

import pytest

from atleastk import ConnectedPartition, Status
from atleastk.instances.generators.connected_partition import delaunay
from atleastk.models.windows import Window, windows
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.decide import decide


def component_of(instance):
    (component,) = components_of(instance)
    return component


@pytest.mark.parametrize(("n", "parts"), [(16, 2), (16, 5)])
def test_large_and_small_parts(n, parts):
    rng = random.Random(n + parts)
    seen = set()
    for seed in range(4):
        instance = delaunay(seed, n=n, parts=parts)
        component = component_of(instance)
        level = -(-component.total // parts) + rng.randint(0, 4)
        for window in windows(component.total, instance.k, level, component.total):
            answers = [
                decide(component, window, Budget(workers=workers)) for workers in (1, 2)
            ]
            assert answers[0].status is answers[1].status is not Status.UNKNOWN
            assert all(answer.by for answer in answers)
            seen.add(answers[0].status)
            for answer in answers:
                if answer.found is not None:
                    assert_fits(component, window, answer.found)
    assert Status.FEASIBLE in seen


def test_heavy_maps():
    small = delaunay(1, n=14, parts=4)
    weights = [weight << 50 for weight in small.weights]
    component = component_of(ConnectedPartition(weights, small.edges, small.k << 50))
    window = Window(4, (component.total >> 2) - 9, (component.total >> 2) + 9)
    assert decide(component, window, Budget()).status is Status.INFEASIBLE


def assert_fits(component, window, parts):
    assert len(parts) == window.parts
    assert sorted(v for part in parts for v in part) == list(range(component.n))
    assert all(window.holds(int(component.weights[part].sum())) for part in parts)
