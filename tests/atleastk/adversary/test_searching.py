"""The adversary: what it finds is a solution's cost over a proved optimum."""

import json
from dataclasses import replace
from itertools import count, product
from random import Random
from types import SimpleNamespace

import pytest

from atleastk import BinCovering, api
from atleastk.__main__ import main
from atleastk.adversary import searching
from atleastk.adversary.grounds import GROUNDS, Plant
from atleastk.models.solution import Solution
from atleastk.models.status import Status, Trust
from atleastk.registry import (
    PROBLEMS,
    algorithm_named,
    instance_from_dict,
    problem_named,
)

SECONDS = 0.3
ONE_OF_EACH = {
    "bin-covering": "spread-decreasing",
    "interval-covering": "greedy-merge-last",
    "k-anonymity": "approx-dr",
    "r-gather": "r-gather",
    "cellular-clustering": "cellular",
    "connected-partition": "balanced-cut",
    "rectangle-tiling": "kd-balanced",
    "rectangle-tiling-grid": "kd-balanced",
    "suppression": "forest-entries",
    "generalization": "forest",
    "diversity": "merge",
    "k-ambiguity": "fully-suppressed-rows",
}


def test_every_problem_has_a_ground_and_a_case_here():
    assert set(ONE_OF_EACH) == set(GROUNDS) == set(PROBLEMS)


@pytest.fixture
def counted(monkeypatch):
    """Let a second of the search be a hundred looks at the clock."""
    looks = count()
    clock = SimpleNamespace(monotonic=lambda: next(looks) / 100)
    monkeypatch.setattr(searching, "time", clock)


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize(("name", "algorithm"), ONE_OF_EACH.items())
def test_finds_are_what_they_say(name, algorithm):
    problem = problem_named(name)
    found = searching.worst_of(
        problem, algorithm_named(problem, algorithm), seconds=SECONDS
    )
    assert found is not None
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
    plant = Plant(tuple(items), (0,) * len(items), k)
    instance = judge.instance(plant)
    planted = problem.check(instance, Solution.of(groups)).cost
    cost = api.approximate(instance, algorithm.name).cost
    assert judge.ratio(plant) == cost / planted


def test_groups_that_are_too_small_are_no_plant():
    problem = problem_named("bin-covering")
    algorithm = algorithm_named(problem, "fold")
    judge = searching.Judge(problem, algorithm, GROUNDS[problem.name])
    assert judge.ratio(Plant(((3,), (5,)), (0, 1), 4)) is None


def test_it_begins_at_the_tight_families():
    """So their ratio is not missed, however little time there is."""
    problem = problem_named("bin-covering")
    algorithm = algorithm_named(problem, "spread-decreasing")
    family = api.generate("bin-covering", "tight-spread")
    ratio = api.approximate(family, algorithm.name).cost / family.k
    found = searching.worst_of(problem, algorithm, seconds=0)
    assert found.ratio >= ratio


def test_it_begins_at_what_is_known():
    problem = problem_named("r-gather")
    algorithm = algorithm_named(problem, "r-gather")
    star = api.generate("r-gather", "tight-star")
    found = searching.worst_of(problem, algorithm, seconds=0, known=[star])
    assert found.ratio == 2


@pytest.mark.parametrize("name", GROUNDS)
def test_what_is_made_of_an_instance_is_the_same_again(name):
    """Items, k and the other fields say all of a drawn instance."""
    problem, ground = problem_named(name), GROUNDS[name]
    rng = Random(1)
    for k, fields in product(ground.ks, ground.fields):
        items, homes = ground.start(rng, k, fields)
        plant = Plant(tuple(items), tuple(homes), k, fields)
        instance = ground.instance(problem.instance, plant)
        again = ground.instance(problem.instance, ground.plant(instance, homes))
        assert again.to_dict() == instance.to_dict()


def test_finer_numbers_leave_the_ratio():
    problem = problem_named("bin-covering")
    algorithm = algorithm_named(problem, "spread")
    judge = searching.Judge(problem, algorithm, GROUNDS[problem.name])
    plant = Plant(((3,), (5,), (4,), (4,)), (0, 0, 1, 1), 8)
    finer = searching.scaled(judge.ground, plant)
    assert finer.k > plant.k
    assert judge.ratio(finer) == judge.ratio(plant)


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


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ({"ratio": "x"}, "ratio: expected a finite number"),
        ({"instance": []}, "instance: expected an object"),
        ({"instance": {}}, "instance: problem: missing"),
        ({"algorithm": None}, "algorithm: expected a text"),
    ],
)
def test_a_record_that_is_none_is_refused(tmp_path, monkeypatch, capsys, field, told):
    path = tmp_path / "finds.jsonl"
    find = {"algorithm": "fold", "ratio": 2, "instance": {"problem": "bin-covering"}}
    path.write_text(json.dumps(find | field) + "\n")
    assert run(monkeypatch, "fold", "--problem", "bin-covering", "-o", path) == 2
    assert f"finds.jsonl:1: {told}" in capsys.readouterr().err


def test_a_name_of_two_problems_wants_one(monkeypatch, capsys):
    assert run(monkeypatch, "guillotine") == 2
    assert "--problem" in capsys.readouterr().err


def test_a_certificate_of_less_than_the_optimum_is_not_recorded():
    """Who reads the record takes it for a proof of the optimum."""
    instance = BinCovering([5, 4, 3, 3, 2, 2], 5, "excess")
    result = api.solve(instance, certify=True)
    record = searching.Found("x", instance, 6, result, searching.Exhausted(), 1, 1, 0)
    assert record.to_dict()["certificate"] == result.certificate
    less = replace(result, trust=Trust.PROVED, certified_bound=result.cost - 1)
    assert replace(record, result=less).to_dict()["certificate"] is None
