"""The adversary: what it finds is a solution's cost over a proved optimum."""

import json

import pytest

from atleastk import api
from atleastk.__main__ import main
from atleastk.adversary import searching
from atleastk.adversary.grounds import GROUNDS
from atleastk.instances.errors import NotApplicableError
from atleastk.models.solution import Solution
from atleastk.models.status import Status
from atleastk.registry import algorithm_named, instance_from_dict, problem_named

SECONDS = 0.3
ONE_OF_EACH = {
    "bin-covering": "spread-decreasing",
    "interval-covering": "greedy-merge-last",
    "k-anonymity": "approx-dr",
    "r-gather": "r-gather",
    "cellular-clustering": "cellular",
    "connected-partition": "balanced-cut",
    "rectangle-tiling": "kd-balanced",
}


def test_every_ground_has_a_case_here():
    assert set(ONE_OF_EACH) == set(GROUNDS)


@pytest.mark.parametrize(("name", "algorithm"), ONE_OF_EACH.items())
def test_finds_are_what_they_say(name, algorithm):
    problem = problem_named(name)
    found = searching.worst_of(
        problem, algorithm_named(problem, algorithm), seconds=SECONDS
    )
    if found is None:  # not one plant was a solution in so little time
        return
    made = api.approximate(found.instance, algorithm)
    solved = api.solve(found.instance, workers=1)
    assert (made.cost, solved.cost) == (found.cost, found.result.cost)
    assert solved.status is Status.OPTIMAL
    assert found.ratio == found.instance.ratio(made.cost, solved.cost) >= 1


@pytest.mark.parametrize(
    ("name", "items", "k", "groups"),
    [
        ("bin-covering", [(3,), (3,)], 4, [(0, 1)]),
        ("k-anonymity", [(0, 1), (0, 0)], 2, [(0, 1)]),
    ],
)
def test_plants_cost_what_their_groups_cost(name, items, k, groups):
    problem = problem_named(name)
    algorithm = algorithm_named(problem, ONE_OF_EACH[name])
    judge = searching.Judge(problem, algorithm, GROUNDS[name])
    plant = searching.Plant(tuple(items), (0,) * len(items), k)
    instance = judge.instance(plant)
    planted = problem.check(instance, Solution.of(groups)).cost
    cost = api.approximate(instance, algorithm.name).cost
    assert judge.ratio(plant) == cost / planted


def test_groups_that_are_too_small_are_no_plant():
    problem = problem_named("bin-covering")
    algorithm = algorithm_named(problem, "fold")
    judge = searching.Judge(problem, algorithm, GROUNDS[problem.name])
    assert judge.ratio(searching.Plant(((3,), (5,)), (0, 1), 4)) is None


def test_it_begins_at_the_tight_families():
    """So their ratio is not missed, however little time there is."""
    problem = problem_named("bin-covering")
    algorithm = algorithm_named(problem, "spread-decreasing")
    family = api.generate("bin-covering", "tight-spread")
    ratio = api.approximate(family, algorithm.name).cost / family.k
    found = searching.worst_of(problem, algorithm, seconds=0)
    assert found.ratio >= ratio


def test_problems_without_ground_are_told():
    problem = problem_named("k-ambiguity")
    with pytest.raises(NotApplicableError, match="nothing is planted"):
        searching.worst_of(problem, problem.algorithms[0])


def run(monkeypatch, *words):
    monkeypatch.setattr("sys.argv", ["atleastk", "adversary", *map(str, words)])
    return main()


def test_the_record_keeps_what_is_worse(tmp_path, monkeypatch, capsys):
    path = tmp_path / "finds.jsonl"
    words = ("spread-decreasing", "--time-limit", SECONDS, "-o", path)
    assert run(monkeypatch, *words) == 0
    assert "spread-decreasing" in capsys.readouterr().out
    (record,) = map(json.loads, path.read_text().splitlines())
    assert instance_from_dict(record["instance"]).problem == "bin-covering"
    best = {**record, "ratio": 1000}
    path.write_text(json.dumps(best) + "\n")
    assert run(monkeypatch, *words) == 0
    assert [json.loads(line) for line in path.read_text().splitlines()] == [best]


def test_a_name_of_two_problems_wants_one(monkeypatch, capsys):
    assert run(monkeypatch, "guillotine") == 2
    assert "--problem" in capsys.readouterr().err
