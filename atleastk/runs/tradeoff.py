"""The trade-off of cost against k: the best cost and bound for each of several k.

Neighbours help each other
--------------------------
Let F(k) be the solutions that are feasible for k.

*Theorem.* If k occurs in an instance only in the condition that groups - bins, parts,
rectangles, clusters, classes of equal rows, the rows that a row matches - have at least
k, then F(k + 1) is a part of F(k). If besides the cost of a solution does not depend on
k, then the optimum does not fall as k rises: a solution for k + 1 is one for k at the
same cost, a bound for k is one for k + 1, and there is no solution for k + 1 if there
is none for k. Proof: at least k + 1 is at least k; the minimum over a part is not less.

Instances say by `nested` whether both hold:

- *Bin covering, interval covering*: for ``max``, the level of the fullest group. The
  others, ``excess`` and ``quadratic``, cost what is above k: F is nested, bounds are
  not those of a neighbour.
- *Connected partition, rectangle tiling*: connectivity, boxes, straight cuts and the
  heaviest group know no k.
- *r-gather, cellular clustering*, with r for k: distances, centres, facility costs and
  the limits on clusters and outliers know no r.
- *k-anonymity, suppression*: what is suppressed is a solution if all classes have at
  least k rows; regions, limits, orders and intact columns look at suppressed cells
  only. Except if k itself is maximised, which costs -k.
- *k-ambiguity*: who matches k others matches k - 1.
- *Generalisation, diversity*: as suppression, levels for cells; suppressed rows need k
  equals, too, and how many there may be is a number. The losses count levels or the
  sizes of classes (of ``average-class-size`` the cost is n - classes), and l and t look
  at the values of a class.

Whatever is handed on is checked again for the k it is handed to, and the cost is
recomputed; a bound above a cost is an error that is raised.

Order
-----
The greatest k comes first and then the least, which are a solution and a bound for all
between; after these the k of the greatest gap, in the middle of those that are as open.
Each search gets its share of the time left, or more if that is too little to get
anywhere, and begins with the best solution handed down. What is closed by its
neighbours is not searched at all. If time is left in the end, open ones are searched
again, each for at least twice as long as before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    NotApplicableError,
    UnknownNameError,
    WrongAnswerError,
)
from atleastk.instances.fields.shapes import shown, whole
from atleastk.instances.files.paths import AnyPath
from atleastk.instances.instance import Instance
from atleastk.models.results.result import Event, Result
from atleastk.models.results.solution import Solution
from atleastk.models.results.status import Status, Stop, Trust
from atleastk.models.results.tradeoff import TradeoffPoint
from atleastk.packages import Axes
from atleastk.plots.drawing import save
from atleastk.plots.tradeoff import draw_tradeoff, tradeoff_page
from atleastk.runs.ask import AUTO, Ask, SearchLimits
from atleastk.runs.registry import problem_of
from atleastk.runs.solving import solve_within
from atleastk.solvers.clock import CLOCK

_LEAST_SIZES: Final = ("k", "r")
"""What the fields are called that say how large groups have to be."""

_PART: Final = 16
"""The first search, before it is known how long first answers take, gets at least one
in so many parts of the time."""

_WORTH: Final = 15.0
"""How many times as long as the first answer of the first search a search is at least,
if there is time: shorter ones hardly get beyond first answers. On Adult, 45,222 rows,
0.2 s and 3 s; 60 s for 49 k then leave a mean gap of 8.6 % instead of 18.0 %."""

_SHORTEST: Final = 0.2
"""Seconds; a search of less is not begun."""

_TWICE: Final = 2.0
"""How many times as long a second search has to be."""

Watching = Callable[[Ask, int], AbstractContextManager[Ask]]
"""Lets the events of the search for a k be shown."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tradeoff:
    """Cost and bound as functions of k; this is what ``print`` shows.

    Attributes
    ----------
    points
        The best that is known for every k, ascending.
    seconds
        How long all searches took.
    interrupted
        Whether a signal ended them.
    """

    points: tuple[TradeoffPoint, ...]
    seconds: float
    interrupted: bool = False

    __repr__ = brief

    def __iter__(self) -> Iterator[TradeoffPoint]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, k: int) -> TradeoffPoint:
        for point in self.points:
            if point.k == k:
                return point
        raise UnknownNameError(
            f"no point has k = {k}; there are {', '.join(str(p.k) for p in self)}"
        )

    def __str__(self) -> str:
        wide = max(len(str(point.k)) for point in self)
        return "\n".join(f"k = {point.k:>{wide}}: {_in_words(point)}" for point in self)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "points": [point.to_dict() for point in self],
            "seconds": round(self.seconds, 3),
            "interrupted": self.interrupted,
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

    def to_html(self, name: str = "an instance") -> str:
        """Return a page to be filed, which needs no other file.

        Parameters
        ----------
        name
            What was solved.
        """
        return tradeoff_page(self.points, self.seconds, name, datetime.now(UTC))


def _in_words(point: TradeoffPoint) -> str:
    """Return the figures of a point."""
    status = point.result.status.lower()
    cost = "no solution" if point.cost is None else f"cost {point.cost}"
    bound = "" if point.bound is None else f", at least {point.bound}"
    gap = f", gap {point.gap:.2%}" if point.gap else ""
    return f"{cost}{bound}{gap} ({status})"


@dataclass(slots=True)
class _Known:
    """What is known for a k so far."""

    instance: Instance
    own: Result | None = None
    """The result of the longest search for this k."""
    solution: Solution | None = None
    cost: int | None = None
    found_at: int | None = None
    bound: int | None = None
    proved_at: int | None = None
    infeasible: bool = False
    given: float = 0.0
    """The seconds of the longest search."""
    seconds: float = 0.0

    @property
    def closed(self) -> bool:
        return self.infeasible or (self.cost is not None and self.cost == self.bound)

    @property
    def gap(self) -> float:
        """The gap; infinite if there is no cost or no bound."""
        if self.cost is None or self.bound is None:
            return float("inf")
        return (self.cost - self.bound) / max(1, abs(self.cost))


@dataclass(slots=True)
class _Curve:
    """All that is known, by k ascending."""

    known: dict[int, _Known]
    nested: bool
    check: Callable[[Instance, Solution], Any]
    last: Result | None = None
    first_answer: float = 0.0
    """The seconds that the first search took for its first solution."""
    signalled: int | None = None
    abandoned: bool = field(default=False)

    def next(self, left: float) -> int | None:
        """Return the k to search next if so many seconds are left; None if none."""
        ks = list(self.known)
        new = [k for k in ks if not self.known[k].given and not self.known[k].closed]
        for first in (ks[-1], ks[0]):
            if first in new:
                return first
        again = (k for k in ks if left >= _TWICE * self.known[k].given)
        waiting = new or [k for k in again if not self.known[k].closed]
        searched = [place for place, k in enumerate(ks) if self.known[k].given]
        alone = {
            k: min((abs(place - other) for other in searched), default=0)
            for place, k in enumerate(ks)
        }
        return max(waiting, key=lambda k: (self.known[k].gap, alone[k]), default=None)

    def share(self, k: int, left: float) -> float:
        """Return the seconds for a search for a k if so many are left."""
        waiting = [one for one in self.known.values() if not one.closed]
        new = sum(not one.given for one in waiting)
        parts = new or len(waiting)
        if self.last is None:
            parts = min(parts, _PART)
        before = _TWICE * self.known[k].given
        least = max(_SHORTEST, before, _WORTH * self.first_answer)
        return min(left, max(least, left / parts))

    def take(self, k: int, result: Result) -> None:
        """Take note of the result of a search, and hand it on to the neighbours."""
        if self.last is None:
            costed = (e.seconds for e in result.events if e.cost is not None)
            self.first_answer = next(costed, 0.0)
        self.known[k].own = self.last = result
        above = [other for other in self.known if other > k]
        for other in (k, *above) if self.nested else (k,):
            self._prove(other, k, result.bound, _is_infeasible(result))
        if result.solution is None:
            return
        for other in (k, *above):
            if not self._offer(other, k, result.solution):
                break
        for other in (other for other in self.known if other < k):
            cost = self.known[other].cost
            if not self.nested or cost is None or (result.cost or 0) < cost:
                self._offer(other, k, result.solution)

    def _prove(self, k: int, at: int, bound: int | None, infeasible: bool) -> None:
        known = self.known[k]
        known.infeasible |= infeasible
        if bound is not None and (known.bound is None or bound > known.bound):
            known.bound, known.proved_at = bound, at
        if infeasible:
            known.proved_at = at
        self._expect_sense(k)

    def _offer(self, k: int, at: int, solution: Solution) -> bool:
        """Check a solution for a k and keep it if it is better; tell if it is one."""
        known = self.known[k]
        verdict = self.check(known.instance, solution)
        if not verdict.feasible or verdict.cost is None:
            return False
        if known.cost is None or verdict.cost < known.cost:
            known.solution, known.cost, known.found_at = solution, verdict.cost, at
        self._expect_sense(k)
        return True

    def _expect_sense(self, k: int) -> None:
        known = self.known[k]
        if known.cost is None:
            return
        if known.infeasible or (known.bound is not None and known.bound > known.cost):
            below = "infeasible" if known.infeasible else f"at least {known.bound}"
            raise WrongAnswerError(
                f"k = {k}: proved {below} by the search for k = {known.proved_at}, and "
                f"a solution of that for k = {known.found_at} costs {known.cost}"
            )

    def point(self, k: int) -> TradeoffPoint:
        """Return what is known for a k."""
        known = self.known[k]
        result = _result_of(k, known, self.last)
        found = None if known.solution is None else known.found_at
        return TradeoffPoint(
            k=k,
            result=result,
            seconds=known.seconds,
            found_at=found,
            proved_at=known.proved_at,
        )


def _result_of(k: int, known: _Known, last: Result | None) -> Result:
    """Return the result for a k: that of its own search, or what neighbours told."""
    own, instance = known.own, known.instance
    best = known.cost, known.bound, known.infeasible
    if own is not None and (own.cost, own.bound, _is_infeasible(own)) == best:
        return own
    status = Status.UNKNOWN
    if known.infeasible:
        status = Status.INFEASIBLE
    elif known.solution is not None:
        status = Status.OPTIMAL if known.closed else Status.FEASIBLE
    told = [("solution", known.found_at), ("bound", known.proved_at)]
    notes = [f"{what} of k = {at}" for what, at in told if at not in (None, k)]
    proof = own if own is not None and own.bound == known.bound else None
    model = own or last
    return Result(
        problem=instance.problem,
        status=status,
        trust={Status.FEASIBLE: Trust.HEURISTIC, Status.UNKNOWN: None}.get(
            status, Trust.PROVED
        ),
        cost=known.cost,
        bound=None if known.infeasible else known.bound,
        solution=known.solution,
        method=AUTO if model is None else model.method,
        seconds=known.seconds,
        instance_sha256=instance.sha256,
        seed=0 if model is None else model.seed,
        versions={} if model is None else model.versions,
        certificate=None if proof is None else proof.certificate,
        certified_bound=None if proof is None else proof.certified_bound,
        note="; ".join(notes) or None,
        stopped_because=_why_ended(known),
        instance=instance,
    )


def _is_infeasible(result: Result) -> bool:
    return result.status is Status.INFEASIBLE


def _why_ended(known: _Known) -> Stop | None:
    if known.closed:
        return Stop.CLOSED
    return None if known.own is None else known.own.stopped_because


def tradeoff(
    instance: Instance,
    ks: Iterable[int],
    time_limit: float | None = None,
    *,
    workers: int | None = None,
    seed: int = 0,
    method: str = AUTO,
    memory_limit: float | None = None,
    on_event: Callable[[int, Event], object] | None = None,
) -> Tradeoff:
    """Solve an instance for several k; each helps its neighbours.

    A solution for k + 1 is one for k, and a bound for k is one for k + 1, wherever that
    is proved. SIGINT ends it gently: what is known until then is returned.

    Parameters
    ----------
    instance
        Of any problem with a `k` (or `r`), whatever its own is.
    ks
        The least sizes of groups.
    time_limit
        Seconds for all searches together, or None for as long as they take.
    workers, seed, method, memory_limit
        As of :func:`atleastk.solve`.
    on_event
        Called with the k that is searched whenever its cost or bound improves.

    Raises
    ------
    NotApplicableError
        If the problem has no k.
    WrongAnswerError
        If solvers contradict each other or the checker.

    Examples
    --------
    >>> table = atleastk.KAnonymity(table=[[0, 0], [0, 1], [1, 1], [1, 1]], k=2)
    >>> [point.cost for point in atleastk.tradeoff(table, [1, 2, 3])]
    [0, 2, 8]
    """

    def watching(ask: Ask, k: int) -> AbstractContextManager[Ask]:
        if on_event is not None:
            ask = replace(ask, on_event=lambda event: on_event(k, event))
        return nullcontext(ask)

    limits = SearchLimits(
        time_limit=time_limit,
        workers=workers,
        seed=seed,
        method=method,
        memory_limit=memory_limit,
    )
    return traded(instance, ks, limits, watching)[0]


def traded(
    instance: Instance, ks: Iterable[int], limits: SearchLimits, watching: Watching
) -> tuple[Tradeoff, int | None, bool]:
    """Return the trade-off, the signal that ended it, and whether a solver goes on."""
    problem, name = problem_of(instance), _least_size(instance)
    _ask(limits, limits.time_limit, None)  # raises what is wrong with the parameters
    sizes = sorted({_checked(k) for k in ks})
    if not sizes:
        raise InvalidInstanceError("ks: none; at least one is needed")
    known = {k: _Known(_asking(instance, name, k)) for k in sizes}
    curve = _Curve(known, instance.nested, problem.check)
    began = CLOCK.now()
    try:
        _search(curve, limits, watching)
    except KeyboardInterrupt:  # between two searches, which hear signals themselves
        curve.signalled = curve.signalled or 2
    made = Tradeoff(
        points=tuple(curve.point(k) for k in sizes),
        seconds=CLOCK.now() - began,
        interrupted=curve.signalled is not None,
    )
    return made, curve.signalled, curve.abandoned


def _search(curve: _Curve, limits: SearchLimits, watching: Watching) -> None:
    """Search one k after the other until the time is over or all are closed."""
    limit, began = limits.time_limit, CLOCK.now()
    while True:
        left = float("inf")
        if limit is not None:
            left = max(_SHORTEST, limit - (CLOCK.now() - began))
            if left == _SHORTEST and curve.last is not None:
                return
        k = curve.next(left)
        if k is None:
            return
        known, seconds = curve.known[k], curve.share(k, left)
        asked = None if limit is None else seconds
        started = CLOCK.now()
        with watching(_ask(limits, asked, known.solution), k) as ask:
            outcome = solve_within(known.instance, ask)
        gave_up = outcome.result.stopped_because is Stop.GAVE_UP
        known.given = float("inf") if gave_up else seconds
        known.seconds += CLOCK.now() - started
        curve.abandoned |= outcome.abandoned
        curve.take(k, outcome.result)
        curve.signalled = outcome.signalled
        if outcome.signalled or outcome.result.stopped_because is Stop.CALLBACK:
            return


def _ask(limits: SearchLimits, seconds: float | None, start: Solution | None) -> Ask:
    """Return the request for a search that begins now."""
    shared = limits.workers, limits.seed, limits.memory_limit
    return Ask.of(seconds, *shared, limits.method, start=start)


def _asking(instance: Instance, name: str, k: int) -> Instance:
    """Return the same instance for another k."""
    changed: dict[str, Any] = {name: k}
    return replace(instance, **changed)


def _least_size(instance: Instance) -> str:
    """Return the name of the field that says how large groups have to be."""
    named = {one.name for one in fields(instance)}
    for name in _LEAST_SIZES:
        if name in named:
            return name
    raise NotApplicableError(
        f"{instance.problem} has no k: there is no trade-off of its cost against it"
    )


def _checked(k: Any) -> int:
    found = whole(k)
    if found is None or found < 1:
        raise InvalidInstanceError(
            f"ks: expected integers of at least 1, got {shown(k)}"
        )
    return found
