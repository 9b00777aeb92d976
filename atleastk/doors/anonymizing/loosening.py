"""Wishes to loosen where no table keeps them all: one or several, and how far.

Each wish that can be loosened by degrees - k, the greatest level of a column, the
diversity of sensitive values, a threshold of risk, the rows that may be suppressed - is
loosened alone, as far as it goes. If a table keeps it and all others then, the nearest
value for which one does is found by halving: whatever is feasible stays so with a
looser wish (:mod:`atleastk.runs.questions`). Shares and distances are tried in
thousandths. A value that is told is enough; where a question stayed open a nearer one
may be, too.

If none is found to be enough alone, two are loosened together: levels before other
wishes, which protect, and the rows that may be suppressed last. Without any two, all
levels are. Of the first that are enough at their loosest, one after the other is
brought as near as it goes: none can be nearer while the others stay.

Limits of suppressed cells have questions of their own, which raise two limits or more
together: :mod:`atleastk.runs.relax`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial, reduce
from typing import Any, Final

from atleastk.doors.anonymizing.request import Request
from atleastk.doors.anonymizing.selected import Selected
from atleastk.frames.frame import Name
from atleastk.instances.fields.allowance import allowed_rows, share_of
from atleastk.instances.fields.wish_names import called
from atleastk.runs.ask import Ask
from atleastk.runs.questions import Questions, may_ask
from atleastk.runs.solving import Outcome
from atleastk.solvers.goal import Goal

Searched = Callable[[Selected, Ask], Outcome]
Asked = Callable[[Callable[[], Request]], bool]
"""Tells whether a request, made when it is asked, is found to have a table."""

_ANY: Final = Goal(gap=Fraction(1))
"""Any solution of a cost that is not negative."""


@dataclass(frozen=True, slots=True)
class Loosening:
    """A wish, and how it may be loosened."""

    name: str
    """Of the wish, as requests have it."""
    before: str
    """Its value as it is, in words."""
    values: Sequence[Any]
    """Looser ones, the nearest first; what is feasible with one is so with all
    later."""
    shown: Callable[[Any], str] = str
    """Returns a value in words."""
    column: Name | None = None
    """The column whose level is loosened; None of other wishes."""
    least: int = 0
    """The least level of that column."""

    def to(self, value: Any) -> str:
        of = "" if self.column is None else f" {self.column}"
        return f"{called(self.name)}{of}: {self.before} -> {self.shown(value)}"

    def loosen(self, request: Request, value: Any) -> Request:
        """Return a request with another value."""
        known: dict[str, Any] = {self.name: value}
        if self.column is not None:
            limits = {**(request.levels or {}), self.column: (self.least, value)}
            left = tuple(name for name in request.intact_names if name != self.column)
            known = {"levels": limits, "intact": left or None}
        return replace(request, **known)


def loosened(
    selected: Selected, outcome: Outcome, ask: Ask, searched: Searched
) -> tuple[tuple[str, ...], Outcome]:
    """Return lines on which wish to loosen, or which two, and the outcome.

    There are none if a table keeps all.

    `searched` solves a request within an ask.
    """
    if not may_ask(outcome) or ask.budget.spent:
        return (), outcome
    questions, request = Questions(outcome, ask), selected.request
    wishes = [one for one in loosenings(selected) if one.values]

    def is_enough(loosened: Callable[[], Request]) -> bool:
        def search(part: Ask) -> Outcome:  # wishes may exclude each other by now
            return searched(replace(selected, request=loosened()), part)

        return questions.finds(search, _ANY)

    nearest = ((one, _nearest(one, request, is_enough)) for one in wishes)
    lines = [f"{one.to(to)} is enough" for one, to in nearest if to is not None]
    if lines:
        return tuple(lines), questions.outcome
    none = [] if questions.left_open else ["no wish is enough if it is loosened alone"]
    limits = [one for one in wishes if not _late(one)]
    two = questions.pair(
        sorted(wishes, key=_late),
        lambda one, other: is_enough(lambda: _loosest(_loosest(request, one), other)),
    )
    if two is not None:
        lines = [_together(two, request, is_enough)]
    elif len(limits) > 2 and is_enough(lambda: reduce(_loosest, limits, request)):
        lines = [_together(limits, request, is_enough)]
    elif none and len(wishes) > 1 and not questions.left_open:
        none = ["no wish is enough if it is loosened alone, and no two are"]
    return (*none, *lines), questions.outcome


def _late(one: Loosening) -> int:
    return {"levels": 0, "intact": 0, "suppress_rows": 2}.get(one.name, 1)


def _loosest(request: Request, one: Loosening) -> Request:
    return one.loosen(request, one.values[-1])


def _together(wishes: Sequence[Loosening], request: Request, is_enough: Asked) -> str:
    """Say how near wishes are enough, of which it is known that together they are."""
    values = [one.values[-1] for one in wishes]
    for i in reversed(range(len(wishes))):
        others = request
        for j, other in enumerate(wishes):
            others = others if i == j else other.loosen(others, values[j])
        values[i] = _least(wishes[i], others, is_enough)
    *most, last = (one.to(to) for one, to in zip(wishes, values, strict=True))
    return f"{', '.join(most)} and {last} are enough together"


def _nearest(one: Loosening, request: Request, is_enough: Asked) -> Any:
    """Return the nearest value that is found to be enough; None if none is."""
    enough = is_enough(lambda: _loosest(request, one))
    return _least(one, request, is_enough) if enough else None


def _least(one: Loosening, request: Request, is_enough: Asked) -> Any:
    def holds(value: Any) -> bool:
        return is_enough(partial(one.loosen, request, value))

    values = one.values
    return values[bisect_left(values, True, hi=len(values) - 1, key=holds)]


def loosenings(selected: Selected) -> Iterator[Loosening]:
    """Yield the wishes of a request that may be loosened."""
    request, everybody = selected.request, selected.population
    rows = selected.table.frame.n
    most = rows if everybody is None else max(rows, everybody.frame.n)
    for wish in ("k", "l", "small", "k_map"):
        if (asked := getattr(request, wish)) is not None:
            least = 2 if wish == "k" else 1  # where k is 1 nothing is asked
            fewer = range(min(asked - 1, most), least - 1, -1)
            yield Loosening(wish, str(asked), fewer)
    if request.c is not None:
        yield Loosening("c", str(request.c), range(request.c + 1, rows + 2))
    for wish in ("t", "mean_risk", "at_risk"):
        if (asked := getattr(request, wish)) is not None:
            first = int(share_of(asked, wish) * 1000) + 1
            shares = [Fraction(i, 1000) for i in range(first, 1001)]
            percent = isinstance(asked, str) and asked.strip().endswith("%")
            yield Loosening(wish, str(asked), shares, _percent if percent else _short)
    if request.generalises:
        yield from _levels(selected)
        asked = request.suppress_rows or 0
        more = range(allowed_rows(asked, rows) + 1, rows)
        yield Loosening(
            "suppress_rows", str(asked), more, lambda n: f"{n} ({n / rows:.1%})"
        )


def _short(share: Fraction) -> str:
    return f"{float(share):g}"


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):g}%"


def _levels(selected: Selected) -> Iterator[Loosening]:
    """Yield the greatest levels of columns, where that was asked for."""
    given, intact = selected.request.levels or {}, selected.request.intact_names
    for name, one in selected.hierarchies.items():
        height = 1 if one.hierarchy is None else one.hierarchy.height
        if name not in (*given, *intact):
            continue
        limits = 0 if name in intact else given[name]
        least, greatest = (limits, limits) if isinstance(limits, int) else limits
        wish = "intact" if name in intact else "levels"
        before, higher = _range(least, greatest), range(greatest + 1, height + 1)
        yield Loosening(wish, before, higher, partial(_range, least), name, least)


def _range(least: int, greatest: int) -> str:
    one = least == greatest
    return f"level {least}" if one else f"levels {least}..{greatest}"
