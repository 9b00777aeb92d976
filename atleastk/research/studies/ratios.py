"""Ratios: how algorithms compare with optima, instance by instance.

A ratio is in the unit of the promise: where costs are squares of radii it is one of
radii. Where an optimum is not proved, the best bound stands for it: the figure is then
an upper limit of the ratio, and the instance counts as *open*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.errors import NoAnswerError, UnknownNameError, known_are
from atleastk.instances.fields.html_table import notebook
from atleastk.instances.files.paths import AnyPath
from atleastk.instances.instance import Instance
from atleastk.models.results.columns import Kinds
from atleastk.models.results.guarantee import Guarantee
from atleastk.models.wording import counted
from atleastk.packages import Axes
from atleastk.plots.drawing import save
from atleastk.plots.studies import draw_ratios
from atleastk.research.studies.comparing import Comparison, compared, interval_of
from atleastk.research.tables.latex import latex_table
from atleastk.research.tables.markdown import markdown_table
from atleastk.research.tables.tabular import Table, Tabular

_SHOWN: Final = 240
"""Characters of an instance on a line of a table: not tuned. Longer ones are named."""

_FAULTS: Final = 3
"""Most faults of a kind that are listed for an algorithm: not tuned."""


class Known(NamedTuple):
    """An instance and what is known of its optimum."""

    instance: Instance
    least: int
    most: int
    """`least`, `most`: the best proved bound and the best known cost: both are the
    optimum if it is proved."""


class Worst(NamedTuple):
    """The greatest ratio of an algorithm, and where it is reached."""

    ratio: float
    instance: Instance
    cost: int
    optimum: int

    def order(self) -> tuple[float, int]:
        """Return what the greater one of two is greater in: shorter ones are."""
        return self.ratio, -getattr(self.instance, "n", 0)

    def _repr_html_(self) -> str:
        return facts(
            f"ratio {self.ratio:.4f}",
            self.instance,
            cost=self.cost,
            optimum=self.optimum,
        )


class Found(NamedTuple):
    """An instance, and what is wrong there."""

    instance: Instance
    what: str

    def __str__(self) -> str:
        return f"{self.what}: {shown(self.instance)}"


@dataclass(slots=True)
class Tally:
    """The ratios and failures of an algorithm on all instances so far."""

    name: str
    guarantee: Guarantee | None = None
    ratios: list[float] = field(default_factory=list)
    """cost / OPT where OPT is not 0."""
    _of: dict[str, list[float]] = field(default_factory=dict)
    top: Worst | None = None
    """The greatest ratio and an instance of it, the shortest; None without any."""
    nearest: float | None = None
    """The greatest cost / promised cost; 1 if the promise is attained."""
    zeros: int = 0
    missed: int = 0
    """`zeros`, `missed`: instances of optimum 0, and those of them where the cost is
    not."""
    refused: int = 0
    """Instances that the algorithm does not take."""
    failed: list[Found] = field(default_factory=list)
    """Instances that it took and gave no answer for, and why."""
    wrong: list[Found] = field(default_factory=list)
    """Answers that the checker refuses, or that cost less than a proved bound."""
    broken: list[Found] = field(default_factory=list)
    """Instances where the promise does not hold."""

    __repr__ = brief

    def add(self, known: Known, cost: int) -> None:
        """Count the cost of a checked solution."""
        instance, least, most = known
        if cost < least:
            message = f"{self.name} costs {cost}, below the proved bound {least}"
            self.wrong.append(Found(instance, message))
            return
        promise = self.guarantee
        if promise is not None and not promise.holds(instance, cost, most):
            ours, best = amount(instance, cost), amount(instance, most)
            message = f"{self.name} costs {ours}, the optimum {best}: breaks {promise}"
            self.broken.append(Found(instance, message))
        if least == 0:
            self.zeros += 1
            self.missed += cost > 0
            return
        if promise is not None and promise.applies(instance):
            share = instance.ratio(cost, promise.ceiling(instance, least))
            self.nearest = max(share, self.nearest or share)
        ratio = instance.ratio(cost, least)
        self.ratios.append(ratio)
        self._of.setdefault(instance.sha256, []).append(ratio)
        top = Worst(ratio, instance, cost, least)
        self.top = max(self.top or top, top, key=Worst.order)

    @property
    def worst(self) -> Worst:
        """The same as `top`.

        Raise `NoAnswerError` if there is no ratio; it says why.
        """
        if self.top is None:
            raise NoAnswerError(self._unrated)
        return self.top

    @property
    def mean(self) -> float:
        """The mean ratio; an error without any, as for `worst`."""
        if not self.ratios:
            raise NoAnswerError(self._unrated)
        return sum(self.ratios) / len(self.ratios)

    @property
    def by_instance(self) -> Mapping[str, float]:
        """The mean ratio of its seeds, by the fingerprints of instances."""
        return {sha256: fmean(ratios) for sha256, ratios in self._of.items()}

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean of instances; None with fewer than two."""
        return interval_of([*self.by_instance.values()], 1.0)

    @property
    def share_optimal(self) -> float | None:
        """The share of the ratios that are 1; None without any."""
        return self.ratios.count(1.0) / len(self.ratios) if self.ratios else None

    @property
    def _unrated(self) -> str:
        counts = (
            (len(self.failed), "failed"),
            (len(self.wrong), "wrong"),
            (self.refused, "not taken"),
            (self.zeros, "of optimum 0"),
        )
        counted = [f"{count} {what}" for count, what in counts if count]
        first = [f"the first: {found.what}" for found in (*self.failed, *self.wrong)]
        reasons = [*counted, *first[:1]] or ["no instance of known optimum"]
        return f"{self.name} has no ratio: {', '.join(reasons)}"

    @property
    def distribution(self) -> tuple[float, ...]:
        """All ratios, ascending."""
        return tuple(sorted(self.ratios))

    @property
    def solved(self) -> int:
        """On how many instances its solution is feasible."""
        return len(self.ratios) + self.zeros

    def _repr_html_(self) -> str:
        cells = [(name, _shown(of(self))) for name, (_, of) in _COLUMNS.items()]
        return notebook(self.name, ("", ""), cells)


@dataclass(frozen=True)
class Ratios(Tabular):
    """How algorithms compare with the optima of instances.

    Attributes
    ----------
    tallies
        The ratios and failures of every algorithm.
    instances
        How many instances there were.
    infeasible
        How many of them have no solution: they are left out.
    unknown
        How many are left out since nothing is known of their optimum.
    open
        How many optima are not proved: ratios there are upper limits.
    contradictions
        Instances on which exact methods contradict each other, or the checker.
    """

    tallies: Sequence[Tally]
    instances: int
    infeasible: int = 0
    unknown: int = 0
    open: int = 0
    contradictions: Sequence[Found] = ()

    __repr__ = brief

    def __getitem__(self, name: str) -> Tally:
        for tally in self.tallies:
            if tally.name == name:
                return tally
        raise UnknownNameError(known_are(name, [tally.name for tally in self]))

    def __iter__(self) -> Iterator[Tally]:
        return iter(self.tallies)

    def __len__(self) -> int:
        return len(self.tallies)

    @property
    def worst(self) -> Worst:
        """The greatest ratio of all algorithms.

        Raises
        ------
        NoAnswerError
            If there is none; it says why.
        """
        found = [tally.top for tally in self.tallies if tally.top is not None]
        if not found:
            raise NoAnswerError(self._unrated)
        return max(found, key=lambda worst: worst.ratio)

    @property
    def mean(self) -> float:
        """The mean of all ratios of all algorithms; an error as for `worst`."""
        every = [ratio for tally in self.tallies for ratio in tally.ratios]
        if not every:
            raise NoAnswerError(self._unrated)
        return sum(every) / len(every)

    @property
    def _unrated(self) -> str:
        faults = "; ".join(tally._unrated for tally in self.tallies)
        return f"no ratio: {self.told}{faults and f': {faults}'}"

    @property
    def distribution(self) -> Mapping[str, tuple[float, ...]]:
        """All ratios of each algorithm, ascending."""
        return {tally.name: tally.distribution for tally in self.tallies}

    @property
    def measured(self) -> str:
        """What the ratios are of: costs, or radii."""
        tops = (tally.top for tally in self.tallies if tally.top is not None)
        return next((top.instance.measured for top in tops), Instance.measured)

    def compare(self, first: str, second: str) -> Comparison | None:
        """Compare two algorithms on the instances that both have a ratio of."""
        pair = self[first], self[second]
        return compared(first, second, *(tally.by_instance for tally in pair))

    @property
    def faults(self) -> Sequence[Found]:
        """Contradictions, wrong answers and broken promises."""
        found = [f for tally in self.tallies for f in (*tally.wrong, *tally.broken)]
        return [*self.contradictions, *found]

    @property
    def table(self) -> Table:
        """The columns of a table with a row for every algorithm."""
        return {
            name: [cell_of(tally) for tally in self]
            for name, (_, cell_of) in _COLUMNS.items()
        }

    def kinds(self, table: Table) -> Kinds:
        """Return the types of the columns."""
        return {name: _COLUMNS[name][0] for name in table}

    def to_markdown(self, title: str = "") -> str:
        """Return that table, and all faults, as Markdown."""
        table = [*markdown_table(self.heads, self.cells), ""] if self.tallies else []
        lines = [*table, f"{self.told}."]
        lines += [f"- {line}" for line in self.told_faults]
        if title:
            lines = [f"# {title}", "", *lines]
        return "\n".join(lines) + "\n"

    def to_latex(self) -> str:
        """Return the `brief` table for LaTeX, with booktabs."""
        return "\n".join(latex_table(*self.brief)) + "\n"

    @property
    def brief(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        """The heads and rows of the table where there is little room.

        Promises are the last column, as the widest. The instances that reach the worst
        ratios are left out, and columns that say nothing.
        """
        columns = dict(
            zip(_COLUMNS, zip(self.heads, *self.cells, strict=True), strict=True)
        )
        del columns["reached by"]
        promises = columns.pop("promise")
        told = (each for each in columns.values() if {*each[1:]} - {"0", ""})
        heads, *rows = zip(*told, promises, strict=True)
        return heads, rows

    @property
    def heads(self) -> Sequence[str]:
        """The names of the columns; those that end in ``>`` are flush right."""
        return [n if kind is str else f"{n}>" for n, (kind, _) in _COLUMNS.items()]

    @property
    def cells(self) -> Iterator[Sequence[str]]:
        """The texts of the rows of the table."""
        for row in zip(*self.table.values(), strict=True):
            yield [_shown(cell) for cell in row]

    @property
    def told_faults(self) -> Iterator[str]:
        """Lines with all contradictions, and the first faults of every algorithm.

        Missing answers are faults, too. A fault of several seeds is listed once.
        """
        yield from map(str, self.contradictions)
        for tally in self.tallies:
            for what, found in (
                ("is wrong", tally.wrong),
                ("breaks its promise", tally.broken),
                ("fails", tally.failed),
            ):
                distinct = {(each.what, id(each.instance)): each for each in found}
                yield from map(str, islice(distinct.values(), _FAULTS))
                if len(distinct) > _FAULTS:
                    yield f"{tally.name} {what} {len(distinct) - _FAULTS} times more"

    @property
    def told(self) -> str:
        """A line with the number of instances, of open ones, and of faults."""
        parts = [counted(self.instances, "instance")]
        for count, what in (
            (self.infeasible, "without a solution, left out"),
            (self.unknown, "of unknown optimum, left out"),
            (self.open, "whose optimum is not proved: ratios there are upper limits"),
        ):
            if count:
                parts.append(f"{count} {what}")
        parts.append(f"wrong answers and broken promises: {len(self.faults)}")
        return "; ".join(parts)

    def plot(self, path: AnyPath | None = None, *, ax: Axes | None = None) -> Axes:
        """Draw the distribution of the ratios: the share of instances within each."""
        ax = draw_ratios(self.distribution, ax, of=self.measured)
        if path is not None:
            save(ax, Path(path))
        return ax

    def __str__(self) -> str:
        return self.to_markdown().rstrip()

    def _repr_html_(self) -> str:
        remarks = (self.told, *self.told_faults)
        heads = self.heads if self.tallies else ()
        return notebook("", heads, list(self.cells), remarks)


def facts(head: str, instance: Instance, **numbers: int) -> str:
    """Return what a notebook shows of numbers of an instance."""
    return notebook(head, ("", ""), [*numbers.items(), ("instance", shown(instance))])


def shown(instance: Instance) -> str:
    """Return a small instance as a line of text, or the name of a large one."""
    hidden = {"problem", "name", "source", "comment"}
    fields = {k: v for k, v in instance.to_dict().items() if k not in hidden}
    line = ", ".join(f"{name} {_plain(value)}" for name, value in fields.items())
    if len(line) <= _SHOWN:
        return line.replace("|", "/")
    return f"{instance.name or instance.problem} ({instance.sha256[:12]})"


def amount(instance: Instance, cost: int) -> str:
    """Return a cost, with its meaning where that is another quantity."""
    return f"{cost} {instance.meaning(cost)}".rstrip()


def _plain(value: object) -> str:
    """Return a value as text; numbers of a list are separated by blanks."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        return str(value)
    if isinstance(value, Mapping):
        return " ".join(f"{key}: {_plain(each)}" for key, each in value.items())
    return f"[{' '.join(map(_plain, value))}]"


def _promised(promise: Guarantee | None) -> str:
    return "none" if promise is None else f"{promise.promise}, {promise.theorem}"


_COLUMNS: Final[
    Mapping[str, tuple[type[int | float | str], Callable[[Tally], Any]]]
] = {
    "algorithm": (str, lambda of: of.name),
    "promise": (str, lambda of: _promised(of.guarantee)),
    "of promise": (float, lambda of: of.nearest),
    "worst": (float, lambda of: of.top and of.top.ratio),
    "reached by": (str, lambda of: "" if of.top is None else shown(of.top.instance)),
    "mean": (float, lambda of: of.mean if of.ratios else None),
    "optimal": (float, lambda of: of.share_optimal),
    "missed 0": (int, lambda of: of.missed),
    "solved": (int, lambda of: of.solved),
    "wrong": (int, lambda of: len(of.wrong)),
    "broken": (int, lambda of: len(of.broken)),
    "failed": (int, lambda of: len(of.failed)),
    "not taken": (int, lambda of: of.refused),
}
"""The columns of the table: what they hold, and the cell of an algorithm."""


def _shown(cell: object) -> str:
    if cell is None:
        return ""
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)
