import random

from atleastk import BinCovering, Solution
from atleastk.models.bin_covering import balanced_cost, check
from atleastk.models.covering import levels
from atleastk.solvers.bin_covering.squares import near_levels
from atleastk.solvers.brute_force.bin_covering import partitions


def test_cheaper_solutions_have_near_levels_and_cost_no_less_than_balanced():
    rng = random.Random(3)
    seen = 0
    for _ in range(100):
        sizes = [
            rng.randint(1, rng.choice([3, 9, 40])) for _ in range(rng.randint(1, 6))
        ]
        instance = BinCovering(sizes, rng.randint(1, 20), "quadratic")
        for groups in partitions(len(sizes)):
            solution = Solution.of(groups)
            verdict = check(instance, solution)
            if not verdict.feasible:
                continue
            cost, bins = verdict.cost, len(solution.groups)
            assert balanced_cost(instance, bins) <= cost, (instance, solution)
            near = near_levels(instance, bins, cost + 1)
            for level in levels(instance, solution):
                assert near.holds(level), (instance, solution)
            seen += 1
    assert seen > 1000
