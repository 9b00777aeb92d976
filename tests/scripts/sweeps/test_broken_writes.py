import gzip
import random

import pytest

from scripts.sweeps import broken_writes as broken


@pytest.mark.parametrize(
    ("how", "count", "ended"),
    [
        ("killed by bytes", 30, "killed"),
        ("killed by event", 1, "killed"),
        ("file limit", 30, "refused"),
        ("file limit", 10**6, "done"),
    ],
)
def test_a_command_that_is_broken_off(tmp_path, how, count, ended):
    inputs, outputs = tmp_path / "in", tmp_path / "out"
    inputs.mkdir()
    outputs.mkdir()
    broken.prepare(inputs)
    moment = broken.Moment("generate bin-covering uniform -o out.json", how, count)
    assert broken.tried(moment, inputs, outputs) == (ended, None)
    held = (outputs / "out.json").read_bytes()
    assert held.startswith(b'{"algorithm"') == (ended != "done")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("out.json", b'{"a": 1}\n{"b'),
        ("out.json", b""),
        ("out.jsonl", b'{"a": 1}\n{"b": 2}'),
        ("out.csv", b"a,b\n1,2\n3"),
        ("out.csv", b"a,b\n"),
        ("out.csv", b"a,b\n1,2\n3,4"),
        ("out.tsv.gz", gzip.compress(b"a\tb\n1\t2\n", mtime=0)[:-3]),
        ("out.parquet", b"PAR1"),
        ("out.png", b"\x89PNG"),
        ("out.svg", b"<svg>"),
    ],
)
def test_half_a_file_is_seen(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    assert broken.flaw_of(tmp_path / name) is not None


def test_moments_are_of_all_commands():
    first, again = (
        list(broken.moments(random.Random(3), 40, disk=True)) for _ in range(2)
    )
    assert first == again
    assert {moment.words for moment in first} == set(broken.COMMANDS)
    assert {moment.how for moment in first} >= {"disk", "file limit"}
    assert min(moment.after for moment in first) == 0
