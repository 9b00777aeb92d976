"""Tables, by definition: every set of cells, or every choice of levels, is tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import lcm
from typing import Any

from scripts.sweeps.partitions import Document, Group, Groups

Cell = tuple[int, int]
Hidden = frozenset[Cell]
STAR = object()
"""What a suppressed cell shows: equal to itself only."""

_QUANTITIES = {
    "r": "rows",
    "c": "columns",
    "e": "entries",
    "r'": "per_row",
    "c'": "per_column",
}


def shape_of(document: Document) -> tuple[int, int]:
    """Return how many rows and columns a table has."""
    table = document["table"]
    if not table:
        named = document.get("hierarchies") or document.get("columns")
        return 0, len(named or ())
    return len(table), len(table[0])


def anonymity(document: Document) -> Groups:
    """Return k-anonymity: the cells of the columns on which a group differs."""
    table, k = document["table"], document["k"]
    n, m = shape_of(document)

    def cost(group: Group, _centre: int | None) -> int | None:
        if len(group) < k:
            return None
        return len(group) * sum(
            any(_unlike(table[i][j], table[group[0]][j]) for i in group)
            for j in range(m)
        )

    return Groups(n, cost, sums=True)


def _unlike(a: object, b: object) -> bool:
    """Tell whether cells differ: a text is never a number."""
    return type(a) is not type(b) or a != b


def least_ambiguity(document: Document) -> int | None:
    """Return the fewest cells to suppress so that rows match k - 1 others."""
    n, m = shape_of(document)
    if n and n < document["k"]:
        return None
    cells = list(product(range(n), range(m)))
    return next(
        size
        for size in range(len(cells) + 1)
        if any(_ambiguous(document, frozenset(c)) for c in combinations(cells, size))
    )


def ambiguity_cost(document: Document, solution: Document) -> int | None:
    """Return the cost of a solution of k-ambiguity; None if it is none."""
    hidden = _hidden(document, solution)
    if hidden is None or not _ambiguous(document, hidden):
        return None
    alike = _within(solution["groups"], _classes(_published(document, hidden)))
    return len(hidden) if alike else None


def _ambiguous(document: Document, hidden: Hidden) -> bool:
    rows = _published(document, hidden)
    return all(
        sum(all(_match(a, b) for a, b in zip(p, q, strict=True)) for q in rows)
        >= document["k"]
        for p in rows
    )


def _match(a: object, b: object) -> bool:
    return a is STAR or b is STAR or not _unlike(a, b)


def _published(document: Document, hidden: Hidden) -> list[list[object]]:
    return [
        [STAR if (i, j) in hidden else cell for j, cell in enumerate(row)]
        for i, row in enumerate(document["table"])
    ]


def _classes(rows: Sequence[Sequence[object]]) -> list[list[int]]:
    """Return the rows that look the same."""
    classes: dict[tuple[object, ...], list[int]] = {}
    for i, row in enumerate(rows):
        key = tuple((type(cell).__name__, cell) for cell in row)
        classes.setdefault(key, []).append(i)
    return list(classes.values())


def _within(groups: Sequence[Sequence[int]], classes: Sequence[Sequence[int]]) -> bool:
    """Tell whether every group is a part of one class of rows that look the same."""
    return all(any(set(g) <= set(rows) for rows in classes) for g in groups)


def _hidden(document: Document, solution: Document) -> Hidden | None:
    """Return the suppressed cells of a solution whose groups partition the rows."""
    n, m = shape_of(document)
    hidden = [(i, j) for i, j in solution.get("suppressed") or ()]
    groups = solution["groups"]
    if sorted(i for group in groups for i in group) != list(range(n)):
        return None
    if not all(groups):
        return None
    inside = all(0 <= i < n and 0 <= j < m for i, j in hidden)
    return frozenset(hidden) if inside else None


def _height(document: Document, column: int) -> int:
    return len(document["hierarchies"][column][0]) - 1


def _label(document: Document, row: int, column: int, level: int) -> object:
    cell = document["table"][row][column]
    chain = next(
        chain
        for chain in document["hierarchies"][column]
        if not _unlike(chain[0], cell)
    )
    return type(chain[level]).__name__, chain[level]


def _weights(document: Document) -> list[int]:
    """Return what a level of each column costs."""
    heights = [_height(document, j) for j in range(shape_of(document)[1])]
    wished = document.get("column_weights") or [1] * len(heights)
    if document.get("loss", "height") != "precision":
        return list(wished)
    common = lcm(*(height for height in heights if height))
    shares = [common // height if height else 0 for height in heights]
    return [share * weight for share, weight in zip(shares, wished, strict=True)]


def _rows_in(document: Document, group: Sequence[int]) -> int:
    """Return how many rows a group counts for."""
    weights = document.get("row_weights")
    return len(group) if weights is None else sum(weights[i] for i in group)


def entries(document: Document) -> Groups:
    """Return generalisation on entries: the least levels at which a group is equal."""
    n, m = shape_of(document)
    weights, k = _weights(document), document["k"]

    def cost(group: Group, _centre: int | None) -> int | None:
        if len(group) < k or not _diverse(document, group):
            return None
        return _rows_in(document, group) * sum(
            weights[j] * _least_level(document, group, j) for j in range(m)
        )

    return Groups(n, cost, sums=True)


def _diverse(document: Document, group: Sequence[int]) -> bool:
    """Tell whether a group keeps its sensitive values apart; without any it does."""
    l, t = document.get("l") or 1, document.get("t")  # noqa: E741
    for column in zip(*document.get("sensitive") or (), strict=True):
        kinds = [(type(value).__name__, value) for value in column]
        of_all, held = Counter(kinds), Counter(kinds[i] for i in group)
        if document.get("reading") == "frequency":
            if l * max(held.values()) > len(group):
                return False
        elif len(held) < l:
            return False
        shares = [
            Fraction(count, len(group)) - Fraction(of_all[kind], len(kinds))
            for kind, count in held.items()
        ]
        apart = sum(share for share in shares if share > 0)
        if t is not None and apart > Fraction(t):
            return False
    return True


def _least_level(document: Document, group: Group, column: int) -> int:
    return next(
        level
        for level in range(_height(document, column) + 1)
        if len({_label(document, i, column, level) for i in group}) == 1
    )


def levels_cost(document: Document, solution: Document) -> int | None:
    """Return the cost of a solution on entries; None if it is none."""
    groups, levels = solution["groups"], solution.get("levels") or ()
    n, m = shape_of(document)
    if sorted(i for group in groups for i in group) != list(range(n)):
        return None
    if len(levels) != len(groups) or any(len(chosen) != m for chosen in levels):
        return None
    weights, total = _weights(document), 0
    for group, chosen in zip(groups, levels, strict=True):
        if len(group) < document["k"] or not _diverse(document, group):
            return None
        for j, level in enumerate(chosen):
            if not 0 <= level <= _height(document, j):
                return None
            if len({_label(document, i, j, level) for i in group}) != 1:
                return None
            total += _rows_in(document, group) * weights[j] * level
    return total


def least_lattice(document: Document) -> int | None:
    """Return the least loss of generalisation on attributes."""
    _, m = shape_of(document)
    every = product(*(range(_height(document, j) + 1) for j in range(m)))
    costs = [
        _loss(document, levels, rows) for levels in every for rows in _allowed(document)
    ]
    return min((cost for cost in costs if cost is not None), default=None)


def _allowed(document: Document) -> list[tuple[int, ...]]:
    """Return every set of rows that may be suppressed."""
    n, most = shape_of(document)[0], document.get("suppress_rows") or 0
    counts = range(min(n, most) + 1)
    return [rows for count in counts for rows in combinations(range(n), count)]


def lattice_cost(document: Document, solution: Document) -> int | None:
    """Return the cost of a solution on attributes; None if it is none."""
    _, m = shape_of(document)
    chosen: list[list[int]] = solution.get("levels") or []
    if len(chosen) != 1 or len(chosen[0]) != m:
        return None
    levels = chosen[0]
    if any(not 0 <= x <= _height(document, j) for j, x in enumerate(levels)):
        return None
    groups, n = solution["groups"], shape_of(document)[0]
    if sorted(i for group in groups for i in group) != list(range(n)):
        return None
    if any(len(group) < document["k"] for group in groups):
        return None
    if not all(_diverse(document, group) for group in groups):
        return None
    suppressed = tuple(sorted(solution.get("suppressed_rows") or ()))
    if suppressed not in _allowed(document):
        return None
    alike = _within(groups, _looks(document, levels, suppressed))
    return _loss(document, levels, suppressed) if alike else None


def _looks(
    document: Document, levels: Sequence[int], suppressed: Sequence[int] = ()
) -> list[list[int]]:
    n, m = shape_of(document)
    return _classes(
        [
            ["top"] * m
            if i in suppressed
            else [_shown(document, i, j, levels[j]) for j in range(m)]
            for i in range(n)
        ]
    )


def _shown(document: Document, row: int, column: int, level: int) -> object:
    """Return a label, or "top" if no other one is at this level and above."""
    levels = range(level, _height(document, column) + 1)
    labels = [_label(document, row, column, x) for x in levels]
    return "top" if len(set(labels)) == 1 else labels[0]


def _loss(
    document: Document, levels: Sequence[int], suppressed: Sequence[int]
) -> int | None:
    published = _looks(document, levels, suppressed)
    if any(len(rows) < document["k"] for rows in published):
        return None
    if not all(_diverse(document, rows) for rows in published):
        return None
    n, classes = shape_of(document)[0], _looks(document, levels)
    kept = [set(rows) - set(suppressed) for rows in classes]
    match document.get("loss", "height"):
        case "discernibility":
            sizes = zip(classes, kept, strict=True)
            return sum(len(a) * len(b) for a, b in sizes) + n * len(suppressed)
        case "average-class-size":
            return n - sum(map(bool, kept))
    return sum(w * x for w, x in zip(_weights(document), levels, strict=True))


def expanded(document: Document) -> dict[str, Any]:
    """Return an instance of suppression with all that its name stands for."""
    full = dict(document)
    full["limits"] = {
        q: most
        for q, most in (document.get("limits") or {}).items()
        if most is not None
    }
    name = full.pop("variant", None)
    if name is None:
        return full
    *words, kind = name.removeprefix("SOL-").split("-")
    minimise = "none"
    for asked in ("MIN", "MAX"):
        if asked in words:
            cost = words[-1]
            minimise = "k" if cost == "k" else _QUANTITIES[cost]
    return {**full, "minimise": minimise, "deletion": kind == "DEL"}


def least_suppression(document: Document) -> int | None:
    """Return the least cost of a problem of the suppression family."""
    full = expanded(document)
    n, m = shape_of(full)
    cells = list(product(range(n), range(m)))
    best: int | None = None
    for mask in range(1 << len(cells)):
        hidden = frozenset(cell for i, cell in enumerate(cells) if mask >> i & 1)
        classes = _classes(_published(full, hidden))
        if any(len(rows) < full["k"] for rows in classes):
            continue
        for columns in _regions(full, m):
            cost = _cost_of(full, hidden, classes, columns)
            if cost is not None and (best is None or cost < best):
                best = cost
    return best


def suppression_cost(document: Document, solution: Document) -> int | None:
    """Return the cost of a solution of the suppression family; None if it is none."""
    full = expanded(document)
    hidden = _hidden(full, solution)
    if hidden is None or any(len(g) < full["k"] for g in solution["groups"]):
        return None
    if not _within(solution["groups"], _classes(_published(full, hidden))):
        return None
    columns = frozenset(solution.get("region_columns") or ())
    if not columns <= set(range(shape_of(full)[1])):
        return None
    return _cost_of(full, hidden, solution["groups"], columns)


def _named(full: Document) -> set[str]:
    """Return which of rows and columns the region is made of."""
    named = {*full["limits"], full.get("minimise", "entries")}
    return {"rows", "columns"} & named


def _regions(full: Document, m: int) -> Iterator[frozenset[int]]:
    if len(_named(full)) < 2:
        yield frozenset()
        return
    for size in range(m + 1):
        yield from map(frozenset, combinations(range(m), size))


def _cost_of(
    full: Document,
    hidden: Hidden,
    groups: Sequence[Sequence[int]],
    columns: frozenset[int],
) -> int | None:
    """Return the cost with these columns as those of the region; None if broken."""
    n, m = shape_of(full)
    region = _named(full)
    in_row, in_column = Counter(i for i, _ in hidden), Counter(j for _, j in hidden)
    rows = {i for i, j in hidden if len(region) < 2 or j not in columns}
    whole = columns if len(region) == 2 else frozenset(in_column)
    found = {
        "rows": len(rows),
        "columns": len(whole),
        "entries": len(hidden),
        "per_row": max(in_row.values(), default=0),
        "per_column": max(in_column.values(), default=0),
        "k": -min(map(len, groups), default=full["k"]),
        "none": 0,
    }
    if any(found[quantity] > most for quantity, most in full["limits"].items()):
        return None
    if any(in_column[j] for j in full.get("intact") or ()):
        return None
    for order, stars in (("row_order", in_row), ("column_order", in_column)):
        for here, after in pairwise(full.get(order) or ()):
            if max(stars[x] for x in here) > min(stars[x] for x in after):
                return None
    if full.get("deletion"):
        deleted = {
            (i, j)
            for i, j in product(range(n), range(m))
            if ("rows" in region and i in rows) or ("columns" in region and j in whole)
        }
        if deleted != hidden:
            return None
    return found[full.get("minimise", "entries")]
