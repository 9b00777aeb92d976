"""Sweep: rectangle tiling and RTILE against plain enumeration.

    python scripts/sweep_tilings.py [--problem NAME] [--instances N] [--seed S]
    python scripts/sweep_tilings.py --agree [--instances N] [--seconds T]

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

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from sweeps import broken_promise, disagreement, fault, ways
from tiling_instances import DRAWN, LARGER, OPTIMUM


def judged(instance: Any, seed: int) -> Iterator[tuple[str, str | None]]:
    """Yield every way to solve an instance and what is wrong with it."""
    best = OPTIMUM[instance.problem](instance)
    for name, run in ways(instance).items():
        yield name, fault(instance, run, seed, best)
    if best is not None:
        yield "algorithms", broken_promise(instance, seed, best)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 if there was a mismatch."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--problem", choices=[*DRAWN], help="default: both in turn")
    parser.add_argument("--agree", action="store_true")
    parser.add_argument("--instances", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=20.0)
    chosen = parser.parse_args(arguments)
    rng = random.Random(chosen.seed)
    counts: Counter[str] = Counter()
    mismatches = 0
    for number in range(1, chosen.instances + 1):
        problem = chosen.problem or [*DRAWN][number % len(DRAWN)]
        if chosen.agree:
            instance = LARGER[problem](rng)
            wrong, proved = disagreement(instance, chosen.seconds)
            told = [(", ".join(proved) or "nobody", wrong)]
        else:
            instance = DRAWN[problem](rng)
            told = [*judged(instance, rng.randrange(2**31))]
        for way, wrong in told:
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


if __name__ == "__main__":
    sys.exit(main())
