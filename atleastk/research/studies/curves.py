"""Costs and seconds along a number of the instances, such as their k."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from atleastk.instances.instance import Instance
from atleastk.research.studies.markdown import markdown_table
from atleastk.research.studies.results import Row, StudyResults
from atleastk.research.studies.spec import number_of

BOUND: Final = "bound"
"""The name of the curve of the best bounds that are proved."""

_TOLD: Final = 64
"""Most points in a table: more are for a picture."""


@dataclass(frozen=True, slots=True)
class Point:
    """What came of all runs on an instance.

    Attributes
    ----------
    along
        The number that costs are listed along.
    costs, ratios, seconds
        By methods and algorithms, with the first of their seeds; ratios are to the best
        bound, which is among the costs, and seconds are those of processors.
    """

    along: float
    costs: Mapping[str, int]
    ratios: Mapping[str, float]
    seconds: Mapping[str, float]


def curves_of(results: StudyResults) -> Mapping[str, Sequence[Point]]:
    """Return the points of all instances of a name, ascending; nothing unless asked."""
    found: dict[str, list[Point]] = {}
    if results.against:
        for sha256, rows in results.by_instance():
            instance = results.instance(sha256)
            point = _point(instance, number_of(instance, results.against), rows)
            name = _name_without(instance, results.against) or results.problem
            found.setdefault(name, []).append(point)
    return {
        name: sorted(points, key=lambda point: point.along)
        for name, points in found.items()
    }


def _name_without(instance: Instance, number: str) -> str:
    """Return the name of an instance without a number that it may tell."""
    return re.sub(rf" {re.escape(number)}=\S+", "", instance.name or "")


def _point(instance: Instance, along: float, rows: Sequence[Row]) -> Point:
    """Return what came of the runs on an instance; nothing of what has no answer."""
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
    """Return what a picture draws: for every name costs, ratios and seconds."""
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


def told_curves(results: StudyResults) -> Iterator[str]:
    """Yield lines of Markdown with all costs and seconds, if they are not too many."""
    curves = curves_of(results)
    if sum(map(len, curves.values())) > _TOLD:
        return
    runs = dict.fromkeys(row["name"] for row in results.rows)
    heads = [f"{name}>" for name in (results.against, BOUND, *runs)]
    for name, points in curves.items():
        yield from (
            "",
            f"## {name}",
            "",
            "Costs, and what they are above the bound:",
            "",
        )
        yield from markdown_table(
            heads,
            (
                [str(point.along), *(_cost(point, run) for run in (BOUND, *runs))]
                for point in points
            ),
        )
        yield from ("", "CPU seconds:", "")
        yield from markdown_table(
            [heads[0], *heads[2:]],
            (
                [str(point.along), *(_seconds(point, run) for run in runs)]
                for point in points
            ),
        )


def _cost(point: Point, run: str) -> str:
    above = f" (+{point.ratios[run] - 1:.1%})" if run in point.ratios else ""
    return f"{point.costs[run]}{above}" if run in point.costs else ""


def _seconds(point: Point, run: str) -> str:
    return f"{point.seconds[run]:.2f}" if run in point.seconds else ""
