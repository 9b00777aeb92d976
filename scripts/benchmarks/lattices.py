"""Measure full-domain generalisation: suppressed rows, sensitive values, many columns.

    python -m scripts.benchmarks.lattices [--table FILE] [--columns NAMES] [--rows N]
                                [--drawn M,...] [--seeds SEED,...] [--ks K,...]
                                [--shares PERCENT,...] [--losses LOSS,...]
                                [--sensitive NAMES] [--asked l=L,frequency=L,t=T,...]
                                [--seconds S]

Solves a table for every loss, k, wish and share, and a line of Markdown tells of each:
levels, cost, bound and gap, the precision that is kept, suppressed rows, seconds by the
clock and of CPU time, and what proves it; certificates are re-checked by then. Beside
it what a plain greedy descent loses: it starts with all columns at the top, and lowers
by one level the column after which the least is lost, until none can be lowered.

The table is that of a file, or random rows of it, and without a file the shipped sample
of Adult. Columns have the hierarchies of the project if these hold their values; other
numbers have bands, other texts are suppressed. With --drawn tables of M columns are
drawn: numbers that depend on each other, in bands; codes of three digits, masked; and
skewed values, kept or suppressed. Of sensitive columns one thing is asked at a time:
l-diversity by either reading, or closeness; "k" asks for nothing.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import product
from pathlib import Path
from time import process_time
from typing import Final

import atleastk
from atleastk import Diversity, Generalization
from atleastk.instances.datasets import adult
from atleastk.instances.datasets.adult_hierarchies import adult_hierarchies
from atleastk.instances.fields.allowance import allowed_rows
from atleastk.instances.hierarchies.hierarchy import Hierarchy, Label, suppression_of
from atleastk.instances.hierarchies.rules import bands_of, masked
from atleastk.models.generalization import GeneralizationSolution
from atleastk.research.tables.markdown import markdown_table
from atleastk.solvers.generalization.counting import Count, Counter
from scripts.studies.datasets import QUASI_IDENTIFIERS, Rows, read_rows

SAMPLE: Final = Path(adult.__file__).with_name("adult_sample.csv")

Levels = tuple[int, ...]

COLUMNS: Final = (
    *("table", "nodes", "loss", "k", "asked", "allowed", "greedy", "greedy keeps"),
    *("levels", "cost", "bound", "gap", "kept", "suppressed", "s", "CPU s", "trust"),
)


@dataclass(frozen=True, slots=True)
class Source:
    """A table, its sensitive columns, and the hierarchies of the others."""

    name: str
    rows: Rows
    secrets: Rows
    hierarchies: Sequence[Hierarchy]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--table", type=Path, metavar="FILE")
    parser.add_argument("--columns", default=",".join(QUASI_IDENTIFIERS))
    parser.add_argument("--rows", type=int)
    parser.add_argument("--drawn", default="", metavar="M,...")
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--ks", default="5")
    parser.add_argument("--shares", default="0,5")
    parser.add_argument("--losses", default="precision")
    parser.add_argument("--sensitive", default="")
    parser.add_argument("--asked", default="k")
    parser.add_argument("--seconds", type=float, default=60)
    chosen = parser.parse_args(arguments)
    print("\n".join(markdown_table(COLUMNS, ())))
    wishes = (chosen.losses, chosen.ks, chosen.asked, chosen.shares)
    for source in sources(chosen):
        for loss, k, asked, share in product(*(wish.split(",") for wish in wishes)):
            allowed = allowed_rows(f"{share}%", len(source.rows))
            instance = Generalization(
                source.rows,
                int(k),
                source.hierarchies,
                "attributes",
                loss,
                suppress_rows=allowed,
            )
            if asked != "k":
                instance = diverse(instance, asked, source.secrets)
            told = [loss, k, asked, f"{share} % = {allowed}"]
            row = [source.name, f"{instance.nodes:.2g}", *told]
            row += measured(instance, chosen.seconds)
            print(markdown_table(COLUMNS, [row])[-1], flush=True)


def sources(chosen: argparse.Namespace) -> Iterator[Source]:
    for seed in map(int, chosen.seeds.split(",")):
        rng = random.Random(seed)
        for m in map(int, filter(None, chosen.drawn.split(","))):
            columns, trees = drawn(rng, chosen.rows or 5000, m)
            yield Source(f"drawn, {m}", list(zip(*columns, strict=True)), [], trees)
        if not chosen.drawn:
            yield _of_file(chosen, rng)


def _of_file(chosen: argparse.Namespace, rng: random.Random) -> Source:
    names = chosen.columns.split(",")
    wide = [*names, *filter(None, chosen.sensitive.split(","))]
    path = SAMPLE if chosen.table is None else chosen.table
    rows = read_rows(path, wide)
    if chosen.rows:
        rows = rng.sample(rows, chosen.rows)
    m = len(names)
    cells = zip(names, zip(*(row[:m] for row in rows), strict=True), strict=True)
    trees = [hierarchy_for(*column) for column in cells]
    name = "Adult" if chosen.table is None else chosen.table.name
    kept, secrets = ([row[part] for row in rows] for part in (slice(m), slice(m, None)))
    return Source(f"{name}, {m}", kept, secrets, trees)


def drawn(
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


def hierarchy_for(name: str, cells: Sequence[Label]) -> Hierarchy:
    """Return the usual hierarchy of a column of Adult, or what a rule makes."""
    usual = adult_hierarchies().get(name)
    if usual is not None and usual.chain_of.keys() >= set(cells):
        return usual
    numbers = all(str(cell).isdecimal() for cell in cells)
    return bands_of(cells) if numbers else suppression_of(cells)


def diverse(instance: Generalization, asked: str, values: Rows) -> Diversity:
    """Return the instance with what is asked of sensitive values, too."""
    shared = {one.name: getattr(instance, one.name) for one in fields(instance)}
    name, _, text = asked.partition("=")
    if name == "t":
        return Diversity(**shared, sensitive=values, t=Fraction(text))
    reading = "distinct" if name == "l" else name
    return Diversity(**shared, sensitive=values, l=int(text), reading=reading)


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


def measured(instance: Generalization, seconds: float) -> list[object]:
    """Return the cells from the greedy descent on."""
    node, count = greedy(instance)
    begun = process_time()
    result = atleastk.solve(instance, seconds, workers=1, certify=True)
    spent = process_time() - begun
    verdict = atleastk.check(instance, result)
    assert verdict.feasible, verdict.violations
    solution = result.solution
    assert isinstance(solution, GeneralizationSolution)
    found = solution.levels[0]
    kept = (f"{_precision(instance, levels):.1%}" for levels in (node, found))
    return [
        *(count.loss, next(kept), "".join(map(str, found)), result.cost, result.bound),
        *(f"{result.gap or 0:.1%}", next(kept), len(solution.suppressed_rows)),
        *(f"{result.seconds:.1f}", f"{spent:.1f}", result.trust),
    ]


def _precision(instance: Generalization, levels: Sequence[int]) -> float:
    pairs = zip(levels, instance.heights, strict=True)
    return 1 - sum(x / h for x, h in pairs if h) / instance.m


if __name__ == "__main__":
    main()
