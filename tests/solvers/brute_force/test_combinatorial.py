import pytest

from atleastk.instances.reductions.graphs import GraphInstance
from atleastk.solvers.brute_force.combinatorial import (
    exact_covers,
    is_vertex_cover,
    largest_packing,
    least_vertex_cover,
    most_disjoint_triangles,
)

HALVES = [(0, 1, 2), (0, 1, 3), (3, 4, 5), (2, 4, 5)]


class Graph(GraphInstance):
    problem = "graph"


WHEEL = Graph(6, [(0, i) for i in range(1, 6)] + [(i, i % 5 + 1) for i in range(1, 6)])


def test_exact_covers_are_all():
    assert list(exact_covers(HALVES, 6)) == [(0, 2), (1, 3)]
    assert list(exact_covers([(0, 1, 2), (2, 3, 4)], 6)) == []


@pytest.mark.parametrize(
    ("triples", "size"),
    [([], 0), ([(0, 1, 2)], 1), (HALVES, 2), ([(0, 1, 2), (2, 3, 4)], 1)],
)
def test_largest_packing(triples, size):
    chosen = largest_packing(triples)
    assert len(chosen) == size
    assert len({i for j in chosen for i in triples[j]}) == 3 * size


def test_triangles_of_a_wheel_share_the_hub():
    (triangle,) = most_disjoint_triangles(WHEEL)
    assert 0 in triangle
    assert most_disjoint_triangles(Graph(3, [(0, 1), (1, 2)])) == []


def test_least_cover_of_a_wheel():
    cover = least_vertex_cover(WHEEL)
    assert len(cover) == 4
    assert 0 in cover
    assert is_vertex_cover(WHEEL, cover)
    assert not is_vertex_cover(WHEEL, cover[1:])
    assert least_vertex_cover(Graph(2, [])) == ()
