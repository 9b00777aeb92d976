"""Large texts are read and written by loops, and nothing shows it."""

import random

import pytest

from atleastk import InvalidInstanceError
from atleastk.frames import csv_frame
from atleastk.frames.open_frame import read_frame

LINES = ["1,x", "2,y", "3,", ",", '"4",z', '5,"a,b"', '6,"p""q"', '6,p"q', "7,é"]
ODD = ["", "  ", '8,"two\nlines"', "9", "1,2,3", 'a"b,"c', "0,x\r", 'a"b"c,d', '"1"2,3']


def read(path, text, monkeypatch, *, by_loops, **how):
    monkeypatch.setattr(csv_frame, "_LARGE", 0 if by_loops else 10**9)
    monkeypatch.setattr(csv_frame, "_MANY_ROWS", 0 if by_loops else 10**9)
    path.write_bytes(text.encode(how.get("encoding", "utf-8")))
    try:
        frame = read_frame(path, **how)
    except InvalidInstanceError as error:
        return str(error)
    frame.write(path)
    columns = [(c.codes.tolist(), c.values, c.text) for c in frame.columns]
    return frame.names, columns, frame.delimiter, frame.line_end, path.read_bytes()


@pytest.mark.parametrize("seed", range(120))
def test_loops_read_and_write_what_the_reader_of_csv_does(seed, tmp_path, monkeypatch):
    rng = random.Random(seed)
    lines = rng.choices(rng.sample(LINES, 3), k=rng.randint(0, 40))
    for _ in range(rng.choice([0, 0, 1, 2])):
        lines.insert(rng.randint(0, len(lines)), rng.choice([*ODD, "n,m", "sep=,"]))
    end = rng.choice(["\n", "\r\n", "\r"])
    head = rng.choice([["n,m"], ["sep=,", "n,m"], ["sep=;", "n;m"], ["n"], ['n,"m\n"']])
    text = end.join([*head, *lines]) + rng.choice(["", end, end + end])
    path, how = tmp_path / "table.csv", rng.choice([{}, {"encoding": "utf-16"}])
    whole = read(path, text, monkeypatch, by_loops=False, **how)
    assert read(path, text, monkeypatch, by_loops=True, **how) == whole


def test_cells_of_one_text_are_one_value_however_they_are_quoted(tmp_path, monkeypatch):
    text = 'n,m\n"a""b",1\na"b,1\n"a""b","1"\na""b,1\n'
    found = read(tmp_path / "t.csv", text, monkeypatch, by_loops=True)
    assert found[1] == [([0, 0, 0, 1], ['a"b', 'a""b'], True), ([0] * 4, ["1"], True)]


def test_columns_of_many_values_have_room(tmp_path, monkeypatch):
    text = "n,m\n" + "".join(f"{i},{i % 7}\n" for i in range(9_000))
    found = read(tmp_path / "t.csv", text, monkeypatch, by_loops=True)
    columns, data = found[1], found[-1]
    assert columns[0][:2] == ([*range(9_000)], [*map(str, range(9_000))])
    assert data == text.encode()


def test_large_texts_are_no_rows_of_lists(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_frame, "_columns_of", None)  # nobody gets there
    assert read(tmp_path / "t.csv", "n,m\n1,x\n\n", monkeypatch, by_loops=True)[-1]
