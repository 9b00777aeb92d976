import random

import pytest

from atleastk import IntervalCovering, Solution
from atleastk.models.interval_covering import check
from atleastk.solvers.brute_force.interval_covering import optimum
from atleastk.solvers.compiled import rows
from atleastk.solvers.interval_covering.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.interval_covering.methods import best_intervals

OBJECTIVES = ("max", "excess", "quadratic")
GREEDY = ALGORITHMS[0]


def agree(instance):
    best, found = optimum(instance), best_intervals(instance)
    if best is None or found is None:
        assert best is None, instance.to_dict()
        assert found is None, instance.to_dict()
        return
    verdict = check(instance, Solution.of(found))
    assert verdict.feasible, instance.to_dict()
    assert verdict.cost == best[0], (instance.to_dict(), verdict, best)


@pytest.mark.parametrize("few", [0, rows.FEW])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_random_rows_of_any_magnitude(objective, few, monkeypatch):
    monkeypatch.setattr(rows, "FEW", few)
    rng = random.Random(4)
    for _ in range(400):
        scale = rng.choice([1, 1, 2**61])
        high = rng.choice([2, 6, 15])
        sizes = [scale * rng.randint(1, high) for _ in range(rng.randint(1, 9))]
        agree(IntervalCovering(sizes, scale * rng.randint(1, 12), objective))


def test_compiled_and_interpreted_agree_on_long_rows():
    rng = random.Random(5)
    sizes = [rng.randint(1, 40) for _ in range(400)]
    for objective in OBJECTIVES:
        for k in (7, 60, 900):
            plain = IntervalCovering(sizes, k, objective)
            scaled = IntervalCovering([s << 90 for s in sizes], k << 90, objective)
            assert best_intervals(plain) == best_intervals(scaled)


def test_the_greedy_is_feasible_and_optimal_for_excess():
    rng = random.Random(6)
    for _ in range(300):
        sizes = [rng.randint(1, 9) for _ in range(rng.randint(0, 8))]
        instance = IntervalCovering(sizes, rng.randint(1, 12), "excess")
        verdict = check(instance, GREEDY.run(instance, 0))
        best = optimum(instance)
        assert verdict.feasible == (best is not None)
        assert best is None or verdict.cost == best[0], instance.to_dict()


@pytest.mark.sweep
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_million_sizes(objective):
    rng = random.Random(8)
    sizes = [rng.randint(1, 10_000) for _ in range(10**6)]
    instance = IntervalCovering(sizes, 10**5, objective)
    assert check(instance, Solution.of(best_intervals(instance))).feasible
