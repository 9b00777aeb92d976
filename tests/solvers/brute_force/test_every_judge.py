"""What the judges find: optima by hand, and the cheapest that the checkers allow."""

import random
from contextlib import suppress

import networkx as nx
import pytest
from costs import cost_of
from known import KNOWN, known_of
from small_instances import DRAWN

import atleastk
from atleastk import (
    BinCovering,
    CellularClustering,
    ConnectedPartition,
    Generalization,
    IntervalCovering,
    KAmbiguity,
    KAnonymity,
    NotApplicableError,
    PairPartition,
    RectangleTiling,
    RGather,
    Solution,
)
from atleastk.instances.generators.generalization import trees
from atleastk.instances.generators.k_ambiguity import seven_people
from atleastk.runs.registry import problem_of
from atleastk.solvers.brute_force.bin_covering import partitions
from atleastk.solvers.brute_force.connected_partition import is_connected
from atleastk.solvers.brute_force.k_ambiguity import is_ambiguous, optimum


def best_of(instance):
    """Return the optimum of a judge; a solution that comes with it costs as much."""
    found = problem_of(instance).optimum(instance)
    cost, solution = found if isinstance(found, tuple) else (found, None)
    if isinstance(solution, list):
        solution = Solution.of(solution)
    if isinstance(solution, Solution):
        assert cost_of(instance, solution) == cost, instance
    elif solution is not None:  # the cells of k-ambiguity
        assert len(solution) == cost
        assert is_ambiguous(instance.written_out.table, instance.k, solution)
    return cost


@pytest.mark.parametrize("problem", {each.problem: None for each, _ in KNOWN})
def test_optima_by_hand(problem):
    for instance, best in known_of(problem):
        with suppress(NotApplicableError):  # as some are too large
            assert best_of(instance) == best, instance.to_dict()


GROUPED = {
    "bin-covering",
    "interval-covering",
    "connected-partition",
    "rectangle-tiling-grid",
    "k-anonymity",
    "pair-partition",
}
"""Where groups alone are a solution; else others may be cheaper."""


@pytest.mark.parametrize("problem", DRAWN)
def test_no_groups_are_cheaper_by_the_checker(problem):
    rng, met, infeasible = random.Random(2), 0, 0
    for _ in range(80):
        instance = DRAWN[problem](rng)
        if instance.n > 5:
            continue
        best, checked = best_of(instance), []
        for groups in partitions(instance.n):
            verdict = atleastk.check(instance, Solution.of(groups))
            checked += [verdict.cost] if verdict.feasible else []
        least = min(checked, default=None)
        assert least is None or best <= least, instance.to_dict()
        assert best == least or problem not in GROUPED, instance.to_dict()
        met += best == least is not None
        infeasible += best is None
    assert met > 5
    assert infeasible or problem == "rectangle-tiling-grid"


TOO_LARGE = [
    (BinCovering([1] * 11, 1), "at most 10 items, got 11"),
    (IntervalCovering([1] * 17, 1), "at most 16 items, got 17"),
    (PairPartition(items=10, costs=[], k=1), "at most 9 items, got 10"),
    (ConnectedPartition([1] * 11, [], 1), "at most 10 nodes, got 11"),
    (KAnonymity([[1]] * 11, 1), "at most 10 rows, got 11"),
    (KAmbiguity([[0] * 5] * 3, 2), "at most 14 cells, got 15"),
    (CellularClustering(points=[[0]] * 10), "at most 9 points, got 10"),
    (RGather(points=[[0]] * 10, r=2), "at most 9 points, got 10"),
    (RectangleTiling([(i, i, 1) for i in range(6)], 1), "at most 25 cells, got 36"),
    (trees(0, n=9), "at most 8 rows, got 9"),
    (
        Generalization(
            [["0"] * 2] * 9, 1, [[[*map(str, range(500))]]] * 2, "attributes"
        ),
        "at most 200000 nodes, got 250000",
    ),
]


@pytest.mark.parametrize(("instance", "message"), TOO_LARGE, ids=lambda each: None)
def test_limits(instance, message):
    with pytest.raises(NotApplicableError, match=message):
        best_of(instance)


def test_partitions_are_counted_by_bell():
    for n, bell in enumerate((1, 1, 2, 5, 15, 52, 203, 877)):
        seen = {frozenset(map(tuple, groups)) for groups in partitions(n)}
        assert len(seen) == bell


def test_is_connected_is_that_of_networkx():
    rng = random.Random(1)
    for seed in range(300):
        graph = nx.gnp_random_graph(rng.randint(1, 8), rng.random(), seed=seed)
        nodes = rng.sample(list(graph), rng.randint(1, len(graph)))
        expected = nx.is_connected(graph.subgraph(nodes))
        assert is_connected(nodes, list(graph.edges)) == expected


def test_the_figure_of_the_thesis_is_optimal():
    instance = seven_people(0)
    assert is_ambiguous(instance.table, 2, ((2, 2), (3, 0), (3, 1), (3, 3)))
    assert optimum(instance, most_cells=28)[0] == 4
