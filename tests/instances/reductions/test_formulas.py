import pytest

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.reductions.formulas import ThreeSat


def test_literals_come_once():
    problem = ThreeSat([[1, 1, -4], (2,)])
    assert (problem.clauses, problem.variables) == (((1, -4), (2,)), 4)
    assert ThreeSat([]).variables == 0
    document = {"problem": "3-sat", "clauses": ((1, -4), (2,))}
    assert problem.to_dict() == document
    assert ThreeSat.from_dict(document) == problem


def test_satisfied():
    problem = ThreeSat([[1, -2], [2, 3]])
    assert problem.satisfied([True, False, True])
    assert not problem.satisfied([False, True, True])
    assert not problem.satisfied([True, False, False])
    assert ThreeSat([]).satisfied([])


@pytest.mark.parametrize(
    ("clauses", "message"),
    [
        ([[1], [0, 1]], r"clauses\[1\]: expected one to three"),
        ([[]], "got "),
        ([[1, 2, 3, 4]], r"clauses\[0\]"),
        ([[2_000_000]], "got 2000000"),
        ([[-2_000_000]], r"clauses\[0\]\[0\]"),
        ([[1]] * 2 + [[1, 2], [1, -3]], "literal 1 is in 4"),
    ],
)
def test_others_are_refused(clauses, message):
    with pytest.raises(InvalidInstanceError, match=message):
        ThreeSat(clauses)
