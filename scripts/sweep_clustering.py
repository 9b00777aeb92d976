"""Sweep: r-gather and cellular clustering against plain enumeration.

    python scripts/sweep_clustering.py [--problem NAME] [--instances N] [--seed S]
    python scripts/sweep_clustering.py --agree [--instances N] [--seconds T]

Without ``--agree`` every instance has at most seven points: in the plane, on a line or
the sphere, nodes of graphs and trees, rows under the Hamming distance, and matrices
that are no metric or miss distances; with limits on clusters and outliers, facility
costs, and all readings of centres. Each is enumerated, and solved by the automatic
choice or a method drawn at random. Algorithms that take it have to keep their promise,
and certificates are checked.

With ``--agree`` instances of 10 to 24 points are solved by the automatic choice and by
all methods that take them; all that end with a proof must prove the same.

A mismatch is printed as one JSON object; the exit code is then 1. The same seed sweeps
the same.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from clustering_instances import random_clustering

import atleastk
from atleastk.instances.clustering import Clustering
from atleastk.instances.errors import NotApplicableError
from atleastk.registry import problem_named
from atleastk.solvers.brute_force import cellular_clustering, r_gather
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search
from atleastk.solving import AUTO

PROBLEMS = ("r-gather", "cellular-clustering")
SECONDS = 120.0
"""The time limit of one run; whoever needs it all has failed."""

Run = Callable[[Search[Any]], None]


def optimum(instance: Clustering) -> int | None:
    """Return the least cost by enumeration; None if infeasible."""
    if isinstance(instance, atleastk.RGather):
        best = r_gather.optimum(instance)
    else:
        assert isinstance(instance, atleastk.CellularClustering)
        best = cellular_clustering.optimum(instance)
    return None if best is None else best[0]


def ways(instance: Clustering) -> dict[str, Run]:
    """Return the automatic choice and the methods that take an instance."""
    problem = problem_named(instance.problem)
    taking = {m.name: m.run for m in problem.methods if m.refuses(instance) is None}
    return {AUTO: problem.solve, **taking}


def searched(
    instance: Clustering, run: Run, seed: int, seconds: float
) -> Search[Any] | None:
    """Return a search after a run; None if it was refused."""
    check = problem_named(instance.problem).check
    search = Search(instance, check, Budget.of(seconds, seed=seed))
    try:
        run(search)
    except NotApplicableError:
        return None
    return search


def fault(instance: Clustering, run: Run, seed: int, best: int | None) -> str | None:
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


def broken_promise(instance: Clustering, seed: int, best: int) -> str | None:
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


def disagreement(
    instance: Clustering, seconds: float
) -> tuple[str | None, tuple[str, ...]]:
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 if there was a mismatch."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--problem", choices=PROBLEMS, help="default: both in turn")
    parser.add_argument("--agree", action="store_true")
    parser.add_argument("--instances", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=20.0)
    chosen = parser.parse_args(arguments)
    rng = random.Random(chosen.seed)
    counts: Counter[str] = Counter()
    mismatches = 0
    for number in range(1, chosen.instances + 1):
        problem = chosen.problem or PROBLEMS[number % 2]
        sizes = range(10, 25) if chosen.agree else [0, 1, 2, 3, 4, 5, 5, 6, 6, 6, 7]
        instance = random_clustering(rng, problem, rng.choice(sizes))
        judge = _agreed if chosen.agree else _judged
        wrong, way = judge(instance, rng, chosen.seconds)
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


def _judged(
    instance: Clustering, rng: random.Random, _seconds: float
) -> tuple[str | None, str]:
    known, seed, best = ways(instance), rng.randrange(2**31), optimum(instance)
    name = AUTO if rng.random() < 0.5 else rng.choice([*known])
    wrong = fault(instance, known[name], seed, best)
    if wrong is None and best is not None:
        wrong = broken_promise(instance, seed, best)
    return wrong, name


def _agreed(
    instance: Clustering, _rng: random.Random, seconds: float
) -> tuple[str | None, str]:
    wrong, proved = disagreement(instance, seconds)
    return wrong, ", ".join(proved) or "nobody"


if __name__ == "__main__":
    sys.exit(main())
