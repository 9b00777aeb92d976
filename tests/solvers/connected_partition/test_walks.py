import random

import networkx as nx
import numpy as np
import pytest
from maps import graph_of, random_component

from atleastk.instances.generators.connected_partition import grid
from atleastk.models.windows import Window
from atleastk.solvers.connected_partition import walks
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.trees import divided
from atleastk.solvers.connected_partition.walks import evened

CALM = np.zeros(1, dtype=np.uint8)


def violation(component, labels, window):
    weights = np.bincount(labels, component.weights, window.parts)
    return sum(max(window.least - w, w - window.most, 0) for w in weights)


@pytest.mark.parametrize("seed", range(40))
def test_parts_stay_connected_and_their_violation_never_rises(seed):
    rng = np.random.default_rng(seed)
    component = random_component(random.Random(seed), 40)
    parts = int(rng.integers(1, min(6, component.n) + 1))
    start = divided(component, parts, rng)
    mean = component.total // parts
    window = Window(parts, mean - int(rng.integers(2)), mean + int(rng.integers(3)))
    labels, left = evened(component, window, start, 10, rng, CALM)
    assert left == violation(component, labels, window)
    assert left <= violation(component, start, window)
    graph = graph_of(component)
    for part in range(parts):
        assert nx.is_connected(graph.subgraph(np.flatnonzero(labels == part)))


def grid_of(side, rng):
    component = components_of(grid(int(rng.integers(99)), rows=side, columns=side))[0]
    return component, divided(component, 9, rng)


@pytest.mark.parametrize("seed", range(3))
def test_nine_parts_of_a_grid_weigh_the_same(seed):
    rng = np.random.default_rng(seed)
    component, start = grid_of(30, rng)
    least, more = divmod(component.total, 9)
    window = Window(9, least, least + (more > 0))
    assert violation(component, start, window) > 0
    assert evened(component, window, start, 500, rng, CALM)[1] == 0


@pytest.mark.parametrize("late", [False, True])
def test_a_flag_ends_the_work(late, monkeypatch):
    rng, flag = np.random.default_rng(0), np.zeros(1, dtype=np.uint8)
    component, start = grid_of(10, rng)
    window = Window(9, 0, component.heaviest)

    def hops(*_):
        flag[0] = 1
        return np.zeros(9)

    if late:  # in a sweep
        monkeypatch.setattr(walks, "_hops", hops)
    else:
        flag[0] = 1
    labels, _ = evened(component, window, start, 10, rng, flag)
    assert labels.tolist() == start.tolist()
