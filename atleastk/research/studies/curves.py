"""Costs and seconds along a number of the instances, such as their k."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from atleastk.instances.instance import Instance
from atleastk.research.studies.results import Row, StudyResults
from atleastk.research.studies.spec import number_of
from atleastk.research.tables.markdown import markdown_table

BOUND: Final = "bound"
"""The name of the curve of the best bounds that are proved."""

_MOST_POINTS: Final = 64
"""The most points that are listed in a table."""


@dataclass(frozen=True, slots=True)
class Point:
    """The results of all runs on an instance."""

    along: float
    """The number of the instance that costs are listed by."""
    costs: Mapping[str, int]
    ratios: Mapping[str, float]
    seconds: Mapping[str, float]
    """`costs`, `ratios`, `seconds`: by methods and algorithms, with the first of their
    seeds; ratios are to the best bound, which is among the costs, and seconds are those
    of processors."""


def curves_of(results: StudyResults) -> Mapping[str, Sequence[Point]]:
    """Return the points by name of the instances, ascending; none without `against`."""
    found: dict[str, list[Point]] = {}
    if results.against:
        for sha256, rows in results.by_instance():
            instance = results.instance(sha256)
            point = _point(instance, number_of(instance, results.against), rows)
            number = rf" {re.escape(results.against)}=\S+"
            name = re.sub(number, "", instance.name or "") or results.problem
            found.setdefault(name, []).append(point)
    return {
        name: sorted(points, key=lambda point: point.along)
        for name, points in found.items()
    }


def _point(instance: Instance, along: float, rows: Sequence[Row]) -> Point:
    """Return the costs, ratios and seconds of the runs that solved an instance."""
    first: dict[str, Row] = {}
    for row in rows:
        first.setdefault(row["name"], row)
    solved = {name: row for name, row in first.items() if row["cost"] is not None}
    bound = max((r["bound"] for r in rows if r["bound"] is not None), default=None)
    costs = {name: row["cost"] for name, row in solved.items()}
    ratios = {
        name: instance.ratio(cost, bound) for name, cost in costs.items() if bound
    }
    seconds = {name: row["cpu_seconds"] for name, row in solved.items()}
    known = {} if bound is None else {BOUND: bound}
    return Point(along, known | costs, ratios, seconds)


def panels_of(
    results: StudyResults,
) -> Mapping[str, Mapping[str, Mapping[str, tuple[list[float], list[float]]]]]:
    """Return the lines to draw, by name: of costs, ratios and seconds."""
    return {
        name: {
            "cost": _lines(points, [point.costs for point in points]),
            "cost / bound": _lines(points, [point.ratios for point in points]),
            "CPU seconds": _lines(points, [p.seconds for p in points]),
        }
        for name, points in curves_of(results).items()
    }


def _lines(
    points: Sequence[Point], values: Sequence[Mapping[str, float]]
) -> Mapping[str, tuple[list[float], list[float]]]:
    lines: dict[str, tuple[list[float], list[float]]] = {}
    for point, each in zip(points, values, strict=True):
        for name, value in each.items():
            places, heights = lines.setdefault(name, ([], []))
            places.append(point.along)
            heights.append(value)
    return lines


def curve_lines(results: StudyResults) -> Iterator[str]:
    """Yield the lines of Markdown tables of all costs and seconds, unless too many."""
    curves = curves_of(results)
    if sum(map(len, curves.values())) > _MOST_POINTS:
        return
    runs = dict.fromkeys(row["name"] for row in results.rows)
    heads = [f"{name}>" for name in (results.against, BOUND, *runs)]
    for name, points in curves.items():
        costs = [[p.along, *(_cost(p, run) for run in (BOUND, *runs))] for p in points]
        seconds = [[p.along, *(_seconds(p, run) for run in runs)] for p in points]
        yield from ("", f"## {name}")
        yield from ("", "Costs, and what they are above the bound:", "")
        yield from markdown_table(heads, costs)
        yield from ("", "CPU seconds:", "")
        yield from markdown_table([heads[0], *heads[2:]], seconds)


def _cost(point: Point, run: str) -> str:
    above = f" (+{point.ratios[run] - 1:.1%})" if run in point.ratios else ""
    return f"{point.costs[run]}{above}" if run in point.costs else ""


def _seconds(point: Point, run: str) -> str:
    return f"{point.seconds[run]:.2f}" if run in point.seconds else ""
