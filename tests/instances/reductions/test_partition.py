"""The gap of 2: equivalent to Partition, exhaustively."""

from itertools import chain, combinations, combinations_with_replacement

import pytest

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.reductions.partition import REDUCTIONS, Partition, gap_instance
from atleastk.solvers.brute_force.bin_covering import optimum


def splits(weights):
    sizes = range(len(weights) + 1)
    parts = chain.from_iterable(combinations(weights, size) for size in sizes)
    return any(2 * sum(part) == sum(weights) for part in parts)


def test_the_optimum_is_k_or_2k():
    answers = set()
    for n in range(1, 6):
        for weights in combinations_with_replacement(range(1, 7), n):
            if sum(weights) % 2 == 0:
                instance = gap_instance(weights)
                yes = splits(weights)
                answers.add(yes)
                expected = instance.k if yes else 2 * instance.k
                assert optimum(instance)[0] == expected, weights
    assert answers == {True, False}


@pytest.mark.parametrize("weights", [[], [3], [1, 2]])
def test_odd_totals_are_refused(weights):
    with pytest.raises(InvalidInstanceError, match="weights"):
        gap_instance(weights)
    assert not weights or not REDUCTIONS[0].applies(Partition(weights))


@pytest.mark.parametrize("weights", [(1, 2, 3), (3, 3, 2, 2, 2), (1, 1, 4)])
def test_halves(weights):
    """Yes iff the optimum is k; then the bins are halves."""
    problem = Partition.from_dict({"problem": "partition", "weights": weights})
    assert REDUCTIONS[0].applies(problem)
    image = REDUCTIONS[0].forward(problem)
    cost, groups = optimum(image)
    half = REDUCTIONS[0].back(problem, groups)
    assert (half is not None) == (cost == image.k)
    if half is not None:
        assert 2 * sum(weights[i] for i in half) == sum(weights)
