"""A second checker: results and certificates, by the standard library alone.

    python scripts/second_checker.py INSTANCE.json RESULT.json

It shares no line with the package, is slow, and was written from docs/certificates.md:
what both accept is believed by two readers of one page. Exit code 0 if the solution
costs what the result says and its certificate proves the bound, 1 if not, 2 if this
program cannot tell.

All numbers are integers of Python or fractions, so nothing overflows; tables, points
and graphs of some dozens of items are checked in seconds. The one exception are great
circles: lengths so near to a whole number that doubles cannot tell are not judged. Nor
is what takes too much work: steps are counted before they are done.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from itertools import (
    accumulate,
    combinations,
    combinations_with_replacement,
    pairwise,
    product,
)
from math import atan2, ceil, cos, gcd, hypot, inf, isqrt, lcm, prod, radians, sin
from pathlib import Path
from typing import Any, NamedTuple

Instance = dict[str, Any]
Result = dict[str, Any]
Certificate = dict[str, Any]

DEFAULTS: dict[str, Any] = {
    **dict.fromkeys(("distances", "points", "metric", "scale", "max_clusters")),
    **dict.fromkeys(("facility_costs", "columns", "row_order", "column_order", "t")),
    **dict.fromkeys(
        ("column_weights", "row_weights", "copies", "levels", "conditions")
    ),
    **dict.fromkeys(
        ("items", "costs", "groups", "require", "together", "apart", "edges")
    ),
    "connected": False,
    "objective": "max",
    "centres": "input",
    "cover": "plane",
    "on": "entries",
    "minimise": "entries",
    "loss": "height",
    "reading": "distinct",
    "l": 1,
    "c": None,
    "ordered": False,
    "guillotine": False,
    "deletion": False,
    "max_outliers": 0,
    "suppress_rows": 0,
    "limits": {},
    "intact": [],
}
"""What a field holds that is not there; fingerprints leave such fields out."""

QUANTITIES = ("rows", "columns", "entries", "per_row", "per_column")

EARTH_RADIUS = 6_371_008.8
"""In metres."""

LISTS = {
    **dict.fromkeys(("r-gather", "cellular-clustering"), ("centres", "outliers")),
    **dict.fromkeys(("rectangle-tiling", "rectangle-tiling-grid"), ("rectangles",)),
    "suppression": ("suppressed", "region_columns"),
    **dict.fromkeys(
        ("generalization", "diversity"), ("levels", "suppressed_rows", "deals")
    ),
    "k-ambiguity": ("suppressed", "deals"),
    "k-anonymity": ("deals",),
}
"""What the results of a problem list beside groups."""

MOST_SETS = 2**20
"""Multisets of sizes, levels of bins, and boxes."""

MOST_STEPS = 10_000_000
"""Steps of a check, of about a microsecond: pairs that a dynamic program looks at, rows
of a pattern that a leaf prices. Cheaper ones are counted some at a time."""

NUMBER = re.compile(r"-?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?|\d{1,400}/\d{1,400}")
"""A fraction as a text. Others, as 1e999999999, may be too long to be worked with."""

STATUSES = ("UNKNOWN", "FEASIBLE", "INFEASIBLE", "OPTIMAL")
TRUSTS = (None, "heuristic", "proved", "agreed", "certified")
ENDS = (
    *(None, "closed", "gap", "target", "time limit", "work limit", "callback"),
    *("interrupted", "gave up", "algorithm"),
)


class WrongError(Exception):
    """Something that a result says does not hold."""


class UnknownError(Exception):
    """A problem, or a length, that this program cannot judge."""


def need(holds: object, message: str) -> None:
    if not holds:
        raise WrongError(message)


class Work:
    """The steps that a check has taken."""

    def __init__(self) -> None:
        self.steps = 0

    def spend(self, steps: int, what: str) -> None:
        """Count steps before they are done, or raise `UnknownError` if too many."""
        self.steps += steps
        if self.steps > MOST_STEPS:
            count = f"{self.steps:,}" if self.steps < 10**18 else "more than 10^18"
            message = f"too much work: {count} steps with these {what}, more than "
            message += f"{MOST_STEPS:,}"
            raise UnknownError(message)


WORK = Work()
"""What the check that runs has done."""


@contextmanager
def counted() -> Iterator[None]:
    """Count the steps of the body apart from all others."""
    before, WORK.steps = WORK.steps, 0
    try:
        yield
    finally:
        WORK.steps = before


def exact(value: Any) -> Fraction:
    """Return the exact fraction that a number, or a text, is."""
    text = str(value)
    need(NUMBER.fullmatch(text), f"{text[:20]!r} is no number of a usual length")
    return Fraction(text)


def whole(value: Any, least: int | None = None) -> int:
    need(type(value) is int, f"not an integer: {str(value)[:20]!r}")
    need(least is None or value >= least, f"below {least}: {value}")
    return int(value)


def wholes(values: Any, length: int, least: int | None = None) -> list[int]:
    need(
        isinstance(values, list) and len(values) == length, f"expected {length} values"
    )
    return [whole(value, least) for value in values]


def listed(holder: Any, name: str) -> list[Any]:
    found = holder.get(name)
    need(found is None or isinstance(found, list), f"{name}: expected a list")
    return found or []


def list_in(proof: Any, name: str) -> list[Any]:
    need(isinstance(proof[name], list), f"{name}: expected a list")
    return list(proof[name])


def numbers_of(values: Any) -> list[int]:
    need(isinstance(values, list), "expected a list of integers")
    return [whole(value) for value in values]


def named(pairs: Any, *shape: int) -> dict[Any, int]:
    """Return weights that are named once each by their indices."""
    found: dict[Any, int] = {}
    need(isinstance(pairs, list), "expected a list of weights")
    for entry in pairs:
        *place, weight = wholes(entry, len(shape) + 1)
        inside = all(0 <= i < n for i, n in zip(place, shape, strict=True))
        key = tuple(place) if len(place) > 1 else place[0]
        need(inside and key not in found, f"{entry}: not there, or named twice")
        found[key] = weight
    return found


# --- bins and intervals -------------------------------------------------------------


def level_cost(instance: Instance, level: int) -> int:
    k: int = instance["k"]
    costs = {"max": level, "excess": level - k, "quadratic": level * (level - k)}
    return costs[instance["objective"]]


def cost_of_bins(instance: Instance, result: Result) -> int:
    sizes, k = instance["sizes"], instance["k"]
    levels = [sum(sizes[i] for i in group) for group in result["groups"]]
    need(all(level >= k for level in levels), "a bin is below k")
    if instance["problem"] == "interval-covering":
        for group in result["groups"]:
            need(all(b == a + 1 for a, b in pairwise(sorted(group))), "no interval")
    costs = [level_cost(instance, level) for level in levels]
    return max(costs, default=0) if instance["objective"] == "max" else sum(costs)


def bound_of_bins(instance: Instance, proof: Certificate, *_: object) -> int | None:
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
                WORK.spend(len(reached) // 5 + 1, "levels")
        return min(r + sizes[item] for r in reached if r + sizes[item] >= k)
    values = sorted(set(sizes), reverse=True)
    found = Counter(sizes)
    copies = [found[value] for value in values]
    heavy = max((x + k - 1 for x in sizes if x >= k), default=0)
    light = max((2 * k + x - 2 for x in sizes if x < k), default=0)
    cap = min(total, max(heavy, light))
    if kind == "subsets":
        return cost_of_subsets(instance, values, copies, cap)
    need(kind == "weights", f"{kind} is no kind of certificate of bins")
    if objective == "max":
        level = whole(proof["refutes"], 0)
        need(isinstance(proof["parts"], dict), "parts: expected an object")
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


def need_little(count: int, most: int, what: str) -> None:
    """Raise `UnknownError` if there is more to look at than this program does."""
    if count > most:
        raise UnknownError(f"too much work: {count:,} {what}, more than {most:,}")


def cost_of_subsets(
    instance: Instance, values: list[int], copies: list[int], cap: int
) -> int:
    """Return the least cost, by the bin of the greatest size of what is left.

    Multisets are numbers with a field for each size, whose top bit stays free.
    """
    sets_of_sizes = prod(count + 1 for count in copies)
    need_little(sets_of_sizes, MOST_SETS, "multisets of sizes")
    WORK.spend(sets_of_sizes * (2 + len(copies)) // 5, "multisets of sizes")
    width = max(copies).bit_length() + 1
    places = [width * (len(copies) - 1 - i) for i in range(len(copies))]
    free = sum(1 << (place + width - 1) for place in places)
    sets: list[tuple[int, int]] = []
    with_first: list[list[tuple[int, int]]] = [[] for _ in copies]
    for counts in product(*(range(count + 1) for count in copies)):
        packed = sum(c << place for c, place in zip(counts, places, strict=True))
        level = sum(c * value for c, value in zip(counts, values, strict=True))
        first = next((i for i, c in enumerate(counts) if c), -1)
        sets.append((packed, first))
        if first >= 0 and instance["k"] <= level <= cap:
            with_first[first].append((packed, level_cost(instance, level)))
    firsts = Counter(first for _, first in sets[1:])
    pairs = sum(count * len(with_first[i]) for i, count in firsts.items())
    WORK.spend(pairs // 2, "multisets and bins")
    least: dict[int, int | float] = {0: 0}
    for packed, first in sets[1:]:
        best: int | float = inf
        for held, cost in with_first[first]:
            rest = (packed | free) - held
            other = least[rest ^ free] if rest & free == free else inf
            if other < inf:
                most = instance["objective"] == "max"
                best = min(best, max(cost, other) if most else cost + other)
        least[packed] = best
    return int(least[sets[-1][0]])


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
            need_little(len(best), MOST_SETS, "levels")
            WORK.spend(len(best) // 5 + 1, "levels and sizes")
            for level, worth in list(best.items()):
                reached = level + value
                if (
                    reached <= high
                    and best.get(reached, worth + weight - 1) < worth + weight
                ):
                    best[reached] = worth + weight
    worths = [w - price(level) for level, w in best.items() if max(low, 1) <= level]
    return max(worths, default=None)


def bound_of_intervals(
    instance: Instance, proof: Certificate, *_: object
) -> int | None:
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
        marked = [0, 1]  # how many ends of intervals are before an item
        for reached in sums[1:]:
            low = bisect_left(sums, reached - cost + 1)
            high = bisect_right(sums, reached - k)
            led = low < high and marked[low] < marked[high]
            marked.append(marked[-1] + led)
        need(cost == 0 or marked[-2] == marked[-1], "intervals of less cover the row")
        return cost
    if proof["kind"] == "prefixes":
        need(instance["objective"] == "quadratic", "for squares only")
        need(not sizes or sums[-1] >= k, "nothing is feasible")
        widest = 2 * k - 2 + max(sizes, default=0)
        first = last = steps = 0
        begins = []
        for reached in sums[1:]:
            while reached - sums[first] > widest:
                first += 1
            while reached - sums[last] >= k:
                last += 1
            begins.append(range(first, last))
            steps += (last - first) * (1 + reached.bit_length() // 1000)
        WORK.spend(steps // 2, "intervals")
        least: list[int | None] = [0]
        for reached, some in zip(sums[1:], begins, strict=True):
            levels = [(least[i], reached - sums[i]) for i in some]
            costs = [f + level * (level - k) for f, level in levels if f is not None]
            least.append(min(costs, default=None))
        return least[-1]
    need(proof["kind"] == "hitting", "no kind of certificate of intervals")
    need(instance["objective"] == "excess", "for the excess only")
    items = [whole(item, 0) for item in list_in(proof, "items")]
    ends = [-1, *items, len(sizes)]
    need(all(a < b for a, b in pairwise(ends)), "items have to increase")
    for a, b in pairwise(ends):
        need(sums[b] - sums[a + 1] < k, f"there is an interval between {a} and {b}")
    return sums[-1] - k * len(items)


# --- graphs -------------------------------------------------------------------------


def neighbours_of(instance: Instance) -> list[set[int]]:
    around: list[set[int]] = [set() for _ in instance["weights"]]
    for u, v in instance["edges"]:
        if u != v:
            around[u].add(v)
            around[v].add(u)
    return around


def pieces(nodes: set[int], around: list[set[int]]) -> list[set[int]]:
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
    around = neighbours_of(instance)
    weights: list[int] = instance["weights"]
    levels = []
    for group in result["groups"]:
        need(len(pieces(set(group), around)) == 1, "a part is not connected")
        levels.append(sum(weights[v] for v in group))
    need(all(level >= instance["k"] for level in levels), "a part is below k")
    return max(levels, default=0)


def bound_of_parts(instance: Instance, proof: Certificate, *_: object) -> int | None:
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
    claims = {whole(claim["parts"], 1): claim for claim in list_in(proof, "refuted")}
    need(
        len(claims) == len(list_in(proof, "refuted")),
        "a number of parts is there twice",
    )
    need(set(claims) == open_parts, "not the numbers of parts that counting leaves")
    for parts, leaf, settled in (
        (parts, *held)
        for parts, claim in claims.items()
        for held in (
            pair_leaves(claim["tree"], len(weights))
            if "tree" in claim
            else [(claim, Settled())]
        )
    ):
        y = named(leaf["weights"], len(weights))
        need(set(y) <= piece, "weights outside of the component")
        WORK.spend(len(weights), "nodes")
        most, blocks = whole(leaf["most"]), settled.blocks(len(weights))
        home = {v: b for b, block in enumerate(blocks) for v in block}
        parted = [(blocks[home[a]], blocks[home[b]]) for a, b in settled.apart]
        need(sum(y.values()) > parts * most, "the weights do not add up to enough")
        low = max(k, mass - (parts - 1) * level)
        high = min(level, mass - (parts - 1) * k)
        for part in connected_sets(piece, around, weights, high, y, most):
            WORK.spend((len(piece) + len(blocks)) // 8, "connected sets")
            if sum(weights[v] for v in part) < low:
                continue
            torn = any(block & part < block & piece for block in blocks if block & part)
            if torn or any(x & part and z & part for x, z in parted):
                continue
            ranges = [
                (
                    max(1, -(-sum(weights[v] for v in rest) // high)),
                    sum(weights[v] for v in rest) // low,
                )
                for rest in pieces(piece - part, around)
            ]
            splits = all(a <= b for a, b in ranges)
            fits = sum(a for a, _ in ranges) <= parts - 1 <= sum(b for _, b in ranges)
            need(not (splits and fits), f"a part weighs more than {most}")
    return level + 1


def connected_sets(
    nodes: set[int],
    around: list[set[int]],
    weights: list[int],
    most: int,
    worth: dict[int, int],
    above: int,
) -> Iterator[frozenset[int]]:
    """Yield the connected sets of at most this weight that are worth more, each once.

    A set is an integer whose bit v tells whether it has node v. Where the other nodes
    cannot be worth enough in the weight that is left, even in parts and wherever they
    are, a set does not grow.
    """
    near = {v: sum(1 << u for u in around[v]) for v in nodes}
    valued = sorted(
        (v for v in nodes if worth.get(v, 0) > 0),
        key=lambda v: (weights[v] > 0, -Fraction(worth[v], weights[v] or 1)),
    )

    def promising(value: int, free: int, room: int) -> bool:
        for v in valued:
            if free >> v & 1:
                if weights[v] > room:
                    return value + worth[v] * room // weights[v] > above
                value, room = value + worth[v], room - weights[v]
        return value > above

    left = sum(1 << v for v in nodes)
    for root in sorted(nodes):
        left ^= 1 << root
        held = (1 << root, near[root] & left, left, most - weights[root])
        stack = [(*held, worth.get(root, 0))] if weights[root] <= most else []
        while stack:
            part, edge, free, room, value = stack.pop()
            if value > above:
                yield frozenset(v for v in nodes if part >> v & 1)
            if not promising(value, free, room):
                continue
            while edge:
                bit = edge & -edge
                v = bit.bit_length() - 1
                edge, free = edge ^ bit, free ^ bit
                if weights[v] <= room:
                    WORK.spend(1 + len(nodes) // 256, "connected sets")
                    grown = (part | bit, (edge | near[v]) & free, free)
                    more = value + worth.get(v, 0)
                    stack.append((*grown, room - weights[v], more))


# --- points -------------------------------------------------------------------------


def distance_of(instance: Instance) -> Callable[[int, int], int | None]:
    """Return the distances of an instance; None where two points cannot be joined."""
    if "between" in instance:
        known: Callable[[int, int], int | None] = instance["between"]
        return known
    if instance["distances"] is not None:
        matrix = instance["distances"]
        return lambda a, b: matrix[a][b]
    points = instance["points"]
    metric, scale = instance["metric"] or "euclidean", int(instance["scale"] or 1)
    if metric == "great-circle":

        def around(a: int, b: int) -> int:
            WORK.spend(10, "distances")
            return great_circle(points[a], points[b], scale)

        return around
    squared = metric == "euclidean" and instance["problem"] == "r-gather"

    def between(a: int, b: int) -> int:
        pairs = list(zip(points[a], points[b], strict=True))
        WORK.spend(4 * len(pairs) + 6, "distances")
        if metric == "hamming":
            return scale * [x != y for x, y in pairs].count(True)
        apart = [abs(exact(x) - exact(y)) * scale for x, y in pairs]
        if metric == "manhattan":
            return int(sum(apart))
        square = int(sum(x * x for x in apart))
        if squared:
            return square
        root = isqrt(square)
        return root + (root * root < square)

    return between


def great_circle(place: list[float], other: list[float], scale: int) -> int:
    """Return the metres between two places, times `scale`, rounded up.

    What is taken off before is more than the errors of doubles. A length that is so
    near to the next one that these errors decide is not judged.
    """
    (north, east), (north2, east2) = (map(radians, p) for p in (place, other))
    apart = east - east2
    across = cos(north2) * sin(apart)
    along = cos(north) * sin(north2) - sin(north) * cos(north2) * cos(apart)
    towards = sin(north) * sin(north2) + cos(north) * cos(north2) * cos(apart)
    error = 1e-7 * scale
    length = EARTH_RADIUS * scale * atan2(hypot(across, along), towards)
    length -= max(1e-6, error)
    if length > 0 and ceil(length - error) != ceil(length + error):
        raise UnknownError(f"the length from {place} to {other}: too close to call")
    return max(0, ceil(length))


def clusters_of(instance: Instance, result: Result) -> list[tuple[list[int], int, int]]:
    """Return group, radius (or diameter) and fee of every cluster."""
    groups, anywhere = result["groups"], instance["centres"] == "any"
    centres = numbers_of(listed(result, "centres"))
    limit, most = instance["max_clusters"], instance["max_outliers"]
    need(limit is None or len(groups) <= limit, "too many clusters")
    need(len(outliers_of(instance, result)) <= most, "too many outliers")
    need(all(len(group) >= instance["r"] for group in groups), "a cluster is below r")
    if anywhere:
        need(not centres, "centres of clusters that may be anywhere")
        return [(group, width_of(instance, group, group), 0) for group in groups]
    fees = instance["facility_costs"] or [0] * size_of(instance)
    if not centres:
        return [best_about(instance, group, fees) for group in groups]
    need(len(centres) == len(groups), "not a centre for every cluster")
    found = []
    for group, centre in zip(groups, centres, strict=True):
        need(instance["centres"] == "input" or centre in group, "no member")
        need(0 <= centre < len(fees), "no point")
        found.append((group, width_of(instance, [centre], group), fees[centre]))
    return found


def width_of(instance: Instance, ends: Sequence[int], group: Sequence[int]) -> int:
    distance = distance_of(instance)
    WORK.spend(len(ends) * len(group) // 4 + 1, "distances")
    apart = [distance(end, i) for end in ends for i in group]
    need(None not in apart, "points are joined that cannot be")
    return max(d for d in apart if d is not None)


def best_about(
    instance: Instance, group: list[int], fees: Sequence[int]
) -> tuple[list[int], int, int]:
    """Return a cluster about the centre of least cost, where none is named."""
    summed = instance["problem"] == "cellular-clustering"
    found = []
    for centre in group if instance["centres"] == "member" else range(len(fees)):
        try:
            width = width_of(instance, [centre], group)
        except WrongError:
            continue
        found.append((group, width, fees[centre]))
    need(found, "points are joined that cannot be")
    return min(found, key=lambda f: f[2] + len(group) * f[1] if summed else f[1])


def outliers_of(instance: Instance, result: Result) -> list[int]:
    """Return the points in no cluster; all others, if a result names no centres.

    Of a table on entries they are the rows that are dropped.
    """
    if instance["problem"] == "generalization" and instance["on"] == "entries":
        return numbers_of(listed(result, "suppressed_rows"))
    outliers = numbers_of(listed(result, "outliers"))
    if instance["problem"] not in ("r-gather", "cellular-clustering"):
        return []
    if outliers or listed(result, "centres"):
        return outliers
    grouped = {i for group in result["groups"] for i in group}
    return [i for i in range(size_of(instance)) if i not in grouped]


def size_of(instance: Instance) -> int:
    for name in ("sizes", "weights", "table", "distances", "points"):
        if instance.get(name) is not None:
            return len(instance[name])
    if instance.get("items") is not None:
        return int(instance["items"])
    return sum(map(len, instance["grid"]))


def bound_of_radius(
    instance: Instance, proof: Certificate, bound: int | None
) -> int | None:
    """Return the least distance that is not refuted; None: all are."""
    n, r, outliers = size_of(instance), instance["r"], instance["max_outliers"]
    if proof["kind"] == "count":
        need(outliers < n < r, "there are enough points, or all may be outliers")
        return None
    distance, radius = distance_of(instance), whole(proof["radius"], -1)
    WORK.spend(n * n, "pairs of points")
    above = [
        d
        for a, b in combinations_with_replacement(range(n), 2)
        if (d := distance(a, b)) is not None and d > radius
    ]
    if proof["kind"] == "tree":
        check_points(instance, proof["tree"], 1, sites_of_radius(instance, radius))
        return min(above, default=None)
    y, most = named(proof["weights"], n), whole(proof["most"], 0)
    if bound is not None and bound <= 0:
        return 0
    left = surplus(y, outliers)
    need(left > most * most_clusters(instance), "the weights do not add up to enough")
    for c in range(n):
        ball = ball_about(instance, c, radius)
        fixed = frozenset([] if instance["centres"] == "input" else [c])
        if instance["centres"] == "any":
            ball = frozenset(i for i in ball if (-y.get(i, 0), i) >= (-y.get(c, 0), c))
        best = best_cluster(ball, fixed, r, lambda i: y.get(i, 0))
        need(best is None or best <= most, f"a cluster weighs more than {most}")
    return min(above, default=None)


def surplus(y: dict[int, int], outliers: int) -> int:
    """Return the sum of weights without the greatest positive ones."""
    greatest = sorted((w for w in y.values() if w > 0), reverse=True)
    return sum(y.values()) - sum(greatest[:outliers])


def most_clusters(instance: Instance) -> int:
    most, limit = size_of(instance) // int(instance["r"]), instance["max_clusters"]
    return most if limit is None else min(most, int(limit))


def best_cluster(
    ball: frozenset[int], fixed: frozenset[int], r: int, worth: Callable[[int], int]
) -> int | None:
    """Return the greatest worth of r or more points of a ball with the fixed ones."""
    if len(ball | fixed) < r:
        return None
    others = sorted(map(worth, ball - fixed), reverse=True)
    return sum(map(worth, fixed)) + greatest(others, r - len(fixed))


def greatest(falling: Sequence[int], least: int) -> int:
    """Return the greatest sum of at least so many of some numbers, which decrease."""
    return sum(w for place, w in enumerate(falling) if w > 0 or place < least)


class Site(NamedTuple):
    """Clusters that have some points, others of a ball, and a price.

    Where a width is given, no two points are further apart.
    """

    fixed: frozenset[int]
    ball: frozenset[int]
    width: int | None
    price: int
    fee: int


def ball_about(instance: Instance, centre: int, radius: int) -> frozenset[int]:
    distance = distance_of(instance)
    about = (distance(centre, i) for i in range(size_of(instance)))
    return within(list(about), radius)


def within(about: Sequence[int | None], radius: int) -> frozenset[int]:
    """Return the points that are no further away, by their distances."""
    WORK.spend(len(about) // 2 + 1, "clusters")
    return frozenset(i for i, d in enumerate(about) if d is not None and d <= radius)


def sites_of_radius(instance: Instance, radius: int) -> Iterator[Site]:
    """Yield the sites of a radius, or of a diameter if centres are anywhere."""
    for c in range(size_of(instance)):
        ball = ball_about(instance, c, radius)
        fixed = frozenset([] if instance["centres"] == "input" else [c])
        if instance["centres"] == "any":
            yield Site(fixed, frozenset(i for i in ball if i >= c), radius, 0, 0)
        else:
            yield Site(fixed, ball, None, 0, 0)


def sites_of_service(instance: Instance) -> Iterator[Site]:
    """Yield the sites of all centres and radii, or of all pairs at a diameter."""
    distance, n = distance_of(instance), size_of(instance)
    fees = instance["facility_costs"] or [0] * n
    rows = [[distance(c, i) for i in range(n)] for c in range(n)]
    for c, row in enumerate(rows):
        for other, d in enumerate(row):
            if d is None:
                continue
            ball = within(row, d)
            if instance["centres"] == "any":
                both = frozenset((c, other))
                yield Site(both, ball & within(rows[other], d), d, d, 0)
            else:
                fixed = frozenset([] if instance["centres"] == "input" else [c])
                yield Site(fixed, ball, None, d, fees[c])


class Settled(NamedTuple):
    """What is decided of points: outliers, in clusters, together and apart."""

    outside: frozenset[int] = frozenset()
    inside: frozenset[int] = frozenset()
    together: tuple[tuple[int, int], ...] = ()
    apart: tuple[tuple[int, int], ...] = ()

    def blocks(self, n: int) -> list[frozenset[int]]:
        """Return the points that are together."""
        found = [frozenset([p]) for p in range(n)]
        WORK.spend(n * (1 + len(self.together)) // 4, "pairs of a tree")
        for a, b in self.together:
            joined = next(x for x in found if a in x) | next(x for x in found if b in x)
            found = [x for x in found if not x & joined] + [joined]
        return found


def pair_leaves(
    tree: Any, n: int, leaf: str = "weights", *, outliers: bool = False
) -> Iterator[tuple[Any, Settled]]:
    left = [(tree, Settled())]
    while left:
        node, settled = left.pop()
        need(isinstance(node, dict), "expected a node")
        if leaf in node:
            yield node, settled
        elif "point" in node and outliers:
            p = whole(node["point"], 0)
            need(p < n, "no point")
            outlier = settled._replace(outside=settled.outside | {p})
            clustered = settled._replace(inside=settled.inside | {p})
            left += [(node["outlier"], outlier), (node["clustered"], clustered)]
        else:
            a, b = wholes(node["pair"], 2, 0)
            need(a != b and max(a, b) < n, "no pair of items")
            joined = settled._replace(
                together=(*settled.together, (a, b)), inside=settled.inside | {a, b}
            )
            parted = settled._replace(apart=(*settled.apart, (a, b)))
            left += [(node["together"], joined), (node["apart"], parted)]


def check_points(
    instance: Instance, tree: Any, bound: int, sites: Iterator[Site]
) -> None:
    """Raise `WrongError` unless a tree refutes all clusterings below the bound."""
    every = list(sites)
    for leaf, settled in pair_leaves(tree, size_of(instance), outliers=True):
        check_leaf_of_points(instance, leaf, bound, every, settled)


def check_leaf_of_points(
    instance: Instance, leaf: Any, bound: int, sites: Sequence[Site], settled: Settled
) -> None:
    n, most = size_of(instance), whole(leaf["most"])
    scale, y = whole(leaf.get("scale", 0), 0), wholes(leaf["weights"], n)
    blocks = settled.blocks(n)
    sure = {p for block in blocks if block & settled.inside for p in block}
    free = {p: y[p] for p in range(n) if p not in settled.outside}
    doubtful = sorted((w for p, w in free.items() if w > 0 and p not in sure))
    spare = max(0, instance["max_outliers"] - len(settled.outside))
    kept = sum(free.values()) - sum(doubtful[::-1][:spare])
    fewest = 1 if n > instance["max_outliers"] else 0
    count = most_clusters(instance) if most > 0 else fewest
    need(kept - most * count > scale * (bound - 1), "a leaf is not refuted")
    distance = distance_of(instance)
    home = {p: b for b, block in enumerate(blocks) for p in block}
    apart = {(home[a], home[b]) for a, b in settled.apart}
    apart |= {(b, a) for a, b in apart}
    for site in sites:
        WORK.spend(n + len(blocks), "clusters and leaves")

        def far(one: int, other: int, width: int | None = site.width) -> bool:
            if (one, other) in apart:
                return True
            WORK.spend(len(blocks[one]) * len(blocks[other]) // 4 + 1, "clusters")
            pairs = ((a, b) for a in blocks[one] for b in blocks[other])
            lengths = [distance(a, b) for a, b in pairs] if width is not None else []
            return any(d is None or d > (width or 0) for d in lengths)

        ball = site.ball - settled.outside
        may = {b for b, block in enumerate(blocks) if block <= ball and not far(b, b)}
        must = {home[p] for p in site.fixed}
        if not must <= may or any(far(a, b) for a in must for b in must):
            continue
        may = {b for b in may - must if not any(far(a, b) for a in must)}
        worths = [[y[p] - scale * site.price for p in block] for block in blocks]
        limit = most + scale * site.fee
        exceeded = is_exceeded(worths, far, must, may, instance["r"], limit)
        need(not exceeded, f"a cluster is worth more than {most}")


def is_exceeded(
    worths: list[list[int]],
    far: Callable[[int, int], bool],
    must: set[int],
    may: set[int],
    r: int,
    limit: int,
) -> bool:
    """Tell whether r or more points, in whole blocks, are worth more than a limit."""
    open_questions = [(must, may)]
    while open_questions:
        must, may = open_questions.pop()
        WORK.spend(sum(len(worths[b]) for b in must | may) + 1, "choices of points")
        value = sum(sum(worths[b]) for b in must)
        size = sum(len(worths[b]) for b in must)
        taken: set[int] = set()
        falling = sorted(((w, c) for c in may for w in worths[c]), reverse=True)
        for worth, b in falling:
            if worth <= 0 and size >= r:
                break
            value, size = value + worth, size + 1
            taken.add(b)
        if size < r or value <= limit:
            continue
        clash = next((b for b in taken for c in taken if b < c and far(b, c)), None)
        if clash is None and sum(sum(worths[b]) for b in must | taken) > limit:
            return True
        if clash is None:  # of some block only the best points were counted
            clash = max(taken, key=lambda b: len(worths[b]))
        fits = {c for c in may - {clash} if not far(clash, c)}
        open_questions += [(must, may - {clash}), (must | {clash}, fits)]
    return False


def bound_of_service(
    instance: Instance, proof: Certificate, bound: int | None
) -> int | None:
    n, r = size_of(instance), instance["r"]
    if proof["kind"] == "count":
        return bound_of_radius(instance, proof, None)
    if proof["kind"] == "tree":
        need(isinstance(proof["tree"], dict), "expected a node")
        sites = sites_of_service(instance)
        if bound is None:
            free = (site._replace(price=0, fee=0) for site in sites)
            check_points(instance, proof["tree"], 1, free)
        elif bound > 0:
            check_points(instance, proof["tree"], bound, sites)
        return bound
    scale, y = whole(proof["scale"], 1), wholes(proof["weights"], n)
    clustered = max(0, n - instance["max_outliers"])
    values = []
    for site in sites_of_service(instance) if most_clusters(instance) else ():

        def worth(i: int, price: int = site.price) -> int:
            return y[i] - scale * price

        best = best_cluster(site.ball, site.fixed, r, worth)
        if best is not None:
            values.append(best - scale * site.fee)
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
    row_of, column_of = ({v: i for i, v in enumerate(held)} for held in (xs, ys))
    WORK.spend(len(xs) * len(ys) // 2, "cells")
    grid = [[0] * len(ys) for _ in xs]
    needed = [[instance["cover"] == "plane"] * len(ys) for _ in xs]
    for x, y, weight in points:
        grid[row_of[x]][column_of[y]] += weight
        needed[row_of[x]][column_of[y]] = True
    return grid, needed, xs, ys


def cost_of_tiles(instance: Instance, result: Result) -> int:
    grid, needed, xs, ys = boxes_and_grid(instance)
    points = instance.get("points")
    if points is None:
        points = [(x, y, grid[x][y]) for x in range(len(xs)) for y in range(len(ys))]
    groups, rectangles = result["groups"], listed(result, "rectangles")
    if not rectangles:  # they are as small as can be
        held = [list(zip(*(points[i] for i in group), strict=True)) for group in groups]
        rectangles = [[min(x), min(y), max(x), max(y)] for x, y, _ in held]
    need(len(rectangles) == len(groups), "not a rectangle for every group")
    covered = [[0] * len(ys) for _ in xs]
    levels, boxes = [], []
    for group, rectangle in zip(groups, rectangles, strict=True):
        x0, y0, x1, y1 = rectangle
        box = (xs.index(x0), ys.index(y0), xs.index(x1) + 1, ys.index(y1) + 1)
        boxes.append(box)
        area = max(0, box[2] - box[0]) * max(0, box[3] - box[1])
        WORK.spend((area + len(points)) // 4 + 1, "rectangles")
        for i in range(box[0], box[2]):
            for j in range(box[1], box[3]):
                covered[i][j] += 1
        inside = [
            i for i, (x, y, _) in enumerate(points) if x0 <= x <= x1 and y0 <= y <= y1
        ]
        need(sorted(group) == inside, "a group is not what its rectangle holds")
        levels.append(sum(points[i][2] for i in group))
    for i in range(len(xs)):
        for j in range(len(ys)):
            need(covered[i][j] <= 1, "rectangles overlap")
            need(covered[i][j] or not needed[i][j], "a cell is not covered")
    need(all(level >= instance.get("k", 0) for level in levels), "one is below k")
    need(len(levels) <= instance.get("p", len(levels)), "more than p rectangles")
    need(not instance["guillotine"] or by_cuts(boxes), "no straight cuts make these")
    return max(levels, default=0)


def by_cuts(boxes: Sequence[tuple[int, ...]]) -> bool:
    """Tell whether straight cuts through and through make these boxes."""
    left = [boxes]
    while left:
        those = left.pop()
        if len(those) <= 1:
            continue
        found = next(filter(None, (parted(those, axis) for axis in (0, 1))), None)
        if found is None:
            return False
        left += found
    return True


def parted(
    boxes: Sequence[tuple[int, ...]], axis: int
) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]] | None:
    """Return the boxes on both sides of a straight cut, if there is one."""
    for cut in sorted({box[axis] for box in boxes}):
        WORK.spend(len(boxes) // 4 + 1, "rectangles and cuts")
        low = [box for box in boxes if box[axis + 2] <= cut]
        high = [box for box in boxes if box[axis] >= cut]
        if low and high and len(low) + len(high) == len(boxes):
            return low, high
    return None


def fewest_by_cuts(grid: list[list[int]], k: int, level: int) -> int | None:
    """Return the fewest boxes of weight k to `level` that straight cuts make."""
    found: dict[tuple[int, ...], int | None] = {}
    rows, columns = len(grid), len(grid[0])
    boxes = rows * (rows + 1) * columns * (columns + 1) // 4
    need_little(boxes, MOST_SETS, "boxes")
    WORK.spend(boxes * (3 + (rows + columns) // 8), "boxes and cuts")
    sums = [[0] * (columns + 1)]
    for row in grid:
        line = accumulate(row, initial=0)
        sums.append([s + t for s, t in zip(sums[-1], line, strict=True)])
    for height in range(1, rows + 1):
        for width in range(1, columns + 1):
            for a in range(rows - height + 1):
                for c in range(columns - width + 1):
                    b, d = a + height, c + width
                    weight = sums[b][d] - sums[a][d] - sums[b][c] + sums[a][c]
                    sides = [
                        *(
                            (found[a, c, x, d], found[x, c, b, d])
                            for x in range(a + 1, b)
                        ),
                        *(
                            (found[a, c, b, x], found[a, x, b, d])
                            for x in range(c + 1, d)
                        ),
                    ]
                    cuts = [s + t for s, t in sides if s is not None and t is not None]
                    least = 1 if k <= weight <= level else min(cuts, default=None)
                    found[a, c, b, d] = least
    return found[0, 0, rows, columns]


def bound_of_tiles(instance: Instance, proof: Certificate, *_: object) -> int | None:
    grid, needed, xs, ys = boxes_and_grid(instance)
    total, k = sum(map(sum, grid)), instance.get("k", 0)
    cells = sum(weight > 0 for row in grid for weight in row)
    empty = not xs or not ys
    if proof["kind"] == "cuts":
        level = whole(proof["level"], 0)
        need(instance["guillotine"] and not empty, "no straight cuts are asked for")
        boxes = fewest_by_cuts(grid, k, level)
        need(boxes is None or boxes > instance.get("p", boxes), "straight cuts do it")
        return level + 1
    if empty:
        need(proof["kind"] == "count", "without cells only counting proves something")
        return 0
    if instance["problem"] == "rectangle-tiling-grid":
        cells = len(xs) * len(ys)
        parts = min(instance["p"], cells)
    if proof["kind"] == "count":
        if total < k:
            return None
        counted: int = -(-total // (parts if k == 0 else total // k))
        return max(int(k), counted, *map(max, grid))
    need(proof["kind"] == "parts", "no kind of certificate of rectangles")
    level = whole(proof["level"], 0)
    if k == 0:
        first, last = parts, parts
    else:
        fewest = -(-total // level) if level else (1 if not total else cells + 1)
        first, last = max(1, fewest), min(cells, total // k)
    refuted = set()
    strips, spans = (len(held) * (len(held) + 1) // 2 for held in (xs, ys))
    for entry in list_in(proof, "refuted"):
        WORK.spend(strips * (len(xs) * len(ys) // 20 + spans // 2 + 1), "boxes")
        fewest, most_parts = wholes(entry["parts"], 2, 1)
        need(fewest <= most_parts, "parts: expected [fewest, most]")
        y = named(entry["weights"], len(xs), len(ys))
        need(all(needed[i][j] or w <= 0 for (i, j), w in y.items()), "a free cell")
        most, mass = whole(entry["most"]), sum(y.values())
        need(mass > fewest * most and mass > most_parts * most, "not enough")
        low = max(k, total - (most_parts - 1) * level)
        high = min(level, total - (fewest - 1) * k)
        values = [[y.get((i, j), 0) for j in range(len(ys))] for i in range(len(xs))]
        for a, b in combinations(range(len(xs) + 1), 2):
            strip, worth = (
                [0, *accumulate(map(sum, zip(*held[a:b], strict=True)))]
                for held in (grid, values)
            )
            for c, d in combinations(range(len(ys) + 1), 2):
                if low <= strip[d] - strip[c] <= high:
                    weight = worth[d] - worth[c]
                    need(weight <= most, f"a box weighs more than {most}")
        refuted |= set(range(max(fewest, first), min(most_parts, last) + 1))
    need(all(p in refuted for p in range(first, last + 1)), "numbers of parts are left")
    return level + 1


# --- tables -------------------------------------------------------------------------


def numbered(column: list[Any]) -> list[int]:
    """Return numbers for values, by first appearance; "1" is not 1."""
    numbers: dict[Any, int] = {}
    return [numbers.setdefault((type(v).__name__, v), len(numbers)) for v in column]


def codes_of(table: list[list[Any]]) -> list[tuple[int, ...]]:
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


def cells_of(result: Result, n: int, m: int) -> set[tuple[int, ...]]:
    cells = {tuple(wholes(cell, 2)) for cell in listed(result, "suppressed")}
    need(all(0 <= i < n and 0 <= j < m for i, j in cells), "no cell of the table")
    return cells


def published(
    codes: Sequence[tuple[int, ...]], hidden: set[tuple[int, ...]]
) -> list[tuple[int, ...]]:
    """Return the rows with -1 for cells that are suppressed."""
    return [
        tuple(-1 if (i, j) in hidden else x for j, x in enumerate(row))
        for i, row in enumerate(codes)
    ]


def cost_of_suppression(instance: Instance, result: Result) -> int:
    codes, n = codes_of(instance["table"]), len(instance["table"])
    m = columns_of(instance)
    hidden = cells_of(result, n, m)
    shown = published(codes, hidden)
    for group in result["groups"]:
        need(len({shown[i] for i in group}) == 1, "rows of a group look different")
        need(len(group) >= instance["k"], "a group is below k")
    need(not any(j in instance["intact"] for _, j in hidden), "an intact column")
    stars = [sum((i, j) in hidden for j in range(m)) for i in range(n)]
    cells = [sum((i, j) in hidden for i in range(n)) for j in range(m)]
    region = [q for q in ("rows", "columns") if q in limits_of(instance)]
    named_columns = set(numbers_of(listed(result, "region_columns")))
    need(named_columns <= set(range(m)), "no column of the table")
    chosen = named_columns if len(region) == 2 else set()
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
        need(found[quantity] <= most, f"above the limit of {quantity}")
    weights = instance["row_weights"], instance["column_weights"]
    if weights == (None, None):
        return found[instance["minimise"]]
    plain = instance["minimise"] == "entries" and not instance["deletion"]
    need(plain, "weights of something else than entries")
    by_row, by_column = (weights[0] or [1] * n), (weights[1] or [1] * m)
    need((len(by_row), len(by_column)) == (n, m), "weights of all rows and columns")
    return sum(by_row[i] * by_column[j] for i, j in hidden)


def bound_of_suppression(
    instance: Instance, proof: Certificate, bound: int | None
) -> int | None:
    """Check what entries there are at least: none costs less than 1."""
    weights = dict.fromkeys(("row_weights", "column_weights"))
    return bound_of_table({**instance, **weights}, proof, bound)


def columns_of(instance: Instance) -> int:
    rows = instance["table"]
    return len(rows[0]) if rows else len(instance["columns"] or ())


def limits_of(instance: Instance) -> dict[str, int]:
    """Return limits; of a minimised quantity the greatest value if none is given."""
    n, m = len(instance["table"]), columns_of(instance)
    cells = m * sum(instance["row_weights"] or [1] * n)
    sizes = {"rows": n, "columns": m, "entries": cells, "per_row": m, "per_column": n}
    limits = dict(instance["limits"])
    if instance["minimise"] in QUANTITIES:
        limits.setdefault(instance["minimise"], sizes[instance["minimise"]])
    return {q: min(most, sizes[q]) for q, most in limits.items()}


def bound_of_table(
    instance: Instance, proof: Certificate, bound: int | None
) -> int | None:
    few = 0 < len(instance["table"]) < instance["k"]
    if proof["kind"] == "count":
        need(few, "there are enough rows, or none")
        return None
    need(not few, "nothing is feasible, by counting")
    if proof["kind"] == "weights":
        need(instance["minimise"] == "entries", "weights bound entries only")
        return bound_by_weights(instance, proof)
    need(proof["kind"] == "tree", "no kind of certificate of tables")
    check_tree(instance, proof["tree"], bound)
    return bound


def kinds_of(
    codes: Sequence[tuple[int, ...]], marks: Sequence[Any]
) -> tuple[list[tuple[int, ...]], list[Any], list[int]]:
    """Return the distinct rows with their marks, sorted, and their copies.

    Rows of different marks are different.
    """
    counts = Counter(zip(codes, marks, strict=True))
    kinds = sorted(counts)
    return (
        [row for row, _ in kinds],
        [mark for _, mark in kinds],
        [counts[kind] for kind in kinds],
    )


def closed_patterns(
    kinds: list[tuple[int, ...]], copies: list[int], k: int
) -> Iterator[tuple[frozenset[int], list[int]]]:
    """Yield stars and matching kinds of the closed patterns of support k.

    Rows are divided by one more column at a time, from the left to the right, and then
    keep all columns on which they agree. Rows that agree on one to the left of it are
    met on another way, which divides them by that column first. So each pattern is
    met once, and the time is that of looking at its rows.
    """
    every, m = list(range(len(kinds))), len(kinds[0]) if kinds else 0
    columns = list(zip(*kinds, strict=True))
    left = [(every, frozenset[int](), 0)]
    while left:
        members, kept, start = left.pop()
        if sum(copies[t] for t in members) < k:
            continue
        stars = [j for j in range(m) if j not in kept]
        WORK.spend(len(members) * len(stars) // 4 + m // 2 + 5, "patterns")
        parts = {j: alike(columns[j], members) for j in stars}
        agreed = {j for j, classes in parts.items() if len(classes) == 1}
        if any(j < start for j in agreed):
            continue
        kept |= agreed
        yield frozenset(range(m)) - kept, members
        for j in frozenset(range(start, m)) - kept:
            large = [part for part in parts[j] if sum(copies[t] for t in part) >= k]
            WORK.spend(len(large) * (5 + len(kept) // 8), "patterns")
            left += [(part, kept | {j}, j + 1) for part in large]


def every_pattern(
    kinds: list[tuple[int, ...]], copies: list[int], k: int
) -> Iterator[tuple[frozenset[int], list[int]]]:
    """Yield stars and matching kinds of all patterns of support k."""
    m = len(kinds[0]) if kinds else 0
    WORK.spend((len(kinds) + 2) * (2 + m // 4) << m, "sets of columns")
    for size in range(m + 1):
        for stars in map(frozenset, combinations(range(m), size)):
            for members in classes_of(kinds, stars):
                if sum(copies[t] for t in members) >= k:
                    yield stars, members


def classes_of(
    kinds: Sequence[tuple[int, ...]], stars: frozenset[int]
) -> list[list[int]]:
    """Return the rows that agree on all columns without a star."""
    return alike([tuple(x for j, x in enumerate(r) if j not in stars) for r in kinds])


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
    codes = codes_of(instance["table"])
    kinds, _, copies = kinds_of(codes, [0] * len(codes))
    scale, u = whole(proof["scale"], 1), wholes(proof["weights"], len(kinds))
    total = sum(c * w for c, w in zip(copies, u, strict=True))
    for stars, members in closed_patterns(kinds, copies, instance["k"]):
        price = scale * len(stars)
        if all(u[t] <= price for t in members):
            continue

        def worth(t: int, price: int = price) -> int:
            return u[t] - price

        best = best_rows(members, copies, worth, instance["k"])
        total -= max(0, best or 0)
    return max(0, -(-total // scale))


def check_tree(instance: Instance, tree: Any, bound: int | None) -> None:
    """Raise `WrongError` unless a tree refutes all assignments below the bound."""
    need(tree is None or isinstance(tree, dict), "expected a node, or null")
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
    instance = {**instance, "k": k}
    Question(instance, limits).check(tree)


class Decided(NamedTuple):
    """What is decided at a node."""

    inside: frozenset[int] = frozenset()
    outside: frozenset[int] = frozenset()
    used: frozenset[int] = frozenset()
    unused: frozenset[int] = frozenset()
    classes: tuple[tuple[int, int, bool], ...] = ()
    counts: tuple[tuple[int | None, frozenset[int], int, bool], ...] = ()


class Question:
    """The assignments that would disprove a bound."""

    def __init__(self, instance: Instance, limits: dict[str, int]) -> None:
        table = instance["table"]
        self.instance, self.limits = instance, limits
        self.diverse: Instance | None = instance.get("diverse")
        self.matches: int = instance.get("matches", 0)
        classes = dict.fromkeys(range(len(table)), 0)
        for c, members in enumerate(instance["row_order"] or []):
            classes.update(dict.fromkeys(members, c))
        rows = list(instance["row_weights"] or [1] * len(table))
        sensitive: list[tuple[int, ...]] = [()] * len(table)
        if self.diverse is not None:
            sensitive = codes_of(self.diverse["sensitive"])
        marks = list(zip(classes.values(), numbered(rows), sensitive, strict=True))
        codes = codes_of(table)
        self.kinds, held, self.copies = kinds_of(codes, marks)
        self.m = len(codes[0]) if codes else 0
        places = {kind: i for i, kind in enumerate(zip(codes, marks, strict=True))}
        of_kinds = [places[kind] for kind in zip(self.kinds, held, strict=True)]
        self.class_of = [mark[0] for mark in held]
        unit = gcd(*rows)
        self.row_weights = [rows[i] // unit for i in of_kinds]
        self.values = [mark[2] for mark in held]
        self.least = 1 if self.matches else int(instance["k"])
        ordered = instance["row_order"] or instance["column_order"]
        every = instance["deletion"] or ordered or self.matches
        listing = every_pattern if every else closed_patterns
        self.patterns = [
            (stars, members)
            for stars, members in listing(self.kinds, self.copies, self.least)
            if not stars & set(instance["intact"])
            and len(stars) <= limits.get("per_row", self.m)
        ]
        self.pairs = sum(len(members) + 1 for _, members in self.patterns)

    def check(self, tree: Any) -> None:
        left = [(tree, Decided())]
        while left:
            node, decided = left.pop()
            if node is None:
                most = self.limits.get("columns", self.m)
                need(len(decided.inside) > most, "a node is left open")
            elif "yes" not in node:
                self.check_leaf(node, decided)
            else:
                yes, no = self.sides(node, decided)
                left += [(node["yes"], yes), (node["no"], no)]

    def sides(self, node: Any, decided: Decided) -> tuple[Decided, Decided]:
        if "column" in node:
            j = whole(node["column"], 0)
            need("columns" in self.limits and j < self.m, "no column of a region")
            need(j not in decided.inside | decided.outside, "decided already")
            return (
                decided._replace(inside=decided.inside | {j}),
                decided._replace(outside=decided.outside | {j}),
            )
        if "class" in node:
            c, q = whole(node["class"], 0), whole(node["at_most"], 0)
            need(c < len(self.instance["row_order"] or ()) - 1, "no class of rows")
            below, above = ((*decided.classes, (c, q, side)) for side in (True, False))
            return decided._replace(classes=below), decided._replace(classes=above)
        if "stars" in node:
            q, columns = whole(node["at_most"], 0), self.columns_in(node["stars"])
            need(q < len(self.instance["table"]), "no count")
            return self.by_count(decided, (None, columns, q))
        t = whole(node["kind"], 0)
        need(t < len(self.kinds), "no kind of rows")
        if "pattern" in node:
            WORK.spend(len(self.patterns) // 8 + 1, "patterns and nodes")
            stars = frozenset(range(self.m)) - self.columns_in(node["pattern"])
            found = [
                p
                for p, (s, members) in enumerate(self.patterns)
                if s == stars and t in members
            ]
            need(found, "no pattern")
            return (
                decided._replace(used=decided.used | {found[0]}),
                decided._replace(unused=decided.unused | {found[0]}),
            )
        q, columns = whole(node["at_most"], 0), self.columns_in(node["keeps"])
        need(q < self.copies[t], "no count")
        return self.by_count(decided, (t, columns, q))

    def by_count(
        self, decided: Decided, split: tuple[int | None, frozenset[int], int]
    ) -> tuple[Decided, Decided]:
        """Return the sides in which so many rows are counted, or more."""
        yes, no = ((*decided.counts, (*split, side)) for side in (True, False))
        return decided._replace(counts=yes), decided._replace(counts=no)

    def columns_in(self, values: Any) -> frozenset[int]:
        columns = frozenset(numbers_of(values))
        need(all(0 <= j < self.m for j in columns), "no column")
        return columns

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
        need(isinstance(orders, list), "column_order: expected a list")
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
        needs = [self.need_of(*row) for row in list_in({"needs": [], **leaf}, "needs")]
        looks = len(decided.counts) + len(decided.classes) + 2
        looks += len(needs) * (len(decided.counts) + 2 + m // 4)
        WORK.spend(self.pairs * looks, "patterns and leaves")
        paid -= sum(
            weight * self.lacking(t)
            for t, region, weight in needs
            if self.sure(decided, t, region)
        )
        total = sum(c * w for c, w in zip(self.copies, u, strict=True))
        for p, (stars, members) in enumerate(self.patterns):
            outside = stars & decided.outside if "columns" in self.limits else stars
            price = sum(factors[j] for j in stars)
            price += rows if outside and "rows" in self.limits else 0

            def worth(t: int, stars: frozenset[int] = stars, price: int = price) -> int:
                more: int = entries * len(stars) * self.row_weights[t]
                for (kind, named, _, at_most), weight in zip(
                    decided.counts, splits, strict=True
                ):
                    counted = named <= stars if kind is None else not named & stars
                    if counted and kind in (None, t):
                        more += weight if at_most else -weight
                for kind, region, weight in needs:
                    more += weight * self.paid_for(decided, t, stars, kind, region)
                return u[t] - price - more

            allowed = [t for t in members if self.may(decided, p, t)]
            best = best_rows(allowed, self.copies, worth, self.least) or 0
            if self.diverse is not None:
                WORK.spend(sum(self.copies[t] for t in allowed), "rows and patterns")
                listed_rows = [t for t in allowed for _ in range(self.copies[t])]
                pairs = [(worth(t), self.values[t]) for t in listed_rows]
                best = min(best, best_diverse(self.diverse, pairs, self.least) or 0)
            total -= best if p in decided.used else max(0, best)
        need(total > paid, "the weights of a leaf do not refute it")

    def need_of(
        self, kind: Any, columns: Any, weight: Any
    ) -> tuple[int, frozenset[int], int]:
        """Return a need of a leaf."""
        need(whole(kind, 0) < len(self.kinds), "no kind of rows")
        return kind, self.columns_in(columns), whole(weight, 0)

    def lacking(self, kind: int) -> int:
        """Return how many rows of other kinds a row has to match."""
        return max(0, self.matches - self.copies[kind])

    def sure(self, decided: Decided, kind: int, region: frozenset[int]) -> bool:
        """Tell whether a copy of a kind has no star outside of some columns."""
        others = frozenset(range(self.m)) - region
        return any(
            split[0] == kind and not split[3] and others <= split[1]
            for split in decided.counts
        )

    def paid_for(
        self,
        decided: Decided,
        t: int,
        stars: frozenset[int],
        kind: int,
        region: frozenset[int],
    ) -> int:
        """Return what a row pays for a need of weight 1."""
        sure = self.sure(decided, kind, region)
        if t == kind:
            return 0 if sure or stars - region else self.lacking(kind)
        unlike = {
            j
            for j, (x, y) in enumerate(
                zip(self.kinds[t], self.kinds[kind], strict=True)
            )
            if x != y
        }
        helps = unlike <= stars | region
        return -helps if sure else -self.copies[kind] * helps


def best_diverse(
    instance: Instance, pairs: list[tuple[int, tuple[int, ...]]], least: int
) -> int | None:
    """Return at least the greatest worth of a group that tells no sensitive value.

    Parameters
    ----------
    pairs
        The worth of every row and its sensitive values.
    least
        The fewest rows of a group.
    """
    pairs = sorted(pairs, key=lambda pair: pair[0], reverse=True)
    totals = codes_of(instance["sensitive"])
    found = [best_distinct([(w, 0) for w, _ in pairs], 1, least)]
    for c in range(len(totals[0]) if totals else 0):
        held = [(worth, values[c]) for worth, values in pairs]
        if instance["reading"] == "distinct":
            found.append(best_distinct(held, instance["l"], least))
        if instance["reading"] == "frequency" or instance["t"] is not None:
            whole_column = [values[c] for values in totals]
            found.append(best_shares(instance, held, whole_column, least))
    known = [value for value in found if value is not None]
    return min(known) if len(known) == len(found) else None


def best_distinct(
    held: list[tuple[int, int]], different: int, least: int
) -> int | None:
    """Return the greatest worth of rows with so many values; worths decrease."""
    first_of: dict[int, int] = {}
    for i, (_, value) in enumerate(held):
        first_of.setdefault(value, i)
    firsts = sorted(first_of.values())[:different]
    if len(firsts) < different or len(held) < least:
        return None
    taken = set(firsts)
    others = [worth for i, (worth, _) in enumerate(held) if i not in taken]
    return sum(held[i][0] for i in firsts) + greatest(others, least - different)


def best_shares(
    instance: Instance, held: list[tuple[int, int]], column: list[int], least: int
) -> int | None:
    """Return the greatest worth of parts of rows in nearly the shares of the table."""
    n, t = len(column), instance["t"]
    found, totals = [], Counter(column)
    for s in range(max(1, least), len(held) + 1):
        WORK.spend(len(held), "rows of a pattern")
        purse = n * s if t is None else int(exact(t) * n * s)
        left, value = n * s, 0
        room = {v: s * totals[v] for _, v in held}
        seen = dict.fromkeys(room, 0)
        for worth, v in held:
            if instance["reading"] == "frequency" and seen[v] >= s // instance["l"]:
                continue
            seen[v] += 1
            free = min(n, room[v])
            dear = min(n - free, purse)
            taken = min(free + dear, left)
            room[v], purse, left = room[v] - free, purse - dear, left - taken
            value += taken * worth
        if not left:
            found.append(value // n)
    return max(found, default=None)


# --- generalisation and diversity ---------------------------------------------------


def heights_of(instance: Instance) -> list[int]:
    return [len(chains[0]) - 1 for chains in instance["hierarchies"]]


def prices_of(instance: Instance) -> list[int]:
    heights = heights_of(instance)
    prices = instance["column_weights"] or [1] * len(heights)
    if instance["loss"] != "precision":
        return list(prices)
    common = lcm(*(height for height in heights if height))
    pairs = zip(prices, heights, strict=True)
    return [price * common // height if height else 0 for price, height in pairs]


def unit_of(instance: Instance) -> int:
    """Return the greatest number that divides what a level of a cell costs."""
    pairs = zip(prices_of(instance), heights_of(instance), strict=True)
    return gcd(*(price for price, height in pairs if height)) or 1


def chains_of(instance: Instance) -> list[list[list[Any]]]:
    found = []
    of_value = [
        {(type(chain[0]), chain[0]): chain for chain in chains}
        for chains in instance["hierarchies"]
    ]
    for row in instance["table"]:
        pairs = zip(row, of_value, strict=True)
        found.append([chains[type(value), value] for value, chains in pairs])
    return found


def shown_at(
    chains: Sequence[Sequence[Sequence[Any]]], levels: Sequence[int]
) -> list[tuple[Any, ...]]:
    """Return the labels of rows at the levels of their columns; "1" is not 1."""
    found = []
    for row in chains:
        labels = (chain[x] for chain, x in zip(row, levels, strict=True))
        found.append(tuple((type(label), label) for label in labels))
    return found


def levels_of(instance: Instance) -> list[range]:
    """Return the levels that every column may have."""
    heights = heights_of(instance)
    limits = instance["levels"] or [[0, height] for height in heights]
    need(len(limits) == len(heights), "limits of levels for every column")
    for (low, high), height in zip(limits, heights, strict=True):
        need(0 <= low <= high <= height, "no limits of levels")
    return [range(low, high + 1) for low, high in limits]


def nodes_of(instance: Instance) -> Iterator[tuple[int, ...]]:
    return product(*levels_of(instance))


def count_of_nodes(instance: Instance) -> int:
    return prod(map(len, levels_of(instance)))


def node_of(instance: Instance, levels: Any) -> tuple[int, ...]:
    allowed = levels_of(instance)
    named = wholes(levels, len(allowed), 0)
    need(all(x in a for x, a in zip(named, allowed, strict=True)), "no such level")
    return tuple(named)


def keeps_conditions(
    instance: Instance, levels: Sequence[int], classes: Sequence[Sequence[int]]
) -> bool:
    """Tell whether the classes of a node keep the conditions besides k."""
    asked, n = instance["conditions"], len(instance["table"])
    if not asked or not n:
        return True
    if instance["suppress_rows"]:
        linear = instance["loss"] in ("height", "precision")
        need(linear and set(asked) == {"mean_risk"}, "conditions of suppressed rows")
        need(instance["problem"] == "generalization", "conditions of sensitive values")
    if "mean_risk" in asked and len(classes) > exact(asked["mean_risk"]) * n:
        return False
    if "small" in asked:
        small = sum(len(c) for c in classes if len(c) < asked["small"])
        if small > exact(asked["at_risk"]) * n:
            return False
    if "households" in asked:
        owners = asked["owners"]
        need(len(owners) == n, "an owner of every row")
        if any(len({owners[i] for i in c}) < asked["households"] for c in classes):
            return False
    if "k_map" not in asked:
        return True
    WORK.spend(len(asked["population"]) * len(levels), "cells of the population")
    everybody = chains_of({**instance, "table": asked["population"]})
    persons = Counter(shown_at(everybody, levels))
    looks = shown_at(chains_of(instance), levels)
    return all(persons[looks[c[0]]] >= asked["k_map"] for c in classes)


def alike(
    looks: Sequence[Any], members: Sequence[int] | None = None
) -> list[list[int]]:
    """Return the classes of rows that look the same."""
    found: dict[Any, list[int]] = {}
    for i in range(len(looks)) if members is None else members:
        found.setdefault(looks[i], []).append(i)
    return list(found.values())


def sum_of(instance: Instance, levels: Sequence[int]) -> int:
    """Return what the levels of a row cost."""
    return sum(p * x for p, x in zip(prices_of(instance), levels, strict=True))


def looks_top(instance: Instance, levels: Sequence[int]) -> list[bool]:
    """Tell which rows have the top label in all columns, at these levels and above."""
    return [
        all(
            label == chain[-1]
            for chain, x in zip(row, levels, strict=True)
            for label in chain[x:]
        )
        for row in chains_of(instance)
    ]


def cost_of_levels(instance: Instance, result: Result) -> int:
    groups, chains = result["groups"], chains_of(instance)
    need(all(len(group) >= instance["k"] for group in groups), "a group is below k")
    for group in groups:
        need(diverse(instance, group), "a group tells a sensitive value")
    levels = [node_of(instance, held) for held in listed(result, "levels")]
    gone = numbers_of(listed(result, "suppressed_rows"))
    if instance["on"] == "entries":
        need(len(levels) == len(groups), "levels for every group")
        need(len(gone) <= instance["suppress_rows"], "too many rows are dropped")
        rows = instance["row_weights"] or [1] * len(chains)
        for group, held in zip(groups, levels, strict=True):
            looks = shown_at([chains[i] for i in group], held)
            need(len(set(looks)) == 1, "rows of a group look different")
        pairs = zip(groups, levels, strict=True)
        return sum(sum(rows[i] for i in g) * sum_of(instance, x) for g, x in pairs)
    need(len(levels) == 1, "one list of levels for all rows")
    need(
        len(set(gone)) == len(gone) <= instance["suppress_rows"], "too many suppressed"
    )
    need(set(gone) <= set(range(len(chains))), "no row")
    looks = shown_at(chains, levels[0])
    top = looks_top(instance, levels[0])
    for group in groups:
        suppressed = [i in gone or (bool(gone) and top[i]) for i in group]
        same = len({looks[i] for i in group}) == 1 and not set(gone) & set(group)
        need(all(suppressed) or same, "rows of a group look different")
    classes, anybody = alike(looks), set(gone)
    if gone:
        anybody |= {i for i, looks_so in enumerate(top) if looks_so}
    kept = [left for c in classes if (left := [i for i in c if i not in anybody])]
    published = [*kept, list(anybody)] if anybody else kept
    need(keeps_conditions(instance, levels[0], published), "a condition is broken")
    return loss_of(instance, levels[0], classes, set(gone))


def cost_of_node(instance: Instance, result: Result) -> int:
    """Return what a node costs with the fewest rows suppressed, of rows with copies."""
    levels = [node_of(instance, held) for held in listed(result, "levels")]
    need(len(levels) == 1, "one list of levels for all rows")
    need(not listed(result, "suppressed_rows"), "rows that have no names")
    classes = alike(shown_at(chains_of(instance), levels[0]))
    gone = fewest_gone(instance, levels[0], classes)
    need(gone is not None, "the node is refused")
    need(all(diverse(instance, c) for c in classes), "a class tells a sensitive value")
    return loss_of(instance, levels[0], classes, gone or set())


def loss_of(
    instance: Instance,
    levels: Sequence[int],
    classes: Sequence[Sequence[int]],
    gone: set[int],
) -> int:
    """Return what a node loses, with its classes and the rows that are suppressed."""
    n = len(instance["table"])
    if instance["loss"] == "discernibility":
        return sum(n if i in gone else len(c) for c in classes for i in c)
    if instance["loss"] == "average-class-size":
        return n - sum(not set(c) <= gone for c in classes)
    return sum_of(instance, levels)


def fewest_gone(
    instance: Instance, levels: Sequence[int], classes: Sequence[list[int]]
) -> set[int] | None:
    """Return the fewest rows to suppress at a node; None if that is too many."""
    k, most = instance["k"], instance["suppress_rows"]
    enough = all(len(c) >= k for c in classes)
    if enough and keeps_conditions(instance, levels, classes):
        return set()
    if not most:
        return None
    top = looks_top(instance, levels)
    others = [c for c in classes if not top[c[0]]]
    gone = {i for c in others if len(c) < k for i in c}
    # Of the mean risk: whole classes go, the smallest first, until there are few.
    whole = sorted((c for c in others if len(c) >= k), key=len)
    left: list[list[int]] = [*whole, *([[]] if gone or any(top) else [])]
    while not keeps_conditions(instance, levels, left):
        if not whole:
            return None
        gone |= set(whole.pop(0))
        left = [*whole, []]
    missing = k - sum(top) - len(gone)
    if 0 < missing < k:
        large = sorted((c for c in others if len(c) >= k), key=len, reverse=True)
        if not large:
            return None
        spare = [i for c in large for i in c[k:]]
        gone |= set(spare[:missing] if len(spare) >= missing else large[-1])
    return gone if len(gone) <= most else None


def diverse(instance: Instance, rows: Sequence[int]) -> bool:
    """Tell whether these rows, as one class, keep their sensitive values apart."""
    if instance["problem"] != "diversity":
        return True
    n, s, diversity = len(instance["table"]), len(rows), instance["l"]
    for column in zip(*instance["sensitive"], strict=True):
        WORK.spend(n // 2 + 1, "rows and classes")
        whole_column = [(type(v), v) for v in column]
        totals = Counter(whole_column)
        counts = Counter(whole_column[i] for i in rows)
        if instance["reading"] == "distinct" and len(counts) < diversity and s:
            return False
        if instance["reading"] == "frequency" and any(
            diversity * c > s for c in counts.values()
        ):
            return False
        uneven = instance["reading"] in ("entropy", "recursive")
        if uneven and not evenly_spread(instance, [*counts.values()]):
            return False
        apart = Fraction(sum(max(0, n * c - s * totals[v]) for v, c in counts.items()))
        if instance["ordered"]:
            ahead, apart = 0, Fraction(0)
            for v in sorted(totals, key=lambda pair: int(pair[1])):
                ahead += n * counts[v] - s * totals[v]
                apart += Fraction(abs(ahead), max(1, len(totals) - 1))
        if instance["t"] is not None and apart > exact(instance["t"]) * n * s:
            return False
    return True


def evenly_spread(instance: Instance, counts: Sequence[int]) -> bool:
    """Tell whether values with these counts have the entropy or the rest asked for."""
    diversity, s = instance["l"], sum(counts)
    if instance["reading"] == "entropy":
        return bool(s**s >= diversity**s * prod(c**c for c in counts))
    held = sorted(counts, reverse=True)
    return not s or bool(held[0] < instance["c"] * sum(held[diversity - 1 :]))


def given_up(instance: Instance, rows: Sequence[int]) -> int:
    """Return how many rows a class has to lose at least, by each column alone."""
    least = 0 if diverse(instance, rows) else 1
    least = least if len(rows) >= instance["k"] else len(rows)
    for column in zip(*instance["sensitive"], strict=True):
        WORK.spend(len(column) // 2 + 1, "rows and classes")
        values = [(type(v), v) for v in column]
        totals, here = Counter(values), Counter(values[i] for i in rows)
        kinds = [(count, totals[v]) for v, count in here.items()]
        left = range(len(rows), instance["k"] - 1, -1)
        most = next((s for s in left if may_keep(instance, kinds, s)), 0)
        least = max(least, len(rows) - most)
    return least


def may_keep(instance: Instance, kinds: Sequence[tuple[int, int]], rows: int) -> bool:
    """Tell whether so many rows may stay, of values with these rows here and in all."""
    WORK.spend(sum(held for held, _ in kinds), "rows of a class")
    if instance["reading"] == "distinct" and min(len(kinds), rows) < instance["l"]:
        return False
    most = rows // instance["l"] if instance["reading"] == "frequency" else rows
    if sum(min(held, most) for held, _ in kinds) < rows:
        return False
    if instance["reading"] in ("entropy", "recursive"):
        # What falls with majorisation is best where the greatest counts lose most.
        left = sorted(held for held, _ in kinds)
        for _ in range(sum(left) - rows):
            left[-1] -= 1
            left.sort()
        if not evenly_spread(instance, [held for held in left if held]):
            return False
    if instance["t"] is None or instance["ordered"]:
        return True
    # Each row more of a value costs no less than the one before: the cheapest are best.
    n = len(instance["table"])
    steps = sorted(
        max(0, n * x - p * rows) - max(0, n * (x - 1) - p * rows)
        for held, p in kinds
        for x in range(1, held + 1)
    )
    return sum(steps[:rows]) <= exact(instance["t"]) * n * rows


def least_gone(
    instance: Instance, levels: Sequence[int], classes: Sequence[list[int]]
) -> set[int] | None:
    """Return so many rows of each class as have to go at least; None if too many.

    Of sensitive values that is what each class gives up; what else it takes for what
    goes is counted in rows only.
    """
    gone = fewest_gone(instance, levels, classes)
    if instance["problem"] != "diversity" or gone is None:
        return gone
    if not instance["suppress_rows"]:
        return gone if all(diverse(instance, c) for c in classes) else None
    top = looks_top(instance, levels)
    given = {i for c in classes if not top[c[0]] for i in c[: given_up(instance, c)]}
    tops = [i for i, alike in enumerate(top) if alike]
    needed = len(given)
    if given or not diverse(instance, tops):
        needed = max(needed, least_rows(instance) - len(tops))
    if needed > instance["suppress_rows"]:
        return None
    losses = [loss_of(instance, levels, classes, rows) for rows in (gone, given)]
    return gone if losses[0] >= losses[1] else given


def least_rows(instance: Instance) -> int:
    """Return a number of rows that every class has, by its sensitive values."""
    n, least = len(instance["table"]), int(instance["k"])
    columns = list(zip(*instance["sensitive"], strict=True))
    if columns:
        least = max(least, instance["l"])
    if instance["t"] is None:
        return least
    t = exact(instance["t"])
    for column in columns:
        values = [(type(v), v) for v in column]
        totals = sorted(Counter(values).values(), reverse=True)
        fewest = 1
        while sum(totals[:fewest]) < (1 - t) * n and fewest <= len(totals):
            WORK.spend(fewest // 8 + 1, "sensitive values")
            fewest += 1
        least = max(least, fewest)
        last = min(n, least + 1000)
        while least < last:
            WORK.spend(len(totals), "sensitive values")
            rests = sorted((total * least % n for total in totals), reverse=True)
            up = rests[: least - sum(total * least // n for total in totals)]
            if sum(n - rest for rest in up) <= t * n * least:
                break
            least += 1
    return least


def bound_of_levels(
    instance: Instance, proof: Certificate, bound: int | None
) -> int | None:
    n, kind = len(instance["table"]), proof["kind"]
    dropped = instance["suppress_rows"] if instance["on"] == "entries" else 0
    if kind == "count":
        need(dropped < n < instance["k"], "there are enough rows, or none")
        return None
    if instance["problem"] == "diversity" and kind == "whole":
        need(not diverse(instance, range(n)), "the whole table is a solution")
        return None
    if kind == "highest":
        limited = instance.get("levels") is not None or instance.get("conditions")
        need(limited, "there are no levels within limits, and no conditions")
        highest = tuple(levels[-1] for levels in levels_of(instance))
        classes = alike(shown_at(chains_of(instance), highest))
        gone = least_gone(instance, highest, classes)
        need(gone is None, "the highest node is admitted")
        return None
    need(not dropped < n < instance["k"], "nothing is feasible, by counting")
    if instance["problem"] == "diversity":
        need(diverse(instance, range(n)), "nothing is feasible, by the whole table")
        if instance["on"] == "entries":
            instance = {**instance, "k": least_rows(instance)}
    need(bound is not None, "only counting proves that nothing is feasible")
    assert bound is not None
    if instance["on"] == "attributes":
        need(kind == "lattice", "no kind of certificate of attributes")
        check_lattice(instance, proof, bound)
        return bound
    tells = instance["problem"] == "diversity"
    if kind == "weights":
        need(not dropped < n < instance["k"], "no class has so few rows")
        return bound_by_levels(instance, proof)
    unlimited = instance.get("levels") is None and not dropped
    need(kind == "tree" and unlimited, "no kind of certificate of entries")
    step = unit_of(instance) * (gcd(*(instance["row_weights"] or ())) or 1)
    wide = {**DEFAULTS, "table": expanded(instance), "k": instance["k"]}
    wide |= {"row_weights": instance["row_weights"], "diverse": None}
    if tells:
        wide["diverse"] = instance
    check_tree(wide, proof["tree"], -(-bound // step))
    return bound


def expanded(instance: Instance) -> list[list[Any]]:
    """Return the table with a column for every level, as often as it counts units."""
    unit = unit_of(instance)
    times = [price // unit for price in prices_of(instance)]
    columns = sum(h * t for h, t in zip(heights_of(instance), times, strict=True))
    WORK.spend(10 * columns * len(instance["table"]), "cells of the expanded table")
    return [
        [
            x
            for chain, t in zip(row, times, strict=True)
            for x in chain[:-1]
            for _ in range(t)
        ]
        for row in chains_of(instance)
    ]


def bound_by_levels(instance: Instance, proof: Certificate) -> int:
    codes = codes_of(instance["table"])
    weighed = instance["row_weights"] or [1] * len(codes)
    kinds, marks, copies = kinds_of(codes, numbered(list(weighed)))
    rows = list(zip(codes, numbered(list(weighed)), strict=True))
    first = [rows.index((kind, m)) for kind, m in zip(kinds, marks, strict=True)]
    chains = chains_of(instance)
    scale, u = whole(proof["scale"], 1), wholes(proof["weights"], len(kinds))
    total = sum(c * w for c, w in zip(copies, u, strict=True))
    of_rows = (max(0, w) for c, w in zip(copies, u, strict=True) for _ in range(c))
    total -= sum(sorted(of_rows, reverse=True)[: instance["suppress_rows"]])
    each = 2 + len(kinds) * (2 + len(heights_of(instance)) // 2)
    WORK.spend(count_of_nodes(instance) * each, "nodes and rows")
    for levels in nodes_of(instance):
        looks = shown_at([chains[i] for i in first], levels)
        price = scale * sum_of(instance, levels)
        for members in alike(looks):
            below = (
                {
                    (type(label), label)
                    for t in members
                    for label in [chains[first[t]][j][x - 1]]
                }
                for j, x in enumerate(levels)
                if x
            )
            if all(len(labels) > 1 for labels in below):

                def worth(t: int, price: int = price) -> int:
                    return u[t] - int(price * weighed[first[t]])

                total -= max(0, best_rows(members, copies, worth, instance["k"]) or 0)
    step: int = unit_of(instance) * (gcd(*(instance["row_weights"] or ())) or 1)
    least: int = -(-total // scale)
    return max(0, -(-least // step) * step)


def check_lattice(instance: Instance, proof: Certificate, bound: int) -> None:
    """Raise `WrongError` unless no admitted node costs less than the bound."""
    chains = chains_of(instance)
    refused, dear, alone = (
        [node_of(instance, levels) for levels in held]
        for held in (
            list_in({"alone": [], **proof}, name)
            for name in ("refused", "dear", "alone")
        )
    )
    cells = len(chains) * (2 + len(heights_of(instance)))
    for levels in {*refused, *dear, *alone}:
        WORK.spend(cells, "rows and nodes")
        classes = alike(shown_at(chains, levels))
        gone = least_gone(instance, levels, classes)
        if levels in refused:
            need(gone is None, f"{levels} is admitted, not refused")
        if levels in dear:
            loss = loss_of(instance, levels, classes, set())
            need(loss >= bound, f"{levels} is not dear")
        if levels in alone and gone is not None:
            loss = loss_of(instance, levels, classes, gone)
            need(loss >= bound, f"{levels} is cheap")
    linear = instance["loss"] in ("height", "precision")
    entries = len(refused) + len(dear) + len(heights_of(instance)) + 1
    WORK.spend(count_of_nodes(instance) * entries, "nodes")
    for node in nodes_of(instance):
        below = any(all(a <= b for a, b in zip(node, x, strict=True)) for x in refused)
        above = any(all(a >= b for a, b in zip(node, x, strict=True)) for x in dear)
        plain = linear and sum_of(instance, node) >= bound
        need(below or above or plain or node in alone, f"{node} is left open")


# --- k-ambiguity --------------------------------------------------------------------


def cost_of_ambiguity(instance: Instance, result: Result) -> int:
    codes = codes_of(instance["table"])
    hidden = cells_of(result, len(codes), len(codes[0]) if codes else 0)
    looks = published(codes, hidden)
    classes = sorted(map(sorted, alike(looks)))
    groups = sorted(map(sorted, result["groups"]))
    need(classes == groups, "the groups are not the rows that look the same")
    WORK.spend(len(looks) ** 2, "pairs of rows")
    for row in looks:
        matched = sum(
            all(x == y or -1 in (x, y) for x, y in zip(row, other, strict=True))
            for other in looks
        )
        need(matched >= instance["k"], "a row matches too few others")
    return len(hidden)


def fewest_hidden(column: Sequence[int], k: int) -> int:
    """Return the least s for which values of less than k - s rows have s at most."""
    counts = Counter(column).values()
    for s in range(k):
        WORK.spend(len(counts) // 8 + 1, "values")
        if sum(count for count in counts if count < k - s) <= s:
            return s
    raise AssertionError


def bound_of_ambiguity(
    instance: Instance, proof: Certificate, bound: int | None
) -> int | None:
    codes, k = codes_of(instance["table"]), int(instance["k"])
    if 0 < len(codes) < k:
        need(proof["kind"] == "count", "nothing is feasible")
        return None
    columns = [list(c) for c in zip(*codes, strict=True) if len(set(c)) > 1]
    if proof["kind"] == "columns":
        return sum(fewest_hidden(column, k) for column in columns)
    if proof["kind"] == "tree":
        width = len(codes[0]) if codes else 0
        constant = [j for j in range(width) if len({row[j] for row in codes}) == 1]
        problem = {**DEFAULTS, "table": instance["table"], "k": k, "intact": constant}
        check_tree({**problem, "matches": k}, proof["tree"], bound)
        return bound
    if proof["kind"] == "blocks":
        entries = list_in(proof, "blocks")
        blocks = [numbers_of(entry["columns"]) for entry in entries]
        used = [j for block in blocks for j in block]
        width = len(codes[0]) if codes else 0
        need(all(blocks), "a block without a column")
        need(len(set(used)) == len(used), "a column in two blocks")
        need(all(0 <= j < width for j in used), "no such column")
        held = [len(list_in(entry, "weights")) for entry in entries]
        sets = [
            h * k * len(block) << len(block)
            for h, block in zip(held, blocks, strict=True)
        ]
        WORK.spend(sum(sets) // 10, "sets of columns")
        total = 0
        for block, entry in zip(blocks, entries, strict=True):
            table = [[row[j] for j in block] for row in instance["table"]]
            part = {"kind": "weights", "weights": entry["weights"]}
            total += bound_of_ambiguity({"table": table, "k": k}, part, None) or 0
        return total
    if proof["kind"] == "rows":
        lists = list_in(proof, "lists")
        starts = numbers_of([entry["from"] for entry in lists])
        need(starts[:1] == [0], "no weights for no rows")
        need(all(a < b for a, b in pairwise(starts)), "lists that do not ascend")
        least = (k - 1) * len(columns)
        for start, end, entry in zip(starts, [*starts[1:], k], lists, strict=True):
            those = range(start, min(end, k - 1))
            _, found = beside_rows(instance, entry["weights"], those)
            least = min([least, *found])
        return least
    need(proof["kind"] == "weights", "no kind of certificate of k-ambiguity")
    plain, found = beside_rows(instance, proof["weights"], range(k - 1))
    return max(plain, min([(k - 1) * len(columns), *found])) if plain else 0


def beside_rows(
    instance: Instance, weights: Any, numbers: range
) -> tuple[int, list[int]]:
    """Return what weights prove, and beside h rows that match all, for some h.

    The first is right for numbers from 0, and 0 if nothing is weighed or lacking.
    """
    codes, k = codes_of(instance["table"]), int(instance["k"])
    kinds, _, copies = kinds_of(codes, [0] * len(codes))
    useful = [j for j, c in enumerate(zip(*kinds, strict=True)) if len(set(c)) > 1]
    u, m = wholes(weights, len(kinds), 0), len(useful)
    WORK.spend(k * len(copies) // 5, "rows and matches")
    lacking = [[max(0, k - c - h) for c in copies] for h in numbers]
    held = [t for t, weight in enumerate(u) if weight]
    if not held or not any(map(any, lacking)):
        return 0, [h * m for h in numbers]
    WORK.spend((len(held) * len(numbers) * m << m) // 5, "sets of columns")
    short = [tuple(kinds[t][j] for j in useful) for t in range(len(kinds))]
    scales, full = [Fraction(0)] * len(numbers), Fraction(0)
    for size in range(1, m + 1):
        for stars in map(frozenset, combinations(range(m), size)):
            for members in classes_of([short[t] for t in held], stars):
                those = [held[t] for t in members]
                plain = sum(u[t] for t in those)
                for i, needs in enumerate(lacking):
                    more = max(
                        -(-max(0, needs[t] - copies[t]) * u[t] // copies[t])
                        for t in those
                    )
                    heaviest = Fraction(plain + more, size)
                    if size < m or m == 1:
                        scales[i] = max(scales[i], heaviest)
                    if size == m and i == 0:
                        full = max(full, heaviest)
    found = []
    for i, (h, needs) in enumerate(zip(numbers, lacking, strict=True)):
        shares = sorted(
            (-(-needs[t] * u[t] // copies[t]) for t in held for _ in range(copies[t])),
            reverse=True,
        )
        left = sum(needs[t] * u[t] for t in held) - sum(shares[:h])
        found.append(h * m + max(0, ceil(left / scales[i])))
    plain_sum = sum(needs * u[t] for t, needs in enumerate(lacking[0]))
    return ceil(plain_sum / max(full, scales[0])), found


# --- pairs --------------------------------------------------------------------------


def pairs_of(instance: Instance) -> dict[tuple[int, int], int]:
    """Return what pairs cost, those of the greater item last."""
    points = instance["points"]
    if points is None:
        return {(min(i, j), max(i, j)): c for i, j, c in instance["costs"] or []}
    return {
        (i, j): sum((x - y) ** 2 for x, y in zip(points[i], points[j], strict=True))
        for i, j in combinations(range(len(points)), 2)
    }


def cost_of_pairs(instance: Instance, result: Result) -> int:
    pairs, groups = pairs_of(instance), [sorted(g) for g in result["groups"]]
    for group in groups:
        need(is_pair_group(instance, pairs, group), "a group that may not be")
    low, high = instance["groups"] or (0, len(groups))
    need(low <= len(groups) <= high, "a number of groups that may not be")
    return sum(price_of_pairs(instance, pairs, group) for group in groups)


def linked_pairs(
    instance: Instance, pairs: Mapping[tuple[int, int], int]
) -> Collection[tuple[int, int]]:
    """Return what connects: the edges if there are any, else the pairs with costs."""
    if instance["edges"] is None:
        return pairs
    return {(min(edge), max(edge)) for edge in instance["edges"]}


def price_of_pairs(
    instance: Instance, pairs: dict[tuple[int, int], int], group: list[int]
) -> int:
    paid = sum(pairs.get(pair, 0) for pair in combinations(group, 2))
    return paid // len(group) if instance["objective"] == "squares" else paid


def is_pair_group(
    instance: Instance, pairs: dict[tuple[int, int], int], group: list[int]
) -> bool:
    """Tell whether a group in order has all that is asked of one."""
    around: list[set[int]] = [set() for _ in range(size_of(instance))]
    linked = linked_pairs(instance, pairs) if instance["connected"] else set()
    for i, j in combinations(group, 2):
        if (i, j) in linked:
            around[i].add(j)
            around[j].add(i)
    return all(
        limit.met(sum(limit.of[i] for i in group))
        for limit in limits_of_pairs(instance)
    ) and (not instance["connected"] or len(pieces(set(group), around)) == 1)


class Limit(NamedTuple):
    """A number of every item, and what a group has of it, if not nothing."""

    of: list[int]
    least: int
    most: int
    or_none: bool = False

    def met(self, total: int) -> bool:
        return self.least <= total <= self.most or (self.or_none and not total)

    @property
    def rises(self) -> bool:
        return all(amount >= 0 for amount in self.of)

    def counted(self, total: int) -> int:
        """Return a sum, the same for all that go on alike."""
        endless = self.rises and self.most >= sum(self.of)
        return min(total, self.least) if endless else total


def limits_of_pairs(instance: Instance) -> Iterator[Limit]:
    """Yield all that is asked of a group, other than being connected."""
    yield from required_of_pairs(instance)
    for way in ("together", "apart"):
        for some in instance[way] or []:
            marked = [int(i in some) for i in range(size_of(instance))]
            all_of_it = way == "together"
            least, most = (sum(marked),) * 2 if all_of_it else (0, 1)
            yield Limit(marked, least, most, or_none=all_of_it)


def required_of_pairs(instance: Instance) -> Iterator[Limit]:
    """Yield limits of what every group has: of items, of sums, and of words."""
    n = size_of(instance)
    yield Limit([1] * n, instance["k"], n)
    for asked in instance["require"] or []:
        of, most = asked["of"], asked.get("at_most")
        if of == "items":
            counted = [[1] * n]
        elif of and isinstance(of[0], str):
            counted = [[int(value == word) for value in of] for word in set(of)]
        else:
            counted = [of]
        for each in counted:
            all_of_it = sum(map(abs, each))
            limit, least = all_of_it if most is None else most, asked.get("at_least")
            yield Limit(each, -all_of_it if least is None else least, limit)


def bound_of_pairs(
    instance: Instance, proof: Certificate, claimed: int | None
) -> int | None:
    n, k, pairs = size_of(instance), int(instance["k"]), pairs_of(instance)
    limits: list[int] = [
        asked["at_most"]
        for asked in instance["require"] or []
        if asked["of"] == "items" and asked.get("at_most") is not None
    ]
    largest = min([n, *limits])
    low, high = map(int, instance["groups"] or (0, n))
    first, *others = required_of_pairs(instance)
    for limit in (first, *others):
        total, most = sum(limit.of), limit.most
        high = min(high, total // limit.least) if limit.least > 0 else high
        if total > 0:
            low = max(low, -(-total // most) if most > 0 else high + 1)
    if proof["kind"] == "count":
        need(low > high, "some number of groups is possible")
        return None
    if proof["kind"] == "tree":
        need(instance["objective"] != "squares", "halves bound sums")
        need(low <= high <= 2 and claimed is not None, "a tree of two groups")
        return bound_of_halves(instance, proof["tree"], pairs, claimed or 0)
    largest = min(largest, n - k * (max(1, (instance["groups"] or (1, 0))[0]) - 1))
    splits = not instance["connected"] and not instance["together"]
    splits = splits and (instance["groups"] is None or instance["groups"][1] >= n)
    splits = splits and all(a.rises and a.least <= 0 for a in others)
    rises = instance["objective"] != "squares" and min(pairs.values(), default=0) >= 0
    if splits and (instance["points"] is not None or rises):
        largest = min(largest, 2 * k - 1)  # larger ones are split at no higher cost
    if proof["kind"] == "triangles":
        return bound_of_triangles(instance, proof, pairs, max(1, high), largest)
    need(low <= high, "no number of groups is possible")
    prices = group_prices_of(proof, n)
    if proof["kind"] == "weights" and "order" in proof:
        need(instance["connected"] and instance["objective"] != "squares", "an order")
        need(pay_along(instance, pairs), "a pair far apart")
        order = wholes(proof["order"], n, 0)
        worth = worth_along(instance, pairs, prices.y, prices.scale, order)
        need(worth is None or worth <= prices.group, "a group is worth more")
        return least_of_pairs(pairs, prices, low, high)
    if proof["kind"] == "weights":
        for worth, *_ in groups_worth(instance, pairs, prices, prices.group, largest):
            need(worth <= prices.group, "a group is worth more")
        return least_of_pairs(pairs, prices, low, high)
    need(claimed is not None, "a list refutes what costs less")
    bound = claimed or 0
    spare = prices.scale * (bound - 1) - prices.least(low, high)
    every = []
    least = prices.group - max(0, spare + 1)
    for worth, cost, group in groups_worth(instance, pairs, prices, least, largest):
        need(worth <= prices.group, "a group is worth more")
        every.append((cost, group))
    for leaf, settled in pair_leaves(proof["tree"], n):
        of_leaf = group_prices_of(leaf, n)
        enough = of_leaf.least(low, high) > of_leaf.scale * (bound - 1)
        need(enough, "a leaf refutes too little")
        WORK.spend(len(every) * (1 + len(settled.together)), "groups and leaves")
        for cost, group in every:
            if all((a in group) == (b in group) for a, b in settled.together) and all(
                a not in group or b not in group for a, b in settled.apart
            ):
                worth = of_leaf.worth(cost, group)
                need(worth <= of_leaf.group, "a listed group is worth more")
    return bound


class GroupPrices(NamedTuple):
    """Prices of items, of a group, and of triples that groups have two items of."""

    scale: int
    y: list[int]
    group: int
    triples: list[tuple[frozenset[int], int]]

    def worth(self, cost: int, group: frozenset[int]) -> int:
        paid = sum(price for three, price in self.triples if len(three & group) >= 2)
        return sum(self.y[i] for i in group) - self.scale * cost - paid

    def least(self, low: int, high: int) -> int:
        """Return what solutions cost, times the scale, if no group is worth more."""
        paid = sum(price for _, price in self.triples)
        return sum(self.y) - max(self.group * low, self.group * high) - paid


def group_prices_of(proof: Any, n: int) -> GroupPrices:
    rows = triangles_of({"triples": proof.get("triples", [])}, "triples", n)
    triples = [(frozenset(three), paid) for *three, paid in rows]
    scale, y = whole(proof["scale"], 1), wholes(proof["weights"], n)
    return GroupPrices(scale, y, whole(proof["group"]), triples)


def pay_along(instance: Instance, pairs: dict[tuple[int, int], int]) -> bool:
    """Tell whether only pairs that connect cost anything."""
    linked = linked_pairs(instance, pairs)
    return all(pair in linked for pair, cost in pairs.items() if cost)


def groups_worth(
    instance: Instance,
    pairs: dict[tuple[int, int], int],
    prices: GroupPrices,
    least: int,
    largest: int,
) -> Iterator[tuple[int, int, frozenset[int]]]:
    """Yield all groups worth more than a number, their worths and costs.

    A set takes items after its first one, in the order of weights. One of s items pays
    for the pairs that it has, and for the halves of the cheapest of the others; or, if
    only pairs that connect cost anything, for a pair that leads to the set.
    """
    n, k, scale = size_of(instance), int(instance["k"]), prices.scale
    WORK.spend(n * n // 2, "pairs of items")
    squares = instance["objective"] == "squares"
    cost = [[pairs.get((min(i, j), max(i, j)), 0) for j in range(n)] for i in range(n)]
    beside = [{*range(n)} - {i} for i in range(n)]
    if instance["connected"]:
        linked = {*linked_pairs(instance, pairs)}
        beside = [
            {j for j in range(n) if (min(i, j), max(i, j)) in linked} for i in range(n)
        ]
    apart: list[set[int]] = [set() for _ in range(n)]
    for some in instance["apart"] or []:
        for i in some:
            apart[i] |= {*some} - {i}
    rises = min(pairs.values(), default=0) >= 0
    along = bool(instance["connected"]) and rises and pay_along(instance, pairs)
    halves = [
        [*accumulate(sorted(row[:i] + row[i + 1 :]), initial=0)]
        for i, row in enumerate(cost)
    ]
    if along:
        halves = [[0] * n for _ in range(n)]
    lowest = [min(sums) for sums in halves]
    leads = [min((row[j] for j in beside[i]), default=0) for i, row in enumerate(cost)]

    def hope(
        held: int, free: list[tuple[int, int, bool]], low: int, high: int
    ) -> int | None:
        """Return the most that items add to make a set one of a size in a range."""
        more = low - held
        few, many = (2 * low, 2 * high) if squares else (2, 2)
        if len(free) < more:
            return None
        gains = []
        for j, paid, near in free:
            others = halves[j][more - 1] if low == high else lowest[j]
            paid = scale * (2 * (paid if near or not along else leads[j]) + others)
            gains.append(prices.y[j] - min(paid // few, paid // many))
        gains.sort(reverse=True)
        rest = sum(gain for gain in gains[more : high - held] if gain > 0)
        return sum(gains[:more]) + rest

    def grown(
        group: list[int], free: list[tuple[int, int, bool]], paid: int
    ) -> Iterator[tuple[int, int, frozenset[int]]]:
        held, some = len(group), frozenset(group)
        given = prices.worth(0, some)
        if k <= held <= largest:
            total = paid // held if squares else paid
            worth = given - scale * total
            if worth > least and is_pair_group(instance, pairs, sorted(group)):
                yield worth, total, some
        first = max(k, held + 1)
        one_by_one = first if along and not squares else min(first + 5, largest + 1)
        ranges = [(size, size) for size in range(first, one_by_one)]
        ranges += [(one_by_one, largest)] if one_by_one <= largest else []
        WORK.spend((len(ranges) + 1) * (len(free) // 3 + 4), "groups")
        for low, high in ranges:
            added = hope(held, free, low, high)
            inside = 2 * scale * paid
            few, many = (2 * low, 2 * high) if squares else (2, 2)
            base = given - min(inside // few, inside // many) + scale * squares
            if added is not None and base + added > least:
                break
        else:
            return
        for place, (j, more, near) in enumerate(free):
            if near:
                left = [
                    (i, pays + cost[i][j], touches or i in beside[j])
                    for at, (i, pays, touches) in enumerate(free)
                    if (at > place or not touches) and i not in apart[j]
                ]
                yield from grown([*group, j], left, paid + more)

    order = sorted(range(n), key=lambda i: prices.y[i])
    for place, i in enumerate(order):
        later = [
            (j, cost[i][j], j in beside[i])
            for j in order[place + 1 :]
            if j not in apart[i]
        ]
        yield from grown([i], later, 0)


def least_of_pairs(
    pairs: dict[tuple[int, int], int], prices: GroupPrices, low: int, high: int
) -> int:
    """Return what is proved if no group is worth more than a price."""
    proved = -(-prices.least(low, high) // prices.scale)
    return max(proved, sum(min(0, cost) for cost in pairs.values()))


def worth_along(
    instance: Instance,
    pairs: dict[tuple[int, int], int],
    y: list[int],
    scale: int,
    order: list[int],
) -> int | None:
    """Return the most that a connected group is worth, None if there is none.

    Of a set of items seen so far, what counts are its pieces, as sets of bits of items
    that have neighbours to come, and its sums. The best set stands for all alike.
    """
    n, limits = size_of(instance), [*limits_of_pairs(instance)]
    need(sorted(order) == [*range(n)], "an order has every item once")
    around = [0] * n
    beside: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for i, j in linked_pairs(instance, pairs):
        for a, b in ((i, j), (j, i)):
            around[a] |= 1 << b
            beside[a].append((1 << b, scale * pairs.get((i, j), 0)))
    known: dict[tuple[Any, ...], int] = {((), (0,) * len(limits)): 0}
    best, to_come = None, (1 << n) - 1
    for item in order:
        to_come &= ~(1 << item)
        stays = sum(1 << i for i in range(n) if around[i] & to_come)
        after: dict[tuple[Any, ...], int] = {}
        for state, worth in known.items():
            WORK.spend(3, "states along an order")
            merged, sums, paid = taken(state, item, around[item], beside[item], limits)
            for some, held, value in (
                (*state, worth),
                (merged, sums, worth + y[item] - paid),
            ):
                left = sorted(piece & stays for piece in some)
                if not left or left[0]:  # no piece has ended
                    if all(
                        t <= limit.most or not limit.rises
                        for t, limit in zip(held, limits, strict=True)
                    ):
                        name = tuple(left), held
                        after[name] = max(value, after.get(name, value))
                elif len(left) == 1 and all(
                    limit.met(t) for t, limit in zip(held, limits, strict=True)
                ):
                    best = value if best is None else max(value, best)
        known = after
    return best


def taken(
    state: Any, item: int, around: int, beside: list[tuple[int, int]], limits: Any
) -> tuple[list[int], tuple[int, ...], int]:
    """Return the pieces and sums of a state with an item, and what that pays."""
    some, sums = state
    apart = [piece for piece in some if not piece & around]
    joined = sum(some) - sum(apart)
    paid = sum(cost for bit, cost in beside if bit & joined)
    held = tuple(
        limit.counted(total + limit.of[item])
        for total, limit in zip(sums, limits, strict=True)
    )
    return [*apart, joined | 1 << item], held, paid


def bound_of_triangles(
    instance: Instance,
    proof: Certificate,
    pairs: dict[tuple[int, int], int],
    groups: int,
    largest: int,
) -> int:
    """Sum pairs' costs as multipliers of rows of z change them.

    There are so many groups at most, and of squares so many items in one.
    """
    scale, n, k = whole(proof["scale"], 1), size_of(instance), int(instance["k"])
    squares = instance["objective"] == "squares"
    changed, total = changed_by_triangles(instance, proof, pairs, scale)
    forced = {
        (min(p), max(p)): way
        for way in ("together", "apart")
        for some in instance[way] or []
        for p in combinations(some, 2)
    }
    own, sums = [0] * n, 0  # of one item, twice; and squares of sums of vectors
    for row in list_in({"vectors": [], **proof}, "vectors"):
        values = wholes(row, n)
        WORK.spend(n * n // 4, "products")
        sums += sum(values) ** 2
        own = [had - v * v for had, v in zip(own, values, strict=True)]
        for i, j in changed:
            changed[i, j] -= values[i] * values[j]
    paid = 0
    for pair, cost in changed.items():
        way = forced.get(pair)
        whole_cost = way == "together" and not squares
        paid += cost if whole_cost else 0 if way == "apart" else min(0, cost)
    if squares:
        each = wholes(proof["items"], n)
        for _, j, _, multiplier in triangles_of(proof, "triangles", n):
            own[j] -= 2 * multiplier
        found = Fraction(paid, k) + Fraction(sums, 2 * max(1, n)) + sum(each)
        for had, m in zip(own, each, strict=True):
            left = had - 2 * (m + scale)
            found += Fraction(left, 2 * (max(k, largest) if left > 0 else k))
    else:
        found = total + paid + (Fraction(sums, groups) + sum(own)) / 2
    return max(ceil(found / scale), sum(min(0, cost) for cost in pairs.values()))


def changed_by_triangles(
    instance: Instance, proof: Any, pairs: dict[tuple[int, int], int], scale: int
) -> tuple[dict[tuple[int, int], int], int]:
    """Return what multipliers of triangles leave of the costs, and what they prove."""
    n, others = size_of(instance), wholes(proof["items"], size_of(instance))
    changed = {
        pair: scale * pairs.get(pair, 0) - others[pair[0]] - others[pair[1]]
        for pair in combinations(range(n), 2)
    }
    k, groups = int(instance["k"]), instance["groups"] or (1, n)
    wanted = [asked for asked in instance["require"] or [] if asked["of"] == "items"]
    limits = [n if a.get("at_most") is None else a["at_most"] for a in wanted]
    most = max(k, min(*limits, n, n - k * (max(1, groups[0]) - 1)))
    total = sum(m * (k if m > 0 else most) - m for m in others)
    for i, j, h, paid in triangles_of(proof, "triangles", n):
        for a, b, sign in ((i, j, 1), (j, h, 1), (i, h, -1)):
            changed[min(a, b), max(a, b)] += sign * paid
        total -= paid
    return changed, total


def triangles_of(proof: Any, name: str, n: int) -> Iterator[list[int]]:
    rows = list_in(proof, name)
    WORK.spend(n * n + len(rows), "triangles")
    for entry in rows:
        i, j, h, paid = wholes(entry, 4, 0)
        need(len({i, j, h}) == 3 and max(i, j, h) < n, "no triangle")
        yield [i, j, h, paid]


def bound_of_halves(
    instance: Instance, tree: Any, pairs: dict[tuple[int, int], int], claimed: int
) -> int:
    """Return the least that leaves prove of items on two sides, or what is claimed."""
    n, proved = size_of(instance), claimed
    for leaf, settled in pair_leaves(tree, n, "vectors"):
        on = sides_of(instance, settled)
        if on is None:
            continue
        first = sorted({block for block, _ in on})
        if len(first) == 1 and not are_groups(
            instance, pairs, [i for i in range(n) if on[i][1] > 0]
        ):
            continue
        scale = whole(leaf["scale"], 1)
        total = of_halves(instance, leaf, pairs, scale, on, claimed)
        proved = min(proved, -(-total // scale))
    return proved


def sides_of(instance: Instance, settled: Settled) -> list[tuple[int, int]] | None:
    """Return the first item of each item's block, and its side; None if it has two."""
    on = [(i, 1) for i in range(size_of(instance))]
    joined = [p for some in instance["together"] or [] for p in combinations(some, 2)]
    parted = [p for some in instance["apart"] or [] for p in combinations(some, 2)]
    links = [(p, 1) for p in (*joined, *settled.together)]
    links += [(p, -1) for p in (*parted, *settled.apart)]
    WORK.spend(len(links) * len(on), "links")
    for (i, j), way in links:
        (a, x), (b, y) = on[i], on[j]
        if a == b and x * y != way:
            return None
        if a != b:
            low, high, turn = min(a, b), max(a, b), x * y * way
            on = [(low, side * turn) if c == high else (c, side) for c, side in on]
    return on


def are_groups(
    instance: Instance, pairs: dict[tuple[int, int], int], some: list[int]
) -> bool:
    """Tell whether some items and all others are a solution."""
    others = sorted({*range(size_of(instance))} - {*some})
    groups = [group for group in (some, others) if group]
    low, high = instance["groups"] or (0, 2)
    every = all(is_pair_group(instance, pairs, group) for group in groups)
    return every and low <= len(groups) <= high


def of_halves(
    instance: Instance,
    leaf: Any,
    pairs: dict[tuple[int, int], int],
    scale: int,
    on: list[tuple[int, int]],
    claimed: int,
) -> int:
    """Return what a leaf proves, times its scale."""
    n = size_of(instance)
    changed, total = changed_by_triangles(instance, leaf, pairs, scale)
    for *three, paid in triangles_of(leaf, "meeting", n):
        for pair in combinations(sorted(three), 2):
            changed[pair] -= paid
        total += paid
    rows = list_in(leaf, "leaving")
    WORK.spend(n * n * (1 + len(rows)) // 4, "pairs that leave")
    for row in rows:
        need(isinstance(row, list) and row, "an empty row")
        paid, *some = wholes(row, len(row))
        inside = {*some}
        need(paid >= 0 and 0 < len(inside) < n and instance["connected"], "no row")
        need(inside <= {*range(n)}, "no items")
        others = sorted({*range(n)} - inside)
        cost = sum(price_of_pairs(instance, pairs, g) for g in (sorted(inside), others))
        need(
            cost >= claimed or not are_groups(instance, pairs, sorted(inside)),
            "a solution that costs less",
        )
        for i, j in linked_pairs(instance, pairs):
            if (i in inside) != (j in inside):
                changed[i, j] -= paid
        total += paid
    blocks = sorted({block for block, _ in on})
    left = dict.fromkeys(combinations(blocks, 2), 0)
    for (i, j), cost in changed.items():
        (a, x), (b, y) = on[i], on[j]
        if x != y:
            total += 0 if a == b else cost
            cost = -cost
        elif a == b:
            total += cost
        if a != b:
            left[min(a, b), max(a, b)] += cost
    for row in list_in(leaf, "vectors"):
        values = dict(zip(blocks, wholes(row, len(blocks)), strict=True))
        WORK.spend(len(left) // 4, "products")
        total += sum(values.values()) ** 2 - 2 * sum(v * v for v in values.values())
        for a, b in left:
            left[a, b] -= 4 * values[a] * values[b]
    return total + sum(min(0, cost) for cost in left.values())


# --- all of it ----------------------------------------------------------------------


class Problem(NamedTuple):
    """What results cost, what certificates prove of a claimed bound, and their kinds.

    None is proved if nothing is feasible; any bound follows of the kinds in `all`.
    """

    cost: Callable[[Instance, Result], int]
    bound: Callable[[Instance, Certificate, int | None], int | None]
    kinds: str
    all: str = ""


def cost_of_clusters(instance: Instance, result: Result) -> int:
    found = clusters_of(instance, result)
    if instance["problem"] == "r-gather":
        return max((radius for _, radius, _ in found), default=0)
    return sum(fee + len(group) * radius for group, radius, fee in found)


BINS = "total counting reach subsets weights"
INTERVALS = "total reachability hitting prefixes"
USUAL = "count weights tree"
PROBLEMS = {
    "bin-covering": Problem(cost_of_bins, bound_of_bins, BINS),
    "interval-covering": Problem(cost_of_bins, bound_of_intervals, INTERVALS),
    "connected-partition": Problem(cost_of_parts, bound_of_parts, "count parts"),
    "r-gather": Problem(cost_of_clusters, bound_of_radius, USUAL, "weights tree"),
    "cellular-clustering": Problem(
        cost_of_clusters, bound_of_service, USUAL, "weights"
    ),
    "rectangle-tiling": Problem(
        cost_of_tiles, bound_of_tiles, "count parts cuts", "count"
    ),
    "rectangle-tiling-grid": Problem(cost_of_tiles, bound_of_tiles, "count parts cuts"),
    "k-anonymity": Problem(cost_of_stars, bound_of_table, USUAL),
    "suppression": Problem(cost_of_suppression, bound_of_suppression, USUAL),
    "generalization": Problem(
        cost_of_levels, bound_of_levels, f"{USUAL} lattice highest"
    ),
    "diversity": Problem(
        cost_of_levels, bound_of_levels, f"{USUAL} lattice whole highest"
    ),
    "pair-partition": Problem(
        cost_of_pairs, bound_of_pairs, f"{USUAL} triangles listed"
    ),
    "k-ambiguity": Problem(
        cost_of_ambiguity, bound_of_ambiguity, f"{USUAL} columns rows blocks"
    ),
}


def by_variant(document: Instance) -> Instance:
    """Return an instance with the fields that the name of its variant stands for."""
    fields = dict(document)
    name = fields.pop("variant", None)
    if name is None:
        return fields
    words = name.split("-")
    letters = dict(zip(("r", "c", "e", "r'", "c'"), QUANTITIES, strict=True))
    minimised = letters[words[-2]] if "MIN" in words else "none"
    fields["minimise"] = "k" if "MAX" in words else minimised
    fields["deletion"] = words[-1] == "DEL"
    return fields


def usual_form(document: Instance) -> Instance:
    """Return an instance without what is a remark or a default."""
    document = by_variant(document)
    remarks = {"name", "source", "comment", "labels", "positions"}
    kept = {name: held for name, held in document.items() if name not in remarks}
    if "limits" in kept:
        pairs = kept["limits"].items()
        kept["limits"] = {q: most for q, most in pairs if most is not None}
    if kept.get("t") is not None:
        kept["t"] = str(exact(kept["t"]))
    if kept.get("conditions") is not None:
        given = {n: x for n, x in kept["conditions"].items() if x is not None}
        shares = {
            n: str(exact(given[n])) for n in ("mean_risk", "at_risk") if n in given
        }
        kept["conditions"] = given | shares
    defaults = dict(DEFAULTS)
    if kept["problem"] == "cellular-clustering":
        defaults["r"] = 1
    if kept["problem"] == "pair-partition":
        defaults["objective"] = "sum"
    return {
        name: held
        for name, held in kept.items()
        if name not in defaults or held != defaults[name]
    }


def fingerprint(document: Instance) -> str:
    """Return the sha256 of what defines an instance."""
    text = json.dumps(usual_form(document), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def check_form(result: Result) -> None:
    """Raise `WrongError` unless all fields of a result are of their types."""
    for name in ("problem", "instance_sha256"):
        need(isinstance(result[name], str), f"{name}: expected a text")
    for name in ("method", "guarantee"):
        need(isinstance(result.get(name, ""), str), f"{name}: expected a text")
    for name in ("note", "found_by", "proved_by"):
        text = result.get(name)
        need(text is None or isinstance(text, str), f"{name}: expected a text, or null")
    need(result["status"] in STATUSES, "no such status")
    need(result.get("trust") in TRUSTS, "no such trust")
    need(result.get("stopped_because") in ENDS, "no such end")
    whole(result.get("seed", 0))
    versions = result.get("versions", {})
    texts = isinstance(versions, dict) and all(
        isinstance(v, str) for v in versions.values()
    )
    need(texts, "versions: expected texts")
    events = result.get("events", [])
    need(isinstance(events, list), "events: expected a list")
    for seconds, *values in [[result.get("seconds", 0)], *events]:
        number = type(seconds) in (int, float) and 0 <= seconds <= sys.float_info.max
        need(number, "seconds: expected a number of at least 0")
        for value in values:
            need(value is None or type(value) is int, "expected an integer or null")
    need(all(len(event) == 3 for event in events), "events: expected three numbers")
    for name in ("cost", "bound", "certified_bound"):
        value = result.get(name)
        need(value is None or type(value) is int, f"{name}: expected an integer")
    groups = result.get("groups")
    need(groups is None or isinstance(groups, list), "groups: expected lists")
    for group in groups or []:
        numbers_of(group)
    for name in LISTS.get(result["problem"], ()):
        for entry in listed(result, name):
            if name in ("centres", "outliers", "region_columns", "suppressed_rows"):
                whole(entry)
            elif name == "levels":
                numbers_of(entry)
            elif name in ("suppressed", "deals"):
                wholes(entry, 2 if name == "suppressed" else 3)
            else:
                numeric = all(type(x) in (int, float) and abs(x) < inf for x in entry)
                need(numeric and len(entry) == 4, "no rectangle")
    proof = result.get("certificate")
    need(proof is None or isinstance(proof, dict), "certificate: expected an object")


def written_out(instance: Instance) -> Instance:
    """Return an instance with every row as often as its copies say."""
    if instance["copies"] is None:
        return instance
    table = instance["table"]
    copies = wholes(instance["copies"], len(table), 1)
    if "hierarchies" not in instance:
        need(len({*codes_of(table)}) == len(table), "copies of equal rows")
    WORK.spend(10 * sum(copies) * columns_of(instance), "copies of rows")
    lists: Instance = {}
    for name in ("table", "sensitive", "row_weights"):
        if instance.get(name) is not None:
            pairs = zip(instance[name], copies, strict=True)
            lists[name] = [row for row, c in pairs for _ in range(c)]
    return {**instance, **lists}


def read_instance(document: Instance) -> Instance:
    instance = written_out({**DEFAULTS, "r": 1, **usual_form(document)})
    if document["problem"] in ("r-gather", "cellular-clustering"):
        between = distance_of(instance)
        given = instance["distances"] is not None
        instance["between"] = between if given else cache(between)
    return instance


def cost_of(instance: Instance, result: Result) -> int:
    """Return what the groups of a result cost, which have to be a solution."""
    levels = "hierarchies" in instance and instance["on"] == "attributes"
    named = instance["problem"] == "diversity" and instance["suppress_rows"]
    if instance["copies"] is not None and levels and not named:
        need(not result["groups"], "groups beside copies")
        return cost_of_node(instance, result)
    if result.get("deals") is not None:
        result = written_deals(instance, result)
    groups = result["groups"]
    need(all(groups), "an empty group")
    items = [i for group in [*groups, outliers_of(instance, result)] for i in group]
    need(sorted(items) == list(range(size_of(instance))), "no partition of the items")
    return PROBLEMS[instance["problem"]].cost(instance, result)


def written_deals(instance: Instance, result: Result) -> Result:
    """Return a result that says how many copies go where with groups of rows."""
    need(not result["groups"], "groups beside deals")
    copies = instance["copies"] or [1] * len(instance["table"])
    first = [*accumulate(copies, initial=0)]
    left = [range(*pair) for pair in pairwise(first)]
    groups: dict[int, list[int]] = {}
    for deal in listed(result, "deals"):
        row, group, count = wholes(deal, 3)
        need(0 <= row < len(copies) and count > 0, "no copies of a row of the table")
        need(count <= len(left[row]), "more copies than a row has")
        groups.setdefault(group, []).extend(left[row][:count])
        left[row] = left[row][count:]
    written = {**result, "groups": list(groups.values())}
    if instance["problem"] == "k-ambiguity":
        cells = [wholes(cell, 2) for cell in listed(result, "suppressed")]
        need(all(group in groups for group, _ in cells), "a cell of no group")
        written["suppressed"] = [[i, j] for g, j in cells for i in groups[g]]
    if "hierarchies" in instance:
        need(instance["on"] == "entries", "deals of a node")
        need(not (result.get("levels") or result.get("suppressed_rows")), "both forms")
        chains = chains_of(instance)
        of_groups = ([chains[i] for i in group] for group in groups.values())
        written["levels"] = [least_levels(instance, rows) for rows in of_groups]
        written["suppressed_rows"] = [i for rows in left for i in rows]
    return written


def least_levels(
    instance: Instance, rows: Sequence[Sequence[Sequence[Any]]]
) -> list[int]:
    """Return the least levels, by column, at which rows of chains are equal."""
    found = []
    for j, allowed in enumerate(levels_of(instance)):
        chains = [row[j] for row in rows]
        same = [x for x in allowed if len({(type(c[x]), c[x]) for c in chains}) == 1]
        need(same, "rows of a group look different")
        found.append(same[0])
    return found


@counted()
def check(document: Instance, result: Result) -> bool:
    """Return whether a result holds that proves its bound, or that there is nothing.

    Without a certificate these are only claimed.

    Raises
    ------
    WrongError
        If something does not hold; or one of the other `ERRORS`, of what is no result.
    UnknownError
        If this program cannot tell.
    """
    problem = document["problem"]
    if problem not in PROBLEMS:
        raise UnknownError(problem)
    instance = read_instance(document)
    check_form(result)
    if whole(result.get("format", 1), 1) > 1:
        raise UnknownError("a format that is newer than this program")
    need(result["problem"] == problem, "a result of another problem")
    need(result["instance_sha256"] == fingerprint(document), "another instance")
    cost, groups, status = result.get("cost"), result.get("groups"), result["status"]
    solved = status in ("OPTIMAL", "FEASIBLE")
    need(
        solved == (groups is not None) == (cost is not None),
        "a status of another result",
    )
    infeasible = status == "INFEASIBLE"
    bound = None if infeasible else result.get("bound")
    need(status != "OPTIMAL" or bound == cost, "not optimal")
    least = cost if result.get("bound") is None else result["bound"]
    above = cost is not None and least > cost
    need(not above, "a bound above the cost")
    if groups is not None:
        need(cost_of(instance, result) == cost, "another cost")
    proof = result.get("certificate")
    if proof is None:
        need(result.get("trust") != "certified", "certified without a certificate")
        need(result.get("certified_bound") is None, "a bound without a certificate")
        return False
    need(infeasible or bound is not None, "a certificate that proves nothing")
    part = result.get("certified_bound")
    if part is not None:
        need(bound is not None and part < bound, "no less than the bound is certified")
        need(result.get("trust") != "certified", "certified in part alone")
        bound = part
    known = PROBLEMS[problem]
    need(proof["kind"] in known.kinds.split(), "no such kind of certificate")
    proved = known.bound(instance, proof, bound)
    if proved is None:
        every_cost = proof["kind"] in known.all.split()
        need(infeasible or every_cost, "a cost is claimed")
    else:
        holds = bound is not None and proved >= bound
        need(holds, f"only {proved} is proved")
    return part is None


ERRORS = (
    *(WrongError, LookupError, TypeError, ValueError, ArithmeticError),
    *(AttributeError, AssertionError),
)
"""What a result that is not of the form of the page raises."""


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, none of whose keys is there twice."""
    for key, count in Counter(key for key, _ in pairs).items():
        need(count == 1, f"the key {key[:20]!r} is there twice")
    return dict(pairs)


def refused(name: str) -> Any:
    """Refuse a constant that is not of JSON."""
    raise WrongError(f"{name} is not JSON")


def read(path: str) -> dict[str, Any]:
    """Return the one object of a file.

    Raises
    ------
    WrongError
        If a key of an object is there twice, or it is not JSON.
    UnknownError
        If it cannot be read.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
        held = json.loads(text, object_pairs_hook=once, parse_constant=refused)
    except OSError as failure:
        raise UnknownError(f"{path}: {failure.strerror}") from failure
    except json.JSONDecodeError as failure:
        raise WrongError(f"{path}: expected one object: {failure}") from failure
    need(isinstance(held, dict), f"{path}: expected an object")
    return dict(held)


def told(wrong: BaseException) -> str:
    """Say what is wrong: in words, or by the error that a strange form has led to."""
    if isinstance(wrong, WrongError):
        return str(wrong)
    if isinstance(wrong, KeyError):
        return f"the field {wrong} is missing"
    return f"not of the form of the page: {wrong!r}"


def main(arguments: list[str]) -> int:
    if len(arguments) != 2 or any(path.endswith(".jsonl") for path in arguments):
        print("usage: second_checker.py INSTANCE.json RESULT.json, one of each")
        return 2
    try:
        document, result = map(read, arguments)
        proved = check(document, result)
    except UnknownError as unknown:
        print(f"not known here: {unknown}")
        return 2
    except RecursionError:
        print("not known here: nested too deeply")
        return 2
    except ERRORS as wrong:
        print(f"does not hold: {told(wrong)}")
        return 1
    solution = "" if result.get("cost") is None else f", cost {result['cost']}"
    if result.get("certified_bound") is not None:
        solution += f", bound {result['certified_bound']} is proved"
    known = result.get("bound")
    bound = "the bound" if known is None else f"the bound {known}"
    if result["status"] == "INFEASIBLE":
        bound = "infeasible"
    print(f"holds{solution}: {bound} is {'proved' if proved else 'only claimed'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
