import random

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.certificates.rectangle_tiling_grid import check_certificate
from atleastk.solvers.brute_force.rectangle_tiling_grid import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.rectangle_tiling_grid.certify import certify


def test_optima_against_the_judge():
    rng = random.Random(6)
    kinds = []
    for _ in range(40):
        rows, columns = rng.choice([(1, 7), (2, 5), (3, 3), (3, 4), (2, 2)])
        grid = [
            [rng.choice([0, 1, 2, 5, 9]) for _ in range(columns)] for _ in range(rows)
        ]
        instance = RectangleTilingGrid(grid, rng.randint(1, 9))
        cost = optimum(instance)[0]
        certificate = certify(instance, cost, Budget())
        check_certificate(instance, certificate, cost)
        kinds.append(certificate["kind"])
        assert certify(instance, cost + 1, Budget()) is None
        assert certify(instance, None, Budget()) is None
    assert kinds.count("parts") > 5


def test_without_cells():
    instance = RectangleTilingGrid([], 2)
    assert certify(instance, 0, Budget()) == {"kind": "count"}
    assert certify(instance, 1, Budget()) is None
