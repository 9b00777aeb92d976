import numpy as np
import pytest
from maps import heavy_component, planted, require_partition

from atleastk import ConnectedPartition, Status
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition import halving
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.halving import _Halver, decide_by_halving
from atleastk.solvers.connected_partition.meeting import decide_by_meeting


def path(weights):
    """Return the component that is a path of nodes of these weights."""
    edges = [(v, v + 1) for v in range(len(weights) - 1)]
    return components_of(ConnectedPartition(weights, edges, 1))[0]


@pytest.mark.parametrize(
    ("seed", "n", "parts"), [(1, 60, 4), (8, 120, 3), (5, 150, 10), (6, 400, 10)]
)
def test_heavy_parts_of_one_weight_are_found(seed, n, parts):
    component, window = planted(seed, n, parts)
    decision = decide_by_halving(component, window, Budget())
    require_partition(component, window, decision.found)
    assert decision == decide_by_halving(component, window, Budget())


def test_parts_of_many_nodes_have_no_room():
    component, _ = planted(2, 300, 5)
    least = component.total // 5
    window = Window(5, least, least + component.total % 5)
    decision = decide_by_halving(component, window, Budget())
    require_partition(component, window, decision.found)
    masses = [int(component.weights[part].sum()) for part in decision.found]
    assert np.ptp(masses) <= component.total % 5


def test_many_parts_around_a_hub_are_found_one_by_one():
    """Each cut takes one of them off; no attempt ends before a piece has none."""
    hub = ConnectedPartition([0] + [3] * 500, [(0, v) for v in range(1, 501)], 3)
    (component,), window = components_of(hub), Window(500, 3, 3)
    decision = decide_by_halving(component, window, Budget(), 1)
    require_partition(component, window, decision.found)


def test_what_is_impossible_is_given_up_after_attempts_of_any_length(monkeypatch):
    component, lengths, divide = path([2] * 40), [], _Halver.divide
    noting = "divide", lambda *own: lengths.append(own[2]) or divide(*own)
    monkeypatch.setattr(_Halver, *noting)
    decision = decide_by_halving(component, Window(26, 3, 4), Budget(), 1_000_000)
    assert decision.status is Status.UNKNOWN
    assert [n // lengths[0] for n in lengths[:8]] == [1, 2, 1, 4, 1, 2, 1, 8]


@pytest.mark.parametrize("parts", [2, 4])
def test_pairs_that_no_tree_cuts_are_cut_by_all_cuts(parts, monkeypatch):
    cut = _Halver._cut

    def cut_others(halver, nodes, share, trees):
        found = cut(halver, nodes, share, trees)
        return 0 if share == 2 else found

    monkeypatch.setattr(_Halver, "_cut", cut_others)
    weights = np.random.default_rng(parts).integers(1, 9, 14 * parts).tolist()
    component = heavy_component(parts, 14 * parts, weights)
    least = component.total // parts
    window = Window(parts, least, -(-component.total // parts))
    decision = decide_by_halving(component, window, Budget())
    require_partition(component, window, decision.found)


@pytest.mark.parametrize(("weights", "looks"), [([4, 4], 1), ([4, 4, 4], 0)])
def test_a_pair_without_a_cut_is_looked_at_once_and_of_few_parts(
    weights, looks, monkeypatch
):
    met = []
    noting = (
        "decide_by_meeting",
        lambda *own: met.append(own) or decide_by_meeting(*own),
    )
    monkeypatch.setattr(halving, *noting)
    component, window = path([3, 2, 3, *weights]), Window(2 + len(weights), 4, 4)
    decision = decide_by_halving(component, window, Budget(), 100_000)
    assert decision.status is Status.UNKNOWN
    assert len(met) == looks


def test_of_two_pieces_the_smaller_one_is_cut_first(monkeypatch):
    sizes, is_cut = [], _Halver._is_cut
    noting = (
        "_is_cut",
        lambda *own: sizes.append(len(own[0]._nodes[own[1]])) or is_cut(*own),
    )
    monkeypatch.setattr(_Halver, *noting)
    for seed in range(8):
        few = [2, 2, 1, 2, 2, 1]
        sizes.clear()
        decide_by_halving(path(few + [1] * 10), Window(4, 5, 5), Budget(seed=seed))
        assert sizes == [16, 6, 10]


@pytest.mark.parametrize(("heavy", "parts"), [(1, 4), (3, 4), (3, 5)])
def test_a_node_of_half_a_part_is_cut_off_first_every_other_time(heavy, parts):
    """A cut leaves two parts on each side else; five parts are not few."""
    component = path([heavy] + [1] * (4 * parts - heavy))
    memory = np.zeros(1, dtype=np.uint8), np.random.default_rng(heavy), set()
    halver, alone = _Halver(component, Window(parts, 4, 4), *memory), 0
    for _ in range(40):
        found = halver._cut(np.arange(component.n), parts, 200)
        assert found > 0
        alone += found == 1 and halver._side[0] == 1
    assert (10 <= alone <= 30) == (heavy == 3 and parts == 4)
    assert alone <= 30
