"""The part of a report on thresholds of risk: what was asked, and what is published.

Every figure is counted from columns as they are, so that it says the same of a table
that was published here and of one that is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np

from atleastk.arrays import tallied
from atleastk.doors.anonymizing.request import Request
from atleastk.doors.anonymizing.selected import Selected
from atleastk.frames.duckdb_source import Recount
from atleastk.frames.frame import Column, Frame
from atleastk.instances.fields.errors import WrongAnswerError
from atleastk.instances.records import Records
from atleastk.models.wording import labelled

Figure = Fraction | int
Figures = Mapping[str, Figure]
"""What a table has, by the wish about it."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """A wish about risk, with its limit and what a table has, before and after.

    Shares are at most the limit, and counts at least.
    """

    wish: str
    words: str
    limit: Figure
    before: Figure | None
    after: Figure | None

    @property
    def holds(self) -> bool:
        if self.after is None:
            return True
        if isinstance(self.limit, Fraction):
            return self.after <= self.limit
        return self.after >= self.limit

    def __str__(self) -> str:
        figures = [shown(x) for x in (self.after, self.before) if x is not None]
        return f"{self.words}: {', before '.join(figures)}"

    def to_dict(self) -> dict[str, Any]:
        figures = {"before": self.before, "after": self.after}
        floats = {n: None if x is None else float(x) for n, x in figures.items()}
        limit = str(self.limit)
        return {**asdict(self), "limit": limit, **floats, "holds": self.holds}


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """All wishes about risk."""

    each: tuple[Threshold, ...] = ()

    @classmethod
    def of(
        cls, request: Request, after: Figures, before: Figures | None = None
    ) -> Self:
        """Compare what was asked with what a table has, and with what it had before."""
        then = before or {}
        each = (
            Threshold(wish, words, limit, then.get(wish), after.get(wish))
            for wish, words, limit in _limits(request)
        )
        return cls(each=tuple(each))

    @property
    def holds(self) -> bool:
        return all(one.holds for one in self.each)

    def expect_kept(self) -> None:
        """Refuse a table to be published that breaks one of its thresholds."""
        broken = next((one for one in self.each if not one.holds), None)
        if broken is not None:
            raise WrongAnswerError(f"the table to be published breaks {broken}")

    def verdicts(self) -> Iterator[str]:
        """Yield what is not so."""
        return (f"not so: {one}" for one in self.each if not one.holds)

    def lines(self) -> Iterator[str]:
        return labelled("asked", (str(o) for o in self.each if o.after is not None))

    def to_dict(self) -> dict[str, Any]:
        return {one.wish: one.to_dict() for one in self.each}


def thresholds_of(
    selected: Selected, published: Sequence[Column], least: tuple[int, int] | None
) -> Thresholds:
    """Return what was asked of a table, which is published like this if it is.

    `least` are the fewest persons of a population whom a row may be, before and after.
    """
    frame, request = selected.table.frame, selected.request
    before = figures_of(frame, selected.original.columns, request)
    after = figures_of(frame, published, request) if published else {}
    if least is not None:
        before["k_map"], after["k_map"] = least
    return Thresholds.of(request, after, before)


def figures_of(
    frame: Frame, columns: Sequence[Column], request: Request
) -> dict[str, Figure]:
    """Return what the classes of these columns have, by the thresholds asked for."""
    found: dict[str, Figure] = {}
    asked = request.mean_risk, request.small, request.household
    if not frame.n or asked == (None, None, None):
        return found
    class_of = Records.of_columns([c.codes for c in columns]).record_of
    sizes = np.bincount(class_of)
    if request.mean_risk is not None:
        found["mean_risk"] = Fraction(len(sizes), frame.n)
    if request.small is not None:
        small = int(sizes[sizes < request.small].sum())
        found["at_risk"] = Fraction(small, frame.n)
    if request.household is not None:
        whose = frame.column(request.household).codes
        width = int(whose.max()) + 1
        pairs, _ = tallied(class_of * width + whose)
        found["household"] = int(np.bincount(pairs // width).min())
    return found


def figures_elsewhere(found: Recount) -> dict[str, Figure]:
    """Return the figures of a table that an engine counted, for any threshold."""
    return {
        "mean_risk": Fraction(found.classes, found.rows),
        "at_risk": Fraction(found.small, found.rows),
    }


def _limits(request: Request) -> Iterator[tuple[str, str, Figure]]:
    asked = request.conditions
    if (most := asked.get("mean_risk")) is not None:
        yield "mean_risk", f"mean risk at most {shown(most)}", most
    if (most := asked.get("at_risk")) is not None:
        below = f"rows in classes below {request.small}"
        yield "at_risk", f"{below}, at most {shown(most)}", most
    if (least := request.k_map) is not None:
        yield "k_map", f"persons whom a row may be, at least {least}", least
    if request.household is not None and request.k is not None:
        whose = f'values of "{request.household}" in a class'
        yield "household", f"{whose}, at least {request.k}", request.k


def shown(figure: Figure) -> str:
    """Return a share as a percentage, a count as it is."""
    return f"{float(figure):.2%}" if isinstance(figure, Fraction) else str(figure)
