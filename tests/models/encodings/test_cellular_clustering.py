from atleastk import CellularClustering
from atleastk.models.encodings.cellular_clustering import (
    ball_entries,
    ball_model,
    group_model,
    groups_in_all,
    representative_model,
)
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.brute_force.cellular_clustering import optimum
from atleastk.solvers.budget import Budget

MODELS = [ball_model, representative_model, group_model]


def test_models_have_no_place_for_what_is_not_admitted():
    instance = CellularClustering(points=[[0], [1], [2]], r=1)
    solution = optimum(CellularClustering(points=[[0], [1], [2]], r=3))[1]
    assert group_model(instance).encode(solution) is None
    one_out = optimum(CellularClustering(points=[[0], [1], [9]], r=2, max_outliers=1))
    for encode in MODELS:
        assert encode(instance).encode(one_out[1]) is None


def test_sizes_are_reported_beforehand():
    line = CellularClustering(points=[[0], [1], [2]], r=2)
    assert ball_entries(line) == (2 + 3) + 3 + (2 + 3)
    assert groups_in_all(line) == 3 + 1
    assert ball_model(line).model.columns == ball_entries(line) + 5
    anywhere = CellularClustering(points=[[1], [0], [2]], r=2, centres="any")
    assert ball_entries(anywhere) == (3 + 1) + 3 + 2


def test_no_points():
    for encode in MODELS:
        model = encode(CellularClustering(points=[])).model
        assert CpSat().minimise(model, Budget()).cost == 0
