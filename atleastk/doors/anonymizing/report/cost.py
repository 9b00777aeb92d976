"""The parts of a report on what was minimised: levels, weights, or within limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from rich.cells import cell_len, set_cell_size

from atleastk.arrays import IntArray
from atleastk.doors.anonymizing.publish import Published
from atleastk.doors.anonymizing.selected import Selected
from atleastk.instances.generalization import Generalization
from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import QUANTITIES, in_words
from atleastk.models.completed import completed
from atleastk.models.generalization import classes_of
from atleastk.models.results.result import Result
from atleastk.models.suppression import SuppressionSolution, measures
from atleastk.models.wording import counted, labelled


@dataclass(frozen=True, slots=True, kw_only=True)
class Generality:
    """The levels at which a table is published, and their loss."""

    k: int
    """The least number of rows of a class."""
    on: str
    loss: str
    """`on`, `loss`: whether attributes or entries have one level, and the loss that was
    minimised."""
    heights: Mapping[str, int]
    """The highest level of every column."""
    allowed: Mapping[str, tuple[int, int]]
    """The least and the greatest level of every column, where that was asked for."""
    hierarchies: Mapping[str, str]
    """The source of every column's hierarchy: a rule, a file, or ``"given"``."""
    cells: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    rows: int
    levels: Mapping[str, int] = field(default_factory=dict)
    """`cells`, `levels`: for every column how many cells have level 0, 1, ..., and on
    attributes the level of all rows that are not suppressed; empty without a table."""
    suppress_rows: int = 0
    suppressed_rows: int = 0
    """`rows`, `suppress_rows`, `suppressed_rows`: the number of rows, how many of them
    may be suppressed altogether - on entries dropped - and how many are. The losses of
    such a table are explained where the problem is defined
    (:mod:`atleastk.instances.generalization`)."""
    height: int | None = None
    """The sum of the levels, of all columns or of all cells."""
    precision: float | None = None
    """1 less the mean of level / height over all cells [Sweeney02], but for those of
    suppressed rows, and of dropped ones."""
    discernibility: int | None = None
    """The sum of the squares of the sizes of the classes of equal rows."""
    class_size: float | None = None
    """Rows / (classes * k), the average size of a class as a multiple of k."""
    bound: float | None = None
    """The proved bound on the loss that was minimised, in its own unit."""
    missing: Mapping[str, int] = field(default_factory=dict)
    """Of columns that no row tells anything of, how many cells were missing before."""
    now_text: tuple[str, ...] = ()
    """Columns of another type that became columns of text."""

    @classmethod
    def of(
        cls,
        selected: Selected,
        instance: Generalization,
        made: Published,
        bound: int | None,
    ) -> Generality:
        columns, levels = selected.table.texts, made.levels
        sources = [one.source for one in selected.hierarchies.values()]
        heights = dict(zip(columns, instance.heights, strict=True))
        pairs = zip(instance.least_levels, instance.greatest_levels, strict=True)
        limits = zip(heights.items(), pairs, strict=True)
        found = cls(
            k=instance.k,
            on=instance.on,
            loss=instance.loss,
            heights=heights,
            allowed={name: x for (name, top), x in limits if x != (0, top)},
            hierarchies=dict(zip(columns, sources, strict=True)),
            rows=instance.n,
            suppress_rows=instance.suppress_rows,
            bound=None
            if bound is None
            else _in_own_terms(instance, bound, selected.table.frame.n),
            now_text=tuple(map(str, made.now_text)),
        )
        if levels is None or made.recount is None:
            return found
        cells = {
            name: tuple(np.bincount(levels[:, j], minlength=height + 1).tolist())
            for j, (name, height) in enumerate(heights.items())
        }
        known: dict[str, Any] = {"cells": cells}
        by_column = instance.on == "attributes"
        node = levels.min(axis=0, initial=max(instance.heights, default=0))
        gone = np.zeros(len(levels), dtype=np.bool_)
        dropped = instance.n - len(levels)
        if made.unsuppressed is not None:
            node, gone = np.array(made.unsuppressed.levels), ~made.unsuppressed.kept
        if by_column:
            known["levels"] = dict(zip(columns, node.tolist(), strict=True))
            known["missing"] = {
                name: int(column.missing.sum())
                for name, column, level, height in zip(
                    columns, selected.table.columns, node, instance.heights, strict=True
                )
                if level == height > 0
            }
        known["suppressed_rows"] = int(gone.sum()) + dropped
        known["height"] = int((node if by_column and instance.n else levels).sum())
        known["precision"] = _precision(instance.heights, levels[~gone])
        sizes, classes = made.recount.alike, len(made.recount.classes)
        if gone.any():
            class_of = classes_of(instance, node.tolist())
            sizes = np.where(gone, instance.n, np.bincount(class_of)[class_of])
            classes = len(np.unique(class_of[~gone]))
        known["discernibility"] = int(sizes.sum()) + dropped * instance.n
        known["class_size"] = instance.n / (max(1, classes) * instance.k)
        return replace(found, **known)

    def lines(self) -> Iterator[str]:
        lost = (
            f"{loss:18}  {value:>8}{self._proved(loss)}".rstrip()
            for loss, value in self._measures()
        )
        yield from labelled("lost", lost)
        if self.suppress_rows and self.height is not None:
            share = self.suppressed_rows / max(1, self.rows)
            verb, few = "dropped", ""
            if self.on == "attributes":
                verb = "suppressed"
                if self.suppress_rows < self.k:
                    few = f", fewer than the {self.k} of a class of them"
            yield (
                f"  {verb:10}  {self.suppressed_rows} of {self.rows} rows, "
                f"{share:.2%}; at most {self.suppress_rows} allowed{few}"
            )
        width = max(map(cell_len, self.cells), default=0)
        shown = {name: self._levels(name, each) for name, each in self.cells.items()}
        long = max(map(len, shown.values()), default=0)
        each = (
            f"{set_cell_size(name, width)}  {levels:{long}}  {self.hierarchies[name]}"
            for name, levels in shown.items()
        )
        yield from labelled("levels", each)
        for name, cells in self.missing.items():
            if 0 < cells < self.k:
                what = counted(cells, "missing value")
                yield f"  missing     fill or drop {what} of {name} to hide less"
        if self.now_text:
            yield f"  now text    {', '.join(self.now_text)}"

    def level(self, name: str) -> float:
        """Return the level of a column; on entries the mean of those of its cells."""
        if self.on == "attributes":
            return self.levels[name]
        counts = self.cells[name]
        return sum(x * count for x, count in enumerate(counts)) / max(1, sum(counts))

    def _levels(self, name: str, counts: tuple[int, ...]) -> str:
        shown = ", ".join(f"{c} at {x}" for x, c in enumerate(counts) if c)
        if self.on == "attributes":
            shown = f"{self.level(name)}"
        limits = ""
        if name in self.allowed:
            least, greatest = self.allowed[name]
            pair = f"{least} to {greatest} " if least < greatest else ""
            limits = f" ({pair}asked)"
        return f"{shown} of {self.heights[name]}{limits}"

    def _measures(self) -> Iterator[tuple[str, str]]:
        """Yield the losses by their names; without a table, that of the bound."""
        if self.height is None:
            if self.bound is not None:
                yield self.loss, "-"
            return
        yield "height", str(self.height)
        yield "precision", f"{self.precision:.2%}"
        yield "discernibility", str(self.discernibility)
        yield "average-class-size", f"{self.class_size:.2f}"

    def _proved(self, loss: str) -> str:
        """Return the proved bound in words, if this is the loss that was minimised."""
        if loss != self.loss or self.bound is None:
            return ""
        if loss == "precision":
            return f"   at most {self.bound:.2%}"
        if loss == "average-class-size":
            return f"   at least {self.bound:.2f}"
        return f"   at least {self.bound:.0f}"


def _precision(heights: tuple[int, ...], levels: IntArray) -> float:
    """Return 1 less the mean of level / height."""
    if not levels.size:
        return 1.0
    sums = zip(levels.sum(axis=0).tolist(), heights, strict=True)
    lost = sum((Fraction(of, height) for of, height in sums if height), Fraction(0))
    return float(1 - lost / levels.size)


def _in_own_terms(instance: Generalization, bound: int, rows: int) -> float:
    """Return a bound on the cost as one on the loss of so many published rows."""
    if instance.loss == "precision":
        lightest = min(filter(None, instance.heights), default=0)
        of_one = max(instance.weights, default=0) * lightest
        whole = instance.m * (rows if instance.on == "entries" else 1)
        return float(1 - Fraction(bound, of_one * whole)) if of_one * whole else 1.0
    if instance.loss == "average-class-size":
        return instance.n / (max(1, instance.n - bound) * instance.k)
    return float(bound)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighting:
    """The cost where some cells weigh more than others."""

    columns: Mapping[str, int]
    """The price of a level of each column; a suppressed cell is one level up."""
    rows: str | None
    """The column of row weights; None if all cells count once."""
    scale: int
    """The report's cost and bound are in units of 1 / scale."""
    cost: float | None
    bound: float | None
    gap: float | None
    """`cost`, `bound`, `gap`: as in the report, but in units of 1."""

    @classmethod
    def of(
        cls, selected: Selected, instance: Generalization | Suppression, result: Result
    ) -> Weighting | None:
        persons = None if instance.row_weights is None else selected.row_weights
        if instance.column_weights is None and persons is None:
            return None
        scale = 1 if persons is None else persons.scale
        cost, bound = (
            x if x is None or scale == 1 else x / scale
            for x in (result.cost, result.bound)
        )
        weights = instance.column_weights or (1,) * instance.m
        return cls(
            columns=dict(zip(selected.table.texts, weights, strict=True)),
            rows=None if persons is None else str(persons.column),
            scale=scale,
            cost=cost,
            bound=bound,
            gap=result.gap,
        )

    def lines(self) -> Iterator[str]:
        if self.cost is not None:
            yield f"  cost        {self.cost:.15g} by weights"
        if self.bound is not None:
            gap = f"   gap {self.gap:.2%}" if self.gap else ""
            yield f"  at least    {self.bound:.15g} by weights{gap}"
        weights = [f"{name} {w}" for name, w in self.columns.items() if w > 1]
        weights += [] if self.rows is None else [f"rows by {self.rows}"]
        yield f"  weights     {', '.join(weights) or 'all 1'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantities:
    """The limits on the quantities of suppression, and their values."""

    problem: str | None
    """The problem's name in [Chaytor06], if it has one."""
    minimise: str
    """The minimised quantity; ``"k"`` if k was maximised, ``"none"`` if nothing was."""
    limits: Mapping[str, int]
    """The most that was allowed."""
    measures: Mapping[str, int]
    """The value of each quantity; empty without a table. The k that is reached is that
    of the report, which is counted in what is published."""
    region: tuple[str, ...] | None = None
    """The columns of the region where both rows and columns make it up, else None. Its
    rows are those with suppressed cells elsewhere."""

    @classmethod
    def of(cls, instance: Suppression, result: Result) -> Quantities:
        found: dict[str, int] = {}
        region = None
        if result.solution is not None:
            solution = completed(instance, result.solution)
            assert isinstance(solution, SuppressionSolution)
            counts = measures(instance, solution)
            found = {quantity: counts[quantity] for quantity in QUANTITIES}
            region = solution.region(instance)
        return cls(
            problem=None if instance.variant is None else str(instance.variant),
            minimise=instance.minimise,
            limits=dict(instance.most),
            measures=found,
            region=region,
        )

    @property
    def reached(self) -> tuple[str, ...]:
        return tuple(q for q in self.limits if self.measures.get(q) == self.limits[q])

    @property
    def allowed(self) -> str:
        return ", ".join(f"{in_words(q)} {limit}" for q, limit in self.limits.items())

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "reached": self.reached}

    def lines(self) -> Iterator[str]:
        width = len(str(max(self.measures.values(), default=0)))
        each = (
            f"{in_words(q):10}  {found:>{width}}{self._remarks(q)}"
            for q, found in self.measures.items()
        )
        yield from labelled("quantities", each)
        if self.region is not None:
            columns = ", ".join(self.region) or "no column"
            rows = counted(self.measures["rows"], "row")
            yield f"  region      {columns}; and {rows}"

    def _remarks(self, quantity: str) -> str:
        minimised = "   minimised" * (quantity == self.minimise)
        reached = ", reached" * (quantity in self.reached)
        limit = self.limits.get(quantity)
        return minimised + ("" if limit is None else f"   limit {limit}{reached}")
