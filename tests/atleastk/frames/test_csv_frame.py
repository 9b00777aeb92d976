import csv
import gzip
import io

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from atleastk import AtleastkError, InvalidInstanceError
from atleastk.frames.open_frame import read_frame


def read(tmp_path, data, name="t.csv", delimiter=None):
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_frame(path, delimiter)


def rows(frame):
    return [list(row) for row in frame.each_row()]


@pytest.mark.parametrize(
    "data",
    [
        "a,b\n1,2\n",
        "a;b\r\n1,5;2\r\n",
        "a,b\r1,2\r",
        "a\tb\n1\t2\n",
        "a|b\n |x \n",
        '"a,b",c\n"1 ""x""","two\nlines"\n',
        "\ufeffname,größe\nx,ü\n",
        'a\n1\n""\n2\n',
        "a,b\n",
        ",b\n0,1\n",
        "sep=;\r\na,c;b\r\n1,5;2\r\n",
        "\ufeffsep=^\na^b\n",
    ],
)
def test_what_is_read_is_written_back(tmp_path, data):
    read(tmp_path, data).write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == data.encode()


AT_ANY_SPEED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

CELLS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5
)


@AT_ANY_SPEED
@given(
    table=st.lists(st.tuples(CELLS, CELLS), max_size=6),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_any_texts_survive(tmp_path_factory, table, end):
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerows([("x", "y"), *table])
    folder = tmp_path_factory.getbasetemp()
    frame = read(folder, text.getvalue())
    assert list(frame.each_row()) == table
    frame.write(folder / "out.csv.gz")
    again = read_frame(folder / "out.csv.gz")
    assert (again.names, list(again.each_row())) == (frame.names, table)


def test_names_tell_the_format(tmp_path):
    assert read(tmp_path, "a,b\n1,2\n", "t.tsv").names == ("a,b",)
    assert (
        read(tmp_path, gzip.compress(b"a\tb,c,d\n1\t2\n", mtime=0), "t.tsv.gz").n == 1
    )
    assert read(tmp_path, gzip.compress(b"a,b\n1,2\n", mtime=0), "t.csv").names == (
        "a",
        "b",
    )
    assert read(tmp_path, "a;b,c,d\n1;2\n", delimiter=";").names == ("a", "b,c,d")


def test_a_tsv_is_written_with_tabs(tmp_path):
    read(tmp_path, "a,b\n1,2\n").write(tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_bytes() == b"a\tb\n1\t2\n"
    assert read_frame(tmp_path / "out.tsv").names == ("a", "b")


def test_empty_lines_are_nothing(tmp_path):
    assert rows(read(tmp_path, "\na,b\n\n1,2\n\n\n3,4\n\n")) == [["1", "2"], ["3", "4"]]
    assert rows(read(tmp_path, "a\n1\n\n\n")) == [["1"]]


def test_a_first_line_may_say_the_delimiter(tmp_path):
    frame = read(tmp_path, '"sep=;"\na,b\n1,2\n')
    assert (frame.names, rows(frame)) == (("a,b",), [["1,2"]])
    frame = read(tmp_path, "sep=,\na,b\n1,2\n", "t.tsv", ",")
    assert frame.names == ("a", "b")
    frame.write(tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_bytes() == b"sep=\t\na\tb\n1\t2\n"


def test_hiding_and_leaving_out(tmp_path):
    frame = read(tmp_path, "a,b,c\n1,2,3\n4,5,6\n")
    hidden = frame.hiding({"c": np.array([False, True])}, "*").only(["c", "a"])
    assert (hidden.names, rows(hidden)) == (("c", "a"), [["3", "1"], ["*", "4"]])
    assert rows(frame) == [["1", "2", "3"], ["4", "5", "6"]]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "t.csv: the file is empty"),
        ('a,b\n"x\ny",2\n3,4,5\n', "t.csv:4: 3 cells where the header has 2"),
        ("sep=;\na;b\n1;2;3\n", "t.csv:3: 3 cells where the header has 2"),
        (b"\xef\xbb\xbfa,b\n1,\xe9\n", "t.csv: byte 0xe9 in line 2 is not utf-8; is"),
        ('a,b\n1,"2"x\n', "t.csv:2: broken CSV"),
        (gzip.compress(b"a,b\n1,2\n", mtime=0)[:-4], "t.csv: cannot be read"),
    ],
)
def test_what_is_broken_is_reported_with_its_line(tmp_path, data, message):
    with pytest.raises(InvalidInstanceError) as caught:
        read(tmp_path, data)
    assert message in str(caught.value)


@AT_ANY_SPEED
@given(st.text(st.sampled_from('"a1,;\t|\r\n \0\ufeff'), max_size=30))
def test_no_text_does_more_harm_than_an_error(tmp_path_factory, text):
    try:
        frame = read(tmp_path_factory.getbasetemp(), text)
    except InvalidInstanceError:
        return
    assert {len(row) for row in frame.each_row()} <= {len(frame.names)}


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(InvalidInstanceError, match=r"none\.csv: no such file"):
        read_frame(tmp_path / "none.csv")
    with pytest.raises(InvalidInstanceError, match="cannot be read"):
        read_frame(tmp_path)
    frame = read(tmp_path, "a\n1\n")
    with pytest.raises(AtleastkError, match="cannot be written"):
        frame.write(tmp_path / "no" / "where.csv")


@pytest.mark.parametrize("end", [".gz", ".bz2", ".zip"])
def test_packed_tables(tmp_path, end):
    frame = read(tmp_path, "a,b\n1,2\n")
    frame.write(tmp_path / f"t.tsv{end}")
    again = read_frame(tmp_path / f"t.tsv{end}")
    assert (again.names, again.delimiter) == (("a", "b"), "\t")
    assert rows(again) == rows(frame)


def test_one_delimiter_at_a_time(tmp_path):
    with pytest.raises(InvalidInstanceError, match=r"t\.csv:1: says that the delimit"):
        read(tmp_path, "sep=;\na;b\n", delimiter=",")
