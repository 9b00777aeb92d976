"""How far a run travels through the package: modules, changes of room, climbs, mass.

The figures are in walks.toml. They may fall at any time; who raises one writes the
reason beside it.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from every_problem import COMMITTED, INSTANCES, NEW

from atleastk.cli.main import main
from atleastk.instances.files import files

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "atleastk"
SOLVES = [walk for name, walk in COMMITTED["walks"].items() if "solve" in name]
LONGEST = {what: max(walk[what] for walk in SOLVES) for what in SOLVES[0]}
"""As far as the solve of a new problem may go."""
FLOORS = ("", "instances", "models", "solvers", "plots", "runs", "frames", "doors")
"""From the ground up; what is not named stands above them."""
UNWALKED = "atleastk.solvers.compiled"
"""Compiles on the first run, and only then."""


class Walk:
    def __init__(self):
        self.steps = set()

    def __call__(self, frame, event, _argument):
        if event != "call" or frame.f_code.co_name.startswith("<"):
            return
        here = module_of(frame)
        before = frame.f_back
        while here and before is not None:
            there = module_of(before)
            if there:
                self.steps.add((there, here))
                return
            before = before.f_back

    @property
    def figures(self):
        moves = {(a, b) for a, b in self.steps if room_of(a) != room_of(b)}
        return {
            "modules": len({module for step in self.steps for module in step}),
            "rooms": len(moves),
            "climbs": sum(floor_of(a) < floor_of(b) for a, b in moves),
        }


def module_of(frame):
    name = frame.f_globals.get("__name__", "")
    if name.startswith("atleastk.") and not name.startswith(UNWALKED):
        return name
    return None


def room_of(module):
    return module.rpartition(".")[0]


def floor_of(module):
    parts = module.split(".")
    room = parts[1] if len(parts) > 2 else ""
    return FLOORS.index(room) if room in FLOORS else len(FLOORS)


@contextmanager
def walked() -> Iterator[Walk]:
    """Watch the calls of all threads that the body starts, and its own."""
    walk = Walk()
    threading.setprofile(walk)
    sys.setprofile(walk)
    try:
        yield walk
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def figures_of(call: Callable[[], object]):
    """Return the figures of a second call: by then everything is imported."""
    call()
    with walked() as walk:
        call()
    return walk.figures


def assert_no_longer(name, found):
    committed = COMMITTED["walks"].get(name, LONGEST)
    assert all(found[what] <= committed[what] for what in committed), (found, committed)


@pytest.mark.parametrize("problem", INSTANCES)
def test_a_solve_goes_no_longer_way(problem, tmp_path, clock):
    """The clock stands: what is reported now and then is no part of a walk."""
    path = tmp_path / "tiny.json"
    files.write(path, INSTANCES[problem][0].to_dict())
    words = ["solve", str(path), "--workers", "1"]
    assert_no_longer(f"solve {problem}", figures_of(lambda: main(words)))


def test_an_anonymize_goes_no_longer_way(tmp_path, clock):
    table = tmp_path / "people.csv"
    rows = ["31,13053,f", "42,13053,m", "55,13068,f", "31,13053,f", "42,13068,f"]
    table.write_text("\n".join(["age,zip,sex", *rows, "31,13068,f"]) + "\n")
    out = tmp_path / "published.csv"
    words = ["anonymize", str(table), "-k", "2", "-o", str(out), "--workers", "1"]
    assert_no_longer("anonymize", figures_of(lambda: main(words)))


def lines_of(folder):
    """Return the lines of the Python files of a folder, without those of new problems.

    Their folders and files have their name.
    """
    new = {name.replace("-", "_") for name in NEW}
    return sum(
        path.read_text(encoding="utf-8").count("\n")
        for path in folder.rglob("*.py")
        if new.isdisjoint({*path.parts, path.stem, path.stem.removeprefix("test_")})
    )


@pytest.mark.parametrize("place", COMMITTED["lines"])
def test_a_place_has_no_more_lines(place):
    assert lines_of(ROOT / place) <= COMMITTED["lines"][place]


def test_every_place_has_its_figure():
    rooms = {
        f"atleastk/{path.name}"
        for path in PACKAGE.iterdir()
        if (path / "__init__.py").exists()
    }
    assert set(COMMITTED["lines"]) == {*rooms, "scripts", "tests"}
