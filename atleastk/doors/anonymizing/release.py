"""Anonymisation of a table that stays in its files, by an engine that counts it.

Neither full-domain generalisation with suppressed rows nor suppression of cells asks
for more of a table than its distinct combinations with their copies. So the engine
groups it once, the search runs on these - in memory where they fit, else the engine
counts each node - and what is found is a *plan*, which names no row: levels of columns,
and in how many rows of which classes which cells are suppressed. The engine writes the
table by the plan, and counts it again before its name is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from atleastk.doors.anonymizing.plans import Plan, instance_of, plan_of, with_room
from atleastk.doors.anonymizing.publish import expect_no_marker
from atleastk.doors.anonymizing.report.risk import risk_lines, singling_out_elsewhere
from atleastk.doors.anonymizing.report.thresholds import Thresholds, figures_elsewhere
from atleastk.doors.anonymizing.report.use import emptied_warnings
from atleastk.doors.anonymizing.request import Request
from atleastk.doors.anonymizing.selected import Selected, columns_of
from atleastk.frames.duckdb_publishing import ColumnPlan, expect_new, publish
from atleastk.frames.duckdb_source import DuckSource, Recount, as_it_is
from atleastk.frames.frame import Frame, Name
from atleastk.instances.counted_elsewhere import CountedElsewhere
from atleastk.instances.fields.errors import InvalidInstanceError, quoted
from atleastk.instances.fields.html_table import card
from atleastk.instances.fields.visible import visible
from atleastk.instances.generalization import Generalization
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.results.result import Result, gap_between
from atleastk.models.results.status import Status, Trust
from atleastk.models.tables.singling_out import SinglingOut
from atleastk.models.wording import Warned, labelled
from atleastk.runs.ask import Ask
from atleastk.runs.solving import Outcome, solve_within
from atleastk.solvers.clock import CLOCK


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """What was done to a table that stayed in its files."""

    k: int
    status: Status
    trust: str | None
    rows: int
    distinct: int
    """`rows`, `distinct`: the number of rows, and of different ones over the anonymised
    columns."""
    loss: str = "entries"
    cost: int | None
    bound: int | None
    gap: float | None
    levels: dict[str, int] = field(default_factory=dict)
    heights: dict[str, int] = field(default_factory=dict)
    hierarchies: dict[str, str] = field(default_factory=dict)
    """`levels`, `heights`, `hierarchies`: of every column its level, the highest one,
    and where its hierarchy is from."""
    suppressed: int | None
    suppress_rows: int = 0
    """`suppressed`, `suppress_rows`: how many rows are suppressed, and how many may
    be."""
    cells: dict[str, int] | None
    """How many cells of each column are suppressed, if no rows are."""
    before: Recount
    recount: Recount | None
    """`before`, `recount`: the classes of the table, and of the published one, as the
    engine read them again."""
    thresholds: Thresholds
    """What was asked of the risk."""
    counted_by: str
    """Who counted the table."""
    in_memory: bool
    """Whether the distinct rows were in memory; else the engine counted every node."""
    reading: float
    seconds: float
    publishing: float
    """`reading`, `seconds`, `publishing`: how long the first count took, the search,
    and writing with all other counts."""
    unchanged: tuple[str, ...] = ()
    singling_out: SinglingOut = field(default_factory=SinglingOut)
    """How many rows the unchanged columns single out."""
    emptied: tuple[str, ...] = ()
    """The columns of which nothing is left."""
    note: str | None = None

    @property
    def warned(self) -> Iterator[Warned]:
        yield from self.singling_out.warnings
        yield from self._emptied

    def _lost(self, cost: int) -> Iterator[str]:
        gap = f"   gap {self.gap:.2%}" if self.gap else ""
        least = "" if self.bound is None else f", at least {self.bound}{gap}"
        if self.cells is not None:
            all_cells = self.rows * len(self.cells)
            share = cost / max(1, all_cells)
            yield f"  suppressed  {cost} of {all_cells} cells, {share:.2%}{least}"
            columns = (
                f"{name}  {count}, {count / self.rows:.2%}"
                for name, count in self.cells.items()
            )
            yield from labelled("columns", columns)
            return
        yield f"  lost        {self.loss} {cost}{least}"
        if self.suppressed is not None:
            share = self.suppressed / self.rows
            yield (
                f"  suppressed  {self.suppressed} of {self.rows} rows, {share:.2%}; at "
                f"most {self.suppress_rows} allowed"
            )

    @property
    def _emptied(self) -> Iterator[Warned]:
        heights = None if self.cells is not None else self.heights
        return emptied_warnings(self.emptied, self.k, heights)

    def to_dict(self) -> dict[str, Any]:
        found = {**asdict(self), "status": str(self.status)}
        del found["singling_out"]
        found["thresholds"] = self.thresholds.to_dict()
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
            yield from self._lost(self.cost)
        levels = (
            f"{name}  {level} of {self.heights[name]}  {self.hierarchies[name]}"
            for name, level in self.levels.items()
        )
        yield from labelled("levels", levels)
        if self.recount is not None:
            sizes = f"{self.recount.sizes}; counted again by the engine"
            yield f"  classes     {self.recount.classes} {sizes}"
            yield from risk_lines(self.before.risk, self.recount.risk)
            yield from self.thresholds.lines()
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
    """A table that stayed in its files, before and after."""

    report: Release
    """Its cost; this is what ``print`` shows."""
    plan: tuple[ColumnPlan, ...] | None
    """What is published of every column; None if there is nothing."""
    columns: tuple[Name, ...]
    """The names of the columns that were anonymised."""
    instance: Generalization | KAnonymity
    result: Result
    """`instance`, `result`: the problem that was solved, over distinct rows with
    copies, and the answer."""
    request: Request
    """What was asked for."""
    frame: None = None
    """None: the published table is where it was written."""

    _repr_html_ = card

    def __str__(self) -> str:
        return str(self.report)


def why_not(request: Request) -> str | None:
    """Say why an engine does not take a request, or None if it does."""
    if request.generalises and request.on == "entries":
        return "it takes generalisation with one level per column, not per cell"
    if request.by_larger_k:
        return "it searches for one k, and these thresholds of risk take several"
    beyond = request.limits_loss or request.weighs or request.suppress_rows
    if not request.generalises and (beyond or request.ambiguous or request.average):
        return "it suppresses the fewest cells, without limits or other wishes"
    others = ("sensitive", "row_weights", "l", "t", "household", "k_map", "recode")
    given = [name for name in others if getattr(request, name) is not None]
    given += [] if request.shuffle is False else ["shuffle"]
    return f"it does not take {given[0]}" if given else None


def counted_for(source: DuckSource, request: Request, ask: Ask) -> DuckSource:
    """Return a table with the columns of a request counted, within the time."""
    columns = columns_of(cast(Frame, source), request.columns, request.apart)
    with ask.budget.calling(source.interrupt):
        return source.counted(columns)


def release(
    source: DuckSource, request: Request, ask: Ask, output: Path | None, memory: float
) -> tuple[Released, Outcome]:
    """Anonymise a table within `memory` bytes; write it if there is an output."""
    reason = why_not(request)
    if reason is not None:
        raise InvalidInstanceError(f"engine duckdb: {reason}")
    if output is not None:
        expect_new(source, output)
    whole = source = counted_for(source, request, ask)
    request = replace(request, columns=whole.chosen)
    selected = Selected.of(cast(Frame, whole), request, budget=ask.budget)
    expect_no_marker(selected)
    small = request.small or 0
    before = as_it_is(whole, request.k or 1, small)
    if not request.generalises:
        with ask.budget.calling(whole.interrupt):
            source = with_room(whole, memory)
    if source is not whole:
        request = replace(request, columns=source.chosen)
        selected = Selected.of(cast(Frame, source), request)
    hidden = [name for name in whole.chosen if name not in source.chosen]
    instance = instance_of(selected, source, memory)
    read = CLOCK.now()
    ask = ask.sparing(source.n * len(source.chosen)).within(memory)

    then = figures_elsewhere(before)

    def asked(made: Recount) -> Thresholds:
        return Thresholds.of(request, figures_elsewhere(made), then)

    outcome = solve_within(instance, ask)
    result, began = outcome.result, CLOCK.now()
    recount, apart = None, SinglingOut()
    plan = plan_of(selected, source, instance, result.solution)
    unchanged = [name for name in selected.table.others if name not in hidden]
    if plan is not None:
        plan = plan.hiding(hidden, whole, request.marker)
        if output is not None:
            how = plan.columns, plan.suppressed, output, instance.k, small
            recount = publish(source, *how, lambda made: asked(made).expect_kept())
        apart = singling_out_elsewhere(source.only(unchanged))
    report = Release(
        k=instance.k,
        rows=whole.n,
        distinct=whole.distinct,
        suppressed=None if plan is None else plan.rows,
        cells=None if plan is None else plan.cells,
        before=before,
        recount=recount,
        thresholds=Thresholds() if recount is None else asked(recount),
        counted_by=whole.counted_by,
        in_memory=not isinstance(instance, CountedElsewhere),
        reading=round(read - ask.began, 3),
        seconds=round(result.seconds, 3),
        publishing=round(CLOCK.now() - began, 3),
        unchanged=tuple(map(str, unchanged)),
        singling_out=apart,
        emptied=() if plan is None else plan.emptied(whole),
        **_claims(result, hidden, before),
        **_of_levels(selected, instance, plan),
    )
    columns = None if plan is None else plan.columns
    made = Released(report, columns, whole.chosen, instance, result, selected.request)
    return made, outcome


def _claims(result: Result, hidden: Sequence[Name], before: Recount) -> dict[str, Any]:
    """Return what a result says of a table of more columns, suppressed in all rows.

    An answer without some columns is one of the others and costs no more: so their
    bound holds. So does the number of rows below k equal ones: each loses a cell.
    """
    cost, bound, status, trust = result.cost, result.bound, result.status, result.trust
    notes = [] if result.note is None else [result.note]
    if hidden and cost is not None:
        cost, bound = cost + len(hidden) * before.rows, max(bound or 0, before.below)
        closed = cost == bound
        status = Status.OPTIMAL if closed else Status.FEASIBLE
        trust = Trust.PROVED if closed else Trust.HEURISTIC
        names = ", ".join(map(quoted, hidden))
        notes.append(
            f"different rows have no room in memory without {names}, suppressed in all "
            "rows; raise --memory to lose less"
        )
    return {
        "status": status,
        "trust": None if trust is None else str(trust),
        "cost": cost,
        "bound": bound,
        "gap": gap_between(cost, bound),
        "note": "; ".join(notes) or None,
    }


def _of_levels(
    selected: Selected, instance: Generalization | KAnonymity, plan: Plan | None
) -> dict[str, Any]:
    if isinstance(instance, KAnonymity):
        return {}
    sources = selected.hierarchies.items()
    heights = zip(selected.table.texts, instance.heights, strict=True)
    shown = () if plan is None else plan.columns
    return {
        "loss": instance.loss,
        "suppress_rows": instance.suppress_rows,
        "levels": {str(one.name): one.level for one in shown},
        "heights": dict(heights),
        "hierarchies": {str(name): one.source for name, one in sources},
    }
