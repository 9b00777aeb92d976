import numpy as np
import pytest
from maps import planted, require_partition

from atleastk import ConnectedPartition, Status
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.halving import _Halver, decide_by_halving


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
    """Each cut takes one of them off."""
    hub = ConnectedPartition([0] + [3] * 500, [(0, v) for v in range(1, 501)], 3)
    (component,), window = components_of(hub), Window(500, 3, 3)
    decision = decide_by_halving(component, window, Budget())
    require_partition(component, window, decision.found)


def test_what_is_impossible_is_given_up_after_attempts_of_any_length(monkeypatch):
    path = ConnectedPartition([2] * 40, [(v, v + 1) for v in range(39)], 3)
    (component,), lengths, divide = components_of(path), [], _Halver.divide
    noting = "divide", lambda *own: lengths.append(own[2]) or divide(*own)
    monkeypatch.setattr(_Halver, *noting)
    decision = decide_by_halving(component, Window(26, 3, 4), Budget(), 1_000_000)
    assert decision.status is Status.UNKNOWN
    assert [n // lengths[0] for n in lengths[:8]] == [1, 2, 1, 4, 1, 2, 1, 8]
