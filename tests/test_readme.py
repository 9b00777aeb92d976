"""The README: what it shows is what happens."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import atleastk

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()


def blocks(language):
    """Return the blocks of code of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def untimed(text):
    """Seconds differ from run to run."""
    return re.sub(r"\d+\.\d\d s$", "... s", text, flags=re.MULTILINE)


def sessions():
    """Return the commands of every shell session, and what they print."""
    steps = r"^\$ (.*)\n((?:(?!\$ ).*\n)*)"
    return [
        pytest.param(session, re.findall(steps, session, re.MULTILINE), id=f"{i}")
        for i, session in enumerate(blocks("console"), 1)
    ]


@pytest.mark.parametrize(
    ("example", "shown"), list(zip(blocks("python"), blocks("text"), strict=True))
)
def test_the_lines_print_what_is_shown(example, shown):
    """Every Python example, from its import to its output."""
    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        exec(compile(example, "README.md", "exec"), {})
    assert written.getvalue() == shown


@pytest.mark.parametrize(("session", "steps"), sessions())
def test_the_commands_print_what_is_shown(session, steps, tmp_path):
    """Every shell example, command by command, in an empty folder of its own."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    assert len(steps) == session.count("$ ") > 2
    for command, shown in steps:
        ended = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ended.returncode, ended.stderr) == (0, ""), command
        assert untimed(ended.stdout) == untimed(shown), command


def test_set_up_takes_two_commands():
    """One to run, one to test."""
    assert [block.count("\n") for block in blocks("bash")] == [1, 1]


def test_the_instances_shown_are_some():
    """The last JSON block has the fields of a result, that of the first instance."""
    *instances, result = map(json.loads, blocks("json"))
    first, *_ = [atleastk.from_dict(instance) for instance in instances]
    solved = atleastk.solve(first, certify=True).to_dict()
    assert result.keys() == solved.keys()
    for key in ("problem", "status", "trust", "cost", "bound", "gap"):
        assert result[key] == solved[key]


@pytest.mark.parametrize("problem", atleastk.problems(), ids=lambda p: p.name)
def test_everything_there_is_is_listed(problem):
    """Problems, methods and algorithms have their place in a table."""
    listed = {
        name
        for line in README.splitlines()
        if line.startswith("|") or "has `" in line
        for name in re.findall(r"`([^`]+)`", line)
    }
    names = {problem.name}
    names |= {entry.name for entry in (*problem.methods, *problem.algorithms)}
    assert names <= listed


def test_links_lead_somewhere():
    """Pictures and pages are in the repository."""
    targets = re.findall(r"\]\(([^)]+)\)", README)
    assert targets
    for target in targets:
        assert (ROOT / target).is_file(), target
