"""RPT into c'-SUP: wrong as printed, right for clear graphs, which X3C makes."""

from itertools import combinations
from random import Random

from atleastk.instances.reductions.exact_cover import ExactCover
from atleastk.instances.reductions.triangle_partition import (
    KEEPS_OTHERS,
    REDUCTIONS,
    TrianglePacking,
    TrianglePartition,
    adjacency_table,
    clear,
    graph_of_triples,
    packing_of_triangles,
    to_per_column,
    triangles,
)
from atleastk.models.suppression import check, measures, solution_of_groups
from atleastk.solvers.brute_force.bin_covering import partitions
from atleastk.solvers.brute_force.combinatorial import (
    largest_packing,
    most_disjoint_triangles,
)

PARTITIONS = [groups for groups in partitions(6) if min(map(len, groups)) >= 3]


def least(problem):
    instance = to_per_column(problem)
    found = (solution_of_groups(instance, groups) for groups in PARTITIONS)
    return min(measures(instance, one)["per_column"] for one in found)


def test_no_triangle_and_yet_within_the_limit():
    """Each side of K_{3,3} keeps the columns of the other."""
    assert list(triangles(KEEPS_OTHERS)) == []
    assert not clear(KEEPS_OTHERS)
    instance = to_per_column(KEEPS_OTHERS)
    solution = solution_of_groups(instance, [[0, 1, 2], [3, 4, 5]])
    assert check(instance, solution).feasible
    published = {(i, j) for i in range(6) for j in range(6)} - set(solution.suppressed)
    assert published == {(i, j) for i in range(6) for j in range(6) if i // 3 != j // 3}
    assert REDUCTIONS[2].back(KEEPS_OTHERS, solution.suppressed) is None


def test_the_printed_number_of_triangles():
    """Right for triangles, wrong for three vertices alone, and for K_{3,3}."""
    pair = TrianglePacking(
        6, [e for a in (0, 3) for e in combinations(range(a, a + 3), 2)]
    )
    printed = REDUCTIONS[4].cost
    assert (least(pair), printed(pair, 3)) == (3, 2)
    assert (least(KEEPS_OTHERS), printed(KEEPS_OTHERS, 3)) == (3, 2)
    assert printed(TrianglePacking(3, []), 3) == 2


def test_table_is_zero_next_to_the_row():
    path = TrianglePartition(3, [(0, 1), (1, 2)])
    assert adjacency_table(path) == [[0, 0, 1], [0, 0, 0], [3, 0, 0]]


def test_graphs_of_triples():
    rng = Random(2)
    for elements, most in ((3, 1), (6, 3), (9, 3)):
        triples = list(combinations(range(elements), 3))
        for _ in range(6):
            chosen = rng.sample(triples, rng.randint(1, most))
            problem = ExactCover(elements, chosen)
            graph = graph_of_triples(problem)
            assert graph.vertices == elements + 9 * len(chosen)
            assert len(graph.edges) == 18 * len(chosen)
            assert clear(graph)
            found = most_disjoint_triangles(graph)
            packed = packing_of_triangles(problem, found)
            best = len(largest_packing(problem.sets))
            assert REDUCTIONS[1].cost(problem, len(found)) == len(packed) == best
