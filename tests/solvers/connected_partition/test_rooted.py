"""Deciding by roots: against the judge, and on maps of known answers."""

import random
from importlib import import_module

import pytest

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.errors import NotApplicableError
from atleastk.instances.generators.connected_partition import delaunay, grid
from atleastk.models.connected_partition import reach
from atleastk.models.status import Status
from atleastk.models.windows import Window, window
from atleastk.solvers.brute_force.connected_partition import is_connected
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.rooted import GREATEST, decide_by_roots


@pytest.fixture(scope="module")
def components():
    """Random components, small enough to be enumerated."""
    random_map = import_module("scripts.sweeps.connected_partition").random_map

    def drawn(seed, count):
        rng = random.Random(seed)
        while count:
            instance = random_map(rng, rng.randint(1, 7))
            for component in components_of(instance):
                if component.total <= 2**28:
                    yield rng, component
                    count = max(0, count - 1)

    return drawn


def exists(component, asked):
    """Tell by definition whether there is a partition within a window."""
    edges = [(u, v) for u, around in enumerate(component.neighbours) for v in around]
    weights = component.weights.tolist()

    def good(part):
        weight = sum(weights[v] for v in part)
        return asked.holds(weight) and is_connected(part, edges)

    def dealt(node, parts):
        if node == component.n:
            return len(parts) == asked.parts and all(map(good, parts))
        wider = ([*parts[:g], [*p, node], *parts[g + 1 :]] for g, p in enumerate(parts))
        return any(dealt(node + 1, more) for more in [*wider, [*parts, [node]]])

    return dealt(0, [])


def require(component, asked, groups):
    """Fail unless groups are a partition within a window."""
    assert sorted(v for group in groups for v in group) == list(range(component.n))
    assert len(groups) == asked.parts
    for group in groups:
        assert asked.holds(sum(int(component.weights[v]) for v in group))
        assert reach(component.neighbours, group) == set(group)


def test_windows_are_those_of_the_judge(components):
    """Whatever the graph, its weights and the window."""
    answers = set()
    for rng, component in components(1, 80):
        total = component.total
        parts = rng.randint(1, min(4, component.n))
        least = rng.randint(0, 1 + total // parts)
        most = rng.randint(max(least, total // parts), max(least, total) + 1)
        asked = Window(parts, least, most)
        answer = decide_by_roots(component, asked, Budget())
        answers.add(answer.status)
        if answer.found is None:
            assert answer.status is Status.INFEASIBLE
            assert not exists(component, asked), (component, asked)
        else:
            require(component, asked, answer.found)
    assert answers == {Status.FEASIBLE, Status.INFEASIBLE}


def test_a_chessboard_of_odd_parts():
    """Parts of one dark and one light square, and a board with two corners less."""
    board = grid(0, rows=6, columns=6, w=1, k=2)
    whole = components_of(board)[0]
    answer = decide_by_roots(whole, Window(18, 2, 2), Budget())
    require(whole, Window(18, 2, 2), answer.found)
    number = {v: i for i, v in enumerate(v for v in range(36) if v not in (0, 35))}
    edges = [[number[u], number[v]] for u, v in board.edges if {u, v} <= number.keys()]
    rest = components_of(ConnectedPartition([1] * 34, edges, 2))[0]
    asked = Window(17, 2, 2)
    assert decide_by_roots(rest, asked, Budget()).status is Status.INFEASIBLE


def test_a_hint_and_the_same_again():
    """One worker finds the same parts again; a hint may be of another window."""
    instance = delaunay(3, n=20, w=9, parts=5)
    component = components_of(instance)[0]
    asked = window(component.total, instance.k, 5, instance.k + 3)
    first, second = (decide_by_roots(component, asked, Budget()) for _ in range(2))
    assert first == second
    require(component, asked, first.found)
    wide = window(component.total, instance.k, 4, component.total // 4 + 5)
    hinted = decide_by_roots(component, wide, Budget(), first.found)
    require(component, wide, hinted.found)
    again = decide_by_roots(component, asked, Budget(), first.found)
    assert sorted(map(sorted, again.found)) == sorted(map(sorted, first.found))


def test_too_little_time_and_too_much_weight():
    """Nothing is claimed of what cannot be decided."""
    component = components_of(delaunay(1, n=40, parts=8))[0]
    asked = window(component.total, component.total // 8, 8, component.total // 8 + 1)
    assert decide_by_roots(component, asked, Budget.of(0)).status is Status.UNKNOWN
    heavy = components_of(ConnectedPartition([GREATEST, 1], [[0, 1]], 1))[0]
    with pytest.raises(NotApplicableError, match="too large"):
        decide_by_roots(heavy, Window(1, 1, 2 * GREATEST), Budget())
