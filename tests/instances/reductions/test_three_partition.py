"""Theorem 5 and the gap of 4/3: equivalent to 3-Partition, exhaustively."""

from itertools import combinations_with_replacement

import pytest

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.reductions.three_partition import (
    REDUCTIONS,
    ThreePartition,
    gap_instance,
    solution_back,
    to_bin_covering,
)
from atleastk.solvers.brute_force.bin_covering import optimum


def answer(weights, target):
    if not weights:
        return True
    first, *rest = weights
    for i in range(len(rest)):
        for j in range(i + 1, len(rest)):
            if first + rest[i] + rest[j] == target:
                left = [w for t, w in enumerate(rest) if t not in (i, j)]
                if answer(left, target):
                    return True
    return False


def all_problems(target, triples):
    weights = [w for w in range(target) if target < 4 * w < 2 * target]
    for chosen in combinations_with_replacement(weights, 3 * triples):
        if sum(chosen) == triples * target:
            yield ThreePartition(target, chosen)


PROBLEMS = [p for target in range(12, 28) for p in all_problems(target, 2)]


def test_theorem_5_is_an_equivalence():
    """The optimum is B iff yes, and the bins map back to triples; else above B."""
    answers = []
    for problem in PROBLEMS:
        yes = answer(list(problem.weights), problem.target)
        answers.append(yes)
        cost, groups = optimum(to_bin_covering(problem))
        assert (cost == problem.target) == yes, problem
        assert cost == problem.target or cost >= 2 * problem.target, problem
        assert (solution_back(problem, groups) is not None) == yes, problem
    assert 30 < sum(answers) < len(answers) - 30


@pytest.mark.parametrize("offset", [1, 40])
def test_the_gap_is_as_stated(offset):
    """3D + B if yes, above 4D + B if no: with two triples even 6D + 2B."""
    for problem in PROBLEMS:
        yes = answer(list(problem.weights), problem.target)
        instance = gap_instance(problem, offset)
        cost, groups = optimum(instance)
        assert instance.k == 3 * offset + problem.target
        assert (cost == instance.k) == yes, problem
        assert yes or cost > 4 * offset + problem.target, problem
        assert (solution_back(problem, groups) is not None) == yes, problem


def test_the_gap_with_three_triples():
    """Nine weights: no-instances cost between 4D + B and 5D; yes-instances k."""
    problems = list(all_problems(15, 3)) + list(all_problems(16, 3))[:20]
    for problem in problems[::4]:
        yes = answer(list(problem.weights), problem.target)
        cost, _ = optimum(gap_instance(problem, 100))
        assert (cost == 300 + problem.target) == yes, problem
        assert yes or cost > 400 + problem.target, problem


def test_offset_must_be_positive():
    """Without an offset two items could fill a bin of the lifted instance."""
    with pytest.raises(InvalidInstanceError, match="offset"):
        gap_instance(ThreePartition(12, [4, 4, 4]), 0)


def test_bins_of_cost_k_are_triples():
    """Other bins are no solution."""
    (reduction,) = REDUCTIONS
    problem = ThreePartition(12, (4, 4, 4, 4, 4, 4))
    image = reduction.forward(problem)
    cost, groups = optimum(image)
    assert cost == image.k == 12
    assert len(reduction.back(problem, groups)) == 2
    assert reduction.back(problem, [range(6)]) is None
