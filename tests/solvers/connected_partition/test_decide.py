"""Decisions about windows: whoever answers first is right, whatever the order."""

import random

import pytest

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.generators.connected_partition import delaunay
from atleastk.models.status import Status
from atleastk.models.windows import Window, windows
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.decide import decide, first_decided
from atleastk.solvers.engine.decision import Decision


def component_of(instance):
    (component,) = components_of(instance)
    return component


def never(budget):
    budget.stop.wait(max(0.0, min(budget.remaining, 20.0)))
    return Decision.unknown(), "never"


def soon(_budget):
    return Decision.impossible(), "soon"


def test_the_first_answer_ends_the_race():
    budget = Budget.of(60, workers=2)
    found, source = first_decided([never, soon], budget)
    assert found.status is Status.INFEASIBLE
    assert source == "soon"
    assert not budget.stop.is_set()


def test_one_worker_leaves_time_to_the_next(clock):
    def late(budget):
        clock.put_forward(budget.remaining)
        return Decision.unknown(), "late"

    budget = Budget.of(10)
    found, source = first_decided([late, soon], budget)
    assert found.status is Status.INFEASIBLE
    assert source == "soon"
    assert not budget.spent


def test_nobody_answers():
    found, source = first_decided([never, never], Budget.of(0.1, workers=2))
    assert found.status is Status.UNKNOWN
    assert source == ""


@pytest.mark.parametrize(("n", "parts"), [(16, 2), (16, 5)])
def test_large_and_small_parts(n, parts):
    """What is found fits the window, and two workers say the same as one."""
    rng = random.Random(n + parts)
    seen = set()
    for seed in range(4):
        instance = delaunay(seed, n=n, parts=parts)
        component = component_of(instance)
        level = -(-component.total // parts) + rng.randint(0, 4)
        for window in windows(component.total, instance.k, level):
            answers = [
                decide(component, window, Budget(workers=workers))[0]
                for workers in (1, 2)
            ]
            assert answers[0].status is answers[1].status is not Status.UNKNOWN
            seen.add(answers[0].status)
            for answer in answers:
                if answer.found is not None:
                    assert_fits(component, window, answer.found)
    assert Status.FEASIBLE in seen


def test_heavy_maps():
    """Roots refuse them, the others decide."""
    small = delaunay(1, n=14, parts=4)
    weights = [weight << 50 for weight in small.weights]
    component = component_of(ConnectedPartition(weights, small.edges, small.k << 50))
    window = Window(4, (component.total >> 2) - 9, (component.total >> 2) + 9)
    assert decide(component, window, Budget())[0].status is Status.INFEASIBLE


def assert_fits(component, window, parts):
    assert len(parts) == window.parts
    assert sorted(v for part in parts for v in part) == list(range(component.n))
    assert all(window.holds(int(component.weights[part].sum())) for part in parts)
