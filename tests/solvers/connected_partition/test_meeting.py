import numpy as np
import pytest
from maps import heavy_component, planted, require_partition

from atleastk import ConnectedPartition, Status
from atleastk.models.connected_partition import reach
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition import meeting
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.decide import by_lists
from atleastk.solvers.connected_partition.meeting import decide_by_meeting

STAR = [(0, v) for v in (1, 2, 3)]


def pieces_of(component, nodes):
    """Return the weights of the pieces of some nodes."""
    left, found = set(nodes), []
    while left:
        piece = reach(component.neighbours, left)
        found.append(sum(int(component.weights[v]) for v in piece))
        left -= set(piece)
    return found


@pytest.mark.parametrize("pieces", [1, 2])
def test_cuts_are_all_that_there_are(pieces):
    """Two pieces of side 1 are a part each; of two joined sides one has node 0."""
    flag, ends, split = np.zeros(1, dtype=np.uint8), (3, 5), 0
    path = graph([1] * 8 + [4, 4], [(i, i + 1) for i in range(9)])
    drawn = [heavy_component(i, 10, [1, 2, 3, 1, 2, 2, 1, 3, 2, 1]) for i in range(8)]
    for seed, component in enumerate([path, *drawn]):
        order = np.random.default_rng(seed).permutation(10) if seed else np.arange(10)
        low, high = max(6, component.total - 10), min(10, component.total - 6)
        given = component.graph, order, (2, 2), ends, pieces, 9999, 9999, flag
        found = meeting._cuts(*given)[1].tolist()
        assert len(set(found)) == len(found)
        for bits in range(1, 2**10 - 1):
            ones = pieces_of(component, order[[bits >> i & 1 == 1 for i in range(10)]])
            zeros = pieces_of(component, order[[bits >> i & 1 == 0 for i in range(10)]])
            if len(ones) == 1:
                good = len(zeros) == 1 and low <= zeros[0] <= high and not bits & 1
                assert bits in found or not good
            elif len(zeros) == 1 and len(ones) == pieces and low <= zeros[0] <= high:
                split += 1
                assert bits in found or not 3 <= min(ones) <= max(ones) <= 5
    assert (split > 0) == (pieces == 2)


def graph(weights, edges):
    return components_of(ConnectedPartition(weights, edges, 1))[0]


@pytest.mark.parametrize("weights", [(4, 4, 4, 4), (4, 4, 4, 5)])
def test_two_of_four_parts_may_touch_nothing_but_the_others(weights):
    window = Window(4, 4, 4)
    wanted = Status.FEASIBLE if sum(weights) == 16 else Status.INFEASIBLE
    assert decide_by_meeting(graph(weights, STAR), window, Budget()).status is wanted


@pytest.mark.parametrize("weights", [[1] * 8 + [4, 4], [4, 4] + [1] * 8])
def test_a_side_that_is_complete_early_may_be_two_joined_parts(weights):
    path = graph(weights, [(i, i + 1) for i in range(9)])
    decision = decide_by_meeting(path, Window(4, 4, 4), Budget())
    require_partition(path, Window(4, 4, 4), decision.found)


def test_stars_of_paths_have_four_parts_of_the_same_weight():
    # The centre with three branches of seven nodes: each may give nodes to the middle.
    edges = [(0, 1), (0, 8), (0, 15)]
    edges += [(v, v + 1) for v in range(1, 21) if v % 7]
    rng = np.random.default_rng(3)
    branches = rng.permutation(np.arange(10, 17)).tolist()
    star = graph([1, *branches * 3], edges)
    whole = star.total
    for least in range(whole // 4 - 6, whole // 4 + 1):
        window = Window(4, least, whole - 3 * least)
        decision = decide_by_meeting(star, window, Budget())
        expected = by_lists(star, window, None, Budget())
        assert decision.status is expected.status


@pytest.mark.parametrize("parts", [2, 3, 4])
def test_parts_of_exactly_the_same_weight_are_found(parts):
    component, window = planted(parts, 28, parts)
    decision = decide_by_meeting(component, window, Budget())
    require_partition(component, window, decision.found)


def test_too_many_colourings_are_no_answer(monkeypatch):
    component, window = planted(2, 28, 2)
    monkeypatch.setattr(meeting, "_ROOM", 50)
    assert decide_by_meeting(component, window, Budget()).status is Status.UNKNOWN


def test_cuts_that_are_too_many_refute_nothing(monkeypatch):
    component, _ = planted(4, 24, 4)
    even = graph(
        (2 * component.weights).tolist(),
        [(u, v) for u, near in enumerate(component.neighbours) for v in near if u < v],
    )
    window = Window(3, even.total // 3 - 1, even.total // 3 + 1)
    assert decide_by_meeting(even, window, Budget()).status is not Status.UNKNOWN
