from functools import partial

from atleastk import RectangleTilingGrid, Status
from atleastk.models.encodings.straight_cuts import straight_cuts
from atleastk.models.rectangle_tiling_grid import solution_of_boxes
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget


def answered(instance, level, least=0):
    read = partial(solution_of_boxes, instance)
    encoding = straight_cuts(instance.weights, least, level, read, instance.p)
    return encoding, Highs().minimise(encoding.model, Budget())


def test_light_boxes_are_not_kept():
    """Two of weight 3 cannot be made of a 1 and a 5, one of 6 can."""
    instance = RectangleTilingGrid([[1, 5]], 2, guillotine=True)
    assert answered(instance, 6, 3)[1].cost == 0
    assert answered(instance, 5, 3)[1].status is Status.INFEASIBLE
    assert answered(instance, 7, 7)[1].status is Status.INFEASIBLE
