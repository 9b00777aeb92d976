import gzip
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from every_problem import NEW

import atleastk
from atleastk.instances.fields.errors import InvalidInstanceError, UnknownNameError
from atleastk.research.collecting.improving import improved
from atleastk.research.collecting.library import Library
from atleastk.runs.registry import PROBLEMS

FOLDER = Path(atleastk.__file__).parent / "instances/library"

MEGABYTES = 5
"""What the library may take of the wheel."""


def test_it_fits_into_the_wheel():
    assert sum(path.stat().st_size for path in FOLDER.glob("*")) < MEGABYTES * 10**6


def test_every_problem_has_instances():
    assert {record.problem for record in atleastk.library.values()} | NEW == {*PROBLEMS}
    assert len(atleastk.library) >= 500


def test_files_are_the_same_bytes_whenever_they_are_written():
    """No time is in them, and records are in order."""
    for path in FOLDER.glob("*.gz"):
        packed = path.read_bytes()
        assert packed[4:8] == bytes(4)
        names = [
            json.loads(line)["name"] for line in gzip.decompress(packed).splitlines()
        ]
        assert names == sorted(names)


def test_it_is_a_mapping():
    library = atleastk.library
    name = "bin-covering-worst-k8-n7"
    assert name in library
    assert library[name].name == name
    assert [*library] == sorted(library)
    assert library.get("nothing") is None
    assert repr(library) == f"<library of {len(library)} instances>"
    with pytest.raises(UnknownNameError, match="did you mean"):
        library["bin-covering-worst-k8-n8"]


def test_filters():
    found = atleastk.library.filter(problem="bin-covering", status="certified")
    assert found
    assert {(record.problem, record.status) for record in found} == {
        ("bin-covering", "certified")
    }
    assert atleastk.library.filter(family="no such family") == []
    with pytest.raises(
        UnknownNameError, match='no status of the library is called "so"'
    ):
        atleastk.library.filter(status="so")


def test_a_folder_of_ones_own(tmp_path, record, optimal):
    empty = Library(tmp_path)
    assert len(empty) == 0
    one = empty.with_all([record], tmp_path)
    assert [*one] == ["seven"]
    known = improved(record, optimal, "2026-01-31")
    again = one.with_all([known], tmp_path)
    assert again["seven"] == known
    assert again.of(record.instance_sha256) == known
    assert again.of("0" * 64) is None
    twice = replace(known, name="eight")
    assert len(again.with_all([twice], tmp_path)) == 2


def test_errors_name_the_place(tmp_path, record):
    held = json.dumps(record.to_dict())
    path = tmp_path / "bin-covering.jsonl.gz"
    path.write_bytes(gzip.compress(f"{held}\n{held}\n".encode()))
    with pytest.raises(InvalidInstanceError, match=r"gz:2: name: seven is another"):
        len(Library(tmp_path))
    path.write_bytes(gzip.compress(b'{"name": 7}\n'))
    with pytest.raises(InvalidInstanceError, match=r"gz:1: problem: missing"):
        len(Library(tmp_path))


WRITER = """
import sys
from pathlib import Path
from atleastk.research.collecting.library import Library
folder = Path(sys.argv[1])
library = Library(folder)
print("writing", flush=True)
while True:
    library.with_all(list(library.values()), folder)
"""


def test_a_writer_that_is_killed_loses_nothing(tmp_path, record):
    before = Library(tmp_path).with_all([record], tmp_path)
    for _ in range(3):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE
        ) as writer:
            assert writer.stdout.readline() == b"writing\n"
            writer.stdout.read(0)
            os.kill(writer.pid, signal.SIGKILL)
        assert dict(Library(tmp_path)) == dict(before)
