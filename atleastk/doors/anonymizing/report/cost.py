"""The parts of a report on what was minimised: by weights, or within limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from atleastk.doors.anonymizing.selected import Selected
from atleastk.instances.generalization import Generalization
from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import QUANTITIES, in_words
from atleastk.models.completed import completed
from atleastk.models.results.result import Result
from atleastk.models.suppression import SuppressionSolution, measures
from atleastk.models.wording import counted, labelled


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
