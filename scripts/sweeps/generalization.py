"""Sweep: the exact methods of generalisation against plain enumeration.

    python -m scripts.sweeps.generalization [--instances N] [--seed S] [--most-rows N]
                                            [--on attributes]
    python -m scripts.sweeps.generalization --agree [--instances N] [--seconds T]

Without ``--agree`` every instance can be enumerated, and is solved by every method that
takes it: on entries and on attributes, with every loss, from nothing or from a random
solution. Closed searches must meet the judge, and certificates must pass.

With ``--agree`` instances have 15 to 40 rows, and all methods that end with a proof
must prove the same.

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

from atleastk.instances.generalization import LOSSES, Generalization
from atleastk.instances.generators.generalization import random_hierarchy
from atleastk.instances.hierarchies import Hierarchy, Label, suppression_of
from atleastk.models.certificates.generalization import check_certificate
from atleastk.models.generalization import check, solution_of_groups
from atleastk.solvers.brute_force.generalization import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.generalization.certify import certify
from atleastk.solvers.generalization.methods import METHODS, solve
from atleastk.solvers.search import Search
from scripts.sweeps.way import SECONDS

AUTO = "auto"

Run = Callable[[Search[Generalization]], None]


def random_instance(
    rng: random.Random, most_rows: int = 8, least_rows: int = 0, on: str | None = None
) -> Generalization:
    """Return an instance of a random kind; k from 1 to beyond the rows."""
    n = rng.randint(least_rows, most_rows)
    m = rng.choice([0, 1, 1, 2, 2, 3, 3, 4])
    columns = [_column(rng, n) for _ in range(m)]
    table = [[cells[i] for cells, _ in columns] for i in range(n)]
    special = [max(1, n // 2), max(1, n), n + 1]
    k = rng.choice([1, 2, 2, 2, 3, 3, 3, 4, *special])
    on = on or rng.choice(["entries", "attributes"])
    loss = rng.choice(LOSSES[:2] if on == "entries" else LOSSES)
    hierarchies = [h for _, h in columns]
    wish: dict[str, Any] = {"on": on, "loss": loss}
    if loss in LOSSES[:2] and rng.random() < 0.5:
        most = rng.choice([2, 5, 100])
        unit = rng.choice([1, 1, 10])
        wish["column_weights"] = [unit * rng.randint(1, most) for _ in columns]
    if on == "attributes":
        wish["suppress_rows"] = rng.choice([0, 0, 1, 2, k, n])
    elif rng.random() < 0.5:
        most = rng.choice([2, 5, 100_000])
        wish["row_weights"] = [rng.randint(1, most) for _ in range(n)]
    return Generalization(table, k, hierarchies, **wish)


def _column(rng: random.Random, n: int) -> tuple[list[Label], Hierarchy]:
    values: list[Label] = rng.choice(
        [[7], [0, 1], [0, 1, 2], [1, "1", "*"], [*range(6)], [*range(9)]]
    )
    kind = rng.randrange(4)
    if kind == 0:
        hierarchy = suppression_of(values)
    elif kind == 1 and len(values) == 1:
        hierarchy = Hierarchy([values])
    else:
        hierarchy = random_hierarchy(rng, values, rng.randint(1, 4))
        if rng.random() < 0.3:
            hierarchy = _with_short_branch(rng, hierarchy)
    return [rng.choice(values) for _ in range(n)], hierarchy


def _with_short_branch(rng: random.Random, hierarchy: Hierarchy) -> Hierarchy:
    """Return a hierarchy with the top from some level on, where a label was."""
    level = rng.randint(1, hierarchy.height)
    short = rng.choice(hierarchy.chains)[level]
    top = [hierarchy.chains[0][-1]] * (hierarchy.height + 1 - level)
    return Hierarchy(
        [
            [*chain[:level], *top] if chain[level] == short else chain
            for chain in hierarchy.chains
        ]
    )


def random_start(rng: random.Random, instance: Generalization) -> list[list[int]]:
    """Return a random feasible partition."""
    rows = rng.sample(range(instance.n), instance.n)
    count = rng.randint(1, max(1, instance.n // instance.k))
    groups = [rows[g * instance.k : (g + 1) * instance.k] for g in range(count)]
    for row in rows[count * instance.k :]:
        rng.choice(groups).append(row)
    return groups


def ways(instance: Generalization) -> dict[str, Run]:
    """Return what solves an instance: the automatic choice, and the methods."""
    taken = {m.name: m.run for m in METHODS if m.refuses(instance) is None}
    return {AUTO: solve, **taken}


def searched(
    instance: Generalization,
    run: Run,
    start: list[list[int]] | None = None,
    seconds: float = SECONDS,
) -> Search[Generalization]:
    """Solve from a start."""
    search = Search(instance, check, Budget.of(seconds, seed=1))
    if start is not None:
        search.offer(solution_of_groups(instance, start), "start")
    run(search)
    return search


def fault(
    instance: Generalization, run: Run, start: list[list[int]] | None = None
) -> str | None:
    """Say what is wrong with a run, or None."""
    best = optimum(instance)
    try:
        search = searched(instance, run, start)
        if search.certificate is not None:
            bound = None if search.infeasible else search.bound
            check_certificate(instance, search.certificate, bound)
        proof = None if best is None else certify(instance, best, Budget.of(SECONDS))
        if proof is not None:
            check_certificate(instance, proof, best)
    except Exception as error:  # whatever it is, it is a mismatch
        return f"{type(error).__name__}: {error}"
    if best is None:
        return None if search.infeasible else "not found infeasible"
    if not search.closed:
        return f"not closed: cost {search.cost}, bound {search.bound}, optimum {best}"
    return None if search.cost == best else f"cost {search.cost} but optimum {best}"


def disagreement(instance: Generalization, seconds: float) -> tuple[str | None, int]:
    """Say which methods contradict each other; return how many proved the optimum."""
    try:
        searches = {
            name: searched(instance, run, seconds=seconds)
            for name, run in ways(instance).items()
        }
    except Exception as error:  # as in `fault`
        return f"{type(error).__name__}: {error}", 0
    least = min(search.cost or 0 for search in searches.values())
    wrong = [name for name, s in searches.items() if (s.bound or 0) > least]
    proofs = sum(search.closed for search in searches.values())
    return (f"{wrong} exceed the cost {least}" if wrong else None), proofs


def _judged(
    rng: random.Random, instance: Generalization, counts: Counter[str]
) -> list[tuple[str, str]]:
    """Return the ways that fail, and how."""
    found = []
    for name, run in ways(instance).items():
        feasible = 0 < instance.k <= instance.n
        start = random_start(rng, instance) if feasible and rng.random() < 0.5 else None
        rows = ", rows suppressed" if instance.suppress_rows else ""
        counts[f"{name} on {instance.on}{rows}"] += 1
        wrong = fault(instance, run, start)
        if wrong is not None:
            found.append((name, wrong))
    return found


def _compared(
    instance: Generalization, seconds: float, counts: Counter[str]
) -> list[tuple[str, str]]:
    """Return what contradicts each other."""
    if instance.n < instance.k:
        return []
    wrong, proofs = disagreement(instance, seconds)
    counts[f"{instance.on}: {proofs} proofs"] += 1
    return [] if wrong is None else [("all", wrong)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 if there was a mismatch."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--agree", action="store_true")
    parser.add_argument("--instances", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--on", choices=("entries", "attributes"))
    parser.add_argument("--most-rows", type=int, default=7, choices=range(1, 9))
    parser.add_argument("--seconds", type=float, default=10.0)
    chosen = parser.parse_args(arguments)
    rng = random.Random(chosen.seed)
    counts: Counter[str] = Counter()
    mismatches = 0
    for number in range(1, chosen.instances + 1):
        if chosen.agree:
            instance = random_instance(rng, 40, 15, chosen.on)
            found = _compared(instance, chosen.seconds, counts)
        else:
            instance = random_instance(rng, chosen.most_rows, on=chosen.on)
            found = _judged(rng, instance, counts)
        for name, wrong in found:
            mismatches += 1
            document = {"fault": wrong, "way": name, "instance": instance.to_dict()}
            print(json.dumps(document), flush=True)
        if number % 50 == 0 or number == chosen.instances:
            print(f"{number}/{chosen.instances}: {mismatches} mismatches", flush=True)
    for name, count in sorted(counts.items()):
        print(f"{count:6} {name}")
    return 1 if mismatches else 0


if __name__ == "__main__":
    sys.exit(main())
