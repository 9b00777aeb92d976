"""Texts of many equal lines: each is read and written once, and nothing shows it."""

import random

import pytest

from atleastk import InvalidInstanceError
from atleastk.frames import csv_frame
from atleastk.frames.open_frame import read_frame

LINES = ["1,x", "2,y", "3,", ",", '"4",z', '5,"a,b"', '6,"p""q"', "7,é"]
ODD = ["", "  ", '8,"two\nlines"', "9", "1,2,3", 'a"b,"c', "0,x\r", 'a"b"c,d']


def read(path, text, monkeypatch, many):
    monkeypatch.setattr(csv_frame, "_MANY_LINES", many)
    path.write_bytes(text.encode())
    try:
        frame = read_frame(path)
    except InvalidInstanceError as error:
        return str(error)
    frame.write(path)
    columns = [(c.codes.tolist(), c.values, c.text) for c in frame.columns]
    return frame.names, columns, frame.delimiter, frame.line_end, path.read_bytes()


@pytest.mark.parametrize("seed", range(120))
def test_folded_lines_are_read_as_all_lines(seed, tmp_path, monkeypatch):
    rng = random.Random(seed)
    lines = rng.choices(rng.sample(LINES, 3), k=rng.randint(1, 40))
    for _ in range(rng.choice([0, 0, 1, 2])):
        lines.insert(rng.randint(0, len(lines)), rng.choice([*ODD, "n,m", "sep=,"]))
    end = rng.choice(["\n", "\r\n", "\r"])
    head = rng.choice([["n,m"], ["sep=,", "n,m"], ["sep=;", "n;m"], ["n"]])
    text = end.join([*head, *lines]) + rng.choice(["", end, end + end])
    path = tmp_path / "table.csv"
    whole = read(path, text, monkeypatch, 10**9)
    assert read(path, text, monkeypatch, 12) == whole
    assert read(path, text, monkeypatch, 20) == whole


def test_equal_lines_are_parsed_once(tmp_path, monkeypatch):
    """And so are written once."""
    parsed = []
    each = csv_frame.each_of_text
    monkeypatch.setattr(
        csv_frame,
        "each_of_text",
        lambda *given: parsed.append(given[0]) or each(*given),
    )
    found = read(tmp_path / "t.csv", "n,m\n" + "1,x\n2,y\n" * 30, monkeypatch, 20)
    assert parsed == ["n,m\n1,x\n2,y\n"]
    assert found[-1] == b"n,m\n" + b"1,x\n2,y\n" * 30
