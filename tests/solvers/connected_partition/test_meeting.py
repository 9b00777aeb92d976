import numpy as np
import pytest
from maps import heavy_component, planted, require_partition

from atleastk import ConnectedPartition, Status
from atleastk.models.connected_partition import reach
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition import meeting
from atleastk.solvers.connected_partition.carving import decide_by_carving
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


@pytest.mark.parametrize("pieces", [1, 3])
@pytest.mark.parametrize("twins", [False, True])
def test_cuts_are_all_that_there_are(pieces, twins):
    """Of twins one has the first node of the order; three pieces may be any parts."""
    flag, listed = np.zeros(1, dtype=np.uint8), 0
    star = graph(
        [4, 4, 4, 4] + [1] * 6, [*STAR, (0, 4), *((v, v + 1) for v in range(4, 9))]
    )
    drawn = [heavy_component(i, 10, [1, 2, 3, 1, 2, 2, 1, 3, 2, 1]) for i in range(8)]
    for seed, component in enumerate([star, *drawn]):
        order = np.random.default_rng(seed).permutation(10)
        total, low, high = component.total, 6, component.total - 8
        limits = total, low, high, 3, 5, pieces, twins, 9999, 9999
        wanted = meeting._Wanted(*limits)
        complete, words = meeting._cuts(component.graph, order, wanted, flag)
        found = words[1::2].tolist()
        assert complete
        assert not words[::2].any()
        assert len(set(found)) == len(found)
        for bits in range(1, 2**10 - 1):
            chosen = np.array([bits >> i & 1 == 1 for i in range(10)])[::-1]
            ones, zeros = (pieces_of(component, order[c]) for c in (chosen, ~chosen))
            good = len(zeros) == 1 and len(ones) == pieces and low <= zeros[0] <= high
            good &= not (twins and chosen[0])
            listed += bits in found
            assert good or bits not in found
            if pieces == 1 or 3 <= min(ones) <= max(ones) <= 5:
                assert bits in found or not good
    assert listed


def graph(weights, edges):
    return components_of(ConnectedPartition(weights, edges, 1))[0]


@pytest.mark.parametrize("weights", [(4, 4, 4, 4), (4, 4, 4, 5)])
def test_two_of_four_parts_may_touch_nothing_but_the_others(weights):
    window = Window(4, 4, 4)
    wanted = Status.FEASIBLE if sum(weights) == 16 else Status.INFEASIBLE
    assert decide_by_meeting(graph(weights, STAR), window, Budget()).status is wanted


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
    assert decide_by_meeting(component, window, Budget(), 50).status is Status.UNKNOWN
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


@pytest.mark.parametrize("parts", [2, 3, 4])
@pytest.mark.parametrize("n", [62, 63, 80, 124, 125])
def test_nodes_of_two_words(n, parts):
    """A ladder has few cuts, so that carving decides about as many nodes."""
    rng, statuses = np.random.default_rng(n), set()
    rungs = [(v, v + 1) for v in range(0, n - 1, 4)]
    for most in (2, 9, 99):
        edges = [(v, v + 2) for v in range(n - 2)] + rungs
        ladder = graph(rng.integers(1, most, n).tolist(), edges)
        least = ladder.total // parts
        window = Window(parts, least, -(-ladder.total // parts))
        decision = decide_by_meeting(ladder, window, Budget())
        if decision.status is not Status.UNKNOWN:
            expected = decide_by_carving(ladder, window, Budget())
            assert decision.status is expected.status
        if decision.found is not None:
            require_partition(ladder, window, decision.found)
        statuses.add(decision.status)
    assert (statuses == {Status.UNKNOWN}) == (n > 124)
