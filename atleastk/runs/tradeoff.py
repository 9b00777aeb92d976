"""The trade-off of cost against k: the best cost and bound for each of several k.

How cases help each other, and why they may: :mod:`atleastk.runs.neighbours`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    NotApplicableError,
    UnknownNameError,
)
from atleastk.instances.fields.html_table import notebook
from atleastk.instances.fields.shapes import shown, whole
from atleastk.instances.files.digest import Filed
from atleastk.instances.files.paths import AnyPath
from atleastk.instances.instance import Instance
from atleastk.models.results.result import Result
from atleastk.models.results.tradeoff import Case, ColumnPrice, TradeoffPoint
from atleastk.models.wording import Warned
from atleastk.packages import Axes
from atleastk.plots.drawing import save
from atleastk.plots.html_page import Filing
from atleastk.plots.tradeoff import draw_tradeoff, figures, tradeoff_page
from atleastk.runs.ask import SearchLimits
from atleastk.runs.earlier import Lines
from atleastk.runs.neighbours import (
    Keeping,
    Neighbours,
    Watching,
    ask_of,
    search,
    taken_over,
)
from atleastk.runs.registry import problem_of
from atleastk.solvers.clock import CLOCK

_LEAST_SIZES: Final = ("k", "r")
"""What the fields are called that say how large groups have to be."""

Asking = Callable[[Case], Instance | None]
"""Makes the instance of a case; None if no such case can be asked."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tradeoff:
    """Cost and bound as functions of k; this is what ``print`` shows.

    Attributes
    ----------
    points
        The best that is known for every k, ascending; curve by curve if there are
        several rules of hierarchies or allowances of suppressed rows.
    seconds
        How long all searches took.
    interrupted
        Whether a signal ended them.
    prices
        What columns of a table cost, where that was asked.
    taken_over
        How many results of an earlier run were taken over.
    asked
        What was asked: every wish, and its value in words.
    unit
        Of a table, what the cost counts, in words.
    warned
        Columns of which nothing is left, and for which k.
    """

    points: tuple[TradeoffPoint, ...]
    seconds: float
    interrupted: bool = False
    prices: tuple[ColumnPrice, ...] = ()
    taken_over: int = 0
    asked: tuple[tuple[str, str], ...] = ()
    unit: str = ""
    warned: tuple[Warned, ...] = ()

    __repr__ = brief

    def __iter__(self) -> Iterator[TradeoffPoint]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, k: int) -> TradeoffPoint:
        found = [point for point in self.points if point.k == k]
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownNameError(
                f"{len(found)} points have k = {k}; take one curve by of(rule, allowed)"
            )
        there = ", ".join(map(str, sorted({point.k for point in self})))
        raise UnknownNameError(f"no point has k = {k}; there are {there}")

    def of(self, rule: str | None = None, allowed: int | None = None) -> Self:
        """Return the points of a rule of hierarchies, or of an allowance, or of both.

        Raises
        ------
        UnknownNameError
            If there is none.
        """
        wish = {"rule": rule, "allowed": allowed}
        given = {name: wished for name, wished in wish.items() if wished is not None}

        def fits(case: Case) -> bool:
            return all(getattr(case, name) == given[name] for name in given)

        points = tuple(point for point in self.points if fits(point.case))
        if not points:
            known = sorted({str(getattr(p.case, n)) for p in self for n in given})
            raise UnknownNameError(f"no such points; there are {', '.join(known)}")
        prices = tuple(price for price in self.prices if fits(price.case))
        return replace(self, points=points, prices=prices)

    def __str__(self) -> str:
        wide = max(len(str(point.k)) for point in self)
        return "\n".join(f"{p.case.in_words(wide)}: {_in_words(p)}" for p in self)

    def _repr_html_(self) -> str:
        """Return the figures as a table for a notebook."""
        remarks = ["The searches were interrupted."] if self.interrupted else []
        return notebook("Cost against k", *figures(self.points), remarks)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        prices = [price.to_dict() for price in self.prices]
        return {
            "points": [point.to_dict() for point in self],
            **({"prices": prices} if prices else {}),
            "seconds": round(self.seconds, 3),
            "interrupted": self.interrupted,
            "asked": dict(self.asked),
            **({"unit": self.unit} if self.unit else {}),
            "warnings": [str(each) for each in self.warned],
            "taken_over": self.taken_over,
        }

    def plot(self, path: AnyPath | None = None, *, ax: Axes | None = None) -> Axes:
        """Draw cost and bound over k; return the Axes of matplotlib they are on.

        Parameters
        ----------
        path
            A file for the picture; its suffix is the format.
        """
        ax = draw_tradeoff(self.points, ax)
        if path is not None:
            save(ax, Path(path))
        return ax

    def to_html(
        self,
        name: str = "an instance",
        *,
        files: Sequence[Filed] = (),
        words: Sequence[str] = (),
    ) -> str:
        """Return a page to be filed, which needs no other file.

        Parameters
        ----------
        name
            What was solved.
        files
            The files that it is about, with their SHA-256.
        words
            The command line that asks for the same again.
        """
        return tradeoff_page(
            self.points,
            self.prices,
            self.seconds,
            Filing(name, tuple(files), tuple(words)),
            asked=self.asked,
            unit=self.unit,
            warned=self.warned,
        )


def _in_words(point: TradeoffPoint) -> str:
    """Return the figures of a point."""
    status = point.result.status.lower()
    cost = "no solution" if point.cost is None else f"cost {point.cost}"
    bound = "" if point.bound is None else f", at least {point.bound}"
    gap = f", gap {point.gap:.2%}" if point.gap else ""
    kept = "" if point.kept is None else f", {point.kept.lost:.2%} lost"
    return f"{cost}{bound}{gap}{kept} ({status})"


class Traded(NamedTuple):
    """A trade-off, the signal that ended it, and whether a solver goes on."""

    made: Tradeoff
    signalled: int | None = None
    abandoned: bool = False


def traded(
    instance: Instance,
    ks: Iterable[int],
    limits: SearchLimits,
    watching: Watching,
    lines: Lines | None = None,
) -> Traded:
    """Return the trade-off of an instance."""
    problem_of(instance)
    name = _least_size(instance)

    def asking(case: Case) -> Instance | None:
        if case != Case(case.k):
            return None
        changed: dict[str, Any] = {name: case.k}
        return replace(instance, **changed)

    cases = [Case(k) for k in sizes(ks)]
    found = traded_cases(cases, asking, limits, watching, lines)
    asked = ("problem", instance.problem), (name, ks_in_words(cases))
    return found._replace(made=replace(found.made, asked=asked))


def ks_in_words(cases: Iterable[Case]) -> str:
    """Return the k of some cases in words, ascending: ``2..5, 10``."""
    spans: list[tuple[int, int]] = []
    for k in sorted({case.k for case in cases}):
        if spans and spans[-1][1] == k - 1:
            spans[-1] = spans[-1][0], k
        else:
            spans.append((k, k))
    return ", ".join(str(a) if a == b else f"{a}..{b}" for a, b in spans)


def traded_cases(
    cases: Iterable[Case],
    asking: Asking,
    limits: SearchLimits,
    watching: Watching,
    lines: Lines | None = None,
) -> Traded:
    """Return the trade-off of some cases, and of those that a file holds besides.

    Raises
    ------
    InvalidResultError
        If a file of lines holds something else.
    """
    ask_of(limits, limits.time_limit, None)  # raises what is wrong with the parameters
    asked: dict[Case, Instance] = {}
    for case in cases:
        instance = asking(case)
        assert instance is not None  # it is asked for
        asked[case] = instance
    known = dict(asked)
    earlier: list[tuple[Case, Result]] = []
    if lines is not None:
        for case, one, result in lines.earlier(lambda c: known.get(c) or asking(c)):
            known[case] = one
            earlier.append((case, result))
    neighbours = Neighbours.of(known)
    keeping: Keeping = (lambda *_: None) if lines is None else lines.add
    began = CLOCK.now()
    taken_over(neighbours, earlier)
    for case in known.keys() - asked.keys():  # what only a file holds
        neighbours.known[case].given = float("inf")
    search(neighbours, limits, watching, keeping)
    points = {case: neighbours.point(case) for case in known}
    if lines is not None:
        lines.write((case, point.result) for case, point in points.items())
    made = Tradeoff(
        points=tuple(points[case] for case in asked),
        seconds=CLOCK.now() - began,
        interrupted=neighbours.signalled is not None,
        taken_over=len({case for case, _ in earlier}),
    )
    return Traded(made, neighbours.signalled, neighbours.abandoned)


def sizes(ks: Iterable[int]) -> list[int]:
    """Return the k that are asked for, ascending.

    Raises
    ------
    InvalidInstanceError
        If there is none, or one is no integer of at least 1.
    """
    found: set[int] = set()
    for k in ks:
        number = whole(k)
        if number is None or number < 1:
            raise InvalidInstanceError(
                f"ks: expected integers of at least 1, got {shown(k)}"
            )
        found.add(number)
    if not found:
        raise InvalidInstanceError("ks: none; at least one is needed")
    return sorted(found)


def _least_size(instance: Instance) -> str:
    """Return the name of the field that says how large groups have to be."""
    for one in fields(instance):
        if one.name in _LEAST_SIZES:
            return one.name
    raise NotApplicableError(
        f"{instance.problem} has no k: there is no trade-off of its cost against it"
    )
