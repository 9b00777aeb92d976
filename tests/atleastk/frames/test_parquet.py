import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

from atleastk import AtleastkError, InvalidInstanceError
from atleastk.frames.open_frame import read_frame


@pytest.fixture
def path(tmp_path):
    table = pyarrow.table(
        {
            "text": pyarrow.array(["a", "b", None]),
            "word": pyarrow.array(["x", "y", "x"]).dictionary_encode(),
            "half": pyarrow.array([0.5, float("nan"), None]),
            "list": pyarrow.array([[1], [2], [1]]),
        }
    )
    parquet.write_table(table, tmp_path / "t.parquet")
    return tmp_path / "t.parquet"


def test_columns_by_their_values(path):
    frame = read_frame(path)
    assert frame.names == ("text", "word", "half", "list")
    assert frame.column("text").values == ["a", "b", None]
    assert frame.column("word").codes.tolist() == [0, 1, 0]
    assert repr(frame.column("half").values) == "[0.5, nan, None]"
    assert [frame.column(n).text for n in frame.names[:3]] == [True, False, False]
    with pytest.raises(InvalidInstanceError, match="column list: values of type list"):
        frame.column("list")


def test_there_and_back(path, tmp_path):
    frame = read_frame(path)
    mask = np.array([True, False, False])
    hidden = frame.hiding(dict.fromkeys(("text", "word", "half"), mask), "*")
    hidden.only(["text", "word", "half"]).write(tmp_path / "o.parquet")
    again = parquet.read_table(tmp_path / "o.parquet")
    assert again.schema.types == frame.table.native.schema.types[:3]
    assert again.column("text").to_pylist() == ["*", "b", None]
    assert again.column("word").to_pylist() == [None, "y", "x"]
    with pytest.raises(AtleastkError, match="cannot be written"):
        frame.write(tmp_path / "no" / "where.parquet")


def test_columns_without_nulls_may_get_them(tmp_path):
    schema = pyarrow.schema([pyarrow.field("n", pyarrow.int8(), nullable=False)])
    table = pyarrow.table({"n": pyarrow.array([1, 2], pyarrow.int8())}, schema=schema)
    parquet.write_table(table, tmp_path / "t.parquet")
    hidden = read_frame(tmp_path / "t.parquet").hiding(
        {"n": np.array([True, False])}, ""
    )
    hidden.write(tmp_path / "o.parquet")
    again = parquet.read_table(tmp_path / "o.parquet")
    assert again.column("n").to_pylist() == [None, 2]


def test_what_is_no_parquet_file(tmp_path, path):
    (tmp_path / "x.parquet").write_text("a,b\n1,2\n")
    with pytest.raises(InvalidInstanceError, match=r"x\.parquet: cannot be read"):
        read_frame(tmp_path / "x.parquet")
    with pytest.raises(InvalidInstanceError, match=r"a \.parquet file has no encoding"):
        read_frame(path, encoding="utf-8")
