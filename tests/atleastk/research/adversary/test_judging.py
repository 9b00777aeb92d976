from types import SimpleNamespace

import pytest

import atleastk
from atleastk import BinCovering, NotApplicableError, Solution, UnknownNameError
from atleastk.research.adversary.judging import FaultError, Judge
from atleastk.research.adversary.planted import Plant
from atleastk.runs import api
from atleastk.runs.own_algorithms import algorithm_of
from atleastk.runs.registry import algorithm_named, problem_named

BINS = problem_named("bin-covering")


def judge_of(function):
    return Judge(BINS, algorithm_of(BINS, function))


def judge_named(problem, algorithm):
    return Judge(problem, algorithm_named(problem, algorithm))


@pytest.mark.parametrize(
    ("name", "algorithm", "items", "k"),
    [
        ("bin-covering", "spread-decreasing", [(3,), (3,)], 4),
        ("k-anonymity", "approx-dr", [(0, 1), (0, 0)], 2),
    ],
)
def test_plants_cost_what_their_groups_cost(name, algorithm, items, k):
    problem = problem_named(name)
    judge = judge_named(problem, algorithm)
    plant = Plant(tuple(items), (0,) * len(items), k)
    instance = judge.instance(plant)
    planted = problem.check(instance, Solution.of([(0, 1)])).cost
    cost = api.approximate(instance, algorithm).cost
    assert judge.ratio(plant) == cost / planted


def test_groups_that_are_too_small_are_no_plant():
    judge = judge_named(BINS, "fold")
    assert judge.ratio(Plant(((3,), (5,)), (0, 1), 4)) is None


def test_a_ratio_is_over_the_best_solution():
    judge = judge_of(lambda instance: [range(instance.n)])
    assert judge.rated(BinCovering([2, 2, 3], 3)) == (7 / 4, 4)
    assert judge.rated(BinCovering([2], 3)) is None


@pytest.mark.usefixtures("unproved")
def test_a_ratio_is_over_a_solution_whose_optimality_nobody_proves():
    judge = judge_of(lambda instance: [range(instance.n)])
    assert judge.rated(BinCovering([3, 3, 3], 3), 3) == (3.0, 3)


def test_what_was_planted_may_cost_less_than_what_a_solver_finds(monkeypatch):
    judge = judge_of(lambda instance: [range(instance.n)])
    instance = BinCovering([3, 3, 3], 3)
    for cost in (9, None):
        found = SimpleNamespace(cost=cost)
        monkeypatch.setattr(api, "solve", lambda *_, found=found, **__: found)
        assert judge.rated(instance, 3) == (3.0, 3)


def outside(_instance):
    return [[0, 7]]


def apart(instance):
    return [[i] for i in range(instance.n)]


def crashes(_instance):
    return 1 / 0


def leaves(_instance):
    raise SystemExit(3)


def answers_nothing(_instance):
    return None


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (outside, "returned a wrong solution: group 0 holds item 7"),
        (apart, "returned a wrong solution: group 0 has level 2, below k = 3"),
        (crashes, r"ZeroDivisionError: division by zero \(test_judging.py, line"),
        (leaves, "SystemExit: 3"),
        (answers_nothing, "answers_nothing returned no groups"),
        ("cmd:false", "cmd:false ended with exit code 1"),
        ("cmd:cat", "cmd:cat: "),
    ],
)
def test_what_an_algorithm_does_wrong_is_a_fault(function, told):
    instance = BinCovering([2, 2], 3)
    with pytest.raises(FaultError, match=told) as caught:
        judge_of(function).cost(instance)
    assert caught.value.instance is instance


def test_who_refuses_is_not_at_fault():
    def refuses(_instance):
        raise NotApplicableError("not on a Monday")

    judge = judge_of(refuses)
    assert judge.cost(BinCovering([2, 2], 3)) is None
    assert judge.refused == "not on a Monday"


def test_a_program_that_is_not_there_is_a_mistake_of_the_caller():
    with pytest.raises(UnknownNameError):
        judge_of("cmd:/no/such/program").cost(BinCovering([2, 2], 3))


def test_a_promise_is_tested():
    @atleastk.algorithm("bin-covering", guarantee=1.5)
    def one(instance):
        return [range(instance.n)]

    judge = judge_of(one)
    assert judge.breaks(BinCovering([2, 2], 2), 4, 2)
    assert not judge.breaks(BinCovering([2, 2], 2), 3, 2)


def test_a_promise_is_broken_where_the_optimum_is_nothing():
    """There is no ratio, but more is no multiple of it; smaller ones count more."""

    @atleastk.algorithm("k-anonymity", guarantee=100)
    def all_together(instance):
        return [range(instance.n)]

    problem = problem_named("k-anonymity")
    judge = Judge(problem, algorithm_of(problem, all_together))
    tables = [atleastk.KAnonymity([*zip("aabb" * m)], 2) for m in (3, 1, 2)]
    assert [judge.over(table, 0) for table in tables] == [None] * 3
    assert judge.broken is tables[1]


def test_a_promise_that_fails_is_a_fault():
    @atleastk.algorithm("bin-covering", guarantee=lambda instance: instance.no_field)
    def one(instance):
        return [range(instance.n)]

    with pytest.raises(FaultError, match="no_field"):
        judge_of(one).breaks(BinCovering([2, 2], 2), 4, 2)
