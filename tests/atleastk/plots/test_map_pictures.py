import json
import random

import networkx as nx
import numpy as np
import pytest
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.colors import to_hex
from pictures import dots, result_of, saved, texts

from atleastk import ConnectedPartition, InvalidInstanceError, Solution
from atleastk.instances.datasets.maps import (
    connected_partition_from_file,
    polygons_from_file,
)
from atleastk.instances.generators.connected_partition import FAMILIES
from atleastk.plots.connected_partition import draw
from atleastk.plots.drawing import ACCENT
from atleastk.plots.hues import HUES, hues_of
from atleastk.plots.layouts import places_of, stretch_of

SQUARE = ConnectedPartition(
    weights=[3, 0, 2, 4],
    edges=[(0, 1), (1, 2), (2, 3), (3, 0)],
    k=3,
    positions=[(0, 0), (1, 0), (1, 1), (0, 1)],
)
TWO = Solution.of([[0, 1], [2, 3]])


def lines(ax):
    layers = [c for c in ax.collections if isinstance(c, LineCollection)]
    return [[s.tolist() for s in layer.get_segments()] for layer in layers]


def test_parts_are_drawn(tmp_path):
    ax = draw(SQUARE, result_of(SQUARE, TWO))
    between, marked, inside = lines(ax)
    assert between == [[[1, 0], [1, 1]], [[0, 1], [0, 0]]]
    assert marked == [[[1, 1], [0, 1]]]
    assert inside == [[[0, 0], [1, 0]], [[1, 1], [0, 1]]]
    assert sorted(texts(ax)) == ["1\n3", "2\n6"]
    message = (
        "connected-partition\nk = 3: feasible, 2 parts, the heaviest 6 (red border)"
    )
    assert ax.get_title(loc="left") == message
    assert saved(ax, tmp_path / "parts.png") > 5000


def test_nodes_have_the_colours_of_their_parts():
    drawn = dots(draw(SQUARE, result_of(SQUARE, TWO)))
    faces = [to_hex(face) for face in drawn.get_facecolors()]
    edges = [to_hex(edge) for edge in drawn.get_edgecolors()]
    assert faces[2] == faces[3] != faces[0]
    assert {faces[0], faces[2]} <= set(HUES)
    assert faces[1] == "#ffffff"
    assert edges[1] == faces[0]
    assert edges[2] == edges[3] == ACCENT != edges[0]
    sizes = drawn.get_sizes()
    assert sizes[1] < sizes[2] < sizes[0] < sizes[3]
    assert drawn.get_offsets().tolist() == [[0, 0], [1, 0], [1, 1], [0, 1]]


@pytest.fixture
def squares(tmp_path):
    def box(left):
        right = left + 1
        return [[left, 0], [right, 0], [right, 1], [left, 1], [left, 0]]

    shapes = [[[box(0)]], [[box(1)]], [[box(2)], [box(3)]]]
    features = [
        {
            "type": "Feature",
            "properties": {"w": 2},
            "geometry": {"type": "MultiPolygon", "coordinates": shape},
        }
        for shape in shapes
    ]
    path = tmp_path / "map.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return path


def test_maps_are_drawn(squares, tmp_path):
    instance = connected_partition_from_file(squares, "w", 2)
    polygons = polygons_from_file(squares)
    result = result_of(instance, Solution.of([[0, 1], [2]]))
    ax = draw(instance, result, polygons=polygons)
    (regions,) = (c for c in ax.collections if isinstance(c, PatchCollection))
    faces = [to_hex(face) for face in regions.get_facecolors()]
    assert len(regions.get_paths()) == 3
    assert faces[0] == faces[1] != faces[2]
    others, heaviest = lines(ax)
    assert len(others) == 6
    assert len(heaviest) == 6
    assert [[1, 0], [1, 1]] not in heaviest
    assert [[2, 0], [2, 1]] in others
    assert [[2, 0], [2, 1]] in heaviest
    assert saved(ax, tmp_path / "map.png") > 5000
    nearly = [
        [[[(x + 1e-15, y) for x, y in ring] for ring in face] for face in region]
        if i
        else region
        for i, region in enumerate(polygons)
    ]
    assert [*map(len, lines(draw(instance, result, polygons=nearly)))] == [6, 6]
    with pytest.raises(InvalidInstanceError, match="polygons: 2 for 3 nodes"):
        draw(instance, result, polygons=polygons[:2])


def test_many_parts_have_no_words():
    for n in (40, 41):
        instance = ConnectedPartition([1] * n, [], 1)
        ax = draw(instance, result_of(instance, [[i] for i in range(n)]))
        assert len(texts(ax)) == (n if n == 40 else 0)


def test_weights_too_large_for_an_array():
    for weight in (2**61, 0):
        instance = ConnectedPartition([weight, weight], [(0, 1)], 1)
        groups = Solution.of([[0, 1]])
        ax = draw(instance, result_of(instance, groups))
        assert texts(ax) == [f"1\n{2 * weight:,}"]
        assert np.isfinite(dots(ax).get_sizes()).all()


def test_layouts_are_steady_and_apart():
    rng = random.Random(1)
    first, second = nx.random_labeled_tree(12, seed=1), nx.wheel_graph(9)
    graph = nx.disjoint_union_all([second, first, nx.empty_graph(3)])
    new = rng.sample(range(24), 24)
    edges = [(new[u], new[v]) for u, v in graph.edges]
    instance = ConnectedPartition([1] * 24, edges, 1)
    places = places_of(instance)
    assert (places == places_of(instance)).all()
    gaps = np.linalg.norm(places[:, None] - places, axis=2) + 9 * np.eye(24)
    assert gaps.min() > 0.1
    assert 0.5 < np.mean([gaps[u, v] for u, v in edges]) < 1.5
    pieces = [places[[new[i] for i in held]] for held in (range(9), range(9, 21))]
    (low, high), (low2, high2) = ((p.min(axis=0), p.max(axis=0)) for p in pieces)
    assert ((low > high2) | (low2 > high)).any()


def test_large_components_are_drawn_by_springs():
    graph = nx.random_labeled_tree(600, seed=2)
    instance = ConnectedPartition([1] * 600, list(graph.edges), 1)
    assert len(np.unique(places_of(instance), axis=0)) == 600
    instance = ConnectedPartition.of_graph(nx.gnm_random_graph(20, 120, seed=3), 1)
    assert len(np.unique(places_of(instance), axis=0)) == 20


def test_degrees_are_stretched():
    assert stretch_of(np.array([(10.5, 59.5), (11.0, 60.5)])) == pytest.approx(2)
    assert stretch_of(np.array([(10.5, -59.5), (11.0, -60.5)])) == pytest.approx(2)
    assert stretch_of(np.array([(10, 59), (11, 61)])) == 1
    assert stretch_of(np.array([(10.5, 59.5), (1100.0, 60.5)])) == 1
    assert stretch_of(np.array([(10.5, 59.5), (11.0, 1100.0)])) == 1
    assert stretch_of(np.zeros((0, 2))) == 1
    assert draw(SQUARE, result_of(SQUARE, TWO)).get_aspect() == 1


@pytest.mark.parametrize("seed", range(5))
def test_neighbouring_parts_differ(seed):
    family = next(family for family in FAMILIES if family.name == "delaunay")
    instance = family.make(seed, n=80)
    found = hues_of(80, instance.edges)
    assert set(found) == set(HUES)
    assert all(found[u] != found[v] for u, v in instance.edges)


def test_more_neighbours_than_colours():
    complete = [(i, j) for j in range(10) for i in range(j)]
    assert set(hues_of(10, complete)) == set(HUES)
    assert hues_of(0, []) == []
