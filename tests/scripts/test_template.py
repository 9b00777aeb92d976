import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAME = "widget-packing"
OF_ALL = re.compile(r"PROBLEMS|problems\(\)|every_problem|registry|\bsolved\(")
"""What tests mention that are about every problem."""
CHOSEN = (
    "(widget or test_house or every_problem_has or every_problem_is_looked_at or "
    "every_shipped_algorithm or every_problem_that_is or no_more_lines or "
    "script_writes_exactly) and not fingerprint"
)
"""Those of the new problem, and of all at once; fingerprints are of solved ones."""


def state_of(folder):
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*.*")}
    return {
        name: path.read_bytes()
        for name, path in files.items()
        if path.is_file() and "__pycache__" not in name and name[0] != "."
    }


def run(folder, *words):
    ended = ended_in(folder, *words)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def ended_in(folder, *words):
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def copied(folder):
    unneeded = shutil.ignore_patterns("__pycache__", ".*", "made", "pictures")
    shutil.copytree(ROOT, folder, symlinks=True, ignore=unneeded)
    return folder


def test_every_step_of_the_page_prints_what_is_shown(tmp_path):
    copy = copied(tmp_path / "tree")
    page = (ROOT / "docs/template/README.md").read_text("utf-8")
    sessions = re.findall(r"^```console\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    steps = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", "".join(sessions), re.MULTILINE)
    assert len(sessions) == 1 + len(re.findall(r"^\*\*\d+\. ", page, re.MULTILINE))
    paths = [str(Path(sys.executable).parent), os.environ["PATH"]]
    known = {"PATH": os.pathsep.join(paths), "PYTHONPATH": str(copy)}
    for line, shown in steps:
        before = state_of(copy)
        ended = subprocess.run(
            ["bash", "-c", line],
            cwd=copy,
            env={**os.environ, **known},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ended.returncode, ended.stdout) == (0, shown), (line, ended.stderr)
        changes = line.startswith(("sed", "ruff", "python -m scripts.template"))
        assert not changes or state_of(copy) != before, line


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    copy = copied(tmp_path_factory.mktemp("copy") / "tree")
    before = state_of(copy)
    run(copy, "scripts.template", "add", NAME)
    yield copy
    (copy / "atleastk/research/adversary/widget_packing.py").unlink()  # not offered
    run(copy, "scripts.template", "remove", NAME)
    assert state_of(copy) == before


def test_one_line_of_one_other_file_is_changed(tree):
    before, after = (state_of(root / "atleastk") for root in (ROOT, tree))
    (changed,) = {path for path in before if after[path] != before[path]}
    assert after[changed].replace(f'    "{NAME}",\n'.encode(), b"") == before[changed]
    assert all("widget" in path for path in after.keys() - before.keys())


def test_what_holds_of_every_problem_holds_of_it(tree):
    files = [
        str(path.relative_to(tree))
        for path in sorted((tree / "tests").rglob("test_*.py"))
        if "widget" in str(path) or OF_ALL.search(path.read_text("utf-8"))
    ]
    run(tree, "pytest", "-q", "-p", "no:cacheprovider", "-k", CHOSEN, *files)
    run(tree, "ruff", "check", ".")
    run(tree, "ruff", "format", "--check", ".")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["remove", "bin-covering"], "bin-covering is there to stay"),
        (["remove", "clustering"], "has no problem clustering"),
        (["add", NAME], "files of widget-packing are there already"),
        (["add", "k2_boxes"], "a name of lower-case words with hyphens between them"),
    ],
    ids=["settled", "no problem", "added", "misspelt"],
)
def test_what_is_there_stays(tree, words, why):
    before = state_of(tree)
    ended = ended_in(tree, "scripts.template", *words)
    assert ended.returncode == 1
    assert why in ended.stderr
    assert state_of(tree) == before
