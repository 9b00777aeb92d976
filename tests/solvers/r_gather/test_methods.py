import pytest

import atleastk
from atleastk import RGather, Status, Trust
from atleastk.solvers.r_gather.methods import METHODS

NAMES = ["auto", *(method.name for method in METHODS)]


NULL = [[0, 1, None, 2], [1, 0, 3, None], [None, 3, 0, 2], [2, None, 2, 0]]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "instance",
    [RGather(distances=NULL, r=3), RGather(points=[[0], [1], [4]], r=4)],
    ids=["null distances", "too few points"],
)
def test_infeasibility_is_certified(name, instance):
    """A certificate of a bound that was passed on the way is not one of that."""
    result = atleastk.solve(instance, method=name, certify=True)
    assert (result.status, result.bound) == (Status.INFEASIBLE, None)
    assert result.trust is Trust.CERTIFIED
    assert atleastk.check(instance, result).feasible
