from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.certify import certify


def test_no_certificate_is_sought_where_there_is_none():
    assert certify(CellularClustering(points=[[1]], r=2), 1, Budget()) is None
    many = CellularClustering(points=[[i] for i in range(1001)])
    assert certify(many, 0, Budget()) is None
