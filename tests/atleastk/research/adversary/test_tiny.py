from itertools import islice, product

import pytest

from atleastk.research.adversary.tiny import stages
from atleastk.runs.registry import PROBLEMS, problem_named

COUNTS = {
    # all sequences of so many sizes up to k
    "bin-covering": {"2 sizes, k = 3": 9, "3 sizes, k = 2": 8},
    # three columns, each one of the 5 partitions of 3 rows, in any order; k = 2, 3
    "k-anonymity": {"tables of 3 x 3": 35 * 2},
    # 3 distances up to 2, all of them metric; r = 1, 2, 3; 3 kinds of centres, limits
    "r-gather": {"3 points, distances up to 2": 8 * 3 * 12},
    # a path and a triangle
    "connected-partition": {
        "graphs of 3 nodes, weights up to 5": 2
        * sum(max(0, sum(abc) // 2 - 1) for abc in product(range(1, 6), repeat=3))
    },
    "rectangle-tiling-grid": {"grids of 2 x 2, weights up to 2": 81 * 3},
}


@pytest.mark.parametrize("name", COUNTS)
def test_no_instance_is_missed(name):
    found = {}
    for words, instances in stages(problem_named(name)):
        if words in COUNTS[name]:
            found[words] = sum(1 for _ in instances)
        if set(found) == set(COUNTS[name]):
            break
    assert found == COUNTS[name]


@pytest.mark.parametrize("name", PROBLEMS)
def test_they_are_instances_of_the_problem(name):
    for _words, instances in islice(stages(problem_named(name)), 3):
        for instance in islice(instances, 50):
            assert instance.problem == name
