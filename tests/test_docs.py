"""The README and the pages of docs/: what they show is what happens."""

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest
from every_problem import SETTLED

import atleastk
from atleastk.cli.main import main
from atleastk.runs.registry import problem_named
from atleastk.solvers.engine import stages

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    page.name: page.read_text(encoding="utf-8")
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md"))
}


def blocks(page, language):
    fenced = rf"^```{language}\n(.*?)^```$"
    return re.findall(fenced, PAGES[page], re.DOTALL | re.MULTILINE)


def untimed(text):
    return re.sub(r"\d+\.\d\d s$", "... s", text, flags=re.MULTILINE)


def sessions():
    steps = r"^\$ (.*)\n((?:(?!\$ ).*\n)*)"
    return [
        pytest.param(
            session, re.findall(steps, session, re.MULTILINE), id=f"{page}-{number}"
        )
        for page in PAGES
        for number, session in enumerate(blocks(page, "console"), 1)
    ]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")])
def test_the_lines_print_what_is_shown(page):
    """Those of a page one after the other, as a reader would type them."""
    names = {}
    shown = zip(blocks(page, "python"), blocks(page, "text"), strict=True)
    for number, (example, expected) in enumerate(shown, 1):
        written = io.StringIO()
        with contextlib.redirect_stdout(written):
            exec(compile(example, f"{page}-{number}", "exec"), names)
        assert untimed(written.getvalue()) == untimed(expected)


@pytest.fixture
def shell(tmp_path):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    def run(line):
        ended = subprocess.run(
            line,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        return ended.returncode, ended.stdout, ended.stderr

    return run


@pytest.fixture
def here(shell, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(stages, "_PROOF", 60.0)  # of a machine that is busy

    def run(line):
        words, *otherwise = line.split(" || ")
        command, *arguments = shlex.split(words)
        if command != "atleastk":
            return shell(line)
        ended = main(arguments), *capsys.readouterr()
        if not otherwise:
            return ended
        code, more, errors = shell(" || ".join([f"(exit {ended[0]})", *otherwise]))
        return code, ended[1] + more, ended[2] + errors

    return run


def compare(run, steps):
    for command, shown in steps:
        code, written, errors = run(command)
        assert (code, errors) == (0, ""), command
        assert untimed(written) == untimed(shown), command


@pytest.mark.parametrize(("session", "steps"), sessions())
def test_the_commands_print_what_is_shown(session, steps, here):
    assert len(steps) == session.count("$ ") > 2
    compare(here, steps)


def test_the_installed_command_prints_what_is_shown(shell):
    _, steps = next(p.values for p in sessions() if p.id == "README.md-1")
    compare(shell, steps)


def test_set_up_takes_two_commands():
    assert [block.count("\n") for block in blocks("README.md", "bash")] == [1, 1]
    assert PAGES["README.md"].count("\n") <= 200


def test_the_instances_shown_are_some():
    *instances, result = map(json.loads, blocks("files.md", "json"))
    first, *_ = [atleastk.from_dict(instance) for instance in instances]
    solved = atleastk.solve(first, certify=True).to_dict()
    assert result.keys() == solved.keys()
    for key in ("problem", "status", "trust", "cost", "bound", "gap"):
        assert result[key] == solved[key]


@pytest.mark.parametrize("name", SETTLED)
def test_everything_there_is_is_listed(name):
    listed = {
        name
        for text in PAGES.values()
        for line in text.splitlines()
        if line.startswith("|") or "has `" in line
        for name in re.findall(r"`([^`]+)`", line)
    }
    problem = problem_named(name)
    names = {name}
    names |= {entry.name for entry in (*problem.methods, *problem.algorithms)}
    assert names <= listed


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    folder = ROOT if (ROOT / page).exists() else ROOT / "docs"
    for target in re.findall(r"\]\(([^)]+)\)", PAGES[page]):
        assert (folder / target.partition("#")[0]).is_file(), target


def test_every_page_can_be_reached():
    seen, left = set(), ["README.md"]
    while left:
        page = left.pop()
        if page not in seen:
            seen.add(page)
            targets = re.findall(r"\]\((?:docs/|\.\./)?([\w-]+\.md)", PAGES[page])
            left += [target for target in targets if target in PAGES]
    assert seen == set(PAGES)


def test_every_table_of_measurements_is_linked():
    told = "".join(PAGES.values())
    for table in ROOT.glob("docs/benchmarks/*.md"):
        assert f"benchmarks/{table.name})" in told, table.name


def test_scripts_that_are_named_are_there():
    tables = ROOT.glob("docs/benchmarks/*.md")
    for text in (*PAGES.values(), *(path.read_text("utf-8") for path in tables)):
        named = re.findall(r"\bscripts/[\w/]+\.(?:py|toml)\b", text)
        modules = re.findall(r"-m (scripts(?:\.\w+)+)", text)
        named += [f"{module.replace('.', '/')}.py" for module in modules]
        for path in named:
            package = ROOT / path.removesuffix(".py") / "__main__.py"
            assert (ROOT / path).is_file() or package.is_file(), path


def test_what_the_readme_writes_is_ignored_by_git():
    """Its commands are tried where they stand: at the root of the sources."""
    page = PAGES["README.md"]
    written = set(re.findall(r"(?:> |-o )([\w-]+\.\w+)", page))
    assert {"names.json", "people.csv", "published.csv", "parts.csv"} <= written
    lines = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    patterns = [line.removeprefix("/") for line in lines if line.startswith("/*")]
    assert [
        name for name in written if not any(fnmatch(name, p) for p in patterns)
    ] == []
