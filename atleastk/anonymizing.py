"""Anonymisation of tables as they come: of pandas, polars, pyarrow, or plain rows.

A published table is read again, and its classes are counted anew: what is returned is
k-anonymous by the strict reading, whoever suppressed its cells.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from atleastk.api import budget_of
from atleastk.frames.frame import Column, Frame, Mask, Name, chosen, codes_of
from atleastk.frames.framed import framed
from atleastk.instances.errors import InvalidInstanceError, WrongAnswerError
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.anonymity import Anonymity, strict
from atleastk.models.k_anonymity import suppressed
from atleastk.models.result import Event, Result
from atleastk.models.status import Status
from atleastk.registry import problem_of
from atleastk.report import LIMIT, Report
from atleastk.solvers.anonymity import wildcards
from atleastk.solvers.budget import Budget
from atleastk.solving import AUTO, Outcome, solve_within

__all__ = [
    "MARKER",
    "Anonymized",
    "Run",
    "anonymity",
    "anonymity_of",
    "anonymize",
    "anonymize_within",
    "sparing",
]

MARKER = "*"


@dataclass(frozen=True, slots=True, eq=False)
class Anonymized:
    """A table before and after.

    Attributes
    ----------
    frame
        The k-anonymous table: of the same library as the original, with the same rows
        in the same order and all other columns as they were. None if there is none.
    report
        What it cost; this is what ``print`` shows.
    columns
        The names of the columns that were anonymised.
    suppressed
        For every row and every one of these columns, whether the cell is suppressed.
    instance, result
        What was solved, the values of the table being numbered, and the answer:
        ``atleastk.check(anonymized.instance, anonymized.result)`` recomputes it.
    """

    frame: Any
    report: Report
    columns: tuple[Name, ...]
    suppressed: Mask | None
    instance: KAnonymity
    result: Result

    def __str__(self) -> str:
        return str(self.report)


class Run(NamedTuple):
    """An anonymisation, the frame that came of it, and how its search ended."""

    anonymized: Anonymized
    frame: Frame | None
    outcome: Outcome


def anonymize(
    table: Any,
    k: int,
    columns: Iterable[Name] | None = None,
    *,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    method: str = AUTO,
    marker: str = MARKER,
    on_event: Callable[[Event], object] | None = None,
    memory_limit: float | None = None,
) -> Anonymized:
    """Suppress as few cells as possible such that every row equals k - 1 others.

    SIGINT and SIGTERM end the search gently, as in `atleastk.solve`.

    Parameters
    ----------
    table
        A data frame of pandas or polars, a table of pyarrow, or a list of dicts, tuples
        or lists.
    columns
        The columns to look at: those that somebody may know from elsewhere. All by
        default. Others stay as they are.
    time_limit
        Seconds from the call on; when they are over, the best table so far is taken.
        By default the search goes on until the table is proved optimal, or until the
        method has nothing left to try: for large tables give a limit.
    marker
        What a suppressed cell of a text column holds. Cells of other types become
        missing values.
    memory_limit
        Gigabytes that the lists of the search may take; half of what the machine has
        by default.

    Raises
    ------
    InvalidInstanceError
        If a text column holds the marker already, so that nobody could tell which
        cells are suppressed.
    UnknownNameError
        If the table has no column of a name.
    """
    budget = budget_of(time_limit, workers, seed, memory_limit)
    return anonymize_within(
        framed(table),
        k,
        columns,
        budget,
        method=method,
        marker=marker,
        on_event=on_event,
    ).anonymized


def anonymize_within(
    frame: Frame,
    k: int,
    columns: Iterable[Name] | None,
    budget: Budget,
    *,
    method: str = AUTO,
    marker: str = MARKER,
    on_event: Callable[[Event], object] | None = None,
) -> Run:
    """Anonymise a frame within a budget that runs already; see `anonymize`."""
    began = time.monotonic()
    names = chosen(frame, columns)
    numbered = [frame.column(name) for name in names]
    _expect_free(marker, names, numbered)
    instance = _instance_of(names, numbered, k)
    within = sparing(budget, time.monotonic() - began)
    allowed = within.remaining
    outcome = solve_within(
        problem_of(instance), instance, within, method=method, on_event=on_event
    )
    result = outcome.result
    hidden, published, level = None, None, None
    if result.solution is not None:
        hidden = suppressed(instance, result.solution)
        masks = {name: hidden[:, j] for j, name in enumerate(names)}
        published = frame.hiding(masks, marker)
        level = _recounted(published, names, k)
    report = Report.of(
        k,
        result,
        tuple(map(str, names)),
        frame.n,
        hidden,
        level,
        tuple(str(name) for name in frame.names if name not in names),
        _stopped_by(outcome, allowed),
    )
    native = None if published is None else published.native
    made = Anonymized(native, report, names, hidden, instance, result)
    return Run(made, published, outcome)


def sparing(budget: Budget, seconds: float) -> Budget:
    """Leave time for what follows, which takes as long as what went before."""
    if budget.deadline == float("inf"):
        return budget
    return budget.slice(budget.remaining - min(seconds, 0.2 * budget.remaining))


def anonymity(
    table: Any,
    columns: Iterable[Name] | None = None,
    *,
    wildcard: bool = False,
    marker: str = MARKER,
) -> Anonymity:
    """Tell how anonymous a table is as it stands; no solver is involved.

    Parameters
    ----------
    wildcard
        Let suppressed cells - those that hold the marker and those without a value -
        match anything. By default they are values like others.
    """
    frame = framed(table)
    return anonymity_of(frame, chosen(frame, columns), wildcard, marker)


def anonymity_of(
    frame: Frame, names: Iterable[Name], wildcard: bool, marker: str
) -> Anonymity:
    """Tell how anonymous a frame is over some of its columns."""
    columns = [frame.column(name) for name in names]
    codes = codes_of(columns)
    if not wildcard:
        return strict(codes)
    hidden = np.stack([column.holding(marker, None) for column in columns], axis=1)
    return wildcards.wildcard(codes, hidden)


def _expect_free(marker: str, names: tuple[Name, ...], columns: list[Column]) -> None:
    """Refuse a marker that is a value of the table."""
    for name, column in zip(names, columns, strict=True):
        if column.text and column.holding(marker).any():
            row = int(column.holding(marker).argmax()) + 1
            message = (
                f'column "{name}" holds the marker "{marker}" already, first in row '
                f"{row}; choose another marker"
            )
            raise InvalidInstanceError(message)


def _instance_of(names: tuple[Name, ...], columns: list[Column], k: int) -> KAnonymity:
    told = tuple(map(str, names))
    return KAnonymity(
        table=codes_of(columns).tolist(),
        k=k,
        columns=told if len(set(told)) == len(told) else None,
    )


def _stopped_by(outcome: Outcome, allowed: float) -> str | None:
    """Tell what ended a search that had more to do, if anything did."""
    if outcome.signalled is not None:
        return outcome.signalled.name
    open_yet = outcome.result.status in {Status.FEASIBLE, Status.UNKNOWN}
    # Some methods leave themselves time for a last report.
    return LIMIT if open_yet and outcome.result.seconds >= 0.8 * allowed else None


def _recounted(frame: Frame, names: tuple[Name, ...], k: int) -> Anonymity:
    """Read what is to be published once more, and count its classes."""
    level = anonymity_of(frame, names, wildcard=False, marker=MARKER)
    if not level.holds(k):
        message = f"the table to be published is not {k}-anonymous: {level}"
        raise WrongAnswerError(message)
    return level
