"""Every algorithm, where there is nothing: a solution of cost 0, within its promise."""

import pytest

import atleastk
from atleastk.runs.registry import PROBLEMS

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
    "diversity": {"table": [], "k": 3, "hierarchies": [], "sensitive": []},
    "suppression": {"table": [], "k": 3},
}


def nothing(problem):
    return atleastk.from_dict({"problem": problem, **NOTHING[problem]})


@pytest.mark.parametrize("problem", PROBLEMS)
def test_nothing_costs_nothing(problem):
    """By all that take it; there is one for every problem."""
    instance = nothing(problem)
    named = PROBLEMS[problem].algorithms
    taking = [a.name for a in named if a.refuses(instance) is None]
    assert taking
    for algorithm in taking:
        result = atleastk.approximate(instance, algorithm)
        assert (result.cost, result.groups) == (0, ()), algorithm
        promise = result.guarantee
        assert promise is None or promise.holds(instance, 0, 0), algorithm
