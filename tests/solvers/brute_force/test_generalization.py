import pytest

from atleastk import Generalization, NotApplicableError
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


@pytest.mark.parametrize(
    ("table", "suppress_rows", "loss", "best"),
    [
        (["a", "a", "c", "c", "c"], 0, "height", 0),
        (["a", "b", "c", "c", "c"], 1, "height", 1),
        (["a", "b", "c", "c", "c"], 2, "height", 0),
        (["a", "c", "c", "c"], 1, "height", 2),
        (["a", "c", "c", "c"], 2, "height", 0),
        (["a", "c", "c"], 2, "height", 2),
        (["a", "c", "c", "c"], 2, "discernibility", 14),
        (["a", "b", "c", "c", "c"], 2, "average-class-size", 3),
        (["a", "b", "c", "c", "c"], 1, "average-class-size", 3),
    ],
)
def test_suppressed_rows_by_heart(table, suppress_rows, loss, best):
    """For k = 2 a suppressed row needs another, which may be taken from three."""
    rows = [[label] for label in table]
    wish = {"on": "attributes", "loss": loss, "suppress_rows": suppress_rows}
    assert optimum(Generalization(rows, 2, [TREE], **wish)) == best


def test_rows_that_are_published_at_the_top_are_company():
    """A row whose labels are the tops from level 1 on needs no other beside one."""
    tree = [["a", "x", "*"], ["c", "y", "*"], ["?", "*", "*"]]
    rows = [["?"], ["a"], ["c"], ["c"]]
    wish = {"on": "attributes", "suppress_rows": 1}
    assert optimum(Generalization(rows, 2, [tree], **wish)) == 1
    back = [["a", "x", "x", "*"], ["c", "y", "y", "*"], ["?", "*", "z", "*"]]
    assert optimum(Generalization(rows, 2, [back], **wish)) == 3


def test_too_much():
    with pytest.raises(NotApplicableError, match="at most 8 rows, got 9"):
        optimum(trees(0, n=9))
    tall = [[str(level) for level in range(500)]]
    instance = Generalization([["0"] * 2] * 9, 1, [tall] * 2, "attributes")
    with pytest.raises(NotApplicableError, match="at most 200000 nodes, got 250000"):
        optimum(instance)
