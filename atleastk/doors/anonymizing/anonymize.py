"""Anonymisation of tables as they come: of pandas, polars, pyarrow, or plain rows.

A published table is read again, and its classes are counted anew: what is returned is
k-anonymous by the strict reading, whichever method suppressed its cells - unless less
was asked for, that rows match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from os import PathLike
from typing import Any

import numpy as np

from atleastk.arrays import BoolArray
from atleastk.doors.anonymizing.hierarchies import Levels, generalised, sourced
from atleastk.doors.anonymizing.population import Population
from atleastk.doors.anonymizing.publish import published
from atleastk.doors.anonymizing.report.levels import Generality
from atleastk.doors.anonymizing.report.limits import Quantities
from atleastk.doors.anonymizing.report.page import page_of
from atleastk.doors.anonymizing.report.report import Report
from atleastk.doors.anonymizing.report.risk import Disclosure
from atleastk.doors.anonymizing.report.sensitive import Sensitive, exposures
from atleastk.doors.anonymizing.report.unchanged import singling_out
from atleastk.doors.anonymizing.report.weights import Weighting
from atleastk.doors.anonymizing.request import (
    MARKER,
    Request,
    RowOrder,
    Task,
    instance_of,
    row_weights_of,
    selection_of,
)
from atleastk.frames.frame import Frame, Name, Selection, chosen, codes_of
from atleastk.frames.oddities import oddities
from atleastk.frames.open_frame import FileFrame, framed
from atleastk.instances.diversity import Diversity
from atleastk.instances.fields.allowance import Allowance
from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.errors import InvalidInstanceError, within_memory
from atleastk.instances.fields.spelling import respelled
from atleastk.instances.generalization import Generalization
from atleastk.instances.suppression import Suppression
from atleastk.models.diversity import obstacles
from atleastk.models.results.result import Event, Result
from atleastk.models.results.status import Stop
from atleastk.models.tables.anonymity import Anonymity, strict
from atleastk.runs.ask import AUTO, Ask
from atleastk.runs.relax import relaxed_limits
from atleastk.runs.solving import Outcome, solve_within
from atleastk.solvers.k_anonymity import wildcards

__all__ = [
    "MARKER",
    "Anonymized",
    "anonymity",
    "anonymity_of",
    "anonymize",
    "anonymize_frame",
]


@dataclass(frozen=True, slots=True, eq=False)
class Anonymized:
    """A table before and after.

    Attributes
    ----------
    frame
        The k-anonymous table: of the same library as the original, with the same rows
        in the same order and all other columns as they were, and made anew of nothing
        but these cells. None if there is none. All else here is not to be published:
        who has the instance, too, reads suppressed cells back.
    report
        What it cost; this is what ``print`` shows.
    columns
        The names of the columns that were anonymised.
    suppressed
        For every row and every one of these columns, whether the cell is suppressed;
        if cells are generalised, whether it is published at the top.
    levels
        If cells are generalised, at which level each of them is published.
    instance, result
        What was solved, the values of the table being numbered, and the answer:
        ``atleastk.check(anonymized.instance, anonymized.result)`` recomputes it.
    request
        What was asked.
    """

    frame: Any
    report: Report
    columns: tuple[Name, ...]
    suppressed: BoolArray | None
    instance: Task
    result: Result
    request: Request
    levels: Levels | None = None

    __repr__ = brief

    def __str__(self) -> str:
        return str(self.report)

    def to_html(self, table: str = "a table") -> str:
        """Return the report as a page to be filed, which needs no other file.

        Parameters
        ----------
        table
            What the original is called.
        """
        columns = [str(name) for name in self.columns]
        now = datetime.now(UTC)
        return page_of(self.report, self.request, self.result, columns, table, now)


@respelled
def anonymize(
    table: Any,
    k: int | None = None,
    columns: Iterable[Name] | None = None,
    *,
    limits: Mapping[str, int] | None = None,
    intact: Iterable[Name] | None = None,
    column_order: Sequence[Sequence[Name]] | None = None,
    row_order: RowOrder | None = None,
    minimise: str | None = None,
    deletion: bool = False,
    problem: str | None = None,
    hierarchies: Mapping[Name, Any] | str | PathLike[str] | None = None,
    on: str | None = None,
    loss: str | None = None,
    suppress_rows: Allowance | None = None,
    weights: Mapping[Name, int] | None = None,
    row_weights: Name | None = None,
    ambiguous: bool = False,
    sensitive: Name | Iterable[Name] | None = None,
    l: int | None = None,  # noqa: E741 - as in the papers
    diversity: str | None = None,
    t: Any = None,
    population: Any = None,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    method: str = AUTO,
    marker: str = MARKER,
    on_event: Callable[[Event], object] | None = None,
    memory_limit: float | None = None,
) -> Anonymized:
    """Suppress or generalise cells such that every row equals k - 1 others.

    As few cells as possible, unless another loss is chosen. SIGINT ends the search
    gently, as in `atleastk.solve`.

    Parameters
    ----------
    table
        A data frame of pandas or polars, a table of pyarrow, an array of numpy, or a
        list of dicts, tuples or lists.
    k
        How many rows have to look alike; may be left out if k is maximised.
    columns
        The columns to look at: those that somebody may know from elsewhere. All by
        default. Others stay as they are.
    limits
        The most that may be lost of ``"entries"`` (cells), ``"rows"``, ``"columns"``,
        ``"per_row"`` and ``"per_column"``.
    intact
        Columns of which no cell is suppressed.
    column_order
        Classes of columns, the most important first: no column of a class has more
        suppressed cells than one of the next. Intact columns need not be named.
    row_order
        Classes of rows likewise: lists of positions, or a column that holds the class,
        1 the most important; ``{column: values}`` gives the order of other values.
    minimise
        One of the quantities of `limits`, ``"entries"`` by default; ``"none"`` to take
        any table within the limits; ``"k"`` to make k as large as they allow.
    deletion
        Suppress limited (or minimised) rows and columns as a whole, and nothing else.
    problem
        The name of a problem in [Chaytor06], such as ``"r-MIN-c-DEL"``, in place of
        `minimise` and `deletion`; the limits and orders it tells of are needed.
    hierarchies
        Generalise the cells of these columns: a rule such as ``"bands:5,10"`` or
        ``"auto"``, a file of lines like ``34;30-39;*``, a `Hierarchy`, lists of labels,
        a data frame whose columns are the levels, a dict from values to labels, one
        dict per level, or a function from a value to its labels. Other columns are
        suppressed. A rule, or a folder of files ``NAME.csv``, may be given for all.
    on
        ``"attributes"``, the default, generalises all cells of a column alike;
        ``"entries"`` generalises every cell as far as it has to be.
    loss
        ``"height"`` (the default), ``"precision"``, and on attributes also
        ``"discernibility"`` or ``"average-class-size"``.
    suppress_rows
        On attributes, how many rows may be suppressed altogether, so that the others
        lose less: a number, or a share such as 0.05 or ``"5%"``, rounded down.
    weights
        What a suppressed cell of a column costs, or a cell generalised by one level:
        integers of at least 1, and 1 for columns that are not named.
    row_weights
        A column that says how many persons a row stands for, such as 1234.56: its
        cells count as many times. k still counts rows.
    ambiguous
        Let suppressed cells match anything: every row is to match k - 1 others. This is
        no protection: whoever looks for equal rows finds most that were left as they
        were. The report tells that risk.
    sensitive
        Columns whose values nobody may learn of a person known to be in a class of
        equal rows. They are published as they are, and are not among `columns`.
    l
        How diverse the sensitive values of every class are, each column for itself.
    diversity
        ``"distinct"``, the default: at least `l` different values; ``"frequency"``: no
        value has more than 1 / `l` of the class.
    t
        The greatest distance between the sensitive values of a class and those of the
        table: how much of the one distribution has to move to get the other, as a
        fraction such as 0.2 or ``"1/5"``.
    population
        A table of all persons, with the columns that are anonymised: the report tells
        whom of them a row may be (k-map). The table has to be a part of it.
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
        cells are suppressed; or if what is asked for makes no sense.
    UnknownNameError
        If the table has no column of a name.
    """
    ask = Ask.of(time_limit, workers, seed, memory_limit, method, on_event)
    request = Request(
        k=k,
        columns=columns,
        limits=limits,
        intact=intact,
        column_order=column_order,
        row_order=row_order,
        minimise=minimise,
        deletion=deletion,
        problem=problem,
        hierarchies=hierarchies,
        on=on,
        loss=loss,
        suppress_rows=suppress_rows,
        weights=weights,
        row_weights=row_weights,
        ambiguous=ambiguous,
        sensitive=sensitive,
        l=l,
        diversity=diversity,
        t=t,
        marker=marker,
    )
    everybody = None if population is None else framed(population)
    made, outcome = anonymize_frame(framed(table), request, ask, everybody)
    outcome.unless_cut()
    return made


@within_memory("anonymizing")
def anonymize_frame(
    frame: Frame, request: Request, ask: Ask, everybody: Frame | None = None
) -> tuple[Anonymized, Outcome]:
    """Anonymise a frame, see `anonymize`; return how the search ended, too."""
    selection = selection_of(frame, request)
    request = request.ruled_by(everybody, selection).with_hierarchies(selection)
    _expect_free(request, selection)
    persons = row_weights_of(frame, request)
    population = None
    if everybody is not None:
        population = Population.of(selection, everybody, request)
    instance = instance_of(selection, request, persons)
    ask = ask.sparing()
    outcome = solve_within(instance, ask)
    made = published(selection, instance, outcome.result, request)
    quantities = generality = weighting = sensitive = None
    if isinstance(instance, Suppression):
        relaxed, outcome = relaxed_limits(instance, outcome, ask.budget)
        quantities = Quantities.of(instance, outcome.result, relaxed)
    elif isinstance(instance, Generalization):
        weighting = Weighting.of(instance, selection.told, persons, outcome.result)
        bound = None if weighting else outcome.result.bound
        if request.generalises:
            known = sourced(selection, request.hierarchies)
            sources = [one.source for one in known.values()]
            generality = Generality.of(instance, selection.told, sources, made, bound)
    if request.sensitive_names:
        names = request.sensitive_names
        sensitive = Sensitive(
            asked=_conditions_in_words(instance),
            before=exposures(frame, names, selection.columns),
            after=exposures(frame, names, made.columns) if made.columns else {},
            obstacles=_obstacles(instance, names),
        )
    report = Report.of(
        instance.k,
        outcome.result,
        selection,
        made,
        risk=Disclosure.of(selection, made, persons, population, request.needed),
        stopped=_stopped_by(outcome),
        ambiguous=request.ambiguous,
        quantities=quantities,
        generality=generality,
        weighting=weighting,
        sensitive=sensitive,
        warnings=_warnings(frame, selection, request),
    )
    anonymized = Anonymized(
        None if made.frame is None else made.frame.native,
        report,
        selection.names,
        made.hidden,
        instance,
        outcome.result,
        request,
        made.levels,
    )
    return anonymized, outcome


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
        match anything. By default they are values like others, which is the reading
        that tells how easily a person is found.
    """
    frame = framed(table)
    return anonymity_of(frame, chosen(frame, columns), wildcard, marker, {})


def anonymity_of(
    frame: Frame,
    names: Iterable[Name],
    wildcard: bool,
    marker: str,
    needed: Mapping[str, str],
) -> Anonymity:
    """Tell how anonymous a frame is over some of its columns."""
    selection = Selection.of(frame, names)
    codes = codes_of(selection.columns)
    if wildcard:
        holding = [column.holding(marker, None) for column in selection.columns]
        found = wildcards.wildcard(codes, np.stack(holding, axis=1))
    else:
        found = strict(codes)
    apart = singling_out(frame, selection.others, needed)
    return replace(found, singling_out=apart)


def _expect_free(request: Request, selection: Selection) -> None:
    """Refuse a marker that is a value of a column that may be suppressed."""
    for name, column in zip(selection.names, selection.columns, strict=True):
        if not column.text or name in generalised(request.hierarchies):
            continue
        found = column.holding(request.marker)
        if found.any():
            raise InvalidInstanceError(
                f'column "{name}" holds the marker "{request.marker}" already, first '
                f"in row {int(found.argmax()) + 1}; choose another marker"
            )


def _warnings(frame: Frame, selection: Selection, request: Request) -> tuple[str, ...]:
    """Return what is odd about the table and the files of hierarchies."""
    read = frame.note if isinstance(frame, FileFrame) else None
    known: Any = request.hierarchies if request.generalises else {}
    notes = (note for one in known.values() for note in one.notes)
    return (*([] if read is None else [read]), *oddities(selection), *notes)


def _obstacles(instance: Task, names: Sequence[Name]) -> dict[str, str]:
    """Say why nothing keeps the conditions, by the names of sensitive columns."""
    found = obstacles(instance) if isinstance(instance, Diversity) else {}
    return {str(names[j]): why for j, why in found.items()}


def _conditions_in_words(instance: Task) -> str:
    """Return what every class has to keep beside k."""
    if not isinstance(instance, Diversity):
        return ""
    reading = "" if instance.reading == "distinct" else f" by {instance.reading}"
    diverse = [] if instance.l == 1 else [f"l = {instance.l}{reading}"]
    close = [] if instance.t is None else [f"t = {instance.t}"]
    return ", ".join(diverse + close)


def _stopped_by(outcome: Outcome) -> str | None:
    """Tell what ended a search that had more to do, if anything did."""
    if outcome.signalled is not None:
        return outcome.signalled.name
    stop = outcome.result.stopped_because
    return str(stop) if stop in (Stop.CALLBACK, Stop.TIME_LIMIT) else None
