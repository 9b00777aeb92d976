"""Sweep: r-gather and cellular clustering against plain enumeration.

    python -m scripts.sweeps.clustering [--problem NAME] [--instances N] [--seed S]
    python -m scripts.sweeps.clustering --agree [--instances N] [--seconds T]

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

import random
import sys
from collections.abc import Sequence

import atleastk
from atleastk.instances.clustering import Clustering
from atleastk.solvers.brute_force import cellular_clustering, r_gather
from atleastk.solving import AUTO
from scripts.sweeps.clustering_instances import random_clustering
from scripts.sweeps.sweep import (
    Told,
    agreed,
    broken_promise,
    fault,
    parser_of,
    sweep,
    ways,
)

PROBLEMS = ("r-gather", "cellular-clustering")


def optimum(instance: Clustering) -> int | None:
    """Return the least cost by enumeration; None if infeasible."""
    if isinstance(instance, atleastk.RGather):
        best = r_gather.optimum(instance)
    else:
        assert isinstance(instance, atleastk.CellularClustering)
        best = cellular_clustering.optimum(instance)
    return None if best is None else best[0]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 if there was a mismatch."""
    chosen = parser_of(__doc__, PROBLEMS).parse_args(arguments)
    sizes = range(10, 25) if chosen.agree else [0, 1, 2, 3, 4, 5, 5, 6, 6, 6, 7]

    def draw(problem: str, rng: random.Random) -> Clustering:
        return random_clustering(rng, problem, rng.choice(sizes))

    def judge(instance: Clustering, rng: random.Random) -> Told:
        if chosen.agree:
            return agreed(instance, chosen.seconds)
        return [_judged(instance, rng)]

    return sweep(chosen, PROBLEMS, draw, judge)


def _judged(instance: Clustering, rng: random.Random) -> tuple[str, str | None]:
    known, seed, best = ways(instance), rng.randrange(2**31), optimum(instance)
    name = AUTO if rng.random() < 0.5 else rng.choice([*known])
    wrong = fault(instance, known[name], seed, best)
    if wrong is None and best is not None:
        wrong = broken_promise(instance, seed, best)
    return name, wrong


if __name__ == "__main__":
    sys.exit(main())
