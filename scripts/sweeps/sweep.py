"""Sweeps: what is wrong when an instance is solved, by any method or algorithm.

What the scripts that hunt for mistakes share: judges, and the sweep itself.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from atleastk.instances.errors import NotApplicableError
from atleastk.registry import problem_named
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search
from atleastk.solving import AUTO
from scripts.sweeps.way import SECONDS

__all__ = [
    "Told",
    "agreed",
    "broken_promise",
    "fault",
    "parser_of",
    "sweep",
    "ways",
]

Run = Callable[[Search[Any]], None]
Told = Iterable[tuple[str, str | None]]
"""Ways in which an instance was solved, and what is wrong with each."""


def parser_of(told: str | None, problems: Sequence[str]) -> argparse.ArgumentParser:
    """Return what reads the arguments of a script with this docstring."""
    parser = argparse.ArgumentParser(description=(told or "").partition("\n")[0])
    parser.add_argument("--problem", choices=problems, help="default: all in turn")
    parser.add_argument("--agree", action="store_true")
    parser.add_argument("--instances", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=20.0)
    return parser


def sweep(
    chosen: argparse.Namespace,
    problems: Sequence[str],
    draw: Callable[[str, random.Random], Any],
    judge: Callable[[Any, random.Random], Told],
) -> int:
    """Draw and judge instances, print what is wrong; 1 if there was a mismatch."""
    rng = random.Random(chosen.seed)
    counts: Counter[str] = Counter()
    mismatches = 0
    for number in range(1, chosen.instances + 1):
        problem = chosen.problem or problems[number % len(problems)]
        instance = draw(problem, rng)
        for way, wrong in judge(instance, rng):
            counts[f"{problem} by {way}"] += 1
            if wrong is not None:
                mismatches += 1
                document = {"fault": wrong, "instance": instance.to_dict(), "way": way}
                print(json.dumps(document), flush=True)
        if number % 100 == 0 or number == chosen.instances:
            print(f"{number}/{chosen.instances}: {mismatches} mismatches", flush=True)
    for name, count in sorted(counts.items()):
        print(f"{count:6} {name}")
    return 1 if mismatches else 0


def agreed(instance: Any, seconds: float) -> Told:
    """Compare formulations; tell who ended with a proof, as one way."""
    wrong, proved = disagreement(instance, seconds)
    return [(", ".join(proved) or "nobody", wrong)]


def ways(instance: Any) -> dict[str, Run]:
    """Return the automatic choice and the methods that take an instance."""
    problem = problem_named(instance.problem)
    taking = {m.name: m.run for m in problem.methods if m.refuses(instance) is None}
    return {AUTO: problem.solve, **taking}


def searched(instance: Any, run: Run, seed: int, seconds: float) -> Search[Any] | None:
    """Return a search after a run; None if it was refused."""
    check = problem_named(instance.problem).check
    search = Search(instance, check, Budget.of(seconds, seed=seed))
    try:
        run(search)
    except NotApplicableError:
        return None
    return search


def fault(instance: Any, run: Run, seed: int, best: int | None) -> str | None:
    """Return what is wrong when an instance is solved this way; None if nothing is."""
    try:
        search = searched(instance, run, seed, SECONDS)
        if search is None:
            return None
        if search.certificate is not None:
            bound = None if search.infeasible else search.bound
            check_certificate = problem_named(instance.problem).check_certificate
            check_certificate(instance, search.certificate, bound)
    except Exception as error:  # whatever it is, it is what we are looking for
        return f"{type(error).__name__}: {error}"
    claimed = "infeasible" if search.infeasible else f"[{search.bound}, {search.cost}]"
    known = "infeasible" if best is None else f"[{best}, {best}]"
    return None if claimed == known else f"{claimed}, but {known}"


def broken_promise(instance: Any, seed: int, best: int) -> str | None:
    """Say what an algorithm does wrong; None if nothing is."""
    problem = problem_named(instance.problem)
    for algorithm in problem.algorithms:
        if algorithm.refuses(instance) is not None:
            continue
        try:
            verdict = problem.check(instance, algorithm.run(instance, seed))
        except NotApplicableError:
            continue
        except Exception as error:  # as in `fault`
            return f"{algorithm.name}: {type(error).__name__}: {error}"
        if not verdict.feasible or verdict.cost is None:
            return f"{algorithm.name}: {verdict.violations}"
        promise = algorithm.guarantee
        if verdict.cost < best:
            return f"{algorithm.name}: {verdict.cost}, below the optimum {best}"
        if promise is not None and not promise.holds(instance, verdict.cost, best):
            return f"{algorithm.name}: {verdict.cost} breaks {promise}; {best} is best"
    return None


def disagreement(instance: Any, seconds: float) -> tuple[str | None, tuple[str, ...]]:
    """Compare formulations; return what is wrong and who ended with a proof."""
    searches: dict[str, Search[Any]] = {}
    for name, run in ways(instance).items():
        try:
            search = searched(instance, run, 0, seconds)
        except Exception as error:  # as in `fault`
            return f"{name}: {type(error).__name__}: {error}", ()
        if search is not None:
            searches[name] = search
    proved = tuple(name for name, search in searches.items() if search.closed)
    claims = {n: (s.infeasible, s.bound, s.cost) for n, s in searches.items()}
    bounds = [bound or 0 for _, bound, _ in claims.values()]
    costs = [cost for _, _, cost in claims.values() if cost is not None]
    wrong = bool(costs) and (
        max(bounds) > min(costs)
        or any(infeasible for infeasible, _, _ in claims.values())
    )
    return (f"contradiction: {claims}" if wrong else None), proved
