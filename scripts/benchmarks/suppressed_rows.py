"""Measure full-domain generalisation with an allowance of suppressed rows.

    python -m scripts.benchmarks.suppressed_rows [--table FILE] [--columns NAMES]
                                [--ks K,...] [--shares PERCENT,...] [--losses LOSS,...]
                                [--sensitive NAMES] [--asked l=L,frequency=L,t=T,...]
                                [--seconds S]

Solves a table, Adult by default, for every k, share and loss, and prints a table in
Markdown: levels, cost, bound, suppressed rows, seconds by the clock and of CPU time,
and what proves it; certificates are re-checked by then. Columns have the hierarchies of
the project if these hold their values; other numbers have bands, other texts are
suppressed. Without a file, Adult is the shipped sample. Of sensitive columns one thing
is asked at a time: l-diversity by either reading, or closeness; "k" asks for nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import fields
from fractions import Fraction
from itertools import product
from pathlib import Path
from time import process_time

import atleastk
from atleastk import Diversity, Generalization
from atleastk.instances.datasets.adult import adult
from atleastk.instances.datasets.adult_hierarchies import adult_hierarchies
from atleastk.instances.fields.allowance import allowed_rows
from atleastk.instances.hierarchies.hierarchy import Hierarchy, Label, suppression_of
from atleastk.instances.hierarchies.rules import bands_of
from atleastk.models.generalization import GeneralizationSolution
from scripts.studies.datasets import QUASI_IDENTIFIERS, Rows, read_rows

_HEAD = (
    "| loss | k | asked | allowed | levels | cost | bound | suppressed | s | CPU s "
    "| trust |"
)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--table", type=Path, metavar="FILE")
    parser.add_argument("--columns", default=",".join(QUASI_IDENTIFIERS))
    parser.add_argument("--ks", default="2,5,10,25")
    parser.add_argument("--shares", default="0,1,5,10")
    parser.add_argument("--losses", default="precision")
    parser.add_argument("--sensitive", default="")
    parser.add_argument("--asked", default="k")
    parser.add_argument("--seconds", type=float, default=60)
    chosen = parser.parse_args(arguments)
    names = chosen.columns.split(",")
    rows = _rows(chosen.table, names)
    apart = chosen.sensitive.split(",") if chosen.sensitive else []
    wide = _rows(chosen.table, [*names, *apart])
    print(f"{len(rows)} rows; levels of {', '.join(names)}.\n")
    print(f"{_HEAD}\n{'| --- ' * 11}|")
    wishes = (chosen.losses, chosen.ks, chosen.asked, chosen.shares)
    for loss, k, asked, share in product(*(wish.split(",") for wish in wishes)):
        allowed = allowed_rows(f"{share}%", len(rows))
        instance = _instance(rows, names, int(k), loss, allowed)
        if asked != "k":
            instance = _diverse(instance, asked, [row[len(names) :] for row in wide])
        row = f"| {loss} | {k} | {asked} | {share} % = {allowed} "
        print(row + _solved(instance, chosen), flush=True)


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
        [hierarchy_for(*column) for column in zip(names, cells, strict=True)],
        "attributes",
        loss,
        columns=names,
        suppress_rows=allowed,
    )


def _diverse(instance: Generalization, asked: str, values: Rows) -> Diversity:
    """Return the instance with what is asked of sensitive values, too."""
    shared = {one.name: getattr(instance, one.name) for one in fields(instance)}
    name, _, text = asked.partition("=")
    if name == "t":
        return Diversity(**shared, sensitive=values, t=Fraction(text))
    reading = "distinct" if name == "l" else name
    return Diversity(**shared, sensitive=values, l=int(text), reading=reading)


def hierarchy_for(name: str, cells: Sequence[Label]) -> Hierarchy:
    """Return the usual hierarchy of a column of Adult, or what a rule makes."""
    usual = adult_hierarchies().get(name)
    if usual is not None and usual.chain_of.keys() >= set(cells):
        return usual
    numbers = all(str(cell).isdecimal() for cell in cells)
    return bands_of(cells) if numbers else suppression_of(cells)


def _solved(instance: Generalization, chosen: argparse.Namespace) -> str:
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
