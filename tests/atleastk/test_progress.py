"""Live progress: seen on a terminal, silent elsewhere."""

import io
import time

from atleastk.models.result import Event
from atleastk.progress import Progress, shown


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


def test_silent_in_a_pipe(capsys):
    """Nothing at all is written where nobody watches."""
    with shown("a.json") as progress:
        progress.update(Event(0.1, 5, 4))
    assert capsys.readouterr() == ("", "")


def test_a_terminal_shows_what_is_known_and_refreshes(monkeypatch):
    """Cost, bound and gap appear; the display moves even if nothing happens."""
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with shown("a.json by auto") as progress:
        progress.update(Event(0.1, 8, 6))
        time.sleep(0.3)
        early = len(terminal.getvalue())
        time.sleep(0.5)
        assert len(terminal.getvalue()) > early
    written = terminal.getvalue()
    assert "a.json by auto" in written
    assert "cost 8   bound 6   gap 25.00%" in written


def test_what_is_unknown_is_a_dash():
    """Before the first event; and no gap without both ends or at cost 0."""
    progress = Progress("x")
    assert progress.line == "x   0 s   cost -   bound -"
    progress.update(Event(0.0, 0, 0))
    assert progress.line == "x   0 s   cost 0   bound 0"
