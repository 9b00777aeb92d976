"""The part of a report on weights of columns and rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from atleastk.doors.anonymizing.report.part import Part
from atleastk.doors.anonymizing.selected import Selected
from atleastk.instances.generalization import Generalization
from atleastk.instances.suppression import Suppression
from atleastk.models.results.result import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighting(Part):
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
        cls,
        selected: Selected,
        instance: Generalization | Suppression,
        result: Result,
    ) -> Weighting | None:
        persons = None if instance.row_weights is None else selected.row_weights
        if instance.column_weights is None and persons is None:
            return None
        scale = 1 if persons is None else persons.scale
        weights = instance.column_weights or (1,) * instance.m
        return cls(
            columns=dict(zip(selected.table.texts, weights, strict=True)),
            rows=None if persons is None else str(persons.column),
            scale=scale,
            cost=_in_units(result.cost, scale),
            bound=_in_units(result.bound, scale),
            gap=result.gap,
        )

    @property
    def summary(self) -> str:
        dear = [f"{name} {w}" for name, w in self.columns.items() if w > 1]
        rows = [] if self.rows is None else [f"rows by {self.rows}"]
        return ", ".join([*dear, *rows]) or "all 1"

    def lines(self) -> Iterator[str]:
        if self.cost is not None:
            yield f"  cost        {self.cost:.15g} by weights"
        if self.bound is not None:
            gap = f"   gap {self.gap:.2%}" if self.gap else ""
            yield f"  at least    {self.bound:.15g} by weights{gap}"
        yield f"  weights     {self.summary}"


def _in_units(cost: int | None, scale: int) -> float | None:
    return cost if cost is None or scale == 1 else cost / scale
