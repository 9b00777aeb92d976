from maps import planted, require_partition

from atleastk import ConnectedPartition, Status
from atleastk.instances.generators.connected_partition import delaunay
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.decide import by_lists, decide


def test_heavy_maps():
    small = delaunay(1, n=14, parts=4)
    weights = [weight << 50 for weight in small.weights]
    heavy = ConnectedPartition(weights, small.edges, small.k << 50)
    (component,) = components_of(heavy)
    window = Window(4, (component.total >> 2) - 9, (component.total >> 2) + 9)
    assert decide(component, window, Budget()).status is Status.INFEASIBLE


def test_few_parts_of_a_small_map_are_decided_by_all_cuts():
    component, window = planted(4, 30, 4)
    answer = decide(component, window, Budget())
    assert answer.by == "meeting"
    require_partition(component, window, answer.found)


def test_as_many_sets_as_parts_are_enough():
    (path,) = components_of(ConnectedPartition([1] * 4, [(0, 1), (1, 2), (2, 3)], 2))
    answer = by_lists(path, Window(2, 2, 2), None, Budget())
    assert sorted(map(sorted, answer.found)) == [[0, 1], [2, 3]]
