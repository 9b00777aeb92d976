"""A live progress line on a terminal; nothing elsewhere.

It is redrawn several times a second, so that time goes on while a solver is silent.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from typing import TypeVar

from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from atleastk.cli.console import raw_stream
from atleastk.instances.fields.visible import visible
from atleastk.models.results.result import Event
from atleastk.models.wording import counted
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.search import Ran

T = TypeVar("T", Event, Ran)


class Progress:
    """The progress line: what runs, for how long, the best cost and bound, the gap.

    It also shows when loops are compiled, which happens once for all later runs.
    """

    def __init__(self, running: str) -> None:
        self._running = running
        self._started = CLOCK.now()
        self._cost: int | None = None
        self._bound: int | None = None

    def update(self, event: Event) -> None:
        self._cost, self._bound = event.cost, event.bound

    @property
    def line(self) -> str:
        cost, bound = self._cost, self._bound
        parts = [
            self._running,
            f"{CLOCK.now() - self._started:.0f} s",
            *(["preparing, once"] if CLOCK.stands else []),
            f"cost {'-' if cost is None else cost}",
            f"bound {'-' if bound is None else bound}",
        ]
        if cost and bound is not None:
            parts.append(f"gap {(cost - bound) / cost:.2%}")
        return "   ".join(parts)


@contextmanager
def refreshed(line: Callable[[], str]) -> Iterator[None]:
    """While the body runs, show a line if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    spinner = Spinner("dots", style="cyan")

    def drawn() -> Spinner:
        text = Text(visible(line()), no_wrap=True, overflow="ellipsis")
        spinner.update(text=text)
        return spinner

    with Live(
        get_renderable=drawn,
        console=Console(file=raw_stream(sys.stderr)),
        refresh_per_second=8,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    ):
        yield


@contextmanager
def shown(running: str) -> Iterator[Progress]:
    progress = Progress(running)
    with refreshed(lambda: progress.line):
        yield progress


@contextmanager
def reading(path: str) -> Iterator[None]:
    """While the body runs, show that a file is read."""
    started = CLOCK.now()
    with refreshed(lambda: f"{path}   reading   {CLOCK.now() - started:.0f} s"):
        yield


@contextmanager
def watched(
    running: str, events: bool, as_json: bool
) -> Iterator[tuple[Callable[[Event], object], Callable[[Ran], object] | None]]:
    """Yield the callbacks of events and stages: print them, or update the line."""
    if events:
        yield partial(_print, _event_line, as_json), partial(_print, _ran_line, as_json)
        return
    with shown(running) as progress:
        yield progress.update, None


def _print(line_of: Callable[[T], str], as_json: bool, told: T) -> None:
    line = json.dumps(asdict(told)) if as_json else line_of(told)
    print(line, file=sys.stderr, flush=True)


def _event_line(event: Event) -> str:
    cost, bound = ("-" if v is None else v for v in (event.cost, event.bound))
    return f"{event.seconds:9.3f} s   cost {cost}   bound {bound}   by {event.by}"


def _ran_line(ran: Ran) -> str:
    words = {"better cost": ran.costs, "better bound": ran.bounds, "level": ran.levels}
    moved = [counted(times, what) for what, times in words.items() if times]
    told = ", ".join([*(moved or ["nothing moved"]), *ran.said])
    return f"{ran.seconds:9.3f} s   {ran.by} ran {ran.took:.3f} s: {told}"
