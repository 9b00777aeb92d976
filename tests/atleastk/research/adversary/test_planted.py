import time
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from atleastk.instances.fields.errors import AtleastkError
from atleastk.research.adversary.judging import FaultError, Judge
from atleastk.research.adversary.planted import Plant
from atleastk.research.adversary.searching import drawn
from atleastk.research.adversary.walking import moved, worst_plant
from atleastk.runs.own_algorithms import algorithm_of
from atleastk.runs.registry import PROBLEMS, problem_named

GROUNDS = [name for name in PROBLEMS if PROBLEMS[name].ground]
COSTED = [name for name in GROUNDS if PROBLEMS[name].ground.cost]


def plants_of(ground, rng, steps):
    """Yield plants of every k and all fields; some of their groups are no solution."""
    for k, fields in product(ground.ks, ground.fields):
        items, homes = ground.start(rng, k, fields)
        plant = Plant(tuple(items), tuple(homes), k, fields)
        for _ in range(steps):
            yield plant
            n = len(plant.items)
            homes = [rng.choice((-1, 0, 1)) for _ in range(n)]
            yield replace(plant, homes=tuple(homes))
            yield replace(plant, homes=(0,) * n)
            plant = moved(ground, plant, rng)


@pytest.mark.parametrize("name", COSTED)
def test_planted_groups_cost_what_the_checker_says(name):
    problem, found = PROBLEMS[name], set()
    judge = Judge(problem, problem.algorithms[0])
    for plant in plants_of(judge.ground, Random(7), 12):
        instance, cost = judge.planted(plant)
        quick = judge.ground.cost(plant)
        assert instance is None or quick == cost
        found.add(cost)
    assert None in found
    assert len(found) > 2


@pytest.mark.parametrize(
    ("name", "items", "homes", "which", "cost"),
    [
        # A neighbour before the first node is none.
        ("connected-partition", [(2,), (2, 2), (2,)], (1, 0, 0), 0, None),
        # Boxes that share an edge, with as many cells as there are.
        (
            *("rectangle-tiling", [(1, 0, 0), (1, 1, 1), (1, 1, 0), (1, 2, 0)]),
            *((0, 0, 1, 1), 0, None),
        ),
        # More groups than rectangles.
        (
            *("rectangle-tiling-grid", [(1, 0, 0), (1, 0, 1), (1, 0, 2)]),
            *((0, 1, 2), 0, None),
        ),
        # A column that stays as it is.
        ("suppression", [(0, 1), (0, 2)], (0, 0), 3, 1),
    ],
)
def test_planted_groups_of_one_plant(name, items, homes, which, cost):
    problem = PROBLEMS[name]
    judge = Judge(problem, problem.algorithms[0])
    plant = Plant(tuple(items), homes, 2, problem.ground.fields[which])
    instance, checked = judge.planted(plant)
    assert instance is not None
    assert checked == judge.ground.cost(plant) == cost


def outcome(rate, plant):
    try:
        return rate(plant)
    except (FaultError, AtleastkError) as error:
        return type(error)


@pytest.mark.parametrize("name", GROUNDS)
def test_a_quick_ratio_is_the_ratio_of_every_algorithm(name):
    problem, rng, rated = PROBLEMS[name], Random(3), 0
    for algorithm in problem.algorithms:
        judge, strict = Judge(problem, algorithm), Judge(problem, algorithm)
        plant, *_ = drawn(judge, rng)
        for _ in range(8):
            for other in (plant, replace(plant, homes=(0,) * len(plant.items))):
                quick = outcome(judge.quick_ratio, other)
                assert quick == outcome(strict.ratio, other)
                rated += quick is not None
            plant = moved(judge.ground, plant, rng)
    assert rated


BINS = problem_named("bin-covering")
TWO = Plant(((3,), (5,), (4,), (4,)), (0, 0, 1, 1), 8)


def judge_of(function, **changes):
    judge = Judge(BINS, algorithm_of(BINS, function))
    judge.ground = replace(judge.ground, **changes)
    return judge


def together(instance):
    return [range(instance.n)]


def apart(instance):
    return [[i] for i in range(instance.n)]


def test_an_algorithm_is_asked_once_for_all_groups_of_the_same_items():
    asked = []

    def counts(instance):
        asked.append(instance)
        return together(instance)

    judge = judge_of(counts)
    plants = [TWO, replace(TWO, homes=(0,) * 4), TWO]
    assert [*map(judge.quick_ratio, plants)] == [2.0, 1.0, 2.0]
    assert len(asked) == 1
    assert judge.quick_ratio(replace(TWO, fields={})) == 2.0
    assert len(asked) == 2
    assert judge.quick_ratio(replace(TWO, k=7)) == 2.0
    assert len(asked) == 3


def test_what_is_too_good_is_looked_at_again():
    judge = judge_of(together, cost=lambda *_: 1)
    assert judge.quick_ratio(TWO) == judge.ratio(TWO) == 2.0
    found = worst_plant(judge, Random(0), [TWO], time.monotonic())
    assert found == (2.0, TWO)
    assert judge.quick_ratio(replace(TWO, homes=(0, 1, 2, 3))) is None


def test_a_promise_is_not_broken_by_a_wrong_cost():
    judge = judge_of(together, cost=lambda *_: 1)
    guarantee = BINS.algorithms[0].guarantee
    judge.algorithm = replace(judge.algorithm, guarantee=guarantee)
    assert judge.quick_ratio(TWO) == 2.0
    assert judge.broken is None


def test_a_fault_is_one_only_where_there_is_a_solution():
    judge = judge_of(apart, cost=lambda *_: 8)
    with pytest.raises(FaultError, match="below k"):
        judge.quick_ratio(TWO)
    assert judge.quick_ratio(replace(TWO, homes=(0, 1, 2, 3))) is None


def unknown(*_):
    raise LookupError


@pytest.mark.parametrize("cost", [None, unknown])
def test_without_a_quick_cost_the_checker_is_asked(cost):
    assert judge_of(together, cost=cost).quick_ratio(TWO) == 2.0


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("suppression", {"minimise": "rows"}),
        ("generalization", {"loss": "precision"}),
        ("generalization", {"hierarchies": [[[x, "*"] for x in range(4)]] * 3}),
        ("diversity", {"reading": "entropy"}),
    ],
)
def test_other_fields_are_left_to_the_checker(name, changed):
    ground, rng = PROBLEMS[name].ground, Random(0)
    fields = {**ground.fields[0], "on": "attributes", **changed}
    items, _ = ground.start(rng, 2, fields)
    with pytest.raises(LookupError):
        ground.cost(Plant(tuple(items), (0,) * len(items), 2, fields))
