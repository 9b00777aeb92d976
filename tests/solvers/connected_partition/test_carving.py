import threading

from maps import planted, require_partition

from atleastk import ConnectedPartition, Status
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition import carving
from atleastk.solvers.connected_partition.carving import decide_by_carving
from atleastk.solvers.connected_partition.component import components_of


def test_counting_refutes_at_once():
    component, _ = planted(1, 60, 4)
    decision = decide_by_carving(component, Window(4, 1, 2), Budget())
    assert decision.status is Status.INFEASIBLE


def test_thousands_of_parts_are_taken_one_after_the_other():
    path = ConnectedPartition([1] * 1200, [(i, i + 1) for i in range(1199)], 1)
    (component,), window = components_of(path), Window(1200, 1, 1)
    decision = decide_by_carving(component, window, Budget())
    require_partition(component, window, decision.found)


def test_listed_sets_are_not_tried_when_time_is_up(monkeypatch):
    component, window = planted(1, 60, 4)
    stop, lists, listed = threading.Event(), [], carving._Carver._listed

    def last(carver, parts, patience):
        lists.append(listed(carver, parts, patience))
        carver._flag[0] = 1
        stop.set()
        return lists[-1]

    monkeypatch.setattr(carving._Carver, "_listed", last)
    decision = decide_by_carving(component, window, Budget(stop=stop))
    assert decision.status is Status.UNKNOWN
    assert len(lists) == 1
    assert lists[0]
