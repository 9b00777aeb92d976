"""3-SAT into r-gather: radius 1 iff satisfiable, from r = 7 on."""

from itertools import combinations, product
from random import Random

import networkx as nx
import numpy as np
import pytest
from costs import cost_of
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

import atleastk
from atleastk import InvalidInstanceError, RGather
from atleastk.instances.reductions.formulas import ThreeSat
from atleastk.instances.reductions.r_gather import (
    ALL_FOUR,
    ENOUGH_ANYWHERE,
    LEAST_R,
    REDUCTIONS,
    SMALL_R,
    assignment_back,
    formula_graph,
    to_r_gather,
)
from atleastk.instances.spaces.metric_spaces import triangle_violation
from atleastk.models.clustering import solution_of
from atleastk.models.r_gather import check


def satisfiable(problem):
    values = product((False, True), repeat=problem.variables)
    return any(map(problem.satisfied, values))


def gathered(instance, radius):
    if not instance.n:
        return solution_of([])
    balls = instance.space.matrix <= radius
    places = np.flatnonzero(balls.sum(axis=1) >= instance.r).tolist()
    for size in range(instance.n // instance.r + 1):
        for centres in combinations(places, size):
            if balls[list(centres)].any(axis=0).all():
                found = filled(balls[list(centres)], instance.r)
                if found is not None:
                    return solution_of(found, centres)
    return None


def filled(balls, r):
    slots = np.repeat(balls, r, axis=0)
    match = maximum_bipartite_matching(csr_array(slots.astype(int)), "column")
    if (match < 0).any():
        return None
    home = balls.argmax(axis=0)
    home[match] = np.arange(len(match)) // r
    return [np.flatnonzero(home == c).tolist() for c in range(len(balls))]


def formulas():
    literals = (1, -1, 2, -2)
    clauses = [c for size in (1, 2) for c in combinations(literals, size)]
    for size in range(7):
        for chosen in combinations(clauses, size):
            if all(sum(x in clause for clause in chosen) <= 3 for x in literals):
                yield ThreeSat(chosen)
    rng = Random(1)
    for _ in range(60):
        left = {x: 3 for v in (1, 2, 3) for x in (v, -v)}
        drawn = []
        for _ in range(rng.randint(3, 8)):
            clause = rng.sample([x for x in left if left[x]], rng.randint(1, 3))
            drawn.append(clause)
            for x in clause:
                left[x] -= 1
            if sum(count > 0 for count in left.values()) < 3:
                break
        yield ThreeSat(drawn)


def test_radius_one_iff_satisfiable():
    answers = {True: 0, False: 0}
    for problem in formulas():
        instance = to_r_gather(problem)
        found = gathered(instance, 1)
        answers[found is not None] += 1
        assert (found is not None) == satisfiable(problem)
        if found is None:
            continue
        assert cost_of(instance, found) <= 1
        assert problem.satisfied(assignment_back(problem, found.groups))
        member = RGather(distances=instance.distances, r=7, centres="member")
        assert check(member, found).cost <= 1
    assert min(answers.values()) > 50


@pytest.mark.parametrize("r", SMALL_R)
def test_smaller_r_do_not_do(r):
    """Formulas that nothing satisfies gather within radius 1, but not for r = 7."""
    problem = SMALL_R[r]
    assert not satisfiable(problem)
    instance = to_r_gather(problem, r)
    found = gathered(instance, 1)
    assert cost_of(instance, found) == 1
    assert assignment_back(problem, found.groups, r) is None
    assert gathered(to_r_gather(problem, LEAST_R), 1) is None


@pytest.mark.parametrize("r", [3, 7, 12])
def test_centres_anywhere_do_not_do(r):
    """Whatever r is, a formula that nothing satisfies has diameter 2."""
    assert not ALL_FOUR.separated
    instance = to_r_gather(ALL_FOUR, r, "any")
    clauses = [2 * r, 2 * r + 2], [2 * r + 1, 2 * r + 3]
    assert [ALL_FOUR.clauses[i - 2 * r] for i in clauses[0]] == [(1, 2), (-1, 2)]
    groups = [[*range(r), *clauses[0]], [*range(r, 2 * r), *clauses[1]]]
    assert cost_of(instance, solution_of(groups)) == 2


CYCLE = [[1, -2], [2, -3], [3, -1]]


@pytest.mark.parametrize(
    ("clauses", "yes"),
    [
        ([[1], [-1]], False),
        ([[1, 2], [-1], [-2]], False),
        ([[1], [-1, 2], [-2, 3], [-3]], False),
        ([*CYCLE, [1], [-2]], False),
        ([*CYCLE, [1], [2, 4], [-4]], True),
        ([[1, 2, 3], [1, 2, 4], [-4], [-3]], True),
    ],
)
def test_centres_anywhere_do_for_separated_formulas(clauses, yes):
    problem = ThreeSat(clauses)
    assert problem.separated
    assert satisfiable(problem) == yes
    instance = to_r_gather(problem, ENOUGH_ANYWHERE, "any")
    result = atleastk.solve(instance, workers=1, seed=0)
    assert result.status == "OPTIMAL"
    assert (result.cost == 2) == yes
    back = assignment_back(problem, result.solution.groups, ENOUGH_ANYWHERE)
    assert (back is not None) == yes


def test_graphs_are_as_said():
    graph = formula_graph(ThreeSat([[1, -2], [2]]), 5)
    assert len(graph) == 12
    assert graph.has_edge(0, 1)
    assert set(graph[2]) == {0, 1}
    assert set(graph[10]) == {0, 6}
    assert set(graph[11]) == {5}
    with pytest.raises(InvalidInstanceError, match="r: expected at least 2"):
        formula_graph(ALL_FOUR, 1)


def test_images_are_metrics():
    for problem in (ThreeSat([[1], [2]]), ThreeSat([[1, -2], [3, 4]]), ALL_FOUR):
        instance = to_r_gather(problem, 4)
        graph = formula_graph(problem, 4)
        assert triangle_violation(instance.space) is None
        for u, near in nx.all_pairs_shortest_path_length(graph):
            assert all(instance.distances[u][v] == d for v, d in near.items())
        apart = nx.number_connected_components(graph) > 1
        assert apart == (problem is not ALL_FOUR)
    assert set(to_r_gather(ThreeSat([[2]]), 3).distances[0]) == {0, 1, 2}


def test_no_formula_at_all():
    (reduction,) = REDUCTIONS
    image = reduction.forward(ThreeSat([]))
    assert image.n == 0
    assert reduction.back(ThreeSat([]), []) == []
