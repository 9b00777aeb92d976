"""Tables that stay in their files: what an engine counts is what memory counts."""

import random
from collections import Counter
from dataclasses import astuple, replace
from itertools import groupby, product
from pathlib import Path

import duckdb
import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

import atleastk
from atleastk import AtleastkError, InvalidInstanceError, KAnonymity, WrongAnswerError
from atleastk.doors.anonymizing import plans
from atleastk.doors.anonymizing.anonymize import Anonymized, anonymize_selected
from atleastk.doors.anonymizing.engines import opened, takes
from atleastk.doors.anonymizing.release import Released, release
from atleastk.doors.anonymizing.request import Request
from atleastk.doors.anonymizing.selected import Selected
from atleastk.frames import pieces
from atleastk.frames.duckdb_engine import Engine
from atleastk.frames.duckdb_publishing import Suppressed, publish
from atleastk.frames.duckdb_source import DuckSource, as_it_is
from atleastk.frames.engine_files import expect_outside
from atleastk.frames.open_frame import read_frame
from atleastk.instances.counted_elsewhere import CountedElsewhere
from atleastk.instances.fields.errors import NoAnswerError, OutOfMemoryError
from atleastk.instances.generalization import LOSSES
from atleastk.models.generalization import classes_of
from atleastk.runs.ask import Ask
from atleastk.solvers.brute_force.k_anonymity import ROWS, optimum

SMALL = 1e9
NOTHING, CLASSES = np.zeros(0, np.int64), np.zeros((0, 1), np.int32)
NONE = Suppressed.of(CLASSES, NOTHING, NOTHING, NOTHING, CLASSES > 0)


def drawn(rng):
    """Return a table with missing values, NaN, truth values, and empty texts."""
    n = rng.randint(1, 60)
    draw = {
        "age": lambda: rng.choice([None, *range(20, 60, 3)]),
        "zip": lambda: rng.choice(["", "1234", "1235", "1299", "2000", None]),
        "part": lambda: rng.choice([None, float("nan"), 0.5, 1.0, 2.0]),
        "old": lambda: rng.choice([True, False, None]),
        "kind": lambda: rng.choice("xyz"),
        "other": lambda: rng.randint(0, 9),
    }
    return pyarrow.table(
        {name: [cell() for _ in range(n)] for name, cell in draw.items()}
    )


def stored(rng, folder, table):
    """Store a table in a file, and once more in the files of a folder."""
    parts = folder / "parts"
    parts.mkdir()
    half = rng.randint(0, table.num_rows)
    if rng.random() < 0.5:
        path = folder / "table.parquet"
        parquet.write_table(table, path)
        for i, part in enumerate((table.slice(0, half), table.slice(half))):
            parquet.write_table(part, parts / f"{i}.parquet", row_group_size=5)
    else:
        path = folder / "table.csv"
        table.to_pandas().to_csv(path, index=False)
        head, *lines = path.read_text().splitlines(keepends=True)
        for i, part in enumerate((lines[:half], lines[half:])):
            (parts / f"{i}.csv").write_text("".join([head, *part]))
    return path


def drawn_request(rng, path):
    names = rng.sample(["age", "zip", "part", "old", "kind"], rng.randint(1, 4))
    hierarchies = {names[0]: "auto"}
    if "age" in names and path.suffix == ".parquet":
        hierarchies["age"] = rng.choice(["bands:5,10", "auto", "quantiles:4,2"])
    if "zip" in names:
        hierarchies["zip"] = "auto"
    if "kind" in names:
        hierarchies["kind"] = {"x": "u", "y": "u", "z": "v"}
    k, loss, most = rng.randint(1, 4), rng.choice(LOSSES), rng.randint(0, 8)
    wish = {"hierarchies": hierarchies, "loss": loss, "suppress_rows": most}
    return Request(k, names, marker="?", **wish)


def released(path, request, out, memory=SMALL, **where):
    with opened(path, SMALL, 1, **where) as source:
        return release(source, request, Ask.of(20), out, memory)[0]


@pytest.fixture(scope="module")
def cluster():
    """Return the name of a cluster of Dask whose workers are threads."""
    distributed = pytest.importorskip("distributed", reason="the extra dask")
    threads = {"processes": False, "protocol": "tcp", "dashboard_address": ":0"}
    with distributed.LocalCluster(2, threads_per_worker=1, **threads) as opened:
        yield f"dask://{opened.scheduler_address.removeprefix('tcp://')}"


def in_one_file(folder, path):
    """Write the files of a folder as one, and return it."""
    parts = sorted(folder.iterdir())
    if path.suffix == ".parquet":
        duckdb.sql(f"COPY (FROM '{folder}/*.parquet') TO '{path}'")
    else:
        heads, rows = zip(*(p.read_text().split("\n", 1) for p in parts), strict=True)
        assert len(set(heads)) == 1
        path.write_text("\n".join([heads[0], "".join(rows)]))
    return path


def shown(path, names):
    """Count the rows of a file, over some columns."""
    frame = read_frame(path)
    columns = [frame.column(name) for name in names]
    cells = [[repr(c.values[code]) for code in c.codes] for c in columns]
    return Counter(zip(*cells, strict=True))


def takes_of_large_ones(made):
    """Tell whether rows are suppressed of classes that have k."""
    classes = classes_of(made.instance, made.result.solution.levels[0])
    gone = classes[list(made.result.solution.suppressed_rows)]
    return bool((np.bincount(classes)[gone] >= made.instance.k).any())


def released_by(engine, path, request, out, seed):
    """Let an engine write one file, at times from parts with counts that are kept."""
    parts, counts = out.with_name("parts"), out.with_name("counts")
    if engine == "duckdb":
        kept = {"counts": counts} if seed % 2 else {}
        return released(parts if seed % 2 else path, request, out, **kept)
    folder = out.with_name("out")
    made = released(parts, request, folder, engine=engine, counts=counts)
    if made.report.cost is not None:
        in_one_file(folder, out)
    return made


def in_memory(seed, folder, monkeypatch):
    """Draw a table of which cells are suppressed; return what memory makes of it."""
    monkeypatch.setattr(pieces, "_ROWS", 12)
    rng = random.Random(seed)
    path = stored(rng, folder, drawn(rng))
    names = rng.sample(["age", "zip", "part", "old", "kind"], rng.randint(1, 4))
    request = Request(rng.randint(1, 4), names, marker="?")
    selected = Selected.of(read_frame(path), replace(request))
    return path, request, selected, anonymize_selected(selected, Ask.of(20))[0]


def compare_cells(seed, folder, monkeypatch, engine):
    """At the same cost, which the table shows, with all rows and other columns."""
    path, request, selected, one = in_memory(seed, folder, monkeypatch)
    names, out = request.columns, folder / f"out{path.suffix}"
    two = released_by(engine, path, request, out, seed)
    for name in ("status", "cost", "bound"):
        assert getattr(one.result, name) == getattr(two.result, name)
    if one.result.cost is None:
        assert not out.exists()
        return
    verdict = atleastk.check(two.instance, two.result)
    assert verdict.proved if two.report.trust == "certified" else verdict.feasible
    n = two.report.rows
    if n <= ROWS:
        written = selected.instance()
        assert optimum(KAnonymity(written.table, written.k))[0] == two.result.cost
    before, after = read_frame(path), read_frame(out)
    assert min(shown(out, names).values()) >= request.k
    assert sum(two.report.cells.values()) == two.result.cost
    for name in names:
        was, now = shown(path, [name]), shown(out, [name])
        more, text = now - was, after.column(name).text
        assert (was - now).total() == more.total()
        assert set(more) <= {("'?'",) if text else ("None",)}
        missing = 0 if text else was[("None",)]  # these look suppressed
        assert 0 <= two.report.cells[name] - more.total() <= missing
    others = [name for name in before.names if name not in names]
    assert shown(path, others) == shown(out, others)


def compare_without_room(seed, folder, monkeypatch, engine):
    """Some columns are suppressed whole: no better than the optimum, nor its bound."""
    monkeypatch.setattr(plans, "_BYTES_OF_A_CELL", plans._OF_THE_ROWS * SMALL / 15)
    path, request, _, one = in_memory(seed, folder, monkeypatch)
    names, out = request.columns, folder / f"out{path.suffix}"
    best = one.result.cost
    made = released_by(engine, path, request, out, seed)
    if best is None:
        assert (str(made.report.status), out.exists()) == ("INFEASIBLE", False)
        return
    assert made.report.bound <= best <= made.report.cost
    before = (astuple(x) for x in (made.report.before.risk, one.report.risk.before))
    assert next(before) == pytest.approx(next(before))
    assert sum(made.report.cells.values()) == made.report.cost
    assert [*made.report.cells] == names
    assert min(shown(out, names).values()) >= request.k
    all_of = made.report.rows
    hidden = [name for name, cells in made.report.cells.items() if cells == all_of]
    assert set(shown(out, hidden)) <= {*product(["'?'", "None"], repeat=len(hidden))}
    others = [name for name in read_frame(path).names if name not in names]
    assert shown(path, others) == shown(out, others)
    assert others == [*made.report.unchanged]


def compare(seed, folder, monkeypatch, engine):
    """Compare memory with an engine, which counts in pieces if it is a cluster."""
    monkeypatch.setattr(pieces, "_ROWS", 12)
    rng = random.Random(seed)
    path = stored(rng, folder, drawn(rng))
    request = drawn_request(rng, path)
    if seed % 3 == 0:
        monkeypatch.setattr(plans, "_BYTES_OF_A_LABEL", 1e12)
    selected = Selected.of(read_frame(path), replace(request))
    one = anonymize_selected(selected, Ask.of(20))[0]
    out = folder / f"out{path.suffix}"
    two = released_by(engine, path, request, out, seed)
    expected = (n for n in ("parts", "counts", path.name, "out", out.name))
    assert {file.name for file in folder.iterdir()} <= set(expected)
    elsewhere = isinstance(two.instance, CountedElsewhere)
    assert elsewhere == (seed % 3 == 0)
    for name in ("status", "cost", "bound", "trust", "certificate"):
        assert getattr(one.result, name) == getattr(two.result, name)
    if one.result.cost is None:
        assert not out.exists()
        return
    assert one.result.solution.levels == two.result.solution.levels
    assert len(one.result.solution.suppressed_rows) == two.report.suppressed
    if not elsewhere:
        assert atleastk.check(two.instance, two.result).proved
        document = two.instance.to_dict()
        assert atleastk.from_dict(document).sha256 == two.instance.sha256
    expected = folder / f"expected{path.suffix}"
    one.frame.write(expected)
    assert list(read_frame(out).names) == list(read_frame(expected).names)
    before, after = (shown(file, one.columns) for file in (expected, out))
    if takes_of_large_ones(one):  # of which one of equal classes is open
        assert sorted(before.values()) == sorted(after.values())
    else:
        assert before == after
    whole = ["other"]
    assert shown(path, whole) == shown(out, whole)
    found = two.report.recount
    assert (found.smallest, found.classes) == (min(after.values()), len(after))
    assert one.report.risk.singling_out == two.report.singling_out


def compare_checks(seed, folder, monkeypatch, engine):
    """Classes, risk, what is inspected, and what a release gained since another.

    Of the earlier release columns may be of other types, as of another program.
    """
    monkeypatch.setattr(pieces, "_ROWS", 12)
    rng, files = random.Random(seed), []
    table = drawn(rng)
    names = rng.sample(["age", "zip", "part", "old", "kind"], rng.randint(1, 4))
    for at in (folder / "later", folder / "earlier"):
        at.mkdir()
        files.append(stored(rng, at, table))
        rows = rng.sample(range(table.num_rows), rng.randint(1, table.num_rows))
        table = table.take(rows)
        for name, kinds in {"age": "float64 string", "part": "float32 string"}.items():
            place, kind = table.column_names.index(name), rng.choice(kinds.split())
            if rng.random() < 0.5:
                cells = table.column(name).cast(kind)
                table = table.set_column(place, name, cells)
    wishes = {"mean_risk": "40%", "small": 3, "at_risk": "10%", "household": "other"}
    kept = {"counts": folder / "counts"} if engine != "duckdb" or seed % 2 else {}
    paths = [file.parent / "parts" for file in files] if kept else files
    asked = rng.randint(1, 3), names
    found, looked = [], []
    for by, tables in (({"engine": "memory"}, files), ({"engine": engine}, paths)):
        how = by | (kept if tables is paths else {})
        later, earlier = tables
        found.append(
            atleastk.check_table(later, *asked, earlier=earlier, **how, **wishes)
        )
        looked.append(atleastk.inspect(later, names, **how).to_dict())
        del looked[-1]["warnings"]  # of first rows, which an engine does not know
        for column in looked[-1]["columns"]:
            del column["why"]
    one, two = found
    assert two.growth == replace(one.growth, few_row=None)
    assert (two.holds, two.thresholds) == (one.holds, one.thresholds)
    assert astuple(two.found.risk) == pytest.approx(astuple(one.found.risk))
    assert two.singling_out == one.found.singling_out
    assert [*two.verdicts][1:] == [*one.verdicts][1:]
    assert looked[0] == looked[1]


CLUSTER = "cluster"
RUNS = (
    (compare, "duckdb", (*range(16), 535)),
    (compare, CLUSTER, range(4)),
    (compare_checks, "duckdb", range(4, 10)),
    (compare_checks, CLUSTER, range(2)),
    (compare_cells, "duckdb", range(6)),
    (compare_cells, CLUSTER, range(3)),
    (compare_without_room, "duckdb", range(6)),
    (compare_without_room, CLUSTER, (6,)),
)
"""What is compared, with what, and the seeds."""


SWEPT = [
    pytest.param(alike, engine, seed, marks=pytest.mark.sweep)
    for seed in range(540)
    for alike, engine, _ in RUNS
]


@pytest.mark.parametrize(
    ("alike", "engine", "seed"),
    [*((*run, seed) for *run, seeds in RUNS for seed in seeds), *SWEPT],
)
def test_an_engine_and_memory_agree(
    alike, engine, seed, tmp_path, monkeypatch, cluster
):
    alike(seed, tmp_path, monkeypatch, cluster if engine == CLUSTER else engine)


@pytest.fixture
def parts(tmp_path):
    """Return a folder of two files of Parquet."""
    folder = tmp_path / "parts"
    folder.mkdir()
    for i in range(2):
        table = pyarrow.table({"a": ["x", "y"] * 3, "b": [i] * 6})
        parquet.write_table(table, folder / f"{i}.parquet")
    return folder


BY_A = Request(2, ["a"], hierarchies={"a": "suppression"})


@pytest.mark.parametrize("pattern", ["", "*.parquet", "[01].parquet"])
def test_a_folder_or_a_pattern_is_one_table(pattern, parts, tmp_path):
    path = str(parts / pattern) if pattern else str(parts)
    assert takes("auto", path)
    made = released(path, BY_A, tmp_path / "out")
    assert (made.report.rows, made.report.distinct, made.report.cost) == (12, 2, 0)
    assert made.frame is None
    assert {file.suffix for file in (tmp_path / "out").iterdir()} == {".parquet"}
    again = released(tmp_path / "out", BY_A, None)
    assert (again.report.rows, again.report.recount) == (12, None)
    assert list(tmp_path.glob(".*")) == []


def test_the_python_door_takes_a_cluster(parts, tmp_path, cluster, monkeypatch):
    where = {"hierarchies": "auto", "engine": cluster, "counts": tmp_path / "counts"}
    monkeypatch.chdir(tmp_path)
    made = atleastk.anonymize("parts", 4, ["a", "b"], output="out", **where)
    assert f"by duckdb on {cluster}, 2 pieces, 0 of them counted before" in str(made)
    assert made.report.recount.smallest >= 4
    assert {f.name for f in Path("out").iterdir()} == {
        "part-00000.parquet",
        "part-00001.parquet",
    }
    assert {f.name for f in Path().iterdir()} == {"parts", "out", "counts"}
    assert not list(Path("counts").glob("plan-*"))
    for wrong, told in (
        ({"output": "out.parquet"}, "write a folder of files; give a name without"),
        ({"output": "out"}, "is there already"),
        ({"counts": None}, "needs counts, a folder"),
        ({"engine": "dusk"}, 'no engine is called "dusk"; known are auto, memory'),
    ):
        with pytest.raises(InvalidInstanceError, match=told):
            atleastk.anonymize("parts", 4, ["a", "b"], **{**where, **wrong})


def test_a_run_of_a_cluster_goes_on_with_what_is_written(
    parts, tmp_path, cluster, monkeypatch
):
    where = {"engine": cluster, "counts": tmp_path / "counts"}
    out, count = tmp_path / "out", DuckSource.expect_unchanged
    monkeypatch.setattr(DuckSource, "expect_unchanged", interrupted)
    with pytest.raises(KeyboardInterrupt):
        released(parts, BY_A, out, **where)
    (left,) = tmp_path.glob(".out.*.partial")
    times = {file.name: file.stat().st_mtime_ns for file in left.iterdir()}
    (left / "part-00001.parquet").unlink()
    (left / ".part-00001.parquet.half").touch()
    others = tmp_path / f".out.{'0' * 16}.partial", tmp_path / ".out.x.partial"
    for other in (*others, where["counts"] / f"plan-{'0' * 16}"):
        other.mkdir()
    monkeypatch.setattr(DuckSource, "expect_unchanged", count)
    assert released(parts, BY_A, out, **where).report.recount.rows == 12
    assert {*tmp_path.iterdir()} == {parts, out, where["counts"], others[1]}
    assert not list(where["counts"].glob("plan-*"))
    after = {file.name: file.stat().st_mtime_ns for file in out.iterdir()}
    assert after.keys() == times.keys()
    assert [times[name] == after[name] for name in sorted(times)] == [True, False]


def refused(_recount):
    raise WrongAnswerError("refused")


def interrupted(_source):
    raise KeyboardInterrupt


@pytest.mark.parametrize("engine", ["duckdb", CLUSTER])
def test_what_is_written_wrongly_gets_no_name(engine, parts, tmp_path, cluster):
    made = released(parts, BY_A, None)
    where = {"engine": cluster, "counts": tmp_path / "counts"}
    where = where if engine == CLUSTER else {}
    with opened(parts, SMALL, 1, **where) as source:
        counted = source.counted(["a"])
        assert as_it_is(counted, 7).below == 12
        with pytest.raises(WrongAnswerError, match="12 of them in smaller"):
            publish(counted, made.plan, NONE, tmp_path / "out", 7)
        with pytest.raises(WrongAnswerError, match="refused"):
            publish(counted, made.plan, NONE, tmp_path / "out", 1, expect=refused)
    left = {"parts", "counts"} if where else {"parts"}
    assert {file.name for file in tmp_path.iterdir()} == left


def test_the_python_door_takes_paths(parts, tmp_path):
    out = tmp_path / "out.parquet"
    made = atleastk.anonymize(
        parts, 4, ["a", "b"], hierarchies="auto", memory="1GB", output=out
    )
    assert isinstance(made, Released)
    assert "counted again by the engine" in str(made)
    assert min(shown(out, ["a", "b"]).values()) >= 4
    file = parts / "0.parquet"
    assert isinstance(atleastk.anonymize(file, 3, ["a"]), Anonymized)
    assert isinstance(
        atleastk.anonymize(file, 3, ["a"], hierarchies="auto", engine="duckdb"),
        Released,
    )
    for table, how in (
        (parts, {}),
        (read_frame(file), {}),
        (file, {"engine": "duckdb"}),
    ):
        less = atleastk.anonymize(table, 3, hierarchies="auto", drop="b", **how)
        assert less.columns == ("a",)
    for wrong in (
        {"table": [{"a": 1}], "engine": "duckdb"},
        {"output": out},
        {"table": parts, "engine": "memory"},
    ):
        with pytest.raises(InvalidInstanceError):
            atleastk.anonymize(**{"table": file, "k": 1, **wrong})
    auto = {"hierarchies": "auto"}
    for wish, told in (
        ({"limits": {"rows": 5}}, "without limits"),
        ({**auto, "sensitive": "b", "l": 2}, "does not take sensitive"),
        ({**auto, "population": [{"a": 1}]}, "does not take population"),
    ):
        with pytest.raises(InvalidInstanceError, match=told):
            atleastk.anonymize(parts, 3, ["a"], **wish)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "no such file"),
        (
            {"a.csv": "x\n1\n", "b.parquet": ""},
            r"b.parquet among .csv files; .*/\*.csv'",
        ),
        ({"a.txt": "x\n1\n"}, "no such file"),
        ({"a.parquet": "no Parquet"}, "a.parquet: cannot be read"),
        ({"a.csv": "x,X\n1,2\n"}, "large and small letters"),
        ({"a.csv": "sep=;\nx;y\n1;2\n"}, "sep="),
        ({"a.csv": "x,y\n1,2\n", "b.csv": "x,z\n1,2\n"}, r'a.csv: "y" is missing'),
        ({"a.csv": "x\n1\n", "b.csv": "x,y\n1,2\n"}, '"y" is in this one only'),
        ({"a.csv": "x,y\n1,2\n", "b.csv": "y,x\n1,2\n"}, "in another order"),
        ({"a.csv": "x,y\n"}, "no row"),
        ({"a.csv": "x,y\n1,2,3\n"}, "CSV Error on Line: 2"),
        ({"a.csv": "x,y\n1,\xe9\n"}, "not utf-8"),
    ],
)
def test_what_cannot_be_read_is_told_on_one_line(files, words, tmp_path):
    folder = tmp_path / "table"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_bytes(text.encode("latin-1"))
    with (
        pytest.raises(AtleastkError, match=words) as raised,
        opened(folder, SMALL, 1) as source,
    ):
        source.counted(["x", "y"])
    assert "\n" not in str(raised.value)


def test_zeros_of_two_signs_are_refused(tmp_path):
    path = tmp_path / "a.parquet"
    parquet.write_table(pyarrow.table({"x": [0.0, -0.0]}), path)
    with (
        pytest.raises(InvalidInstanceError, match=r'column "x" holds -0\.0'),
        opened(path, SMALL, 1) as source,
    ):
        source.counted(["x"])


def test_the_order_of_rows_is_made_of_what_is_published(tmp_path):
    """Three of nine rows lost a value that the six beside them still had."""
    ages = [90] * 2 + [30, 31] * 9 + [40] * 20
    rows = [f"{age},{'f' if age == 40 else 'm'}" for age in ages]
    random.Random(1).shuffle(rows)
    path, out = tmp_path / "a.csv", tmp_path / "out.csv"
    path.write_text("\n".join(["age,sex", *rows, ""]))
    released(path, Request(5, ["age", "sex"]), out)
    lines = out.read_text().splitlines()[1:]
    assert lines.count("*,m") == 5
    assert [line for line, _ in groupby(lines)] == [*dict.fromkeys(lines)]


def test_tables_are_joined_in_the_order_of_the_query(parts):
    """Of 200 columns another order took 14 s, and no limit ended its search."""
    with opened(parts, SMALL, 1) as source:
        query = "SELECT current_setting('disabled_optimizers')"
        assert "join_order" in source.rows(query)[0][0]


def test_quotes_and_lines_in_cells_stay(tmp_path):
    path, out = tmp_path / "a.csv", tmp_path / "out.csv"
    path.write_text('x,"the ""other""\'s"\n"a,b",""\n"a,b","c\nd"\n', newline="")
    request = Request(2, ["x"], hierarchies={"x": "suppression"})
    released(path, request, out)
    names = ["x", 'the "other"\'s']
    assert shown(out, names) == shown(path, names)


def test_a_table_that_changes_is_refused(parts, tmp_path, monkeypatch):
    count = DuckSource.classes

    def changing(source, levels):
        (parts / "0.parquet").touch()
        return count(source, levels)

    monkeypatch.setattr(DuckSource, "classes", changing)
    with pytest.raises(InvalidInstanceError, match="has changed"):
        released(parts, BY_A, tmp_path / "out")
    assert list(tmp_path.iterdir()) == [parts]


def test_two_runs_of_one_output_do_not_meet(parts, tmp_path, monkeypatch):
    """The first one to end takes the name; the other says so."""
    unchanged, out = DuckSource.expect_unchanged, tmp_path / "out"

    def another_ends_first(source):
        monkeypatch.setattr(DuckSource, "expect_unchanged", unchanged)
        released(parts, BY_A, out)

    monkeypatch.setattr(DuckSource, "expect_unchanged", another_ends_first)
    with pytest.raises(AtleastkError, match=r"out: .*; begin again"):
        released(parts, BY_A, out)
    assert {*tmp_path.iterdir()} == {parts, out}
    assert parquet.read_table(out).num_rows == 12


def test_columns_that_single_out_rows_are_warned_of(tmp_path):
    path = tmp_path / "a.parquet"
    rows = {
        "x": ["f"] * 40,
        "number": list(range(40)),
        "mail": [f"a{i % 9}@b.org" for i in range(40)],
        "share": [float("nan"), *(i / 8 for i in range(39))],
        "lists": [[i] for i in range(40)],
        "tail": [None, *"ab" * 19, "c"],
    }
    parquet.write_table(pyarrow.table(rows), path)
    made = released(path, Request(2, ["x"], hierarchies={"x": "suppression"}), None)
    one = atleastk.anonymize(read_frame(path), 2, ["x"], hierarchies="suppression")
    found = made.report.singling_out
    assert found == one.report.risk.singling_out
    assert found.by_column == {"number": 40, "mail": 0, "share": 39, "tail": 1}
    assert found.identifiers == ("number", "share", "mail")
    assert 'column "number", left unchanged, singles out 40 of 40' in str(made)
    assert made.report.to_dict()["identifiers"] == ["number", "share", "mail"]


@pytest.mark.parametrize("name", ["parts", "parts/0.parquet"])
def test_outputs_that_are_there_are_refused(name, parts, tmp_path):
    with pytest.raises(InvalidInstanceError, match="is there already"):
        released(parts, BY_A, tmp_path / name)


@pytest.mark.parametrize(
    ("table", "written"),
    [
        ("parts", "parts/out"),
        ("parts", "parts/sub/out.parquet"),
        ("parts/*", "parts/out"),
        ("parts/*.parquet", "parts/out.parquet"),
        ("*/[01]*.parquet", "parts/../parts/0b.parquet"),
        ("par*/**/*.parquet", "parts/sub/out"),
        ("**/0.parquet", "0.parquet"),
        ("*/*.parquet", "out"),
    ],
)
def test_what_would_be_part_of_the_table_is_refused(table, written, parts, here):
    for given in ("output", "counts", "scratch"):
        where = {"engine": "duckdb", given: written}
        with pytest.raises(InvalidInstanceError, match="is inside the table") as told:
            atleastk.anonymize(table, 2, ["a"], hierarchies="auto", **where)
        assert str(told.value).startswith(f"{written}: is inside the table {table}, ")
    assert {path.name for path in here.iterdir()} == {"parts"}


def test_what_is_beside_the_table_is_written(parts, here):
    expect_outside("parts", "parts2", "out.parquet", None)
    expect_outside("parts/*.parquet", "parts/out", "parts/counts", "out")
    expect_outside("parts/[01].parquet", "parts/2.parquet", "parts/sub/0.parquet")


def test_losses_of_all_sizes_need_the_rows_in_memory(parts):
    request = replace(BY_A, loss="discernibility")
    with pytest.raises(AtleastkError, match="raise --memory"):
        released(parts, request, None, memory=0)


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (duckdb.OutOfMemoryException("out\nof\nPossible solutions:"), OutOfMemoryError),
        (duckdb.InterruptException("stop"), NoAnswerError),
        (duckdb.IOException("disk"), InvalidInstanceError),
        (
            duckdb.IOException(r'at 0: {"exception_message":"\"a\": full","errno":""}'),
            InvalidInstanceError,
        ),
    ],
)
@pytest.mark.parametrize("late", [False, True])
def test_errors_of_the_engine_are_ours(late, raised, kind):
    """Also those of a query that still runs while its answer is fetched."""

    class Failing:
        def execute(self, query):
            if late:
                return self
            raise raised

        sql = execute

        def fetchall(self):
            raise raised

        fetchnumpy = to_arrow_table = fetchall

    source = Engine("table", Failing())
    for ask in (source.run, source.rows, source.arrays, source.arrow)[late:]:
        with pytest.raises(kind, match=r"^table: (?!.*(solutions|errno))"):
            ask("SELECT 1")
