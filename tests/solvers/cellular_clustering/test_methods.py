from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.solvers.cellular_clustering.methods import METHODS

REFUSALS = {method.name: method.refuses for method in METHODS}


def test_refusals_say_why():
    few = CellularClustering(points=[[0], [1], [2]])
    assert all(refuses(few) is None for refuses in REFUSALS.values())
    many = CellularClustering(points=[[x] for x in range(1001)], r=2)
    for name in ("columns", "compact", "compact-highs", "seats", "sat"):
        assert "1001 points are too many" in REFUSALS[name](many)
    assert "too many groups" in REFUSALS["groups"](many)
    middling = CellularClustering(points=[[x * x] for x in range(160)])
    assert "balls" in REFUSALS["compact"](middling)
    wide = CellularClustering(points=[[0], [2**29]], r=2)
    assert "too long" in REFUSALS["seats"](wide)
