"""Wishes to loosen where no table keeps them all: one at a time, and how far.

Each wish that can be loosened by degrees - k, the greatest level of a column, the
diversity of sensitive values, a threshold of risk, the rows that may be suppressed - is
loosened alone, as far as it goes. If a table keeps it and all others then, the nearest
value for which one does is found by halving: whatever is feasible stays so with a
looser wish (:mod:`atleastk.runs.questions`). Shares and distances are tried in
thousandths. A value that is told is enough; where a question stayed open a nearer one
may be, too.

Limits of suppressed cells have questions of their own, which raise two limits or more
together: :mod:`atleastk.runs.relax`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
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

_ANY: Final = Goal(gap=Fraction(1))
"""Any solution of a cost that is not negative."""


@dataclass(frozen=True, slots=True)
class Loosening:
    """A wish, and how it may be loosened.

    Attributes
    ----------
    wish, before
        The wish, and its value as it is, in words.
    values
        Looser ones, the nearest first; what is feasible with one is so with all later.
    request
        Returns the request with another value.
    shown
        Returns a value in words.
    """

    wish: str
    before: str
    values: Sequence[Any]
    request: Callable[[Any], Request]
    shown: Callable[[Any], str] = str

    def to(self, value: Any) -> str:
        """Say which value is enough."""
        return f"{self.wish}: {self.before} -> {self.shown(value)} is enough"


def loosened(
    selected: Selected, outcome: Outcome, ask: Ask, searched: Searched
) -> tuple[tuple[str, ...], Outcome]:
    """Return lines on which wish to loosen alone, and the outcome.

    There are none if a table keeps all.

    Parameters
    ----------
    searched
        Solves a request within an ask.
    """
    if not may_ask(outcome) or ask.budget.spent:
        return (), outcome
    questions, lines = Questions(outcome, ask), list[str]()

    def is_enough(request: Request) -> bool:
        asked = replace(selected, request=request)
        return questions.finds(lambda part: searched(asked, part), _ANY)

    for one in loosenings(selected):
        value = _nearest(one, is_enough)
        lines += [] if value is None else [one.to(value)]
    if not lines and not questions.left_open:
        lines = ["no wish is enough if it is loosened alone"]
    return tuple(lines), questions.outcome


def _nearest(one: Loosening, is_enough: Callable[[Request], bool]) -> Any:
    """Return the nearest value that is found to be enough; None if none is."""
    values = one.values
    if not values or not is_enough(one.request(values[-1])):
        return None
    low, high = 0, len(values) - 1
    while low < high:
        middle = (low + high) // 2
        if is_enough(one.request(values[middle])):
            high = middle
        else:
            low = middle + 1
    return values[high]


def loosenings(selected: Selected) -> Iterator[Loosening]:
    """Yield the wishes of a request that may be loosened."""
    request = selected.request
    for wish in ("k", "l", "small", "k_map"):
        asked = getattr(request, wish)
        if asked is not None:
            least = 2 if wish == "k" else 1  # where k is 1 nothing is asked
            yield _plain(request, wish, asked, range(asked - 1, least - 1, -1))
    if request.c is not None:
        more = range(request.c + 1, selected.table.frame.n + 2)
        yield _plain(request, "c", request.c, more)
    for wish in ("t", "mean_risk", "at_risk"):
        if getattr(request, wish) is not None:
            yield _share(request, wish)
    yield from _levels(selected)
    yield from _allowance(selected)


def _plain(request: Request, wish: str, asked: int, values: Sequence[int]) -> Loosening:
    return Loosening(
        called(wish), str(asked), values, lambda v: _with(request, wish, v)
    )


def _with(request: Request, wish: str, value: Any) -> Request:
    known: dict[str, Any] = {wish: value}
    return replace(request, **known)


def _share(request: Request, wish: str) -> Loosening:
    """Return how a share, or a distance, may grow by thousandths."""
    asked = getattr(request, wish)
    first = int(share_of(asked, wish) * 1000) + 1
    values = [Fraction(i, 1000) for i in range(first, 1001)]
    percent = isinstance(asked, str) and asked.strip().endswith("%")

    def shown(value: Fraction) -> str:
        return f"{float(100 * value):g}%" if percent else f"{float(value):g}"

    def loosened(value: Fraction) -> Request:
        return _with(request, wish, value)

    return Loosening(called(wish), str(asked), values, loosened, shown)


def _levels(selected: Selected) -> Iterator[Loosening]:
    """Yield how the greatest level of each limited column may grow."""
    request, given = selected.request, selected.request.levels or {}
    if not request.generalises:
        return
    kept = (request.intact,) if isinstance(request.intact, str) else request.intact
    intact = tuple(kept or ())
    for name, one in selected.hierarchies.items():
        height = 1 if one.hierarchy is None else one.hierarchy.height
        if name in intact:
            wish, pair = called("intact"), (0, 0)
        elif name in given:
            limits = given[name]
            wish = called("levels")
            first, last = (limits,) * 2 if isinstance(limits, int) else limits
            pair = first, last
        else:
            continue

        def loosened(greatest: int, name: Any = name, least: int = pair[0]) -> Request:
            limits = {**given, name: (least, greatest)}
            left = tuple(other for other in intact if other != name)
            return replace(request, levels=limits, intact=left or None)

        def shown(greatest: int, least: int = pair[0]) -> str:
            return _range(least, greatest)

        yield Loosening(
            f"{wish} {name}",
            _range(*pair),
            range(pair[1] + 1, height + 1),
            loosened,
            shown,
        )


def _range(least: int, greatest: int) -> str:
    one = least == greatest
    return f"level {least}" if one else f"levels {least}..{greatest}"


def _allowance(selected: Selected) -> Iterator[Loosening]:
    """Yield how many more rows may be suppressed, if not all."""
    request, n = selected.request, selected.table.frame.n
    if not request.generalises:
        return
    wish = "suppress_rows"
    asked = request.suppress_rows or 0
    yield Loosening(
        called(wish),
        str(asked),
        range(allowed_rows(asked, n) + 1, n),
        lambda rows: replace(request, suppress_rows=rows),
        lambda rows: f"{rows} ({rows / n:.1%})",
    )
