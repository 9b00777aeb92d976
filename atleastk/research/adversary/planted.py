"""What planted groups cost, from the numbers of a plant alone.

A walk asks for thousands of plants a second, and an instance with its checker takes
longer than many an algorithm. So these say which groups are a solution and what it
costs, for each problem; None if they are none. They know the few fields that the
adversary draws, of others they raise `LookupError`. The checkers have the last word on
whatever a walk keeps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, compress, pairwise
from operator import itemgetter
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.hierarchies.hierarchy import Hierarchy

Item = tuple[int, ...]
"""An item as numbers: its size, its cells, or its weight and place."""

Fields = Mapping[str, Any]
"""The fields of an instance, by their names."""


@dataclass(frozen=True, slots=True)
class Plant:
    """An instance with planted groups."""

    items: tuple[Item, ...]  # all items
    homes: tuple[int, ...]  # the group of each; -1 for an item in none
    k: int  # the least weight or size of a group; of RTILE the number of rectangles
    fields: Fields = field(default_factory=dict)  # the other fields of the instance


VALUES: Final = 4
"""Values in each column of a table."""
CHAINS: Final = Hierarchy([(x, f"pair {x // 2}", "*") for x in range(VALUES)])
"""The hierarchy of all columns: values, pairs of them, all."""


def heaviest(plant: Plant) -> int | None:
    """Of bins: the greatest weight of a group, if none is below k."""
    weights: dict[int, int] = {}
    for item, home in zip(plant.items, plant.homes, strict=True):
        weights[home] = weights.get(home, 0) + item[0]
    if -1 in weights or min(weights.values()) < plant.k:
        return None
    return max(weights.values())


def of_intervals(plant: Plant) -> int | None:
    """Of groups that are intervals."""
    runs = 1 + sum(home != after for home, after in pairwise(plant.homes))
    return None if runs > len(set(plant.homes)) else heaviest(plant)


def of_nodes(plant: Plant) -> int | None:
    """Of connected groups: each is a tree once edges that close circles are left out.

    Nodes have their weight and how far back their neighbours are.
    """
    part, parts = list(range(len(plant.items))), len(plant.items)
    for node, item in enumerate(plant.items):
        for back in item[1:]:
            if back <= node and plant.homes[node - back] == plant.homes[node]:
                one, other = part[node - back], part[node]
                if one != other:
                    part = [one if each == other else each for each in part]
                    parts -= 1
    return None if parts > len(set(plant.homes)) else heaviest(plant)


def of_places(plant: Plant) -> int | None:
    """Of points: bounding boxes tile the plane, cut at the coordinates of points."""
    cost = heaviest(plant)
    if cost is None:
        return None
    _, *axes = map(sorted, map(set, zip(*plant.items, strict=True)))
    xs, ys = ({value: i for i, value in enumerate(axis)} for axis in axes)
    cells = [(xs[x], ys[y]) for _, x, y in plant.items]
    boxes = [*_boxes(cells, plant.homes).values()]
    if any(
        max(a, e) <= min(b, f) and max(c, g) <= min(d, h)
        for (a, c, b, d), (e, g, f, h) in combinations(boxes, 2)
    ):
        return None
    return cost if sum(map(_area, boxes)) == len(xs) * len(ys) else None


def of_grid(plant: Plant) -> int | None:
    """Of the cells of a grid: at most p groups, all cells of their bounding boxes."""
    boxes = _boxes([item[1:] for item in plant.items], plant.homes)
    sizes = Counter(plant.homes)
    if len(boxes) > plant.k or any(_area(boxes[home]) > sizes[home] for home in boxes):
        return None
    return heaviest(replace(plant, k=0))


def _boxes(cells: Sequence[Item], homes: Sequence[int]) -> dict[int, Item]:
    """Return the bounding boxes: least x and y, then greatest ones, with these."""
    boxes: dict[int, Item] = {}
    for (x, y), home in zip(cells, homes, strict=True):
        a, c, b, d = boxes.get(home, (x, y, x, y))
        boxes[home] = min(a, x), min(c, y), max(b, x), max(d, y)
    return boxes


def _area(box: Item) -> int:
    a, c, b, d = box
    return (b - a + 1) * (d - c + 1)


def of_tables(plant: Plant) -> int | None:
    """Of suppressed cells: as many as `minimise` counts, by default all."""
    groups = _groups(plant)
    sizes = [*map(len, groups)]
    if -1 in plant.homes or min(sizes) < plant.k:
        return None
    differ = [
        [len({*column}) > 1 for column in zip(*group, strict=True)] for group in groups
    ]
    by_group, by_column = [*map(sum, differ)], [*zip(*differ, strict=True)]
    match plant.fields.get("minimise", "entries"):
        case "entries":
            return sum(map(int.__mul__, sizes, by_group))
        case "per_row":
            return max(by_group)
        case "per_column":
            return max(sum(compress(sizes, some)) for some in by_column)
        case "columns":
            return sum(map(any, by_column))
    raise LookupError


def of_levels(plant: Plant) -> int | None:
    """Of generalised tables, the last cell of a row being its sensitive value, if any.

    Groups have the least levels at which they are equal, or on attributes the whole
    table has.
    """
    if any(hierarchy != CHAINS for hierarchy in plant.fields["hierarchies"]):
        raise LookupError
    if -1 in plant.homes:
        return None
    groups, columns = _groups(plant), len(plant.fields["hierarchies"])
    if not all(_is_diverse(group, plant.fields) for group in groups):
        return None
    levels = [[*map(_level, [*zip(*group, strict=True)][:columns])] for group in groups]
    if plant.fields["on"] == "attributes":
        node: list[int] = [*map(max, zip(*levels, strict=True))]
        names = [
            tuple(0 if up > 1 else v >> up for v, up in zip(row, node, strict=False))
            for row in plant.items  # whose sensitive values have no level
        ]
        groups = _groups(plant, names)
    sizes = [*map(len, groups)]
    if min(sizes) < plant.k:
        return None
    match plant.fields["on"], plant.fields.get("loss", "height"):
        case "entries", "height":
            return sum(
                size * sum(each) for size, each in zip(sizes, levels, strict=True)
            )
        case "attributes", "height":
            return sum(node)
        case "attributes", "discernibility":
            return sum(size * size for size in sizes)
        case "attributes", "average-class-size":
            return len(plant.items) - len(groups)
    raise LookupError


def _level(column: Item) -> int:
    """Return the least level at which values are equal."""
    if len({*column}) == 1:
        return 0
    return 1 if len({value // 2 for value in column}) == 1 else 2


def _is_diverse(group: Sequence[Item], fields: Fields) -> bool:
    """Tell whether a class has l different sensitive values, or none too often."""
    if "l" not in fields:
        return True
    least: int = fields["l"]
    counts = Counter(map(itemgetter(-1), group))
    match fields["reading"]:
        case "distinct":
            return len(counts) >= least
        case "frequency":
            return max(counts.values()) * least <= len(group)
    raise LookupError


def of_clusters(plant: Plant) -> int | None:
    """Of r-gather: the greatest radius about the best centres."""
    found = _radii(plant)
    return None if found is None else int(found[0].min(axis=1).max(initial=0))


def of_priced_clusters(plant: Plant) -> int | None:
    """Of cellular clustering: radii times sizes and the prices of the best centres."""
    found = _radii(plant)
    if found is None:
        return None
    radii, sizes = found
    prices = np.array([item[0] for item in plant.items], dtype=np.int64)
    return int((radii * sizes[:, None] + prices).min(axis=1).sum())


_FAR: Final = 2**31
"""The radius about a place that is no centre."""


def _radii(plant: Plant) -> tuple[IntArray, IntArray] | None:
    """Return the radii of groups about all points, and sizes; diameters about any."""
    sizes = Counter(plant.homes)
    outside = sizes.pop(-1, 0)
    few = min(sizes.values(), default=plant.k) < plant.k
    if few or outside > plant.fields.get("max_outliers", 0):
        return None
    if len(sizes) > plant.fields.get("max_clusters", len(sizes)):
        return None
    places = np.array([item[1:] for item in plant.items], dtype=np.int64)
    apart = np.abs(places[:, None] - places).max(axis=2, initial=0)
    member = np.array(plant.homes) == np.array([*sizes])[:, None]
    reach = (apart * member[:, None, :]).max(axis=2, initial=0)
    if plant.fields.get("centres") == "any":
        reach = np.broadcast_to((reach * member).max(axis=1)[:, None], reach.shape)
    elif plant.fields.get("centres") == "member":
        reach = np.where(member, reach, _FAR)
    return reach, np.array([*sizes.values()], dtype=np.int64)


def of_pairs(plant: Plant) -> int | None:
    """Of points: squared distances in each group, divided by its size for squares."""
    cost, groups = 0, _groups(plant)
    if -1 in plant.homes or min(map(len, groups)) < plant.k:
        return None
    for group in groups:
        apart = sum(
            len(group) * sum(x * x for x in axis) - sum(axis) ** 2
            for axis in zip(*group, strict=True)
        )
        is_sum = plant.fields.get("objective") != "squares"
        cost += apart if is_sum else apart // len(group)
    return cost


def _groups(plant: Plant, homes: Sequence[Any] = ()) -> list[list[Item]]:
    """Return the items of every group, by other homes if there are some."""
    groups: dict[Any, list[Item]] = {}
    for item, home in zip(plant.items, homes or plant.homes, strict=True):
        groups.setdefault(home, []).append(item)
    return [*groups.values()]
