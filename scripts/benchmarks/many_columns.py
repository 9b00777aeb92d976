"""Measure full-domain generalisation on lattices of many columns.

    python -m scripts.benchmarks.many_columns [--table FILE --columns NAMES]
                                [--rows N] [--widths M,...] [--shares PERCENT,...]
                                [--losses LOSS,...] [--seeds SEED,...] [--k K]
                                [--seconds S]

Solves tables of M columns and prints a table in Markdown: what a plain greedy descent
loses, then loss, bound and gap of the automatic choice, the precision that both keep,
and seconds. The greedy one starts with all columns at the top, and lowers by one level
the column after which the least is lost, until none can be lowered. Tables are drawn:
numbers that depend on each other, in bands; codes of three digits, masked; and skewed
values, kept or suppressed. Of a file random rows are taken, with the hierarchies that
`scripts.benchmarks.suppressed_rows` gives them.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from time import process_time

import atleastk
from atleastk.instances.fields.allowance import allowed_rows
from atleastk.instances.generalization import Generalization
from atleastk.instances.hierarchies.hierarchy import Hierarchy, suppression_of
from atleastk.instances.hierarchies.rules import bands_of, masked
from atleastk.models.generalization import GeneralizationSolution
from atleastk.solvers.generalization.counting import Count, Counter
from scripts.benchmarks.suppressed_rows import hierarchy_for
from scripts.studies.datasets import read_rows

Levels = tuple[int, ...]

_HEAD = (
    "| columns | nodes | loss | suppressed | greedy | atleastk | bound | gap "
    "| greedy keeps | kept | s | CPU s |"
)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--table", type=Path, metavar="FILE")
    parser.add_argument("--columns", default="")
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--widths", default="12,13,16,20,40")
    parser.add_argument("--shares", default="0,5")
    parser.add_argument("--losses", default="precision")
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=30)
    chosen = parser.parse_args(arguments)
    print(f"{_HEAD}\n{'| --- ' * 12}|")
    names = chosen.columns.split(",")
    widths = [len(names)] if chosen.table else map(int, chosen.widths.split(","))
    seeds = map(int, chosen.seeds.split(","))
    wishes = (chosen.losses.split(","), chosen.shares.split(","))
    for seed, m, loss, share in product(seeds, widths, *wishes):
        rng = random.Random(seed)
        columns, trees = _drawn(rng, chosen.rows, m)
        if chosen.table is not None:
            rows = rng.sample(read_rows(chosen.table, names), chosen.rows)
            columns = [list(column) for column in zip(*rows, strict=True)]
            trees = [hierarchy_for(*one) for one in zip(names, columns, strict=True)]
        allowed = allowed_rows(f"{share}%", chosen.rows)
        table = list(zip(*columns, strict=True))
        instance = Generalization(
            table, chosen.k, trees, "attributes", loss, suppress_rows=allowed
        )
        print(_line(instance, share, chosen.seconds), flush=True)


def _drawn(
    rng: random.Random, n: int, m: int
) -> tuple[list[list[str]], list[Hierarchy]]:
    columns, trees = [], []
    shared = [rng.gauss(0, 1) for _ in range(n)]
    for j in range(m):
        if j % 4 in (0, 3):
            numbers = [50 + 15 * (x / 2 + rng.gauss(0, 1)) for x in shared]
            column = [str(max(0, min(99, int(x)))) for x in numbers]
            tree = bands_of(column)
        elif j % 4 == 1:
            leading = [min(9, int(abs(rng.gauss(0, 3)))) for _ in range(n)]
            column = [f"{first}{rng.randrange(100):02}" for first in leading]
            tree = masked(column)
        else:
            most = rng.randrange(1, 11)
            skewed = [min(most, int(rng.expovariate(0.7))) for _ in range(n)]
            column = [f"v{x}" for x in skewed]
            tree = suppression_of(column)
        columns.append(column)
        trees.append(tree)
    return columns, trees


def greedy(instance: Generalization) -> tuple[Levels, Count]:
    """Return the node at which steps that lose least end, from the top."""
    counter, levels = Counter(instance), instance.heights
    count = counter.count(levels)
    while True:
        below = [
            (*levels[:j], level - 1, *levels[j + 1 :])
            for j, level in enumerate(levels)
            if level
        ]
        steps = [(counter.count(node), node) for node in below]
        admitted = [(c.loss, node, c) for c, node in steps if c.loss is not None]
        if not admitted:
            return levels, count
        _, levels, count = min(admitted, key=lambda step: step[:2])


def _line(instance: Generalization, share: str, seconds: float) -> str:
    node, count = greedy(instance)
    begun = process_time()
    result = atleastk.solve(instance, time_limit=seconds, workers=1)
    spent = process_time() - begun
    assert atleastk.check(instance, result).feasible
    assert isinstance(result.solution, GeneralizationSolution)
    assert result.cost is not None
    proved = f"{result.gap:.1%}" if result.gap else f"0 ({result.trust})"
    kept = [_precision(instance, x) for x in (node, result.solution.levels[0])]
    cells = [
        instance.m,
        f"{instance.nodes:.2g}",
        instance.loss,
        f"{share} %",
        count.loss,
        result.cost,
        result.bound,
        proved,
        *(f"{x:.1%}" for x in kept),
        f"{result.seconds:.1f}",
        f"{spent:.1f}",
    ]
    return f"| {' | '.join(map(str, cells))} |"


def _precision(instance: Generalization, levels: Sequence[int]) -> float:
    pairs = zip(levels, instance.heights, strict=True)
    return 1 - sum(x / h for x, h in pairs if h) / instance.m


if __name__ == "__main__":
    main()
