"""The part of a report on limits of suppression: the loss by each quantity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from atleastk.doors.anonymizing.report.part import Part
from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import QUANTITIES, in_words
from atleastk.models.completed import completed
from atleastk.models.results.result import Result
from atleastk.models.suppression import SuppressionSolution, measures
from atleastk.models.wording import counted, labelled


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantities(Part):
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

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "reached": self.reached}

    @property
    def place(self) -> str:
        columns = ", ".join(self.region or ()) or "no column"
        return f"{columns}; and {counted(self.measures['rows'], 'row')}"

    @property
    def allowed(self) -> str:
        return ", ".join(f"{in_words(q)} {limit}" for q, limit in self.limits.items())

    def lines(self) -> Iterator[str]:
        width = len(str(max(self.measures.values(), default=0)))
        yield from labelled(
            "quantities",
            (
                f"{in_words(q):10}  {self.measures[q]:>{width}}{self._remarks(q)}"
                for q in QUANTITIES
                if q in self.measures
            ),
        )
        if self.region is not None:
            yield f"  region      {self.place}"

    def _remarks(self, quantity: str) -> str:
        minimised = "   minimised" * (quantity == self.minimise)
        reached = ", reached" * (quantity in self.reached)
        limit = self.limits.get(quantity)
        return minimised + ("" if limit is None else f"   limit {limit}{reached}")
