import time
from itertools import count
from random import Random
from types import SimpleNamespace

import pytest

from atleastk import BinCovering, KAnonymity
from atleastk.research.adversary import walking
from atleastk.research.adversary.judging import Judge
from atleastk.research.adversary.planted import Plant
from atleastk.research.adversary.walking import (
    MOST_ITEMS,
    moved,
    scaled,
    stretched,
    worst_plant,
)
from atleastk.runs.registry import PROBLEMS, algorithm_named, problem_named

BINS = problem_named("bin-covering")
EVEN = Plant(((3,), (5,), (4,), (4,)), (0, 0, 1, 1), 8)
"""The groups are the best ones."""


def judge_of(algorithm):
    return Judge(BINS, algorithm_named(BINS, algorithm))


def test_finer_numbers_leave_the_ratio():
    judge = judge_of("spread")
    finer = scaled(judge.ground, EVEN)
    assert finer.k > EVEN.k
    assert judge.ratio(finer) == judge.ratio(EVEN)


def test_without_time_every_start_is_judged():
    judge = judge_of("fold-last")
    bad = Plant(((3,), (1,), (3,), (1,)), (0, 0, 1, 1), 4)
    worst = worst_plant(judge, Random(0), [EVEN, bad, EVEN], time.monotonic())
    assert worst is not None
    assert worst[0] == max(judge.ratio(EVEN), judge.ratio(bad))


def test_without_a_start_there_is_nothing():
    assert worst_plant(judge_of("fold"), Random(0), [], time.monotonic()) is None


@pytest.mark.parametrize("name", [p for p in PROBLEMS if PROBLEMS[p].ground])
def test_other_names_cost_the_same(name):
    problem, rng = problem_named(name), Random(5)
    judge = Judge(problem, problem.algorithms[0])
    for k in judge.ground.ks:
        fields = judge.ground.fields[0]
        items, homes = judge.ground.start(rng, k, fields)
        _, cost = judge.planted(Plant(tuple(items), tuple(homes), k, fields))
        for _ in range(5):
            items, homes = judge.ground.relabelled(rng, items, homes)
            plant = Plant(tuple(items), tuple(homes), k, fields)
            assert judge.planted(plant)[1] == cost


def test_weights_stay_as_near_to_shares_of_k():
    assert stretched(11, 12, 10) == [119, 110]
    assert stretched(1, 100, 10) == [1, 10]
    assert 499 in stretched(49, 100, 10)


STAR = KAnonymity([[c, *p] for p in ([0, 0], [1, 0], [0, 1]) for c in (0, 1)], 2)
LEVELS = BinCovering([9, 1, 9, 1, 9, 1], 10)


@pytest.mark.parametrize(
    ("algorithm", "instance", "seed", "least"),
    [("approx-gr", STAR, 1, 5), ("fold", LEVELS, 2, 2.6)],
    ids=["star", "tight-fold"],
)
def test_k_grows_from_a_small_seed(monkeypatch, algorithm, instance, seed, least):
    looks = count()
    clock = SimpleNamespace(monotonic=lambda: next(looks))
    monkeypatch.setattr(walking, "time", clock)
    problem = problem_named(instance.problem)
    judge = Judge(problem, algorithm_named(problem, algorithm))
    plant = problem.ground.plant(instance, [g // 2 for g in range(instance.n)])
    found = worst_plant(judge, Random(seed), [plant], 3000)
    assert found is not None
    assert found[0] > least
    assert found[1].k > instance.k
    assert judge.plants < 3000


@pytest.mark.parametrize("name", [p for p in PROBLEMS if PROBLEMS[p].ground])
def test_neighbours_keep_a_home_for_every_item(name):
    ground, rng = problem_named(name).ground, Random(2)
    items, homes = ground.start(rng, ground.ks[0], ground.fields[0])
    plant = Plant(tuple(items), tuple(homes), ground.ks[0], ground.fields[0])
    for _ in range(300):
        plant = moved(ground, plant, rng)
        assert 1 <= len(plant.items) == len(plant.homes) <= MOST_ITEMS
