"""Searches for several cases of one question, each of which helps its neighbours.

Let F(k, s) be the solutions that are feasible for k if s rows may be suppressed
altogether.

*Theorem.* If k occurs in an instance only in the condition that groups - bins, parts,
rectangles, clusters, classes of equal rows, the rows that a row matches - have at least
k, and s only in the condition that at most s rows are suppressed, then F(k + 1, s) and
F(k, s - 1) are parts of F(k, s). If besides the cost of a solution depends on neither,
then the optimum does not fall as k rises or s falls: a solution for k + 1, or for less
rows, is one for k at the same cost, a bound for k, or for more rows, is one for k + 1,
and there is no solution for these if there is none for k. Proof: at least k + 1 is at
least k, at most s - 1 is at most s; the minimum over a part is not less.

Instances say by `nested` whether both hold:

- *Bin covering, interval covering*: for ``max``, the level of the fullest group. The
  others, ``excess`` and ``quadratic``, cost what is above k: F is nested, bounds are
  not those of a neighbour.
- *Connected partition, rectangle tiling*: connectivity, boxes, straight cuts and the
  heaviest group know no k.
- *r-gather, cellular clustering*, with r for k: distances, centres, facility costs and
  the limits on clusters and outliers know no r.
- *Pair partition*: pairs, connectivity and windows know no k.
- *k-anonymity, suppression*: what is suppressed is a solution if all classes have at
  least k rows; regions, limits, orders and intact columns look at suppressed cells
  only. Except if k itself is maximised, which costs -k.
- *k-ambiguity*: who matches k others matches k - 1.
- *Generalisation, diversity*: as suppression, levels for cells; suppressed rows need k
  equals, too, or are in no group where cells have levels of their own, and how many
  there may be is s. The losses count levels, the suppressed rows that there are, or the
  sizes of classes (of ``average-class-size`` the cost is n - classes), and l and t look
  at the values of a class. Where k counts households it is the l of their column, of
  which the same is true.

What is handed on is checked again for the case it is handed to, and the cost is
recomputed, at the latest when all is over; a bound above a cost is an error that is
raised.

Order
-----
The tightest case of every curve comes first and then the loosest, which are a solution
and a bound for all between; after these the one of the greatest gap, in the middle of
those that are as open. Each search gets its share of the time left, or more if that is
too little to get anywhere, and begins with the best solution handed down. What is
closed by its neighbours is not searched at all. If time is left in the end, open ones
are searched again, each for at least twice as long as before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from signal import SIGINT
from typing import Final

from atleastk.instances.fields.errors import WrongAnswerError
from atleastk.instances.instance import Instance
from atleastk.models.results.result import Result
from atleastk.models.results.solution import Solution
from atleastk.models.results.status import Status, Stop, Trust
from atleastk.models.results.tradeoff import Case, TradeoffPoint
from atleastk.runs.ask import AUTO, Ask, SearchLimits
from atleastk.runs.registry import problem_of
from atleastk.runs.solving import solve_within
from atleastk.solvers.clock import CLOCK

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

Watching = Callable[[Ask, Case], AbstractContextManager[Ask]]
"""Lets the events of the search for a case be shown."""

Keeping = Callable[[Case, Result], object]
"""Is told the result of every search when it ends."""


@dataclass(slots=True)
class _Known:
    """What is known for a case so far."""

    instance: Instance
    """Searches and checks take copies: what they remember of it is let go."""
    own: Result | None = None
    """The result of the longest search for this case."""
    solution: Solution | None = None
    cost: int | None = None
    found_at: Case | None = None
    bound: int | None = None
    proved_at: Case | None = None
    infeasible: bool = False
    given: float = 0.0
    """The seconds of the longest search."""
    seconds: float = 0.0

    @property
    def closed(self) -> bool:
        return self.infeasible or (self.cost is not None and self.cost == self.bound)

    @property
    def is_open(self) -> bool:
        """Whether a longer search may find more."""
        return not self.closed and self.given < float("inf")

    @property
    def gap(self) -> float:
        """The gap; infinite if there is no cost or no bound."""
        if self.cost is None or self.bound is None:
            return float("inf")
        return (self.cost - self.bound) / max(1, abs(self.cost))


@dataclass(slots=True)
class Neighbours:
    """All that is known of some cases, which tell each other what they can."""

    known: dict[Case, _Known]
    last: Result | None = None
    first_answer: float = 0.0
    """The seconds that the first search took for its first solution."""
    signalled: int | None = None
    abandoned: bool = field(default=False)
    _places: dict[Case, tuple[int, int]] = field(default_factory=dict)
    """The place of every case among the k, and among the allowances."""

    @classmethod
    def of(cls, instances: Mapping[Case, Instance]) -> Neighbours:
        """Return what is known at first: nothing."""
        made = cls({case: _Known(one) for case, one in instances.items()})
        ks = sorted({case.k for case in instances})
        rows = sorted({case.allowed or 0 for case in instances})
        made._places = {
            case: (ks.index(case.k), rows.index(case.allowed or 0))
            for case in instances
        }
        return made

    def next(self, left: float) -> Case | None:
        """Return the case to search next if so many seconds are left; None if none."""
        known = self.known
        new = [c for c, one in known.items() if not one.given and not one.closed]
        for first in self._ends():
            if first in new:
                return first
        waiting = new or [
            case
            for case, one in known.items()
            if left >= _TWICE * one.given and one.is_open
        ]
        searched = [case for case, one in known.items() if one.given]
        return max(
            waiting,
            key=lambda case: (known[case].gap, self._alone(case, searched)),
            default=None,
        )

    def _ends(self) -> list[Case]:
        """Return the tightest case of every curve, and then the loosest of each."""
        curves: dict[tuple[str | None, str | None], list[Case]] = {}
        for case in self.known:
            curves.setdefault(case.curve, []).append(case)
        ranked = [
            sorted(cases, key=lambda c: (c.k, -(c.allowed or 0)))
            for cases in curves.values()
        ]
        return [*(cases[-1] for cases in ranked), *(cases[0] for cases in ranked)]

    def _alone(self, case: Case, searched: Iterable[Case]) -> int:
        """Return how many steps it is to the nearest case of others."""
        k, rows = self._places[case]
        away = (
            abs(k - self._places[one][0]) + abs(rows - self._places[one][1])
            for one in searched
            if one.curve == case.curve
        )
        return min(away, default=0)

    def share(self, case: Case, left: float) -> float:
        """Return the seconds for a search for a case if so many are left."""
        waiting = [one for one in self.known.values() if one.is_open]
        new = sum(not one.given for one in waiting)
        parts = new or len(waiting)
        if self.last is None:
            parts = min(parts, _PART)
        before = _TWICE * self.known[case].given
        least = max(_SHORTEST, before, _WORTH * self.first_answer)
        return min(left, max(least, left / parts))

    def take(self, case: Case, result: Result) -> None:
        """Take note of the result of a search, and hand it on to the neighbours."""
        if self.last is None:
            costed = (e.seconds for e in result.events if e.cost is not None)
            self.first_answer = next(costed, 0.0)
        self.known[case].own = self.last = result
        nested = self.known[case].instance.nested
        others = [other for other in self.known if other != case]
        tighter = [other for other in others if other.tells(case)]
        for other in (case, *tighter) if nested else (case,):
            self._prove(other, case, result.bound, _is_infeasible(result))
        if result.solution is None or result.cost is None:
            return
        self._adopt(case, case, result.solution, result.cost)
        refused: list[Case] = []
        for other in sorted(tighter, key=lambda c: (c.k, -(c.allowed or 0))):
            if any(other.tells(one) for one in refused):
                continue
            if not self._offer(other, case, result.solution):
                refused.append(other)
        for other in others:
            if not case.tells(other):
                continue
            if nested:  # the theorem; it is checked when the point is made
                self._adopt(other, case, result.solution, result.cost)
            else:
                self._offer(other, case, result.solution)

    def _prove(self, case: Case, at: Case, bound: int | None, infeasible: bool) -> None:
        known = self.known[case]
        known.infeasible |= infeasible
        if bound is not None and (known.bound is None or bound > known.bound):
            known.bound, known.proved_at = bound, at
        if infeasible:
            known.proved_at = at
        self._expect_sense(case)

    def _offer(self, case: Case, at: Case, solution: Solution) -> bool:
        """Check a solution for a case and keep it if better; tell if it is one."""
        cost = self._checked(case, solution)
        if cost is not None:
            self._adopt(case, at, solution, cost)
        return cost is not None

    def _checked(self, case: Case, solution: Solution) -> int | None:
        """Return the cost of a solution for a case; None if it is none."""
        instance = replace(self.known[case].instance)
        verdict = problem_of(instance).check(instance, solution)
        return verdict.cost if verdict.feasible else None

    def _adopt(self, case: Case, at: Case, solution: Solution, cost: int) -> None:
        """Keep a solution of this cost if it is better."""
        known = self.known[case]
        if known.cost is None or cost < known.cost:
            known.solution, known.cost, known.found_at = solution, cost, at
        self._expect_sense(case)

    def _expect_sense(self, case: Case) -> None:
        known = self.known[case]
        if known.cost is None:
            return
        if known.infeasible or (known.bound is not None and known.bound > known.cost):
            below = "infeasible" if known.infeasible else f"at least {known.bound}"
            raise WrongAnswerError(
                f"{case}: proved {below} by the search for {known.proved_at}, and a "
                f"solution of that for {known.found_at} costs {known.cost}"
            )

    def point(self, case: Case) -> TradeoffPoint:
        """Return what is known for a case, once a solution of others is checked."""
        known = self.known[case]
        if known.solution is not None and known.found_at != case:
            cost = self._checked(case, known.solution)
            if cost != known.cost:
                raise WrongAnswerError(
                    f"{case}: a solution for {known.found_at} of cost {known.cost} "
                    f"{'is none' if cost is None else f'costs {cost}'} here"
                )
        return TradeoffPoint(
            case=case,
            result=_result_of(case, known, self.last),
            seconds=known.seconds,
            found_at=None if known.solution is None else known.found_at,
            proved_at=known.proved_at,
        )


def search(
    neighbours: Neighbours, limits: SearchLimits, watching: Watching, keeping: Keeping
) -> None:
    """Search one case after the other until the time is over or all are closed."""
    try:
        _search(neighbours, limits, watching, keeping)
    except KeyboardInterrupt:  # between two searches, which hear signals themselves
        neighbours.signalled = neighbours.signalled or SIGINT


def _search(
    neighbours: Neighbours, limits: SearchLimits, watching: Watching, keeping: Keeping
) -> None:
    limit, began, left = limits.time_limit, CLOCK.now(), float("inf")
    if limit is not None:
        left = max(_SHORTEST, limit)
    while (case := neighbours.next(left)) is not None:
        known, seconds = neighbours.known[case], neighbours.share(case, left)
        asked = None if limit is None else seconds
        started = CLOCK.now()
        with watching(ask_of(limits, asked, known.solution), case) as ask:
            outcome = solve_within(replace(known.instance), ask)
        result = replace(outcome.result, instance=known.instance)
        gave_up = result.stopped_because is Stop.GAVE_UP
        known.given = float("inf") if gave_up else seconds
        known.seconds += CLOCK.now() - started
        neighbours.abandoned |= outcome.abandoned
        neighbours.take(case, result)
        keeping(case, result)
        neighbours.signalled = outcome.signalled
        if limit is not None:
            left = limit - (CLOCK.now() - began)
        ended = outcome.signalled or result.stopped_because is Stop.CALLBACK
        if ended or left <= _SHORTEST:
            return


def ask_of(limits: SearchLimits, seconds: float | None, start: Solution | None) -> Ask:
    """Return the request for a search that begins now."""
    shared = limits.workers, limits.seed, limits.memory_limit
    return Ask.of(seconds, *shared, limits.method, start=start)


def taken_over(neighbours: Neighbours, earlier: Sequence[tuple[Case, Result]]) -> None:
    """Take note of the results of an earlier run, which have been checked."""
    for case, result in earlier:
        known = neighbours.known[case]
        gave_up = result.stopped_because is Stop.GAVE_UP
        known.given = max(known.given, float("inf") if gave_up else result.seconds)
        known.seconds = max(known.seconds, result.seconds)
        neighbours.take(case, result)


def _result_of(case: Case, known: _Known, last: Result | None) -> Result:
    """Return the result for a case: of its own search, or what neighbours told."""
    own, instance = known.own, known.instance
    best = known.cost, known.bound, known.infeasible
    if own is not None and (own.cost, own.bound, _is_infeasible(own)) == best:
        return own
    status, trust = Status.UNKNOWN, None
    stopped = None if own is None else own.stopped_because
    if known.closed:
        status = Status.INFEASIBLE if known.infeasible else Status.OPTIMAL
        trust, stopped = Trust.PROVED, Stop.CLOSED
    elif known.solution is not None:
        status, trust = Status.FEASIBLE, Trust.HEURISTIC
    told = [("solution", known.found_at), ("bound", known.proved_at)]
    notes = [f"{what} of {at.beside(case)}" for what, at in told if at and at != case]
    proof = own if own is not None and own.bound == known.bound else None
    model = own or last
    return Result(
        problem=instance.problem,
        status=status,
        trust=trust,
        cost=known.cost,
        bound=None if known.infeasible else known.bound,
        solution=known.solution,
        method=AUTO if model is None else model.method,
        seconds=known.seconds,
        instance_sha256=instance.sha256 if own is None else own.instance_sha256,
        seed=0 if model is None else model.seed,
        versions={} if model is None else model.versions,
        certificate=None if proof is None else proof.certificate,
        certified_bound=None if proof is None else proof.certified_bound,
        note="; ".join(notes) or None,
        stopped_because=stopped,
        instance=instance,
    )


def _is_infeasible(result: Result) -> bool:
    return result.status is Status.INFEASIBLE
