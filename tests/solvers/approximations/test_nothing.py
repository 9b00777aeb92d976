"""Every algorithm, where there is nothing: a solution of cost 0, within its promise."""

import pytest

import atleastk
from atleastk.registry import PROBLEMS

NOTHING = {
    "bin-covering": {"sizes": [], "k": 3},
    "interval-covering": {"sizes": [], "k": 3},
    "connected-partition": {"weights": [], "edges": [], "k": 3},
    "rectangle-tiling": {"points": [], "k": 3},
    "rectangle-tiling-grid": {"grid": [], "p": 3},
    "r-gather": {"points": [], "r": 1},
    "cellular-clustering": {"points": [], "r": 1},
    "k-anonymity": {"table": [], "k": 3},
    "k-ambiguity": {"table": [], "k": 3},
    "generalization": {"table": [], "k": 3, "hierarchies": []},
    "suppression": {"table": [], "k": 3},
}


def nothing(problem):
    return atleastk.from_dict({"problem": problem, **NOTHING[problem]})


EVERY = [
    (problem.name, algorithm.name)
    for problem in PROBLEMS.values()
    for algorithm in problem.algorithms
    if algorithm.refuses(nothing(problem.name)) is None
]


@pytest.mark.parametrize(("problem", "algorithm"), EVERY)
def test_nothing_costs_nothing(problem, algorithm):
    result = atleastk.approximate(nothing(problem), algorithm)
    assert (result.cost, result.groups) == (0, ())
    promise = result.guarantee
    assert promise is None or promise.holds(nothing(problem), 0, 0)


def test_all_problems_are_asked():
    assert {problem for problem, _ in EVERY} == set(PROBLEMS)
