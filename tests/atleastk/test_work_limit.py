"""A limit on work: the same is found whatever the clock says."""

import itertools
import json
import time

import pytest

import atleastk
from atleastk import NotApplicableError, Status, Stop
from atleastk.solvers.budget import Budget

OPEN = [
    atleastk.generate("k-ambiguity", "uniform", n=14, m=4, values=3, k=3),
    atleastk.generate("generalization", "trees", n=20, m=3, k=3),
    atleastk.generate("rectangle-tiling-grid", "uniform", rows=8, columns=8),
]
CLOSED = [
    atleastk.generate("interval-covering", "uniform"),
    atleastk.generate("r-gather", "uniform", n=10, r=3),
]


def what_is_found(instance, work_limit, **options):
    result = atleastk.solve(instance, work_limit=work_limit, **options)
    assert (result.stopped_because is Stop.WORK_LIMIT) is (
        result.status not in (Status.OPTIMAL, Status.INFEASIBLE)
    )
    return result.status, result.cost, result.bound, result.solution


@pytest.mark.parametrize("instance", OPEN + CLOSED, ids=lambda i: i.problem)
def test_a_clock_that_leaps_changes_nothing(instance, monkeypatch):
    found = what_is_found(instance, 0.05)
    assert (found[0] is Status.OPTIMAL) is (instance in CLOSED)
    hours = itertools.count(time.monotonic(), 3600.0)
    monkeypatch.setattr(time, "monotonic", lambda: next(hours))
    assert what_is_found(instance, 0.05) == found


def test_more_work_may_close_a_run():
    instance = atleastk.generate("k-ambiguity", "uniform", n=7, m=3, values=3, k=2)
    best = atleastk.solve(instance)
    assert what_is_found(instance, 60.0)[:3] == (Status.OPTIMAL, best.cost, best.cost)


def test_infeasibility_is_proved():
    assert what_is_found(atleastk.BinCovering([1, 2], 9), 1.0)[0] is Status.INFEASIBLE


def test_what_nobody_takes_is_told():
    instance = atleastk.generate("connected-partition", "delaunay", n=400)
    result = atleastk.solve(instance, work_limit=0.01)
    assert result.status is Status.FEASIBLE
    assert result.stopped_because is Stop.GAVE_UP
    assert result.note is not None
    assert "rooted cannot take this instance" in result.note


def test_who_does_not_count_its_work_is_refused():
    instance = atleastk.BinCovering([3, 4, 5], 4)
    with pytest.raises(NotApplicableError, match="sat cannot keep a limit on work"):
        atleastk.solve(instance, work_limit=1.0, method="sat")
    for wish in ("certify", "agree"):
        with pytest.raises(
            NotApplicableError, match="certify and agree do not keep it"
        ):
            atleastk.solve(instance, work_limit=1.0, **{wish: True})
    assert atleastk.solve(instance, work_limit=1.0, method="cp-sat").cost == 7


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"work_limit": 0}, "work_limit: expected deterministic seconds above 0"),
        ({"work_limit": 1.0, "workers": 2}, "work_limit: needs one worker, got 2"),
    ],
)
def test_limits_that_mean_nothing_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        atleastk.solve(atleastk.BinCovering([1], 1), **wrong)


def test_the_command_line_takes_it(tmp_path, done):
    path = tmp_path / "table.json"
    path.write_text(json.dumps(OPEN[0].to_dict()))
    assert (
        json.loads(done("solve", path, "--work-limit", "0.01", "--json"))[
            "stopped_because"
        ]
        == "work limit"
    )


def test_parts_of_a_budget_end_with_its_work(clock):
    budget = Budget.of(10.0, work=2.0)
    part = budget.share(0.5).slice(1.0).apart()
    clock.put_forward(9.0)
    assert part.remaining == float("inf")
    budget.work.spend(1.5)
    assert not part.spent
    budget.work.spend(0.5)
    assert part.spent
    other = Budget.of(10.0, work=2.0).share(0.5)
    clock.put_forward(10.0)
    assert other.spent
