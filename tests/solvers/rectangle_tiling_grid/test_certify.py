from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.solvers.budget import Budget
from atleastk.solvers.rectangle_tiling_grid.certify import certify


def test_without_cells():
    instance = RectangleTilingGrid([], 2)
    assert certify(instance, 0, Budget()) == {"kind": "count"}
    assert certify(instance, 1, Budget()) is None
