import bz2
import gzip
import io
import sys
import tracemalloc

import pytest

from atleastk.instances.fields.errors import InvalidInstanceError, InvalidResultError
from atleastk.instances.files import files
from atleastk.instances.files.files import (
    holds_lines,
    input_limit,
    read_bytes,
    read_text,
)
from atleastk.instances.files.writing import packed

MEGABYTE = 10**6
BOMB = gzip.compress(bytes(50 * MEGABYTE), mtime=0)


def zipped(data):
    return packed("t.zip", data)


def limited(path, gigabytes):
    with input_limit(gigabytes), pytest.raises(InvalidInstanceError) as caught:
        read_bytes(path)
    return str(caught.value)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, zipped])
def test_the_limit_is_of_what_is_unpacked(tmp_path, pack):
    path = tmp_path / "t.csv"
    path.write_bytes(pack(b"x" * 1000))
    with input_limit(1000 / 10**9):
        assert read_bytes(path) == b"x" * 1000
    told = limited(path, 999 / 10**9)
    assert told.startswith(f"{path}: holds more than 9.99e-07 GB, unpacked; ")
    assert "--input-limit GB" in told
    assert "ATLEASTK_INPUT_LIMIT" in told


@pytest.mark.parametrize(
    "data",
    [
        BOMB,
        gzip.compress(b"{}") + BOMB,  # of several members
        BOMB + gzip.compress(b"{}"),
        BOMB[:-4] + bytes(4),  # lies of its size
        bz2.compress(bytes(50 * MEGABYTE)),
        zipped(bytes(50 * MEGABYTE)),
    ],
)
def test_a_bomb_takes_no_more_than_the_limit(tmp_path, data):
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(data)
    tracemalloc.start()
    try:
        assert "holds more than 0.001 GB" in limited(path, 0.001)
        assert tracemalloc.get_traced_memory()[1] < 6 * MEGABYTE
    finally:
        tracemalloc.stop()


def test_a_large_file_is_not_even_read(tmp_path, monkeypatch):
    path = tmp_path / "large"
    path.write_bytes(bytes(2000))
    monkeypatch.setattr(files, "_all_of", None)
    assert "holds more than 1e-06 GB" in limited(path, 1e-6)


def test_the_limit_of_the_environment(tmp_path, monkeypatch):
    path = tmp_path / "t"
    path.write_bytes(bytes(2000))
    assert len(read_bytes(path)) == 2000
    monkeypatch.setenv("ATLEASTK_INPUT_LIMIT", "1e-6")
    with pytest.raises(InvalidResultError, match="holds more than 1e-06 GB"):
        read_bytes(path, InvalidResultError)
    with input_limit(1):
        assert len(read_bytes(path)) == 2000
    for text in ("much", "0", "-1", "nan"):
        monkeypatch.setenv("ATLEASTK_INPUT_LIMIT", text)
        with pytest.raises(InvalidInstanceError, match="expected gigabytes above 0"):
            read_bytes(path)


def test_no_limit(tmp_path):
    path = tmp_path / "t"
    path.write_bytes(gzip.compress(bytes(2000)))
    with input_limit(float("inf")):
        assert len(read_bytes(path)) == 2000
    for gigabytes in (0, -1, float("nan")):
        with (
            pytest.raises(ValueError, match="gigabytes above 0"),
            input_limit(gigabytes),
        ):
            pass


def test_standard_input_that_is_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert read_text("-") == ""


@pytest.mark.parametrize("lines", [1, 2])
def test_standard_input_is_decoded_once(monkeypatch, lines):
    """Its bytes tell whether it holds one object or one per line."""
    decoded = []
    monkeypatch.setattr(
        files, "read_text", lambda *where: decoded.append(where) or read_text(*where)
    )
    text = '\ufeff{"größe": 1}\n' + '\n{"größe": 2}\n' * (lines - 1)
    fed = io.TextIOWrapper(io.BytesIO(text.encode()))
    monkeypatch.setattr(sys, "stdin", fed)
    assert holds_lines("-") == (lines > 1)
    assert [found["größe"] for _, found in files.documents("-")] == [1, 2][:lines]
    assert len(decoded) == 1


def test_standard_input_is_read_once_and_remembered(monkeypatch):
    """A map is read twice: to be solved, and to be written with its parts."""
    packed = io.BytesIO(gzip.compress("größe".encode()))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(packed))
    assert [read_text("-"), read_text("-")] == ["größe", "größe"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"other")))
    assert read_text("-") == "other"
