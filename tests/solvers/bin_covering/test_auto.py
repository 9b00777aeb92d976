import heapq
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
from atleastk.models.bin_covering import check
from atleastk.models.covering import total_cost
from atleastk.solvers.bin_covering import auto as portfolio
from atleastk.solvers.bin_covering.algorithms.catalogue import ALGORITHMS
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


def first_stage(instance, monkeypatch):
    """Return the cost that is known when the search in rounds would begin."""
    monkeypatch.setattr(portfolio, "STAGES", portfolio.STAGES[:3])
    return searched(solve, instance).cost


def longest_first_cost(instance):
    """Return the cost of ten lines: longest first, one bin fewer until all reach k."""
    for bins in range(instance.total // instance.k, 0, -1):
        levels = [0] * bins
        for size in sorted(instance.sizes, reverse=True):
            heapq.heapreplace(levels, levels[0] + size)
        if min(levels) >= instance.k:
            return total_cost(instance, levels)
    raise AssertionError


@pytest.mark.parametrize("objective", ["max", "excess", "quadratic"])
def test_the_first_stage_is_no_worse_than_what_is_cheap(objective, monkeypatch):
    rng = random.Random(7)
    for _ in range(30):
        high = rng.choice([5, 100, 10**6, 2**60])
        sizes = [rng.randint(1, high) for _ in range(rng.choice([3, 10, 40, 300]))]
        k = rng.choice([sum(sizes) // len(sizes), sum(sizes) // 3, high])
        instance = BinCovering(sizes, min(max(1, k), sum(sizes)), objective)
        cost = first_stage(instance, monkeypatch)
        assert cost <= longest_first_cost(instance), instance.to_dict()
        for algorithm in ALGORITHMS:
            if algorithm.refuses(instance) is None:
                other = check(instance, algorithm.run(instance, 0)).cost
                assert cost <= other, (algorithm.name, instance.to_dict())
