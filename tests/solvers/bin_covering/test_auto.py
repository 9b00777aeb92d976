import random

import pytest
from searching import searched

import atleastk
from atleastk import BinCovering, Status
from atleastk.instances.generators.bin_covering import (
    three_partition_no,
    three_partition_yes,
    tight_five_halves,
    tight_fold,
)
from atleastk.solvers.bin_covering.auto import solve
from scripts.sweeps import drawn_weights as sweep

SMALL = ("uniform", "duplicates", "heavy and light", "near a multiple", "geometric")


def best(sizes, k, objective="max"):
    search = searched(solve, BinCovering(sizes, k, objective))
    assert search.closed, (sizes, k, objective)
    return search.cost


@pytest.mark.parametrize(
    ("objective", "count", "shapes"),
    [
        ("max", 60, (*SMALL, "wide", "huge")),
        ("excess", 80, (*SMALL, "wide", "huge")),
        ("quadratic", 30, (*SMALL, "wide", "huge")),
    ],
)
def test_the_portfolio_against_the_judge(objective, count, shapes, fault):
    rng = random.Random(1)
    for _ in range(count):
        instance = sweep.random_bins(rng, 7, shapes, (objective,))
        start = rng.choice([None, "random"])
        exact = objective != "quadratic" or instance.total < 2**31
        wrong = fault(instance, may_stay_open=not exact, portfolio=True, start=start)
        assert wrong is None, instance.to_dict()


@pytest.mark.parametrize(
    "instance",
    [
        *[tight_fold(0, k=k) for k in (5, 9, 21, 101)],
        *[tight_five_halves(0, k=k) for k in (14, 100, 1000)],
        three_partition_yes(1, groups=6, target=1000),
        three_partition_yes(2, groups=40, target=100),
    ],
    ids=str,
)
def test_planted_optima_of_k(instance):
    assert best(instance.sizes, instance.k) == instance.k


def test_no_triples_of_exactly_k():
    """Sizes of 1 mod 5 admit no bin of three at k = 0 mod 5; nor is one bin needed."""
    instance = three_partition_no(1, groups=5, target=100)
    assert instance.k < best(instance.sizes, instance.k) < instance.total


def test_numbers_beyond_doubles():
    unit = 10**400
    sizes = [size * unit + size for size in (13, 11, 8, 8, 7, 5, 4)]
    small = best([13, 11, 8, 8, 7, 5, 4], 15)
    assert best(sizes, 15 * unit + 15) == small * unit + small


@pytest.mark.usefixtures("_measured_by_work")
@pytest.mark.parametrize(
    ("sizes", "k"),
    [
        ([41951, 66577, 64132], 70150),
        ([2147483649, 5368709119, 2147483649], 3221225471),
    ],
)
def test_quadratic_costs_of_any_magnitude_do_not_crash(sizes, k):
    instance = BinCovering(sizes, k, "quadratic")
    result = atleastk.solve(instance, time_limit=5, workers=1)
    assert result.status in (Status.OPTIMAL, Status.FEASIBLE)
