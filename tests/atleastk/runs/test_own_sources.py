from pathlib import Path

import pytest

from atleastk.runs.own_sources import entry_sha256, imports_sha256, source_sha256

FILE = '''"""Algorithms."""
import helper
import math as m
LEAST = 3
def shared(n):
    return n + LEAST
def one(instance):
    """One."""
    return [shared(instance.n)]
def two(instance):
    return [helper.of(instance)]
if __name__ == "__main__":
    print(one(2))
'''


@pytest.fixture
def known(tmp_path):
    def known(*change, name="mine.py"):
        (tmp_path / "mine.py").write_text(FILE)
        (tmp_path / "helper.py").write_text("def of(n): return n")
        for old, new in (change,) if change else ():
            path = tmp_path / name
            assert old in path.read_text()
            path.write_text(path.read_text().replace(old, new))
        path = tmp_path / "mine.py"
        return {name: source_sha256(path, name) for name in ("one", "two")}

    return known


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("def one", "# a remark\n\ndef one", set()),
        ("n + LEAST", "(n  +  LEAST)", set()),
        ("One.", "One group.", set()),
        ("Algorithms.", "Two algorithms.", set()),
        ("print(one(2))", "print(one(3))", set()),
        ("math as m", "math", set()),
        ("LEAST = 3", "LEAST = 4", {"one"}),
        ("n + LEAST", "n - LEAST", {"one"}),
        ("[shared", "[2 * shared", {"one"}),
        ("helper.of", "helper.off", {"two"}),
        ("import helper", "from helper import *", {"one", "two"}),
        ("LEAST = 3", "LEAST = 3\nshared.least = 4", {"one", "two"}),
        ("helper.of", "globals()['shared']", {"two"}),
    ],
)
def test_a_function_is_known_by_what_it_needs(known, old, new, changed):
    before, after = known(), known(old, new)
    assert {name for name in before if before[name] != after[name]} == changed


def test_all_of_a_file_counts_if_a_function_looks_for_names(known):
    looks = ("helper.of", "eval")
    before = known(*looks)
    text = FILE.replace(*looks)
    assert before["two"] != known("helper.of(instance)", "eval(str(LEAST))")["two"]
    assert "eval" in text


def test_files_of_the_folder_that_are_imported_count(known):
    before, after = known(), known("return n", "return -n", name="helper.py")
    assert (before["one"], before["two"] != after["two"]) == (after["one"], True)
    assert known() == known("return n", "return n  # as it is", name="helper.py")


def test_other_files_are_known_by_their_bytes(tmp_path):
    path = tmp_path / "mine.sh"
    path.write_text("echo 0")
    before = source_sha256(path)
    path.write_text("echo 0 # as before")
    assert source_sha256(path) != before
    (tmp_path / "broken.py").write_text("def :")
    assert len(source_sha256(tmp_path / "broken.py", "one")) == 64


PACKAGE = {
    "algorithms/catalogue.py": """
from pack.algorithms.bins import fill, spread
from pack.other.algorithms.rows import cover
from pack.levels import level
MANY = 3
def _fold(name): return name, fill
ALGORITHMS: list = (_fold("a"), _fold("b"), ("c", spread), ("d", cover, MANY))
""",
    "algorithms/bins.py": "def fill(n): return n\ndef spread(n): return fill(n) + 1\n",
    "other/algorithms/rows.py": "def cover(n): return n",
    "levels.py": "def level(n): return n",
    "exact.py": "from pack.algorithms.catalogue import ALGORITHMS, level\n"
    "from pack.algorithms.bins import fill\n",
}


@pytest.mark.parametrize(
    ("name", "old", "new", "changed"),
    [
        ("algorithms/bins.py", "def", "# a remark\ndef", ""),
        ("algorithms/catalogue.py", "n name", "n  name", ""),
        ("algorithms/catalogue.py", '("a")', '("e")', "a"),
        ("algorithms/catalogue.py", "MANY = 3", "MANY = 4", "d"),
        ("algorithms/catalogue.py", "name, fill", "name, fill, 2", "ab"),
        ("algorithms/bins.py", "+ 1", "+ 2", "c"),
        ("algorithms/bins.py", "return n", "return -n", "abc!"),
        ("other/algorithms/rows.py", "return n", "return -n", "d"),
        ("levels.py", "return n", "return -n", ""),
    ],
)
def test_a_shipped_algorithm_is_known_by_its_entry(tmp_path, name, old, new, changed):
    """What exact methods import, but for the list of all, is the `!`."""
    root = tmp_path / "pack"
    for file, text in PACKAGE.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text)
        (root / file).with_name("__init__.py").touch()
    (root / "other" / "__init__.py").touch()

    def known():
        path = root / "algorithms" / "catalogue.py"
        found = {n: entry_sha256(path, "ALGORITHMS", i) for i, n in enumerate("abcd")}
        exact = imports_sha256([root / "exact.py"], "algorithms", {"ALGORITHMS"})
        return found | {"!": exact}

    before = known()
    assert len({*before.values()}) == 5
    assert old in PACKAGE[name]
    (root / name).write_text(PACKAGE[name].replace(old, new, 1))
    after = known()
    assert {n for n in before if before[n] != after[n]} == {*changed}


def test_a_file_may_be_named_from_its_own_package(tmp_path, monkeypatch):
    (tmp_path / "__init__.py").touch()
    path = tmp_path / "mine.py"
    path.write_text("def one(n): return n")
    monkeypatch.chdir(tmp_path)
    assert source_sha256(Path("mine.py"), "one") == source_sha256(path, "one")
