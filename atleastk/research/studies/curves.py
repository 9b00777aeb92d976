"""Costs and seconds along a number of the instances, such as their k."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from atleastk.models.results.status import Status
from atleastk.research.studies.results import Row, StudyResults
from atleastk.research.studies.spec import number_of, parts_of
from atleastk.research.tables.markdown import markdown_table

BOUND: Final = "bound"
"""The name of the curve of the best bounds that are proved."""

SOLVABLE: Final = "share with a solution"
"""The name of the picture of how many instances are feasible, and of its curve."""

_MOST_POINTS: Final = 64
"""The most points that are listed in a table."""


@dataclass(frozen=True, slots=True)
class Point:
    """The results of all runs on the instances of a number, whatever their seeds."""

    along: float
    """The number that costs are listed by."""
    costs: Mapping[str, Sequence[int]]
    ratios: Mapping[str, Sequence[float]]
    seconds: Mapping[str, Sequence[float]]
    """`costs`, `ratios`, `seconds`: by methods and algorithms; ratios are to the best
    bound, which is among the costs, and seconds are those of processors."""
    solvable: float
    """The share of the instances that are not known to have no solution."""


def curves_of(results: StudyResults) -> Mapping[str, Sequence[Point]]:
    """Return the points by name of the instances, ascending; none without `against`.

    Instances that only their seeds tell apart are one point.
    """
    found: dict[str, dict[float, list[Sequence[Row]]]] = {}
    if results.against:
        numbers = "|".join(map(re.escape, parts_of(results.against)))
        apart = re.compile(rf" (?:{numbers}|seed)=\S+")
        for sha256, rows in results.by_instance():
            instance = results.instance(sha256)
            name = apart.sub("", instance.name or "") or results.problem
            along = number_of(instance, results.against)
            found.setdefault(name, {}).setdefault(along, []).append(rows)
    return {
        name: [_point(results, along, points[along]) for along in sorted(points)]
        for name, points in found.items()
    }


def _point(
    results: StudyResults, along: float, every: Sequence[Sequence[Row]]
) -> Point:
    """Return the results of the runs that solved the instances of a number."""
    costs = defaultdict[str, list[int]](list)
    ratios = defaultdict[str, list[float]](list)
    seconds = defaultdict[str, list[float]](list)
    infeasible = 0
    for rows in every:
        instance = results.instance(rows[0]["instance"])
        infeasible += any(row["status"] == Status.INFEASIBLE for row in rows)
        bound = max((r["bound"] for r in rows if r["bound"] is not None), default=None)
        if bound is not None:
            costs[BOUND].append(bound)
        for row in rows:
            name, cost = row["name"], row["cost"]
            if cost is None:
                continue
            costs[name].append(cost)
            seconds[name].append(row["cpu_seconds"])
            if bound:
                ratios[name].append(instance.ratio(cost, bound))
    return Point(along, costs, ratios, seconds, 1 - infeasible / len(every))


def panels_of(
    results: StudyResults,
) -> Mapping[str, Mapping[str, Mapping[str, tuple[list[float], list[float]]]]]:
    """Return the lines to draw, by name: of costs, ratios and seconds, on the mean.

    Where points have several runs, the worst ratios are another panel; where some
    instances have no solution, so is the share of the others.
    """
    curves = curves_of(results)
    every = [point for points in curves.values() for point in points]
    several = any(len(each) > 1 for point in every for each in point.ratios.values())
    infeasible = any(point.solvable < 1 for point in every)
    found = {}
    for name, points in curves.items():
        ratios = [point.ratios for point in points]
        panels = {"cost": _lines(points, [point.costs for point in points])}
        panels["cost / bound"] = _lines(points, ratios)
        if several:
            panels["worst cost / bound"] = _lines(points, ratios, max)
        panels["CPU seconds"] = _lines(points, [point.seconds for point in points])
        if infeasible:
            shares = [{SOLVABLE: [point.solvable]} for point in points]
            panels[SOLVABLE] = _lines(points, shares)
        found[name] = panels
    return found


def _lines(
    points: Sequence[Point],
    values: Sequence[Mapping[str, Sequence[float]]],
    told: Callable[[Sequence[float]], float] = fmean,
) -> Mapping[str, tuple[list[float], list[float]]]:
    lines: dict[str, tuple[list[float], list[float]]] = {}
    for point, each in zip(points, values, strict=True):
        for name, found in each.items():
            places, heights = lines.setdefault(name, ([], []))
            places.append(point.along)
            heights.append(told(found))
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
    """Return the cost, on the mean, and what it is above the bound, on the mean."""
    costs, ratios = point.costs.get(run), point.ratios.get(run)
    if not costs:
        return ""
    told = str(costs[0]) if len(costs) == 1 else f"{fmean(costs):.1f}"
    if not ratios:
        return told
    worst = f", at most +{max(ratios) - 1:.1%}" if len(ratios) > 1 else ""
    return f"{told} (+{fmean(ratios) - 1:.1%}{worst})"


def _seconds(point: Point, run: str) -> str:
    return f"{fmean(point.seconds[run]):.2f}" if run in point.seconds else ""
