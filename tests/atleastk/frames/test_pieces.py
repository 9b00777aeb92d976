"""Counts of pieces that are kept: what is there is taken up, however a run ended."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import pyarrow
import pytest
from pyarrow import parquet

from atleastk import AtleastkError, InvalidInstanceError
from atleastk.doors.anonymizing import engines
from atleastk.doors.anonymizing.engines import opened
from atleastk.frames import pieces
from atleastk.frames.duckdb_engine import Engine, engine_for, remove_halves
from atleastk.frames.pieces import Counting, Piece, pieces_of
from atleastk.instances.fields.errors import NoAnswerError
from atleastk.runs import pools
from atleastk.runs.performing import performed

COLUMNS = ["a", "b"]


def write(path, *rows, **how):
    a, b = zip(*rows, strict=True)
    parquet.write_table(pyarrow.table({"a": a, "b": b}), path, **how)


@pytest.fixture
def table(tmp_path):
    """Return a folder of three files, one of which has two pieces."""
    folder = tmp_path / "table"
    folder.mkdir()
    for i in range(3):
        rows = [(i, "x"), (1, "y"), (1, "y"), (2, "")]
        write(folder / f"{i}.parquet", *rows, row_group_size=2 if i == 1 else 4)
    return folder


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(pieces, "_ROWS", 2)


def counted(folder, counts, **how):
    """Return the combinations of a table, and how many pieces were counted before."""
    with opened(folder, 1e9, 1, counts=counts, **how) as source:
        found = source.counted(COLUMNS)
        values = [found.column(name).values for name in COLUMNS]
        codes, copies = found.combinations()
        rows = [
            (*(v[code] for v, code in zip(values, row, strict=True)), many)
            for row, many in zip(codes.tolist(), copies.tolist(), strict=True)
        ]
        return sorted(rows), found.found, len(found.pieces)


def names(folder):
    return {file.name for file in folder.iterdir()}


def test_pieces_are_files_or_ranges_of_their_rows(table):
    files = sorted(table.iterdir())
    known = pieces_of(files, COLUMNS)
    assert [piece.rows for piece in known] == [None, (0, 2), (2, 4), None]
    known = pieces_of(files, ["File_Row_Number"])
    assert [piece.rows for piece in known] == [None] * 3, "the engine has one of that"
    write(files[0], *[(i, "x") for i in range(7)], row_group_size=1)
    ranges = [piece.rows for piece in pieces_of(files[:1], COLUMNS)]
    assert ranges == [(0, 2), (2, 4), (4, 6), (6, 7)]


def test_a_folder_that_has_grown_counts_what_is_new(table, tmp_path):
    counts = tmp_path / "counts"
    expected = [(0, "x", 1), (1, "x", 1), (1, "y", 6), (2, "", 3), (2, "x", 1)]
    assert counted(table, counts) == (expected, 0, 4)
    assert counted(table, counts) == (expected, 4, 4)
    write(table / "3.parquet", (5, "z"))
    assert counted(table, counts) == ([*expected, (5, "z", 1)], 4, 5)
    (table / "3.parquet").unlink()
    assert counted(table, counts) == (expected, 4, 4)
    (table / "1.parquet").touch()
    assert counted(table, counts) == (expected, 2, 4)
    assert counted(table, None)[0] == expected


def test_all_files_are_read_in_the_types_of_the_table(table, tmp_path):
    wide = pyarrow.table({"a": pyarrow.array([7], pyarrow.int16()), "b": ["x"]})
    parquet.write_table(wide, table / "3.parquet")
    one, two = counted(table, tmp_path / "counts"), counted(table, None)
    assert one[0] == two[0]
    wide = pyarrow.table({"a": ["seven"], "b": ["x"]})
    parquet.write_table(wide, table / "3.parquet")
    for counts in (None, tmp_path / "counts"):
        with pytest.raises(InvalidInstanceError, match="Could not convert"):
            counted(table, counts)


KILLED = """
import os, signal, sys
from atleastk.doors.anonymizing.engines import opened
from atleastk.frames import pieces
pieces._ROWS = 2
count, done = pieces.Counting.__call__, []
def killing(self, engine):
    if len(done) == 2:
        store = engine.run
        object.__setattr__(engine, "path", "x")
        type(engine).run = lambda *words: (store(words[-1]), os.kill(os.getpid(), 9))
    done.append(count(self, engine))
pieces.Counting.__call__ = killing
with opened(sys.argv[1], 1e9, 1, counts=sys.argv[2]) as source:
    source.counted(["a", "b"])
"""


def test_a_run_that_was_killed_costs_its_piece_only(table, tmp_path):
    counts = tmp_path / "counts"
    words = [sys.executable, "-c", KILLED, str(table), str(counts)]
    assert subprocess.run(words, check=False).returncode == -signal.SIGKILL
    halves = [name for name in names(counts) if name.startswith(".")]
    assert (len(halves), len(names(counts))) == (1, 3)
    assert counted(table, counts) == (counted(table, None)[0], 2, 4)
    assert not [name for name in names(counts) if name.startswith(".")]


def test_a_file_that_changes_or_goes_is_not_counted(table, tmp_path):
    counts = tmp_path / "counts"
    with opened(table, 1e9, 1, counts=counts) as source:
        write(table / "1.parquet", (1, "x"), (2, "x"))
        (table / "2.parquet").unlink()
        *_, two, gone = source.tasks(COLUMNS)
        for engine in (source, Engine("a worker", source.db)):
            with pytest.raises(InvalidInstanceError, match=r"1\.parquet: has changed"):
                two(engine)
            with pytest.raises(
                InvalidInstanceError, match=r"2\.parquet: is gone since"
            ):
                gone(engine)
        with pytest.raises(InvalidInstanceError, match=r"1\.parquet: has changed"):
            source.counted(COLUMNS)
        kept = source.tasks(COLUMNS)[0].target
        assert names(counts) == {kept.name}
    assert counted(table, counts)[1:] == (1, 2)
    with pytest.raises(InvalidInstanceError, match=r"gone\.csv: cannot be read"):
        Piece.of(tmp_path / "gone.csv")


def test_a_file_that_goes_is_told_where_all_are_counted_at_once(table):
    with opened(table, 1e9, 1) as source:
        (table / "2.parquet").unlink()
        with pytest.raises(InvalidInstanceError, match=r"2\.parquet: is gone since"):
            source.counted(COLUMNS)


def test_a_wrong_address_is_told_before_anything_is_counted(
    table, tmp_path, monkeypatch
):
    pytest.importorskip("distributed", reason="the extra dask")
    monkeypatch.setattr(pools, "_PATIENCE", 0.2)
    with pytest.raises(AtleastkError, match=r"127\.0\.0\.1:9: no scheduler answers"):
        counted(table, tmp_path / "counts", engine="dask://127.0.0.1:9")
    assert names(tmp_path) == {"table"}


SCRATCHED = """
import os, sys
from atleastk.frames.duckdb_engine import engine_for
with engine_for("t", 1e9, 1, sys.argv[1]):
    os.kill(os.getpid(), 9)
"""


def test_scratch_of_a_killed_run_is_deleted_by_the_next(tmp_path):
    pytest.importorskip("fcntl", reason="a file system without locks")
    words = [sys.executable, "-c", SCRATCHED, str(tmp_path)]
    with engine_for("t", 1e9, 1, tmp_path):
        assert subprocess.run(words, check=False).returncode == -signal.SIGKILL
        (left,) = (f for f in tmp_path.iterdir() if f"-{os.getpid()}-" not in f.name)
        assert names(left) == {"lock", "counts.duckdb"}
        program = SCRATCHED.replace("os.kill(os.getpid(), 9)", "pass")
        assert subprocess.run([*words[:2], program, words[3]], check=True)
        (one,) = tmp_path.iterdir()
        with engine_for("t", 1e9, 1, tmp_path):
            assert len(names(tmp_path)) == 2
        assert "lock" in names(one), "it is in use"
    assert not names(tmp_path)


def test_a_kept_count_that_is_broken_is_told(table, tmp_path):
    counts = tmp_path / "counts"
    counted(table, counts)
    for file in counts.iterdir():
        file.write_bytes(b"PAR1")
    with pytest.raises(InvalidInstanceError) as raised:
        counted(table, counts)
    assert "\n" not in str(raised.value)


def test_folders_that_cannot_be_are_told(table, tmp_path):
    with pytest.raises(AtleastkError, match="cannot be written"):
        counted(table / "0.parquet", table / "1.parquet")
    with pytest.raises(AtleastkError, match="cannot be written"):
        counted(table, tmp_path / "no" / "counts")
    with pytest.raises(InvalidInstanceError, match="needs counts, a folder"):
        counted(table, None, engine="dask://127.0.0.1:9")


def test_whoever_was_first_has_counted(table, tmp_path):
    counts = tmp_path / "counts"
    with opened(table, 1e9, 1, counts=counts) as source:
        task = source.tasks(COLUMNS)[0]
        task(source)
        half = counts / f".{task.target.name}.0"
        half.touch()
        (counts / ".other").touch()
        remove_halves([task.target])
        assert names(counts) == {task.target.name, ".other"}

        def taken():
            remove_halves(list(counts.iterdir()))
            for file in counts.glob(f".{task.target.name}.*"):
                file.unlink()

        source.store("SELECT 1", task.target, expect=taken)


def test_time_that_is_over_ends_the_count(table, tmp_path, monkeypatch):
    threads = ThreadPoolExecutor(1)

    def stopped(calls, engine, workers, glance):
        source.interrupt()
        return performed(calls, threads, workers, glance)

    monkeypatch.setattr(engines, "performed", stopped)
    monkeypatch.setattr(engines, "pool_of", lambda *_: nullcontext)
    monkeypatch.setattr(engines, "_on_worker", lambda task, scratch: task)
    with (
        opened(table, 1e9, 1, counts=tmp_path / "c", engine="dask://a:1") as source,
        pytest.raises(NoAnswerError, match="the time was over"),
    ):
        source.counted(COLUMNS)


def test_counts_of_other_columns_are_others(table, tmp_path):
    with opened(table, 1e9, 1, counts=tmp_path) as source:
        one, two = (source.tasks(columns)[0] for columns in (["a"], ["b"]))
        assert isinstance(one, Counting)
        assert one.target != two.target
