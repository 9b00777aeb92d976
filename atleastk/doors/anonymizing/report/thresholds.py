"""The part of a report on thresholds of risk: what was asked, and what is published.

Every figure is counted from columns as they are, so that it says the same of a table
that was published here and of one that is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from atleastk.doors.anonymizing.population import Population
from atleastk.doors.anonymizing.publish import Published
from atleastk.doors.anonymizing.report.part import Part
from atleastk.doors.anonymizing.report.risk import Disclosure
from atleastk.doors.anonymizing.request import Request
from atleastk.doors.anonymizing.selected import Selected
from atleastk.frames.duckdb_source import Recount
from atleastk.frames.frame import Column, Frame, codes_of
from atleastk.instances.fields.errors import WrongAnswerError
from atleastk.instances.records import Records
from atleastk.models.wording import labelled

Figure = Fraction | int


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
        return {
            "wish": self.wish,
            "words": self.words,
            "limit": str(self.limit),
            "before": None if self.before is None else float(self.before),
            "after": None if self.after is None else float(self.after),
            "holds": self.holds,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds(Part):
    """All wishes about risk."""

    each: tuple[Threshold, ...] = ()

    @classmethod
    def of(
        cls,
        selected: Selected,
        published: Sequence[Column],
        risk: Disclosure | None,
    ) -> Thresholds | None:
        """Compare a table with what is published of it; None without such a wish.

        Raises WrongAnswerError if a threshold is broken in what is published.
        """
        least = None if risk is None else risk.least
        found = cls(each=_told(selected, published, least))
        found.expect_kept()
        return found if found.each else None

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
        return labelled("asked", map(str, self.each))

    def to_dict(self) -> dict[str, Any]:
        return {one.wish: one.to_dict() for one in self.each}


def _told(
    selected: Selected, published: Sequence[Column], least: tuple[int, int] | None
) -> tuple[Threshold, ...]:
    """Return the thresholds of a table, and what it has, before and after."""
    frame, request = selected.table.frame, selected.request
    before = figures_of(frame, selected.original.columns, request)
    after = figures_of(frame, published, request) if published else {}
    if least is not None:
        before["k_map"], after["k_map"] = least
    return tuple(
        Threshold(wish, words, limit, before.get(wish), after.get(wish))
        for wish, (words, limit) in limits_of(request, request.k).items()
    )


def keeps_thresholds(
    selected: Selected, made: Published, population: Population | None
) -> bool:
    """Tell whether what is published of a table keeps its thresholds."""
    least = None
    if population is not None and made.hidden is not None:
        least = population.least(population.before_and_after(made))
    return all(one.holds for one in _told(selected, made.columns, least))


def thresholds_of(
    found: Mapping[str, Figure],
    request: Request,
    k: int | None,
    before: Mapping[str, Figure] | None = None,
) -> Thresholds:
    """Return the thresholds of which there are figures, and maybe those before."""
    each = (
        Threshold(wish, words, limit, (before or {}).get(wish), found[wish])
        for wish, (words, limit) in limits_of(request, k).items()
        if wish in found
    )
    return Thresholds(each=tuple(each))


def figures_elsewhere(found: Recount) -> dict[str, Figure]:
    """Return the figures of a table that an engine counted, for any threshold."""
    return {
        "mean_risk": Fraction(found.classes, found.rows),
        "at_risk": Fraction(found.small, found.rows),
    }


def limits_of(request: Request, k: int | None) -> dict[str, tuple[str, Figure]]:
    """Return every threshold of a request, in words and as a number."""
    found: dict[str, tuple[str, Figure]] = {}
    asked = request.conditions
    if "mean_risk" in asked:
        most = asked["mean_risk"]
        found["mean_risk"] = f"mean risk at most {shown(most)}", most
    if "at_risk" in asked:
        most = asked["at_risk"]
        words = f"rows in classes below {request.small}, at most {shown(most)}"
        found["at_risk"] = words, most
    if request.k_map is not None:
        words = f"persons whom a row may be, at least {request.k_map}"
        found["k_map"] = words, request.k_map
    if request.household is not None and k is not None:
        words = f'values of "{request.household}" in a class, at least {k}'
        found["household"] = words, k
    return found


def figures_of(
    frame: Frame, columns: Sequence[Column], request: Request
) -> dict[str, Figure]:
    """Return what the classes of these columns have, by the thresholds asked for."""
    found: dict[str, Figure] = {}
    asked = request.mean_risk, request.small, request.household
    if not frame.n or asked == (None, None, None):
        return found
    class_of = Records.coded(codes_of(columns)).record_of
    sizes = np.bincount(class_of)
    if request.mean_risk is not None:
        found["mean_risk"] = Fraction(len(sizes), frame.n)
    if request.small is not None:
        small = int(sizes[sizes < request.small].sum())
        found["at_risk"] = Fraction(small, frame.n)
    if request.household is not None:
        whose = frame.column(request.household).codes
        pairs = np.unique(np.stack([class_of, whose], axis=1), axis=0)
        found["household"] = int(np.bincount(pairs[:, 0]).min())
    return found


def shown(figure: Figure) -> str:
    """Return a share as a percentage, a count as it is."""
    return f"{float(figure):.2%}" if isinstance(figure, Fraction) else str(figure)
