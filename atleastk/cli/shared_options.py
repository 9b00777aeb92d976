"""Options of several commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from signal import SIGTERM
from typing import Any, ClassVar, Final

from atleastk.cli.options import Options, option
from atleastk.cli.readers import gigabytes, processors, seconds_or_none, seed_of
from atleastk.runs.ask import AUTO, Ask
from atleastk.solvers.budget import bytes_of

_SECONDS: Final = 60
"""The default time limit in seconds; not tuned."""


@dataclass(frozen=True, kw_only=True)
class Reading(Options):
    """Options of commands that read files."""

    input_limit: float | None = option(
        "--input-limit GB",
        "gigabytes that a file may hold, unpacked (default: 0.5)",
        gigabytes,
    )


@dataclass(frozen=True, kw_only=True)
class Action(Reading):
    """The options of an action of a command that has several."""

    action: ClassVar[str]
    """The word for what is done."""
    summary: ClassVar[str]
    """What it is."""


def seeded() -> Any:
    """Return the field of the seed that random choices begin with."""
    return option("--seed S", "seed of random choices (default: 0)", seed_of, default=0)


def printed() -> Any:
    """Return the field that asks for JSON on standard output."""
    return option("--json", "print one JSON object per line")


def executed(default: str | None = None) -> Any:
    """Return the field of what performs runs."""
    usual = default or "one after the other, here"
    return option(
        "--executor NAME",
        f"what performs the runs: processes, or dask://HOST:PORT (default: {usual})",
        default=default,
    )


@dataclass(frozen=True, kw_only=True)
class Running(Reading):
    """Options of commands that run a solver."""

    time_limit: float | None = option(
        "--time-limit S",
        f"seconds from reading to writing, or none (default: {_SECONDS})",
        seconds_or_none,
        default=_SECONDS,
    )
    method: str = option("--method M", "an exact method (default: auto)", default=AUTO)
    workers: int | None = option(
        "--workers N", "threads (default: all processors)", processors
    )
    memory_limit: float | None = option(
        "--memory-limit GB",
        "gigabytes that the process may take (default: half of the memory)",
        gigabytes,
    )
    seed: int = seeded()
    events: bool = option(
        "--verbose --events",
        "print every improvement, and every stage that ran, on standard error",
    )
    json: bool = printed()

    @property
    def room(self) -> float:
        given = self.memory_limit
        return bytes_of(None) if given is None else 1e9 * given

    def ask(self, **more: Any) -> Ask:
        limits = self.time_limit, self.workers, self.seed, self.memory_limit
        return Ask.of(*limits, self.method, **more)

    @contextmanager
    def watching(self, ask: Ask, running: str) -> Iterator[Ask]:
        """In the body, show the progress of a run, or print its events.

        From now on SIGTERM waits until what was found is written.
        """
        from atleastk.cli.progress import watched
        from atleastk.runs.watch import hold

        hold(SIGTERM)
        with watched(running, self.events, self.json) as (on_event, on_stage):
            yield replace(ask, on_event=on_event, on_stage=on_stage)
