"""Measure full-domain generalisation with an allowance of suppressed rows.

    python -m scripts.benchmarks.suppressed_rows [--table FILE] [--columns NAMES]
                                [--ks K,...] [--shares PERCENT,...] [--losses LOSS,...]
                                [--seconds S]

Solves a table, Adult by default, for every k, share and loss, and prints a table in
Markdown: levels, cost, bound, suppressed rows, seconds by the clock and of CPU time,
and what proves it; certificates are re-checked by then. Columns have the hierarchies of
the project if these hold their values; other numbers have bands, other texts are
suppressed. Without a file, Adult is the shipped sample.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from time import process_time

import atleastk
from atleastk.anonymizing.allowance import allowed_rows
from atleastk.instances.datasets.adult import adult
from atleastk.instances.datasets.adult_hierarchies import adult_hierarchies
from atleastk.instances.generalization import Generalization
from atleastk.instances.hierarchies import Hierarchy, Label, suppression_of
from atleastk.instances.hierarchy_rules import bands_of
from atleastk.models.generalization import GeneralizationSolution
from scripts.studies.datasets import QUASI_IDENTIFIERS, Rows, read_rows

_HEADS = [
    "loss",
    "k",
    "allowed",
    "levels",
    "cost",
    "bound",
    "suppressed",
    "s",
    "CPU s",
    "trust",
]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--table", type=Path, metavar="FILE")
    parser.add_argument("--columns", default=",".join(QUASI_IDENTIFIERS))
    parser.add_argument("--ks", default="2,5,10,25")
    parser.add_argument("--shares", default="0,1,5,10")
    parser.add_argument("--losses", default="precision")
    parser.add_argument("--seconds", type=float, default=60)
    chosen = parser.parse_args(arguments)
    names = chosen.columns.split(",")
    rows = _rows(chosen.table, names)
    print(f"{len(rows)} rows; levels of {', '.join(names)}.\n")
    print(f"| {' | '.join(_HEADS)} |")
    print("| --- " * len(_HEADS) + "|")
    wishes = (chosen.losses, chosen.ks, chosen.shares)
    for loss, k, share in product(*(wish.split(",") for wish in wishes)):
        allowed = allowed_rows(f"{share}%", len(rows))
        instance = _instance(rows, names, int(k), loss, allowed)
        print(f"| {loss} | {k} | {share} % = {allowed} {_solved(instance, chosen)}")


def _rows(path: Path | None, names: Sequence[str]) -> Rows:
    if path is not None:
        return read_rows(path, names)
    places = [QUASI_IDENTIFIERS.index(name) for name in names]
    table = adult(1, len(QUASI_IDENTIFIERS)).table
    return [tuple(str(row[place]) for place in places) for row in table]


def _instance(
    rows: Rows, names: Sequence[str], k: int, loss: str, allowed: int
) -> Generalization:
    cells = zip(*rows, strict=True)
    return Generalization(
        rows,
        k,
        [_hierarchy(*column) for column in zip(names, cells, strict=True)],
        "attributes",
        loss,
        columns=names,
        suppress_rows=allowed,
    )


def _hierarchy(name: str, cells: Sequence[Label]) -> Hierarchy:
    usual = adult_hierarchies().get(name)
    if usual is not None and usual.chain_of.keys() >= set(cells):
        return usual
    numbers = all(str(cell).isdecimal() for cell in cells)
    return bands_of(cells) if numbers else suppression_of(cells)


def _solved(instance: Generalization, chosen: argparse.Namespace) -> str:
    """Solve an instance; return the rest of its line."""
    begun = process_time()
    result = atleastk.solve(
        instance, time_limit=chosen.seconds, workers=1, certify=True
    )
    seconds = process_time() - begun
    verdict = atleastk.check(instance, result)
    assert verdict.feasible, verdict.violations
    solution = result.solution
    assert isinstance(solution, GeneralizationSolution)
    levels = "".join(map(str, solution.levels[0]))
    rows = len(solution.suppressed_rows)
    return (
        f"| {levels} | {result.cost} | {result.bound} | {rows} | {result.seconds:.1f} "
        f"| {seconds:.1f} | {result.trust} |"
    )


if __name__ == "__main__":
    main()
