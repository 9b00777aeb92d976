"""A second checker: results and certificates, by the standard library alone.

    python scripts/second_checker.py INSTANCE.json RESULT.json

It shares no line with the package, is slow, and was written from docs/certificates.md:
what both accept is believed by two readers of one page. Exit code 0 if the solution
costs what the result says and its certificate proves the bound, 1 if not, 2 if this
program does not know the problem.

All numbers are integers of Python or fractions, so nothing overflows; tables, points
and graphs of some dozens of items are checked in seconds.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise
from math import isqrt
from pathlib import Path
from typing import Any

Instance = dict[str, Any]
Result = dict[str, Any]
Certificate = dict[str, Any]

DEFAULTS: dict[str, Any] = {
    "objective": "max",
    "distances": None,
    "points": None,
    "metric": None,
    "scale": None,
    "max_clusters": None,
    "max_outliers": 0,
    "centres": "input",
    "facility_costs": None,
    "cover": "plane",
    "guillotine": False,
    "columns": None,
    "minimise": "entries",
    "limits": {},
    "deletion": False,
    "row_order": None,
    "column_order": None,
    "intact": [],
}
"""What a field holds that is not there; fingerprints leave such fields out."""

QUANTITIES = ("rows", "columns", "entries", "per_row", "per_column")


class WrongError(Exception):
    """Something that a result says does not hold."""


class UnknownError(Exception):
    """A problem, or a metric, that this program does not know."""


def need(holds: object, message: str) -> None:
    """Raise `WrongError` unless something holds."""
    if not holds:
        raise WrongError(message)


def whole(value: Any, least: int | None = None) -> int:
    """Return an integer of a certificate."""
    need(type(value) is int and (least is None or value >= least), "not an integer")
    return int(value)


def wholes(values: Any, length: int, least: int | None = None) -> list[int]:
    """Return a list of so many integers."""
    need(
        isinstance(values, list) and len(values) == length, f"expected {length} values"
    )
    return [whole(value, least) for value in values]


def named(pairs: Any, *shape: int) -> dict[Any, int]:
    """Return weights that are named once each by their indices."""
    found: dict[Any, int] = {}
    for entry in pairs:
        *place, weight = wholes(entry, len(shape) + 1)
        inside = all(0 <= i < n for i, n in zip(place, shape, strict=True))
        key = tuple(place) if len(place) > 1 else place[0]
        need(inside and key not in found, f"{entry}: not there, or named twice")
        found[key] = weight
    return found


# --- bins and intervals -------------------------------------------------------------


def level_cost(instance: Instance, level: int) -> int:
    """Return what a bin of this level costs."""
    k: int = instance["k"]
    costs = {"max": level, "excess": level - k, "quadratic": level * (level - k)}
    return costs[instance["objective"]]


def cost_of_bins(instance: Instance, result: Result) -> int:
    """Return the cost of bins or intervals."""
    sizes, k = instance["sizes"], instance["k"]
    levels = [sum(sizes[i] for i in group) for group in result["groups"]]
    need(all(level >= k for level in levels), "a bin is below k")
    if instance["problem"] == "interval-covering":
        for group in result["groups"]:
            need(all(b == a + 1 for a, b in pairwise(sorted(group))), "no interval")
    costs = [level_cost(instance, level) for level in levels]
    return max(costs, default=0) if instance["objective"] == "max" else sum(costs)


def bound_of_bins(instance: Instance, proof: Certificate) -> int | None:
    """Return the bound that a certificate proves; None: nothing is feasible."""
    sizes: list[int] = instance["sizes"]
    k: int = instance["k"]
    objective, total = instance["objective"], sum(sizes)
    most = sum(min(size, k) for size in sizes) // k
    kind = proof["kind"]
    if kind == "total":
        need(0 < total < k, "the total reaches k, or there is nothing")
        return None
    need(not sizes or total >= k, "nothing is feasible")
    if kind == "counting":
        if not most:
            return 0
        if objective == "max":
            return max(k, *sizes, -(-total // most))
        if objective == "excess":
            return total - most * k
        level, higher = divmod(total, most)
        squares = (most - higher) * level**2 + higher * (level + 1) ** 2
        return squares - k * total
    need(sizes, "without items only counting proves something")
    if kind == "reach":
        item = whole(proof["item"], 0)
        need(item < len(sizes) and objective == "max", "no item of a max problem")
        reached = {0}
        for i, size in enumerate(sizes):
            if i != item:
                reached |= {r + size for r in reached if r <= k}
        return min(r + sizes[item] for r in reached if r + sizes[item] >= k)
    need(kind == "weights", f"{kind} is no kind of certificate of bins")
    values = sorted(set(sizes), reverse=True)
    copies = [sizes.count(value) for value in values]
    if objective == "max":
        level = whole(proof["refutes"], 0)
        if level >= max(k, *sizes):
            last = min(most, 1 + (total - max(sizes)) // k)
            for m in range(-(-total // level), last + 1):
                low = max(k, total - (m - 1) * level)
                high = min(level, total - (m - 1) * k)
                y = wholes(proof["parts"][str(m)], len(values))
                best = best_bin(values, copies, y, low, high, lambda _: 0)
                mass = sum(c * u for c, u in zip(copies, y, strict=True))
                need(best is None or mass > m * best, f"{m} bins are not refuted")
        return level + 1
    scale, y = whole(proof["scale"], 1), wholes(proof["weights"], len(values))
    heavy = max((x + k - 1 for x in sizes if x >= k), default=0)
    light = max((2 * k + x - 2 for x in sizes if x < k), default=0)
    cap = min(total, max(heavy, light))
    best = best_bin(
        values, copies, y, k, cap, lambda level: scale * level_cost(instance, level)
    )
    if best is None:
        return None
    mass = sum(c * u for c, u in zip(copies, y, strict=True))
    count = most if best > 0 else max(1, -(-total // cap))
    bound = -(-(mass - best * count) // scale)
    if objective == "excess":
        return bound + (total - bound) % k
    return bound + (total * (k + 1) - bound) % 2


def best_bin(
    values: list[int],
    copies: list[int],
    y: list[int],
    low: int,
    high: int,
    price: Callable[[int], int],
) -> int | None:
    """Return the greatest y(S) - price(level) of a bin within two levels."""
    best = {0: 0}
    for value, count, weight in zip(values, copies, y, strict=True):
        for _ in range(count):
            for level, worth in list(best.items()):
                reached = level + value
                if (
                    reached <= high
                    and best.get(reached, worth + weight - 1) < worth + weight
                ):
                    best[reached] = worth + weight
    worths = [w - price(level) for level, w in best.items() if max(low, 1) <= level]
    return max(worths, default=None)


def bound_of_intervals(instance: Instance, proof: Certificate) -> int | None:
    """Return the bound that is proved; None: nothing is feasible."""
    sizes: list[int] = instance["sizes"]
    k: int = instance["k"]
    sums = [0]
    for size in sizes:
        sums.append(sums[-1] + size)
    if proof["kind"] == "total":
        need(0 < sums[-1] < k, "the total reaches k, or there is nothing")
        return None
    if proof["kind"] == "reachability":
        need(instance["objective"] == "max", "for the greatest level only")
        cost = whole(proof["cost"], 0)
        marked = [True]
        for j in range(1, len(sums)):
            marked.append(
                any(marked[i] and k <= sums[j] - sums[i] < cost for i in range(j))
            )
        need(cost == 0 or not marked[-1], "intervals of less cover the row")
        return cost
    need(proof["kind"] == "hitting", "no kind of certificate of intervals")
    need(instance["objective"] == "excess", "for the excess only")
    items = [whole(item, 0) for item in proof["items"]]
    ends = [-1, *items, len(sizes)]
    need(all(a < b for a, b in pairwise(ends)), "items have to increase")
    for a, b in pairwise(ends):
        need(sums[b] - sums[a + 1] < k, f"there is an interval between {a} and {b}")
    return sums[-1] - k * len(items)


# --- graphs -------------------------------------------------------------------------


def neighbours_of(instance: Instance) -> list[set[int]]:
    """Return the neighbours of every node."""
    around: list[set[int]] = [set() for _ in instance["weights"]]
    for u, v in instance["edges"]:
        if u != v:
            around[u].add(v)
            around[v].add(u)
    return around


def pieces(nodes: set[int], around: list[set[int]]) -> list[set[int]]:
    """Return the connected components of some nodes."""
    left, found = set(nodes), []
    while left:
        piece, ends = set(), [left.pop()]
        while ends:
            node = ends.pop()
            piece.add(node)
            ends += around[node] & left
            left -= around[node]
        found.append(piece)
    return found


def cost_of_parts(instance: Instance, result: Result) -> int:
    """Return the weight of the heaviest part."""
    around = neighbours_of(instance)
    weights: list[int] = instance["weights"]
    levels = []
    for group in result["groups"]:
        need(len(pieces(set(group), around)) == 1, "a part is not connected")
        levels.append(sum(weights[v] for v in group))
    need(all(level >= instance["k"] for level in levels), "a part is below k")
    return max(levels, default=0)


def bound_of_parts(instance: Instance, proof: Certificate) -> int | None:
    """Return the bound that is proved; None: nothing is feasible."""
    around, weights, k = neighbours_of(instance), instance["weights"], instance["k"]
    components = pieces(set(range(len(weights))), around)
    masses = [sum(weights[v] for v in piece) for piece in components]
    if any(mass < k for mass in masses):
        need(proof["kind"] == "count", "a component is below k")
        return None
    if proof["kind"] == "count":
        pairs = zip(components, masses, strict=True)
        bounds = (
            max(k, max(weights[v] for v in piece), -(-mass // (mass // k)))
            for piece, mass in pairs
        )
        return max(bounds, default=0)
    need(proof["kind"] == "parts", "no kind of certificate of parts")
    level, first = whole(proof["level"], 0), whole(proof["component"], 0)
    piece = next((p for p in components if min(p) == first), None)
    need(piece is not None, "no component begins there")
    assert piece is not None
    mass, heaviest = sum(weights[v] for v in piece), max(weights[v] for v in piece)
    open_parts = set()
    if level >= max(k, heaviest):
        most = min(mass // k, sum(weights[v] > 0 for v in piece))
        counts = range(-(-mass // level), most + 1)
        open_parts = {p for p in counts if p * k <= mass <= p * level}
    claims = {whole(claim["parts"], 1): claim for claim in proof["refuted"]}
    need(len(claims) == len(proof["refuted"]), "a number of parts is there twice")
    need(set(claims) == open_parts, "not the numbers of parts that counting leaves")
    for parts, claim in claims.items():
        y = named(claim["weights"], len(weights))
        need(set(y) <= piece, "weights outside of the component")
        most = whole(claim["most"])
        need(sum(y.values()) > parts * most, "the weights do not add up to enough")
        low = max(k, mass - (parts - 1) * level)
        high = min(level, mass - (parts - 1) * k)
        for part in connected_sets(piece, around, weights, high):
            if sum(y.get(v, 0) for v in part) <= most:
                continue
            if sum(weights[v] for v in part) < low:
                continue
            ranges = [
                (
                    -(-sum(weights[v] for v in rest) // high),
                    sum(weights[v] for v in rest) // low,
                )
                for rest in pieces(piece - part, around)
            ]
            splits = all(a <= b for a, b in ranges)
            fits = sum(a for a, _ in ranges) <= parts - 1 <= sum(b for _, b in ranges)
            need(not (splits and fits), f"a part weighs more than {most}")
    return level + 1


def connected_sets(
    nodes: set[int], around: list[set[int]], weights: list[int], most: int
) -> Iterator[frozenset[int]]:
    """Yield all connected sets of at most this weight, each once."""
    left = set(nodes)
    for root in sorted(nodes):
        stack = [(frozenset([root]), around[root] & left - {root}, left - {root})]
        while stack:
            part, edge, free = stack.pop()
            if sum(weights[v] for v in part) > most:
                continue
            yield part
            free = set(free)
            for v in sorted(edge):
                free.discard(v)
                grown = (edge | around[v]) & free
                stack.append((part | {v}, grown, free))
        left.discard(root)


# --- points -------------------------------------------------------------------------


def distance_of(instance: Instance) -> Callable[[int, int], int | None]:
    """Return the distances of an instance; None where two points cannot be joined."""
    if instance["distances"] is not None:
        matrix = instance["distances"]
        return lambda a, b: matrix[a][b]
    points = instance["points"]
    metric, scale = instance["metric"] or "euclidean", int(instance["scale"] or 1)
    if metric == "great-circle":
        message = "great circles"
        raise UnknownError(message)
    squared = metric == "euclidean" and instance["problem"] == "r-gather"

    def between(a: int, b: int) -> int:
        pairs = list(zip(points[a], points[b], strict=True))
        if metric == "hamming":
            unlike = (x != y or type(x) is not type(y) for x, y in pairs)
            return scale * sum(map(bool, unlike))
        apart = [abs(Fraction(str(x)) - Fraction(str(y))) * scale for x, y in pairs]
        if metric == "manhattan":
            return int(sum(apart))
        square = int(sum(x * x for x in apart))
        if squared:
            return square
        root = isqrt(square)
        return root + (root * root < square)

    return between


def clusters_of(instance: Instance, result: Result) -> list[tuple[list[int], int, int]]:
    """Return group, radius (or diameter) and fee of every cluster."""
    distance, found = distance_of(instance), []
    outliers = result.get("outliers") or []
    need(len(outliers) <= instance["max_outliers"], "too many outliers")
    limit = instance["max_clusters"]
    need(limit is None or len(result["groups"]) <= limit, "too many clusters")
    fees = instance["facility_costs"] or [0] * size_of(instance)
    for g, group in enumerate(result["groups"]):
        need(len(group) >= instance["r"], "a cluster is below r")
        if instance["centres"] == "any":
            ends, fee = group, 0
        else:
            centre = result["centres"][g]
            need(instance["centres"] == "input" or centre in group, "no member")
            ends, fee = [centre], fees[centre]
        apart = [distance(c, i) for c in ends for i in group]
        need(None not in apart, "points are joined that cannot be")
        found.append((group, max(d for d in apart if d is not None), fee))
    return found


def size_of(instance: Instance) -> int:
    """Return the number of items."""
    for name in ("sizes", "weights", "table", "distances", "points"):
        if instance.get(name) is not None:
            return len(instance[name])
    return sum(map(len, instance["grid"]))


def bound_of_radius(instance: Instance, proof: Certificate) -> int | None:
    """Return the least distance that is not refuted; None: all are."""
    n, r, outliers = size_of(instance), instance["r"], instance["max_outliers"]
    if proof["kind"] == "count":
        need(outliers < n < r, "there are enough points, or all may be outliers")
        return None
    need(proof["kind"] == "weights", "no kind of certificate of points")
    distance, radius = distance_of(instance), whole(proof["radius"], -1)
    y, most = named(proof["weights"], n), whole(proof["most"], 0)
    left = surplus(y, outliers)
    need(left > most * most_clusters(instance), "the weights do not add up to enough")
    for c in range(n):
        ball = [
            i for i in range(n) if (d := distance(c, i)) is not None and d <= radius
        ]
        fixed: list[int] = []
        if instance["centres"] != "input":
            fixed = [c]
        if instance["centres"] == "any":
            ball = [i for i in ball if (-y.get(i, 0), i) >= (-y.get(c, 0), c)]
        best = best_cluster(ball, fixed, r, lambda i: y.get(i, 0))
        need(best is None or best <= most, f"a cluster weighs more than {most}")
    above = [
        d
        for a, b in combinations_with_replacement(range(n), 2)
        if (d := distance(a, b)) is not None and d > radius
    ]
    return min(above, default=None)


def surplus(y: dict[int, int], outliers: int) -> int:
    """Return the sum of weights without the greatest positive ones."""
    greatest = sorted((w for w in y.values() if w > 0), reverse=True)
    return sum(y.values()) - sum(greatest[:outliers])


def most_clusters(instance: Instance) -> int:
    """Return how many clusters there can be."""
    most, limit = size_of(instance) // int(instance["r"]), instance["max_clusters"]
    return most if limit is None else min(most, int(limit))


def best_cluster(
    ball: list[int], fixed: list[int], r: int, worth: Callable[[int], int]
) -> int | None:
    """Return the greatest worth of r or more points of a ball with the fixed ones."""
    if len(set(ball) | set(fixed)) < r:
        return None
    others = sorted((worth(i) for i in set(ball) - set(fixed)), reverse=True)
    needed = r - len(fixed)
    chosen = [w for place, w in enumerate(others) if w > 0 or place < needed]
    return sum(map(worth, fixed)) + sum(chosen)


def bound_of_service(instance: Instance, proof: Certificate) -> int | None:
    """Return the bound that is proved; None: nothing is feasible."""
    n, r = size_of(instance), instance["r"]
    if proof["kind"] == "count":
        return bound_of_radius(instance, proof)
    need(proof["kind"] == "weights", "no kind of certificate of points")
    scale, y = whole(proof["scale"], 1), wholes(proof["weights"], n)
    distance = distance_of(instance)
    fees = instance["facility_costs"] or [0] * n
    clustered = max(0, n - instance["max_outliers"])
    values = []
    for c in range(n if most_clusters(instance) else 0):
        about = [distance(c, i) for i in range(n)]
        for other in range(n):
            d = about[other]
            if d is None:
                continue
            ball = [i for i in range(n) if (e := about[i]) is not None and e <= d]
            fixed = [c] if instance["centres"] == "member" else []
            if instance["centres"] == "any":
                fixed = sorted({c, other})
                ball = [
                    i for i in ball if (e := distance(other, i)) is not None and e <= d
                ]

            def worth(i: int, d: int = d) -> int:
                return y[i] - scale * d

            best = best_cluster(ball, fixed, r, worth)
            fee = 0 if instance["centres"] == "any" else fees[c]
            if best is not None:
                values.append(best - scale * fee)
    if not values:
        return None if clustered else 0
    value = max(values)
    count = most_clusters(instance) if value > 0 else (1 if clustered else 0)
    left = surplus(dict(enumerate(y)), instance["max_outliers"]) - value * count
    return max(0, -(-left // scale))


# --- rectangles ---------------------------------------------------------------------


def boxes_and_grid(
    instance: Instance,
) -> tuple[list[list[int]], list[list[bool]], list[float], list[float]]:
    """Return the weights of cells, which have to be covered, and the coordinates."""
    if instance["problem"] == "rectangle-tiling-grid":
        grid = instance["grid"]
        rows, columns = len(grid), len(grid[0]) if grid else 0
        needed = [[True] * columns for _ in range(rows)]
        return grid, needed, list(range(rows)), list(range(columns))
    points = instance["points"]
    xs, ys = sorted({p[0] for p in points}), sorted({p[1] for p in points})
    grid = [[0] * len(ys) for _ in xs]
    needed = [[instance["cover"] == "plane"] * len(ys) for _ in xs]
    for x, y, weight in points:
        grid[xs.index(x)][ys.index(y)] += weight
        needed[xs.index(x)][ys.index(y)] = True
    return grid, needed, xs, ys


def cost_of_tiles(instance: Instance, result: Result) -> int:
    """Return the weight of the heaviest rectangle."""
    grid, needed, xs, ys = boxes_and_grid(instance)
    covered = [[0] * len(ys) for _ in xs]
    levels, boxes = [], []
    for x0, y0, x1, y1 in result["rectangles"]:
        box = (xs.index(x0), ys.index(y0), xs.index(x1) + 1, ys.index(y1) + 1)
        boxes.append(box)
        for i in range(box[0], box[2]):
            for j in range(box[1], box[3]):
                covered[i][j] += 1
        levels.append(weight_of(grid, box))
    for i in range(len(xs)):
        for j in range(len(ys)):
            need(covered[i][j] <= 1, "rectangles overlap")
            need(covered[i][j] or not needed[i][j], "a cell is not covered")
    need(all(level >= instance.get("k", 0) for level in levels), "one is below k")
    need(len(levels) <= instance.get("p", len(levels)), "more than p rectangles")
    need(not instance["guillotine"] or by_cuts(boxes), "no straight cuts make these")
    return max(levels, default=0)


def weight_of(grid: list[list[int]], box: tuple[int, ...]) -> int:
    """Return the weight of a box of cells."""
    return sum(sum(row[box[1] : box[3]]) for row in grid[box[0] : box[2]])


def by_cuts(boxes: Sequence[tuple[int, ...]]) -> bool:
    """Tell whether straight cuts through and through make these boxes."""
    if len(boxes) <= 1:
        return True
    for axis in (0, 1):
        for cut in {box[axis] for box in boxes}:
            low = [box for box in boxes if box[axis + 2] <= cut]
            high = [box for box in boxes if box[axis] >= cut]
            if low and high and len(low) + len(high) == len(boxes):
                return by_cuts(low) and by_cuts(high)
    return False


def bound_of_tiles(instance: Instance, proof: Certificate) -> int | None:
    """Return the bound that is proved; None: nothing is feasible."""
    grid, needed, xs, ys = boxes_and_grid(instance)
    total, k = sum(map(sum, grid)), instance.get("k", 0)
    cells = sum(weight > 0 for row in grid for weight in row)
    empty = not xs or not ys
    if instance["problem"] == "rectangle-tiling-grid":
        cells = len(xs) * len(ys)
        parts = min(instance["p"], cells)
        counted = None if empty else max(-(-total // parts), max(map(max, grid)))
    elif not empty and total < k:
        need(proof["kind"] == "count", "nothing is feasible")
        return None
    else:
        heaviest = 0 if empty else max(map(max, grid))
        counted = None if empty else max(k, heaviest, -(-total // (total // k)))
    if empty:
        return 0
    if proof["kind"] == "count":
        return counted
    need(proof["kind"] == "parts", "no kind of certificate of rectangles")
    level = whole(proof["level"], 0)
    if k == 0:
        first, last = parts, parts
    else:
        fewest = -(-total // level) if level else (1 if not total else cells + 1)
        first, last = max(1, fewest), min(cells, total // k)
    refuted = set()
    for entry in proof["refuted"]:
        fewest, most_parts = wholes(entry["parts"], 2, 1)
        y = named(entry["weights"], len(xs), len(ys))
        need(all(needed[i][j] or w <= 0 for (i, j), w in y.items()), "a free cell")
        most, mass = whole(entry["most"]), sum(y.values())
        need(mass > fewest * most and mass > most_parts * most, "not enough")
        low = max(k, total - (most_parts - 1) * level)
        high = min(level, total - (fewest - 1) * k)
        values = [[y.get((i, j), 0) for j in range(len(ys))] for i in range(len(xs))]
        for a, b in combinations(range(len(xs) + 1), 2):
            strip = [sum(column) for column in zip(*grid[a:b], strict=True)]
            worth = [sum(column) for column in zip(*values[a:b], strict=True)]
            for c, d in combinations(range(len(ys) + 1), 2):
                if low <= sum(strip[c:d]) <= high:
                    need(sum(worth[c:d]) <= most, f"a box weighs more than {most}")
        refuted |= set(range(fewest, most_parts + 1))
    need(all(p in refuted for p in range(first, last + 1)), "numbers of parts are left")
    return level + 1


# --- tables -------------------------------------------------------------------------


def numbered(column: list[Any]) -> list[int]:
    """Return numbers for values, by first appearance; "1" is not 1."""
    numbers: dict[Any, int] = {}
    return [numbers.setdefault((type(v).__name__, v), len(numbers)) for v in column]


def codes_of(table: list[list[Any]]) -> list[tuple[int, ...]]:
    """Return the table with numbers for its values."""
    columns = [numbered(list(column)) for column in zip(*table, strict=True)]
    return list(zip(*columns, strict=True)) if columns else [()] * len(table)


def cost_of_stars(instance: Instance, result: Result) -> int:
    """Return the cells on which groups differ."""
    table, cost = instance["table"], 0
    for group in result["groups"]:
        need(len(group) >= instance["k"], "a group is below k")
        columns = zip(*(table[i] for i in group), strict=True)
        cost += len(group) * sum(len(set(numbered(list(c)))) > 1 for c in columns)
    return cost


def cost_of_suppression(instance: Instance, result: Result) -> int:
    """Return the cost of suppressed cells within the limits."""
    codes, n = codes_of(instance["table"]), len(instance["table"])
    m = len(codes[0]) if codes else 0
    hidden = {(i, j) for i, j in result["suppressed"]}
    need(all(0 <= i < n and 0 <= j < m for i, j in hidden), "no cell of the table")
    shown = [
        tuple(-1 if (i, j) in hidden else codes[i][j] for j in range(m))
        for i in range(n)
    ]
    for group in result["groups"]:
        need(len({shown[i] for i in group}) == 1, "rows of a group look different")
        need(len(group) >= instance["k"], "a group is below k")
    need(not any(j in instance["intact"] for _, j in hidden), "an intact column")
    stars = [sum((i, j) in hidden for j in range(m)) for i in range(n)]
    cells = [sum((i, j) in hidden for i in range(n)) for j in range(m)]
    region = [q for q in ("rows", "columns") if q in limits_of(instance)]
    chosen = set(result["region_columns"]) if len(region) == 2 else set()
    touched = {j for j in range(m) if cells[j]}
    columns = touched if len(region) < 2 else chosen
    rows = {i for i, j in hidden if j not in chosen}
    if instance["deletion"]:
        area = {(i, j) for i in rows for j in range(m)} if "rows" in region else set()
        if "columns" in region:
            area |= {(i, j) for i in range(n) for j in columns}
        need(area <= hidden, "the region is not deleted as a whole")
    for order, counts in (("row_order", stars), ("column_order", cells)):
        for here, after in pairwise(instance[order] or []):
            most = max(counts[x] for x in here)
            need(most <= min(counts[x] for x in after), f"{order} is not kept")
    found = {
        "rows": len(rows),
        "columns": len(columns),
        "entries": len(hidden),
        "per_row": max(stars, default=0),
        "per_column": max(cells, default=0),
        "none": 0,
        "k": -min(map(len, result["groups"]), default=instance["k"]),
    }
    for quantity, most in instance["limits"].items():
        need(most is None or found[quantity] <= most, f"above the limit of {quantity}")
    return found[instance["minimise"]]


def limits_of(instance: Instance) -> dict[str, int]:
    """Return limits; of a minimised quantity the greatest value if none is given."""
    n = len(instance["table"])
    m = len(instance["table"][0]) if n else len(instance["columns"] or ())
    sizes = {"rows": n, "columns": m, "entries": n * m, "per_row": m, "per_column": n}
    limits = {q: most for q, most in instance["limits"].items() if most is not None}
    if instance["minimise"] in QUANTITIES:
        limits.setdefault(instance["minimise"], sizes[instance["minimise"]])
    return {q: min(most, sizes[q]) for q, most in limits.items()}


def bound_of_table(
    instance: Instance, proof: Certificate, bound: int | None
) -> int | None:
    """Return the bound that is proved; None: nothing is feasible."""
    n, k = len(instance["table"]), instance["k"]
    if proof["kind"] == "count":
        need(0 < n < k, "there are enough rows, or none")
        return None
    if proof["kind"] == "weights":
        need(instance["minimise"] == "entries", "weights bound entries only")
        return bound_by_weights(instance, proof)
    need(proof["kind"] == "tree", "no kind of certificate of tables")
    check_tree(instance, proof["tree"], bound)
    return bound


def kinds_of(
    instance: Instance,
) -> tuple[list[tuple[int, ...]], list[int], list[int]]:
    """Return the distinct rows with their classes, sorted, and their copies."""
    codes = codes_of(instance["table"])
    class_of = [0] * len(codes)
    for c, members in enumerate(instance["row_order"] or []):
        for i in members:
            class_of[i] = c
    rows = [(*row, c) for row, c in zip(codes, class_of, strict=True)]
    kinds = sorted(set(rows))
    return (
        [kind[:-1] for kind in kinds],
        [k[-1] for k in kinds],
        [rows.count(x) for x in kinds],
    )


def patterns_of(
    kinds: list[tuple[int, ...]], copies: list[int], k: int, closed: bool
) -> Iterator[tuple[frozenset[int], list[int]]]:
    """Yield the stars and the matching kinds of all patterns of support k."""
    m = len(kinds[0]) if kinds else 0
    for bits in range(1 << m):
        stars = frozenset(j for j in range(m) if bits >> j & 1)
        classes: dict[tuple[int, ...], list[int]] = {}
        for t, row in enumerate(kinds):
            key = tuple(x for j, x in enumerate(row) if j not in stars)
            classes.setdefault(key, []).append(t)
        for members in classes.values():
            if sum(copies[t] for t in members) < k:
                continue
            if not closed or all(
                len({kinds[t][j] for t in members}) > 1 for j in stars
            ):
                yield stars, members


def best_rows(
    members: list[int], copies: list[int], worth: Callable[[int], int], k: int
) -> int | None:
    """Return the greatest worth of k or more rows of these kinds."""
    value, rows = 0, 0
    for t in sorted(members, key=worth, reverse=True):
        taken = copies[t] if worth(t) > 0 else max(0, min(copies[t], k - rows))
        value += taken * worth(t)
        rows += taken
    return value if rows >= k else None


def bound_by_weights(instance: Instance, proof: Certificate) -> int:
    """Return the bound of entries that weights prove."""
    kinds, _, copies = kinds_of({**instance, "row_order": None})
    scale, u = whole(proof["scale"], 1), wholes(proof["weights"], len(kinds))
    total = sum(c * w for c, w in zip(copies, u, strict=True))
    for stars, members in patterns_of(kinds, copies, instance["k"], closed=True):
        price = scale * len(stars)

        def worth(t: int, price: int = price) -> int:
            return u[t] - price

        best = best_rows(members, copies, worth, instance["k"])
        total -= max(0, best or 0)
    return max(0, -(-total // scale))


def check_tree(instance: Instance, tree: Any, bound: int | None) -> None:
    """Raise `WrongError` unless a tree refutes all deals cheaper than the bound."""
    minimise, k, n = instance["minimise"], instance["k"], len(instance["table"])
    least = -max(n, k) if minimise == "k" else 0
    if bound is not None and bound <= least:
        return
    limits, own = limits_of(instance), instance["limits"].get(minimise) is not None
    if minimise == "k":
        k = k if bound is None else max(k, 1 - bound)
    elif minimise != "none" and bound is not None:
        limits[minimise] = min(limits[minimise], bound - 1)
    elif minimise in ("entries", "per_row", "per_column") and not own:
        del limits[minimise]
    kinds, class_of, copies = kinds_of(instance)
    ordered = instance["row_order"] or instance["column_order"]
    closed = not (instance["deletion"] or ordered)
    m = len(kinds[0]) if kinds else 0
    patterns = [
        (stars, members)
        for stars, members in patterns_of(kinds, copies, k, closed)
        if not stars & set(instance["intact"])
        and len(stars) <= limits.get("per_row", m)
    ]
    question = Question(instance, limits, k, kinds, class_of, copies, patterns)
    question.check(tree, Decided())


class Decided:
    """What is decided at a node."""

    def __init__(self) -> None:
        self.inside: frozenset[int] = frozenset()
        self.outside: frozenset[int] = frozenset()
        self.used: frozenset[int] = frozenset()
        self.unused: frozenset[int] = frozenset()
        self.classes: tuple[tuple[int, int, bool], ...] = ()
        self.counts: tuple[tuple[int, frozenset[int], int, bool], ...] = ()

    def but(self, **changed: Any) -> Decided:
        """Return a copy with some things changed."""
        made = Decided()
        vars(made).update({**vars(self), **changed})
        return made


class Question:
    """The deals that would disprove a bound."""

    def __init__(
        self,
        instance: Instance,
        limits: dict[str, int],
        k: int,
        kinds: list[tuple[int, ...]],
        class_of: list[int],
        copies: list[int],
        patterns: list[tuple[frozenset[int], list[int]]],
    ) -> None:
        self.instance, self.limits, self.k = instance, limits, k
        self.kinds, self.class_of, self.copies = kinds, class_of, copies
        self.patterns = patterns
        self.m = len(kinds[0]) if kinds else 0

    def check(self, node: Any, decided: Decided) -> None:
        """Raise `WrongError` unless a node is refuted."""
        if node is None:
            most = self.limits.get("columns", self.m)
            need(len(decided.inside) > most, "a node is left open")
        elif "yes" not in node:
            self.check_leaf(node, decided)
        else:
            yes, no = self.sides(node, decided)
            self.check(node["yes"], yes)
            self.check(node["no"], no)

    def sides(self, node: Any, decided: Decided) -> tuple[Decided, Decided]:
        """Return both sides of a split."""
        if "column" in node:
            j = whole(node["column"], 0)
            need("columns" in self.limits and j < self.m, "no column of a region")
            need(j not in decided.inside | decided.outside, "decided already")
            return (
                decided.but(inside=decided.inside | {j}),
                decided.but(outside=decided.outside | {j}),
            )
        if "class" in node:
            c, q = whole(node["class"], 0), whole(node["at_most"], 0)
            need(c < len(self.instance["row_order"] or ()) - 1, "no class of rows")
            below, above = ((*decided.classes, (c, q, side)) for side in (True, False))
            return decided.but(classes=below), decided.but(classes=above)
        t = whole(node["kind"], 0)
        need(t < len(self.kinds), "no kind of rows")
        if "pattern" in node:
            stars = frozenset(range(self.m)) - set(node["pattern"])
            found = [
                p
                for p, (s, members) in enumerate(self.patterns)
                if s == stars and t in members
            ]
            need(found, "no pattern")
            return (
                decided.but(used=decided.used | {found[0]}),
                decided.but(unused=decided.unused | {found[0]}),
            )
        q, columns = whole(node["at_most"], 0), frozenset(node["keeps"])
        need(q < self.copies[t] and all(0 <= j < self.m for j in columns), "no count")
        yes, no = ((*decided.counts, (t, columns, q, side)) for side in (True, False))
        return decided.but(counts=yes), decided.but(counts=no)

    def may(self, decided: Decided, p: int, t: int) -> bool:
        """Tell whether a kind may have a pattern."""
        stars, deletion = self.patterns[p][0], self.instance["deletion"]
        whole_row = len(stars) == self.m
        by_rows, by_columns = "rows" in self.limits, "columns" in self.limits
        if p in decided.unused:
            return False
        if by_columns:
            within = not stars & decided.outside
            if deletion:
                within = within and decided.inside <= stars
            if not by_rows and not within:
                return False
            if by_rows and deletion and not (within or whole_row):
                return False
        elif deletion and stars and not whole_row:
            return False
        for c, q, at_most in decided.classes:
            if at_most and self.class_of[t] <= c and len(stars) > q:
                return False
            if not at_most and self.class_of[t] > c and len(stars) <= q:
                return False
        return True

    def check_leaf(self, leaf: Any, decided: Decided) -> None:
        """Raise `WrongError` unless weights refute a node."""
        m, classes = self.m, list(pairwise(self.instance["column_order"] or []))
        u = wholes(leaf["weights"], len(self.kinds))
        entries, rows = whole(leaf.get("entries", 0), 0), whole(leaf.get("rows", 0), 0)
        columns = wholes(leaf.get("per_column", [0] * m), m, 0)
        splits = wholes(
            leaf.get("splits", [0] * len(decided.counts)), len(decided.counts), 0
        )
        orders = leaf.get("column_order", [[0] * m] * len(classes))
        need(len(orders) == len(classes), "an order of other classes")
        factors = list(columns)
        for order, (here, after) in zip(orders, classes, strict=True):
            for j, factor in enumerate(wholes(order, m)):
                signed = (
                    factor == 0
                    or (factor > 0 and j in here)
                    or (factor < 0 and j in after)
                )
                need(signed, "an order with a wrong sign")
                factors[j] += factor
            need(sum(order) == 0, "an order that does not add up to 0")
        paid = 0
        for name, weight in (
            ("entries", entries),
            ("rows", rows),
            ("per_column", sum(columns)),
        ):
            need(not weight or name in self.limits, f"there is no limit of {name}")
            paid += weight * self.limits.get(name, 0)
        for (_, _, q, at_most), weight in zip(decided.counts, splits, strict=True):
            paid += weight * q if at_most else -weight * (q + 1)
        total = sum(c * w for c, w in zip(self.copies, u, strict=True))
        for p, (stars, members) in enumerate(self.patterns):
            outside = stars & decided.outside if "columns" in self.limits else stars
            price = entries * len(stars) + sum(factors[j] for j in stars)
            price += rows if outside and "rows" in self.limits else 0

            def worth(t: int, stars: frozenset[int] = stars, price: int = price) -> int:
                more = 0
                for (kind, kept, _, at_most), weight in zip(
                    decided.counts, splits, strict=True
                ):
                    if kind == t and not kept & stars:
                        more += weight if at_most else -weight
                return u[t] - price - more

            allowed = [t for t in members if self.may(decided, p, t)]
            best = best_rows(allowed, self.copies, worth, self.k) or 0
            total -= best if p in decided.used else max(0, best)
        need(total > paid, "the weights of a leaf do not refute it")


# --- all of it ----------------------------------------------------------------------

COSTS: dict[str, Callable[[Instance, Result], int]] = {
    "bin-covering": cost_of_bins,
    "interval-covering": cost_of_bins,
    "connected-partition": cost_of_parts,
    "r-gather": lambda i, r: max((d for _, d, _ in clusters_of(i, r)), default=0),
    "cellular-clustering": lambda i, r: sum(
        fee + len(group) * d for group, d, fee in clusters_of(i, r)
    ),
    "rectangle-tiling": cost_of_tiles,
    "rectangle-tiling-grid": cost_of_tiles,
    "k-anonymity": cost_of_stars,
    "suppression": cost_of_suppression,
}

BOUNDS: dict[str, Callable[[Instance, Certificate], int | None]] = {
    "bin-covering": bound_of_bins,
    "interval-covering": bound_of_intervals,
    "connected-partition": bound_of_parts,
    "r-gather": bound_of_radius,
    "cellular-clustering": bound_of_service,
    "rectangle-tiling": bound_of_tiles,
    "rectangle-tiling-grid": bound_of_tiles,
}


def fingerprint(document: Instance) -> str:
    """Return the sha256 of what defines an instance."""
    remarks = {"name", "source", "comment", "labels", "positions"}
    kept = {
        name: value
        for name, value in document.items()
        if name not in remarks and (name not in DEFAULTS or value != DEFAULTS[name])
    }
    text = json.dumps(kept, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def check(document: Instance, result: Result) -> None:
    """Raise `WrongError` unless a result holds; `UnknownError` if nobody can tell."""
    problem = document["problem"]
    if problem not in COSTS:
        raise UnknownError(problem)
    instance = {**DEFAULTS, "r": 1, **document}
    need(result["instance_sha256"] == fingerprint(document), "another instance")
    infeasible = result["status"] == "INFEASIBLE"
    bound = None if infeasible else result["bound"]
    if result["groups"] is not None:
        need(not infeasible, "a solution of what has none")
        outliers = result.get("outliers") or []
        items = sorted([*(i for group in result["groups"] for i in group), *outliers])
        need(items == list(range(size_of(instance))), "not a partition of the items")
        need(all(result["groups"]), "an empty group")
        need(COSTS[problem](instance, result) == result["cost"], "another cost")
        need(bound is None or bound <= result["cost"], "a bound above the cost")
    if result["status"] == "OPTIMAL":
        need(result["groups"] is not None and bound == result["cost"], "not optimal")
    if result.get("certificate") is None:
        need(result["trust"] != "certified", "certified without a certificate")
        return
    proof = result["certificate"]
    if problem in ("k-anonymity", "suppression"):
        proved = bound_of_table(instance, proof, bound)
    else:
        proved = BOUNDS[problem](instance, proof)
    if proved is None:  # weights of points refute every cost at once
        points = problem in ("r-gather", "cellular-clustering")
        need(infeasible or (points and proof["kind"] == "weights"), "a cost is claimed")
    else:
        holds = bound is not None and proved >= bound
        need(holds, f"only {proved} is proved")


def main(arguments: list[str]) -> int:
    """Check a result and return the exit code."""
    try:
        document, result = (json.loads(Path(path).read_text()) for path in arguments)
        check(document, result)
    except UnknownError as unknown:
        print(f"not known here: {unknown}")
        return 2
    except (WrongError, LookupError, TypeError, ValueError, ArithmeticError) as wrong:
        print(f"does not hold: {wrong!r}")
        return 1
    print("holds")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
