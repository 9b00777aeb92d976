"""Solving: from an instance and an `Ask` to a result with its trust.

Trust
-----
A closed run is ``proved``. It becomes ``agreed`` if a method of another solver family
proves the same value from nothing, and ``certified`` if its certificate passes a check
that uses no solver. A contradiction on the way is never resolved in silence: it is a
`WrongAnswerError` that names both sides, and where two methods disagree the folder that
holds the instance, made small, and both answers. If a method that was to agree or to
certify fails in any other way, the answer is unchanged and a note of the result gives
the reason.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
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
    placed,
    ran_out_of_memory,
    within_memory,
)
from atleastk.instances.instance import Instance
from atleastk.models.completed import completed, solution_of
from atleastk.models.in_time import awaited_unless
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status, Stop, Trust
from atleastk.runs.ask import AUTO, Ask
from atleastk.runs.disagreements import contradictory, store
from atleastk.runs.registry import method_named, problem_of
from atleastk.runs.versions import versions_in_use
from atleastk.runs.watch import Watch
from atleastk.solvers.budget import Budget, resident_memory
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.engine.in_time import result_in_time
from atleastk.solvers.engine.stages import is_tiny, solve_automatically, solve_by_work
from atleastk.solvers.method import Algorithm, Method
from atleastk.solvers.problem import Problem
from atleastk.solvers.search import Proof, Search

P = ParamSpec("P")

_SOLVING = 0.8
"""The share of the time for solving if a certificate is asked for: an open run has the
rest for one of its bound, and goes on in what is left of it. Not tuned."""

_AGAIN = 2.0
"""Seconds of a run that repeats a contradiction on a smaller instance."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result, and how its run ended."""

    result: Result
    signalled: signal.Signals | None
    """The signal that ended the run early, if one did."""
    abandoned: bool
    """Whether a solver was left behind in a thread because it did not stop."""
    cut: bool = False
    """Whether a second signal ended the wait for it."""

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


@dataclass(eq=False, slots=True)
class _Run:
    """The state of a run."""

    problem: Problem[Any]
    ask: Ask
    watch: Watch
    search: Search[Any]
    failures: list[str] = field(default_factory=list)
    """Why there are no certificates, or none that can be re-checked."""
    checked: Proof | None = None
    """The last proof that has passed its check."""

    def attend(
        self, work: Callable[[Search[Any]], None], *, unlimited: bool = False
    ) -> None:
        """Run a method on the search under the watch."""
        within = partial(_in_memory, work if unlimited else _in_time(work))
        ended = self.watch.attend(within, self.search, unlimited=unlimited)
        for ran in () if ended else self.search.left_behind:
            self.watch.tell(ran)


@within_memory("solving")
def solve_within(
    instance: Instance, ask: Ask, problem: Problem[Any] | None = None
) -> Outcome:
    """Solve an instance as asked; see `atleastk.solve`.

    A second signal ends it, too, with the best solution and bound found. `problem` is
    that of the instance by default.
    """
    problem = problem or problem_of(instance)
    ask = replace(ask, budget=ask.budget.beside(resident_memory()))
    work = _work_of(problem, instance, ask)
    watch = Watch(ask.budget, ask.on_event, ask.on_stage)
    _ = instance.sha256  # kept: at the end, that of a large one would be an over-run
    with watch.hearing_signals():
        solving = ask.budget.share(_SOLVING) if ask.certify else ask.budget
        check, budget = problem.check, solving.apart()
        told = ask.on_stage and watch.report
        search = Search(instance, check, budget, watch.report, ask.goal, told)
        run = _Run(problem, ask, watch, search)
        _offer_start(run)
        trust: Trust | None = None
        label = ask.method
        notes = [] if ask.note is None else [ask.note]
        stopped, sought = Stop.INTERRUPTED, False
        with watch.ending_when_cut():
            _perform(run, work)
            stopped = _end_of_open(run)
            if ask.certify:
                stopped = _go_on(run, work, stopped)
            if search.closed:
                trust = Trust.PROVED
                if ask.agree:
                    partner = _agreeing(run, notes)
                    if partner is not None:
                        trust, label = Trust.AGREED, f"{label}; agreed with {partner}"
            elif stopped is Stop.GAVE_UP:
                gave_up = f"{ask.method} ended before its time and gave no reason"
                notes += search.remarks or [gave_up]
            notes += search.notes
            sought = _is_sought(run, stopped)
            if sought and search.certificate is None:
                _seek_certificate(run)
            if sought or search.closed:
                passed = _certified(run, part=sought)
                if passed and search.closed:
                    trust = Trust.CERTIFIED
                elif ask.certify and not passed:
                    part = " of the whole bound" if search.proof is not None else ""
                    missing = f"no certificate{part} was found"
                    if search.certificate is not None:
                        missing = "its certificate was not re-checked"
                    notes.append(_with_reasons(missing, ask.budget, run.failures))
            if watch.overrun:
                notes.append(_prepared(watch))
        part_known = sought or search.proof is run.checked
        found = _result_of(search, label, stopped, trust, notes, part=part_known)
        outcome = Outcome(found, None, watch.abandoned, watch.cut)
    return outcome.after(watch)


def approximated(
    problem: Problem[Any],
    algorithm: Algorithm[Any],
    instance: Instance,
    budget: Budget,
    seconds: float | None = None,
) -> Result:
    """Return the result of an approximation algorithm, with its guarantee.

    Raise `NoAnswerError` if the time is over or a user's own algorithm fails,
    `NotApplicableError` if it refuses the instance, and `WrongAnswerError` if it
    returns no solution. `seconds` is the limit of the budget, if it has one; an
    algorithm that takes longer is left running in its thread.
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
    """Return the result of a search.

    `trust` is that of a closed search; `stopped` is why an open one ended, or the
    interrupt. With `part` a certificate of a weaker bound is included, too.
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
            trust={Status.FEASIBLE: Trust.HEURISTIC, Status.UNKNOWN: None}.get(
                status, trust or Trust.PROVED
            ),
            cost=search.cost,
            bound=None if search.infeasible else search.bound,
            solution=None
            if search.solution is None
            else completed(search.instance, search.solution).in_normal_form(),
            method=method,
            seconds=search.seconds,
            instance_sha256=search.instance.sha256,
            seed=search.budget.seed,
            events=tuple(search.events),
            versions=versions_in_use(),
            certificate=whole if less is None else less.certificate,
            certified_bound=None if less is None else less.bound,
            note="; ".join(notes) or None,
            stopped_because=stopped,
            found_by=search.found_by,
            proved_by=search.proved_by,
            instance=search.instance,
        )


def _go_on(run: _Run, work: Callable[[Search[Any]], None], stopped: Stop) -> Stop:
    """Certify the bound of a search that its time left open, then go on with the rest.

    Time is reserved again if a certificate was found: the bound may rise. Return why
    the search ended at last.
    """
    search, whole = run.search, run.ask.budget
    while stopped is Stop.TIME_LIMIT and not (search.settled or whole.ending):
        if search.certificate is None and search.bound is not None:
            _seek_certificate(run)
        _certified(run, part=True)
        if run.watch.abandoned or search.settled or whole.ending:
            return _end_of_open(run)
        part = whole.share(_SOLVING)
        reserved = search.certificate is not None and not part.ending
        search.budget = (part if reserved else whole).apart()
        run.attend(work)
        stopped = _end_of_open(run)
    return stopped


def _end_of_open(run: _Run) -> Stop:
    """Return why a run with an open search ended."""
    budget = run.search.budget
    if run.watch.signalled is not None:
        return Stop.INTERRUPTED
    if run.watch.halted:
        return Stop.CALLBACK
    if run.search.met is not None:
        return run.search.met
    if budget.work.left <= 0.0:
        return Stop.WORK_LIMIT
    return Stop.TIME_LIMIT if budget.ending else Stop.GAVE_UP


def _status(search: Search[Any]) -> Status:
    if search.infeasible:
        return Status.INFEASIBLE
    if search.solution is None:
        return Status.UNKNOWN
    return Status.OPTIMAL if search.closed else Status.FEASIBLE


def _perform(run: _Run, work: Callable[[Search[Any]], None]) -> None:
    """Run first answers, then the method; tiny instances need no first answers."""
    search, automatic = run.search, run.ask.method == AUTO
    small = is_tiny(search.instance)
    if automatic and not small:
        _begin(run)
    if not search.settled:
        run.attend(work)
    if automatic and small and search.solution is None:
        _begin(run)  # the time was up at once


def _begin(run: _Run) -> None:
    """Find first answers, whatever the limit, unless the instance is infeasible."""

    def offer(search: Search[Any]) -> None:
        if run.problem.first_bound is not None:
            with search.stage("first bounds"):
                run.problem.first_bound(search)
        with search.stage("first answers"):
            offer_first(search, run.problem.first(search.instance))

    if not run.search.infeasible:
        run.attend(offer, unlimited=True)


def _in_time(work: Callable[[Search[Any]], None]) -> Callable[[Search[Any]], None]:
    """Return a method that ends with the time of its search whenever it looks up."""

    def run(search: Search[Any]) -> None:
        with search.budget.awaiting():
            work(search)

    return run


def _in_memory(run: Callable[[Search[Any]], None], search: Search[Any]) -> None:
    """Run a method; if memory runs out, keep the solution found until then.

    Raise `OutOfMemoryError` if there is none.
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


def _prepared(watch: Watch) -> str:
    took = f"took {watch.prepared:.0f} s beside the limit"
    if watch.tired:
        took += ", longer than the run waits: it was cut short"
    if not watch.compiled:
        return f"loading solvers and machine code {took}"
    return (
        f"loading solvers and compiling loops, once after an installation, {took}; "
        f"atleastk warm-up does that beforehand"
    )


def _work_of(
    problem: Problem[Any], instance: Instance, ask: Ask
) -> Callable[[Search[Any]], None]:
    """Return the function to run; refuse methods that cannot do what is asked."""
    work, name = ask.budget.work, ask.method
    found: Callable[[Search[Any]], None]
    if isinstance(name, str) and name == AUTO:
        found = partial(solve_automatically, problem, certified_later=ask.certify)
        if work.limited:
            found = partial(solve_by_work, problem)
    else:
        method = method_named(problem, name)
        if work.limited and not method.counts_work:
            raise NotApplicableError(
                f"{name} cannot keep a limit on work: only methods in CP-SAT count it"
            )
        reason = method.refuses(instance)
        if reason is not None:
            raise NotApplicableError(f"{name} cannot take this instance: {reason}")
        found = method.run
    if work.limited and (ask.certify or ask.agree):
        raise NotApplicableError(
            "work_limit: certify and agree do not keep it; leave them out"
        )
    return found


def _offer_start(run: _Run) -> None:
    """Offer a warm start, if any; one that is refused is the caller's mistake."""
    search, start = run.search, run.ask.start
    if start is None:
        return
    with placed("start"):
        solution = solution_of(start, run.problem.name)
    if solution is None:
        return
    verdict = run.problem.check(search.instance, solution)
    if not verdict.feasible:
        raise InvalidResultError(
            f"start: not a solution of this instance: {verdict.violations[0]}"
        )
    search.offer(solution, "start")


def _agreeing(run: _Run, notes: list[str]) -> str | None:
    """Return the other methods that proved the value, so that two families have.

    If it is not known which family proved it first, two others have to. If none agrees,
    a note gives the reason.
    """
    problem, search, budget = run.problem, run.search, run.ask.budget
    failures: list[str] = []
    first = _prover(run)
    families = set() if first is None else {first.family}
    partners: list[str] = []
    for other in problem.methods:
        if run.watch.abandoned or budget.spent:
            break
        if other.name == run.ask.method or other.family in families:
            continue
        if other.refuses(search.instance) is not None:
            continue
        second: Search[Any] = Search(search.instance, problem.check, budget.apart())
        failed: list[str] = []
        run.watch.attend(_tolerated(_in_time(other.run), failed), second)
        _expect_agreement(run, second, other.name)
        if second.closed:
            families.add(other.family)
            partners.append(other.name)
        elif not budget.ending:
            reasons = failed or second.remarks or ["ended before its time"]
            failures += [f"{other.name}: {reason}" for reason in reasons]
        if len(families) > 1:
            return " and ".join(partners)
    notes.append(_with_reasons("no second method agreed", budget, failures))
    return None


def _tolerated(work: Callable[P, object], failures: list[str]) -> Callable[P, None]:
    """Return `work` with its errors added to a list; contradictions are raised."""

    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            work(*args, **kwargs)
        except WrongAnswerError:
            raise
        except Exception as error:
            reason = " ".join(str(error).split())
            failures.append(reason or type(error).__name__)

    return run


def _with_reasons(what: str, budget: Budget, reasons: Sequence[str]) -> str:
    """Return a note that something failed, with the known reasons."""
    within = " within the time" if budget.ending else ""
    why = f" ({'; '.join(dict.fromkeys(reasons))})" if reasons else ""
    return f"{what}{within}{why}"


def _prover(run: _Run) -> Method[Any] | None:
    """Return the method whose proof closed the search, if it is known."""
    automatic = run.ask.method == AUTO
    source = run.search.proved_by or "" if automatic else run.ask.method
    source = source.rpartition(": ")[2]
    named = [m for m in run.problem.methods if source.startswith(m.name)]
    return max(named, key=lambda m: len(m.name), default=None)


def _expect_agreement(run: _Run, second: Search[Any], name: str) -> None:
    """Raise `WrongAnswerError` if the search of another method contradicts the run."""
    first = run.search
    answers = {
        method: _result_of(search, method, Stop.GAVE_UP)
        for method, search in ((run.ask.method, first), (name, second))
    }
    if not contradictory(*answers.values()):
        return
    budget = first.budget

    def again(instance: Instance, method: str) -> Result:
        short = Budget.of(_AGAIN, 1, budget.seed, budget.memory)
        return solve_within(instance, Ask(short, method), run.problem).result

    raise WrongAnswerError(
        f"{first.proved_by} and {name} contradict each other: {_claim(first)} "
        f"against {_claim(second)}; {store(first.instance, answers, again)}"
    )


def _claim(search: Search[Any]) -> str:
    if search.infeasible:
        return "infeasible"
    return f"cost {search.cost}, bound {search.bound}"


def _is_sought(run: _Run, stopped: Stop) -> bool:
    """Tell whether to look for a certificate of the bound of a search.

    Of an open one only if its time was over or its method gave up.
    """
    search = run.search
    ended = stopped in (Stop.TIME_LIMIT, Stop.GAVE_UP)
    claims = search.closed or (search.bound is not None and ended)
    return run.ask.certify and claims


def _seek_certificate(run: _Run) -> None:
    """Look for a certificate of the bound of a search, while there is time."""
    if not run.ask.budget.spent and run.problem.certify is not None:
        run.watch.perform(_tolerated(partial(_certify, run), run.failures))


def _certify(run: _Run) -> None:
    problem, search, budget = run.problem, run.search, run.ask.budget
    bound = None if search.infeasible else search.bound
    source = search.proved_by or AUTO
    assert problem.certify is not None
    with budget.awaiting():
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


def _certified(run: _Run, *, part: bool) -> bool:
    """Tell whether the certificate of a search passes, without any solver.

    With `part` a certificate of a weaker bound is re-checked, too; it is dropped if it
    proves no more than `least_cost`, and for the last that passed if there is no time.
    """
    search = run.search
    proof, whole = search.proof, search.certificate is not None
    if proof is None or not (whole or part):
        return False
    if not whole and (proof.bound or 0) <= search.instance.least_cost:
        search.proof = None
        return False
    if proof is not run.checked:
        run.watch.perform(partial(_recheck, run, proof))
    if proof is not run.checked and not whole:
        search.proof = run.checked
    return whole and proof is run.checked


def _recheck(run: _Run, proof: Proof) -> None:
    """Check a proof, and keep it if it holds; drop it if that cannot be re-checked."""
    search, watch = run.search, run.watch
    try:
        with awaited_unless(lambda: not watch.waits()):
            check = run.problem.check_certificate
            check(search.instance, proof.certificate, proof.bound)
            run.checked = proof
    except NotApplicableError as error:
        search.proof = run.checked
        run.failures.append(str(error))
    except CertificateError as error:
        raise WrongAnswerError(
            f"the certificate of {search.proved_by} is refused: {error}"
        ) from error
