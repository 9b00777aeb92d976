"""Anonymisation of tables as they come: of pandas, polars, pyarrow, or plain rows.

A published table is read again, and its classes of equal rows are counted anew: what is
returned is k-anonymous by the strict reading, whichever method suppressed its cells -
unless the request is only that rows match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.doors.anonymizing.averaged import averaged
from atleastk.doors.anonymizing.engines import AUTO, MEMORY, given
from atleastk.doors.anonymizing.hierarchies import Levels
from atleastk.doors.anonymizing.larger_k import solved_within_thresholds
from atleastk.doors.anonymizing.loosening import loosened
from atleastk.doors.anonymizing.population import Population
from atleastk.doors.anonymizing.publish import (
    expect_no_marker,
    published,
    shuffled,
    without_dropped,
)
from atleastk.doors.anonymizing.release import Released, release
from atleastk.doors.anonymizing.report.page import page_of
from atleastk.doors.anonymizing.report.report import Report
from atleastk.doors.anonymizing.report.risk import singling_out
from atleastk.doors.anonymizing.report.thresholds import thresholds_of
from atleastk.doors.anonymizing.request import MARKER, Request, Wishes
from atleastk.doors.anonymizing.selected import Selected, Task
from atleastk.doors.calls import Call, OfTable, called_with
from atleastk.doors.clustering.cluster import Clustered
from atleastk.frames.duckdb_source import DuckSource
from atleastk.frames.frame import Frame, Name, Selection, codes_of, without
from atleastk.frames.open_frame import framed
from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.errors import InvalidInstanceError, within_memory
from atleastk.instances.fields.html_table import card
from atleastk.instances.fields.spelling import respelled
from atleastk.instances.files.digest import Filed
from atleastk.instances.suppression import Suppression
from atleastk.models.results.result import Result
from atleastk.models.tables.anonymity import Anonymity, strict
from atleastk.plots.html_page import Filing
from atleastk.runs.ask import Ask
from atleastk.runs.relax import relaxed_limits
from atleastk.runs.solving import Outcome, solve_within
from atleastk.solvers.budget import bytes_of
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.k_anonymity import wildcards


@dataclass(frozen=True, slots=True, eq=False)
class Anonymized:
    """A table before and after.

    Attributes
    ----------
    frame
        The k-anonymous table: of the same library as the original, with the same rows
        in the same order, unless they were dropped or shuffled, and all other columns
        as they were, and rebuilt from nothing but these cells. None if there is none.
        Nothing else here is to be published: the instance gives suppressed cells away.
    report
        Its cost; this is what ``print`` shows.
    columns
        The names of the columns that were anonymised.
    suppressed
        For every row of the frame and every one of these columns, whether the cell is
        suppressed; if cells are generalised, whether it is published at the top.
    levels
        If cells are generalised, at which level each of them is published.
    instance, result
        The problem that was solved, with numbers for the values of the table, and the
        answer, which ``atleastk.check(made.instance, made.result)`` recomputes.
    request
        What was asked for.
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
    _repr_html_ = card

    def __str__(self) -> str:
        return str(self.report)

    @property
    def alike(self) -> IntArray | None:
        """How many rows of the frame look like each of them: a guess is 1 over that."""
        if self.frame is None:
            return None
        frame = framed(self.frame)
        return strict(codes_of([frame.column(name) for name in self.columns])).alike

    def to_html(
        self,
        table: str = "a table",
        *,
        files: Sequence[Filed] = (),
        words: Sequence[str] = (),
    ) -> str:
        """Return the report as a page to be filed, which needs no other file.

        The original is called `table`; `files` are it and the published table, with
        their SHA-256, and `words` are a command line that asks for the same again.
        """
        columns = [str(name) for name in self.columns]
        made = Filing(table, tuple(files), tuple(words))
        of = self.report, self.request, self.instance, self.result
        return page_of(*of, columns, made)


@dataclass(eq=False)
class _Call(Call, Wishes, OfTable):
    """The parameters of `anonymize`: a table, the wishes, and the search."""

    drop: Iterable[Name] = field(default=(), kw_only=True)
    population: Any = field(default=None, kw_only=True)
    start: Any = field(default=None, kw_only=True)
    engine: str = field(default=AUTO, kw_only=True)
    memory: str | float | None = field(default=None, kw_only=True)
    scratch: str | PathLike[str] | None = field(default=None, kw_only=True)
    counts: str | PathLike[str] | None = field(default=None, kw_only=True)
    output: str | PathLike[str] | None = field(default=None, kw_only=True)


@respelled
@called_with(_Call)
def anonymize(call: _Call) -> Anonymized | Clustered | Released:
    """Suppress or generalise cells such that every row equals k - 1 others.

    As few cells as possible, unless another loss is chosen. SIGINT ends the search
    gently, as in `atleastk.solve`.

    Parameters
    ----------
    table
        A data frame of pandas or polars, a table of pyarrow, an array of numpy, or a
        list of dicts, tuples or lists; or the path of a file, of a folder of CSV or
        Parquet files, or a pattern of them like ``"data/*.parquet"``.
    k
        How many rows have to look alike; may be left out if k is maximised.
    columns
        The columns to look at: those that somebody may know from elsewhere. All by
        default. Others stay as they are.
    drop
        Columns that are left out, as if they were not there.
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
        `minimise` and `deletion`; the limits and orders in the name are needed.
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
        How many rows may be suppressed altogether, so that the others lose less: a
        number, or a share such as 0.05 or ``"5%"``, rounded down. On entries they are
        dropped: the frame is without them.
    levels
        The only level of a column, or its least and its greatest one:
        ``{"zip": (1, 2), "age": 1}``. Intact columns have level 0.
    weights
        What a suppressed cell of a column costs, or a cell generalised by one level:
        integers of at least 1, and 1 for columns that are not named.
    row_weights
        A column that says how many persons a row stands for, such as 1234.56: its
        cells count as many times. k still counts rows.
    ambiguous
        Let suppressed cells match anything: every row is to match k - 1 others. This is
        no protection: whoever looks for equal rows finds most that were left as they
        were. The report states that risk.
    sensitive
        Columns whose values nobody may learn of a person known to be in a class of
        equal rows. They are published as they are, and are not among `columns`.
    l
        How diverse the sensitive values of every class are, each column for itself.
    diversity
        ``"distinct"``, the default: at least `l` different values; ``"frequency"``: no
        value has more than 1 / `l` of the class; on attributes also ``"entropy"``: of
        log `l` at least, and ``"recursive"``, with `c`.
    c
        Of recursive diversity: the most frequent value has less than `c` times the rows
        of the `l`-th and all rarer ones.
    t
        The greatest distance between the sensitive values of a class and those of the
        table: how much of the one distribution has to move to get the other, as a
        fraction such as 0.2 or ``"1/5"``.
    ordered
        On attributes, whether sensitive values are numbers in order, so that less has
        to move between near ones; it is part of `t`.
    household
        A column that says whose a row is: k counts its different values in every class,
        as households or patients, not rows.
    mean_risk
        On attributes, with which probability a guess about a person is right at most,
        on average over the rows; a fraction.
    small, at_risk
        On attributes, at most a share `at_risk` of the rows is in classes of fewer than
        `small` rows.
    k_map
        On attributes, how many persons of the `population` have the labels of each row,
        at least; k may be left out, and is then 1.
    recode
        Columns that are coarser before all else: ``{"age": "bands:10"}``, by the first
        level of a rule, a file or whatever `hierarchies` takes, or ``{"zip": ("prefix",
        2)}`` by another one. What else is asked is asked of the table as it is then.
    average
        Publish means of groups of at least k near rows in place of their numbers: what
        comes back is that of :func:`atleastk.cluster` by squares.
    shuffle
        Publish the rows in random order: rows that were sorted say what lies between
        them, and their order links them to other tables. A seed, an integer, gives the
        same order again, for whoever knows it.
    population
        A table of all persons, with the columns that are anonymised: the report says
        whom of them a row may be (k-map). The table has to be a part of it.
    start
        What an earlier call returned for the same rows and columns, or its result, to
        begin with: nothing dearer is returned. What kept stricter wishes - a larger k,
        fewer rows to suppress, tighter limits - keeps looser ones.
    time_limit
        Seconds from the call to the report; a part is reserved for what comes after the
        search, and when it is over, the best table so far is taken. Hierarchies of more
        than 50,000 different values that are not made by then are an error.
        By default the search goes on until the table is proved optimal, or until the
        method has nothing left to try: for large tables give a limit.
    workers, seed, method, on_event
        As of :func:`atleastk.solve`.
    marker
        What a suppressed cell of a text column holds. Cells of other types become
        missing values.
    memory_limit
        Gigabytes that the process may take; half of what the machine has by default.
    engine
        What counts the table at a path: ``"memory"`` reads it whole, ``"duckdb"``
        leaves it in its files, ``"dask://HOST:PORT"`` does so on several machines;
        ``"auto"``, the default, takes the second for several files and large ones.
    memory, scratch, counts, output
        If the table stays in its files: how much memory the process may take, like
        ``"8GB"``, the folder for what has no room there, that of counts that are kept
        for a later call (several machines need one that all of them see), and the file
        or new folder that the published table is written to.

    Raises
    ------
    InvalidInstanceError
        If a text column holds the marker already, so that suppressed cells could not be
        distinguished; or if the request makes no sense.
    UnknownNameError
        If the table has no column of a name.

    Examples
    --------
    >>> rows = [["31", "f"], ["31", "m"], ["42", "m"], ["42", "m"]]
    >>> atleastk.anonymize(rows, k=2).frame
    [['31', '*'], ['31', '*'], ['42', 'm'], ['42', 'm']]
    """
    start = call.start.result if isinstance(call.start, Anonymized) else call.start
    ask = replace(call.ask(), start=start)
    request = Request.of(call)
    everybody = None if call.population is None else framed(call.population)
    made: Anonymized | Clustered | Released
    where = call.engine, call.memory, call.scratch, call.counts, call.workers
    with given(call.table, *where, request) as table:
        frame = without(table, call.drop)
        if isinstance(frame, DuckSource):
            why = "engine duckdb: it does not take {}"
            _expect_none(call, why, "population", "start")
            output = None if call.output is None else Path(call.output)
            how = request, ask, output, bytes_of(call.memory)
            made, outcome = release(frame, *how)
        else:
            made, outcome = _in_memory(frame, call, request, everybody, ask)
    outcome.unless_cut()
    return made


def _in_memory(
    frame: Frame, call: _Call, request: Request, everybody: Frame | None, ask: Ask
) -> tuple[Anonymized | Clustered, Outcome]:
    _expect_none(call, "{}: write the frame of what is returned", "output")
    if call.engine == MEMORY:
        why = "{}: is for tables that stay in their files; leave out engine memory"
        _expect_none(call, why, "memory", "scratch", "counts")
    if request.average:
        _expect_none(call, "{}: says nothing of means", "population", "start")
        return averaged(frame, request, ask)
    return anonymize_selected(Selected.of(frame, request, everybody, ask.budget), ask)


def _expect_none(call: _Call, why: str, *names: str) -> None:
    for name in names:
        if getattr(call, name) is not None:
            raise InvalidInstanceError(why.format(name))


@within_memory("anonymizing")
def anonymize_selected(selected: Selected, ask: Ask) -> tuple[Anonymized, Outcome]:
    """Anonymise a table, see `anonymize`; return the outcome of the search, too."""
    expect_no_marker(selected)
    population = _population_of(selected)
    instance = selected.instance()
    ask, read = ask.sparing(instance.n * instance.m), CLOCK.now()
    outcome = _solved(selected, instance, ask)
    searched = CLOCK.now()
    relaxed: tuple[str, ...] = ()
    kept = without_dropped(selected, instance, outcome.result.solution)
    made = published(*kept)
    if kept[0] is not selected:
        selected = kept[0]
        population = _population_of(selected)
    if not isinstance(instance, Suppression):
        relaxed, outcome = loosened(
            selected, outcome, ask, lambda one, part: _solved(one, one.instance(), part)
        )
    elif not selected.request.by_larger_k:
        relaxed, outcome = relaxed_limits(instance, outcome, ask.budget)
    report = Report.of(selected, instance, outcome, made, population, relaxed)
    reading, publishing = round(read - ask.began, 3), round(CLOCK.now() - searched, 3)
    report = replace(report, reading=reading, publishing=publishing)
    if selected.request.shuffle is not False:
        made = shuffled(made, selected.table.names, selected.request.shuffle)
    names, request = selected.table.names, selected.request
    found = made.hidden, instance, outcome.result, request, made.levels
    return Anonymized(made.native, report, names, *found), outcome


def _solved(selected: Selected, instance: Task, ask: Ask) -> Outcome:
    """Solve the instance of a request, whose thresholds it may not know."""
    if not selected.request.by_larger_k:
        return solve_within(instance, ask)

    def keeps(found: Outcome) -> bool:
        kept = without_dropped(selected, instance, found.result.solution)
        made, population, least = published(*kept), _population_of(kept[0]), None
        if population is not None and made.hidden is not None:
            least = population.least(population.before_and_after(made))
        return thresholds_of(kept[0], made.columns, least).holds

    return solved_within_thresholds(instance, selected.request, ask, keeps)


def _population_of(selected: Selected) -> Population | None:
    there = selected.population
    return None if there is None else Population.of(selected, there)


def anonymity(
    table: Any,
    columns: Iterable[Name] | None = None,
    *,
    wildcard: bool = False,
    marker: str = MARKER,
) -> Anonymity:
    """Return how anonymous a table is as it stands; no solver is involved.

    Parameters
    ----------
    wildcard
        Let suppressed cells - those that hold the marker and those without a value -
        match anything. By default they are values like others, which is the reading
        that says how easily a person is found.

    Examples
    --------
    >>> atleastk.anonymity([["31", "f"], ["31", "f"], ["42", "m"]]).k
    1
    """
    selection = Selection.of(framed(table), columns)
    return anonymity_of(selection, wildcard, marker, {})


def anonymity_of(
    selection: Selection, wildcard: bool, marker: str, needed: Mapping[str, str]
) -> Anonymity:
    """Return how anonymous a frame is over some of its columns."""
    codes = codes_of(selection.columns)
    if wildcard:
        holding = [column.holding(marker, None) for column in selection.columns]
        found = wildcards.wildcard(codes, np.stack(holding, axis=1))
    else:
        found = strict(codes)
    apart = singling_out(selection.frame, selection.others, needed)
    return replace(found, singling_out=apart)
