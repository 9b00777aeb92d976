import random
from itertools import pairwise

from costs import cost_of

from atleastk import ConnectedPartition, Solution, Status
from atleastk.instances.generators.connected_partition import grid, tree
from atleastk.models.connected_partition import check
from atleastk.solvers.brute_force.connected_partition import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.frontier import decide_by_frontier
from atleastk.solvers.engine.boundary import order_of, steps_of, width
from scripts.sweeps.drawn_weights import random_map


def decided(instance, most, budget=None):
    steps = [*steps_of(instance.neighbours, order_of(instance.neighbours))]
    budget = budget or Budget()
    return decide_by_frontier(instance.weights, steps, instance.k, most, budget)


def test_optima_are_those_of_the_judge():
    rng = random.Random(1)
    for _ in range(150):
        instance = random_map(rng, rng.randrange(9))
        best = optimum(instance)
        if best is None:
            assert decided(instance, instance.total).status is Status.INFEASIBLE
            continue
        cost, _ = best
        for most in (cost, rng.randint(cost, max(cost, instance.total))):
            assert cost_of(instance, Solution.of(decided(instance, most).found)) == cost
        if instance.n:
            assert decided(instance, cost - 1).status is Status.INFEASIBLE


def test_a_path_by_cuts():
    rng = random.Random(2)
    weights = [rng.randint(0, 9) for _ in range(60)]
    instance = ConnectedPartition(weights, list(pairwise(range(60))), 13)
    best = [0]
    for end in range(1, 61):
        sums = ((begin, sum(weights[begin:end])) for begin in range(end))
        ways = (max(best[begin], weight) for begin, weight in sums if weight >= 13)
        best.append(min(ways, default=10**9))
    answer = decided(instance, instance.total)
    assert check(instance, Solution.of(answer.found)).cost == best[-1]


def test_long_grids_and_trees():
    narrow = grid(0, rows=4, columns=40, w=1, parts=40)
    assert width(narrow.neighbours, order_of(narrow.neighbours)) <= 5
    assert check(narrow, Solution.of(decided(narrow, 4).found)).cost == 4
    large = tree(0, n=200, w=5, parts=10)
    order = order_of(large.neighbours)
    assert sorted(order) == list(range(200))
    assert width(large.neighbours, order) <= 10
    assert decided(large, large.k - 1).status is Status.INFEASIBLE


def test_the_frontier_of_cliques():
    clique = [[v for v in range(5) if v != u] for u in range(5)]
    twice = clique + [[v + 5 for v in around] for around in clique]
    assert width(twice, order_of(twice)) == width(clique, order_of(clique)) == 4
    assert order_of([]) == []
    assert width([], []) == 0


def test_too_little_to_work_with():
    instance = grid(0, rows=6, columns=6)
    for budget in (Budget.of(0), Budget(memory=50_000)):
        answer = decided(instance, instance.total, budget)
        assert answer.status is Status.UNKNOWN
        assert answer.found is None
