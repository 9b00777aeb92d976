import numpy as np
import pytest
from tables import of_columns

from atleastk import InvalidInstanceError, RGather
from atleastk.doors.clustering.points import PRECISION, located
from atleastk.frames.open_frame import framed
from atleastk.instances.spaces.metric_spaces import Manhattan

PEOPLE = of_columns(age=["30", "34", "30"], place=["1.5", "-2", "1.5"], sex="FMM")


def place(columns, metric="manhattan", units=None):
    return located(framed(PEOPLE), columns, metric, units)


def test_numbers_and_other_values_add_up():
    where = place(("age", "place", "sex"), units={"age": 2, "sex": "0.5"})
    assert [axis.number for axis in where.axes] == [True, True, False]
    here = np.zeros(2, dtype=int)
    assert where.apart(here, np.array([1, 2])).tolist() == [2 + 3.5 + 2, 2]
    space = RGather(points=where.points, metric="manhattan", r=1).space
    assert isinstance(space, Manhattan)
    assert (space.matrix[0] == [0, 7.5 * PRECISION, 2 * PRECISION]).all()


def test_middle():
    assert place(("age", "sex")).middle([0, 1, 2]) == (32, "M")


@pytest.mark.parametrize(
    ("columns", "metric", "units", "message"),
    [
        (("sex",), "euclidean", None, r'"sex": euclidean .* row 1 holds "F"'),
        (("age",), "great-circle", None, "one of longitudes, got age; say which"),
        (("age",), "hamming", {"age": 2}, "hamming distances have none"),
        (("age",), "manhattan", {"sex": 2}, '"sex" is not among the columns'),
        (("age",), "manhattan", {"age": 0}, "a number above 0, got 0"),
        (("age",), "manhattan", {"age": "x"}, "a number above 0, got 'x'"),
    ],
)
def test_what_does_not_go_together(columns, metric, units, message):
    with pytest.raises(InvalidInstanceError, match=message):
        place(columns, metric, units)


def test_missing_values_are_nowhere():
    with pytest.raises(InvalidInstanceError, match='"a": row 2 has no value'):
        located(framed([{"a": 1}, {"a": None}]), ("a",))


def test_too_many_texts():
    rows = [{"a": f"x{i}"} for i in range(201)]
    with pytest.raises(InvalidInstanceError, match="201 different texts"):
        located(framed(rows), ("a",))
