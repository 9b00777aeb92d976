"""The judge of generalisation on instances that can be told by heart."""

import pytest

from atleastk.instances.errors import NotApplicableError
from atleastk.instances.generalization import Generalization
from atleastk.instances.generators.generalization import trees
from atleastk.solvers.brute_force.generalization import optimum

TREE = [["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"], ["d", "y", "*"]]
ROWS = [["a"], ["b"], ["c"], ["d"], ["d"]]


@pytest.mark.parametrize(
    ("k", "on", "loss", "best"),
    [
        (1, "entries", "height", 0),
        (2, "entries", "height", 5),
        (3, "entries", "height", 10),
        (6, "entries", "height", None),
        (2, "attributes", "height", 1),
        (3, "attributes", "height", 2),
        (2, "attributes", "discernibility", 13),
        (3, "attributes", "discernibility", 25),
        (2, "attributes", "average-class-size", 3),
        (6, "attributes", "height", None),
    ],
)
def test_by_heart(k, on, loss, best):
    assert optimum(Generalization(ROWS, k, [TREE], on, loss)) == best


def test_too_much():
    with pytest.raises(NotApplicableError, match="at most 8 rows, got 9"):
        optimum(trees(0, n=9))
    tall = [[str(level) for level in range(200)]]
    instance = Generalization([["0"] * 2] * 9, 1, [tall] * 2, "attributes")
    with pytest.raises(NotApplicableError, match="at most 20000 nodes, got 40000"):
        optimum(instance)
