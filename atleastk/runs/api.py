"""The public functions of atleastk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from atleastk.instances.family import at_least, require
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    InvalidResultError,
    NotApplicableError,
    UnknownNameError,
    WrongAnswerError,
    placed,
    within_memory,
)
from atleastk.instances.fields.garbage import garbage_waits
from atleastk.instances.files import files
from atleastk.instances.files.paths import AnyPath
from atleastk.instances.instance import Instance
from atleastk.models.completed import Claim, solution_of
from atleastk.models.results.result import Event, Result
from atleastk.models.results.solution import Verdict
from atleastk.models.results.status import Status
from atleastk.packages import Axes
from atleastk.plots.costs import draw_events
from atleastk.plots.drawing import save
from atleastk.runs import registry
from atleastk.runs.ask import AUTO, Ask
from atleastk.runs.judging import judged
from atleastk.runs.own_algorithms import Which, algorithm_of, algorithms_of
from atleastk.runs.solving import approximated, solve_within
from atleastk.runs.watch import hearing
from atleastk.solvers.budget import Budget, checked_seed
from atleastk.solvers.method import Algorithm, Method
from atleastk.solvers.problem import Problem

_COUNTS: Final = frozenset(
    {"n", "m", "rows", "columns", "groups", "size", "sets", "elements", "leaves"}
)
"""Parameters of families that say how much is drawn."""

_MOST_COUNT: Final = 10_000_000
"""More is probably a typing error, and would take minutes."""


@within_memory("loading")
def load(path: AnyPath) -> Instance:
    """Load the one instance of a ``.json`` file, compressed or not.

    Raises
    ------
    InvalidInstanceError
        On one line: the file, the place in it, and the reason.
    """
    instances = load_all(path)
    if len(instances) > 1:
        raise InvalidInstanceError(
            f"{path}: holds {len(instances)} instances; use load_all"
        )
    return instances[0]


@within_memory("loading")
@garbage_waits()
def load_all(path: AnyPath) -> list[Instance]:
    """Load every instance of a ``.jsonl`` file, one per line (or of a ``.json``)."""
    instances = []
    for place, document in files.documents(path):
        with placed(place):
            instances.append(registry.instance_from_dict(document))
    return instances


def from_dict(data: Mapping[str, Any]) -> Instance:
    """Build an instance from its JSON object, ``{"problem": ..., ...}``.

    Examples
    --------
    >>> atleastk.from_dict({"problem": "bin-covering", "sizes": [3, 4, 5], "k": 6}).n
    3
    """
    return registry.instance_from_dict(data)


def generate(
    problem: str, family: str, /, seed: int = 0, **parameters: int | str
) -> Instance:
    """Generate an instance of a family; see ``atleastk problems NAME``.

    Raises
    ------
    InvalidInstanceError
        If the family makes nothing of these parameters.
    UnknownNameError
        If there is no problem, family or parameter of a name.

    Examples
    --------
    >>> atleastk.generate("bin-covering", "uniform", seed=1, n=4, k=100).sizes
    (18, 73, 98, 9)
    """
    known = registry.family_named(registry.problem_named(problem), family)
    for name, value in parameters.items():
        whole = isinstance(known.default(name), int)
        message = f"{known.name}: {name}: expected an integer, got {value!r}"
        require(hasattr(value, "__index__") or not whole, message)
    seed = checked_seed(seed, "seed: ")
    counts = {name: parameters[name] for name in _COUNTS.intersection(parameters)}
    numbers = {
        n: count for n, count in counts.items() if isinstance(count, int | float)
    }
    for name, count in numbers.items():
        message = f"{name}: expected at most {_MOST_COUNT}, got {count}"
        require(count <= _MOST_COUNT, message)
    try:
        made: Instance = known.make(seed, **parameters)
    except (ArithmeticError, TypeError, ValueError) as error:
        raise InvalidInstanceError(f"{known.name}: {error}") from error
    at_least(0, **numbers)  # families report greater minimums first
    return made


def solve(
    instance: Instance,
    time_limit: float | None = None,
    *,
    workers: int | None = None,
    seed: int = 0,
    method: str = AUTO,
    certify: bool = False,
    agree: bool = False,
    start: Claim | None = None,
    gap: float | None = None,
    target: int | None = None,
    on_event: Callable[[Event], object] | None = None,
    memory_limit: float | None = None,
    work_limit: float | None = None,
) -> Result:
    """Find a solution of least cost, and prove it.

    SIGINT ends the run gently if it is called from the main thread: the result then
    holds the best solution so far, and says that it was ``interrupted``. A second one
    raises `KeyboardInterrupt`. SIGTERM and all other signals are left to the program.

    Parameters
    ----------
    time_limit
        Seconds from the call on, or None for as long as it takes. When they are over,
        the best solution and bound so far are the result.
    workers
        The number of threads; by default all processors that the process may use.
    seed
        What random choices begin with. A run with one worker that no limit ends gives
        the same cost again with the same seed, and a method asked for by name the same
        solution. ``"auto"`` deals out time by the clock, so which of several best
        solutions it gives may differ; and what a time limit leaves, cost and bound,
        depends on the machine and its load. It is right all the same.
    method
        ``"auto"``, or one of :func:`methods`.
    certify
        Look for a certificate that can be re-checked without any solver. One that
        turns up by itself is checked and included in any case. A fifth of the time is
        reserved: a run that stays open looks for a certificate of its bound, and goes
        on in what is left.
    agree
        Let a method of another solver family prove the same value from nothing.
    start
        A known solution: a result, its JSON object, a solution, or lists of item
        indices.
    gap
        End as soon as ``(cost - bound) / |cost|`` is at most this, from 0 to 1.
    target
        End as soon as a solution costs at most this.
    on_event
        Called in this thread whenever the best cost or bound improves; `by` of the
        event names the stage of ``"auto"``, or the method, that did it. If it returns
        the text ``"stop"`` the run ends with the best so far. An exception in it ends
        the run and is raised here.
    memory_limit
        Gigabytes that the process may take, or None for half of what the machine has.
        Long lists take what it has not taken yet, a quarter at least: where a list of
        all patterns would not fit a coarser one is made.
    work_limit
        The deterministic seconds of CP-SAT that the run may take, very roughly seconds:
        where its linear programs are large four times as many. It counts steps and asks
        no clock: one worker finds the same cost, bound and status with the same seed
        and versions, whatever the machine and its load.
        ``"auto"`` then runs the polynomial algorithms and the methods in CP-SAT alone;
        other methods are refused, and so are ``certify`` and ``agree``. A
        ``time_limit`` beside it may end the run sooner.

    Raises
    ------
    NotApplicableError
        If the method asked for cannot take this instance.
    WrongAnswerError
        If a solver contradicts the checker, another solver, or itself.

    Examples
    --------
    >>> bins = atleastk.BinCovering(sizes=[7, 7, 7, 7, 2, 2, 2, 2], k=9)
    >>> result = atleastk.solve(bins, time_limit=60)
    >>> result.cost, result.bound, len(result.groups)
    (9, 9, 4)
    """
    ask = Ask.of(
        *(time_limit, workers, seed, memory_limit, method, on_event),
        certify=certify,
        agree=agree,
        start=start,
        gap=gap,
        target=target,
        work_limit=work_limit,
    )
    return solve_within(instance, ask).unless_cut().result


def check(instance: Instance, claim: Claim) -> Verdict:
    """Recompute a solution's cost and re-check all that is claimed; no solver runs.

    Of a result also the claimed cost, the instance it belongs to and the certificate
    are checked; without a solution its verdict has no cost. The verdict says what was
    ``verified`` and what is only ``claimed``: a bound without a certificate is neither
    proved nor refuted. ``proved`` asks for that, too. The JSON object of a result is
    one.

    Examples
    --------
    >>> bins = atleastk.BinCovering(sizes=[7, 2, 5, 4], k=9)
    >>> atleastk.check(bins, [[0, 1], [2, 3]]).cost
    9
    >>> atleastk.check(bins, [[0], [1, 2, 3]]).violations
    ('group 0 has level 7, below k = 9',)
    """
    problem = registry.problem_of(instance)
    if isinstance(claim, Mapping) and "status" in claim:
        claim = Result.from_dict(claim)
    if isinstance(claim, Result):
        return judged(problem, instance, claim)
    solution = solution_of(claim, problem.name)
    return Verdict(None) if solution is None else problem.check(instance, solution)


def approximate(
    instance: Instance, name: Which, seed: int = 0, time_limit: float | None = None
) -> Result:
    """Run an approximation algorithm of a paper, or one of the caller's own.

    The result's ``guarantee`` is what the paper promises of the cost. If the instance
    has no solution the result says so.

    Parameters
    ----------
    name
        One of :func:`algorithms`, or its name; or a function that takes the instance
        and returns groups (or a solution, or the JSON object of one), maybe one that
        :func:`algorithm` has marked; or what names a function or a program, as
        ``"mine.py:first_fit"`` and ``"cmd:./mine"`` do. What they return is checked and
        costed like all others, and ``method`` is the name.
    seed
        What random choices of an algorithm of a paper begin with.
    time_limit
        Seconds that it may take, or None for as long as it takes. A program is ended
        then, with all that it has started; a function of Python stops at its next step.

    Raises
    ------
    NoAnswerError
        If the time is over, or the caller's own algorithm fails.
    NotApplicableError
        If the algorithm cannot take this instance.
    WrongAnswerError
        If it returns no solution, unless the instance is known to be infeasible.

    Examples
    --------
    >>> bins = atleastk.BinCovering(sizes=[7, 7, 7, 7, 2, 2, 2, 2], k=9)
    >>> found = atleastk.approximate(bins, "fold-decreasing")
    >>> found.cost, found.guarantee.holds(bins, found.cost, optimum=9)
    (22, True)
    """
    problem = registry.problem_of(instance)
    budget = Budget.checked(time_limit, 1, seed)
    algorithm = algorithm_of(problem, name, seconds=time_limit)
    try:
        return approximated(problem, algorithm, instance, budget, time_limit)
    except (NotApplicableError, WrongAnswerError):
        # Algorithms are defined on instances that have a solution: does this one?
        quick = Ask(Budget.of(1.0, 1, seed))
        with hearing():  # signals act as on an algorithm
            result = solve_within(instance, quick).result
        if result.status is not Status.INFEASIBLE:
            raise
        return replace(result, method=algorithm.name, guarantee=algorithm.guarantee)


def algorithms(problem: str) -> tuple[Algorithm[Any], ...]:
    """Return the approximation algorithms of a problem, with their guarantees.

    Those of installed packages, by entry points of the group ``atleastk.algorithms``,
    come after the shipped ones.

    Examples
    --------
    >>> [algorithm.name for algorithm in atleastk.algorithms("rectangle-tiling-grid")]
    ['slices', 'jagged', 'kd-balanced', 'balanced', 'guillotine']
    """
    return algorithms_of(registry.problem_named(problem))


def methods(problem: str) -> tuple[Method[Any], ...]:
    """Return the exact methods of a problem, with their solver families.

    Examples
    --------
    >>> [method.name for method in atleastk.methods("interval-covering")]
    ['dynamic-program', 'intervals', 'intervals-highs']
    """
    return tuple(registry.problem_named(problem).methods)


def plot(
    instance: Instance,
    result: Result,
    path: AnyPath | None = None,
    *,
    ax: Axes | None = None,
    kind: str = "solution",
) -> Axes:
    """Draw a result; return the Axes of matplotlib it is on.

    Parameters
    ----------
    path
        A file for the picture; its suffix is the format.
    ax
        Axes to be drawn on; those of a new figure by default.
    kind
        ``"solution"``, or ``"events"``: the best cost and bound over the seconds.

    Raises
    ------
    BackendUnavailableError
        If matplotlib is not installed.
    InvalidResultError
        If the groups of the result are no solution of the instance.
    """
    if kind not in ("solution", "events"):
        raise UnknownNameError(f"kind: expected solution or events, got {kind}")
    if kind == "solution" and result.solution is not None:
        violations = check(instance, result).violations
        if violations:
            raise InvalidResultError(violations[0])
    try:
        if kind == "events":
            ax = draw_events(result, ax)
        else:
            ax = registry.problem_of(instance).draw(instance, result, ax)
    except OverflowError as error:
        raise NotApplicableError("its numbers are too large to be drawn") from error
    if path is not None:
        save(ax, Path(path))
    return ax


def problems() -> tuple[Problem[Any], ...]:
    """Return every problem that atleastk knows.

    Examples
    --------
    >>> [problem.name for problem in atleastk.problems()][:3]
    ['bin-covering', 'interval-covering', 'k-anonymity']
    """
    return tuple(registry.PROBLEMS.values())
