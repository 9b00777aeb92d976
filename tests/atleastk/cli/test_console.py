import csv
import io
import sys

import pytest
from rich.console import Console

from atleastk.cli import progress
from atleastk.cli.console import raw_stream, shown_safely
from atleastk.cli.print_table import print_table
from atleastk.cli.progress import shown

RED = "\x1b[31mred"
SHOWN = r"\x1b[31mred"


def test_what_is_printed_is_shown(capsys):
    before = sys.stdout, sys.stderr
    with shown_safely():
        print(f"{RED}\ttold\nonce")
        print(RED, file=sys.stderr)
        sys.stdout.writelines([RED, "\n"])
        assert raw_stream(sys.stdout) is before[0]
        raw_stream(sys.stderr).write(RED)
        assert sys.stdout.isatty() is False
    assert (sys.stdout, sys.stderr) == before
    assert raw_stream(sys.stdout) is sys.stdout
    out, err = capsys.readouterr()
    assert out == f"{SHOWN}\ttold\nonce\n{SHOWN}\n"
    assert err == f"{SHOWN}\n{RED}"


def test_tables_and_progress_show_what_they_are_given(capsys, monkeypatch):
    screen = io.StringIO()
    monkeypatch.setattr(
        progress,
        "Console",
        lambda file: Console(file=screen, force_terminal=True, width=80),
    )
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with shown_safely():
        print_table([RED], [[RED], ["two\nlines"]], title=RED)
        with shown(RED):
            pass
    out = capsys.readouterr().out
    assert out.count(SHOWN) == 3
    assert r"two\nlines" in out
    assert SHOWN in screen.getvalue()
    assert RED not in screen.getvalue()


@pytest.mark.parametrize("more", [(), ("--check",), ("--json",), ("--k",)])
def test_names_and_cells_of_tables(run, tmp_path, more, refused):
    path = tmp_path / "t.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([[f"a{RED}", "b\nc"], ["1", RED], ["1", RED]])
    page = () if "--check" in more else ("--report", tmp_path / "r.html")
    code, out, err = run("anonymize", path, "-k", 2, *page, *more)
    assert code == (2 if "--k" in more else 0)
    assert "\x1b" not in out + err
    if not more:
        assert f"a{SHOWN}" in out
        assert r"b\nc" in out
        html = (tmp_path / "r.html").read_text()
        assert "\x1b" not in html
        assert "b\\nc" in html
    refused("anonymize", path, "-k", 2, "--columns", f"x{RED}")
