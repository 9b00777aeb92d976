"""Nothing of what is not published stands in the bytes of what is.

One row has values that no other has, so that all of its cells have to go, whichever
way; then the bytes of frames and files are searched for them.
"""

import datetime
import functools
import json
import pickle

import numpy as np
import openpyxl
import pandas
import polars
import pyarrow
import pytest
from marked import BINARY, DAY, MOMENT, REAL, WHOLE, WORD, traces, traces_of
from pyarrow import compute, feather, parquet

from atleastk import KAnonymizer, anonymize, cluster
from atleastk.cli.main import main
from atleastk.frames.open_frame import framed

pyreadstat = pytest.importorskip("pyreadstat")
pytestmark = pytest.mark.usefixtures("quick")

OLD = datetime.date(2001, 2, 3)
OLDER = datetime.datetime(2002, 3, 4)
CELLS = {
    "whole": (10, 11, WHOLE),
    "real": (0.5, 1.5, REAL),
    "day": (OLD, OLD + datetime.timedelta(1), DAY),
    "moment": (OLDER, OLDER + datetime.timedelta(1), MOMENT),
    "word": ("a", "b", WORD),
    "bytes": (b"a", b"b", BINARY),
}
COLUMNS = {name: [a, a, mark, b, b] for name, (a, b, mark) in CELLS.items()}
PLAIN = ["whole", "real", "day", "moment", "word"]
"""The columns that hierarchies know how to write."""


def of_pyarrow():
    table = pyarrow.table(COLUMNS)
    word, whole = table["word"], table["whole"]
    more = {
        "dictionary": word.dictionary_encode(),
        "ordered": word.cast(pyarrow.dictionary(pyarrow.int8(), pyarrow.string())),
        "numbers": whole.dictionary_encode(),
        "view": word.cast(pyarrow.string_view()),
        "large": table["bytes"].cast(pyarrow.large_binary()),
        "bytes view": table["bytes"].cast(pyarrow.binary_view()),
        "decimal": whole.cast(pyarrow.decimal128(20, 0)),
        "narrow": whole.cast(pyarrow.uint32()),
    }
    for name, column in more.items():
        table = table.append_column(name, column)
    field = table.schema.field("whole").with_metadata({"most": str(WHOLE)})
    table = table.set_column(0, field, whole)
    table = table.replace_schema_metadata({"longest": WORD})
    return pyarrow.concat_tables([table.slice(0, 3), table.slice(3)])


def of_polars():
    frame = polars.DataFrame(COLUMNS)
    word, whole = polars.col("word"), polars.col("whole")
    return frame.with_columns(
        word.cast(polars.Categorical).alias("category"),
        word.cast(polars.Enum(["z", "b", WORD, "a"])).alias("enum"),
        whole.cast(polars.Decimal(20, 0)).alias("decimal"),
        polars.col("moment").cast(polars.Datetime("ms", "UTC")).alias("zoned"),
    )


def of_pandas():
    frame = pandas.DataFrame(COLUMNS)
    word, whole, real = frame["word"], frame["whole"], frame["real"]
    frame = frame.assign(
        Int64=whole.astype("Int64"),
        Float64=real.astype("Float64"),
        category=word.astype("category"),
        ordered=pandas.Categorical(word, [WORD, "b", "a", "z"], ordered=True),
        numbers=whole.astype("category"),
        object=word.astype(object),
        python=word.astype("string[python]"),
        arrow=word.astype("string[pyarrow]"),
        dictionary=word.astype(
            pandas.ArrowDtype(pyarrow.dictionary(pyarrow.int8(), pyarrow.string()))
        ),
        arrows=whole.astype("int64[pyarrow]"),
        sparse=real.astype("Sparse[float]"),
        period=frame["moment"].dt.to_period("D"),
        interval=pandas.arrays.IntervalArray.from_arrays(real, real + 1),
    )
    frame.attrs = {"longest": WORD}
    return frame.set_index([word.rename("name"), pandas.Index(whole, name="n")])


def of_numpy():
    return np.array([COLUMNS["whole"], COLUMNS["real"]], dtype=float).T


def of_objects():
    return np.array([COLUMNS["word"], COLUMNS["whole"]], dtype=object).T


def of_rows():
    rows = zip(*COLUMNS.values(), strict=True)
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


FRAMES = [of_pyarrow, of_polars, of_pandas, of_numpy, of_objects, of_rows]
frames = pytest.mark.parametrize("make", FRAMES)


@frames
def test_the_search_finds_what_is_there(make):
    """Every frame shows what is marked in it, so that the tests below can fail."""
    held = {"of_numpy": {"whole", "real"}, "of_objects": {"whole", "word"}}
    assert traces_of(make()) == held.get(make.__name__, set(CELLS))


@frames
def test_suppressed_cells(make):
    table = make()
    made = anonymize(table, 2)
    assert made.suppressed[2].all()
    assert traces_of(made.frame) == set()
    assert (
        traces(made.to_html().encode(), repr(made.report.to_dict()).encode()) == set()
    )
    assert traces_of(table) != set()  # which is left as it was


@frames
@pytest.mark.parametrize("on", ["attributes", "entries"])
def test_generalised_cells(make, on):
    table = make()
    names = getattr(table, "column_names", None) or getattr(table, "columns", None)
    names = list(table[0] if make is of_rows else range(2) if names is None else names)
    rules = dict.fromkeys(names[::2], "suppression")
    made = anonymize(table, 2, hierarchies=rules, on=on)
    assert made.levels[2].all()
    assert traces_of(made.frame) == set()


@frames
def test_rows_suppressed_altogether(make):
    made = anonymize(make(), 3, hierarchies="suppression", suppress_rows=3)
    assert made.levels[2].all()
    assert traces_of(made.frame) == set()


@frames
def test_new_rows(make):
    anonymizer = KAnonymizer(5).fit(make())
    assert traces_of(anonymizer.transform(make())) == set()
    assert traces_of(anonymizer.fit_transform(make())) == set()


@pytest.mark.parametrize("make", [of_pyarrow, of_polars, of_pandas, of_rows])
def test_centres_in_place_of_cells(make):
    frame = framed(make())
    known = ["whole", "real", "word", "dictionary", "category", "enum", "ordered"]
    frame = frame.only([name for name in known if name in frame.names])
    made = cluster(frame.native, 2, centres="mean").frame
    assert traces_of(frame.native) == {"whole", "real", "word"}
    assert traces_of(made) == set()


def test_an_index_is_published_as_its_column_is():
    frame = of_pandas()[["word", "whole", "real"]]
    made = anonymize(frame, 2)
    assert (
        made.frame.index.get_level_values("name").tolist()
        == made.frame["word"].tolist()
    )
    assert "*" in made.frame["word"].tolist()
    assert pandas.isna(made.frame.index.get_level_values("n")[2])
    assert made.report.untouched_columns == ()
    made = anonymize(frame, 2, ["whole"])
    assert made.frame.index.get_level_values("name").tolist() == COLUMNS["word"]
    assert made.report.untouched_columns == ("word", "real", "index name")
    assert anonymize(frame.reset_index(drop=True), 2).report.untouched_columns == ()


def test_rows_that_were_dropped_before():
    """A part of a table may hold all of it, even below columns nobody looks at."""
    there = np.arange(len(COLUMNS["word"])) != 2
    table = of_pyarrow()
    parts = pyarrow.concat_tables([table.slice(0, 2), table.slice(3)])
    for rest in (parts, of_polars().filter(there), of_pandas()[there]):
        assert "word" in traces_of(rest)
        assert traces_of(anonymize(rest, 2, ["whole"]).frame) == set()


def test_words_do_not_come_in_the_order_of_those_that_are_gone():
    """But ordered ones, and sorted ones, whose order tells nothing, keep theirs."""
    words = ["z", "y", "y", "z"]
    mask = np.array([True, False, False, False])
    for known, order in ((["x", "y", "z"], False), (["z", "y", "x"], True)):
        codes = [known.index(word) for word in words]
        column = pyarrow.DictionaryArray.from_arrays(
            pyarrow.array(codes, pyarrow.int8()), known, ordered=order
        )
        made = framed(pyarrow.table({"c": column})).hiding({"c": mask}, "*").rebuilt()
        shown = ["z", "y"] if order else ["y", "z"]
        assert made.native["c"].chunk(0).dictionary.to_pylist() == shown
        frame = pandas.DataFrame({"c": pandas.Categorical(words, known, ordered=order)})
        made = framed(frame).hiding({"c": mask}, "*").rebuilt()
        assert list(made.native["c"].cat.categories) == shown
    frame = pandas.DataFrame({"c": pandas.Categorical(words, ["z", "x", "y"])})
    made = framed(frame).hiding({"c": mask}, "*").rebuilt()
    assert list(made.native["c"].cat.categories) == ["y", "z"]


def test_metadata_of_pandas():
    frame = of_pandas()[["Int64", "Float64", "category"]].droplevel("n")
    frame.attrs = {"longest": WORD}
    table = pyarrow.Table.from_pandas(frame)
    assert "word" in traces(table.schema.metadata[b"pandas"])
    made = anonymize(table, 2, hierarchies={"Int64": lambda _: ["some", "*"]})
    again = made.frame.to_pandas()
    assert (again.index.name, again.attrs) == ("name", {})
    assert again.dtypes.astype(str).tolist() == ["str", "Float64", "category"]
    few = framed(table).only(["Float64"]).rebuilt().native
    described = json.loads(few.schema.metadata[b"pandas"])
    assert [one["name"] for one in described["columns"]] == ["Float64"]
    assert described["index_columns"] == []
    assert few.to_pandas().equals(frame[["Float64"]].reset_index(drop=True))
    for broken in (b"{", b"[]", b"[" * 10**5, b'{"index_columns": 1}', b"\xff"):
        odd = table.replace_schema_metadata({b"pandas": broken})
        assert anonymize(odd, 2).frame.schema.metadata is None


def test_types_of_other_packages():
    """Those of geopandas here: arrays of pandas that it knows nothing about."""
    geopandas = pytest.importorskip("geopandas")
    points = geopandas.points_from_xy([1.5, 1.5, REAL], [1.5, 1.5, 1.5], crs=4326)
    frame = geopandas.GeoDataFrame({"n": [1, 1, WHOLE]}, geometry=points)
    made = anonymize(frame, 3).frame
    assert made.geometry.isna().all()
    assert made.crs == frame.crs
    assert traces_of(frame) == {"whole", "real"}
    assert traces_of(made) == set()


@pytest.mark.parametrize("make", [of_pyarrow, of_polars, of_pandas])
def test_tables_without_rows(make):
    table = make()[:0]
    made = framed(table).rebuilt().native
    assert made.shape == table.shape
    assert traces_of(made) == set()


def test_cells_below_missing_ones():
    """Whoever hid cells by a mask before finds them gone, at any depth."""
    mask = np.arange(5) == 2
    gone = pyarrow.array(mask)
    word, whole = pyarrow.array(COLUMNS["word"]), pyarrow.array(COLUMNS["whole"])
    ends = np.arange(6, dtype=np.int32)
    flat = pyarrow.StructArray.from_arrays(
        [word, whole, word.dictionary_encode()], names="abc", mask=gone
    )
    lists = pyarrow.ListArray.from_arrays(ends, word, mask=gone)
    nested = {
        "struct": flat,
        "list": lists,
        "large": pyarrow.LargeListArray.from_arrays(
            ends.astype(np.int64), word.dictionary_encode(), mask=gone
        ),
        "view": pyarrow.ListViewArray.from_arrays(
            ends[:-1], np.ones(5, np.int32), word, mask=gone
        ),
        "fixed": pyarrow.FixedSizeListArray.from_arrays(whole, 1, mask=gone),
        "map": pyarrow.MapArray.from_arrays(ends, word, whole, mask=gone),
        "lists": pyarrow.ListArray.from_arrays([0, 2, 2, 3, 4, 5], flat),
        "runs": compute.run_end_encode(compute.if_else(gone, None, word)),
    }
    for name, column in nested.items():
        table = pyarrow.table({"x": [1] * 5, name: column})
        made = anonymize(table, 5, ["x"]).frame
        made.validate(full=True)
        assert made.schema == table.schema
        assert made.to_pylist() == table.to_pylist()
        assert traces(pickle.dumps(made)) == set(), name


def _text(path, table):
    table[PLAIN].to_csv(path, index=False)


def _excel(path, table):
    book = openpyxl.Workbook()
    for row in ([*PLAIN], *table[PLAIN].astype(object).itertuples(index=False)):
        book.active.append(list(row))
    book.create_sheet(WORD)
    book.properties.title = WORD
    book.save(path)


def _arrow(path, table):
    feather.write_feather(_of_files(table), path, compression="uncompressed")


def _parquet(path, table):
    parquet.write_table(_of_files(table), path, compression="none")


def _of_files(table):
    table = table.assign(category=table["word"].astype("category"))
    table = table.set_index(table["word"].rename("name"))
    table.attrs = {"longest": WORD}
    made = pyarrow.Table.from_pandas(table)
    words = polars.DataFrame({"enum": COLUMNS["word"]}).select(
        polars.col("enum").cast(polars.Enum(["a", "b", WORD]))
    )
    words = words.to_arrow()
    return made.append_column(words.schema.field(0), words.column(0))


def _labelled(write, **more):
    def made(path, table):
        table = table[PLAIN].assign(labelled=[1.0, 1.0, 9.0, 2.0, 2.0])
        labels = {"labelled": {1.0: "a", 2.0: "b", 9.0: WORD}}
        write(table, path, variable_value_labels=labels, **more)

    return made


def _categories(path, table):
    table = table[["whole", "real", "word"]].assign(c=table["word"].astype("category"))
    table.to_stata(path, write_index=False, version=118)


def _transport(path, table):
    pyreadstat.write_xport(table[PLAIN].rename(columns=str.upper), path)


WRITERS = {
    "t.csv": _text,
    "t.csv.gz": _text,
    "t.csv.bz2": _text,
    "t.csv.zip": _text,
    "t.xlsx": _excel,
    "t.arrow": _arrow,
    "t.feather": _arrow,
    "t.parquet": _parquet,
    "t.sav": _labelled(pyreadstat.write_sav, missing_ranges={"labelled": [9.0]}),
    "t.zsav": _labelled(pyreadstat.write_sav, compress=True),
    "t.por": lambda path, table: pyreadstat.write_por(table[PLAIN], path),
    "t.dta": _labelled(pyreadstat.write_dta, version=14),
    "categories.dta": _categories,
    "t.xpt": _transport,
}
WAYS = {
    "suppressed": ["-k", "2"],
    "generalised": ["-k", "2", "--hierarchies", "suppression"],
    "rows": ["-k", "3", "--hierarchies", "suppression", "--suppress-rows", "3"],
    "deleted": ["-k", "2", "--max-rows", "5", "--deletion"],
}


@pytest.fixture(params=WRITERS)
def path(request, tmp_path):
    path = tmp_path / request.param
    WRITERS[request.param](path, pandas.DataFrame(COLUMNS))
    assert traces(path.read_bytes()) >= {"word", "whole"}
    return path


@pytest.fixture(autouse=True)
def _not_compressed(monkeypatch):
    """Let pages of Parquet be seen as they are; all else is unpacked."""
    plain = functools.partial(parquet.write_table, compression="none")
    monkeypatch.setattr(parquet, "write_table", plain)


@pytest.mark.parametrize("way", WAYS)
def test_files(path, way, capsysbinary):
    page, told = path.with_name("r.html"), path.with_name("r.json")
    out = path.with_name(f"out-{path.name}")
    command = ["anonymize", str(path), *WAYS[way], "-o", str(out), "--report"]
    assert main([*command, str(page)]) == 0
    assert main([*command, str(told), "--json"]) == 0
    printed = capsysbinary.readouterr()
    assert traces(out.read_bytes()) == set()
    assert traces(page.read_bytes(), told.read_bytes(), *printed) == set()


def test_files_of_clusters(path, capsysbinary):
    out, rows = path.with_name("out.csv"), path.with_name(f"rows-{path.name}")
    names = "WHOLE,REAL" if path.suffix in (".xpt", ".por") else "whole,real"
    command = ["cluster", str(path), "-r", "2", "--columns", names, "--json"]
    command += ["--centres", "mean", "--rows", str(rows), "-o", str(out)]
    assert main(command) == 0
    assert not traces(rows.read_bytes()) & {"whole", "real"}
    assert traces(out.read_bytes(), *capsysbinary.readouterr()) == set()
