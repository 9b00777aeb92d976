"""Measure the algorithms of maps against the optimum.

    python -m scripts.ratios.maps [--instances N] [--seed S] [--out DIR]
                                  [--folder DIR] [--seconds T]

Runs every algorithm of connected partition, rectangle tiling and RTILE on small random
instances, whose optimum is found by plain enumeration. Then those of connected
partition on the counties of every state, k = floor(W / P) for P = 4, 8, 16 and half of
the nodes, against the best bound that the automatic choice proves within the time
limit. ``--folder`` holds the tables of counties; without it the counties of Mississippi
stand for all.

Writes DIR/ratios_maps.md: promise, worst and mean ratio, and the instance of the worst.
The exit code is 1 if a cost is below the optimum or bound, a solution infeasible, or a
promise broken.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import atleastk
from atleastk.registry import problem_of
from scripts.benchmarks.cases_maps import HALF, counties
from scripts.benchmarks.trials import markdown_table
from scripts.ratios.tallies import Judged, Tally, enumerated, measured, tally_table
from scripts.sweeps.drawn_places import random_grid, random_tiling
from scripts.sweeps.drawn_weights import random_map

OUT = Path(__file__).parents[2] / "docs/benchmarks"
NAME = "ratios_maps"
PARTS: Final = (4, 8, 16, HALF)

DRAWN: Final[Mapping[str, Callable[[random.Random], Any]]] = {
    "connected-partition": lambda rng: random_map(
        rng, rng.choice([0, 1, 2, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9])
    ),
    "rectangle-tiling": random_tiling,
    "rectangle-tiling-grid": random_grid,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--instances", type=int, default=10_000, help="of each problem")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--folder", type=Path, help="tables of counties")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each map")
    chosen = parser.parse_args(arguments)
    tallies = {
        problem: measured(
            drawn(problem, chosen.instances, chosen.seed),
            chosen.seed,
            problem,
            lambda instance: instance.n,
            shown,
        )
        for problem in DRAWN
    }
    on_maps = [*county_rows(chosen.folder, chosen.seconds, chosen.seed)]
    report = "\n".join(report_lines(tallies, on_maps, chosen)) + "\n"
    chosen.out.mkdir(parents=True, exist_ok=True)
    (chosen.out / f"{NAME}.md").write_text(report, encoding="utf-8")
    print(report)
    wrong = [
        line for each in tallies.values() for tally in each for line in tally.wrong
    ]
    if wrong:
        raise SystemExit("\n".join(["WRONG", *wrong]))


def drawn(problem: str, count: int, seed: int) -> Iterator[Judged]:
    """Yield feasible random instances that are not empty."""
    rng = random.Random(seed)
    while count:
        instance = DRAWN[problem](rng)
        best = enumerated(instance) if instance.n else None
        if best is not None:
            count -= 1
            yield Judged(instance, best)


def county_rows(
    folder: Path | None, seconds: float, seed: int
) -> Iterator[Sequence[object]]:
    """Yield a row for every map and number of parts: bound, cost, and all ratios."""
    for case in counties(folder, PARTS):
        instance = case.instance
        best = atleastk.solve(instance, time_limit=seconds, workers=1, seed=seed)
        if best.bound is None or best.cost is None:
            continue
        problem = problem_of(instance)
        ratios = []
        for algorithm in problem.algorithms:
            if algorithm.refuses(instance) is not None:
                ratios.append("")
                continue
            verdict = problem.check(instance, algorithm.run(instance, seed))
            cost = verdict.cost if verdict.feasible else None
            if cost is None or cost < best.bound:
                message = f"WRONG\n{algorithm.name} on {case.size}: {verdict}"
                raise SystemExit(message)
            ratios.append(f"{cost / best.bound:.4f}")
        yield [case.size, best.bound, best.cost, *ratios]


def report_lines(
    tallies: Mapping[str, Sequence[Tally]],
    on_maps: Sequence[Sequence[object]],
    chosen: argparse.Namespace,
) -> Iterator[str]:
    """Yield the lines of the report."""
    yield "# Maps: algorithms against the optimum"
    yield ""
    yield (
        f"{chosen.instances} random instances of each problem (seed {chosen.seed}); "
        "optima by enumeration. Each algorithm runs on all that it takes."
    )
    yield ""
    yield "- *of promise*: the greatest cost / promised cost; 1 if it is attained."
    yield "- *missed 0*: instances of optimum 0 that the algorithm pays for."
    for problem, each in tallies.items():
        yield ""
        yield f"## {problem}"
        yield ""
        yield from tally_table(each)
    yield ""
    broken = sum(len(tally.wrong) for each in tallies.values() for tally in each)
    yield f"Broken promises, infeasible solutions, costs below the optimum: {broken}."
    yield ""
    yield "## Counties"
    yield ""
    yield (
        f"cost / bound, the best that the automatic choice proves in {chosen.seconds:g}"
        " s."
    )
    yield ""
    names = [tally.algorithm.name for tally in tallies["connected-partition"]]
    columns = ["map", "bound>", "cost>", *(f"`{name}`>" for name in names)]
    yield from markdown_table(columns, on_maps)


def shown(instance: Any) -> str:
    """Show a small instance on a line."""
    fields = {k: v for k, v in instance.to_dict().items() if k != "problem"}
    return ", ".join(f"{k} {v}" for k, v in fields.items()).replace("|", "/")


if __name__ == "__main__":
    main()
