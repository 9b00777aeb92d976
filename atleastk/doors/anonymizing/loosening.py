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
    wish: str
    before: str
    """`wish`, `before`: the wish, and its value as it is, in words."""
    values: Sequence[Any]
    """Looser ones, the nearest first; what is feasible with one is so with all
    later."""
    loosen: Callable[[Request, Any], Request]
    """Returns a request with another value."""
    shown: Callable[[Any], str] = str
    """Returns a value in words."""

    def to(self, value: Any) -> str:
        return f"{self.wish}: {self.before} -> {self.shown(value)}"


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
    """Return when a wish is loosened together with others."""
    return {"levels": 0, "intact": 0, "suppress_rows": 2}.get(one.name, 1)


def _loosest(request: Request, one: Loosening) -> Request:
    return one.loosen(request, one.values[-1])


def _together(
    wishes: Sequence[Loosening],
    request: Request,
    is_enough: Asked,
) -> str:
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
    """Return the nearest value that is found to be enough, as the last one is."""

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
        asked = getattr(request, wish)
        if asked is not None:
            least = 2 if wish == "k" else 1  # where k is 1 nothing is asked
            yield _plain(wish, asked, range(min(asked - 1, most), least - 1, -1))
    if request.c is not None:
        more = range(request.c + 1, selected.table.frame.n + 2)
        yield _plain("c", request.c, more)
    for wish in ("t", "mean_risk", "at_risk"):
        if getattr(request, wish) is not None:
            yield _share(request, wish)
    yield from _levels(selected)
    yield from _allowance(selected)


def _plain(wish: str, asked: int, values: Sequence[int]) -> Loosening:
    return Loosening(wish, called(wish), str(asked), values, _setting(wish))


def _setting(wish: str) -> Callable[[Request, Any], Request]:
    def loosen(request: Request, value: Any) -> Request:
        known: dict[str, Any] = {wish: value}
        return replace(request, **known)

    return loosen


def _share(request: Request, wish: str) -> Loosening:
    """Return how a share, or a distance, may grow by thousandths."""
    asked = getattr(request, wish)
    first = int(share_of(asked, wish) * 1000) + 1
    values = [Fraction(i, 1000) for i in range(first, 1001)]
    percent = isinstance(asked, str) and asked.strip().endswith("%")

    def shown(value: Fraction) -> str:
        return f"{float(100 * value):g}%" if percent else f"{float(value):g}"

    return Loosening(wish, called(wish), str(asked), values, _setting(wish), shown)


def _levels(selected: Selected) -> Iterator[Loosening]:
    request, given = selected.request, selected.request.levels or {}
    if not request.generalises:
        return
    intact = request.intact_names
    for name, one in selected.hierarchies.items():
        height = 1 if one.hierarchy is None else one.hierarchy.height
        if name in intact:
            wish, pair = "intact", (0, 0)
        elif name in given:
            limits = given[name]
            wish = "levels"
            first, last = (limits,) * 2 if isinstance(limits, int) else limits
            pair = first, last
        else:
            continue

        def loosen(
            request: Request, greatest: int, name: Any = name, least: int = pair[0]
        ) -> Request:
            limits = {**(request.levels or {}), name: (least, greatest)}
            left = tuple(other for other in request.intact_names if other != name)
            return replace(request, levels=limits, intact=left or None)

        def shown(greatest: int, least: int = pair[0]) -> str:
            return _range(least, greatest)

        yield Loosening(
            wish,
            f"{called(wish)} {name}",
            _range(*pair),
            range(pair[1] + 1, height + 1),
            loosen,
            shown,
        )


def _range(least: int, greatest: int) -> str:
    one = least == greatest
    return f"level {least}" if one else f"levels {least}..{greatest}"


def _allowance(selected: Selected) -> Iterator[Loosening]:
    request, n = selected.request, selected.table.frame.n
    if not request.generalises:
        return
    wish = "suppress_rows"
    asked = request.suppress_rows or 0
    yield Loosening(
        wish,
        called(wish),
        str(asked),
        range(allowed_rows(asked, n) + 1, n),
        _setting(wish),
        lambda rows: f"{rows} ({rows / n:.1%})",
    )
