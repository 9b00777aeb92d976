"""Sweep: rectangle tiling and RTILE against plain enumeration.

    python -m scripts.sweeps.rectangle_tiling [--problem NAME] [--instances N] ...
    python -m scripts.sweeps.rectangle_tiling --agree [--instances N] [--seconds T]

Without ``--agree`` every instance has at most 16 cells: full and sparse grids, points
in general position, on a line and at one place, weights that are 0, small or huge, both
covers, and tilings by straight cuts. Each is enumerated, and solved by the automatic
choice and by every method that takes it. Algorithms that take it have to keep their
promise, and certificates are checked.

With ``--agree`` larger instances are solved by the automatic choice and by all methods
that take them; all that end with a proof must prove the same.

A mismatch is printed as one JSON object; the exit code is then 1. The same seed sweeps
the same.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from scripts.sweeps.sweep import (
    Told,
    agreed,
    broken_promise,
    fault,
    parser_of,
    sweep,
    ways,
)
from scripts.sweeps.tiling_instances import DRAWN, LARGER, OPTIMUM


def judged(instance: Any, seed: int) -> Iterator[tuple[str, str | None]]:
    """Yield every way to solve an instance and what is wrong with it."""
    best = OPTIMUM[instance.problem](instance)
    for name, run in ways(instance).items():
        yield name, fault(instance, run, seed, best)
    if best is not None:
        yield "algorithms", broken_promise(instance, seed, best)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 if there was a mismatch."""
    chosen = parser_of(__doc__, [*DRAWN]).parse_args(arguments)
    drawn = LARGER if chosen.agree else DRAWN

    def judge(instance: Any, rng: random.Random) -> Told:
        if chosen.agree:
            return agreed(instance, chosen.seconds)
        return judged(instance, rng.randrange(2**31))

    return sweep(chosen, [*DRAWN], lambda problem, rng: drawn[problem](rng), judge)


if __name__ == "__main__":
    sys.exit(main())
