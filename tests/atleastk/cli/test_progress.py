import io
import json
import re
import threading

from patience import PATIENCE

import atleastk
from atleastk.cli.progress import Progress, shown
from atleastk.models.results.result import Event
from atleastk.solvers.clock import CLOCK


class Terminal(io.StringIO):
    def __init__(self):
        super().__init__()
        self._changed = threading.Condition()

    def isatty(self):
        return True

    def write(self, text):
        with self._changed:
            self._changed.notify_all()
            return super().write(text)

    def shows(self, holds):
        with self._changed:
            return self._changed.wait_for(lambda: holds(self.getvalue()), PATIENCE)


def test_silent_in_a_pipe(capsys):
    with shown("a.json") as progress:
        progress.update(Event(0.1, 5, 4))
    assert capsys.readouterr() == ("", "")


def test_a_terminal_shows_what_is_known_and_refreshes(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with shown("a.json by auto") as progress:
        progress.update(Event(0.1, 8, 6))
        assert terminal.shows(lambda all_: "cost 8   bound 6   gap 25.00%" in all_)
        early = len(terminal.getvalue())
        assert terminal.shows(lambda all_: len(all_) > early)
    assert "a.json by auto" in terminal.getvalue()


def test_what_is_unknown_is_a_dash():
    progress = Progress("x")
    assert progress.line == "x   0 s   cost -   bound -"
    progress.update(Event(0.0, 0, 0))
    assert progress.line == "x   0 s   cost 0   bound 0"


def test_compiling_is_told_while_it_lasts():
    """Its seconds are not counted, so a clock that stands is explained."""
    progress = Progress("x")
    CLOCK.stop()
    told = progress.line
    CLOCK.go_on()
    assert told == "x   0 s   preparing, once   cost -   bound -"
    assert "preparing" not in progress.line


def test_every_stage_that_ran_is_told(run, tmp_path):
    """In vain or not, with what it says of its lists."""
    path = tmp_path / "points.json"
    points = atleastk.generate("pair-partition", "points", 1, n=40)
    path.write_text(json.dumps(points.to_dict()))
    _, _, err = run("solve", path, "--verbose", "--workers", 1)
    told = dict(
        line[14:].split(" ran ") for line in err.splitlines() if " ran " in line
    )
    assert re.fullmatch(r"\d\.\d{3} s: nothing moved", told["at once"])
    assert told["nearest"].endswith(" s: 1 better bound")
    assert re.search(r", groups listed: \d+, below \d+$", told["linear program"])
    _, _, err = run("solve", path, "--verbose", "--json", "--workers", 1)
    lines = [json.loads(line) for line in err.splitlines()]
    ran = [line for line in lines if "took" in line]
    assert {line["by"] for line in ran} == told.keys()
    assert all(line.keys() >= {"cost", "bound"} for line in lines if line not in ran)
