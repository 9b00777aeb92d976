import json
import shlex
from importlib import import_module
from types import ModuleType

import pytest

from atleastk.cli.main import main
from atleastk.runs import registry


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder, which names of files are relative to."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys):
    """Return the exit code of a command, and what it writes to both streams.

    What comes first is split into words as by a shell; the others are words.
    """

    def call(line, *words):
        capsys.readouterr()
        try:
            code = main([*shlex.split(str(line)), *map(str, words)])
        except SystemExit as ended:
            code = ended.code
        return code, *capsys.readouterr()

    return call


def printing(run, expected):
    """Return a call of commands: what they print, with this code and no complaint."""

    def call(*words):
        code, out, err = run(*words)
        assert (code, err) == (expected, ""), words
        return out

    return call


@pytest.fixture
def done(run):
    """Return what a command prints that is done without a word of complaint."""
    return printing(run, 0)


@pytest.fixture
def denied(run):
    """Return what a command prints that has no solution, or whose answer is no."""
    return printing(run, 1)


@pytest.fixture
def refused(run):
    """Return the one line that a command prints in place of anything else."""

    def call(*words):
        code, out, err = run(*words)
        assert (code, out, err.count("\n")) == (2, "", 1), words
        assert err.startswith("atleastk: error: ")
        return err

    return call


@pytest.fixture(scope="session")
def fakes() -> ModuleType:
    """The hostile stand-in of bin covering."""
    return import_module("fakes")


@pytest.fixture(scope="session")
def sorted_rows() -> ModuleType:
    """The quick stand-in of k-anonymity."""
    return import_module("sorted_rows")


@pytest.fixture
def quick(sorted_rows, monkeypatch):
    monkeypatch.setattr(registry, "PROBLEMS", sorted_rows.registered(sorted_rows.cut))


@pytest.fixture
def stand_in(fakes, monkeypatch):
    def register(problem=fakes.PROBLEM):
        monkeypatch.setattr(registry, "PROBLEMS", fakes.registered(problem))
        return problem

    return register


@pytest.fixture
def instance_file(tmp_path):
    """A small bin covering file; the optimum is 16."""
    path = tmp_path / "small.json"
    document = {"problem": "bin-covering", "sizes": [10, 6, 6, 6], "k": 10}
    path.write_text(json.dumps(document))
    return path


SQUARES = {
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature",
            "properties": {"called": f"r{i}", "people": 3 + i % 2},
            "geometry": {
                "type": "Polygon",
                "coordinates": [[[i, 0], [i + 1, 0], [i + 1, 1], [i, 1], [i, 0]]],
            },
        }
        for i in range(4)
    ],
}


@pytest.fixture
def squares(tmp_path):
    path = tmp_path / "squares.geojson"
    path.write_text(json.dumps(SQUARES), encoding="utf-8")
    return path
