import heapq
import random
from dataclasses import replace

import pytest
from searching import searched

import atleastk
from atleastk import BinCovering, Solution, Status, Trust
from atleastk.instances.generators.bin_covering import (
    census_like,
    three_partition_no,
    three_partition_yes,
    tight_five_halves,
    tight_fold,
    uniform,
)
from atleastk.models.bin_covering import check
from atleastk.models.covering import total_cost
from atleastk.solvers.bin_covering import auto as portfolio
from atleastk.solvers.bin_covering.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.bin_covering.auto import solve
from atleastk.solvers.bin_covering.subset_dp import best_partition
from atleastk.solvers.budget import Budget

SMALL = ("uniform", "duplicates", "heavy and light", "near a multiple", "geometric")
LINEAR = ("max", "excess")


def best(sizes, k, objective="max"):
    search = searched(solve, BinCovering(sizes, k, objective))
    assert search.closed, (sizes, k, objective)
    return search.cost


def random_cases(sweep, seed, count, objectives=LINEAR):
    rng = random.Random(seed)
    for _ in range(count):
        instance = sweep.random_bins(rng, 10, SMALL, objectives)
        yield rng, list(instance.sizes), instance.k, instance.objective


@pytest.mark.parametrize(
    ("objective", "count", "shapes"),
    [
        ("max", 150, (*SMALL, "wide", "huge")),
        ("excess", 200, (*SMALL, "wide", "huge")),
        ("quadratic", 60, (*SMALL, "wide", "huge")),
    ],
)
def test_the_portfolio_against_the_judge(objective, count, shapes, sweep, fault):
    rng = random.Random(1)
    for _ in range(count):
        instance = sweep.random_bins(rng, 7, shapes, (objective,))
        start = rng.choice([None, "random"])
        exact = objective != "quadratic" or instance.total < 2**31
        wrong = fault(instance, may_stay_open=not exact, portfolio=True, start=start)
        assert wrong is None, instance.to_dict()


def compare_with_all_subsets(seed, count, most_items):
    rng = random.Random(seed)
    for _ in range(count):
        n, high = rng.randint(9, most_items), 10 ** rng.randint(1, 6)
        sizes = [rng.randint(1, high) for _ in range(n)]
        k = max(1, int(max(sizes) * rng.uniform(0.7, 2.5)))
        objective = rng.choice(["max", "max", "excess"])
        instance = BinCovering(sizes, k, objective)
        bins = best_partition(instance, Budget())
        optimum = None if bins is None else check(instance, Solution.of(bins)).cost
        assert best(sizes, k, objective) == optimum, (sizes, k, objective)


def test_the_portfolio_against_all_subsets():
    compare_with_all_subsets(2, 20, 12)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(20))
def test_the_portfolio_against_all_subsets_in_a_sweep(seed):
    compare_with_all_subsets(100 + seed, 30, 16)


@pytest.mark.parametrize(
    ("sizes", "k", "optimum"),
    [
        ([10, 6, 6, 6], 10, 16),
        ([3, 3, 3], 4, 9),
        ([7, 7, 7, 7, 2, 2, 2, 2], 9, 9),
        ([1], 1, 1),
        ([5], 1, 5),
        *[([k] * (k - 1) + [k - 1] + [1] * k, k, k + 1) for k in (3, 5, 10, 40)],
        *[([k] * (3 * k) + [k - 1] + [1] * k, k, k + 1) for k in (4, 7)],
    ],
)
def test_known_answers(sizes, k, optimum):
    assert best(sizes, k) == optimum


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


def test_the_order_of_items_does_not_matter(sweep):
    for rng, sizes, k, objective in random_cases(sweep, 2, 60):
        shuffled = rng.sample(sizes, len(sizes))
        assert best(sizes, k, objective) == best(shuffled, k, objective), (sizes, k)


def test_sizes_and_k_scale_together(sweep):
    for rng, sizes, k, objective in random_cases(sweep, 3, 60):
        factor = rng.choice([2, 3, 1000, 2**40, 2**70])
        cost = best(sizes, k, objective)
        scaled = best([factor * size for size in sizes], factor * k, objective)
        assert scaled == (None if cost is None else factor * cost), (sizes, k, factor)


def test_a_greater_k_never_costs_less(sweep):
    for _, sizes, k, _ in random_cases(sweep, 4, 40, ("max",)):
        cost, more = best(sizes, k), best(sizes, k + 1)
        assert more is None or (cost is not None and cost <= more), (sizes, k)


def test_an_item_cut_in_two_never_costs_more(sweep):
    for rng, sizes, k, objective in random_cases(sweep, 5, 60):
        i = rng.randrange(len(sizes))
        if sizes[i] < 2:
            continue
        part = rng.randint(1, sizes[i] - 1)
        cut = [*sizes[:i], part, sizes[i] - part, *sizes[i + 1 :]]
        cost = best(sizes, k, objective)
        assert cost is None or best(cut, k, objective) <= cost, (sizes, cut, k)


def test_a_heavy_item_more_can_stand_alone(sweep):
    """Of size x >= k: max grows to x at most; one of k leaves the excess as it is."""
    for rng, sizes, k, _ in random_cases(sweep, 6, 40):
        heavy = k + rng.randint(0, k)
        cost = best(sizes, k)
        if cost is not None:
            assert best([*sizes, heavy], k) <= max(cost, heavy), (sizes, k, heavy)
            excess = best(sizes, k, "excess")
            assert best([*sizes, k], k, "excess") == excess, (sizes, k)


def test_objectives_bound_each_other(sweep):
    """The least excess has the most bins, so none fewer than the least maximum."""
    for _, sizes, k, _ in random_cases(sweep, 7, 60):
        cost, excess = best(sizes, k), best(sizes, k, "excess")
        if cost is not None:
            bins = (sum(sizes) - excess) // k
            assert bins * k + excess == sum(sizes)
            assert cost * bins >= sum(sizes), (sizes, k)


@pytest.mark.parametrize("objective", LINEAR)
def test_two_families_agree_and_certificates_hold(objective, sweep):
    rng = random.Random(8)
    certified = 0
    for _ in range(15):
        instance = sweep.random_bins(rng, 8, SMALL, (objective,))
        agreed = atleastk.solve(instance, agree=True, workers=1)
        assert agreed.trust in (Trust.AGREED, Trust.CERTIFIED), instance
        result = atleastk.solve(instance, certify=True, workers=1)
        assert result.cost == agreed.cost, instance
        assert result.status is agreed.status, instance
        if result.status is not Status.INFEASIBLE:
            assert atleastk.check(instance, result).feasible, instance
        certified += result.trust is Trust.CERTIFIED
    assert certified > 10


@pytest.mark.parametrize(
    "instance",
    [
        uniform(3, n=18),
        uniform(3, n=14, high=10_000),
        replace(uniform(4, n=14), objective="excess"),
        replace(uniform(5, n=9), objective="quadratic"),
        census_like(1, n=200),
    ],
    ids=str,
)
def test_one_worker_is_deterministic(instance):
    """Same seed, one worker, closed: same cost, bound and groups.

    Parts of the search have slices of time, so loops are compiled beforehand.
    """
    atleastk.solve(instance, workers=1, seed=7)
    first, second = (atleastk.solve(instance, workers=1, seed=7) for _ in range(2))
    assert first.status is second.status is Status.OPTIMAL
    assert (first.cost, first.groups) == (second.cost, second.groups)


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
    for _ in range(60):
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
