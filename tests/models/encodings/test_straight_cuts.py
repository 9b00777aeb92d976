import random
from functools import partial

import numpy as np
import pytest
from costs import cost_of

from atleastk import RectangleTilingGrid, Status
from atleastk.models.encodings.straight_cuts import cuts_of, straight_cuts
from atleastk.models.rectangle_tiling_grid import solution_of_boxes
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.brute_force.rectangle_tiling_grid import optimum
from atleastk.solvers.budget import Budget


def answered(instance, level, least=0):
    read = partial(solution_of_boxes, instance)
    encoding = straight_cuts(instance.weights, least, level, read, instance.p)
    return encoding, Highs().minimise(encoding.model, Budget())


@pytest.mark.parametrize("seed", range(30))
def test_levels_are_those_of_the_judge(seed):
    rng = random.Random(seed)
    rows, columns = rng.choice([(1, 1), (1, 5), (2, 3), (3, 3), (3, 4)])
    grid = [
        [rng.choice((0, rng.randint(0, 9))) for _ in range(columns)]
        for _ in range(rows)
    ]
    instance = RectangleTilingGrid(grid, rng.randint(1, 6), guillotine=True)
    cost = optimum(instance)[0]
    encoding, answer = answered(instance, cost)
    assert cost_of(instance, encoding.decode(answer.values)) == cost
    assert cost == 0 or answered(instance, cost - 1)[1].status is Status.INFEASIBLE


def test_light_boxes_are_not_kept():
    """Two of weight 3 cannot be made of a 1 and a 5, one of 6 can."""
    instance = RectangleTilingGrid([[1, 5]], 2, guillotine=True)
    assert answered(instance, 6, 3)[1].cost == 0
    assert answered(instance, 5, 3)[1].status is Status.INFEASIBLE
    assert answered(instance, 7, 7)[1].status is Status.INFEASIBLE


def test_cuts_of_a_box():
    halves = list(cuts_of((1, 0, 3, 3)))
    assert len(halves) == 1 + 2
    for (a, c, b, d), (e, g, f, h) in halves:
        cells = np.zeros((4, 4), dtype=int)
        cells[a:b, c:d] += 1
        cells[e:f, g:h] += 1
        assert cells.sum() == 6
        assert (cells[1:3, 0:3] == 1).all()
