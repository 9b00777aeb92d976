"""Measure what a k costs on Adult, and what neighbours tell each other.

    python -m scripts.benchmarks.tradeoff [--ks K..K] [--seconds S] [-o FILE]

Full-domain generalisation by three rules of hierarchies and four allowances of
suppressed rows, and suppressed cells, for every k: with neighbours and, for the same k
and seconds, alone. Writes the page; without a folder of data sets, of the sample.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from statistics import fmean
from textwrap import wrap
from time import process_time
from typing import Any, Final

import atleastk
from atleastk import Tradeoff
from atleastk.cli.readers import levels
from atleastk.instances.datasets.adult_hierarchies import adult_hierarchies
from atleastk.models.results.status import Status
from atleastk.models.results.tradeoff import TradeoffPoint
from atleastk.research.tables.markdown import markdown_table
from scripts.benchmarks.measured import OUT, software
from scripts.studies.datasets import QUASI_IDENTIFIERS, adult_rows

_RULES: Final[dict[str, Any]] = {
    "usual": adult_hierarchies(),
    "auto": "auto",
    "suppression": "suppression",
}
_ALLOWANCES: Final = ("0%", "1%", "5%", "10%")
_WIDTH: Final = 95
_PRICED: Final = 5
Curve = tuple[str | None, int | None]
_SHOWN: Final = (2, 5, 10, 25, 50)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--ks", type=levels, default=tuple(range(2, 51)), metavar="K..K"
    )
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("-o", dest="output", type=Path, default=OUT / "tradeoff.md")
    chosen = parser.parse_args(arguments)
    names = list(QUASI_IDENTIFIERS)
    rows = [dict(zip(names, row, strict=True)) for row in adult_rows(QUASI_IDENTIFIERS)]
    page = "\n".join(_page(rows, names, chosen.ks, chosen.seconds))
    text = "\n".join(map(_wrapped, page.split("\n")))
    chosen.output.write_text(text + "\n", encoding="utf-8")


def _wrapped(line: str) -> str:
    """Return a line of a table or a heading as it is, a paragraph in lines."""
    return line if line.startswith(("|", "#")) else "\n".join(wrap(line, _WIDTH))


def _page(
    rows: list[dict[str, str]], names: list[str], ks: Sequence[int], seconds: float
) -> Iterator[str]:
    yield (
        f"# What a k costs\n\nAdult, {len(rows):,} rows, 8 columns, k = {ks[0]} to "
        f"{ks[-1]}, by `python -m scripts.benchmarks.tradeoff`. Seconds are of CPU "
        "time, with one worker; the machine "
        "was busy with other work. What is not searched neighbours have closed: a "
        "solution for k + 1, or with fewer rows off, is one for k, and bounds go the "
        "other way.\n"
    )
    usual = {name: _RULES["usual"][name] for name in names}
    rules = {**_RULES, "usual": usual}

    def lattice(**more: Any) -> Tradeoff:
        return atleastk.tradeoff(
            rows, ks, columns=names, rules=rules, loss="precision", workers=1, **more
        )

    made, spent = _timed(lambda: lattice(allowances=_ALLOWANCES, prices=[_PRICED]))
    yield from _levels(made, spent, len(names))
    yield from _one_curve(rows, names, ks, usual)
    yield from _prices(made)
    yield from _cells(rows, names, ks, seconds)
    yield f"{software()}"


def _timed(call: Callable[[], Any]) -> tuple[Any, float]:
    begun = process_time()
    return call(), process_time() - begun


def _alone(point: TradeoffPoint, seconds: float | None) -> atleastk.Result:
    instance = point.result.instance
    assert instance is not None  # the point is of this run
    return atleastk.solve(instance, time_limit=seconds, workers=1)


def _searched(points: Sequence[TradeoffPoint]) -> int:
    return sum(point.seconds > 0 for point in points)


def _levels(made: Tradeoff, spent: float, columns: int) -> Iterator[str]:
    optimal = sum(point.result.status is Status.OPTIMAL for point in made)
    certified = sum(point.result.trust == "certified" for point in made)
    yield (
        "## Levels of columns\n\nLoss: precision. Three rules: the hierarchies of the "
        "project (`usual`), those that `auto` takes, and each column kept or hidden "
        f"(`suppression`). {len(made)} points and {len(made.prices)} prices of columns "
        f"in {spent:.0f} s: {optimal} proved optimal ({certified} by a certificate of "
        f"their own), {_searched(made.points)} searched.\n"
    )
    curves: dict[Curve, list[TradeoffPoint]] = {}
    for point in made:
        curves.setdefault((point.case.rule, point.case.allowed), []).append(point)
    rows = []
    for (rule, allowed), points in curves.items():
        steps = len([*groupby(points, key=lambda p: p.cost)])
        told = "; ".join(
            f"{p.k}: {p.kept.lost:.1%}, {p.kept.suppressed_rows}, "
            f"{p.kept.mean_risk:.3%}"
            for p in points
            if p.kept is not None and p.k in _SHOWN
        )
        searched = f"{_searched(points)} of {len(points)}"
        rows.append([rule, allowed, searched, steps, told])
    heads = ("rule", "off", "searched", "steps", "k: lost, rows off, mean risk")
    yield from markdown_table(heads, rows)
    yield (
        "\n*Off*: how many rows may be suppressed altogether. *Steps*: how many "
        "different optima there are. *Lost*: of the precision of "
        f"{columns} columns. *Mean risk*: with which probability a guess is right.\n"
    )


def _one_curve(
    rows: list[dict[str, str]], names: list[str], ks: Sequence[int], usual: Any
) -> Iterator[str]:
    """Compare a curve with a table for every k, each with its figures."""
    curve, spent = _timed(
        lambda: atleastk.tradeoff(
            rows,
            ks,
            columns=names,
            rules={"usual": usual},
            allowances=[0],
            loss="precision",
            workers=1,
        )
    )
    wishes = {"hierarchies": usual, "loss": "precision", "workers": 1}
    made, alone = _timed(
        lambda: [atleastk.anonymize(rows, k, names, **wishes) for k in ks]
    )
    same = [one.report.cost for one in made] == [point.cost for point in curve]
    yield (
        f"The {len(curve)} k of `usual` without suppressed rows take {spent:.1f} s as "
        f"neighbours, {_searched(curve.points)} of them searched, with the figures of "
        f"what is kept; as many calls of `anonymize` take {alone:.1f} s, for "
        f"{'the same' if same else 'OTHER'} optima.\n"
    )


def _prices(made: Tradeoff) -> Iterator[str]:
    yield (
        f"## Prices of columns\n\nWhat the optimum for k = {_PRICED} falls by if a "
        "column is left out, as a share of the cost of a table that says nothing.\n"
    )
    names = list(dict.fromkeys(price.column for price in made.prices))
    curves: dict[Curve, dict[str, str]] = {}
    for price in made.prices:
        curve = curves.setdefault((price.case.rule, price.case.allowed), {})
        curve[price.column] = "-" if price.share is None else f"{price.share:.1%}"
    rows = ([*curve, *map(shares.get, names)] for curve, shares in curves.items())
    yield from (*markdown_table(["rule", "off", *names], rows), "")


def _cells(
    rows: list[dict[str, str]], names: list[str], ks: Sequence[int], seconds: float
) -> Iterator[str]:
    """Compare neighbours with searches alone, of the same seconds each."""
    atleastk.tradeoff(  # lest loops be compiled below
        rows, ks[-1:], time_limit=min(seconds, 5), columns=names, workers=1
    )
    made, spent = _timed(
        lambda: atleastk.tradeoff(
            rows, ks, time_limit=seconds, columns=names, workers=1
        )
    )
    each = seconds / len(ks)
    alone = [_alone(point, each) for point in made]
    gaps = [point.gap for point in made if point.gap is not None]
    own = [result.gap for result in alone if result.gap is not None]
    better = sum(
        (p.cost or 0) < (r.cost or 0) for p, r in zip(made, alone, strict=True)
    )
    tighter = sum(
        (p.bound or 0) > (r.bound or 0) for p, r in zip(made, alone, strict=True)
    )
    handed = sum(point.found_at != point.case for point in made)
    bounded = sum(point.proved_at != point.case for point in made)
    yield (
        f"## Suppressed cells\n\n{len(made)} k in {seconds:.0f} s by the clock "
        f"({spent:.0f} s of CPU time): {_searched(made.points)} searched; the mean gap "
        f"is {fmean(gaps):.2%}, the greatest {max(gaps):.2%}. Alone, with "
        f"{each:.1f} s for each k, it is {fmean(own):.2%} and {max(own):.2%}. "
        f"Neighbours have the better table for {better} k and the better bound for "
        f"{tighter}: {handed} of their tables and {bounded} of their bounds are those "
        "of another k.\n"
    )
    heads = ("k", "cells", "at least", "gap", "cells alone", "at least", "gap")
    shown = (
        [point.k, *_figures(point), *_figures(result)]
        for point, result in zip(made, alone, strict=True)
        if point.k in _SHOWN
    )
    yield from (*markdown_table(heads, shown), "")


def _figures(found: TradeoffPoint | atleastk.Result) -> tuple[object, ...]:
    return found.cost, found.bound, f"{found.gap:.2%}"


if __name__ == "__main__":
    main()
