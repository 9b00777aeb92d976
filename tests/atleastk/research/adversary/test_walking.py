import time
from random import Random

import pytest

from atleastk.research.adversary.grounds import Plant
from atleastk.research.adversary.judging import Judge
from atleastk.research.adversary.walking import MOST_ITEMS, moved, scaled, worst_plant
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
def test_neighbours_keep_a_home_for_every_item(name):
    ground, rng = problem_named(name).ground, Random(2)
    items, homes = ground.start(rng, ground.ks[0], ground.fields[0])
    plant = Plant(tuple(items), tuple(homes), ground.ks[0], ground.fields[0])
    for _ in range(300):
        plant = moved(ground, plant, rng)
        assert 1 <= len(plant.items) == len(plant.homes) <= MOST_ITEMS
