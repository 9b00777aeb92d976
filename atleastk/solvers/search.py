"""A search: incumbent and bound of a run, and the checks that both have to pass.

Every method reports to a :class:`Search`. No solution passes it without the checker of
models/ having recomputed its cost, and no bound above a known cost: a method that
reports one has made a mistake, and the run ends with a `WrongAnswerError` that names
it.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar

from atleastk.instances.fields.errors import WrongAnswerError
from atleastk.instances.instance import Instance
from atleastk.models.results.result import Event
from atleastk.models.results.solution import Solution, Verdict
from atleastk.models.results.status import Stop
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.goal import Goal

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers

_OPEN: Final[ContextVar[tuple[str, ...]]] = ContextVar("stages", default=())
"""The stages that a thread is in, from the outermost in."""


class Proof(NamedTuple):
    """A certificate, and the bound that it proves; None: that nothing is feasible."""

    bound: int | None
    certificate: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Ran:
    """A stage that has ended: when, after how long, and what it moved."""

    seconds: float
    by: str  # its name, after those of the stages it is in
    took: float
    costs: int = 0  # how many better ones it found
    bounds: int = 0  # likewise
    levels: int = 0  # how many it refuted on the way
    said: tuple[str, ...] = ()  # of itself: whether a list is complete, say


_Entered = tuple[tuple[str, ...], float, Counter[str]]
"""The names of a stage that was entered, when, and what it had moved before."""


class Search(Generic[I]):
    """The state of a run on one instance; safe to report to from several threads.

    Attributes
    ----------
    cost, solution
        The best so far, checked; None before the first.
    ties
        What decides between solutions of this cost, as in `Verdict.ties`.
    checking
        How many seconds the last solution took to be checked.
    bound
        No solution costs less; None if nothing is known.
    infeasible
        Whether it was proved that no solution exists.
    proof
        The greatest bound that can be re-checked without a solver, if any was given
        with a certificate; it may be less than ``bound``.
    found_by, proved_by
        Who found the best solution and who proved the bound: the stages it was in, if
        any, and the source, as in "rounds: completion".
    credits
        How often whom: ``"cost", who`` for better solutions, ``"bound", who`` for
        better bounds and for infeasibility, ``"level", who`` for levels that were
        refuted on the way to a bound.
    met
        Which part of the goal was met, if one was. The budget, which has a ``stop`` of
        its own where there is a goal, is then stopped: methods need not know of goals.
    remarks
        Why methods ended before their time; see :meth:`remark`.
    notes
        What is said of the result however the run ends; see :meth:`note`.
    """

    def __init__(
        self,
        instance: I,
        check: Callable[[I, Solution], Verdict],
        budget: Budget,
        on_event: Callable[[Event], object] | None = None,
        goal: Goal | None = None,
        on_stage: Callable[[Ran], object] | None = None,
    ) -> None:
        self.instance = instance
        self.budget = budget
        self.cost: int | None = None
        self.solution: Solution | None = None
        self.ties: tuple[int, ...] = ()
        self.checking = 0.0
        self.bound: int | None = None
        self.infeasible = False
        self.proof: Proof | None = None
        self.found_by: str | None = None
        self.proved_by: str | None = None
        self.credits: Counter[tuple[str, str]] = Counter()
        self.events: list[Event] = []
        self.met: Stop | None = None
        self.remarks: list[str] = []
        self.notes: list[str] = []
        self._check = check
        self._on_event = on_event
        self._on_stage = on_stage
        self._said: list[tuple[tuple[str, ...], str]] = []
        self._goal = goal or Goal()
        self._started = CLOCK.now()
        self._lock = threading.RLock()
        self._outer = len(_OPEN.get())
        self._entered: list[_Entered] = [((), 0.0, Counter())]

    @property
    def seconds(self) -> float:
        """The seconds since the search began."""
        return CLOCK.now() - self._started

    @property
    def late(self) -> float:
        """The seconds since the time was up; below 0 until then."""
        return CLOCK.now() - self.budget.deadline

    @property
    def certificate(self) -> Mapping[str, Any] | None:
        """The certificate of all that is claimed, if there is one."""
        bound = None if self.infeasible else self.bound
        whole = self.proof is not None and self.proof.bound == bound
        return self.proof.certificate if self.proof is not None and whole else None

    @property
    def closed(self) -> bool:
        """Whether nothing is left to do: optimal, or proved infeasible."""
        met = self.cost is not None and self.cost == self.bound
        return met or self.infeasible

    @property
    def settled(self) -> bool:
        """Whether nothing more is asked for: closed, or the goal is met."""
        return self.closed or self.met is not None

    @property
    def done(self) -> bool:
        """Whether the run should end: closed, or the budget is spent."""
        return self.closed or self.budget.spent

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """In the body, and in threads that it starts, reports come from a stage."""
        token = _OPEN.set((*_OPEN.get(), name))
        path = _OPEN.get()[self._outer :]
        entered = path, self.seconds, self._moved(path)
        self._entered.append(entered)
        try:
            yield
        finally:
            self._entered.remove(entered)
            _OPEN.reset(token)
            if self._on_stage is not None:
                self._on_stage(self._ran(*entered))

    @property
    def left_behind(self) -> list[Ran]:
        """The stages that have not ended, the innermost first."""
        return [self._ran(*each, "left behind") for each in self._entered[:0:-1]]

    def _ran(
        self, path: tuple[str, ...], began: float, before: Counter[str], *more: str
    ) -> Ran:
        with self._lock:
            said = [text for place, text in self._said if place == path]
            self._said = [each for each in self._said if each[0] != path]
            moved = self._moved(path) - before
        ends = moved["cost"], moved["bound"], moved["level"]
        now = self.seconds
        return Ran(now, ": ".join(path), now - began, *ends, (*said, *more))

    def _moved(self, path: tuple[str, ...]) -> Counter[str]:
        """Return how often a stage, or one in it, has moved what."""
        moved: Counter[str] = Counter()
        if self._on_stage is not None:
            name = ": ".join(path)
            with self._lock:
                for (end, who), times in self.credits.items():
                    if who == name or who.startswith(f"{name}: "):
                        moved[end] += times
        return moved

    @property
    def _path(self) -> tuple[str, ...]:
        """The stages of this thread.

        Threads of foreign solvers are in none: they are in that entered last.
        """
        return _OPEN.get()[self._outer :] or self._entered[-1][0]

    def _who(self, source: str) -> str:
        """Return the stages of this thread, and the source if it has another name."""
        path = self._path
        return ": ".join(path if path[-1:] == (source,) else (*path, source))

    def offer(self, groups: Iterable[Iterable[int]] | Solution, source: str) -> bool:
        """Report a solution; tell whether it is better than the best so far.

        Of equal cost it is if the ties say so; that is no event.
        """
        solution = groups if isinstance(groups, Solution) else Solution.of(groups)
        verdict = self._judged(solution)
        if not verdict.feasible or verdict.cost is None:
            raise WrongAnswerError(
                f"{source} returned a wrong solution: {verdict.violations[0]}"
            )
        return self._take(solution, verdict.cost, verdict.ties, source)

    def offer_if_feasible(self, solution: Solution, source: str) -> float:
        """Report what may break a limit; return its cost, infinite if it does."""
        verdict = self._judged(solution)
        if not verdict.feasible or verdict.cost is None:
            return float("inf")
        self._take(solution, verdict.cost, verdict.ties, source)
        return verdict.cost

    def _judged(self, solution: Solution) -> Verdict:
        began = self.seconds
        verdict = self._check(self.instance, solution)
        self.checking = self.seconds - began
        return verdict

    def _take(
        self, solution: Solution, cost: int, ties: tuple[int, ...], source: str
    ) -> bool:
        """Keep a checked solution if it is better; nothing else may contradict it."""
        with self._lock:
            if self.infeasible:
                raise WrongAnswerError(
                    f"{source} solved what {self.proved_by} called infeasible"
                )
            if self.bound is not None and cost < self.bound:
                raise WrongAnswerError(
                    f"{source} found a solution of cost {cost}, below the "
                    f"bound {self.bound} claimed by {self.proved_by}"
                )
            known = self.cost
            if known is not None and (cost, ties) >= (known, self.ties):
                return False
            self.cost, self.solution, self.ties = cost, solution, ties
            self.found_by = who = self._who(source)
            if cost == known:
                return True
            self.credits["cost", who] += 1
            self._record(who)
        return True

    def raise_bound(
        self, bound: int, source: str, certificate: Mapping[str, Any] | None = None
    ) -> bool:
        """Report a lower bound; tell whether it is better than the best so far.

        It never is once nothing is feasible: no bound says more than that.
        """
        with self._lock:
            if self.infeasible:
                return False
            if self.cost is not None and bound > self.cost:
                raise WrongAnswerError(
                    f"{source} claims that nothing costs less than {bound}, but "
                    f"{self.found_by} found a solution of cost {self.cost}"
                )
            known = None if self.proof is None else self.proof.bound
            if certificate is not None and (known is None or bound >= known):
                self.proof = Proof(bound, certificate)
            if self.bound is not None and bound <= self.bound:
                return False
            self.bound, self.proved_by = bound, self._who(source)
            self.credits["bound", self.proved_by] += 1
            self._record(self.proved_by)
        return True

    def close_infeasible(
        self, source: str, certificate: Mapping[str, Any] | None = None
    ) -> None:
        """Report a proof that no solution exists."""
        with self._lock:
            if self.cost is not None:
                raise WrongAnswerError(
                    f"{source} calls infeasible what {self.found_by} solved"
                )
            if not self.infeasible:
                self.proved_by = self._who(source)
                self.credits["bound", self.proved_by] += 1
            self.infeasible = True
            self.proof = None if certificate is None else Proof(None, certificate)

    def refuted(self, source: str) -> None:
        """Report who refuted a level of one number of groups; for the record."""
        with self._lock:
            self.credits["level", self._who(source)] += 1

    def conclude(self, source: str) -> None:
        """Report that all was tried: the best is optimal; without it there is none."""
        if self.cost is None:
            self.close_infeasible(source)
        else:
            self.raise_bound(self.cost, source)

    def remark(self, reason: str) -> None:
        """Say why a method ends without closing the search while there is time left.

        If the search stays open its result gives the reasons. At the end of the budget
        nothing is noted: that is reason enough.
        """
        with self._lock:
            if reason not in self.remarks and not (self.closed or self.budget.ending):
                self.remarks.append(reason)

    def note(self, text: str) -> None:
        """Have something said of the result, whether or not the search is closed."""
        with self._lock:
            if text not in self.notes:
                self.notes.append(text)

    def say(self, text: str) -> None:
        """Have something said of the stage of this thread when it has ended."""
        if self._on_stage is not None:
            with self._lock:
                self._said.append((self._path, text))

    @contextmanager
    def held(self) -> Iterator[None]:
        """While the body runs, reports from other threads wait."""
        with self._lock:
            yield

    def _record(self, who: str) -> None:
        self.met = self.met or self._goal.met_by(self.cost, self.bound)
        if self.met is not None:
            self.budget.stop.set()
        event = Event(self.seconds, self.cost, self.bound, who)
        self.events.append(event)
        if self._on_event is not None:
            self._on_event(event)
