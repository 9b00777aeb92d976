"""A second report: every figure on a page of `anonymize`, from the tables alone.

    python scripts/second_report.py ORIGINAL.csv PUBLISHED.csv REPORT.json
                                    [--hierarchies DIR] [--population FILE]
                                    [--key NAMES] [--marker TEXT]

It imports nothing of the package and no library: it reads both tables as text files,
counts, and compares with the JSON twin of the report (`--report r.json`). Levels need
the hierarchies (`--write-hierarchies DIR`), and k-map the population. Rows that were
shuffled or dropped are found again by the columns that passed unchanged, or by some of
them (`--key`): rows that agree in these have to agree in all else. What no table tells
- the search, its bound and time, words - is not judged, and named in `UNTOLD`. Exit
code 0 if every figure is confirmed, 1 if one is not, each on a line, and 2 if rows
cannot be compared.

Shares and means are compared to nine digits: they are floating-point there; estimates
of samples, which solve equations, to five.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

UNTOLD = frozenset(
    (
        *("status", "trust", "seconds", "reading", "publishing", "method", "seed"),
        *("stopped", "note", "gap", "median_radius", "outliers", "clusters", "holds"),
        *("warnings", "asked", "hierarchies", "allowed", "now_text", "path", "scale"),
        *("problem", "minimise", "limits", "relaxations", "region", "shuffled", "on"),
        *("loss", "obstacles", "identifiers", "words", "limit", "rows_by", "bound"),
        *("ambiguous", "recoded", "suppress_rows", "reached", "radius", "total", "k"),
    )
)
"""Fields of a report that are about the search, or words about what was asked."""

COMMON, MOST_SHARES, LONGEST, MOST_CORRELATED = 20, 6, 40, 25
"""Values of every so manieth row are listed, so many, cut to so many characters; of
more columns of numbers no correlations are told."""

BY_CHANCE = 1 / 1000
"""Rows that are sorted with a smaller probability are called sorted."""

Column = list[str]
Classes = dict[Any, list[int]]


class Table(NamedTuple):
    """A text file with a header, by column."""

    names: list[str]
    rows: list[list[str]]

    def column(self, name: str) -> Column:
        j = self.names.index(name)
        return [row[j] for row in self.rows]

    def classes(self, names: Sequence[str]) -> Classes:
        """Return the rows that look alike in some columns."""
        found: Classes = defaultdict(list)
        for i, key in enumerate(zip(*map(self.column, names), strict=True)):
            found[key].append(i)
        return found


class Asked(NamedTuple):
    """The tables, the report, and how to read them."""

    original: Table
    published: Table
    report: Mapping[str, Any]
    names: list[str]
    marker: str
    chains: Mapping[str, Mapping[str, list[str]]]
    whole: int
    population: Table | None = None

    @property
    def n(self) -> int:
        return len(self.published.rows)

    @property
    def cells(self) -> list[tuple[list[str], list[str]]]:
        """The cells that were to be anonymised: of every row before and after."""
        now = cells_of(self.published, self.names)
        return list(zip(cells_of(self.original, self.names), now, strict=True))

    @property
    def heights(self) -> dict[str, int]:
        """The highest level of every column."""
        chains = self.chains
        return {name: max(map(len, chains[name].values())) - 1 for name in self.names}

    @property
    def persons(self) -> list[Fraction]:
        """How many persons each row stands for, as it was given."""
        column = self.original.column(self.report["weighting"]["rows"])
        return [Fraction(cell.strip()) for cell in column]

    def twice(self, of: Callable[[Table], Any]) -> dict[str, Any]:
        """Return what is found in the table before and after."""
        return {"before": of(self.original), "after": of(self.published)}


def read(path: Path) -> Table:
    """Return the table of a file: its first line says what separates cells."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        text = file.read()
    first = text.partition("\n")[0]
    delimiter = max(",;\t|", key=first.count)
    names, *rows = csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
    return Table(names, [row for row in rows if row])


def read_chains(
    folder: Path, told: Mapping[str, str], marker: str
) -> dict[str, dict[str, list[str]]]:
    """Return the labels of every value, from the value to the top.

    Where values are only suppressed the top is the marker.
    """
    found = {}
    for name, source in told.items():
        with (folder / f"{name}.csv").open(newline="", encoding="utf-8") as file:
            lines = [line for line in csv.reader(file, delimiter=";") if line]
        if source.startswith("suppression"):
            lines = [[*line[:-1], marker] for line in lines]
        found[name] = {line[0]: line for line in lines}
    return found


def figures(asked: Asked) -> dict[str, Any]:
    """Return every figure, in the shape of the report."""
    if "losses" in asked.report:
        return {**means(asked)}
    sizes = sorted(map(len, asked.published.classes(asked.names).values()))
    told = {*asked.names, *asked.report["recoded"]}
    found: dict[str, Any] = {
        "rows": asked.whole,
        "cells": asked.whole * len(asked.names),
        "classes": len(sizes),
        "smallest": sizes[0],
        "largest": sizes[-1],
        "median": float(median(sizes)),
        "untouched_columns": [n for n in asked.original.names if n not in told],
        "attained": attained(asked, sizes),
    }
    if asked.report["suppressed"] is not None:
        found |= suppressed(asked)
    else:
        found |= {"suppressed": None, "share": None, "touched": 0, "blanked": 0}
        found["by_column"] = {}
    parts = (generality, weighting, quantities, sensitive, thresholds, order, risk, use)
    named = {one.__name__: one for one in parts}
    found |= {name: of(asked) for name, of in named.items() if name in asked.report}
    if "cost" in asked.report:
        cost = cost_of(asked, found)
        found |= {} if cost is None else {"cost": cost}
    return found


def attained(asked: Asked, sizes: Sequence[int]) -> int:
    """Return k: of equal rows, or of rows that match if that was asked."""
    if not asked.report["ambiguous"]:
        return sizes[0]
    return min(matches(asked))


def matches(asked: Asked) -> list[int]:
    """Return how many rows match each one: cells that were hidden match anything."""
    hidden = hidden_of(asked)
    rows = [
        [None if h else cell for h, cell in zip(stars, now, strict=True)]
        for stars, (_, now) in zip(hidden, asked.cells, strict=True)
    ]
    return [
        sum(
            all(None in (a, b) or a == b for a, b in zip(one, other, strict=True))
            for other in rows
        )
        for one in rows
    ]


def cells_of(table: Table, names: Sequence[str]) -> list[list[str]]:
    """Return the cells of some columns, row by row."""
    return [list(row) for row in zip(*map(table.column, names), strict=True)]


def hidden_of(asked: Asked) -> list[list[bool]]:
    """Return which cells are suppressed: they hold the marker, and did not before."""
    return [
        [now == asked.marker and was != now for was, now in zip(*pair, strict=True)]
        for pair in asked.cells
    ]


def suppressed(asked: Asked) -> dict[str, Any]:
    """Return the counts of suppressed cells."""
    hidden = hidden_of(asked)
    total = sum(map(sum, hidden))
    return {
        "suppressed": total,
        "share": total / (asked.n * len(asked.names)),
        "touched": sum(map(any, hidden)),
        "blanked": sum(map(all, hidden)),
        "by_column": {
            name: sum(row[j] for row in hidden) for j, name in enumerate(asked.names)
        },
    }


def cost_of(asked: Asked, found: Mapping[str, Any]) -> int | None:
    """Return the cost in the unit of the report; None if only a search knows it."""
    if "quantities" in found and not asked.report.get("weighting"):
        cost = asked.report["quantities"]["minimise"]
        if cost == "k":
            return -int(found["attained"])
        return 0 if cost == "none" else int(found["quantities"]["measures"][cost])
    general, weighs = found.get("generality"), asked.report.get("weighting")
    counts = rows_counts(asked)
    if weighs and not general:
        hidden = hidden_of(asked)
        each = [weighs["columns"][name] for name in asked.names]
        return sum(
            count * sum(int(w) for w, h in zip(each, row, strict=True) if h)
            for count, row in zip(counts, hidden, strict=True)
        )
    if general is None:
        return int(found["suppressed"])
    if "height" not in general:
        return None
    return general_cost(asked, general, counts)


def rows_counts(asked: Asked) -> list[int]:
    """Return what every row counts: its weight in the report's unit, or 1."""
    weighs = asked.report.get("weighting")
    if not weighs or weighs["rows"] is None:
        return [1] * asked.n
    return [int(persons * weighs["scale"]) for persons in asked.persons]


def general_cost(
    asked: Asked, general: Mapping[str, Any], counts: Sequence[int]
) -> int | None:
    """Return the loss that was minimised, as an integer."""
    told = asked.report["generality"]
    loss = told["loss"]
    if loss == "discernibility":
        return int(general["discernibility"])
    if loss == "average-class-size":
        average = float(general["class_size"])
        return asked.n - round(asked.n / int(asked.report["k"]) / average)
    heights: dict[str, int] = general["heights"]
    common = math.lcm(*(height for height in heights.values() if height))
    weighs = asked.report.get("weighting") or {"columns": dict.fromkeys(heights, 1)}
    unit = {
        name: weighs["columns"][name]
        * (common // height if loss == "precision" and height else 1)
        for name, height in heights.items()
    }
    if told["on"] == "attributes":
        node = node_of(asked)
        return sum(int(unit[name]) * node[name] for name in heights)
    levels = levels_of(asked)
    if levels is None:
        return None
    return sum(
        count * sum(int(unit[name]) * row[j] for j, name in enumerate(asked.names))
        for count, row in zip(counts, levels, strict=True)
    )


def levels_of(asked: Asked) -> list[list[int]] | None:
    """Return the level of every cell; None if a label is that of several levels."""
    found = []
    for was, now in asked.cells:
        row = []
        for name, old, new in zip(asked.names, was, now, strict=True):
            at = [x for x, label in enumerate(asked.chains[name][old]) if label == new]
            if len(at) != 1:
                return None
            row += at
        found.append(row)
    return found


def node_of(asked: Asked) -> dict[str, int]:
    """Return the level of every column, as the report says: it is checked by rows."""
    cells = asked.report["generality"]["cells"]
    return {
        name: next((x for x, count in enumerate(counts) if count), 0)
        for name, counts in cells.items()
    }


def labels_at(asked: Asked, node: Mapping[str, int]) -> list[list[str]]:
    """Return what would be published if no row were suppressed."""
    levels = [node[name] for name in asked.names]
    return [list(labels(asked, was, levels)) for was, _ in asked.cells]


def generality(asked: Asked) -> dict[str, Any]:
    """Return heights, levels and losses; without hierarchies the number of rows."""
    told = asked.report["generality"]
    if not asked.chains:
        return {"rows": asked.whole}
    heights = asked.heights
    found: dict[str, Any] = {"rows": asked.whole, "heights": heights}
    if told["on"] == "attributes":
        found |= at_node(asked, heights)
        found["missing"] = missing_of(asked, heights)
    else:
        classes = asked.published.classes(asked.names).values()
        levels = levels_of(asked)
        if levels is None:
            return found
        found |= of_levels(asked.names, heights, levels, levels)
        found |= by_class(asked, [len(rows) for rows in classes])
        found["suppressed_rows"] = asked.whole - asked.n
    if not asked.report.get("weighting") and asked.report["bound"] is not None:
        found["bound"] = bound_of(asked, heights)
    return found


def missing_of(asked: Asked, heights: Mapping[str, int]) -> dict[str, int]:
    """Return how many cells were missing, of columns at their highest level."""
    return {
        name: sum(not cell for cell in asked.original.column(name))
        for name, level in node_of(asked).items()
        if level == heights[name] > 0
    }


def by_class(asked: Asked, sizes: Sequence[int]) -> dict[str, Any]:
    """Return the losses that count classes."""
    return {
        "discernibility": sum(size * size for size in sizes)
        + (asked.whole - asked.n) * asked.whole,
        "class_size": asked.whole / (len(sizes) * asked.report["k"]),
    }


def bound_of(asked: Asked, heights: Mapping[str, int]) -> float:
    """Return the bound of the search in the unit of the loss."""
    told, bound = asked.report["generality"], asked.report["bound"]
    if told["loss"] == "precision":
        common = math.lcm(*(height for height in heights.values() if height))
        cells = len(heights) * (1 if told["on"] == "attributes" else asked.n)
        if not any(heights.values()):
            return 1.0
        return float(1 - Fraction(bound, common * cells))
    if told["loss"] == "average-class-size":
        return asked.n / (max(1, asked.n - int(bound)) * int(asked.report["k"]))
    return float(bound)


def at_node(asked: Asked, heights: Mapping[str, int]) -> dict[str, Any]:
    """Return the figures of one level per column, and of rows at the top of all.

    Classes are those of the levels. Of one that keeps a row, the rows that it keeps
    count as much as all of it; rows that are off count as much as the table.
    """
    node, told = node_of(asked), asked.report["generality"]["suppressed_rows"]
    levels, tops, off = [], 0, []
    whole: Classes = defaultdict(list)
    pairs = zip(asked.cells, labels_at(asked, node), strict=True)
    for i, ((was, now), at) in enumerate(pairs):
        top = list(labels(asked, was, [-1] * len(was)))
        whole[tuple(at)].append(i)
        if now != at:
            off.append(i)
            if now != top:
                return {"cells": f"row {i + 1} is at other levels"}
        tops += at == top
        levels.append([heights[n] if now != at else node[n] for n in asked.names])
    gone = {*off}
    if told != len(off) and len(off) <= told <= len(off) + tops:
        return {}  # rows that are at the top by themselves may be called suppressed
    sizes = [(len(rows), sum(i not in gone for i in rows)) for rows in whole.values()]
    kept = [row for i, row in enumerate(levels) if i not in gone]
    return {
        **of_levels(asked.names, heights, kept, levels),
        "levels": node,
        "height": sum(node.values()),
        "suppressed_rows": len(off),
        "discernibility": sum(a * b for a, b in sizes) + len(off) * asked.n,
        "class_size": asked.n / (sum(b > 0 for _, b in sizes) * asked.report["k"]),
    }


def of_levels(
    names: Sequence[str],
    heights: Mapping[str, int],
    kept: Sequence[Sequence[int]],
    levels: Sequence[Sequence[int]],
) -> dict[str, Any]:
    """Return the counts of levels, and the height and precision of the kept rows."""
    lost = sum(
        Fraction(sum(row[j] for row in kept), heights[name])
        for j, name in enumerate(names)
        if heights[name]
    )
    return {
        "cells": {
            name: [
                sum(row[j] == level for row in levels)
                for level in range(heights[name] + 1)
            ]
            for j, name in enumerate(names)
        },
        "height": sum(map(sum, levels)),
        "precision": float(1 - lost / (len(kept) * len(names))),
    }


def weighting(asked: Asked) -> dict[str, Any]:
    """Return the weights as they were asked for, and the cost in persons."""
    told = asked.report["weighting"]
    cost, bound = asked.report["cost"], asked.report["bound"]
    scale = 1
    if told["rows"] is not None:
        scale = math.lcm(*(persons.denominator for persons in asked.persons))
    return {
        "scale": scale,
        "cost": None if cost is None else cost / scale,
        "bound": None if bound is None else bound / scale,
    }


def quantities(asked: Asked) -> dict[str, Any]:
    """Return what is suppressed, by rows and columns."""
    hidden = hidden_of(asked)
    by_row, by_column = (
        list(map(sum, lines)) for lines in (hidden, zip(*hidden, strict=True))
    )
    told = asked.report["quantities"]
    if told["region"] is not None:
        region = {asked.names.index(name) for name in told["region"]}
        rows = [any(h for j, h in enumerate(row) if j not in region) for row in hidden]
        counts = {"rows": sum(rows), "columns": len(region)}
    else:
        counts = {"rows": sum(map(bool, by_row)), "columns": sum(map(bool, by_column))}
    measures = {
        **counts,
        "entries": sum(by_row),
        "per_row": max(by_row),
        "per_column": max(by_column),
    }
    return {"measures": {n: measures[n] for n in told["measures"]}}


def sensitive(asked: Asked) -> dict[str, Any]:
    """Return how sensitive values are spread over classes, before and after."""
    told = asked.report["sensitive"]
    return {
        when: {
            name: exposure(table.classes(asked.names), table.column(name))
            for name in told[when]
        }
        for when, table in (("before", asked.original), ("after", asked.published))
        if told[when]
    }


def exposure(classes: Classes, values: Column) -> dict[str, Any]:
    """Return what classes tell of a column."""
    n, whole = len(values), Counter(values)
    each = [Counter(values[i] for i in rows) for rows in classes.values()]
    apart = [
        sum(
            abs(Fraction(one[value], sum(one.values())) - Fraction(count, n))
            for value, count in whole.items()
        )
        / 2
        for one in each
    ]
    return {
        "classes": len(each),
        "single": sum(len(one) == 1 for one in each),
        "least": min(map(len, each)),
        "most": float(
            max(Fraction(max(one.values()), sum(one.values())) for one in each)
        ),
        "distance": float(max(apart)),
    }


def thresholds(asked: Asked) -> dict[str, Any]:
    """Return the figures that were limited, before and after."""
    return {
        wish: asked.twice(partial(threshold, asked, wish, told["words"]))
        for wish, told in asked.report["thresholds"].items()
        if wish != "k_map" or asked.population is not None
    }


def threshold(asked: Asked, wish: str, words: str, table: Table) -> float:
    """Return a figure of a threshold, of what its words say."""
    classes = table.classes(asked.names).values()
    if wish == "k_map":
        return float(min(persons(asked)[table is asked.published] or [0]))
    if wish == "mean_risk":
        return len(classes) / asked.n
    if wish == "at_risk":
        small = int(words.partition("below ")[2].partition(",")[0])
        return float(sum(len(rows) for rows in classes if len(rows) < small) / asked.n)
    whose = table.column(words.partition('"')[2].rpartition('"')[0])
    return float(min(len({whose[i] for i in rows}) for rows in classes))


def order(asked: Asked) -> dict[str, Any]:
    """Return by which columns the rows are sorted, and what that tells."""
    found: dict[str, Any] = {}
    for name in asked.names if not asked.report["order"]["shuffled"] else ():
        before, after = asked.original.column(name), asked.published.column(name)
        changed = [was != now for was, now in zip(before, after, strict=True)]
        if any(changed) and is_sorted(before):
            found[name] = [sum(changed), plain(before, changed)]
    return {"sorted_by": found}


def is_sorted(cells: Column) -> bool:
    """Tell whether rows are sorted by a column, more than by chance."""
    known = [cell for cell in cells if cell]
    runs = [value for i, value in enumerate(known) if not i or known[i - 1] != value]
    if len(runs) != len({*runs}):
        return False
    keys: list[Any] = list(map(number, runs))
    if any(key is None for key in keys):
        keys = runs
    rises = all(a <= b for a, b in pairwise(keys))
    falls = all(a >= b for a, b in pairwise(keys))
    ways = math.lgamma(len(known) + 1)
    ways -= sum(math.lgamma(count + 1) for count in Counter(known).values())
    return (rises or falls) and math.log(2) - ways < math.log(BY_CHANCE)


def plain(before: Column, changed: Sequence[bool]) -> int:
    """Return how many changed cells lie between unchanged ones of one value."""
    found = 0
    for i, cell in enumerate(before):
        if not changed[i] or not cell:
            continue
        seen = [j for j, was in enumerate(before) if was and not changed[j]]
        above = [j for j in seen if j < i]
        below = [j for j in seen if j > i]
        if above and below:
            found += before[above[-1]] == before[below[0]]
    return found


def risk(asked: Asked) -> dict[str, Any]:
    """Return how easily rows are found, before and after."""
    told = asked.report["risk"]
    found = asked.twice(lambda of: risk_of(list(map(len, by_row(of, asked.names)))))
    classes = asked.published.classes(asked.names)
    sizes = Counter(map(len, classes.values()))
    found["classes"] = len(classes)
    found["sizes"] = {str(size): sizes[size] for size in sorted(sizes)}
    found["shared"] = {
        name: shared(classes, asked.published.column(name)) for name in told["shared"]
    }
    found["singled_out"] = {
        name: singled_out(asked.published.column(name)) for name in told["singled_out"]
    }
    if "matching" in told:
        found["matching"] = risk_of(matches(asked))
    for name, part in (("weighed", weighed), ("sampled", sampled)):
        if name in told:
            found[name] = asked.twice(partial(part, asked))
    if "population" in told and asked.population is not None:
        found["population"] = {"rows": len(asked.population.rows)}
        for when, each in zip(("before", "after"), persons(asked), strict=True):
            if each is not None:
                found["population"][when] = {"least": min(each), **risk_of(each)}
    return found


def persons(asked: Asked) -> tuple[list[int], list[int] | None]:
    """Return how many of the population each row may be, before and after.

    None after, if the level of a label is not told.
    """
    assert asked.population is not None
    everybody = cells_of(asked.population, asked.names)
    before = Counter(map(tuple, everybody))
    rows = cells_of(asked.original, asked.names)
    levels = shown_levels(asked)
    if levels is None:
        return [before[tuple(row)] for row in rows], None
    found: dict[Any, Counter[Any]] = {}
    for kind in {tuple(each) for each in levels}:
        found[kind] = Counter(labels(asked, row, kind) for row in everybody)
    pairs = zip(rows, map(tuple, levels), strict=True)
    after = [found[kind][labels(asked, row, kind)] for row, kind in pairs]
    return [before[tuple(row)] for row in rows], after


def labels(asked: Asked, row: Sequence[str], levels: Sequence[int]) -> tuple[str, ...]:
    """Return the labels of a row at these levels; without hierarchies 1 is hidden."""
    cells = zip(asked.names, row, levels, strict=True)
    if not asked.chains:
        return tuple(asked.marker if level else cell for _, cell, level in cells)
    return tuple(asked.chains[name][cell][level] for name, cell, level in cells)


def shown_levels(asked: Asked) -> list[list[int]] | None:
    """Return the level of every cell; None if a label is that of several."""
    if not asked.chains:
        if "generality" in asked.report:
            return None
        return [[int(cell) for cell in row] for row in hidden_of(asked)]
    if asked.report["generality"]["on"] == "entries":
        return levels_of(asked)
    node = [node_of(asked)[name] for name in asked.names]
    top = [*asked.heights.values()]
    return [
        node if tuple(now) == labels(asked, was, node) else top
        for was, now in asked.cells
    ]


def sampled(asked: Asked, table: Table) -> dict[str, Any]:
    """Return what models of samples say: each by its equations, solved here."""
    weights = list(map(float, asked.persons))
    classes = [*table.classes(asked.names).values()]
    each = [(len(rows), sum(weights[i] for i in rows)) for rows in classes]
    risks = [mean_share(f, f / max(total, f)) for f, total in each]
    sizes = [f for f, _ in each]
    n, everybody, single = len(weights), sum(weights), sizes.count(1)
    mean = sum(f * risk for f, risk in zip(sizes, risks, strict=True)) / n
    found = {"highest": max(risks), "mean": mean}
    shares = len(sizes), single, sizes.count(2), min(1.0, n / everybody)
    fits = {
        "pitman": pitman(n, len(sizes), single, round(everybody)),
        "snb": snb(*shares),
    }
    return {**found, **fits}


def mean_share(f: int, p: float) -> float:
    """Return the mean of 1 / F, summed over F, negative binomial from f on."""
    if p == 1:
        return 1 / f
    total, chance, size, mass = 0.0, p**f, f, 0.0
    while mass < 1 - 1e-14 and size < f + 10**6:
        total, mass = total + chance / size, mass + chance
        chance *= (1 - p) * size / (size - f + 1)
        size += 1
    return total


def halved(rises: Callable[[float], float], low: float, high: float) -> float | None:
    """Return the zero of a function that rises between these; None if it has none."""
    ends = low, high
    for _ in range(120):
        middle = low + (high - low) / 2
        low, high = (low, middle) if rises(middle) > 0 else (middle, high)
    return None if low == ends[0] or high == ends[1] else low


def pitman(n: int, u: int, s: int, population: int) -> float | None:
    """Return the persons like no other, by Pitman's sampling formula, row by row."""
    if population <= n or s == 0:
        return float(s)
    if u in (1, n):
        return None

    def expected(a: float, b: float, rows: int) -> tuple[float, float]:
        """Return the classes of so many rows, and those of a single row."""
        classes = single = 1.0
        for i in range(1, rows):
            new = (b + a * classes) / (b + i)
            single += new - single * (1 - a) / (b + i)
            classes += new
        return classes, single

    def other(a: float) -> float:
        return halved(lambda b: expected(a, b, n)[0] - u, -a, 1e15) or 1e15

    a = halved(lambda a: expected(a, other(a), n)[1] - s, 0.0, 1.0)
    return None if a is None else expected(a, other(a), population)[1]


def snb(u: int, s: int, t: int, r: float) -> float | None:
    """Return the persons like no other, by the slide negative binomial."""
    if r == 1 or s == 0:
        return float(s)
    if s == u or t == 0:
        return None

    def chances(c: float, d: float) -> list[float]:
        """Return those that a class has no row, one and two in the sample."""
        none = math.exp(c * math.log((1 - d) / (1 - d * (1 - r))))
        # One person, and Y of which i come: y_0, y_1, y_2.
        rate = d * r / (1 - d * (1 - r))
        come = [none, none * c * rate, none * c * (c + 1) / 2 * rate * rate]
        return [
            (1 - r) * come[0],
            r * come[0] + (1 - r) * come[1],
            r * come[1] + (1 - r) * come[2],
        ]

    def other(d: float) -> float:
        def short(c: float) -> float:
            none, one, _ = chances(c, d)
            return s / u - one / (1 - none)

        return halved(short, 0.0, 1e9) or 1e9

    def off(z: float) -> float:
        d = 1 / (1 + math.exp(-z))
        none, _, two = chances(other(d), d)
        return two / (1 - none) - t / u

    steps = [-16 + 32 * i / 199 for i in range(200)]
    for low, high in pairwise(steps):
        if (off(low) > 0) != (off(high) > 0):
            sign = 1 if off(high) > 0 else -1
            z = halved(off if sign > 0 else lambda z: -off(z), low, high)
            if z is None:
                return None
            d = 1 / (1 + math.exp(-z))
            c = other(d)
            return u / (1 - chances(c, d)[0]) * math.exp(c * math.log1p(-d))
    return None


def by_row(table: Table, names: Sequence[str]) -> list[list[int]]:
    """Return the class of every row."""
    found: list[list[int]] = [[]] * len(table.rows)
    for rows in table.classes(names).values():
        for i in rows:
            found[i] = rows
    return found


def risk_of(alike: Sequence[int]) -> dict[str, Any]:
    """Return the risk if so many rows look like each one."""
    return {
        "unique": sum(count == 1 for count in alike),
        "highest": 1 / min(alike),
        "mean": float(sum(Fraction(1, count) for count in alike) / len(alike)),
    }


def weighed(asked: Asked, table: Table) -> dict[str, Any]:
    """Return the risk in the population that the rows stand for."""
    persons = asked.persons
    found = [
        (len(rows), min(Fraction(1), 1 / sum(persons[i] for i in rows)))
        for rows in by_row(table, asked.names)
    ]
    return {
        "unique": float(sum(p for count, p in found if count == 1)),
        "highest": float(max(p for _, p in found)),
        "mean": float(sum(p for _, p in found) / len(found)),
    }


def shared(classes: Classes, values: Column) -> int:
    """Return how many classes share one value."""
    return sum(len({values[i] for i in rows}) == 1 for rows in classes.values())


def singled_out(values: Column) -> int:
    """Return how many rows have a value that no other has."""
    return sum(count == 1 and value != "" for value, count in Counter(values).items())


def use(asked: Asked) -> dict[str, Any]:
    """Return what is still found in every column, and in every two of numbers."""
    columns, numbers = {}, {}
    labels = if_not_suppressed(asked)
    published = cells_of(asked.published, asked.names)
    kept = [at == now for at, now in zip(labels or published, published, strict=True)]
    same = labels is not None and kept.count(False) == suppressed_rows(asked)
    for j, name in enumerate(asked.names):
        before, after = asked.original.column(name), asked.published.column(name)
        told = asked.report["use"]["columns"][name]["code"]
        columns[name] = column_use(before, after, told)
        if labels is not None:
            whole = [row[j] for row in labels]
            columns[name]["shares"] = [list(e) for e in shares(before, after, whole)]
        if same:
            columns[name]["unsuppressed"] = [
                len({cell for cell, there in zip(cells, kept, strict=True) if there})
                for cells in (before, after)
            ]
        if columns[name]["mean"] is not None:
            numbers[name] = list(map(number, before)), list(map(number, after))
    pairs = list(combinations(numbers, 2)) if len(numbers) <= MOST_CORRELATED else []
    found = []
    for one, other in pairs:
        told = [correlation(numbers[one][at], numbers[other][at]) for at in (0, 1)]
        if None not in told:
            both = zip(numbers[one][1], numbers[other][1], strict=True)
            found.append([one, other, *told, sum(None not in pair for pair in both)])
    return {"columns": columns, "correlations": found}


def suppressed_rows(asked: Asked) -> int:
    """Return how many of the published rows are told to be suppressed."""
    told = asked.report.get("generality")
    return told["suppressed_rows"] if told and told["on"] == "attributes" else 0


def if_not_suppressed(asked: Asked) -> list[list[str]] | None:
    """Return what were published if no row were suppressed; None if that is unknown."""
    if not suppressed_rows(asked):
        return cells_of(asked.published, asked.names)
    return labels_at(asked, node_of(asked)) if asked.chains else None


def number(cell: str) -> Fraction | None:
    """Return a cell as the double that it is read as; None if it is no number."""
    try:
        found = float(cell)
    except ValueError:
        return None
    return Fraction(found) if math.isfinite(found) else None


def column_use(before: Column, after: Column, code: str | None) -> dict[str, Any]:
    """Return the information that a column keeps, its means and its common values.

    What the report calls a `code` has no mean.
    """
    entropies = entropy(before), entropy(after)
    kept = sum(entropies) - entropy(list(zip(before, after, strict=True)))
    found: dict[str, Any] = {
        "distinct": [len({*before}), len({*after})],
        "entropy": list(entropies),
        "kept": kept,
        "share": kept / entropies[0] if entropies[0] else 1.0,
        "mean": None,
        "code": judged_code(before, code),
        "error": None,
        "extremes": [0.0, 0.0],
    }
    old = list(map(number, before))
    new = [value for value in map(number, after) if value is not None]
    if None in old or not new or found["code"] is not None:
        return found
    known = [value for value in old if value is not None]
    pair = sum(known) / len(known), sum(new) / len(new)
    found["mean"] = list(map(float, pair))
    found["extremes"] = [float(min(*pair, *new)), float(max(*pair, *new))]
    if len(new) > 1:
        squares = sum((value - pair[1]) ** 2 for value in new)
        found["error"] = math.sqrt(squares / (len(new) - 1) / len(new))
    return found


def judged_code(cells: Column, told: str | None) -> str | None:
    """Return why digits are told to be a code, if that may be: names are not judged.

    They are one, whatever the column is called, if one of several has a zero in front.
    """
    digits = [cell for cell in cells if any(map(str.isdecimal, cell))]
    alone = bool(digits) and all(cell.isascii() and cell.isdigit() for cell in digits)
    zeros = any(len(cell) > 1 and cell[0] == "0" for cell in digits)
    if told is None:
        return "leading zeros" if alone and zeros and all(cells) else None
    lengths = {len(cell) for cell in digits}
    each = f"{max(lengths, default=0)} digits each" if len(lengths) == 1 else "digits"
    right = alone and told.startswith(each) and zeros == ("leading zeros" in told)
    return told if right else f"{each}, or none"


def entropy(values: Sequence[Any]) -> float:
    """Return the entropy of values by their rows, in bits."""
    n = len(values)
    return math.fsum(
        -count / n * math.log2(count / n) for count in Counter(values).values()
    )


def shown(value: str) -> str:
    """Return a value as the report shows it."""
    if value == "":
        return "no value"
    return value if len(value) <= LONGEST else f"{value[:LONGEST]}..."


def shares(
    before: Column, after: Column, whole: Column
) -> Iterator[tuple[str, int, int]]:
    """Yield the common published values, and the rows before that they stand for.

    These are as of the `whole` column: with the labels of suppressed rows, too.
    """
    n, now = len(after), Counter(after)
    common = {shown(value) for value, count in now.items() if count * COMMON >= n}
    if not common:
        return
    first = {value: at for at, value in reversed(list(enumerate(whole)))}
    becomes: dict[str, set[str]] = defaultdict(set)
    comes_from: dict[str, set[str]] = defaultdict(set)
    for was, is_now in zip(before, whole, strict=True):
        becomes[was].add(is_now)
        comes_from[is_now].add(was)
    there = {shown(value) for value in before}

    def order(value: str) -> tuple[bool, int, int]:
        hidden = shown(value) not in there and not any(map(str.isalnum, value))
        return hidden, len(comes_from[value]), first[value]

    old: Counter[str] = Counter()
    for value, count in Counter(before).items():
        finest = min(becomes[value], key=order)
        if not order(finest)[0]:
            old[shown(finest)] += count
    new: Counter[str] = Counter()
    for value, count in now.items():
        new[shown(value)] += count
    named = sorted(common, key=lambda text: (-new[text], -old[text], text))
    named = named[:MOST_SHARES]
    yield from ((text, old[text], new[text]) for text in named)
    others = [n - sum(of[text] for text in named) for of in (old, new)]
    if any(others):
        yield "others", others[0], others[1]


def correlation(
    one: Sequence[Fraction | None], other: Sequence[Fraction | None]
) -> float | None:
    """Return Pearson's correlation where both are numbers; None if it has none."""
    both = zip(one, other, strict=True)
    pairs = [(a, b) for a, b in both if a is not None and b is not None]
    if len(pairs) < 2:
        return None
    middle = [sum(pair[at] for pair in pairs) / len(pairs) for at in (0, 1)]
    off = [(a - middle[0], b - middle[1]) for a, b in pairs]
    squares = sum(a * a for a, _ in off) * sum(b * b for _, b in off)
    if not squares:
        return None
    product = sum(a * b for a, b in off)
    return math.copysign(math.sqrt(product * product / squares), product)


def means(asked: Asked) -> dict[str, Any]:
    """Return the figures of means in place of numbers."""
    told = asked.report["losses"]
    classes = asked.published.classes(asked.names)
    sizes = Counter(asked.report["sizes"])
    columns: dict[str, Any] = {}
    units: dict[str, float] = {}
    least: dict[str, float] = {}
    squares = Fraction(0)
    groups = list(classes.values())
    for name in asked.names:
        old = [number(cell) or Fraction(0) for cell in asked.original.column(name)]
        new = [number(cell) or Fraction(0) for cell in asked.published.column(name)]
        off = [abs(a - b) for a, b in zip(old, new, strict=True)]
        middle = sum(old) / len(old)
        spread = sum((a - middle) ** 2 for a in old)
        lost = sum(a * a for a in off)
        columns[name] = {
            "most": float(max(off)),
            "mean": float(sum(off) / len(off)),
            "share": float(lost / spread) if spread else 0.0,
        }
        units[name] = math.sqrt(spread / len(old)) if spread else 1.0
        within = sum(
            sum((old[i] - sum(old[j] for j in rows) / len(rows)) ** 2 for i in rows)
            for rows in groups
        )
        least[name] = float(within / spread) if spread else 0.0
        squares += Fraction(within) / Fraction(units[name]) ** 2
    known = [each["share"] for each in columns.values()]
    found: dict[str, Any] = {
        "minimise": "squares",
        "number_of_clusters": sum(sizes.values()),
        "units": units,
        "losses": {
            "columns": columns,
            "information_loss": sum(known) / len(known),
            "singled_out": {
                name: singled_out(asked.published.column(name))
                for name in told["singled_out"]
            },
        },
    }
    if len(classes) == sum(sizes.values()):  # no two groups have the same means
        rows = Counter(map(len, classes.values()))
        found["sizes"] = {str(size): count for size, count in rows.items()}
        found["cost"] = float(squares)
        for name in columns:
            columns[name]["least"] = least[name]
        found["losses"]["shared"] = {
            name: shared(classes, asked.published.column(name))
            for name in told["shared"]
        }
    return found


def differences(told: Any, found: Any, place: str) -> Iterator[str]:
    """Yield where a report says something else than what was found."""
    if isinstance(found, Mapping):
        if not isinstance(told, Mapping):
            yield f"{place}: told {told!r}, found {found!r}"
            return
        for name, value in found.items():
            where = f"{place}.{name}" if place else name
            if name not in told:
                yield f"{where}: not told, found {value!r}"
            else:
                yield from differences(told[name], value, where)
    elif isinstance(found, list) and isinstance(told, list) and len(found) == len(told):
        for at, (one, other) in enumerate(zip(told, found, strict=True)):
            yield from differences(one, other, f"{place}[{at}]")
    elif isinstance(found, float) and isinstance(told, int | float):
        near = 1e-5 if place.startswith("risk.sampled") else 1e-9
        if not math.isclose(found, told, rel_tol=near, abs_tol=near):
            yield f"{place}: told {told!r}, found {found!r}"
    elif told != found:
        yield f"{place}: told {told!r}, found {found!r}"


def unjudged(told: Any, found: Any, place: str = "") -> Iterator[str]:
    """Yield the figures of a report that were not found again."""
    if isinstance(told, Mapping):
        for name, value in told.items():
            if name in UNTOLD:
                continue
            below = found.get(name) if isinstance(found, Mapping) else None
            yield from unjudged(value, below, f"{place}.{name}" if place else name)
    elif isinstance(told, int | float | list) and found is None and told != []:
        yield place


def digests(asked: Mapping[str, Any], paths: Mapping[str, Path]) -> dict[str, Any]:
    """Return the SHA-256 of the files that a report is about."""
    return {
        role: {"sha256": hashlib.sha256(paths[role].read_bytes()).hexdigest()}
        for role in asked.get("files", {})
    }


def compare(
    original: Path,
    published: Path,
    report: Path,
    hierarchies: Path | None = None,
    marker: str = "*",
    population: Path | None = None,
    key: str | None = None,
) -> tuple[list[str], list[str]]:
    """Return where a report is wrong, and which of its figures were not judged."""
    told = json.loads(report.read_text(encoding="utf-8"))
    names = list(told["units"] if "losses" in told else told["use"]["columns"])
    before, after = read(original), read(published)
    chains: dict[str, dict[str, list[str]]] = {}
    sources = told.get("generality", {}).get("hierarchies", {})
    if hierarchies is not None:
        chains = read_chains(hierarchies, sources, marker)
    elif {*sources.values()} == {"suppression"}:
        cells = {name: before.column(name) for name in sources}
        chains = {n: {v: [v, marker] for v in each} for n, each in cells.items()}
    whole = len(before.rows)
    if told.get("order", {}).get("shuffled") or whole != len(after.rows):
        others = [n for n in after.names if n not in (*names, *told["recoded"])]
        before, after = matched(before, after, key.split(",") if key else others, names)
    everybody = None if population is None else read(population)
    asked = Asked(before, after, told, names, marker, chains, whole, everybody)
    found = figures(asked)
    found["files"] = digests(told, {"table": original, "published": published})
    return list(differences(told, found, "")), list(unjudged(told, found))


def matched(
    before: Table, after: Table, key: Sequence[str], names: Sequence[str]
) -> tuple[Table, Table]:
    """Return the published rows as they were and as they are, in their first order.

    Raise `ValueError` if the key does not tell which rows these are.
    """
    why = "rows were shuffled or dropped, and"
    if not key:
        raise ValueError(f"{why} no column passed unchanged")
    known = before.classes(key)
    cells = cells_of(before, names)
    for rows in known.values():
        if len({tuple(cells[i]) for i in rows}) > 1:
            apart = f"row {rows[0] + 1} from row {rows[-1] + 1}"
            raise ValueError(f"{why} what passed unchanged does not tell {apart}")
    places = []
    for held in zip(*map(after.column, key), strict=True):
        if not known.get(held):
            raise ValueError(f"no row has {', '.join(held)}, or too few have")
        places.append(known[held].pop(0))
    order = sorted(range(len(places)), key=places.__getitem__)
    was = Table(before.names, [before.rows[places[i]] for i in order])
    return was, Table(after.names, [after.rows[i] for i in order])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    for name in ("original", "published", "report"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--hierarchies", type=Path, metavar="DIR")
    parser.add_argument("--population", type=Path, metavar="FILE")
    parser.add_argument("--key", metavar="NAMES")
    parser.add_argument("--marker", default="*")
    try:
        wrong, left = compare(**vars(parser.parse_args()))
    except ValueError as error:
        print(f"cannot tell: {error}")
        return 2
    for line in wrong:
        print(f"WRONG {line}")
    for line in left:
        print(f"not judged: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
