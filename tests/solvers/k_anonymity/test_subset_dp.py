import random

from costs import cost_of

from atleastk import KAnonymity, Solution
from atleastk.solvers.brute_force.k_anonymity import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity.subset_dp import MOST_ROWS, best_partition, refuses


def test_the_best_is_that_of_the_judge(tables):
    rng = random.Random(3)
    for _ in range(300):
        instance = tables.random_anonymity(rng, 7)
        best, groups = optimum(instance), best_partition(instance, Budget())
        assert (best is None) == (groups is None), instance
        if best is not None:
            assert cost_of(instance, Solution.of(groups)) == best[0], instance


def test_refusals():
    assert refuses(KAnonymity([[1]] * MOST_ROWS, 2)) is None
    assert "too many subsets" in refuses(KAnonymity([[1]] * (MOST_ROWS + 1), 2))


def test_no_time_no_answer():
    table = [[i, i % 3] for i in range(18)]
    assert best_partition(KAnonymity(table, 3), Budget.of(0)) is None
