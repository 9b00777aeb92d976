"""Sweep: the exact methods and baselines of k-ambiguity against plain enumeration.

    python -m scripts.sweeps.k_ambiguity [--instances N] [--seed S]
    python -m scripts.sweeps.k_ambiguity --agree [--instances N] [--seconds T]

Without ``--agree`` every table has at most 14 cells, and its sets of cells are
enumerated; it is solved by a method drawn at random: one of the package's own, or a
model in a back end whose options are drawn as well, from nothing or from a k-anonymous
solution. Baselines and certificates are judged as well, and it is counted by how much
bounds and baselines miss the optimum.

With ``--agree`` larger tables are solved by the automatic choice, by cells in CP-SAT
and by star sets in HiGHS; all that end with a proof must prove the same.

A mismatch is printed as one JSON object; the exit code is then 1. The same seed sweeps
the same.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from atleastk.instances.errors import NotApplicableError
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.certificates.k_ambiguity import check_certificate, proven
from atleastk.models.encodings.encoding import SolutionEncoding
from atleastk.models.encodings.k_ambiguity import cell_model
from atleastk.models.k_ambiguity import check
from atleastk.solvers.brute_force.k_ambiguity import CELLS, optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.modelled import modelled
from atleastk.solvers.k_ambiguity.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.k_ambiguity.first import begin
from atleastk.solvers.k_ambiguity.methods import (
    METHODS,
    solve,
    whole_star_model,
)
from atleastk.solvers.k_ambiguity.weights import (
    Classes,
    best_duals,
    needy_sample,
    whole,
)
from atleastk.solvers.search import Search
from scripts.sweeps.k_anonymity import SHAPES, random_start
from scripts.sweeps.way import (
    BACKENDS,
    SECONDS,
    backend_named,
    random_options,
)

AGREEING = ("auto", "cells", "star-sets")

Run = Callable[[Search[KAmbiguity]], None]

_FORMS: Mapping[str, Callable[[KAmbiguity], SolutionEncoding]] = {
    "cells model": cell_model,
    "star sets model": whole_star_model,
}


def random_instance(rng: random.Random) -> KAmbiguity:
    """Return a table of a random shape and at most 14 cells; any k, and too great."""
    m = rng.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 7])
    n = rng.randint(0, CELLS // m if m else 5)
    special = [max(1, n // 2), max(1, n - 1), max(1, n), n + 1]
    k = rng.choice([1, 2, 2, 2, 3, 3, 3, 4, *special])
    return KAmbiguity(SHAPES[rng.choice([*SHAPES])](rng, n, m), k)


def larger_instance(rng: random.Random) -> KAmbiguity:
    """Return a table of 8 to 25 rows."""
    n, m = rng.randint(8, 25), rng.randint(2, 5)
    shape = SHAPES[rng.choice([*SHAPES])]
    return KAmbiguity(shape(rng, n, m), rng.choice([2, 2, 3, 3, 4, 6]))


def run_named(name: str) -> Run:
    """Return what solves a search: the automatic choice or a method."""
    if name == "auto":
        return solve
    return next(method.run for method in METHODS if method.name == name)


def random_run(rng: random.Random) -> tuple[str, Run]:
    """Return a random way to solve a search, and what it is called."""
    own = rng.choice(["auto", *(method.name for method in METHODS)])
    if rng.random() < 0.6:
        return own, run_named(own)
    form, backend = rng.choice([*_FORMS]), rng.choice(BACKENDS)
    name = f"{form} in {backend}"
    solver = backend_named(backend, random_options(rng, backend))
    method = modelled(name, "", _FORMS[form], solver, begin)
    return name, method.run


def searched(
    instance: KAmbiguity, run: Run, seed: int, start: int | None, seconds: float
) -> Search[KAmbiguity] | None:
    """Return a search after a run, maybe from a start; None if it was refused."""
    search = Search(instance, check, Budget.of(seconds, seed=seed))
    if start is not None and instance.n >= instance.k:
        search.offer(random_start(random.Random(start), instance), "start")
    try:
        run(search)
    except NotApplicableError:
        return None
    return search


def fault(instance: KAmbiguity, run: Run, seed: int, start: int | None) -> str | None:
    """Return what is wrong when an instance is solved this way; None if nothing is."""
    best = optimum(instance)
    try:
        search = searched(instance, run, seed, start, SECONDS)
        if search is None:
            return None
        if search.certificate is not None:
            bound = None if search.infeasible else search.bound
            check_certificate(instance, search.certificate, bound)
    except Exception as error:  # whatever it is, it is what we are looking for
        return f"{type(error).__name__}: {error}"
    claimed = "infeasible" if search.infeasible else f"[{search.bound}, {search.cost}]"
    known = "infeasible" if best is None else f"[{best[0]}, {best[0]}]"
    return None if claimed == known else f"{claimed}, but {known}"


def misses(instance: KAmbiguity, seed: int, best: int) -> dict[str, int]:
    """Return by how much the baselines and the weights miss an optimum.

    Raises
    ------
    AssertionError
        If one of them is wrong.
    """
    missed: dict[str, int] = {}
    for algorithm in ALGORITHMS:
        verdict = check(instance, algorithm.run(instance, seed))
        promised = algorithm.guarantee
        assert verdict.feasible, algorithm.name
        assert verdict.cost is not None, algorithm.name
        assert promised is None or promised.holds(instance, verdict.cost, best)
        missed[algorithm.name] = verdict.cost - best
        assert missed[algorithm.name] >= 0, algorithm.name
    sample = needy_sample(instance, seed)
    if len(sample):
        held = Classes(instance, sample)
        weights = whole(held, best_duals(held, instance.n * instance.m + 1, Budget()))
        missed["weights"] = best - proven(instance, weights)
        assert missed["weights"] >= 0, "weights"
    return missed


def disagreement(
    instance: KAmbiguity, seconds: float
) -> tuple[str | None, tuple[str, ...]]:
    """Compare formulations; return what is wrong and who ended with a proof."""
    searches: dict[str, Search[KAmbiguity]] = {}
    for name in AGREEING:
        methods = [method for method in METHODS if method.name == name]
        if any(method.refuses(instance) is not None for method in methods):
            continue
        try:
            search = searched(instance, run_named(name), 0, None, seconds)
        except Exception as error:  # as in `fault`
            return f"{name}: {type(error).__name__}: {error}", ()
        if search is not None:
            searches[name] = search
    proved = tuple(name for name, search in searches.items() if search.closed)
    claims = {name: (s.bound, s.cost) for name, s in searches.items()}
    bounds = [bound or 0 for bound, _ in claims.values()]
    costs = [cost for _, cost in claims.values() if cost is not None]
    wrong = max(bounds, default=0) > min(costs, default=instance.n * instance.m)
    return (f"contradiction: {claims}" if wrong else None), proved


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 if there was a mismatch."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--agree", action="store_true")
    parser.add_argument("--instances", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=20.0)
    chosen = parser.parse_args(arguments)
    rng = random.Random(chosen.seed)
    if chosen.agree:
        return _agree(rng, chosen.instances, chosen.seconds)
    return _sweep(rng, chosen.instances)


def _sweep(rng: random.Random, instances: int) -> int:
    counts: Counter[str] = Counter()
    mismatches = 0
    for number in range(1, instances + 1):
        instance, seed = random_instance(rng), rng.randrange(2**31)
        name, run = random_run(rng)
        wrong = fault(instance, run, seed, rng.choice([None, rng.randrange(2**31)]))
        counts[name] += 1
        best = optimum(instance)
        if best is not None and wrong is None:
            try:
                for who, missed in misses(instance, seed, best[0]).items():
                    counts[f"{who} misses the optimum by {missed}"] += 1
            except AssertionError as error:
                wrong = f"wrong: {error}"
        if wrong is not None:
            mismatches += 1
            _report(instance, wrong, name, seed)
        _progress(number, instances, mismatches)
    _print_counts(counts)
    return 1 if mismatches else 0


def _agree(rng: random.Random, instances: int, seconds: float) -> int:
    counts: Counter[str] = Counter()
    mismatches = 0
    for number in range(1, instances + 1):
        instance = larger_instance(rng)
        wrong, proved = disagreement(instance, seconds)
        counts[f"proved by {', '.join(proved) or 'nobody'}"] += 1
        if wrong is not None:
            mismatches += 1
            _report(instance, wrong, "agree", 0)
        _progress(number, instances, mismatches)
    _print_counts(counts)
    return 1 if mismatches else 0


def _report(instance: KAmbiguity, wrong: str, name: str, seed: int) -> None:
    document = {
        "fault": wrong,
        "instance": instance.to_dict(),
        "way": name,
        "seed": seed,
    }
    print(json.dumps(document), flush=True)


def _progress(number: int, instances: int, mismatches: int) -> None:
    if number % 100 == 0 or number == instances:
        print(f"{number}/{instances}: {mismatches} mismatches", flush=True)


def _print_counts(counts: Counter[str]) -> None:
    for name, count in sorted(counts.items()):
        print(f"{count:6} {name}")


if __name__ == "__main__":
    sys.exit(main())
