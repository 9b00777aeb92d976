"""Standard sizes: every method against brute force; the promise of the algorithm."""

import random

import pytest

import atleastk
from atleastk.instances.generators.standard_sizes import one_long
from atleastk.instances.standard_sizes import StandardSizes
from atleastk.solvers.brute_force.standard_sizes import ITEMS, optimum
from atleastk.solvers.standard_sizes.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.standard_sizes.methods import METHODS


def drawn(seed, most):
    """Return an instance of at most so many pieces."""
    rng = random.Random(seed)
    n = rng.randint(1, most)
    lengths = [rng.randint(1, rng.choice([2, 9, 10**30])) for _ in range(n)]
    return StandardSizes(lengths, rng.randint(1, 4))


def test_the_judge_by_hand():
    """(3, 4, 4) and (8, 9); fewer pieces than k; too many pieces."""
    assert optimum(StandardSizes([3, 9, 4, 8, 4], 2)) == (30, [[0, 2, 4], [1, 3]])
    assert optimum(StandardSizes([3], 2)) is None
    with pytest.raises(atleastk.NotApplicableError):
        optimum(StandardSizes([1] * (ITEMS + 1), 1))


@pytest.mark.parametrize("seed", range(60))
def test_optimum_certificate_and_promise(seed):
    """The automatic choice is exact and certified; the algorithm is near enough."""
    instance = drawn(seed, 8)
    best, found = optimum(instance), atleastk.solve(instance, workers=1)
    assert found.cost == (None if best is None else best[0])
    assert atleastk.check(instance, found).proved
    if best is not None:
        made = atleastk.approximate(instance, "longest-first")
        assert made.guarantee.holds(instance, made.cost, found.cost)


@pytest.mark.parametrize("method", [method.name for method in METHODS])
def test_every_method_finds_the_same(method):
    rng = random.Random(1)
    for _ in range(5):
        instance = StandardSizes([rng.randint(1, 9) for _ in range(8)], 3)
        found = atleastk.solve(instance, method=method, workers=1)
        assert (found.status, found.cost) == ("OPTIMAL", optimum(instance)[0])


def test_the_promise_is_not_too_weak():
    """One long piece among short ones costs almost 2 - 1/k times the optimum.

    Where an algorithm is worst its promise has to hold, and little less would not.
    """
    instance = one_long(0, k=4, long=10**6)
    made = atleastk.approximate(instance, ALGORITHMS[0].name)
    best = atleastk.solve(instance).cost
    assert made.guarantee.holds(instance, made.cost, best)
    assert made.cost > 1.74 * best
