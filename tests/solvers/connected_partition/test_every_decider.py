"""What every decider of maps promises, beside the lists of all connected sets."""

from collections import Counter

import pytest
from maps import heavy_component, planted, random_window, require_partition

from atleastk import Status
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.carving import decide_by_carving
from atleastk.solvers.connected_partition.decide import by_lists
from atleastk.solvers.connected_partition.halving import decide_by_halving
from atleastk.solvers.connected_partition.meeting import decide_by_meeting

DECIDERS = {
    "carving": decide_by_carving,
    "halving": lambda *asked: decide_by_halving(*asked, 100_000),
    "meeting": decide_by_meeting,
}
EVERY = pytest.mark.parametrize("name", DECIDERS)


def may_stay_open(name, component, window):
    few = window.parts in (1, 5) or component.total > 2**60
    return {"carving": False, "halving": True, "meeting": few}[name]


@EVERY
def test_decisions_are_those_of_lists(name):
    met = Counter()
    for seed in range(200):
        component, window = random_window(seed)
        decision = DECIDERS[name](component, window, Budget(seed=seed))
        expected = by_lists(component, window, None, Budget()).status
        if decision.status is Status.UNKNOWN:
            assert may_stay_open(name, component, window)
        else:
            assert decision.status is expected
        if decision.found is not None:
            require_partition(component, window, decision.found)
        met[decision.status, expected] += 1
    found, missed = (
        met[status, Status.FEASIBLE] for status in (Status.FEASIBLE, Status.UNKNOWN)
    )
    assert found > 25
    assert name == "meeting" or found >= 9 * missed
    assert name == "halving" or met[Status.INFEASIBLE, Status.INFEASIBLE] > 20


@EVERY
def test_no_time_is_no_answer(name):
    component, window = planted(1, 60, 4)
    decision = DECIDERS[name](component, window, Budget.of(0.0))
    assert decision.status is Status.UNKNOWN


def test_heavy_parts_are_refuted():
    component, _ = planted(4, 30, 4)
    odd = heavy_component(4, 30, (2 * component.weights + 1).tolist())
    least = odd.total // 4
    for decide in (decide_by_carving, decide_by_meeting):
        decision = decide(odd, Window(4, least, least + 2), Budget())
        assert decision.status is Status.INFEASIBLE
