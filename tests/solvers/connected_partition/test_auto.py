import random
from dataclasses import replace

import pytest
from maps import piece_of
from searching import search_of, searched

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.datasets.counties import sample_counties
from atleastk.instances.generators.connected_partition import cubic, delaunay, grid
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition import auto
from atleastk.solvers.connected_partition.auto import solve
from atleastk.solvers.engine.decision import Decision


def test_only_the_costliest_component_matters():
    """The square could do better than 10, but the star cannot."""
    star = [(0, i) for i in range(1, 5)]
    square = [(5, 6), (6, 7), (7, 8), (5, 8)]
    search = searched(
        solve, ConnectedPartition([2, 2, 2, 2, 2, 3, 3, 3, 3], star + square, 4)
    )
    assert (search.cost, search.bound) == (10, 10)


@pytest.mark.usefixtures("_measured_by_work")
@pytest.mark.parametrize(
    ("instance", "optimum"),
    [
        (delaunay(1, n=30, parts=10), None),
        (delaunay(0, n=200, parts=25), 84),
        (cubic(0, n=300), 3),
        (sample_counties(100_000), None),
    ],
)
def test_larger_maps(instance, optimum):
    search = searched(solve, instance, seconds=600)
    assert search.closed
    assert optimum in (None, search.cost)


def halved(instance, workers=1):
    search = search_of(instance, Budget(workers=workers))
    whole, piece = piece_of(search)
    work = auto._Work(search, whole.pieces, piece, 0, 0)
    assert work.has_large_parts
    work.halve(search.budget)
    return search


def test_a_large_map_meets_its_bound_by_halves():
    instance = grid(0, rows=80, columns=80)
    search = halved(replace(instance, k=instance.total // 9))
    assert search.cost == search.bound
    assert search.found_by == "halves"


def test_levels_of_the_same_window_are_halved_once(monkeypatch):
    """Four parts have no room but for one unit, at whatever level below three parts."""
    asked = []

    def missed(component, window, budget, drawn):
        asked.append((window, budget.seed))
        return Decision.unknown()

    monkeypatch.setattr(auto, "decide_by_halving", missed)
    instance = sample_counties(1)
    search = halved(replace(instance, k=instance.total // 4), workers=2)
    assert search.cost > search.bound
    windows = [window for window, _ in asked]
    assert len(asked) == len(set(asked)) == 2 * len(set(windows))
    assert {window.parts for window in windows} == {3, 4}


def test_heavy_nodes_among_many_of_no_weight_are_no_trouble(monkeypatch):
    """The counted parts are more than there are nodes of weight."""
    monkeypatch.setattr(auto, "_DRAWN", 100_000)
    rng = random.Random(0)
    weights = [0] * 1600
    for node in rng.sample(range(1600), 25):
        weights[node] = rng.choice((10, 10, 10, 10, 1000))
    edges = grid(0, rows=40, columns=40).edges
    search = halved(ConnectedPartition(weights, edges, 300))
    assert search.cost >= 1000


def test_bounds_of_components_are_kept_up_to_date():
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (5, 6)]
    search = search_of(ConnectedPartition([1, 3, 1, 3, 1, 2, 2], edges, 2))
    whole, piece = piece_of(search)
    pieces = whole.pieces
    assert (pieces.bound, piece.bound, piece.cost) == (4, 4, 5)
    pieces.refute(piece, piece.counts.window(3, 4), 4, "by hand")
    assert (pieces.bound, search.bound, pieces.to_do()) == (5, 5, [])


@pytest.mark.usefixtures("_measured_by_work")
def test_time_is_kept(patiently):
    instance = delaunay(0, n=160, parts=30)
    search = patiently(lambda: searched(solve, instance, seconds=0.5))
    assert not search.closed
    assert search.bound < search.cost
