"""The exhaustive algorithms of [Chaytor06], for the whole suppression family.

Select r rows and c columns; split their union into pieces; suppress every admissible
set of cells of every piece; sort the rows and scan for k equal ones; check the
importance order [Lemmas 4.3.2 - 4.3.4, Figure 4.5]. The pieces are

- two, for limits on entries: all of the columns, and the rest of the rows;
- the rows, for limits and orders of rows: whole inside the selection, else its columns;
- the columns, for those of columns, likewise.

What is minimised of rows and columns is tried from 0 on; every other cost is the least
over all schemes. Without a region the selection is the whole table, and a deletion has
one scheme to a selection.

Complexity
----------
O(2^(nm + n + m)) schemes, each sorted in O(nm log n): a union has at most nm cells.
The text has looser or other figures:

- Lemmas 4.3.3 and 4.3.4 bound two pieces by 2^nm each, though they share the nm cells;
- C(n, r) is bounded through n^r <= 2^n, which fails (n = r = 3); C(n, r) <= 2^n holds;
- "nc + r(m - c) <= e <= nm" is no property of an instance: e may be less;
- rows and columns of the last pieces take *up to* min(c, r') or min(r, c') cells, and
  a scheme recurs with every selection that holds it;
- the exponent 6nm + 6m in Theorem 4.3.5 should read 6nm + 6n, still at most 12nm;
- a deletion of at most r rows and c columns, whose selections are not monotone, has
  to try all smaller selections too.

References
----------
[Chaytor06] R. Chaytor, "Utility-Preserving k-Anonymity", Memorial University of
Newfoundland, 2006: section 4.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from math import comb
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import BoolArray
from atleastk.instances.suppression import Suppression
from atleastk.models.suppression import solution_of_mask
from atleastk.solvers.search import Search

MOST_CELLS: Final = 16
"""Tables of more cells are refused."""
MOST_SCHEMES: Final = 2**22
"""More schemes than this over all selections are refused."""

Ints = NDArray[np.integer[Any]]
Lines = tuple[int, ...]


def refuses(instance: Suppression) -> str | None:
    """Say why the table is too large; None if it is not."""
    n, m = instance.n, instance.m
    if instance.is_weighted:
        return "it counts entries, whatever they cost"
    if n * m > MOST_CELLS:
        return f"it tries all sets of at most {MOST_CELLS} cells, not of {n} x {m}"
    schemes = 0
    for rows, columns in _sizes(instance):
        cells = 0 if instance.deletion else n * columns + rows * (m - columns)
        schemes += comb(n, rows) * comb(m, columns) * 2**cells
    if schemes > MOST_SCHEMES:
        return f"it tries at most {MOST_SCHEMES} suppression schemes, not {schemes}"
    return None


def search_all(search: Search[Suppression], source: str) -> None:
    """Enumerate and check the suppression schemes of all selections."""
    instance = search.instance
    least = -max(instance.n, instance.k) if instance.minimise == "k" else 0
    search.raise_bound(least, source)
    for selected in _selections(instance):
        if search.done or _settled(search, selected):
            break
        hidden = _best_scheme(instance, *selected)
        if hidden is not None:
            both = instance.region == ("rows", "columns")
            chosen = selected[1] if both else None
            search.offer(solution_of_mask(instance, hidden, chosen), source)
    if not search.done:
        search.conclude(source)


def _selections(instance: Suppression) -> Iterator[tuple[Lines, Lines]]:
    for rows, columns in _sizes(instance):
        yield from product(
            combinations(range(instance.n), rows),
            combinations(range(instance.m), columns),
        )


def _sizes(instance: Suppression) -> list[tuple[int, int]]:
    """Return how many rows and columns to select, the minimised number ascending."""
    if not instance.region:
        return [(instance.n, 0)]
    counts: list[range] = []
    for quantity, top in (("rows", instance.n), ("columns", instance.m)):
        most = min(instance.limits.get(quantity, top), top)
        if quantity not in instance.region:
            most = 0
        every = instance.deletion or quantity == instance.minimise
        counts.append(range(0 if every else most, most + 1))
    by_columns = instance.minimise == "columns"
    rows, columns = counts
    return sorted(product(rows, columns), key=lambda size: size[by_columns])


def _settled(search: Search[Suppression], selected: tuple[Lines, Lines]) -> bool:
    """Tell whether this and later selections are no smaller than the best solution."""
    minimise = search.instance.minimise
    if search.cost is None or minimise not in ("rows", "columns"):
        return False
    return len(selected[minimise == "columns"]) >= search.cost


def _best_scheme(
    instance: Suppression, rows: Lines, columns: Lines
) -> BoolArray | None:
    """Return the cheapest scheme inside a selection; None if none is admitted."""
    n, m = instance.n, instance.m
    masks = _schemes(instance, rows, columns)
    hidden = (masks[:, None] >> np.arange(n * m) & 1 > 0).reshape(len(masks), n, m)
    in_row, in_column = hidden.sum(axis=2), hidden.sum(axis=1)
    least = _least_classes(instance, hidden)
    costs: dict[str, Ints] = {
        "entries": in_row.sum(axis=1),
        "per_row": in_row.max(axis=1, initial=0),
        "per_column": in_column.max(axis=1, initial=0),
        "k": -least,
    }
    fits = least >= instance.k
    fits &= ~hidden[:, :, list(instance.intact)].any(axis=(1, 2))
    fits &= _ordered(in_row, instance.row_order)
    fits &= _ordered(in_column, instance.column_order)
    for quantity, limit in instance.limits.items():
        if quantity in costs:
            fits &= costs[quantity] <= limit
    admitted = fits.nonzero()[0]
    if not len(admitted):
        return None
    paid = costs.get(instance.minimise, np.zeros(len(masks), dtype=np.int64))
    scheme: BoolArray = hidden[admitted[paid[admitted].argmin()]]
    return scheme


def _schemes(instance: Suppression, rows: Lines, columns: Lines) -> Ints:
    """Return all schemes of a selection as bits, cell after cell and row after row."""
    n, m = instance.n, instance.m
    inside = np.zeros((n, m), dtype=np.bool_)
    inside[list(rows)] = True
    inside[:, list(columns)] = True
    cells = np.where(inside, 1 << np.arange(n * m).reshape(n, m), 0)
    if instance.deletion:
        return np.full(1, cells.sum())
    limits, minimise = instance.limits, instance.minimise
    if instance.row_order or "per_row" in (*limits, minimise):
        pieces, most = list(cells), limits.get("per_row", m)
    elif instance.column_order or "per_column" in (*limits, minimise):
        pieces, most = list(cells.T), limits.get("per_column", n)
    else:
        first = np.isin(np.arange(m), columns)
        pieces = [cells[:, first].ravel(), cells[:, ~first].ravel()]
        most = limits.get("entries", n * m)
    schemes = np.zeros(1, dtype=np.int64)
    for piece in pieces:
        schemes = (schemes[:, None] | _subsets(piece[piece > 0], most)).ravel()
    return schemes


def _subsets(cells: Ints, most: int) -> Ints:
    chosen = np.arange(2 ** len(cells))[:, None] >> np.arange(len(cells)) & 1
    few = chosen[chosen.sum(axis=1) <= most]
    sets: Ints = few @ cells
    return sets


def _least_classes(instance: Suppression, hidden: BoolArray) -> Ints:
    """Return the size of the least class of equal rows: sort, then scan for runs."""
    n, m, records = instance.n, instance.m, instance.records
    if n == 0:
        return np.full(len(hidden), instance.k)
    codes = records.codes[records.record_of].astype(np.int64) + 1
    published = np.where(hidden, 0, codes)
    keys = published @ ((codes.max(initial=0) + 1) ** np.arange(m))
    keys.sort(axis=1)
    least = np.full(len(keys), n)
    run = np.ones(len(keys), dtype=np.int64)
    for here, after in pairwise(keys.T):
        ends = here != after
        np.minimum(least, run, out=least, where=ends)
        run = np.where(ends, 1, run + 1)
    np.minimum(least, run, out=least)
    return least


def _ordered(counts: Ints, order: Sequence[Sequence[int]] | None) -> BoolArray:
    fits = np.ones(len(counts), dtype=np.bool_)
    for here, after in pairwise(order or ()):
        greatest = counts[:, list(here)].max(axis=1)
        fits &= greatest <= counts[:, list(after)].min(axis=1)
    return fits
