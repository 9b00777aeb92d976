"""Plants: how the adversary draws and changes the instances of each problem."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from random import Random
from typing import Any, Final

import numpy as np

from atleastk.instances.clustering import CENTRES
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.research.adversary import planted
from atleastk.research.adversary.planted import CHAINS, VALUES, Fields, Item, Plant

Box = tuple[int, int, int, int]
"""The first row and column of a box, and those after its last."""

Drawn = tuple[list[Item], list[int]]
"""Items, and the group of each."""


_ALL: Final = 0.5
"""How often all names are drawn anew where some change. Not tuned."""


def _reordered(rng: Random, n: int) -> list[int]:
    """Draw an order of n items, or let two of them change places."""
    if rng.random() < _ALL:
        return rng.sample(range(n), n)
    i, j = rng.randrange(n), rng.randrange(n)
    order = list(range(n))
    order[i], order[j] = order[j], order[i]
    return order


def shuffled(rng: Random, items: Sequence[Item], homes: Sequence[int]) -> Drawn:
    """Put items into another order."""
    order = _reordered(rng, len(items))
    return [items[i] for i in order], [homes[i] for i in order]


@dataclass(frozen=True, slots=True)
class Planting:
    """How the instances of a problem are made of items."""

    fields_of: Callable[[Sequence[Item]], Fields]
    """Returns the fields of an instance that hold its items."""
    items: Callable[[Any], list[Item]]
    """Returns the items of an instance."""
    start: Callable[[Random, int, Fields], Drawn]
    """Draws items and their groups, for a k and the other fields."""
    changed: Callable[[Random, Item, int], Item]
    """Draws a neighbour of an item, for a k."""
    ks: Sequence[int] = (2, 3, 4)
    """The values of k that searches start with."""
    fields: Sequence[Fields] = ({},)
    """The other fields; a search starts with each of them and each k."""
    k: str = "k"
    """The name of k among the fields of an instance."""
    weighed: bool = False
    """Whether the first number of an item is its weight, which may be shifted."""
    scaled: bool = False
    """Whether the weights may be multiplied, and k with them."""
    relabelled: Callable[[Random, Sequence[Item], Sequence[int]], Drawn] = shuffled
    """Draws the same instance by other names of its items."""
    counts: bool = True
    """Whether k is a number of items, or a weight of theirs."""
    keeps: Callable[[Any], bool] = lambda _instance: True
    """What all of its instances are, as metrics, and shrunk ones stay."""
    cost: Callable[[Plant], int | None] | None = None
    """Returns the cost of planted groups without an instance, if something can."""

    def instance(self, kind: Callable[..., Any], plant: Plant) -> Any:
        """Return the instance of a plant."""
        return kind(**{self.k: plant.k}, **self.fields_of(plant.items), **plant.fields)

    def plant(self, instance: Any, homes: Sequence[int]) -> Plant:
        """Return an instance with its groups as a plant."""
        names = {name for fields in self.fields for name in fields}
        document = instance.document()
        fields = {
            name: getattr(instance, name) for name in sorted(names & document.keys())
        }
        k = getattr(instance, self.k)
        return Plant(tuple(self.items(instance)), tuple(homes), k, fields)


def _groups(draw: Callable[[], Item], groups: int, size: int, outside: int) -> Drawn:
    """Draw `groups` groups of `size` items, and `outside` items in no group."""
    homes = [home for home in range(groups) for _ in range(size)] + [-1] * outside
    return [draw() for _ in homes], homes


def _size(rng: Random, k: int) -> int:
    """Draw a size near 1, k/3, k/2 and k, as in the worst cases of the papers."""
    return max(1, rng.choice([1, 2, k // 3, k // 2, k - 1, rng.randint(1, k)]))


def _near_size(rng: Random, size: int, k: int) -> int:
    if rng.random() < 0.3:
        return _size(rng, k)
    return max(1, size + rng.choice([-2, -1, 1, 2, -k // 10, k // 10]))


SIZES: Final = Planting(
    fields_of=lambda items: {"sizes": [size for (size,) in items]},
    items=lambda instance: [(size,) for size in instance.sizes],
    start=lambda rng, k, _fields: _groups(
        lambda: (_size(rng, k),), 3, max(2, min(k, 4)), 0
    ),
    changed=lambda rng, item, k: (_near_size(rng, item[0], k),),
    ks=(12, 22, 60, 100),
    weighed=True,
    scaled=True,
    cost=planted.heaviest,
)


ROWS: Final = replace(
    SIZES,
    relabelled=lambda _rng, items, homes: ([*items][::-1], [*homes][::-1]),
    cost=planted.of_intervals,
)
"""Sizes in a row: only the other way round it is the same."""


def _tree(items: Sequence[Item]) -> Fields:
    """Join every node to earlier ones: items have the weight and the index offsets."""
    edges = [
        (i - back, i) for i, item in enumerate(items) for back in item[1:] if back <= i
    ]
    return {"weights": [item[0] for item in items], "edges": edges}


def _nodes(instance: Any) -> list[Item]:
    backs: list[list[int]] = [[] for _ in instance.weights]
    for u, v in map(sorted, instance.edges):
        backs[v].append(v - u)
    return [
        (weight, *sorted(set(back)))
        for weight, back in zip(instance.weights, backs, strict=True)
    ]


def _renumbered(rng: Random, items: Sequence[Item], homes: Sequence[int]) -> Drawn:
    """Give the nodes of a map other numbers."""
    order = _reordered(rng, len(items))
    place = {node: i for i, node in enumerate(order)}
    backs = [set[int]() for _ in items]
    for u, v in _tree(items)["edges"]:
        first, last = sorted((place[u], place[v]))
        backs[last].add(last - first)
    nodes = [(items[node][0], *sorted(backs[i])) for i, node in enumerate(order)]
    return nodes, [homes[node] for node in order]


def _near_node(rng: Random, item: Item, k: int) -> Item:
    weight, *backs = item
    if rng.random() < 0.6 or not backs:
        return _near_size(rng, weight, k), *backs
    j = rng.randrange(len(backs))
    moved = {*backs[:j], max(1, backs[j] + rng.choice([-1, 1])), *backs[j + 1 :]}
    return weight, *sorted(moved)


NODES: Final = Planting(
    fields_of=_tree,
    items=_nodes,
    start=lambda rng, k, _fields: _groups(
        lambda: (_size(rng, k), *{1, rng.randint(1, 4)}), 3, max(2, min(k, 4)), 0
    ),
    changed=_near_node,
    relabelled=_renumbered,
    ks=(2, 3, 12, 60),
    weighed=True,
    scaled=True,
    cost=planted.of_nodes,
)


def _tiled(rng: Random, p: int, weight: Callable[[], int]) -> Drawn:
    """Divide a grid into p boxes, and draw the weights of its cells."""
    found = sorted(
        (row, column, home)
        for home, (top, left, bottom, right) in enumerate(_boxes(rng, p))
        for row, column in product(range(top, bottom), range(left, right))
    )
    cells: list[Item] = [(weight(), row, column) for row, column, _ in found]
    return cells, [home for *_, home in found]


def _boxes(rng: Random, p: int) -> list[Box]:
    """Cut a grid recursively into p boxes; some begin as a pinwheel."""
    rows, columns = rng.randint(3, 6), rng.randint(3, 6)
    boxes = [(0, 0, rows, columns)]
    if p >= 5 and rng.random() < 0.5:
        (a, b), (c, d) = (sorted(rng.sample(range(1, x), 2)) for x in (rows, columns))
        boxes = [(0, 0, a, d), (0, d, b, columns), (b, c, rows, columns)]
        boxes += [(a, 0, rows, c), (a, c, b, d)]
    while len(boxes) < p:
        top, left, bottom, right = boxes.pop(rng.randrange(len(boxes)))
        high, wide = bottom - top - 1, right - left - 1
        if high == wide == 0:
            boxes.append((top, left, bottom, right))
        elif rng.randrange(high + wide) < high:
            at = rng.randint(top + 1, bottom - 1)
            boxes += [(top, left, at, right), (at, left, bottom, right)]
        else:
            at = rng.randint(left + 1, right - 1)
            boxes += [(top, left, bottom, at), (top, at, bottom, right)]
    return boxes


def _near_place(rng: Random, item: Item, k: int) -> Item:
    weight, x, y = item
    if rng.random() < 0.5:
        return _near_size(rng, weight, k), x, y
    return weight, x + rng.choice([-1, 0, 1]), y + rng.choice([-1, 0, 1])


PLACES: Final = Planting(
    fields_of=lambda items: {"points": [(x, y, weight) for weight, x, y in items]},
    items=lambda instance: [(weight, x, y) for x, y, weight in instance.points],
    start=lambda rng, k, _fields: _tiled(
        rng, rng.choice([2, 3, 5]), lambda: _size(rng, k)
    ),
    changed=_near_place,
    ks=(2, 3, 12, 60),
    weighed=True,
    scaled=True,
    cost=planted.of_places,
)


def _grid(items: Sequence[Item]) -> Fields:
    rows = 1 + max(row for _, row, _ in items)
    columns = 1 + max(column for *_, column in items)
    if [item[1:] for item in items] != list(product(range(rows), range(columns))):
        raise InvalidInstanceError("grid: these cells, in this order, are no grid")
    weights = [weight for weight, *_ in items]
    return {"grid": [weights[r * columns : (r + 1) * columns] for r in range(rows)]}


def _turned(rng: Random, items: Sequence[Item], homes: Sequence[int]) -> Drawn:
    """Let rows and columns of a grid change places, or the first and the last row."""
    last = max(row for _, row, _ in items)
    across = rng.random() < 0.5
    cells = sorted(
        ((column, row) if across else (last - row, column), weight, home)
        for (weight, row, column), home in zip(items, homes, strict=True)
    )
    return [(weight, *at) for at, weight, _ in cells], [home for *_, home in cells]


def _cells(instance: Any) -> list[Item]:
    return [
        (weight, i, j)
        for i, row in enumerate(instance.grid)
        for j, weight in enumerate(row)
    ]


GRIDS: Final = Planting(
    fields_of=_grid,
    items=_cells,
    start=lambda rng, p, _fields: _tiled(rng, p, lambda: rng.randrange(9)),
    changed=lambda rng, item, _p: (
        max(0, rng.choice([0, 1, item[0] - 1, item[0] + 1, rng.randrange(20)])),
        *item[1:],
    ),
    ks=(2, 3, 4, 5, 6),
    k="p",
    counts=False,
    weighed=True,
    relabelled=_turned,
    cost=planted.of_grid,
)


def _table(columns: int, rng: Random, k: int, _fields: Fields) -> Drawn:
    """Draw three groups of rows of so many columns."""
    return _groups(
        lambda: tuple(rng.randrange(VALUES) for _ in range(columns)),
        *(3, max(2, min(k, 4)), 0),
    )


def _near_row(rng: Random, item: Item, _k: int) -> Item:
    cells = list(item)
    cells[rng.randrange(len(cells))] = rng.randrange(VALUES)
    return tuple(cells)


def _rows(instance: Any) -> list[Item]:
    """Return the rows of a table, texts as negative numbers."""
    values: dict[object, int] = {}
    return [
        tuple(
            v if isinstance(v, int) else values.setdefault(v, -1 - len(values))
            for v in row
        )
        for row in instance.table
    ]


_COLUMNS: Final = 6
"""Columns of tables without hierarchies."""

TABLES: Final = Planting(
    fields_of=lambda items: {"table": items},
    items=_rows,
    start=partial(_table, _COLUMNS),
    changed=_near_row,
    cost=planted.of_tables,
)

AMBIGUOUS: Final = replace(TABLES, cost=None)

SUPPRESSED: Final = replace(
    TABLES,
    fields=[
        {"minimise": quantity}
        for quantity in ("entries", "per_row", "per_column", "columns")
    ],
)


GENERALIZED: Final = replace(
    TABLES,
    start=partial(_table, 3),
    fields=[
        {"hierarchies": [CHAINS] * 3, "on": on, "loss": loss}
        for on, loss in (
            ("entries", "height"),
            ("attributes", "height"),
            ("attributes", "discernibility"),
            ("attributes", "average-class-size"),
        )
    ],
    cost=planted.of_levels,
)

DIVERSE: Final = replace(
    TABLES,
    fields_of=lambda items: {
        "table": [item[:-1] for item in items],
        "sensitive": [item[-1:] for item in items],
    },
    items=lambda instance: [
        (*row, *secret)
        for row, secret in zip(instance.table, instance.sensitive, strict=True)
    ],
    start=partial(_table, 4),
    fields=[
        {"hierarchies": [CHAINS] * 3, "on": on, "l": 2, "reading": reading}
        for on in ("entries", "attributes")
        for reading in ("distinct", "frequency")
    ],
    cost=planted.of_levels,
)


_SIDE: Final = 9
"""Coordinates and facility costs are drawn below this."""
_DIMENSIONS: Final = 4
"""Coordinates of a point."""
_PRICED: Final = 0.5
"""The share of starts with facility costs, if centres are points."""


def _metric(items: Sequence[Item]) -> Fields:
    """Return maximum-norm distances: every finite metric is one of these [Frechet]."""
    places = np.array([item[1:] for item in items], dtype=np.int64)
    apart = np.abs(places[:, None] - places).max(axis=2, initial=0)
    prices = [item[0] for item in items]
    found: Fields = {"distances": apart.tolist()}
    return {**found, "facility_costs": prices} if any(prices) else found


def _points(instance: Any) -> list[Item]:
    """Return the Frechet embedding: the coordinates of a point are its distances."""
    prices = getattr(instance, "facility_costs", None) or [0] * instance.n
    everyone = np.arange(instance.n)
    apart = instance.space.between(everyone, everyone).tolist()
    return [(price, *row) for price, row in zip(prices, apart, strict=True)]


def _scattered(priced_share: float, rng: Random, r: int, fields: Fields) -> Drawn:
    priced = fields["centres"] == "input" and rng.random() < priced_share
    return _groups(
        lambda: (
            rng.randrange(_SIDE) if priced else 0,
            *(rng.randrange(_SIDE) for _ in range(_DIMENSIONS)),
        ),
        fields.get("max_clusters", 3),
        max(2, r),
        fields.get("max_outliers", 0),
    )


def _near_point(rng: Random, item: Item, _r: int) -> Item:
    numbers = list(item)
    which = rng.randrange(len(numbers))
    numbers[which] += rng.choice([-3, -2, -1, 1, 2, 3])
    if item[0] == 0:
        numbers[0] = 0
    return max(0, numbers[0]), *numbers[1:]


GATHERED: Final = Planting(
    fields_of=_metric,
    items=_points,
    start=partial(_scattered, 0.0),
    changed=_near_point,
    ks=(1, 2, 3, 4),
    k="r",
    keeps=lambda instance: instance.not_metric is None,
    fields=[
        {"centres": centres, **limits}
        for centres in CENTRES
        for limits in (
            {},
            {"max_clusters": 2},
            {"max_outliers": 1},
            {"max_clusters": 2, "max_outliers": 1},
        )
    ],
    cost=planted.of_clusters,
)

CELLULAR: Final = replace(
    GATHERED,
    start=partial(_scattered, _PRICED),
    fields=[
        *({"centres": centres} for centres in CENTRES),
        *({"centres": centres, "max_outliers": 1} for centres in CENTRES),
    ],
    cost=planted.of_priced_clusters,
)


_HIGH: Final = 60
"""The greatest coordinate of the centres of planted points."""


def _about_centres(rng: Random, k: int, _fields: Fields) -> Drawn:
    """Draw three groups of k points of the plane about centres of their own."""
    homes = [home for home in range(3) for _ in range(k)]
    centres = [(rng.randint(0, _HIGH), rng.randint(0, _HIGH)) for _ in range(3)]
    return [_near_coordinates(rng, centres[home], k) for home in homes], homes


def _near_coordinates(rng: Random, item: Item, _k: int) -> Item:
    return tuple(max(0, place + rng.choice([-4, -1, 0, 1, 4])) for place in item)


PAIRS: Final = Planting(
    fields_of=lambda items: {"points": [list(item) for item in items]},
    items=lambda instance: [tuple(point) for point in instance.points or ()],
    start=_about_centres,
    changed=_near_coordinates,
    fields=[{"objective": "sum"}, {"objective": "squares"}],
    cost=planted.of_pairs,
)
