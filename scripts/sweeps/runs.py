"""Runs: one call of the package on one instance, and what is wrong with its answer.

A run is a JSON object, so that it can be printed and repeated: ``{"call": "solve",
...options}``, ``{"call": "approximate", "algorithm": ..., "seed": ...}`` or
``{"call": "tamper", ...}``.
"""

from __future__ import annotations

import json
import pickle
import random
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from enum import StrEnum
from itertools import pairwise
from typing import Any, Final, NamedTuple

import atleastk
from atleastk import Result, Status, Trust
from atleastk.solvers.engine import tiny
from scripts.sweeps import tampering
from scripts.sweeps.instances import ordinary
from scripts.sweeps.judges import Judge, judge_of
from scripts.sweeps.metrics import TooCloseToCallError

__all__ = ["Kind", "Outcome", "Run", "outcome_of", "plainer", "runs_on"]

Document = Mapping[str, Any]
Run = Mapping[str, Any]

SECONDS: Final = 10.0
"""The time limit of a run; a tiny instance takes some milliseconds."""

_BY_GROUP: Final = ("groups", "centres", "rectangles", "levels")
"""Fields of a result with an entry for every group."""


class Kind(StrEnum):
    """How a run ended."""

    HELD = "held"
    """Everything claimed was true."""
    REFUSED = "refused"
    """By an error that is documented: nothing was claimed."""
    OPEN = "open"
    """Claimed less than a proof, though no limit was hit."""
    UNJUDGED = "unjudged"
    """The judge does not know."""
    FAILED = "failed"


class Outcome(NamedTuple):
    """How a run ended, and what was wrong or why it was refused."""

    kind: Kind
    told: str = ""


class _WrongError(Exception):
    """What a run did wrong."""


def runs_on(document: Document, rng: random.Random, count: int = 8) -> Iterator[Run]:
    """Give random runs on an instance: the automatic choices, and `count` others."""
    problem = document["problem"]
    methods = [method.name for method in atleastk.methods(problem)]
    algorithms = [algorithm.name for algorithm in atleastk.algorithms(problem)]
    yield {"call": "solve"}
    yield {"call": "solve", "portfolio": True}
    for _ in range(count):
        yield rng.choice([_solve, _solve, _approximate, _tamper])(
            rng, methods, algorithms
        )


def _solve(rng: random.Random, methods: Sequence[str], _: Sequence[str]) -> Run:
    options: dict[str, Any] = {
        "method": rng.choice(["auto", *methods, *methods]),
        "certify": rng.random() < 0.3,
        "agree": rng.random() < 0.15,
        "seed": rng.choice([0, 0, 1, 2**31 - 1]),
        "workers": rng.choice([1, 1, 1, 1, 1, 1, 1, 1, 1, 2]),
        "start": rng.choice([None, None, None, "result", "object", "groups"]),
        "memory_limit": rng.choice([None, None, None, None, 1e-3, 1e-9]),
        "time_limit": rng.choice([*10 * [None], 1e-9, 1e-3, 0.01]),
        "twice": rng.random() < 0.1,
        "portfolio": rng.random() < 0.2,
    }
    plain = {"method": "auto", "seed": 0, "workers": 1}
    chosen = {
        name: value
        for name, value in options.items()
        if value not in (None, False) and plain.get(name) != value
    }
    return {"call": "solve", **chosen}


def _approximate(
    rng: random.Random, methods: Sequence[str], algorithms: Sequence[str]
) -> Run:
    if not algorithms:
        return _solve(rng, methods, algorithms)
    name = rng.choice(algorithms)
    return {"call": "approximate", "algorithm": name, "seed": rng.choice([0, 1, 7])}


def _tamper(rng: random.Random, _: Sequence[str], __: Sequence[str]) -> Run:
    return {
        "call": "tamper",
        "certify": rng.random() < 0.8,
        "seed": rng.randrange(2**31),
        "changes": rng.choice([1, 1, 1, 2, 3]),
    }


def plainer(run: Run) -> Iterator[Run]:
    """Give simpler runs, to shrink a failure."""
    for name in run:
        if name not in ("call", "algorithm"):
            yield {key: value for key, value in run.items() if key != name}
    if run.get("call") == "tamper" and run.get("changes", 1) > 1:
        yield {**run, "changes": run["changes"] - 1}


def outcome_of(document: Document, run: Run) -> Outcome:
    """Return how a run ends, and what is wrong with it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # an overflow of numpy
            return _judged(document, run)
    except TooCloseToCallError as error:
        return Outcome(Kind.UNJUDGED, str(error))
    except _WrongError as error:
        return Outcome(Kind.FAILED, str(error))
    except atleastk.NotApplicableError as error:
        kind = Kind.REFUSED if _named(run) else Kind.FAILED
        return Outcome(kind, f"NotApplicableError: {error}")
    except Exception as error:  # whatever it is, it is what we are looking for
        return Outcome(Kind.FAILED, f"{type(error).__name__}: {error}")


def _judged(document: Document, run: Run) -> Outcome:
    try:
        instance = atleastk.from_dict(document)
    except atleastk.InvalidInstanceError as error:
        _expect(not ordinary(document), f"refused: {error}")
        return Outcome(Kind.REFUSED, str(error))
    _expect_same_instance(instance)
    judge = judge_of(document)
    options = {key: value for key, value in run.items() if key != "call"}
    match run["call"]:
        case "approximate":
            return _approximated(instance, judge, **options)
        case "tamper":
            return _tampered(document, **options)
    return _solved(instance, judge, **options)


def _named(run: Run) -> bool:
    """Tell whether a method or an algorithm was asked for that may refuse."""
    return "algorithm" in run or run.get("method", "auto") != "auto"


def _solved(
    instance: Any,
    judge: Judge,
    start: str | None = None,
    twice: bool = False,
    time_limit: float = SECONDS,
    portfolio: bool = False,
    **options: Any,
) -> Outcome:
    known = None
    if start is not None:
        known = _start(atleastk.solve(instance, SECONDS, workers=1), start)
        if start == "groups" and known is not None:
            feasible = atleastk.check(instance, known).feasible
            known = known if feasible else None  # limits need more than groups
    options = {"workers": 1, **options}
    with _without_subsets() if portfolio else nullcontext():
        result = atleastk.solve(instance, time_limit, start=known, **options)
    _expect_true(instance, result, judge)
    if options.get("agree") and result.trust is Trust.HEURISTIC:
        _expect(result.status is Status.FEASIBLE, "an agreed result is heuristic")
    if time_limit < SECONDS:
        return Outcome(Kind.HELD)
    if portfolio and result.status < Status.INFEASIBLE:
        return Outcome(Kind.OPEN, str(result.status))
    if (
        twice
        and not portfolio
        and options["workers"] == 1
        and result.seconds < SECONDS / 2
    ):
        again = atleastk.solve(instance, SECONDS, start=known, **options)
        same = (again.status, again.cost) == (result.status, result.cost)
        _expect(same, f"the second time {again.status} {again.cost}")
        if start is None:
            _expect(again.solution == result.solution, "another solution next time")
    if result.status >= Status.INFEASIBLE:
        return Outcome(Kind.HELD)
    why = getattr(result, "note", None)
    automatic = options.get("method", "auto") == "auto" and not (
        options.get("memory_limit")
    )
    if automatic:  # the first time may have gone by while loops were compiled
        again = atleastk.solve(instance, SECONDS, start=known, **options)
        closed = again.status >= Status.INFEASIBLE
        _expect(closed, f"auto leaves it open: {again.status} {again.bound}")
    return Outcome(Kind.HELD if why else Kind.OPEN, str(result.status))


@contextmanager
def _without_subsets() -> Iterator[None]:
    """Let portfolios see tiny instances too, which the automatic choice spares them."""
    most = tiny.MOST_ITEMS
    vars(tiny)["MOST_ITEMS"] = -1
    try:
        yield
    finally:
        vars(tiny)["MOST_ITEMS"] = most


def _start(result: Result, form: str) -> Any:
    if result.solution is None:
        return None
    match form:
        case "result":
            return result
        case "object":
            return result.to_dict()
    return [list(group) for group in result.solution.groups]


def _approximated(
    instance: Any, judge: Judge, algorithm: str, seed: int = 0
) -> Outcome:
    result = atleastk.approximate(instance, algorithm, seed)
    guarantee = result.guarantee
    if guarantee is not None and result.cost is not None and judge.best is not None:
        kept = guarantee.holds(instance, result.cost, judge.best)
        _expect(kept, f"cost {result.cost} breaks {guarantee}, optimum {judge.best}")
    _expect_true(instance, result, judge)
    if result.status is Status.UNKNOWN:
        return Outcome(Kind.OPEN, "UNKNOWN")
    return Outcome(Kind.HELD)


def _tampered(
    document: Document, seed: int = 0, certify: bool = False, changes: int = 1
) -> Outcome:
    made = tampering.forgeries(document, random.Random(seed), changes, certify)
    for instance, judge, forged in made:
        wrong = tampering.accepted_falsehood(instance, forged, judge)
        _expect(wrong is None, f"{wrong}: {tampering.shown(forged)}")
    return Outcome(Kind.HELD)


def _expect(true: bool, told: str) -> None:
    if not true:
        raise _WrongError(told)


def _expect_same_instance(instance: Any) -> None:
    """Expect an instance to survive JSON and pickle."""
    again = atleastk.from_dict(json.loads(json.dumps(instance.to_dict())))
    _expect(again == instance, "its JSON object is another instance")
    _expect(again.sha256 == instance.sha256, "its JSON object has another sha256")
    copied = pickle.loads(pickle.dumps(instance))
    _expect(copied == instance, "its pickle is another instance")


def _expect_true(instance: Any, result: Result, judge: Judge) -> None:
    """Expect all that a result says to be true, by the judge and the checker."""
    best, told = judge.best, f"{result.status} [{result.bound}, {result.cost}]"
    known = "infeasible" if best is None else f"the optimum is {best}"
    match result.status:
        case Status.INFEASIBLE:
            _expect(best is None, f"{told}, but {known}")
        case Status.OPTIMAL | Status.FEASIBLE:
            cost = judge.cost(json.loads(result.to_json()))
            _expect(cost == result.cost, f"{told}, but its solution costs {cost}")
            _expect(best is not None and best <= (cost or 0), f"{told}, but {known}")
            exact = result.status is Status.OPTIMAL
            _expect(not exact or cost == best, f"{told}, but {known}")
    if best is not None and result.bound is not None:
        _expect(result.bound <= best, f"{told}, but {known}")
    _expect_true_events(result, best)
    _expect_checked(instance, result, result.cost)
    _expect_same_result(instance, result)


def _expect_true_events(result: Result, best: int | None) -> None:
    for event in result.events:
        low = event.bound is None or best is None or event.bound <= best
        high = event.cost is None or (best is not None and event.cost >= best)
        _expect(low and high, f"{event}, but the optimum is {best}")
    for before, after in pairwise(result.events):
        later = before.seconds <= after.seconds
        lower = before.cost is None or (after.cost or 0) <= before.cost
        higher = before.bound is None or (
            after.bound is not None and after.bound >= before.bound
        )
        _expect(later and lower and higher, f"{after} after {before}")


def _expect_checked(instance: Any, claim: Any, cost: int | None) -> None:
    """Expect the checker to accept a true result, and to find its cost."""
    verdict = atleastk.check(instance, claim)
    _expect(verdict.feasible, f"check refuses its result: {verdict.violations}")
    _expect(verdict.cost == cost, f"check says {verdict.cost}, the result {cost}")


def _expect_same_result(instance: Any, result: Result) -> None:
    """Expect a result to survive JSON and pickle, and another order of its groups."""
    document = json.loads(result.to_json())
    read = Result.from_dict(document)
    plain = {**json.loads(read.to_json()), "guarantee": document.get("guarantee")}
    _expect(
        plain == {**document, "guarantee": document.get("guarantee")},
        "its JSON object is another result",
    )
    _expect_checked(instance, document, result.cost)
    if result.solution is not None and len(result.solution.groups) > 1:
        _expect_checked(instance, permuted(document), result.cost)
    copied = pickle.loads(pickle.dumps(result))
    _expect(json.loads(copied.to_json()) == document, "its pickle is another result")


def permuted(document: Document) -> dict[str, Any]:
    """Return a result whose groups are in another order, and with them their fields."""
    count = len(document["groups"])
    turned = {
        name: [*document[name][1:], document[name][0]]
        for name in _BY_GROUP
        if len(document.get(name) or ()) == count
    }
    turned["groups"] = [group[::-1] for group in turned["groups"]]
    return {**document, **turned}
