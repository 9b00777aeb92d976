from atleastk import ConnectedPartition, Status
from atleastk.instances.generators.connected_partition import delaunay
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.decide import decide


def test_heavy_maps():
    small = delaunay(1, n=14, parts=4)
    weights = [weight << 50 for weight in small.weights]
    heavy = ConnectedPartition(weights, small.edges, small.k << 50)
    (component,) = components_of(heavy)
    window = Window(4, (component.total >> 2) - 9, (component.total >> 2) + 9)
    assert decide(component, window, Budget()).status is Status.INFEASIBLE
