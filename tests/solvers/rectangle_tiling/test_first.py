import numpy as np
import pytest

from atleastk import RectangleTiling
from atleastk.models.rectangle_tiling import check, counting_bound
from atleastk.solvers.brute_force.rectangle_tiling import optimum
from atleastk.solvers.rectangle_tiling.first import first_answers


def costs(instance):
    """Return what first answers cost, by name, as far as they are feasible."""
    verdicts = {name: check(instance, made) for name, made in first_answers(instance)}
    assert not any(verdict.violations for verdict in verdicts.values())
    return {name: verdict.cost for name, verdict in verdicts.items()}


@pytest.mark.parametrize("cover", ["plane", "points"])
def test_strips_are_tilings_no_cheaper_than_the_optimum(cover):
    """Weights of 0, points at one place, and a point heavier than all others."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        points = rng.integers(0, 4, (7, 3))
        points[0, 2] += 1 + 20 * (seed % 2)
        k = int(rng.integers(1, points[:, 2].sum() + 1))
        instance = RectangleTiling(points=points.tolist(), k=k, cover=cover)
        assert costs(instance)["strips"] >= optimum(instance)[0]


@pytest.mark.parametrize(("side", "most"), [(60, 1.3), (10**6, 1.05)])
def test_strips_of_many_points_are_near_the_bound(side, most):
    rng = np.random.default_rng(side)
    points = np.column_stack(
        (rng.integers(0, side, (20_000, 2)), rng.integers(1, 21, 20_000))
    )
    instance = RectangleTiling(points=points.tolist(), k=int(points[:, 2].sum()) // 100)
    assert costs(instance)["strips"] < most * counting_bound(instance)
