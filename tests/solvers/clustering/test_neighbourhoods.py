from functools import cache

import networkx as nx
import numpy as np
import pytest

from atleastk.instances.spaces.metric_spaces import (
    FAR,
    Euclidean,
    GreatCircle,
    Hamming,
    Manhattan,
    Matrix,
)
from atleastk.instances.spaces.near_points import Tree, tree_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering import neighbourhoods as neighbours
from atleastk.solvers.clustering.neighbourhoods import (
    Balls,
    count_within,
    least_radii,
    least_radii_of,
    near_points,
    nearest,
    nearest_at_least,
    neighbourhoods,
)


def plane(n, seed=0, dimensions=2, most=300):
    return np.random.default_rng(seed).integers(0, most, (n, dimensions))


def missing(n):
    generator = np.random.default_rng(3)
    distances = generator.integers(0, 30, (n, n))
    distances = np.where(generator.random((n, n)) < 0.3, FAR, distances)
    return np.maximum(np.triu(distances, 1), np.triu(distances, 1).T)


def sphere(n):
    generator = np.random.default_rng(3)
    odd = [(90, 0), (90, 77), (-90, 3), (0, 180), (0, -180), (10, 20), (10, 20)]
    drawn = generator.uniform((-90, -180), (90, 180), (n - len(odd), 2))
    return np.concatenate((drawn, np.array(odd, dtype=np.float64)))


SPACES = {
    "a tree on the sphere": GreatCircle(sphere(2_100), 10),
    "squares": Euclidean(plane(80), None),
    "a tree of squares": Euclidean(plane(2_500), None),
    "a tree far out": Euclidean(plane(2_100, most=2**29), None),
    "a tree of lengths": Euclidean(plane(2_100), 7),
    "a tree of sums": Manhattan(plane(2_100, dimensions=3), 5),
    "many coordinates": Manhattan(plane(2_100, dimensions=5)),
    "codes": Hamming(plane(200, dimensions=6, most=3).astype(np.int32)),
    "places": GreatCircle(plane(100).astype(np.float64) / 10),
    "missing": Matrix(missing(60)),
    "one": Euclidean(plane(1), None),
    "none": Euclidean(plane(0), None),
}


@cache
def rows_of(name):
    space = SPACES[name]
    rows = np.array([space.row(p) for p in range(space.n)])
    rows = rows.reshape(space.n, space.n)  # of no points as well
    return rows, np.sort(rows, axis=1)


@pytest.mark.parametrize("name", SPACES)
@pytest.mark.parametrize("r", [1, 7])
def test_rows_are_sorted_and_complete(name, r):
    space, (rows, ordered) = SPACES[name], rows_of(name)
    reach = nearest(space, r)
    if space.n < r:
        assert (reach == FAR).all()
        limit = 10
    else:
        assert (reach == ordered[:, r - 1]).all()
        limit = int(reach[reach < FAR].max(initial=0))
    near = neighbourhoods(space, limit)
    assert (near.n, near.limit) == (space.n, limit)
    for p, row in enumerate(rows[:300]):
        order = np.lexsort((np.arange(space.n), row))
        order = order[row[order] <= limit]
        span = slice(near.starts[p], near.starts[p + 1])
        assert near.points[span].tolist() == order.tolist()
        assert near.distances[span].tolist() == row[order].tolist()
    for radius in (0, limit // 2, limit):
        assert (near.within(radius) == [(row <= radius).sum() for row in rows]).all()
        balls = near.balls(radius)
        for p in range(min(space.n, 50)):
            assert sorted(balls.of(p)) == np.flatnonzero(rows[p] <= radius).tolist()
    values = np.unique(rows[(rows > 0) & (rows <= limit)])
    assert near.values(0, limit).tolist() == values.tolist()
    half = values[values <= limit // 2]
    nearer, balls = near.up_to(limit // 2), near.balls(limit // 2)
    assert nearer.values(0, limit).tolist() == half.tolist()
    assert nearer.points.tolist() == balls.points.tolist()
    some = np.arange(space.n)[::-3]
    about, chosen = near.about(some).balls(limit // 2), balls.chosen(some)
    assert about.starts.tolist() == chosen.starts.tolist()
    assert about.points.tolist() == chosen.points.tolist()


@pytest.mark.parametrize("name", SPACES)
def test_least_radii(name):
    space, (rows, _) = SPACES[name], rows_of(name)
    reach = nearest(space, 4)
    least = np.maximum(rows, reach).min(axis=1, initial=FAR)
    for _ in range(2):  # the second time nearest points are known
        assert least_radii(space, 4, reach).tolist() == least.tolist()
    some = np.arange(0, space.n, 7)
    found = least_radii_of(space, 4, some)
    assert found is None or found.tolist() == least[some].tolist()
    assert (found is not None) == name.startswith("a tree of")


def test_missing_distances_are_no_neighbours():
    space = SPACES["missing"]
    near = neighbourhoods(space, FAR)
    assert len(near.points) == (space.matrix < FAR).sum()
    assert count_within(space, FAR - 1) == len(near.points)


def test_balls_turned_and_chosen():
    balls = Balls.of_all([np.array(some) for some in ([3, 1], [], [0, 1, 2])])
    turned = balls.turned(5)
    assert [turned.of(p).tolist() for p in range(5)] == [[2], [0, 2], [2], [0], []]
    chosen = balls.chosen(np.array([2, 0]))
    assert [chosen.of(b).tolist() for b in range(2)] == [[0, 1, 2], [3, 1]]


def test_components():
    rng = np.random.default_rng(9)
    for _ in range(60):
        n, many = int(rng.integers(1, 15)), int(rng.integers(0, 6))
        rows = [rng.permutation(n)[: rng.integers(0, 4)] for _ in range(many)]
        balls = Balls.of_all(rows)
        graph = nx.empty_graph(n)
        graph.add_nodes_from(("ball", i) for i in range(many))
        for i, row in enumerate(rows):
            graph.add_edges_from((("ball", i), p) for p in row.tolist())
        of_ball, of_point = balls.components(n)
        found = {}
        for i, label in enumerate(of_ball.tolist()):
            found.setdefault(label, set()).add(("ball", i))
        for p, label in enumerate(of_point.tolist()):
            found.setdefault(label, set()).add(p)
        expected = set(map(frozenset, nx.connected_components(graph)))
        assert set(map(frozenset, found.values())) == expected
        assert balls.owners.tolist() == [i for i, row in enumerate(rows) for _ in row]
        odd = balls.only(balls.points % 2 == 1)
        assert [odd.of(i).tolist() for i in range(many)] == [
            [p for p in row.tolist() if p % 2] for row in rows
        ]


@pytest.mark.parametrize("name", SPACES)
@pytest.mark.parametrize("r", [1, 2, 7])
def test_quick_lengths_are_at_most_those_of_the_nearest(name, r):
    space = SPACES[name]
    quick = nearest_at_least(space, r)
    if quick is None:
        squared = isinstance(space, Euclidean) and space.scale is None
        assert squared or not isinstance(space, Euclidean | Manhattan)
    elif space.n >= r:
        reach = nearest(space, r)
        assert (quick <= reach).all()
        assert (quick >= reach * (1 - 1e-8) - 2).all()
        assert not nearest_at_least(space, r, Budget().slice(0.0)).any()


def test_near_points_are_kept_by_parts_which_others_go_on_from(monkeypatch):
    monkeypatch.setattr(neighbours, "_LISTED", 500 * 6)
    space, asked = Euclidean(plane(2_100), scale=None), []
    query = Tree.nearest
    monkeypatch.setattr(
        Tree, "nearest", lambda *a: asked.append(len(a[1])) or query(*a)
    )
    listed = neighbours._lists(tree_of(space), 6, None)
    first, _ = next(listed)
    assert sum(asked) == len(first) == 500
    expected = np.sort(space.rows(np.arange(2_100)), axis=1)[:, 3]
    assert (nearest(space, 4) == expected).all()
    assert sum(asked) == 2_100
    assert sum(len(rows) for rows, _ in listed) == 1_600
    assert near_points(space, 6, Budget()).shape == (2_100, 6)
    assert sum(asked) == 2_100


def test_points_on_the_sphere_are_looked_up_until_the_budget_is_spent(monkeypatch):
    """500,000 of them took 10 s before the first look."""
    budget, asked = Budget(), []
    query = Tree.reaches

    def reaches(tree, r, rows):
        asked.append(len(rows))
        budget.stop.set()
        return query(tree, r, rows)

    monkeypatch.setattr(Tree, "reaches", reaches)
    places = np.random.default_rng(0).integers(-80, 80, (2_100, 2))
    found = nearest(GreatCircle(places, 1), 3, budget)
    assert sum(asked) < 200
    assert (found == FAR).all()


def test_near_points_that_are_too_many_are_not_listed():
    """20,000 points of 400,000, r = 100, took 9 s whatever the budget."""
    space = SPACES["a tree of lengths"]
    for r, many in ((20, 9), (2_000, 2_100), (2_050, 2)):
        least = least_radii_of(space, r, np.arange(many))
        assert (least is None) == (r > 20)
