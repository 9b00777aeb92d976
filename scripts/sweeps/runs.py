"""Runs: one call of the package on one instance, and what is wrong with its answer.

A run is a JSON object, so that it can be printed and repeated: ``{"call": "solve",
...options}``, ``{"call": "approximate", "algorithm": ..., "seed": ...}`` or
``{"call": "tamper", ...}``, ``{"call": "relate", "relation": ..., ...}`` or
``{"call": "compare"}``.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from enum import StrEnum
from typing import Any, Final, NamedTuple

import atleastk
from atleastk import Status, Trust
from atleastk.solvers.engine import stages
from scripts.second_checker import UnknownError
from scripts.sweeps import tampering
from scripts.sweeps.expectations import (
    WrongError,
    expect,
    expect_same_instance,
    expect_true,
)
from scripts.sweeps.instances import ordinary
from scripts.sweeps.judges import Judge, judge_of
from scripts.sweeps.relations import RELATIONS
from scripts.sweeps.solver_options import BACKENDS, configured, random_options
from scripts.sweeps.unjudged import LARGER_SECONDS, expect_agreement, expect_related

Document = Mapping[str, Any]
Run = Mapping[str, Any]

SECONDS: Final = 60.0
"""The time limit of a run; a tiny instance takes milliseconds on an idle machine."""

_SCARCE: Final = 5.0
"""The same where memory is limited: what it is too small for may go on to the end."""

_TRIALS: Final = 20
"""So many random groups are tried for a start."""


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
    message: str = ""


def runs_on_larger(_: Document, rng: random.Random) -> Iterator[Run]:
    """Give runs on an instance that nobody enumerates."""
    yield {"call": "compare"}
    for relation in rng.sample([*RELATIONS], 3):
        yield {
            "call": "relate",
            "relation": relation,
            "seed": rng.randrange(2**31),
            "seconds": LARGER_SECONDS,
        }


def runs_on(document: Document, rng: random.Random, count: int = 8) -> Iterator[Run]:
    """Give random runs on an instance: the automatic choices, and `count` others."""
    problem = document["problem"]
    methods = [method.name for method in atleastk.methods(problem)]
    algorithms = [algorithm.name for algorithm in atleastk.algorithms(problem)]
    yield {"call": "solve"}
    yield {"call": "solve", "portfolio": True}
    for _ in range(count):
        yield rng.choice([_solve, _solve, _solve, _approximate, _tamper, _relate])(
            rng, methods, algorithms
        )


def _solve(rng: random.Random, methods: Sequence[str], _: Sequence[str]) -> Run:
    options: dict[str, Any] = {
        "method": rng.choice(["auto", *methods, *methods]),
        "certify": rng.random() < 0.3,
        "agree": rng.random() < 0.15,
        "seed": rng.choice([0, 0, 1, 2**31 - 1]),
        "workers": rng.choice([1, 1, 1, 1, 1, 1, 1, 1, 1, 2]),
        "start": rng.choice([*5 * [None], "result", "object", "groups", "random"]),
        "memory_limit": rng.choice([*8 * [None], 1e-3, 1e-5, 1e-7, 1e-9]),
        "time_limit": rng.choice([*10 * [None], 1e-9, 1e-3, 0.01]),
        "twice": rng.random() < 0.1,
        "portfolio": rng.random() < 0.2,
    }
    if rng.random() < 0.3:
        backends = ("CP-SAT", "HiGHS", "SAT")
        options["options"] = {name: random_options(rng, name) for name in backends}
    elif rng.random() < 0.2:
        options["instead"] = rng.choice([*BACKENDS])
        drawn = random_options(rng, options["instead"])
        options["options"] = {options["instead"]: drawn}
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


def _relate(rng: random.Random, _: Sequence[str], __: Sequence[str]) -> Run:
    relation = rng.choice([*RELATIONS])
    return {"call": "relate", "relation": relation, "seed": rng.randrange(2**31)}


def plainer(run: Run) -> Iterator[Run]:
    for name in run:
        if name not in ("call", "algorithm", "relation"):
            yield {key: value for key, value in run.items() if key != name}
    if run.get("call") == "tamper" and run.get("changes", 1) > 1:
        yield {**run, "changes": run["changes"] - 1}


def outcome_of(document: Document, run: Run) -> Outcome:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # an overflow of numpy
            return _judged(document, run)
    except UnknownError as error:
        return Outcome(Kind.UNJUDGED, str(error))
    except WrongError as error:
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
        expect(not ordinary(document), f"refused: {error}")
        return Outcome(Kind.REFUSED, str(error))
    expect_same_instance(instance)
    options = {key: value for key, value in run.items() if key != "call"}
    match run["call"]:
        case "compare":
            closed = expect_agreement(document, **options)
            return Outcome(Kind.HELD if closed > 1 else Kind.OPEN, f"{closed} closed")
        case "relate":
            return _related(document, **options)
    judge = judge_of(document)
    match run["call"]:
        case "approximate":
            return _approximated(instance, judge, **options)
        case "tamper":
            return _tampered(document, **options)
    return _solved(instance, judge, **options)


def _named(run: Run) -> bool:
    """Tell whether a method or an algorithm was asked for that may refuse."""
    return bool({"algorithm", "instead"} & run.keys()) or (
        run.get("method", "auto") != "auto"
    )


def _related(
    document: Document, relation: str, seed: int = 0, seconds: float = SECONDS
) -> Outcome:
    closed = expect_related(document, relation, seed, seconds)
    if closed is None:
        return Outcome(Kind.REFUSED, "no such relation")
    return Outcome(Kind.HELD if closed else Kind.OPEN)


def _solved(
    instance: Any,
    judge: Judge,
    start: str | None = None,
    twice: bool = False,
    portfolio: bool = False,
    options: Mapping[str, Any] | None = None,
    instead: str | None = None,
    **chosen: Any,
) -> Outcome:
    known = None if start is None else _start(instance, start, chosen.get("seed", 0))
    seconds = SECONDS if chosen.get("memory_limit") is None else _SCARCE
    chosen = {"start": known, "time_limit": seconds, "workers": 1, **chosen}
    may_end = portfolio or instead is not None
    with (
        _without_subsets() if portfolio else nullcontext(),
        nullcontext() if options is None else configured(options, instead),
    ):
        return _closed(instance, judge, chosen, twice and not portfolio, may_end)


def _closed(
    instance: Any, judge: Judge, options: dict[str, Any], twice: bool, may_end: bool
) -> Outcome:
    """Judge a run that should end with a proof, unless it may end before."""
    result = atleastk.solve(instance, **options)
    expect_true(instance, result, judge)
    if options.get("agree") and result.trust is Trust.HEURISTIC:
        expect(result.status is Status.FEASIBLE, "an agreed result is heuristic")
    if options["time_limit"] < _SCARCE:
        return Outcome(Kind.HELD)
    quick = result.seconds < options["time_limit"] / 2 and options["workers"] == 1
    if twice and quick:
        again = atleastk.solve(instance, **options)
        same = (again.status, again.cost) == (result.status, result.cost)
        expect(same, f"the second time {again.status} {again.cost}")
        if options["start"] is None:
            expect(again.solution == result.solution, "another solution next time")
    if result.status >= Status.INFEASIBLE:
        return Outcome(Kind.HELD)
    automatic = options.get("method", "auto") == "auto"
    if automatic and not may_end and not options.get("memory_limit"):
        # The first time may have gone by while loops were compiled.
        again = atleastk.solve(instance, **options)
        message = f"auto leaves it open: {again.status} {again.bound}"
        expect(again.status >= Status.INFEASIBLE, message)
    return Outcome(Kind.OPEN, result.note or str(result.status))


@contextmanager
def _without_subsets() -> Iterator[None]:
    """Let portfolios see tiny instances too, which the automatic choice spares them."""
    most = stages.MOST_ITEMS
    vars(stages)["MOST_ITEMS"] = -1
    try:
        yield
    finally:
        vars(stages)["MOST_ITEMS"] = most


def _start(instance: Any, form: str, seed: int) -> Any:
    """Return a known solution in some form; None if there is none."""
    if form == "random":
        return _random_groups(instance, random.Random(seed))
    result = atleastk.solve(instance, SECONDS, workers=1)
    if result.solution is None:
        return None
    match form:
        case "result":
            return result
        case "object":
            return result.to_dict()
    groups = [list(group) for group in result.solution.groups]
    feasible = atleastk.check(instance, groups).feasible
    return groups if feasible else None  # limits need more than groups


def _random_groups(instance: Any, rng: random.Random) -> list[list[int]] | None:
    """Return random groups that are a solution; None if none is found soon."""
    for _ in range(_TRIALS):
        items = rng.sample(range(instance.n), instance.n)
        groups: list[list[int]] = []
        while items:
            size = rng.randint(1, len(items))
            groups.append(items[:size])
            items = items[size:]
        if atleastk.check(instance, groups).feasible:
            return groups
    return None


def _approximated(
    instance: Any, judge: Judge, algorithm: str, seed: int = 0
) -> Outcome:
    result = atleastk.approximate(instance, algorithm, seed)
    guarantee = result.guarantee
    if guarantee is not None and result.cost is not None and judge.best is not None:
        kept = guarantee.holds(instance, result.cost, judge.best)
        expect(kept, f"cost {result.cost} breaks {guarantee}, optimum {judge.best}")
    expect_true(instance, result, judge)
    if result.status is Status.UNKNOWN:
        return Outcome(Kind.OPEN, "UNKNOWN")
    return Outcome(Kind.HELD)


def _tampered(
    document: Document, seed: int = 0, certify: bool = False, changes: int = 1
) -> Outcome:
    made = tampering.forgeries(document, random.Random(seed), changes, certify)
    for instance, judge, forged in made:
        wrong = tampering.accepted_falsehood(instance, forged, judge)
        expect(wrong is None, f"{wrong}: {tampering.shown(forged)}")
    return Outcome(Kind.HELD)
