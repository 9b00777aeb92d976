"""Solving: from an instance and a budget to a result that says why to believe it.

Trust
-----
A closed run is ``proved``. It becomes ``agreed`` if a method of another solver family
proves the same value from nothing, and ``certified`` if its certificate passes a check
that uses no solver. A contradiction on the way is never resolved in silence: it is a
`WrongAnswerError` that names both sides, and where two methods disagree the folder that
holds the instance, made small, and both answers. Any other failure of a method that was
to agree or to certify loses no answer: a note of the result tells it.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ParamSpec, Self

from atleastk.instances.fields.errors import (
    MORE_MEMORY,
    CertificateError,
    InvalidResultError,
    NoAnswerError,
    NotApplicableError,
    OutOfMemoryError,
    WrongAnswerError,
    ran_out_of_memory,
    within_memory,
)
from atleastk.instances.instance import Instance
from atleastk.models.completed import Claim, completed, solution_of
from atleastk.models.results.result import Event, Result
from atleastk.models.results.status import Status, Stop, Trust
from atleastk.runs.disagreements import contradictory, kept
from atleastk.runs.registry import method_named
from atleastk.runs.versions import versions_in_use
from atleastk.runs.watch import Watch
from atleastk.solvers.budget import Budget, WorkLimit
from atleastk.solvers.engine import tiny
from atleastk.solvers.engine.by_work import solve_by_work
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.engine.in_time import result_in_time
from atleastk.solvers.goal import Goal
from atleastk.solvers.method import Algorithm, Method
from atleastk.solvers.problem import Problem
from atleastk.solvers.search import Search

P = ParamSpec("P")

AUTO = "auto"
"""The name of the automatic choice of methods."""

_SOLVING = 0.8
"""The share of the time for solving if a certificate is asked for: an open run has the
rest for one of its bound. Not tuned."""

_AGAIN = 2.0
"""Seconds of a run that repeats a contradiction on a smaller instance."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result, and how its run ended.

    Attributes
    ----------
    signalled
        The signal that ended the run early, if one did.
    abandoned
        Whether a solver was left behind in a thread because it did not stop.
    cut
        Whether a second signal ended the wait for it.
    """

    result: Result
    signalled: signal.Signals | None
    abandoned: bool
    cut: bool = False

    def after(self, watch: Watch) -> Self:
        """Return the outcome of the run with more work that was watched."""
        result = self.result
        if watch.signalled is not None:
            result = replace(result, stopped_because=Stop.INTERRUPTED)
        return replace(
            self,
            result=result,
            signalled=self.signalled or watch.signalled,
            abandoned=self.abandoned or watch.abandoned,
            cut=self.cut or watch.cut,
        )

    def unless_cut(self) -> Self:
        """Return the outcome; a second signal raises `KeyboardInterrupt` here."""
        if self.cut:
            raise KeyboardInterrupt
        return self


@within_memory("solving")
def solve_within(
    problem: Problem[Any],
    instance: Instance,
    budget: Budget,
    *,
    method: str = AUTO,
    certify: bool = False,
    agree: bool = False,
    start: Claim | None = None,
    on_event: Callable[[Event], object] | None = None,
    goal: Goal | None = None,
) -> Outcome:
    """Solve an instance within a budget that runs already; see `atleastk.solve`.

    A second signal ends it, too, with what has been found.
    """
    run = _run_of(problem, instance, method, budget.work, certify=certify)
    if budget.work.limited and (certify or agree):
        raise NotApplicableError(
            "work_limit: certify and agree do not keep it; leave them out"
        )
    watch = Watch(budget, on_event)
    with watch.hearing_signals():
        solving = budget.share(_SOLVING) if certify else budget
        search = Search(instance, problem.check, solving.apart(), watch.report, goal)
        if start is not None:
            _offer_start(search, problem, start)
        trust: Trust | None = None
        label = method
        notes: list[str] = []
        stopped, sought = Stop.INTERRUPTED, False
        with watch.ending_when_cut():
            small = tiny.is_tiny(instance)
            if method == AUTO and not small:
                _begin(watch, problem, search)
            if not search.settled:
                watch.attend(partial(_in_memory, run), search)
            if method == AUTO and small and search.solution is None:
                _begin(watch, problem, search)  # the time was up at once
            stopped = _end_of_open(search, watch, solving)
            if search.closed:
                trust = Trust.PROVED
                if agree:
                    partner = _agreeing(watch, budget, problem, search, method, notes)
                    if partner is not None:
                        trust, label = Trust.AGREED, f"{label}; agreed with {partner}"
            elif stopped is Stop.GAVE_UP:
                gave_up = f"{method} ended before its time and gave no reason"
                notes += search.remarks or [gave_up]
            notes += search.notes
            failures: list[str] = []
            sought = search.certificate is None and _is_sought(certify, search, stopped)
            if sought:
                seek = partial(_seek_certificate, problem, search, budget)
                watch.perform(_tolerated(seek, failures))
            if sought or search.closed:
                passed = _certified(watch, problem, search, failures, part=sought)
                if passed and search.closed:
                    trust = Trust.CERTIFIED
                elif certify and not passed:
                    part = " of the whole bound" if search.proof is not None else ""
                    told = f"no certificate{part} was found"
                    notes.append(_told(told, budget, failures))
            if watch.overrun:
                notes.append(_prepared(watch.prepared))
        found = _result_of(search, label, stopped, trust, notes, part=sought)
        outcome = Outcome(found, None, watch.abandoned, watch.cut)
    return outcome.after(watch)


def approximated(
    problem: Problem[Any],
    algorithm: Algorithm[Any],
    instance: Instance,
    budget: Budget,
    seconds: float | None = None,
) -> Result:
    """Return what an approximation algorithm finds, with its guarantee.

    Parameters
    ----------
    seconds
        The limit of the budget, if it has one: what takes longer is left behind.

    Raises
    ------
    NoAnswerError
        If the time is over, or if it is of the caller's own and ends otherwise.
    NotApplicableError
        If it cannot take this instance.
    WrongAnswerError
        If what it returns is no solution.
    """
    reason = algorithm.refuses(instance)
    if reason is not None:
        raise NotApplicableError(
            f"{algorithm.name} cannot take this instance: {reason}"
        )

    def run() -> Result:
        search = Search(instance, problem.check, budget)
        search.offer(algorithm.run(instance, budget.seed), algorithm.name)
        return _result_of(search, algorithm.name, Stop.ALGORITHM)

    result = run() if seconds is None else result_in_time(budget, run, stops=True)
    if result is None:
        raise NoAnswerError(f"{algorithm.name}: no answer after {seconds:g} s")
    return replace(result, guarantee=algorithm.guarantee)


def _result_of(
    search: Search[Any],
    method: str,
    stopped: Stop,
    trust: Trust | None = None,
    notes: Sequence[str] = (),
    *,
    part: bool = False,
) -> Result:
    """Return what a search has found.

    `trust` is that of a closed search; `stopped` tells what ended one that is open, or
    that somebody interrupted. With `part` also a certificate of less than the bound.
    """
    with search.held():
        status = _status(search)
        whole = search.certificate
        less = search.proof if part and whole is None else None
        if search.closed and stopped is not Stop.INTERRUPTED:
            stopped = Stop.CLOSED
        return Result(
            problem=search.instance.problem,
            status=status,
            trust={
                Status.FEASIBLE: Trust.HEURISTIC,
                Status.UNKNOWN: None,
            }.get(status, trust or Trust.PROVED),
            cost=search.cost,
            bound=None if search.infeasible else search.bound,
            solution=None
            if search.solution is None
            else completed(search.instance, search.solution).in_normal_form(),
            method=method,
            seconds=search.seconds,
            instance_sha256=search.instance_sha256,
            seed=search.budget.seed,
            events=tuple(search.events),
            versions=versions_in_use(),
            certificate=whole if less is None else less.certificate,
            certified_bound=None if less is None else less.bound,
            note="; ".join(notes) or None,
            stopped_because=stopped,
            instance=search.instance,
        )


def _end_of_open(search: Search[Any], watch: Watch, budget: Budget) -> Stop:
    """Return what ended a run whose search is still open."""
    if watch.signalled is not None:
        return Stop.INTERRUPTED
    if watch.halted:
        return Stop.CALLBACK
    if search.met is not None:
        return search.met
    if budget.work.left <= 0.0:
        return Stop.WORK_LIMIT
    return Stop.TIME_LIMIT if budget.ending else Stop.GAVE_UP


def _status(search: Search[Any]) -> Status:
    if search.infeasible:
        return Status.INFEASIBLE
    if search.solution is None:
        return Status.UNKNOWN
    return Status.OPTIMAL if search.closed else Status.FEASIBLE


def _begin(watch: Watch, problem: Problem[Any], search: Search[Any]) -> None:
    """Find first answers, whatever the limit, unless nothing is feasible."""

    def offer(search: Search[Any]) -> None:
        offer_first(search, problem.first(search.instance))

    if not search.infeasible:
        watch.attend(partial(_in_memory, offer), search, unlimited=True)


def _in_memory(run: Callable[[Search[Any]], None], search: Search[Any]) -> None:
    """Run a method; if memory runs out, keep what was found until then.

    Raises
    ------
    OutOfMemoryError
        If nothing was.
    """
    try:
        run(search)
    except Exception as error:
        if not ran_out_of_memory(error):
            raise
        if search.solution is None:
            raise OutOfMemoryError(
                f"{search.instance.problem}: memory ran out; {MORE_MEMORY}"
            ) from error
        search.remark("memory ran out")


def _prepared(seconds: float) -> str:
    """Say why a run took longer than its limit."""
    return (
        f"loading solvers and compiling loops, once after an installation, took "
        f"{seconds:.0f} s beside the limit; atleastk warm-up does that beforehand"
    )


def _run_of(
    problem: Problem[Any],
    instance: Instance,
    name: str,
    work: WorkLimit,
    *,
    certify: bool,
) -> Callable[[Search[Any]], None]:
    if isinstance(name, str) and name == AUTO:
        if work.limited:
            return partial(solve_by_work, problem)
        return partial(tiny.solve, problem, certified_later=certify)
    method = method_named(problem, name)
    if work.limited and not method.counts_work:
        raise NotApplicableError(
            f"{name} cannot keep a limit on work: only methods in CP-SAT count it"
        )
    reason = method.refuses(instance)
    if reason is not None:
        raise NotApplicableError(f"{name} cannot take this instance: {reason}")
    return method.run


def _offer_start(search: Search[Any], problem: Problem[Any], start: Claim) -> None:
    """Offer a warm start; one that the checker refuses is the caller's mistake."""
    solution = solution_of(start, problem.name)
    if solution is None:
        return
    verdict = problem.check(search.instance, solution)
    if not verdict.feasible:
        raise InvalidResultError(
            f"start: not a solution of this instance: {verdict.violations[0]}"
        )
    search.offer(solution, "start")


def _agreeing(
    watch: Watch,
    budget: Budget,
    problem: Problem[Any],
    search: Search[Any],
    method: str,
    notes: list[str],
) -> str | None:
    """Return which other method proved the value, so that two families have.

    If it is not known which family proved it first, two others have to. Where nobody
    agrees a note says why.
    """
    failures: list[str] = []
    first = _prover(problem, search, method)
    families = set() if first is None else {first.family}
    partners: list[str] = []
    for other in _strangers(problem, search.instance, method):
        if watch.abandoned or budget.spent:
            break
        if other.family in families:
            continue
        second: Search[Any] = Search(search.instance, problem.check, budget.apart())
        failed: list[str] = []
        watch.attend(_tolerated(other.run, failed), second)
        _expect_agreement(problem, search, second, (method, other.name))
        if second.closed:
            families.add(other.family)
            partners.append(other.name)
        elif not budget.ending:
            reasons = failed or second.remarks or ["ended before its time"]
            failures += [f"{other.name}: {reason}" for reason in reasons]
        if len(families) > 1:
            return " and ".join(partners)
    notes.append(_told("no second method agreed", budget, failures))
    return None


def _tolerated(work: Callable[P, object], failures: list[str]) -> Callable[P, None]:
    """Return work whose failure is told at the end, so that no known answer is lost.

    A contradiction is raised all the same.
    """

    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            work(*args, **kwargs)
        except WrongAnswerError:
            raise
        except Exception as error:
            told = " ".join(str(error).split())
            failures.append(told or type(error).__name__)

    return run


def _told(what: str, budget: Budget, reasons: Sequence[str]) -> str:
    """Say what came to nothing, and why as far as it is known."""
    within = " within the time" if budget.ending else ""
    why = f" ({'; '.join(reasons)})" if reasons else ""
    return f"{what}{within}{why}"


def _prover(
    problem: Problem[Any], search: Search[Any], method: str
) -> Method[Any] | None:
    """Return the method whose proof closed the search, if it can be told."""
    source = search.proved_by or "" if method == AUTO else method
    named = [m for m in problem.methods if source.startswith(m.name)]
    return max(named, key=lambda m: len(m.name), default=None)


def _strangers(
    problem: Problem[Any], instance: Instance, method: str
) -> Iterator[Method[Any]]:
    """Give the other methods that take the instance."""
    for other in problem.methods:
        if other.name != method and other.refuses(instance) is None:
            yield other


def _expect_agreement(
    problem: Problem[Any], first: Search[Any], second: Search[Any], names: Sequence[str]
) -> None:
    """Raise `WrongAnswerError` if two searches contradict each other."""
    answers = {
        name: _result_of(search, name, Stop.GAVE_UP)
        for name, search in zip(names, (first, second), strict=True)
    }
    if not contradictory(*answers.values()):
        return
    budget = first.budget

    def again(instance: Instance, name: str) -> Result:
        short = Budget.of(_AGAIN, 1, budget.seed, budget.memory)
        return solve_within(problem, instance, short, method=name).result

    raise WrongAnswerError(
        f"{first.proved_by} and {names[1]} contradict each other: {_claim(first)} "
        f"against {_claim(second)}; {kept(first.instance, answers, again)}"
    )


def _claim(search: Search[Any]) -> str:
    if search.infeasible:
        return "infeasible"
    return f"cost {search.cost}, bound {search.bound}"


def _is_sought(certify: bool, search: Search[Any], stopped: Stop) -> bool:
    """Tell whether to look for a certificate of what a search claims.

    Of an open one only if nobody wants the run to end.
    """
    ended = stopped in (Stop.TIME_LIMIT, Stop.GAVE_UP)
    return certify and (search.closed or (search.bound is not None and ended))


def _seek_certificate(
    problem: Problem[Any], search: Search[Any], budget: Budget
) -> None:
    """Look for a certificate of what a search has proved."""
    if problem.certify is None:
        return
    bound = None if search.infeasible else search.bound
    source = search.proved_by or AUTO
    if bound is not None and problem.certify_less is not None:
        less = problem.certify_less(search.instance, bound, budget)
        if less is not None and less.bound is not None:
            search.raise_bound(less.bound, source, less.certificate)
        if search.certificate is not None:
            return
    found = problem.certify(search.instance, bound, budget)
    if bound is None:
        search.close_infeasible(source, found)
    else:
        search.raise_bound(bound, source, found)


def _certified(
    watch: Watch,
    problem: Problem[Any],
    search: Search[Any],
    failures: list[str],
    *,
    part: bool,
) -> bool:
    """Tell whether the certificate of a search passes, without any solver.

    With `part` one of less than its bound is re-checked, too, and goes if it says next
    to nothing.
    """
    proof, whole = search.proof, search.certificate is not None
    if proof is None or not (whole or part):
        return False
    if not whole and (proof.bound or 0) <= search.instance.least_cost:
        search.proof = None
        return False
    passed: list[bool] = []

    def recheck() -> None:
        try:
            problem.check_certificate(search.instance, proof.certificate, proof.bound)
        except NotApplicableError as error:  # nobody can tell: it goes
            search.proof = None
            failures.append(str(error))
        except CertificateError as error:
            raise WrongAnswerError(
                f"the certificate of {search.proved_by} is refused: {error}"
            ) from error
        else:
            passed.append(whole)

    watch.perform(recheck)
    return any(passed)
