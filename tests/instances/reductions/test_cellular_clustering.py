"""Set cover into cellular clustering: the cost is |X| + |S| + the fewest sets."""

from dataclasses import replace
from itertools import combinations, combinations_with_replacement
from random import Random

import pytest

from atleastk import InvalidInstanceError, Solution
from atleastk.instances.reductions.cellular_clustering import (
    REDUCTIONS,
    UNCOVERED,
    SetCover,
    cover_back,
    to_cellular_clustering,
)
from atleastk.instances.spaces.metric_spaces import triangle_violation
from atleastk.models.cellular_clustering import check
from atleastk.solvers.brute_force.cellular_clustering import optimum

(REDUCTION,) = REDUCTIONS


def fewest(problem):
    m = len(problem.sets)
    return next(
        size
        for size in range(m + 1)
        if any(map(problem.covers, combinations(range(m), size)))
    )


def systems(most_elements, most_sets):
    for elements in range(most_elements + 1):
        subsets = [
            s
            for size in range(elements + 1)
            for s in combinations(range(elements), size)
        ]
        for m in range(most_sets + 1):
            for sets in combinations_with_replacement(subsets, m):
                problem = SetCover(elements, sets)
                if problem.coverable:
                    yield problem


def test_the_cost_is_that_of_the_theorem():
    count = 0
    for problem in systems(3, 3):
        instance = to_cellular_clustering(problem)
        cost, solution = optimum(instance)
        count += 1
        assert REDUCTION.applies(problem)
        assert REDUCTION.cost(problem, cost) == fewest(problem)
        back = cover_back(problem, solution.groups)
        assert problem.covers(back)
        assert len(back) == fewest(problem)
        if problem.elements < 3:
            assert optimum(replace(instance, centres="member"))[0] == cost
    assert count == 115


def test_any_clustering_goes_back():
    rng = Random(1)
    for problem in systems(3, 4):
        if not problem.sets:
            continue
        instance = to_cellular_clustering(problem)
        for _ in range(3):
            parts = [rng.randrange(instance.n) for _ in range(instance.n)]
            groups = [
                [i for i, p in enumerate(parts) if p == part] for part in set(parts)
            ]
            back = cover_back(problem, groups)
            assert problem.covers(back)
            cost = check(instance, Solution.of(groups)).cost
            assert len(back) <= REDUCTION.cost(problem, cost)


def test_images_are_as_said():
    problem = SetCover(3, [[1, 0], [2, 1], []])
    assert problem.sets == ((0, 1), (1, 2), ())
    instance = to_cellular_clustering(problem)
    assert instance.distances == (
        (0, 1, 1, 1, 1, 2),
        (1, 0, 1, 2, 1, 1),
        (1, 1, 0, 2, 2, 2),
        (1, 2, 2, 0, 2, 3),
        (1, 1, 2, 2, 0, 2),
        (2, 1, 2, 3, 2, 0),
    )
    assert instance.facility_costs == (1, 1, 1, 2, 2, 2)
    assert all(
        triangle_violation(to_cellular_clustering(problem).space) is None
        for problem in systems(3, 2)
    )


def test_a_lower_price_is_too_low():
    """With 1 an element alone is free: one set of one element."""
    problem = SetCover(1, [[0]])
    instance = to_cellular_clustering(problem)
    assert optimum(instance)[0] == 3
    assert optimum(replace(instance, facility_costs=[1, 1]))[0] == 2


def test_elements_in_no_set():
    assert not UNCOVERED.coverable
    assert not REDUCTION.applies(UNCOVERED)
    assert not UNCOVERED.covers([0, 1])
    dear = replace(to_cellular_clustering(UNCOVERED), facility_costs=[1, 1, 100])
    assert optimum(dear)[0] == 1 + 2 + 2


@pytest.mark.parametrize(
    ("sets", "message"),
    [([[0], [2]], r"sets\[1\]: expected"), ([[0, 0]], r"sets\[0\]: expected")],
)
def test_other_sets_are_refused(sets, message):
    with pytest.raises(InvalidInstanceError, match=message):
        SetCover(2, sets)
