import numpy as np
import pytest

from atleastk.instances.generators.rectangle_tiling_grid import FAMILIES
from atleastk.models.rectangle_tiling_grid import check, solution_of_boxes

BY_NAME = {family.name: family for family in FAMILIES}


def test_shapes_are_as_asked_for():
    for name in {"uniform", "peaks"}:
        instance = BY_NAME[name].make(1, rows=3, columns=5, p=4)
        assert (instance.rows, instance.columns, instance.p) == (3, 5, 4)
    weights = BY_NAME["uniform"].make(1, rows=20, columns=20, high=3).weights
    assert set(weights.flat) == {0, 1, 2, 3}


def test_peaks_fall_off():
    weights = BY_NAME["peaks"].make(1, rows=9, columns=9, count=1, high=50).weights
    row, column = np.unravel_index(weights.argmax(), weights.shape)
    assert 1 <= weights.max() <= 50
    assert (np.diff(weights[row, column:]) <= 0).all()
    assert (np.diff(weights[: row + 1, column]) >= 0).all()
    assert BY_NAME["peaks"].make(1, count=0).total == 0


@pytest.mark.parametrize("arm", [2, 4, 10])
@pytest.mark.parametrize("w", [1, 7])
def test_pinwheels(arm, w):
    """Five rectangles of one fifth each; straight cuts leave no fifths."""
    instance = BY_NAME["pinwheel"].make(0, arm=arm, w=w)
    n = arm + 1
    boxes = [
        *((0, 0, 1, arm), (0, arm, arm, n), (arm, 1, n, n), (1, 0, n, 1)),
        (1, 1, arm, arm),
    ]
    verdict = check(instance, solution_of_boxes(instance, boxes))
    assert verdict.feasible
    assert 5 * verdict.cost == instance.total == 5 * arm * w
    sides = [instance.weights[:i].sum() for i in range(1, n)]
    assert not any(side % (arm * w) == 0 for side in sides)
    assert (instance.weights == instance.weights.T).all()


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_straight_cuts_are_asked_for(family):
    assert not family.make(3).guillotine
    assert family.make(3, guillotine=1).guillotine
