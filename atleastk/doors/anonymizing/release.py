"""Anonymisation of a table that stays in its files, by an engine that counts it.

Full-domain generalisation with suppressed rows asks of a table only how large the
classes of its nodes are. So the engine groups it once, the search runs on the distinct
combinations with their copies - in memory where they fit, else the engine counts each
node - and what is found is a *plan*: levels of columns, and which classes lose rows. It
names no row. The engine writes the table by the plan, and counts it again before its
name is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from atleastk.doors.anonymizing.hierarchies import cells_of
from atleastk.doors.anonymizing.publish import expect_no_marker
from atleastk.doors.anonymizing.report.unchanged import singling_out_elsewhere
from atleastk.doors.anonymizing.report.use import emptied_warnings
from atleastk.doors.anonymizing.request import Request
from atleastk.doors.anonymizing.selected import Selected, columns_of
from atleastk.frames.duckdb_publishing import ColumnPlan, Losing, expect_new, publish
from atleastk.frames.duckdb_source import DuckSource, Recount
from atleastk.frames.frame import Frame, Name
from atleastk.instances.counted_elsewhere import CountedElsewhere, Elsewhere
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import InvalidInstanceError, WrongAnswerError
from atleastk.instances.fields.html_table import card
from atleastk.instances.fields.visible import visible
from atleastk.instances.generalization import Generalization, labels_of, top_level
from atleastk.models.generalization import (
    Classes,
    GeneralizationSolution,
    fewest_of,
)
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status
from atleastk.models.tables.singling_out import SinglingOut
from atleastk.models.wording import Warned
from atleastk.runs.ask import Ask
from atleastk.runs.solving import Outcome, solve_within
from atleastk.solvers.clock import CLOCK

_BYTES_OF_A_LABEL: Final = 16
"""Bytes of memory for each label of a distinct row, at every level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """What was done to a table that stayed in its files.

    Attributes
    ----------
    rows, distinct
        The number of rows, and of different ones over the anonymised columns.
    levels, heights, hierarchies
        Of every column its level, the highest one, and where its hierarchy is from.
    suppressed, suppress_rows
        How many rows are suppressed, and how many may be.
    recount
        The classes of the published table, as the engine read them again.
    counted_by
        Who counted the table.
    in_memory
        Whether the distinct rows were in memory; else the engine counted every node.
    reading, seconds, publishing
        How long the first count took, the search, and writing with all other counts.
    singling_out
        How many rows the unchanged columns single out.
    """

    k: int
    status: Status
    trust: str | None
    rows: int
    distinct: int
    loss: str
    cost: int | None
    bound: int | None
    gap: float | None
    levels: dict[str, int]
    heights: dict[str, int]
    hierarchies: dict[str, str]
    suppressed: int | None
    suppress_rows: int
    recount: Recount | None
    counted_by: str
    in_memory: bool
    reading: float
    seconds: float
    publishing: float
    unchanged: tuple[str, ...] = ()
    singling_out: SinglingOut = field(default_factory=SinglingOut)
    note: str | None = None

    @property
    def warned(self) -> Iterator[Warned]:
        """What is warned of: columns that single out rows, or tell nothing."""
        yield from self.singling_out.warnings
        yield from self._emptied

    @property
    def _emptied(self) -> Iterator[Warned]:
        """The warning of columns that are published at their top."""
        names = [n for n, level in self.levels.items() if level == self.heights[n] > 0]
        return emptied_warnings(names, self.k, self.heights)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of this report."""
        found = {**asdict(self), "status": str(self.status)}
        del found["singling_out"]
        return {**found, **self.singling_out.to_dict()}

    def __str__(self) -> str:
        return "\n".join(map(visible, self._lines()))

    def _lines(self) -> Iterator[str]:
        trust = "" if self.trust is None else f" ({self.trust})"
        yield f"k = {self.k}: {self.status}{trust}"
        yield f"  rows        {self.rows}, {self.distinct} different"
        if self.status is Status.INFEASIBLE:
            yield f"  no table of {self.rows} rows is {self.k}-anonymous"
        elif self.cost is None:
            yield "  no solution was found in time"
        else:
            gap = f"   gap {self.gap:.2%}" if self.gap else ""
            least = "" if self.bound is None else f", at least {self.bound}{gap}"
            yield f"  lost        {self.loss} {self.cost}{least}"
        if self.suppressed is not None:
            share = self.suppressed / self.rows
            yield (
                f"  suppressed  {self.suppressed} of {self.rows} rows, {share:.2%}; at "
                f"most {self.suppress_rows} allowed"
            )
        label = "levels"
        for name, level in self.levels.items():
            yield (
                f"  {label:12}{name}  {level} of {self.heights[name]}  "
                f"{self.hierarchies[name]}"
            )
            label = ""
        if self.recount is not None:
            found = self.recount
            yield (
                f"  classes     {found.classes} of {found.smallest} to {found.largest} "
                f"equal rows, median {found.median:g}; counted again by the engine"
            )
        if self.unchanged:
            yield f"  unchanged   {', '.join(self.unchanged)}"
        yield from self.singling_out.lines()
        for warned in self._emptied:
            yield from warned.lines()
        counted = "in memory" if self.in_memory else "each node by the engine"
        yield f"  counted     by {self.counted_by}, different rows {counted}"
        yield f"  reading     {self.reading:.2f} s"
        yield f"  search      {self.seconds:.2f} s"
        yield f"  publishing  {self.publishing:.2f} s"
        if self.note is not None:
            yield f"  note        {self.note}"


@dataclass(frozen=True, slots=True, eq=False)
class Released:
    """A table that stayed in its files, before and after.

    Attributes
    ----------
    report
        Its cost; this is what ``print`` shows.
    plan
        What is published of every column; None if there is nothing.
    columns
        The names of the columns that were anonymised.
    instance, result
        The problem that was solved, over distinct rows with copies, and the answer.
    request
        What was asked for.
    frame
        None: the published table is where it was written.
    """

    report: Release
    plan: tuple[ColumnPlan, ...] | None
    columns: tuple[Name, ...]
    instance: Generalization
    result: Result
    request: Request
    frame: None = None

    _repr_html_ = card

    def __str__(self) -> str:
        return str(self.report)


def why_not(request: Request) -> str | None:
    """Say why an engine does not take a request, or None if it does."""
    if not request.generalises or request.on == "entries":
        return "it takes generalisation with one level per column (--hierarchies)"
    if request.by_larger_k:
        return "it searches for one k, and these thresholds of risk take several"
    others = {
        "sensitive": request.sensitive,
        "row_weights": request.row_weights,
        "l": request.l,
        "t": request.t,
        "household": request.household,
        "k_map": request.k_map,
        "recode": request.recode,
        "shuffle": None if request.shuffle is False else request.shuffle,
    }
    given = next((name for name, wish in others.items() if wish is not None), None)
    return None if given is None else f"it does not take {given}"


def _as_frame(source: DuckSource) -> Frame:
    """Return a table elsewhere as a frame, which is asked for columns only."""
    return cast(Frame, source)


def counted_for(source: DuckSource, request: Request, ask: Ask) -> DuckSource:
    """Return a table with the columns of a request counted, within the time."""
    columns = columns_of(_as_frame(source), request.columns, request.apart)
    with ask.budget.calling(source.interrupt):
        return source.counted(columns)


def release(
    source: DuckSource,
    request: Request,
    ask: Ask,
    output: Path | None,
    memory: float,
) -> tuple[Released, Outcome]:
    """Anonymise a table, and write it if there is an output.

    Parameters
    ----------
    memory
        The bytes that distinct rows may take; else the engine counts each node.
    """
    reason = why_not(request)
    if reason is not None:
        raise InvalidInstanceError(f"engine duckdb: {reason}")
    if output is not None:
        expect_new(source, output)
    source = counted_for(source, request, ask)
    request = replace(request, columns=source.chosen)
    selected = Selected.of(_as_frame(source), request)
    expect_no_marker(selected)
    instance = _instance(selected, source, memory)
    read = CLOCK.now()
    outcome = solve_within(instance, ask.sparing(source.n * len(source.chosen)))
    result, began = outcome.result, CLOCK.now()
    plan, recount, gone, apart = None, None, None, SinglingOut()
    if isinstance(result.solution, GeneralizationSolution):
        levels = result.solution.levels[0]
        sizes, tops, labels = source.classes(levels)
        rows = fewest_of(instance, levels, Classes(sizes, tops))
        assert rows is not None  # the node was checked
        gone, losing = int(rows.sum()), rows > 0
        plan = _plan(selected, instance, levels, suppresses=gone > 0)
        if output is not None:
            lost = Losing(labels[losing], rows[losing], (rows == sizes)[losing])
            recount = publish(source, plan, lost, output, instance.k)
            most = request.conditions.get("mean_risk", 1)
            if recount.classes > most * recount.rows:
                raise WrongAnswerError("the published table breaks mean_risk")
        apart = singling_out_elsewhere(source)
    names = selected.table.texts
    found = {} if plan is None else {str(p.name): p.level for p in plan}
    report = Release(
        k=instance.k,
        status=result.status,
        trust=None if result.trust is None else str(result.trust),
        rows=source.n,
        distinct=source.distinct,
        loss=instance.loss,
        cost=result.cost,
        bound=result.bound,
        gap=result.gap,
        levels=found,
        heights=dict(zip(names, instance.heights, strict=True)),
        hierarchies={str(n): one.source for n, one in selected.hierarchies.items()},
        suppressed=gone,
        suppress_rows=instance.suppress_rows,
        recount=recount,
        counted_by=source.counted_by,
        in_memory=not isinstance(instance, CountedElsewhere),
        reading=round(read - ask.began, 3),
        seconds=round(result.seconds, 3),
        publishing=round(CLOCK.now() - began, 3),
        unchanged=tuple(map(str, selected.table.others)),
        singling_out=apart,
        note=result.note,
    )
    made = Released(report, plan, source.chosen, instance, result, selected.request)
    return made, outcome


def _instance(selected: Selected, source: DuckSource, memory: float) -> Generalization:
    """Return the instance over distinct rows; those stay elsewhere if they are many."""
    if selected.request.k is None:
        raise InvalidInstanceError("k: missing; say how many rows have to look alike")
    names = selected.table.texts
    fields: dict[str, Any] = {
        "k": selected.request.k,
        "columns": names,
        **selected.prices(),
    }
    hierarchies = fields["hierarchies"]
    each = range(len(hierarchies))
    counts = [len(source.columns[name].values) for name in source.chosen]
    numbers = [labels_of(hierarchies[j], range(counts[j])) for j in each]
    tops = [
        np.array([top_level(hierarchies[j].chain_of[v]) for v in range(counts[j])])
        for j in each
    ]
    source.label(numbers, tops)
    labels = sum(len(levels) + 2 for levels in numbers)
    if source.distinct * labels * _BYTES_OF_A_LABEL > memory:
        where = Elsewhere(source.n, numbers, source.sizes, source.sha256)
        del fields["on"]
        return CountedElsewhere(where, **fields)
    codes, copies = source.combinations()
    return Generalization(table=CodedTable(codes), copies=copies.tolist(), **fields)


def _plan(
    selected: Selected,
    instance: Generalization,
    levels: tuple[int, ...],
    *,
    suppresses: bool,
) -> tuple[ColumnPlan, ...]:
    """Return what is published of every column at a node.

    As in memory, a column with a hierarchy becomes one of text if a cell changes; of
    others a suppressed cell holds the marker, or is missing if it is no text.
    """
    plan = []
    known = zip(selected.table.names, selected.table.columns, levels, strict=True)
    for j, (name, column, level) in enumerate(known):
        hierarchy, cells = instance.hierarchies[j], None
        if name not in selected.generalised:
            hidden = selected.request.marker if column.text else None
            if level:
                cells = (hidden,) * len(column.values)
        else:
            hidden = str(hierarchy.chains[0][-1])
            if level or (suppresses and not column.text):
                cells = tuple(x[level] for x in cells_of(column, hierarchy))
        plan.append(ColumnPlan(name, level, hierarchy.height, cells, hidden))
    return tuple(plan)
