"""The part of a report on weights: what the cells cost that weigh unequally."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from atleastk.instances.generalization import Generalization
from atleastk.models.result import Result

__all__ = ["Weighting"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighting:
    """What was minimised where some cells cost more than others.

    Attributes
    ----------
    columns
        What a level of each column costs; a suppressed cell is one level up.
    cost, bound, gap
        As in the report.
    """

    columns: Mapping[str, int]
    cost: int | None
    bound: int | None
    gap: float | None

    @classmethod
    def of(
        cls, instance: Generalization, columns: tuple[str, ...], result: Result
    ) -> Weighting | None:
        """Return the weights with what they make of a result; None without weights."""
        if instance.column_weights is None:
            return None
        return cls(
            columns=dict(zip(columns, instance.column_weights, strict=True)),
            cost=result.cost,
            bound=result.bound,
            gap=result.gap,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of this part."""
        return asdict(self)

    @property
    def told(self) -> str:
        """The weights on a line; those of 1 are left out."""
        return ", ".join(f"{name} {w}" for name, w in self.columns.items() if w > 1)

    def lines(self) -> Iterator[str]:
        """Give the cost, what is proved of it, and the weights."""
        if self.cost is not None:
            yield f"  cost        {self.cost} by weights"
        if self.bound is not None:
            gap = f"   gap {self.gap:.2%}" if self.gap else ""
            yield f"  at least    {self.bound} by weights{gap}"
        yield f"  weights     {self.told or 'all 1'}"
