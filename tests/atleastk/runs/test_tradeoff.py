import json
import random
import signal
from dataclasses import replace
from itertools import pairwise

import pytest
from every_problem import INSTANCES

import atleastk
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    NotApplicableError,
    UnknownNameError,
    WrongAnswerError,
)
from atleastk.models.results.result import Event
from atleastk.models.results.solution import Solution
from atleastk.models.results.status import Status, Trust
from atleastk.models.results.tradeoff import Case
from atleastk.runs import neighbours as runs
from atleastk.runs.registry import problem_of
from atleastk.runs.solving import Outcome

WITH_K = {
    name: [one for one in found if hasattr(one, "k") or hasattr(one, "r")]
    for name, found in INSTANCES.items()
}
SIZES = [
    pytest.param(instance, id=f"{name}-{i}")
    for name, found in WITH_K.items()
    for i, instance in enumerate(found)
]


def optimum_of(instance):
    found = problem_of(instance).optimum(instance)
    return found[0] if isinstance(found, tuple) else found


@pytest.mark.parametrize("instance", SIZES)
def test_every_cost_is_the_optimum_of_its_k(instance):
    made = atleastk.tradeoff(instance, range(1, 6), 600, workers=1)
    for point in made:
        own = point.result.instance
        assert (own.k if hasattr(own, "k") else own.r) == point.k
        assert atleastk.check(own, point.result).feasible
        assert point.cost == optimum_of(own)


@pytest.mark.parametrize(
    "instance", [one for one in SIZES if one.values[0].nested], ids=str
)
def test_optima_rise_where_that_is_said(instance):
    field = "k" if hasattr(instance, "k") else "r"
    optima = [optimum_of(replace(instance, **{field: k})) for k in range(1, 8)]
    known = [cost for cost in optima if cost is not None]
    assert known == sorted(known)
    assert optima == known + [None] * (len(optima) - len(known))


@pytest.mark.parametrize("seed", range(40))
def test_solutions_for_more_are_solutions_for_less(seed):
    """Of every solution that groups the rows of a random table."""
    rng = random.Random(seed)
    table = [[rng.randrange(3) for _ in range(3)] for _ in range(6)]
    instance = atleastk.KAnonymity(table, 3)
    wishes = {"limits": {"per_row": 2}, "minimise": "rows"}
    for one in (instance, atleastk.Suppression(table, 3, **wishes)):
        check = problem_of(one).check
        rows = rng.sample(range(6), 6)
        solution = Solution((tuple(rows[:3]), tuple(rows[3:])))
        first = check(one, solution)
        second = check(replace(one, k=2), solution)
        assert not first.feasible or (second.feasible and first.cost == second.cost)


def test_what_neighbours_close_is_not_searched():
    instance = atleastk.BinCovering([9, 9, 9, 9], 2)
    made = atleastk.tradeoff(instance, range(2, 10), 60, workers=1)
    assert [point.cost for point in made] == [9] * 8
    assert [point.k for point in made if point.seconds] in ([9, 2], [2, 9], [9])
    assert made[5].result.note == "solution of k = 9; bound of k = 2"
    assert made[5].result.trust is Trust.PROVED


def test_bounds_are_not_handed_on_where_the_cost_knows_k():
    instance = atleastk.BinCovering([4, 5, 6, 7], 2, objective="excess")
    made = atleastk.tradeoff(instance, range(2, 8), 60, workers=1)
    assert all(point.proved_at == Case(point.k) for point in made)
    assert [point.cost for point in made] == [
        optimum_of(replace(instance, k=k)) for k in range(2, 8)
    ]


def test_a_problem_without_a_k_is_refused():
    grid = atleastk.RectangleTilingGrid([[1, 2], [3, 4]], 2)
    with pytest.raises(NotApplicableError, match="has no k"):
        atleastk.tradeoff(grid, [1, 2])


@pytest.mark.parametrize("ks", [[], [0], [2.5], ["2"]])
def test_the_k_are_checked(ks):
    with pytest.raises(InvalidInstanceError, match="ks: "):
        atleastk.tradeoff(atleastk.BinCovering([1, 2], 1), ks)


def test_points_are_found_by_k():
    made = atleastk.tradeoff(atleastk.BinCovering([1, 2, 3], 1), [3, 1, 3])
    assert [point.k for point in made] == [1, 3]
    assert made[3].cost == 3
    with pytest.raises(UnknownNameError, match="no point has k = 2; there are 1, 3"):
        made[2]


def told_of(one, status, **more):
    """Return a result that says this and nothing else."""
    nothing = dict.fromkeys(("trust", "cost", "bound", "solution"))
    known = {"method": "auto", "seconds": 0.0, "instance_sha256": one.sha256}
    return atleastk.Result(problem=one.problem, status=status, **nothing | known | more)


class Solver:
    """Stands for the search: tells what it is told to, and remembers what it saw."""

    def __init__(self, told, seconds=0.0, clock=None, events=()):
        self.told, self.seconds, self.clock = told, seconds, clock
        self.events, self.asked = events, []

    def __call__(self, instance, ask):
        self.asked.append((instance.k, ask.start, ask.budget.remaining))
        if self.clock is not None:
            self.clock.put_forward(self.seconds)
        groups, bound, signalled = self.told(instance)
        solution = groups and Solution(groups)
        verdict = solution and problem_of(instance).check(instance, solution)
        cost = verdict.cost if groups else None
        told = {"cost": cost, "bound": bound, "solution": solution}
        more = {"events": self.events, "instance": instance}
        status = Status.FEASIBLE if groups else Status.UNKNOWN
        return Outcome(told_of(instance, status, **told, **more), signalled, False)


@pytest.fixture
def solver(monkeypatch):
    def install(*args, **named):
        made = Solver(*args, **named)
        monkeypatch.setattr(runs, "solve_within", made)
        return made

    return install


BINS = atleastk.BinCovering([3] * 12, 3)
ALL = ((*range(12),),)


def test_the_time_is_shared_and_ends_it(solver, clock):
    asked = solver(lambda _: (ALL, 1, None), 1.0, clock).asked
    made = atleastk.tradeoff(BINS, range(1, 13), 12.0)
    assert [k for k, _, _ in asked[:2]] == [12, 1]
    assert sorted(k for k, _, _ in asked) == list(range(1, 13))
    assert all(left == pytest.approx(1.0) for _, _, left in asked)
    assert made.seconds == pytest.approx(12.0)


def test_searches_are_no_shorter_than_first_answers_are_worth(solver, clock):
    slow = (Event(0.1, None, 0), Event(0.2, 36, 0))
    asked = solver(lambda _: (ALL, 1, None), 3.0, clock, slow).asked
    made = atleastk.tradeoff(BINS, range(1, 13), 12.0)
    assert [left for _, _, left in asked] == pytest.approx([1.0, 3.0, 3.0, 3.0])
    assert all(point.cost == 36 for point in made)


def test_left_time_goes_to_longer_searches_of_open_ones(solver, clock):
    asked = solver(lambda _: (ALL, 1, None), 0.5, clock).asked
    atleastk.tradeoff(BINS, range(1, 13), 12.0)
    given = [left for k, _, left in asked if k == 12]
    assert len(given) > 1
    assert all(later >= 2 * sooner for sooner, later in pairwise(given))


def test_searches_begin_with_the_best_that_is_handed_down(solver):
    asked = solver(lambda _: (ALL, 1, None)).asked
    atleastk.tradeoff(BINS, [2, 3, 4], 1e6)
    assert asked[0][1] is None
    assert all(start.groups == ALL for _, start, _ in asked[1:])


def test_without_a_limit_what_stays_open_is_searched_once(solver):
    asked = solver(lambda _: (ALL, 1, None)).asked
    made = atleastk.tradeoff(BINS, [2, 3, 4])
    assert sorted(k for k, _, _ in asked) == [2, 3, 4]
    assert all(point.gap for point in made)


def test_a_signal_keeps_what_is_there(solver):
    asked = solver(lambda i: (ALL, 3, signal.SIGINT if i.k == 1 else None)).asked
    made = atleastk.tradeoff(BINS, range(1, 7))
    assert [k for k, _, _ in asked] == [6, 1]
    assert made.interrupted
    assert [(point.cost, point.bound) for point in made] == [(36, 3)] * 6


def test_an_interrupt_between_searches_keeps_what_is_there(solver, monkeypatch):
    solver(lambda _: (ALL, 3, None))
    take = runs.Neighbours.take

    def interrupted(neighbours, case, result):
        take(neighbours, case, result)
        if case.k == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(runs.Neighbours, "take", interrupted)
    made = atleastk.tradeoff(BINS, range(1, 7))
    assert made.interrupted
    assert made[4].cost == 36


def test_a_contradiction_is_an_error(solver):
    solver(lambda one: (ALL, 3, None) if one.k > 1 else (None, 40, None))
    with pytest.raises(WrongAnswerError, match="at least 40 by the search for k = 1"):
        atleastk.tradeoff(BINS, [1, 5])


def test_what_a_neighbour_refutes_is_infeasible():
    """Also if its own search came first and found nothing."""
    curve = runs.Neighbours.of({Case(k): replace(BINS, k=k) for k in (1, 5)})
    unknown = told_of(BINS, Status.UNKNOWN)
    curve.take(Case(5), unknown)
    assert curve.point(Case(5)).result is unknown
    curve.take(Case(1), told_of(BINS, Status.INFEASIBLE))
    assert curve.point(Case(5)).result.status is Status.INFEASIBLE
    assert curve.point(Case(5)).result.note == "bound of k = 1"


def test_events_tell_their_k():
    seen = []
    instance = atleastk.BinCovering([7, 7, 7, 7, 2, 2, 2, 2], 9)
    atleastk.tradeoff(instance, [8, 9], 60, on_event=lambda k, e: seen.append((k, e)))
    assert {k for k, _ in seen} <= {8, 9}
    assert all(isinstance(event, Event) for _, event in seen)


def test_figures_are_json_and_words():
    instance = atleastk.KAnonymity([[0, 1], [0, 2], [1, 1]], 2)
    made = atleastk.tradeoff(instance, [2, 3, 4])
    document = json.loads(json.dumps(made.to_dict()))
    points = [(p["k"], p["cost"], p["bound"], p["status"]) for p in document["points"]]
    assert points == [
        (2, 6, 6, "OPTIMAL"),
        (3, 6, 6, "OPTIMAL"),
        (4, None, None, "INFEASIBLE"),
    ]
    assert str(made).splitlines()[2] == "k = 4: no solution (infeasible)"
