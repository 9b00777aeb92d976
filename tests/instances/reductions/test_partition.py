"""The gap of 2: equivalent to Partition, exhaustively."""

from itertools import chain, combinations, combinations_with_replacement

import pytest

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.reductions.partition import gap_instance
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
