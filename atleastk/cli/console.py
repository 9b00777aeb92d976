"""What all commands share: how they end, complain, and show that they are at work."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

from atleastk.cli.progress import shown
from atleastk.models.result import Event

__all__ = [
    "BAD_INPUT",
    "NO",
    "OK",
    "Exit",
    "complain",
    "watched",
]

OK: Final = 0
NO: Final = 1
BAD_INPUT: Final = 2


class Exit(NamedTuple):
    """How a command ended.

    Attributes
    ----------
    abandoned
        Whether a solver that does not stop is still at work in this process.
    """

    code: int
    abandoned: bool = False


def complain(error: object) -> None:
    """Print an error as the one line that it is."""
    with suppress(OSError):  # there is nobody left to tell; the exit code does
        print("atleastk: error:", " ".join(str(error).split()), file=sys.stderr)


@contextmanager
def watched(
    running: str, events: bool, as_json: bool
) -> Iterator[Callable[[Event], object]]:
    """Give what to call on every event: it tells the event, or shows the progress."""
    if events:
        yield _print_event_as_json if as_json else _print_event
        return
    with shown(running) as progress:
        yield progress.update


def _print_event(event: Event) -> None:
    cost, bound = ("-" if v is None else v for v in (event.cost, event.bound))
    told = f"{event.seconds:9.3f} s   cost {cost}   bound {bound}"
    print(told, file=sys.stderr, flush=True)


def _print_event_as_json(event: Event) -> None:
    row = {"seconds": event.seconds, "cost": event.cost, "bound": event.bound}
    print(json.dumps(row), file=sys.stderr, flush=True)
