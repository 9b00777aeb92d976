"""Plants: how many the adversary judges in a second of one processor.

Walks from all drawn plants, in turn; what is no instance or no solution counts, too, as
it does in a search. Prints a table of all problems, the slowest algorithm beside the
fastest.

    python -m scripts.benchmarks.plants [--seconds 1]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from random import Random
from typing import Any

from atleastk.research.adversary.judging import Judge
from atleastk.research.adversary.searching import drawn
from atleastk.research.adversary.walking import annealed
from atleastk.research.tables.markdown import markdown_table
from atleastk.runs import api
from atleastk.solvers.problem import Problem


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="per algorithm")
    chosen = parser.parse_args(arguments)
    columns = ("problem", "slowest", "a second>", "fastest", "a second>")
    rows = [_row(problem, chosen.seconds) for problem in api.problems()]
    print("\n".join(markdown_table(columns, rows)))


def _row(problem: Problem[Any], seconds: float) -> Sequence[object]:
    rates = sorted(
        (rate(Judge(problem, algorithm), seconds), f"`{algorithm.name}`")
        for algorithm in problem.algorithms
    )
    (low, slowest), (high, fastest) = rates[0], rates[-1]
    return problem.name, slowest, f"{low:,.0f}", fastest, f"{high:,.0f}"


def rate(judge: Judge, seconds: float) -> float:
    """Return the plants that are judged in a second, once all is warm."""
    rng = Random(0)
    starts = list(drawn(judge, rng))
    judge.ratio(starts[0])
    before, begun = judge.plants, time.process_time()
    for start in starts:
        annealed(judge, rng, start, time.monotonic() + seconds / len(starts))
    return (judge.plants - before) / (time.process_time() - begun)


if __name__ == "__main__":
    main()
