"""Random tables of many shapes, for all problems of tables."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final

from atleastk import KAmbiguity, KAnonymity, Suppression
from atleastk.instances.diversity import MODELLED, Diversity
from atleastk.instances.generalization import LOSSES, Generalization
from atleastk.instances.generators.generalization import random_hierarchy
from atleastk.instances.hierarchies.hierarchy import Hierarchy, Label, suppression_of
from atleastk.instances.suppression_names import (
    DECISIONS,
    MAXIMISATIONS,
    MINIMISATIONS,
    QUANTITIES,
    Variant,
)

CELLS: Final = 10
"""The most cells of a table of which every set is tried."""
_SMALL: Final = ((1, 4), (2, 4), (3, 3), (4, 2))
"""Rows, and the most columns, of small tables."""

Cells = list[list[str | int]]
Shape = Callable[[random.Random, int, int], Cells]
Order = list[list[int]]


def _uniform(rng: random.Random, n: int, m: int) -> Cells:
    values = rng.choice([2, 2, 3, 4, 6])
    return [[rng.randrange(values) for _ in range(m)] for _ in range(n)]


def _skewed(rng: random.Random, n: int, m: int) -> Cells:
    values = rng.choice([3, 5, 9])
    return [[int(values * rng.random() ** 3) for _ in range(m)] for _ in range(n)]


def _duplicates(rng: random.Random, n: int, m: int) -> Cells:
    palette = _uniform(rng, rng.randint(1, max(1, n // 2)), m)
    return [list(rng.choice(palette)) for _ in range(n)]


def _clusters(rng: random.Random, n: int, m: int) -> Cells:
    centres = _uniform(rng, rng.randint(1, 4), m)
    noise = rng.choice([0.1, 0.3])
    return [
        [rng.randrange(5) if rng.random() < noise else c for c in rng.choice(centres)]
        for _ in range(n)
    ]


def _strange_columns(rng: random.Random, n: int, m: int) -> Cells:
    """Draw columns that are constant, different in every row, or copies of others."""
    columns: list[list[str | int]] = []
    for _ in range(m):
        kind = rng.randrange(4)
        if kind == 0:
            columns.append([7] * n)
        elif kind == 1:
            columns.append(list(range(n)))
        elif kind == 2 and columns:
            columns.append(list(rng.choice(columns)))
        else:
            columns.append([rng.randrange(2) for _ in range(n)])
    return [[column[row] for column in columns] for row in range(n)]


def _texts_and_numbers(rng: random.Random, n: int, m: int) -> Cells:
    values = (1, "1", "*", "", 2**70)
    return [[rng.choice(values) for _ in range(m)] for _ in range(n)]


def _few_records(rng: random.Random, n: int, m: int) -> Cells:
    palette = _uniform(rng, rng.randint(1, 3), m)
    return [list(rng.choice(palette)) for _ in range(n)]


def _twin_columns(rng: random.Random, n: int, m: int) -> Cells:
    half = _uniform(rng, n, (m + 1) // 2)
    return [(row + row)[:m] for row in half]


def _one_differs(rng: random.Random, n: int, m: int) -> Cells:
    """Draw rows that differ from one or two others in a single cell."""
    centres = [[i] * m for i in range(rng.randint(1, 2))]
    table: Cells = [[*rng.choice(centres)] for _ in range(n)]
    for row in table:
        if m:
            row[rng.randrange(m)] = rng.randrange(3)
    return table


SHAPES: Mapping[str, Shape] = {
    "uniform": _uniform,
    "skewed": _skewed,
    "duplicates": _duplicates,
    "clusters": _clusters,
    "strange columns": _strange_columns,
    "texts and numbers": _texts_and_numbers,
    "few records": _few_records,
    "twin columns": _twin_columns,
    "one cell differs": _one_differs,
}
"""How the cells of random tables are distributed."""


def random_anonymity(rng: random.Random, most_rows: int = 8) -> KAnonymity:
    n = rng.choice([*range(most_rows + 1), most_rows, most_rows])
    m = rng.choice([0, 1, 2, 3, 3, 4, 4, 5, 6])
    special = [max(1, n // 2), max(1, n - 1), max(1, n), n + 1]
    k = rng.choice([1, 2, 2, 2, 3, 3, 3, 4, *special])
    return KAnonymity(SHAPES[rng.choice([*SHAPES])](rng, n, m), k)


def larger_anonymity(rng: random.Random) -> KAnonymity:
    shape = SHAPES[rng.choice([*SHAPES])]
    n, m = rng.randint(20, 60), rng.randint(2, 6)
    return KAnonymity(shape(rng, n, m), rng.choice([2, 2, 3, 3, 4, 5]))


def random_ambiguity(rng: random.Random) -> KAmbiguity:
    """Return a table of a random shape and few cells; any k, and too great."""
    m = rng.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 7])
    n = rng.randint(0, CELLS // m if m else 5)
    special = [max(1, n // 2), max(1, n - 1), max(1, n), n + 1]
    k = rng.choice([1, 2, 2, 2, 3, 3, 3, 4, *special])
    return KAmbiguity(SHAPES[rng.choice([*SHAPES])](rng, n, m), k)


def larger_ambiguity(rng: random.Random) -> KAmbiguity:
    n, m = rng.randint(8, 25), rng.randint(2, 5)
    shape = SHAPES[rng.choice([*SHAPES])]
    return KAmbiguity(shape(rng, n, m), rng.choice([2, 2, 3, 3, 4, 6]))


def random_generalization(
    rng: random.Random, most_rows: int = 8, least_rows: int = 0, on: str | None = None
) -> Generalization:
    """Return an instance of a random kind; k from 1 to beyond the rows."""
    n = rng.randint(least_rows, most_rows)
    m = rng.choice([0, 1, 1, 2, 2, 3, 3, 4])
    columns = [_column(rng, n) for _ in range(m)]
    table = [[cells[i] for cells, _ in columns] for i in range(n)]
    special = [max(1, n // 2), max(1, n), n + 1]
    k = rng.choice([1, 2, 2, 2, 3, 3, 3, 4, *special])
    on = on or rng.choice(["entries", "attributes"])
    loss = rng.choice(LOSSES[:2] if on == "entries" else LOSSES)
    hierarchies = [h for _, h in columns]
    wish: dict[str, Any] = {"on": on, "loss": loss}
    if loss in LOSSES[:2] and rng.random() < 0.5:
        most = rng.choice([2, 5, 100])
        unit = rng.choice([1, 1, 10])
        wish["column_weights"] = [unit * rng.randint(1, most) for _ in columns]
    if on == "attributes":
        wish["suppress_rows"] = rng.choice([0, 0, 1, 2, k, n])
        return Generalization(table, k, hierarchies, **wish)
    if rng.random() < 0.5:
        most = rng.choice([2, 5, 100_000])
        wish["row_weights"] = [rng.randint(1, most) for _ in range(n)]
    wish["suppress_rows"] = rng.choice([0, 0, 0, 1, 2, n])
    if not wish["suppress_rows"] and rng.random() < 0.3:
        heights = [hierarchy.height for hierarchy in hierarchies]
        pairs = [sorted(rng.randint(0, h) for _ in "ab") for h in heights]
        limits = zip(pairs, heights, strict=True)
        wish["levels"] = [rng.choice([[0, b], [a, h]]) for (a, b), h in limits]
    return Generalization(table, k, hierarchies, **wish)


def _column(rng: random.Random, n: int) -> tuple[list[Label], Hierarchy]:
    values: list[Label] = rng.choice(
        [[7], [0, 1], [0, 1, 2], [1, "1", "*"], [*range(6)], [*range(9)]]
    )
    kind = rng.randrange(4)
    if kind == 0:
        hierarchy = suppression_of(values)
    elif kind == 1 and len(values) == 1:
        hierarchy = Hierarchy([values])
    else:
        hierarchy = random_hierarchy(rng, values, rng.randint(1, 4))
        if rng.random() < 0.3:
            hierarchy = _with_short_branch(rng, hierarchy)
    return [rng.choice(values) for _ in range(n)], hierarchy


def _with_short_branch(rng: random.Random, hierarchy: Hierarchy) -> Hierarchy:
    """Return a hierarchy with the top from some level on, where a label was."""
    level = rng.randint(1, hierarchy.height)
    short = rng.choice(hierarchy.chains)[level]
    top = [hierarchy.chains[0][-1]] * (hierarchy.height + 1 - level)
    return Hierarchy(
        [
            [*chain[:level], *top] if chain[level] == short else chain
            for chain in hierarchy.chains
        ]
    )


def random_diversity(
    rng: random.Random, most_rows: int = 7, least_rows: int = 0
) -> Diversity:
    """Return a table of a random kind, with values that are rarely all the same."""
    table = random_generalization(rng, most_rows, least_rows)
    allowed = table.suppress_rows if table.on == "attributes" else 0
    kinds: list[list[Label]] = [[0], [*"ab"], [*"aab"], [1, "1", 2], [*range(5)]]
    columns = [
        rng.choices(rng.choice(kinds), k=table.n)
        for _ in range(rng.choice([0, 1, 1, 1, 1, 2]))
    ]
    shares = [Fraction(part) for part in ("0", "1/7", "1/5", "1/3", "1")]
    return Diversity(
        table.table,
        rng.choice([1, table.k]),
        table.hierarchies,
        table.on,
        table.loss,
        column_weights=table.column_weights,
        suppress_rows=allowed,
        row_weights=table.row_weights,
        sensitive=[[column[i] for column in columns] for i in range(table.n)],
        l=rng.choice([1, 2, 2, 2, 3, 3, table.n + 1]),
        reading=rng.choice(MODELLED),
        t=rng.choice([None, None, *shares, Fraction(rng.randint(0, 60), 60)]),
    )


def random_order(rng: random.Random, count: int) -> Order | None:
    """Return an importance order of two classes or more; None of fewer than two."""
    if count < 2:
        return None
    members = rng.sample(range(count), count)
    cuts = sorted(rng.sample(range(1, count), rng.randint(1, min(count - 1, 2))))
    return [members[i:j] for i, j in pairwise([0, *cuts, count])]


def random_suppression(rng: random.Random, most_cells: int = CELLS) -> Suppression:
    """Return a random table of few cells with random fields."""
    n = rng.choice([0, 1, *(3 * [2, 3, 4, 5, 6, 7])])
    m = rng.randint(0, min(6, most_cells // max(1, n)))
    k = rng.choice([1, 2, 2, 2, 2, 2, 3, 3, max(1, n // 2), max(1, n), n + 1])
    return _with_fields(rng, n, m, k)


def larger_suppression(rng: random.Random) -> Suppression:
    n, m = rng.randint(6, 12), rng.randint(2, 4)
    return _with_fields(rng, n, m, rng.choice([2, 2, 2, 3, 3, 4]))


def _with_fields(rng: random.Random, n: int, m: int, k: int) -> Suppression:
    table = SHAPES[rng.choice([*SHAPES])](rng, n, m)
    tops = _tops(n, m)
    limited = rng.sample(QUANTITIES, rng.choice([0, 0, 1, 1, 2, 2, 3, 5]))
    limits = {q: max(rng.randint(0, tops[q] + 1) for _ in range(2)) for q in limited}
    minimise = rng.choice([*QUANTITIES, *QUANTITIES, "none", "k"])
    regional = not {"rows", "columns"}.isdisjoint({*limits, minimise})
    deletion = regional and rng.random() < 0.35
    ranked = 0.0 if deletion else 0.3
    return Suppression(
        table,
        k,
        columns=None if n else [f"c{j}" for j in range(m)],
        minimise=minimise,
        limits=limits,
        deletion=deletion,
        row_order=random_order(rng, n) if rng.random() < ranked else None,
        column_order=random_order(rng, m) if rng.random() < ranked else None,
        intact=[rng.randrange(m)] if m and rng.random() < 0.15 else (),
    )


def random_named(rng: random.Random) -> Suppression:
    """Return an instance of a random problem of the family on a random small table."""
    problems = [*MINIMISATIONS.values(), *DECISIONS.values(), *MAXIMISATIONS.values()]
    while True:
        n, most = rng.choice(_SMALL)
        table = _uniform(rng, n, rng.randint(1, most))
        drawn = named_instance(rng, table, rng.choice(problems))
        if drawn is not None:
            return drawn


def named_instance(
    rng: random.Random, table: Sequence[Sequence[str | int]], variant: Variant
) -> Suppression | None:
    """Return an instance of a problem on a table; k, limits and an order are drawn.

    Of fewer than two rows or columns there is no order, nor an instance.
    """
    n, m = len(table), len(table[0])
    tops = _tops(n, m)
    orders = {}
    if variant.order is not None:
        order = random_order(rng, n if variant.order == "rows" else m)
        if order is None:
            return None
        orders[f"{variant.order.removesuffix('s')}_order"] = order
    k = rng.choice([1, n + 1, *(5 * [*range(2, n + 1)])])
    limits = {quantity: rng.randint(0, tops[quantity]) for quantity in variant.limits}
    return Suppression.named(str(variant), table, k, limits, **orders)


def _tops(n: int, m: int) -> dict[str, int]:
    return dict(zip(QUANTITIES, (n, m, n * m, m, n), strict=True))
