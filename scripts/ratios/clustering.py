"""Measure the algorithms of r-gather and cellular clustering against the optimum.

    python -m scripts.ratios.clustering [--instances N] [--seed S] [--out DIR]

Runs every algorithm on small random metrics - points in the plane and on a line, nodes
of graphs and trees, rows under the Hamming distance, distances 1 and 2 - of each of the
paper's seven problems and k-center, for all three readings of centres; the optimum is
found by plain enumeration. Euclidean lengths are rounded up to hundredths, so that all
ratios are of lengths and not of their squares.

Writes DIR/ratios_clustering.md: promise, worst and mean ratio, and the instance of the
worst. The exit code is 1 if a cost is below the optimum, a solution infeasible, or a
promise broken.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.clustering import CENTRES, Clustering
from atleastk.instances.r_gather import RGather
from scripts.ratios.tallies import Judged, Tally, enumerated, measured, tally_table
from scripts.sweeps.drawn_places import METRIC_SHAPES, SHAPES

OUT = Path(__file__).parents[2] / "docs/benchmarks"
NAME = "ratios_clustering"
MOST_POINTS = 7

Draw = Callable[[random.Random, int], Mapping[str, Any]]

_R: Final = (2, 2, 3, 3, 4)


def _few(rng: random.Random) -> int:
    return rng.randint(1, 3)


GATHERING: Mapping[str, Draw] = {
    "r-gather": lambda rng, _n: {"r": rng.choice(_R)},
    "(r, eps)-gather": lambda rng, _n: {
        "r": rng.choice(_R),
        "max_outliers": rng.randint(1, 2),
    },
    "(k, r)-center": lambda rng, _n: {"r": rng.choice(_R), "max_clusters": _few(rng)},
    "(k, r, eps)-center": lambda rng, _n: {
        "r": rng.choice(_R),
        "max_clusters": _few(rng),
        "max_outliers": rng.randint(1, 2),
    },
    "k-center": lambda rng, _n: {"r": 1, "max_clusters": _few(rng)},
}

CELLULAR: Mapping[str, Draw] = {
    "cellular": lambda rng, n: {"facility_costs": _costs(rng, n)},
    "r-cellular": lambda rng, n: {
        "r": rng.choice(_R),
        "facility_costs": rng.choice([None, _costs(rng, n)]),
    },
    "(r, eps)-cellular": lambda rng, n: {
        "r": rng.choice(_R),
        "max_outliers": rng.randint(1, 2),
        "facility_costs": rng.choice([None, _costs(rng, n)]),
    },
}
"""What is drawn of each of the paper's problems."""


def _costs(rng: random.Random, n: int) -> list[int]:
    most = rng.choice([1, 3, 10, 30])
    return [rng.randint(0, most) for _ in range(n)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--instances", type=int, default=12_000, help="of each problem")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args(arguments)
    tallies = [
        tally
        for kind, draws in (("r-gather", GATHERING), ("cellular-clustering", CELLULAR))
        for tally in measured(
            drawn(chosen.instances, chosen.seed, draws),
            chosen.seed,
            kind,
            lambda instance: instance.n,
            shown,
        )
    ]
    report = "\n".join(report_lines(tallies, chosen)) + "\n"
    chosen.out.mkdir(parents=True, exist_ok=True)
    (chosen.out / f"{NAME}.md").write_text(report, encoding="utf-8")
    print(report)
    wrong = [line for tally in tallies for line in tally.wrong]
    if wrong:
        raise SystemExit("\n".join(["WRONG", *wrong]))


def drawn(count: int, seed: int, draws: Mapping[str, Draw]) -> Iterator[Judged]:
    """Yield feasible random instances, so many of each problem."""
    rng = random.Random(seed)
    for name in draws:
        left = count
        while left:
            instance = random_metric(rng, draws[name])
            best = enumerated(instance)
            if best is not None:
                left -= 1
                yield Judged(instance, best)


def random_metric(rng: random.Random, draw: Draw) -> Clustering:
    """Draw an instance on a small metric."""
    n = rng.randint(3, MOST_POINTS)
    fields = SHAPES[rng.choice(METRIC_SHAPES)](rng, n) | dict(draw(rng, n))
    if fields.get("metric", "") in (None, "euclidean"):
        rounded = CellularClustering(points=fields.pop("points"), scale=100)
        del fields["metric"]
        fields["distances"] = rounded.space.matrix.tolist()
    fields["centres"] = rng.choice(CENTRES)
    if fields["centres"] == "any":
        fields.pop("facility_costs", None)
    if draw in GATHERING.values():
        return RGather(**fields)
    return CellularClustering(**fields)


def report_lines(tallies: Sequence[Tally], chosen: argparse.Namespace) -> Iterator[str]:
    """Yield the lines of the report."""
    yield "# r-gather and cellular clustering: algorithms against the optimum"
    yield ""
    yield (
        f"{chosen.instances} random metrics of 3 to {MOST_POINTS} points for each of "
        f"{', '.join([*GATHERING, *CELLULAR])} (seed {chosen.seed}), centres input, "
        "member and any in equal parts; optima by enumeration. Each algorithm runs on "
        "all instances of its problem that it takes."
    )
    yield ""
    yield "- *of promise*: the greatest cost / promised cost; 1 if it is attained."
    yield "- *missed 0*: instances of optimum 0 that the algorithm pays for."
    yield ""
    yield from tally_table(tallies)
    yield ""
    broken = sum(len(tally.wrong) for tally in tallies)
    yield f"Broken promises, infeasible solutions, costs below the optimum: {broken}."


def shown(instance: Clustering) -> str:
    """Show a small instance on a line."""
    fields = {k: v for k, v in instance.to_dict().items() if k != "problem"}
    where = fields.pop("distances", None) or fields.pop("points")
    rows = " ".join(",".join(map(str, row)) for row in where)
    return f"{rows}; " + ", ".join(f"{k} {v}" for k, v in fields.items())


if __name__ == "__main__":
    main()
