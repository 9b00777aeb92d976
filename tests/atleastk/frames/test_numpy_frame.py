import numpy as np
import pandas
import pytest
from scipy import sparse

import atleastk
from atleastk import InvalidInstanceError
from atleastk.frames.numpy_frame import NumpyFrame
from atleastk.frames.open_frame import framed
from atleastk.frames.rows import numbered_cells

NOW = np.datetime64("2020-01-01")
FIRST = np.array([True, False])


@pytest.mark.parametrize(
    ("cells", "kind", "hidden"),
    [
        ([[1, 2], [3, 4]], np.int8, [[None, 2], [3, 4]]),
        ([[1, 2**53 + 1], [3, 4]], np.int64, [[None, 2**53 + 1], [3, 4]]),
        ([[True, False], [True, True]], bool, [[None, 0], [1, 1]]),
        ([[1.5, -0.0], [0.0, np.nan]], np.float32, [[None, -0.0], [0.0, None]]),
        ([["a", "b"], ["c", "d"]], "<U1", [["***", "b"], ["c", "d"]]),
        ([[b"a", b"b"], [b"c", b"d"]], "S1", [[None, b"b"], [b"c", b"d"]]),
        ([[NOW, NOW], [NOW, NOW]], "M8[D]", [[None, NOW], [NOW, NOW]]),
        ([["a", 1], [None, 1.0]], object, [["***", 1], [None, 1.0]]),
        ([[1, "a"], [None, np.nan]], object, [[None, "a"], [None, None]]),
    ],
)
def test_cells_are_hidden(cells, kind, hidden):
    array = np.array(cells, dtype=kind)
    before = array.copy()
    made = framed(array).hiding({0: FIRST}, "***").native
    message = [
        [None if pandas.isna(c) else c.item() if hasattr(c, "item") else c for c in row]
        for row in made
    ]
    plain = [[c.item() if hasattr(c, "item") else c for c in row] for row in hidden]
    assert message == plain
    assert array.tobytes() == before.tobytes()
    if np.dtype(kind).kind in "fMO":
        assert made.dtype == array.dtype
    nothing = framed(array).hiding({0: ~FIRST & FIRST}, "***").native
    assert nothing.dtype == array.dtype
    assert nothing is not array


def test_columns_by_their_values():
    floats = framed(np.array([[0.0], [-0.0], [np.nan], [np.nan]]))
    assert floats.column(0).codes.tolist() == [0, 1, 2, 2]
    assert not floats.column(0).text
    objects = framed(np.array([["a"], [None], [np.nan]], dtype=object))
    assert objects.column(0).values == ["a", None]
    assert objects.column(0).text
    times = framed(np.array([[NOW], ["NaT"]], dtype="M8[D]"))
    assert times.column(0).codes.tolist() == [0, 1]
    assert times.column(0).values[1] is None


def test_labels_take_the_place_of_values():
    frame = framed(np.array([[31, 1], [32, 2]]))
    made = frame.relabelled({0: numbered_cells(["30s", None])}).only([1, 0]).native
    assert made.tolist() == [[1, "30s"], [2, None]]
    assert frame.relabelled({}).native.dtype == np.int64


def test_anonymous_arrays():
    made = atleastk.anonymize(np.array([[1, 2], [1, 3]]), 2)
    assert made.frame[:, 0].tolist() == [1.0, 1.0]
    assert np.isnan(made.frame[:, 1]).all()
    assert atleastk.anonymity(made.frame).k == 2


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.array([1, 2]), "got 1 dimensions; Reshape your data"),
        (np.ones((2, 0)), r"0 feature\(s\) \(shape=\(2, 0\)\) while a minimum of 1"),
        (np.ones((2, 2), dtype=complex), "Complex data not supported"),
        (np.ma.masked_array([[1]], [[True]]), "masked arrays are no tables"),
    ],
)
def test_what_is_no_table(table, message):
    with pytest.raises(InvalidInstanceError, match=message):
        framed(table)


def test_sparse_arrays_are_refused():
    with pytest.raises(TypeError, match=r"of a sparse one \.toarray\(\)"):
        framed(sparse.csr_array(np.eye(2)))


@pytest.mark.parametrize(
    ("cells", "column", "kind"),
    [
        ([[1, 2], [3, 4]], [5, 6], "i"),
        ([[1, 2], [3, 4]], [1.5, 2.0], "f"),
        ([["a", "b"], ["c", "d"]], [1.5, 2.0], "O"),
    ],
)
def test_columns_are_refilled(cells, column, kind):
    array = np.array(cells)
    made = NumpyFrame.of(array).refilled({1: column}).native
    assert made.dtype.kind == kind
    assert made[:, 0].tolist() == array[:, 0].tolist()
    assert made[:, 1].tolist() == column
    assert array.tolist() == cells
