import struct

import numpy as np
import pyarrow
import pytest
from pyarrow import feather, ipc

from atleastk import InvalidInstanceError
from atleastk.cli.main import main
from atleastk.frames.arrow_files import unpacked_size
from atleastk.frames.open_frame import read_frame
from atleastk.instances.files.files import input_limit

TABLE = pyarrow.table(
    {
        "age": pyarrow.array([31, 31, 55], pyarrow.int8()),
        "sex": pyarrow.array(["f", "f", "m"]).dictionary_encode(),
        "name": ["a", "b", None],
    }
).replace_schema_metadata({"who": "people"})


def _stream(table, path):
    with ipc.new_stream(path, table.schema) as stream:
        stream.write_table(table)


def _file(table, path):
    feather.write_feather(table, str(path), compression="lz4")


@pytest.mark.parametrize("end", [".arrow", ".feather"])
@pytest.mark.parametrize("write", [_file, _stream])
def test_there_and_back(tmp_path, end, write):
    path, out = tmp_path / f"t{end}", tmp_path / f"out{end}"
    write(TABLE, path)
    frame = read_frame(path)
    assert frame.note == "not written back: metadata of the schema"
    mask = np.array([False, False, True])
    hidden = frame.hiding(dict.fromkeys(("age", "sex", "name"), mask), "*")
    hidden.rebuilt().write(out)
    again = feather.read_table(out)
    assert again.schema.equals(TABLE.schema)
    assert again.schema.metadata is None
    shown = {"age": [31, 31, None], "sex": ["f", "f", None], "name": ["a", "b", "*"]}
    assert again.to_pydict() == shown


def test_on_the_command_line(tmp_path, capsysbinary):
    path = tmp_path / "t.arrow"
    _file(TABLE, path)
    command = ["anonymize", str(path), "-k", "3", "--columns", "age", "-o"]
    assert main([*command, "-"]) == 0
    table = ipc.open_file(capsysbinary.readouterr().out).read_all()
    assert table.column("age").to_pylist() == [None] * 3
    assert main([*command, str(tmp_path / "out.sav")]) == 2
    message = b"a table of an Arrow file is written to one of .arrow, .feather, .csv"
    assert message in capsysbinary.readouterr().err


def test_categories_of_several_batches_are_one_list(tmp_path):
    """Each batch may have numbered them anew, which a file cannot say."""
    path = tmp_path / "t.arrow"
    other = TABLE.set_column(1, "sex", pyarrow.array(["m"] * 3).dictionary_encode())
    _stream(pyarrow.concat_tables([TABLE, other]), path)
    read_frame(path).write(path)
    assert read_frame(path).column("sex").values == ["f", "m"]


def test_what_is_no_arrow_file(tmp_path):
    path = tmp_path / "t.arrow"
    _file(TABLE, path)
    whole = path.read_bytes()
    for data in (b"", b"a,b\n", whole[:100], whole[:-20]):
        path.write_bytes(data)
        with pytest.raises(InvalidInstanceError, match="it is no whole file of Arrow"):
            read_frame(path)
    path.write_bytes(whole)
    with input_limit(1e-7), pytest.raises(InvalidInstanceError, match="holds more"):
        read_frame(path)
    with pytest.raises(InvalidInstanceError, match=r"an? \.arrow file has no encoding"):
        read_frame(path, encoding="utf-8")


def test_places_of_texts_that_go_back_are_refused(tmp_path, refused):
    """They are read without a word by pyarrow, and end the process when looked at."""
    path = tmp_path / "t.arrow"
    _stream(pyarrow.table({"name": ["abc", "defgh", "i"]}), path)
    true, false = (struct.pack("<4i", 0, end, 8, 9) for end in (3, 2**30))
    data = path.read_bytes()
    assert data.count(true) == 1
    path.write_bytes(data.replace(true, false))
    (line,) = refused("anonymize", path, "--check").splitlines()
    assert line.startswith(f"atleastk: error: {path}: cannot be read: ")


@pytest.mark.parametrize("compression", ["zstd", "lz4", None])
@pytest.mark.parametrize("opened", [ipc.new_file, ipc.new_stream])
def test_sizes_are_known_before_anything_is_unpacked(
    tmp_path, monkeypatch, compression, opened
):
    """Fifty kilobytes may be gigabytes; dictionaries have sizes, too."""
    words = pyarrow.array(["x" * 9000] * 50).dictionary_encode()
    table = pyarrow.table({"a": pyarrow.array([0] * 50), "b": words})
    path = tmp_path / "t.feather"
    options = ipc.IpcWriteOptions(compression=compression)
    with opened(path, table.schema, options=options) as file:
        file.write_table(table, max_chunksize=20)
    data = path.read_bytes()
    assert 9000 < unpacked_size(data) < 15_000
    assert unpacked_size(data[: len(data) // 2]) < 15_000
    assert unpacked_size(b"ARROW1\0\0no") == 0
    assert read_frame(path).n == 50
    for name in ("open_file", "open_stream"):
        monkeypatch.setattr(ipc, name, None)
    with (
        input_limit((unpacked_size(data) - 1) * 1e-9),
        pytest.raises(InvalidInstanceError, match="holds more"),
    ):
        read_frame(path)


def test_columns_without_a_type_have_a_size(tmp_path):
    """They take nothing in the file, and four bytes a row when they are numbered."""
    path = tmp_path / "t.feather"
    table = pyarrow.table({"a": pyarrow.nulls(1_000_000)})
    with ipc.new_file(path, table.schema) as file:
        file.write_table(table)
    with input_limit(3e-3), pytest.raises(InvalidInstanceError, match="holds more"):
        read_frame(path)


def test_names_that_are_no_texts_are_refused(tmp_path):
    path = tmp_path / "t.feather"
    _stream(pyarrow.table({"name": [1, 2]}), path)
    path.write_bytes(path.read_bytes().replace(b"name", b"na\xbc\xbc"))
    with pytest.raises(InvalidInstanceError, match="it is no whole file of Arrow"):
        read_frame(path)
