"""The report on an anonymised table: its cost, and the proved bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from operator import itemgetter
from typing import Any, Final

import numpy as np
from rich.cells import cell_len, set_cell_size

from atleastk.doors.anonymizing.population import Population
from atleastk.doors.anonymizing.publish import Published
from atleastk.doors.anonymizing.report.cost import Generality, Quantities, Weighting
from atleastk.doors.anonymizing.report.order import Order
from atleastk.doors.anonymizing.report.risk import Disclosure
from atleastk.doors.anonymizing.report.sensitive import Sensitive
from atleastk.doors.anonymizing.report.thresholds import Thresholds, thresholds_of
from atleastk.doors.anonymizing.report.use import Use, emptied_warnings
from atleastk.doors.anonymizing.selected import Selected, Task
from atleastk.frames.oddities import oddities
from atleastk.frames.open_frame import FileFrame
from atleastk.frames.pandas_frame import untouched_levels
from atleastk.instances.fields.html_table import card
from atleastk.instances.fields.visible import visible
from atleastk.instances.generalization import Generalization
from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import UNITS
from atleastk.models.results.status import Status, Stop
from atleastk.models.wording import Warned, counted, labelled
from atleastk.runs.solving import Outcome

_PARTS: Final = (
    *("quantities", "generality", "weighting", "sensitive", "thresholds", "order"),
    *("risk", "use"),
)
"""The fields of a report that are parts."""

_Lined = Weighting | Generality | Quantities | Sensitive | Thresholds | Order
"""Those with lines of their own."""

_LONG: Final = 1.0
"""Seconds beside the search that are worth a line."""

_MOST_COLUMNS: Final = 25
"""The most columns that a page lists, about what a screen holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was done to a table.

    Attributes
    ----------
    k, attained
        The requested k, and that of the published table by a recount.
    rows, cells
        The size of the table, over the columns that were anonymised.
    suppressed
        The number of suppressed cells; None if cells are generalised.
    cost, bound
        The value of what was minimised - cells, unless something else was asked for -
        and its proven lower bound.
    gap
        (cost - bound) / cost.
    by_column
        The number of suppressed cells of every column.
    touched, blanked
        The numbers of rows with a suppressed cell, and with suppressed cells only.
    classes, smallest, median, largest
        How many different rows are published, and how often each.
    reading, seconds, publishing
        How long it took to read the table, to search, and to publish it, with its
        recount and this report.
    stopped
        What ended it early: ``"time limit"``, ``"callback"``, or the name
        of a signal.
    note
        A remark on the search, as in the result.
    warnings
        Oddities of the table and of files of hierarchies, which are read as they are.
    recoded
        Columns that were made coarser before all else; `before` is what they were.
    relaxations
        Which wishes to loosen, and how far, if no table keeps them all and the search
        found out.
    ambiguous
        Whether suppressed cells match anything: `attained` is then of that reading,
        but `smallest` and `risk` are of equal rows.
    quantities, generality, weighting, sensitive, thresholds
        The parts of the report on limits of suppression, on generalisation, on weights,
        on sensitive values and on thresholds of risk, where they were asked for.
    order
        What the places of the rows say of changed cells; None if nothing is published.
    risk, use
        How easily rows are found, and what information columns keep, before and after;
        None if nothing is published.
    """

    k: int
    status: Status
    trust: str | None
    rows: int
    cells: int
    by_column: Mapping[str, int] = field(default_factory=dict)
    suppressed: int | None = None
    cost: int | None
    bound: int | None
    gap: float | None
    seconds: float
    method: str
    seed: int
    reading: float = 0.0
    publishing: float = 0.0
    attained: int | None = None
    touched: int = 0
    blanked: int = 0
    classes: int = 0
    smallest: int = 0
    median: float = 0.0
    largest: int = 0
    recoded: tuple[str, ...] = ()
    untouched_columns: tuple[str, ...] = ()
    stopped: str | None = None
    note: str | None = None
    warnings: tuple[str, ...] = ()
    relaxations: tuple[str, ...] = ()
    ambiguous: bool = False
    quantities: Quantities | None = None
    generality: Generality | None = None
    weighting: Weighting | None = None
    sensitive: Sensitive | None = None
    thresholds: Thresholds | None = None
    order: Order | None = None
    risk: Disclosure | None = None
    use: Use | None = None

    _repr_html_ = card

    @classmethod
    def of(
        cls,
        selected: Selected,
        instance: Task,
        outcome: Outcome,
        made: Published,
        population: Population | None = None,
        relaxations: tuple[str, ...] = (),
    ) -> Report:
        """Report on a run, and on the table that it published if it did."""
        table, request, result = selected.table, selected.request, outcome.result
        recoded = request.recode or {}
        left = (*table.others, *untouched_levels(table.frame, made.frame))
        risk = Disclosure.of(selected, made, population)
        least = None if risk is None else risk.least
        thresholds = thresholds_of(selected, made.columns, least)
        thresholds.expect_kept()
        known: dict[str, Any] = {}
        if isinstance(instance, Suppression):
            known["quantities"] = Quantities.of(instance, result)
        if isinstance(instance, Generalization | Suppression):
            known["weighting"] = Weighting.of(selected, instance, result)
        if isinstance(instance, Generalization) and request.generalises:
            bound = None if known["weighting"] else result.bound
            known["generality"] = Generality.of(selected, instance, made, bound)
        if selected.sensitive:
            known["sensitive"] = Sensitive.of(selected, instance, made.columns)
        if made.frame is not None:
            known["use"] = Use.of(selected.original, made.columns, made.unsuppressed)
        if made.hidden is not None and made.levels is None:
            totals = made.hidden.sum(axis=0).tolist()
            known["by_column"] = dict(zip(table.texts, totals, strict=True))
            known["suppressed"] = int(made.hidden.sum())
            known["touched"] = int(made.hidden.any(axis=1).sum())
            known["blanked"] = int(made.hidden.all(axis=1).sum())
        if made.recount is not None and len(made.recount.alike):
            sizes = made.recount.classes
            known["attained"] = (made.matching or made.recount).k
            known["classes"] = len(sizes)
            known["smallest"], known["largest"] = int(sizes.min()), int(sizes.max())
            known["median"] = float(np.median(sizes))
        return cls(
            k=instance.k,
            status=result.status,
            trust=None if result.trust is None else str(result.trust),
            rows=instance.n,
            cells=instance.n * instance.m,
            cost=result.cost,
            bound=result.bound,
            gap=result.gap,
            seconds=round(result.seconds, 3),
            method=result.method,
            seed=result.seed,
            untouched_columns=tuple(str(name) for name in left if name not in recoded),
            recoded=tuple(map(str, recoded)),
            stopped=_stopped_by(outcome),
            note=result.note,
            warnings=_warnings(selected),
            relaxations=relaxations,
            ambiguous=request.ambiguous,
            order=Order.of(table, made, shuffled=request.shuffle is not False),
            thresholds=thresholds if thresholds.each else None,
            risk=risk,
            **known,
        )

    @property
    def share(self) -> float | None:
        """The share of the cells that is suppressed; None without a solution."""
        if self.suppressed is None:
            return None
        return self.suppressed / self.cells if self.cells else 0.0

    @property
    def warned(self) -> Iterator[Warned]:
        """What is warned of: persons who are found, and columns that tell nothing."""
        for part in (self.risk, self.order, self.sensitive):
            yield from () if part is None else part.warnings
        yield from self._emptied

    @property
    def _emptied(self) -> Iterator[Warned]:
        """The warning of columns of several values that are published with one."""
        uses = {} if self.use is None else self.use.columns
        names = [name for name, use in uses.items() if use.is_emptied]
        heights = None if self.generality is None else self.generality.heights
        return emptied_warnings(names, self.k, heights)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of this report; parts not asked for are left out."""
        document = {**asdict(self), "status": str(self.status), "share": self.share}
        for name in _PARTS:
            if (part := getattr(self, name)) is None:
                del document[name]
            elif hasattr(part, "to_dict"):
                document[name] = part.to_dict()
        return document

    def __str__(self) -> str:
        return "\n".join(map(visible, self._lines()))

    def _lines(self) -> Iterator[str]:
        trust = "" if self.trust is None else f" ({self.trust})"
        yield f"{self._headline()}: {self.status}{trust}"
        yield from (f"  warning     {warning}" for warning in self.warnings)
        if self.status is Status.INFEASIBLE:
            yield from self._why_not()
            return
        if self.cost is None:
            yield "  no solution was found in time"
        elif self.suppressed is not None:
            cells = f"{self.suppressed} of {self.cells} cells"
            yield f"  suppressed  {cells}, {self.share:.2%}"
        if self.weighting is None and self.generality is None:
            yield from self._bound_line()
        yield from _lines_of(self.weighting, self.generality)
        if self.suppressed is not None:
            rows = f"{self.rows}: {self.touched} touched, {self.blanked} suppressed"
            yield f"  rows        {rows} altogether"
        yield from _lines_of(self.quantities)
        if self.classes:
            yield f"  classes     {self.classes} of {self._sizes()}"
        yield from _lines_of(self.sensitive, self.thresholds)
        if self.risk is not None:
            exposed = () if self.sensitive is None else self.sensitive.after
            yield from self.risk.lines(exposed)
        yield from _lines_of(self.order)
        for warned in self._emptied:
            yield from warned.lines()
        yield from self._column_lines()
        if self.recoded:
            yield f"  recoded     {', '.join(self.recoded)}, before all else"
        if self.untouched_columns:
            yield f"  unchanged   {', '.join(self.untouched_columns)}"
        yield f"  method      {self.method}, {self.seconds:.2f} s"
        if self.reading + self.publishing >= _LONG:
            reading = f"{self.reading:.1f} s of reading"
            yield f"  besides     {reading}, {self.publishing:.1f} s of publishing"
        if self.stopped == Stop.TIME_LIMIT:
            yield "  stopped     at the time limit; more time may improve on it"
        elif self.stopped is not None:
            yield f"  stopped     by {self.stopped}"
        elif self.status is Status.FEASIBLE:
            yield "  stopped     with nothing left to try"
        if self.note is not None:
            yield f"  note        {self.note}"

    def _headline(self) -> str:
        if self.quantities is None:
            reading = " by matching" if self.ambiguous else ""
            return ", ".join(filter(None, [f"k = {self.k}{reading}", self._conditions]))
        maximised = self.quantities.minimise == "k" and self.cost is not None
        k = -(self.cost or 0) if maximised else self.k
        name = self.quantities.problem
        return f"k = {k}" if name is None else f"k = {k}, {name}"

    @property
    def _conditions(self) -> str:
        return "" if self.sensitive is None else self.sensitive.asked

    def _bound_line(self) -> Iterator[str]:
        minimised = "" if self.quantities is None else self.quantities.minimise
        if self.bound is None or minimised == "none":
            return
        gap = f"   gap {self.gap:.2%}" if self.gap else ""
        if minimised == "k":
            yield f"  at most     k = {-self.bound}{gap}"
        else:
            unit = f" {UNITS[minimised]}" if minimised in UNITS else ""
            yield f"  at least    {self.bound}{unit}{gap}"

    def _why_not(self) -> Iterator[str]:
        rows, quantities = counted(self.rows, "row"), self.quantities
        anonymous = f"{self.k}-ambiguous" if self.ambiguous else f"{self.k}-anonymous"
        if quantities is None or self.rows < self.k:
            more = self._conditions and f" with {self._conditions}"
            limited = self.generality is not None and self.generality.allowed
            asked = () if self.thresholds is None else self.thresholds.each
            within = [" within these levels"] if limited else []
            within += [f" with {one.words}" for one in asked]
            yield f"  no table of {rows} is {anonymous}{more}{' and'.join(within)}"
            if self.sensitive is not None:
                yield from self.sensitive.why_not()
        else:
            yield f"  no table of these {rows} is {anonymous} within what is asked"
        if quantities is not None and quantities.limits:
            yield f"  limits      {quantities.allowed}"
        yield from labelled("relax", self.relaxations)

    def _sizes(self) -> str:
        if self.smallest < self.largest:
            median = f"{self.median:.1f}".removesuffix(".0")
            return f"{self.smallest} to {self.largest} equal rows, median {median}"
        equal = "1 row" if self.largest == 1 else f"{self.largest} equal rows"
        return equal if self.classes == 1 else f"{equal} each"

    def _column_lines(self) -> Iterator[str]:
        """Yield a line for every column; of many, those with most suppressed cells."""
        uses = {} if self.use is None else self.use.columns
        shown = list(self.by_column.items())
        if len(shown) > _MOST_COLUMNS:
            shown.sort(key=itemgetter(1), reverse=True)
            del shown[_MOST_COLUMNS:]
        names = max((cell_len(name) for name, _ in shown), default=0)
        counts = len(str(self.rows))
        for i, (name, count) in enumerate(shown):
            share = count / self.rows if self.rows else 0.0
            wide = set_cell_size(name, names)
            left = (
                f"  keeps {uses[name].share:>4.0%} of its information" if uses else ""
            )
            label = "" if i else "columns"
            yield f"  {label:12}{wide}  {count:>{counts}}  {share:>7.2%}{left}"
        if rest := len(self.by_column) - len(shown):
            yield f"{'':14}and {rest} more of at most {shown[-1][1]} each"


def _lines_of(*parts: _Lined | None) -> Iterator[str]:
    for part in parts:
        yield from () if part is None else part.lines()


def _warnings(selected: Selected) -> tuple[str, ...]:
    frame = selected.table.frame
    read = frame.note if isinstance(frame, FileFrame) else None
    notes = (note for one in selected.hierarchies.values() for note in one.notes)
    return (*([] if read is None else [read]), *oddities(selected.table), *notes)


def _stopped_by(outcome: Outcome) -> str | None:
    if outcome.signalled is not None:
        return outcome.signalled.name
    stop = outcome.result.stopped_because
    return str(stop) if stop in (Stop.CALLBACK, Stop.TIME_LIMIT) else None
