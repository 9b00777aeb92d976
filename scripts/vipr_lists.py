"""Check that the program of a VIPR proof is that of an instance.

    python scripts/vipr_lists.py INSTANCE.json PROOF.vipr

A checker of VIPR says that an integer program has no solution. This program lists all
groups of the instance again, by trying, and says whether the program has exactly these
variables and rows: then the instance has no solution below the bound that is printed.
It exits with 0 if so, with 1 if not, and with 2 if it does not know the problem.

Bins, intervals, boxes and straight cuts, connected parts, clusters, and the patterns of
k-anonymity and k-ambiguity. It
imports the standard library alone, and was written from docs/certificates.md. Distances
are those given, or of points: squares for euclidean r-gather, else lengths times the
scale, rounded up.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import isqrt
from pathlib import Path
from typing import Any

Document = Mapping[str, Any]
Row = tuple[str, int, frozenset[tuple[str, int]]]
"""A sense, a value, and the factors of variables by their names."""


class Unknown(Exception):  # noqa: N818 - nothing is wrong
    """A problem, or a form of it, that this program does not know."""


def read(lines: Iterable[str]) -> tuple[int | None, list[str], Counter[Row]]:
    head: list[str] = []
    words: list[str] = []
    for line in lines:
        if line.startswith("%") and not words:
            head.append(line[1:].strip())
        else:
            words += line.split()
            if words[:1] and line.startswith("RTP"):
                break
    claim = re.fullmatch(
        r".*: no solution(?: that costs less than (-?\d+))?\.", head[0]
    )
    if claim is None:
        raise ValueError("the head does not say what is refuted")
    at = 4 + int(words[3])
    names = words[4:at]
    if len({*names}) < len(names):
        raise ValueError("two variables have one name")
    at = words.index("CON", at)  # a variable may be called so
    count, at = int(words[at + 1]), at + 3
    rows: Counter[Row] = Counter()
    for _ in range(count):
        _, sense, value, terms = words[at : at + 4]
        pairs = words[at + 4 : at + 4 + 2 * int(terms)]
        factors = zip(pairs[::2], pairs[1::2], strict=True)
        held = frozenset((names[int(v)], int(c)) for v, c in factors)
        rows[sense, int(value), held] += 1
        at += 4 + 2 * int(terms)
    bound = None if claim[1] is None else int(claim[1])
    return bound, head, rows


def expected(
    instance: Document, bound: int | None, head: Sequence[str]
) -> Counter[Row]:
    """Return the rows of all solutions below a bound."""
    known = _PROBLEMS.get(instance["problem"])
    if known is None:
        raise Unknown(f"{instance['problem']} is not known")
    return Counter(known(instance, bound, head))


def _row(sense: str, value: int, terms: Mapping[str, int]) -> Row:
    return sense, value, frozenset((name, c) for name, c in terms.items() if c)


def _bounds(name: str, most: int | None) -> Iterator[Row]:
    yield _row("G", 0, {name: 1})
    if most is not None:
        yield _row("L", most, {name: 1})


def _partition(
    groups: Mapping[str, Mapping[int, int]],
    demand: Sequence[int],
    optional: Callable[[int], bool] = lambda _: False,
    outliers: int = 0,
) -> Iterator[Row]:
    """Yield the rows that groups hold all items as often as they are there."""
    for name, held in groups.items():
        yield from _bounds(name, min(demand[i] // times for i, times in held.items()))
    out = [f"out{i}" for i in range(len(demand))] if outliers else []
    for name in out:
        yield from _bounds(name, 1)
    if outliers:
        yield _row("L", outliers, dict.fromkeys(out, 1))
    for i, copies in enumerate(demand):
        terms = {name: held[i] for name, held in groups.items() if i in held}
        if outliers:
            terms[out[i]] = 1
        yield _row("L" if optional(i) else "E", copies, terms)


def _bins(instance: Document, bound: int | None, head: Sequence[str]) -> Iterator[Row]:
    sizes, k = instance["sizes"], instance["k"]
    objective = instance.get("objective", "max")
    kinds: list[tuple[int, int]] = sorted(Counter(sizes).items(), reverse=True)
    most = sum(sizes) if bound is None else (bound or 0) - 1
    if bound is not None and objective != "max":
        heavy = [x + k - 1 for x in sizes if x >= k]
        light = [2 * k + x - 2 for x in sizes if x < k]
        most = min(sum(sizes), max(heavy + light))
    if bound is not None and any("whether a bin is taken" in line for line in head):
        yield from _steps(sizes, k, most, objective, bound)
        return
    groups: dict[str, dict[int, int]] = {}
    costs: dict[str, int] = {}
    chosen: list[tuple[int, ...]] = [()]
    for size, copies in kinds:
        chosen = [
            (*held, times)
            for held in chosen
            for times in range(copies + 1)
            if sum(x * t for (x, _), t in zip(kinds, held, strict=False)) + size * times
            <= most
        ]
    for held in chosen:
        level = sum(x * t for (x, _), t in zip(kinds, held, strict=True))
        if level >= k:
            bin_ = [x for (x, _), t in zip(kinds, held, strict=True) for _ in range(t)]
            name = "bin_" + "_".join(map(str, bin_))
            groups[name] = {i: t for i, t in enumerate(held) if t}
            costs[name] = (level - k) * (level if objective == "quadratic" else 1)
    yield from _partition(groups, [copies for _, copies in kinds])
    if bound is not None and objective != "max":
        yield _row("L", bound - 1, costs)


def _steps(
    sizes: Sequence[int], k: int, most: int, objective: str, bound: int
) -> Iterator[Row]:
    """Yield the rows of bins that are taken one after the other."""
    every = tuple(sorted(sizes, reverse=True))
    rows: dict[tuple[int, ...], dict[str, int]] = {every: {}}
    costs: dict[str, int] = {}
    waiting = [every]
    while waiting:
        left = waiting.pop()
        others = range(1, len(left))
        for more in (m for t in range(len(left)) for m in combinations(others, t)):
            bin_ = (left[0], *(left[i] for i in more))
            name = f"bin_{'_'.join(map(str, bin_))}_of_{'_'.join(map(str, left))}"
            level = sum(bin_)
            if name in costs or not k <= level <= most:
                continue
            costs[name] = (level - k) * (level if objective == "quadratic" else 1)
            rows[left][name] = 1
            after = tuple(left[i] for i in others if i not in more)
            if after:
                if after not in rows:
                    rows[after] = {}
                    waiting.append(after)
                rows[after][name] = -1
            yield from _bounds(name, 1)
    for left, terms in rows.items():
        yield _row("E", int(left == every), terms)
    if objective != "max":
        yield _row("L", bound - 1, costs)


def _intervals(
    instance: Document, bound: int | None, _: Sequence[str]
) -> Iterator[Row]:
    sizes, k, n = instance["sizes"], instance["k"], len(instance["sizes"])
    by_level = bound is not None and instance.get("objective", "max") == "max"
    most = (bound or 0) - 1 if by_level else sum(sizes)
    groups, costs = {}, {}
    for first, end in combinations(range(n + 1), 2):
        if k <= sum(sizes[first:end]) <= most:
            name = f"from_{first}_to_{end}"
            groups[name] = dict.fromkeys(range(first, end), 1)
            level = sum(sizes[first:end])
            quadratic = instance.get("objective") == "quadratic"
            costs[name] = (level - k) * (level if quadratic else 1)
    yield from _partition(groups, [1] * n)
    if bound is not None and not by_level:
        yield _row("L", bound - 1, costs)


def _boxes(
    grid: Sequence[Sequence[int]], least: int, most: int
) -> dict[str, dict[int, int]]:
    rows, columns = len(grid), len(grid[0]) if grid else 0
    return {
        f"box_{a}_{c}_{b}_{d}": {x * columns + y: 1 for x, y in cells}
        for a, b in combinations(range(rows + 1), 2)
        for c, d in combinations(range(columns + 1), 2)
        for cells in [list(product(range(a, b), range(c, d)))]
        if least <= sum(grid[x][y] for x, y in cells) <= most
    }


def _cuts(
    grid: Sequence[Sequence[int]], least: int, most: int, boxes: int
) -> Iterator[Row]:
    """Yield the rows that straight cuts leave so many boxes of such a weight whole."""
    rows, columns = len(grid), len(grid[0])
    held: dict[str, dict[str, int]] = {}
    heavy = {f"whole{name[3:]}" for name in _boxes(grid, least, most)}
    for a, b in combinations(range(rows + 1), 2):
        for c, d in combinations(range(columns + 1), 2):
            name = f"{a}_{c}_{b}_{d}"
            own = held.setdefault(name, {})
            if f"whole_{name}" in heavy:
                own[f"whole_{name}"] = 1
            cuts = {f"row_{x}": (a, c, x, d, x, c, b, d) for x in range(a + 1, b)}
            for y in range(c + 1, d):
                cuts[f"column_{y}"] = (a, c, b, y, a, y, b, d)
            for cut, parts in cuts.items():
                own[f"{cut}_of_{name}"] = 1
                for part in (parts[:4], parts[4:]):
                    box = held.setdefault("_".join(map(str, part)), {})
                    box[f"{cut}_of_{name}"] = -1
    for name, terms in held.items():
        whole = name == f"0_0_{rows}_{columns}"
        yield _row("E", int(whole), terms)
        for variable, factor in terms.items():
            if factor > 0:
                yield from _bounds(variable, 1)
    yield _row("L", boxes, dict.fromkeys(heavy, 1))


def _by_cuts(instance: Document, head: Sequence[str]) -> bool:
    """Tell whether a program is of straight cuts, and may be."""
    cut = any(line.startswith("and whether it is cut") for line in head)
    return cut and bool(instance.get("guillotine"))


def _tiling(
    instance: Document, bound: int | None, head: Sequence[str]
) -> Iterator[Row]:
    points = instance["points"]
    xs, ys = (sorted({p[axis] for p in points}) for axis in (0, 1))
    grid = [[0] * len(ys) for _ in xs]
    for x, y, weight in points:
        grid[xs.index(x)][ys.index(y)] += weight
    held = {xs.index(x) * len(ys) + ys.index(y) for x, y, _ in points}
    whole = instance.get("cover", "plane") == "plane"
    most = sum(map(sum, grid)) if bound is None else bound - 1
    if _by_cuts(instance, head):
        yield from _cuts(grid, instance["k"], most, len(points))
        return
    boxes = _boxes(grid, instance["k"], most)
    cells = len(xs) * len(ys)
    yield from _partition(boxes, [1] * cells, lambda i: not whole and i not in held)


def _rtile(instance: Document, bound: int | None, head: Sequence[str]) -> Iterator[Row]:
    grid = instance["grid"]
    cells = len(grid) * len(grid[0])
    most = sum(map(sum, grid)) if bound is None else bound - 1
    if _by_cuts(instance, head):
        yield from _cuts(grid, 0, most, min(cells, instance["p"]))
        return
    boxes = _boxes(grid, 0, most)
    yield from _partition(boxes, [1] * cells)
    held = {cell for box in boxes.values() for cell in box}
    if len(held) == cells:
        for sense in "GL":
            yield _row(sense, min(cells, instance["p"]), dict.fromkeys(boxes, 1))


def _map(instance: Document, bound: int | None, head: Sequence[str]) -> Iterator[Row]:
    weights, n = instance["weights"], len(instance["weights"])
    near: list[set[int]] = [set() for _ in range(n)]
    for u, v in instance["edges"]:
        near[u].add(v)
        near[v].add(u)
    first = next(int(x) for line in head for x in re.findall(r"of node (\d+)", line))
    nodes = {first}
    while grown := {v for u in nodes for v in near[u]} - nodes:
        nodes |= grown
    most = sum(weights[v] for v in nodes) if bound is None else bound - 1
    parts = {frozenset([v]) for v in nodes if weights[v] <= most}
    open_ = list(parts)
    while open_:
        part = open_.pop()
        for v in {v for u in part for v in near[u]} - part:
            more = part | {v}
            if more not in parts and sum(weights[u] for u in more) <= most:
                parts.add(more)
                open_.append(more)
    place = {node: i for i, node in enumerate(sorted(nodes))}
    groups = {
        "part_" + "_".join(map(str, sorted(part))): {place[v]: 1 for v in part}
        for part in parts
        if sum(weights[v] for v in part) >= instance["k"]
    }
    yield from _partition(groups, [1] * len(nodes))


def _distances(instance: Document) -> list[list[int | None]]:
    """Return the distances; None where two points can never be in one cluster."""
    if instance.get("distances") is not None:
        return [list(row) for row in instance["distances"]]
    points, scale = instance["points"], instance.get("scale") or 1
    metric = instance.get("metric") or "euclidean"
    if any(type(x) is not int for p in points for x in p) or metric == "great-circle":
        raise Unknown("only points of whole numbers are known")

    def length(p: Sequence[int], q: Sequence[int]) -> int:
        gaps = [abs(a - b) for a, b in zip(p, q, strict=True)]
        if metric == "manhattan":
            return scale * sum(gaps)
        if metric == "hamming":
            return scale * sum(gap > 0 for gap in gaps)
        square = sum(gap * gap for gap in gaps)
        if instance["problem"] == "r-gather":
            return square
        root = isqrt(scale * scale * square)
        return root + (root * root < scale * scale * square)

    return [[length(p, q) for q in points] for p in points]


def _clusters(
    instance: Document, bound: int | None, head: Sequence[str]
) -> Iterator[Row]:
    d = _distances(instance)
    n = len(d)
    priced = instance["problem"] == "cellular-clustering"
    r = instance.get("r", 1)
    centres = instance.get("centres", "input")
    fees = instance.get("facility_costs") or [0] * n
    outliers = min(n, instance.get("max_outliers", 0))
    most = max((x for row in d for x in row if x is not None), default=0)
    if not priced and bound is not None:
        most = bound - 1

    def within(i: int, j: int, radius: int) -> bool:
        far = d[i][j]
        return far is not None and far <= radius

    if any(line.startswith("Variables: whether a set of") for line in head):
        groups, costs = {}, {}
        for size in range(max(1, r), n + 1):
            for points in combinations(range(n), size):
                if centres == "any":
                    far = [d[i][j] for i in points for j in points]
                    reaches = [(0, far)]
                else:
                    own = points if centres == "member" else tuple(range(n))
                    reaches = [(fees[c], [d[c][i] for i in points]) for c in own]
                prices = [
                    fee + size * max(x for x in far if x is not None)
                    for fee, far in reaches
                    if all(x is not None and x <= most for x in far)
                ]
                if prices:
                    name = "cluster_" + "_".join(map(str, points))
                    groups[name] = dict.fromkeys(points, 1)
                    costs[name] = min(prices)
        yield from _partition(groups, [1] * n, outliers=outliers)
        counted = list(groups)
    else:
        choices, costs = [], {}
        order = list(range(n))
        for line in head:
            if "in the order" in line:
                listed = line.partition("in the order")[2]
                order = list(map(int, re.findall(r"\d+", listed)))
        for c in range(n):
            reach = sorted({x for x in d[c] if x is not None})
            if not priced:
                among = order[order.index(c) :] if centres == "any" else range(n)
                items = {i for i in among if within(c, i, most)}
                forced = set() if centres == "input" else {c}
                choices.append((f"c{c}", items, forced, 0, 0))
            elif centres == "any":
                for e in range(c, n):
                    radius = d[c][e]
                    if radius is not None:
                        items = {
                            i
                            for i in range(n)
                            if within(c, i, radius) and within(e, i, radius)
                        }
                        choices.append((f"c{c}_d{e}", items, {c, e}, radius, 0))
            else:
                for radius in reach:
                    items = {i for i in range(n) if within(c, i, radius)}
                    forced = {c} if centres == "member" else set()
                    choices.append((f"c{c}_d{radius}", items, forced, radius, fees[c]))
        kept = [choice for choice in choices if len(choice[1]) >= r]
        named = [(name, items, r, forced, None) for name, items, forced, _, _ in kept]
        yield from _chosen(named, [1] * n, outliers)
        for name, items, _, radius, fee in kept:
            costs[f"use_{name}"] = fee
            costs.update({f"item{i}_{name}": radius for i in items})
        counted = [f"use_{name}" for name, *_ in kept]
    if priced and bound is not None:
        yield _row("L", bound - 1, costs)
    if instance.get("max_clusters") is not None:
        yield _row("L", instance["max_clusters"], dict.fromkeys(counted, 1))


def _chosen(
    choices: Iterable[tuple[str, Iterable[int], int, set[int], int | None]],
    copies: Sequence[int],
    outliers: int = 0,
) -> Iterator[Row]:
    """Yield the rows that items have choices, by name, items, fewest, forced, most."""
    held: list[dict[str, int]] = [{} for _ in copies]
    for name, items, fewest, forced, most in choices:
        use = f"use_{name}"
        yield from _bounds(use, most)
        for i in items:
            x = f"item{i}_{name}"
            held[i][x] = 1
            yield from _bounds(x, None)
            if i in forced:
                yield _row("E", 0, {x: 1, use: -1})
            else:
                yield _row("L", 0, {x: 1, use: -copies[i]})
        every = {f"item{i}_{name}": 1 for i in items}
        yield _row("G", 0, {**every, use: -fewest})
    if outliers:
        out = [f"out{i}" for i in range(len(copies))]
        for i, name in enumerate(out):
            yield from _bounds(name, 1)
            held[i][name] = 1
        yield _row("L", outliers, dict.fromkeys(out, 1))
    for terms, number in zip(held, copies, strict=True):
        yield _row("E", number, terms)


def _written_out(instance: Document) -> list[Sequence[Any]]:
    """Return the rows of a table, each as often as its copies say."""
    table = instance["table"]
    copies = instance.get("copies") or [1] * len(table)
    return [row for row, n in zip(table, copies, strict=True) for _ in range(n)]


def _kinds(table: Sequence[Sequence[Any]]) -> list[tuple[tuple[int, ...], int]]:
    """Return the kinds of rows, values numbered by first appearance, and how many."""
    numbers = [
        {value: i for i, value in enumerate(dict.fromkeys(column))}
        for column in zip(*table, strict=True)
    ]
    coded = [tuple(numbers[j][x] for j, x in enumerate(row)) for row in table]
    return sorted(Counter(coded).items())


def _patterns(instance: Document, bound: int | None, _: Sequence[str]) -> Iterator[Row]:
    k, kinds = instance["k"], _kinds(_written_out(instance))
    m = len(kinds[0][0]) if kinds else 0
    closed: dict[str, tuple[list[int], int]] = {}
    for kept in product((False, True), repeat=m):
        classes: dict[tuple[int, ...], list[int]] = {}
        for t, (codes, _copies) in enumerate(kinds):
            key = tuple(c for c, keep in zip(codes, kept, strict=True) if keep)
            classes.setdefault(key, []).append(t)
        for members in classes.values():
            rows = [kinds[t][0] for t in members]
            starred = [j for j in range(m) if not kept[j]]
            agree = any(len({row[j] for row in rows}) == 1 for j in starred)
            if sum(kinds[t][1] for t in members) >= k and not agree:
                shown = (
                    str(c) if keep else "*"
                    for c, keep in zip(rows[0], kept, strict=True)
                )
                closed[".".join(shown)] = (members, len(starred))
    copies = [number for _, number in kinds]
    choices = [
        (name, members, k, set[int](), 1) for name, (members, _) in closed.items()
    ]
    yield from _chosen(choices, copies)
    costs = {
        f"item{t}_{name}": stars
        for name, (members, stars) in closed.items()
        for t in members
    }
    if bound is not None:
        yield _row("L", bound - 1, costs)


def _ambiguity(
    instance: Document, bound: int | None, head: Sequence[str]
) -> Iterator[Row]:
    k, kinds = instance["k"], _kinds(_written_out(instance))
    columns = [
        j for j in range(len(kinds[0][0])) if len({codes[j] for codes, _ in kinds}) > 1
    ]
    found: dict[str, tuple[list[int], set[int]]] = {}
    for hidden in product((False, True), repeat=len(columns)):
        stars = {j for j, star in zip(columns, hidden, strict=True) if star}
        for t, (codes, _copies) in enumerate(kinds):
            shown = ("*" if j in stars else str(c) for j, c in enumerate(codes))
            found.setdefault(".".join(shown), ([], stars))[0].append(t)
    yield from _chosen(
        [(name, members, 1, set[int](), 1) for name, (members, _) in found.items()],
        [copies for _, copies in kinds],
    )
    pairs = [
        (f"item{t}_{name}", t, stars)
        for name, (members, stars) in found.items()
        for t in members
    ]
    if bound is not None:
        yield _row("L", bound - 1, {x: len(stars) for x, _, stars in pairs})
    needs = [line for line in head if line.startswith("Needs:")]
    for name in " ".join(needs).split()[1:]:
        kind, *free = map(int, name.split("_")[1:])
        own = {x: 1 for x, t, stars in pairs if t == kind and stars <= {*free}}
        helps = {
            x: 1
            for x, t, stars in pairs
            if t != kind
            and all(
                a == b or j in stars or j in free
                for j, (a, b) in enumerate(
                    zip(kinds[t][0], kinds[kind][0], strict=True)
                )
            )
        }
        copies = kinds[kind][1]
        yield from _bounds(name, 1)
        yield _row("L", 0, {**own, name: -copies})
        yield _row("G", 0, {**helps, name: -max(0, k - copies)})


_PROBLEMS: Mapping[
    str, Callable[[Document, int | None, Sequence[str]], Iterable[Row]]
] = {
    "bin-covering": _bins,
    "cellular-clustering": _clusters,
    "connected-partition": _map,
    "interval-covering": _intervals,
    "k-ambiguity": _ambiguity,
    "k-anonymity": _patterns,
    "r-gather": _clusters,
    "rectangle-tiling": _tiling,
    "rectangle-tiling-grid": _rtile,
}


def main(instance: str, proof: str) -> int:
    document = json.loads(Path(instance).read_text(encoding="utf-8"))
    try:
        with Path(proof).open(encoding="utf-8") as lines:
            bound, head, rows = read(lines)
        listed = expected(document, bound, head)
    except Unknown as error:
        print(f"{proof}: cannot be compared: {error}")
        return 2
    except (ValueError, IndexError) as error:
        print(f"{proof}: is no proof of this form: {error}")
        return 1
    if rows != listed:
        missing, more = (listed - rows).total(), (rows - listed).total()
        print(f"{proof}: is not of {instance}: {missing} rows missing, {more} too many")
        return 1
    what = "all solutions" if bound is None else f"all that cost less than {bound}"
    print(f"{proof}: the program is that of {instance}: {what}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: vipr_lists.py INSTANCE.json PROOF.vipr")
    sys.exit(main(sys.argv[1], sys.argv[2]))
