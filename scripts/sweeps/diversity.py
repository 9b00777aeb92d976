"""Sweep: the exact methods of diversity against plain enumeration.

    python -m scripts.sweeps.diversity [--instances N] [--seed S]
    python -m scripts.sweeps.diversity --agree [--instances N] [--seconds T]

Without ``--agree`` every table can be enumerated, and is solved by all methods that
take it: on entries and on attributes, by both readings, with and without closeness, for
up to two sensitive columns. Besides, a model in a back end with random options, the
baselines, and the certificates of the optimum are judged.

With ``--agree`` tables have 12 to 30 rows, and all that end with a proof must prove the
same.

A mismatch is printed as one JSON object; the exit code is then 1. The same seed sweeps
the same.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from fractions import Fraction

from atleastk.instances.diversity import READINGS, Diversity
from atleastk.instances.hierarchies import Label
from atleastk.models.certificates.diversity import check_certificate
from atleastk.models.encodings.diversity import leader_model, pair_model
from atleastk.solvers.brute_force.diversity import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.certify import certify
from atleastk.solvers.diversity.first import begin
from atleastk.solvers.engine.modelled import modelled
from scripts.sweeps.generalization import random_instance as random_table
from scripts.sweeps.sweep import (
    Told,
    agreed,
    broken_promise,
    fault,
    parser_of,
    sweep,
    ways,
)
from scripts.sweeps.way import SECONDS, backend_named, random_options

PROBLEM = "diversity"


def random_instance(
    rng: random.Random, most_rows: int = 7, least_rows: int = 0
) -> Diversity:
    """Return a table of a random kind, with values that are rarely all the same."""
    table = random_table(rng, most_rows, least_rows)
    kinds: list[list[Label]] = [[0], [*"ab"], [*"aab"], [1, "1", 2], [*range(5)]]
    columns = [
        rng.choices(rng.choice(kinds), k=table.n)
        for _ in range(rng.choice([0, 1, 1, 1, 1, 2]))
    ]
    shares = [Fraction(part) for part in ("0", "1/7", "1/5", "1/3", "1")]
    return Diversity(
        table.table,
        rng.choice([1, table.k]),
        table.hierarchies,
        table.on,
        table.loss,
        column_weights=table.column_weights,
        row_weights=table.row_weights,
        sensitive=[[column[i] for column in columns] for i in range(table.n)],
        l=rng.choice([1, 2, 2, 2, 3, 3, table.n + 1]),
        reading=rng.choice(READINGS),
        t=rng.choice([None, None, *shares, Fraction(rng.randint(0, 60), 60)]),
    )


def judged(instance: Diversity, rng: random.Random) -> Told:
    """Yield what is wrong with every way to solve a table."""
    best = optimum(instance)
    for name, run in ways(instance).items():
        yield name, fault(instance, run, 1, best)
    backend = rng.choice(["CP-SAT", "HiGHS"])
    solver = backend_named(backend, random_options(rng, backend))
    model = pair_model if instance.on == "attributes" else leader_model
    method = modelled(model.__name__, "", model, solver, begin)
    yield f"{method.name} in {backend}", fault(instance, method.run, 1, best)
    yield "certificate", _false_proof(instance, best)
    if best is not None:
        yield "baselines", broken_promise(instance, 1, best)


def _false_proof(instance: Diversity, best: int | None) -> str | None:
    """Say what is wrong with a certificate of the optimum."""
    try:
        proof = certify(instance, best, Budget.of(SECONDS))
        if proof is not None:
            check_certificate(instance, proof, best)
    except Exception as error:  # whatever it is, it is what we are looking for
        return f"{type(error).__name__}: {error}"
    return "no certificate was found" if proof is None else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 if there was a mismatch."""
    chosen = parser_of(__doc__, [PROBLEM]).parse_args(arguments)
    if chosen.agree:
        return sweep(
            chosen,
            [PROBLEM],
            lambda _, rng: random_instance(rng, 30, 12),
            lambda instance, _: agreed(instance, chosen.seconds),
        )
    return sweep(chosen, [PROBLEM], lambda _, rng: random_instance(rng), judged)


if __name__ == "__main__":
    sys.exit(main())
