"""Vertex cover of cubic graphs into k-anonymity with three columns."""

from fractions import Fraction

import networkx as nx
import pytest
from costs import cost_of
from searching import search_of

from atleastk import Solution
from atleastk.instances.reductions.vertex_cover import (
    REDUCTIONS,
    CubicVertexCover,
    alpha,
    base_cost,
    cover_back,
    to_k_anonymity,
)
from atleastk.models.k_anonymity import suppressed
from atleastk.solvers.brute_force.combinatorial import (
    is_vertex_cover,
    least_vertex_cover,
)
from atleastk.solvers.k_anonymity.methods import METHODS


def of(graph):
    return CubicVertexCover(len(graph), [list(edge) for edge in graph.edges])


K4 = of(nx.complete_graph(4))
K33 = of(nx.complete_bipartite_graph(3, 3))
PETERSEN = of(nx.petersen_graph())


def cells(instance, solution):
    return list(zip(*suppressed(instance, solution).nonzero(), strict=True))


def groups_of(problem, cover):
    """Return the clusters that the proof makes of a cover without idle vertices."""
    r = problem.vertices
    edge_rows = {}
    for e, (x, y) in enumerate(problem.edges):
        edge_rows[x, y], edge_rows[y, x] = 20 * r + 2 * e, 20 * r + 2 * e + 1
    end = 20 * r + 2 * len(problem.edges)
    first, second = list(range(end, end + 7)), list(range(end + 7, end + 14))
    groups = [first, second]
    for u in range(r):
        rows = range(20 * u, 20 * u + 20)
        if u not in cover:
            groups += [list(rows[:7]), list(rows[7:14])]
            first += rows[14:17]
            second += rows[17:]
            continue
        attached = [x for x in problem.neighbours[u] if x not in cover or u < x]
        groups.append(list(rows[6:14]))
        groups.append([*rows[:3], *rows[14:17], *(edge_rows[u, x] for x in attached)])
        groups.append([*rows[3:6], *rows[17:], *(edge_rows[x, u] for x in attached)])
    return groups


@pytest.mark.parametrize("problem", [K4, K33, PETERSEN])
def test_a_cover_costs_its_size_beyond_the_base(problem):
    cover = least_vertex_cover(problem)
    instance = to_k_anonymity(problem)
    solution = Solution.of(groups_of(problem, cover))
    assert cost_of(instance, solution) == base_cost(problem) + len(cover)
    assert cover_back(problem, cells(instance, solution)) == cover


@pytest.mark.parametrize("problem", [K4, K33])
def test_the_optimum_is_that_of_the_theorem(problem):
    """It is 27 r + 2 |E| + 14 + VC, and goes back to a least cover."""
    instance = to_k_anonymity(problem)
    search = search_of(instance)
    (patterns,) = (method for method in METHODS if method.name == "patterns")
    patterns.run(search)
    assert search.closed
    best = least_vertex_cover(problem)
    for reduction in REDUCTIONS:
        assert reduction.cost(problem, search.cost) == len(best)
    back = cover_back(problem, cells(instance, search.solution))
    assert is_vertex_cover(problem, back)
    assert len(back) == len(best)


def test_any_solution_goes_back_to_a_cover():
    instance = to_k_anonymity(K4)
    everything = cells(instance, Solution.of([range(instance.n)]))
    assert cover_back(K4, everything) == (0, 1, 2, 3)
    assert cover_back(K4, []) == (0, 1, 2)
    assert is_vertex_cover(K33, cover_back(K33, []))


def test_alpha_is_attained():
    """By the smallest bipartite graph; larger covers come closer to 61."""
    assert base_cost(K33) + 3 == 197 == alpha(3) * 3
    assert alpha(14) == 62
    assert alpha(3) == 65 + Fraction(2, 3)


def test_tables_are_as_large_as_said():
    table = to_k_anonymity(PETERSEN).table
    assert len(table) == 20 * 10 + 2 * 15 + 14
    marks = [cell for row in table for cell in row if str(cell).startswith("?")]
    assert len(marks) == len(set(marks)) == 10 * 15 + 14
    assert sum(row == (0, "v0", "v0") for row in table) == 6
