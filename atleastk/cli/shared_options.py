"""What several commands are asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from atleastk.api import budget_of
from atleastk.cli.options import Options, option
from atleastk.cli.readers import (
    delimiter,
    gigabytes,
    processors,
    seconds_or_none,
    seed_of,
)
from atleastk.solvers.budget import Budget
from atleastk.solving import AUTO

__all__ = ["SECONDS", "Reading", "Running", "TableRunning", "delimited", "seeded"]

SECONDS: Final = 60
"""The default time limit of whoever just wants a good table."""


@dataclass(frozen=True, kw_only=True)
class Reading(Options):
    """What commands that read files are asked."""

    input_limit: float | None = option(
        "--input-limit",
        reader=gigabytes,
        metavar="GB",
        help="read files of up to so much, unpacked (default: 0.5)",
    )


def seeded() -> Any:
    """Return the field of the seed that random choices begin with."""
    return option("--seed", reader=seed_of, default=0, metavar="S", help="default: 0")


@dataclass(frozen=True, kw_only=True)
class Running(Reading):
    """What commands are asked that let a solver run."""

    time_limit: float | None = option(
        "--time-limit",
        reader=seconds_or_none,
        default=SECONDS,
        metavar="S",
        help=f"seconds, or none (default: {SECONDS})",
    )
    method: str = option(
        "--method", default=AUTO, metavar="M", help="an exact method (default: auto)"
    )
    workers: int | None = option(
        "--workers",
        reader=processors,
        metavar="N",
        help="threads (default: all processors)",
    )
    memory_limit: float | None = option(
        "--memory-limit",
        reader=gigabytes,
        metavar="GB",
        help="for the lists of the search (default: half of what the machine has)",
    )
    seed: int = seeded()
    events: bool = option(
        "--events", action="store_true", help="tell every improvement on stderr"
    )
    json: bool = option(
        "--json", action="store_true", help="print results as one JSON object a line"
    )

    def budget(self) -> Budget:
        """Return a budget that starts now."""
        return budget_of(self.time_limit, self.workers, self.seed, self.memory_limit)


@dataclass(frozen=True, kw_only=True)
class TableRunning(Running):
    """What the doors for tables and maps are asked, each of them."""

    result: str | None = option(
        "--result", metavar="FILE", help="write the result, as solve -o does"
    )
    instance: str | None = option(
        "--instance", metavar="FILE", help="write what was solved"
    )


def delimited() -> Any:
    """Return the field of how a table is read."""
    return option(
        "--delimiter",
        reader=delimiter,
        metavar="C",
        help="between cells (default: by the name and the first line)",
    )
