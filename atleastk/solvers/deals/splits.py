"""What a deal in part leaves open: where a node of the tree is divided.

First the columns of the region, then thresholds between classes of rows: both are
needed before weights say much. Then how many rows hide a column, or all of them, if
they only have to match: whose rows these are matters little. Then how many copies of a
kind keep a column, which divides the deals evenly; how many keep several columns; and
at last which patterns are in use. A deal in part that leaves nothing open is a deal.

There are two exceptions. If sensitive values are kept apart, it may be too dear and not
refuted, for the worth of groups is overrated; if rows only have to match, some of equal
ones may still lack matches. Then what is dealt is fixed, one pair after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from math import floor
from operator import itemgetter
from typing import Any, Final

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.models.certificates.deals import Copies, Deals, Node

UNDECIDED: Final = 1e-6
"""Copies: how far from whole a number is taken to be so. HiGHS keeps rows to 1e-7."""

_TRIED: Final = 6
"""Splits that are offered at most: both sides of each are bounded. Not tuned."""


Split = tuple[Mapping[str, Any], tuple[Node, Node]]
"""A split as the certificate states it, and its sides, yes and no."""


def splits(deals: Deals, node: Node, dealt: FloatArray) -> Iterator[Split]:
    """Yield splits of one sort, the first of which there are any.

    Parameters
    ----------
    dealt
        The copies that every pair has.
    """
    for sort in _SORTS:
        offered = list(islice(sort(deals, node, dealt), _TRIED))
        if offered:
            yield from offered
            return


def _region(deals: Deals, node: Node, dealt: FloatArray) -> Iterator[Split]:
    """Yield the open column with most cells, if the open ones cannot all belong."""
    question = deals.question
    if "columns" not in question.region:
        return
    counted = (dealt > UNDECIDED) & ~deals.outside(node)
    cells = {
        j: float(dealt[deals.hides(j) & counted].sum())
        for j in range(question.m)
        if not (node.inside | node.outside) >> j & 1
    }
    touched = [j for j, some in cells.items() if some]
    room = question.limits["columns"] - node.inside.bit_count()
    divided = touched if len(touched) > room else []
    if question.deletion and not divided:
        whole = float(dealt[counted].sum())
        divided = [j for j in touched if cells[j] < whole - UNDECIDED]
    if divided:
        j = max(divided, key=cells.__getitem__)
        yield {"column": j}, node.by_region(j)


def _thresholds(deals: Deals, node: Node, dealt: FloatArray) -> Iterator[Split]:
    """Yield the first pair of classes that have no threshold between them."""
    stars = deals.stars()
    classes, held = deals.class_of[deals.kind], dealt > UNDECIDED
    for c in range(deals.boundaries):
        most = int(stars[held & (classes <= c)].max(initial=0))
        least = int(stars[held & (classes > c)].min(initial=deals.question.m))
        if most > least:
            q = (most + least) // 2
            yield {"class": c, "at_most": q}, node.by_threshold(c, q)
            return


def _rows_hiding(deals: Deals, node: Node, dealt: FloatArray) -> Iterator[Split]:
    """Yield how many rows hide a column, or all, where rows only have to match."""
    if deals.dealing.matches:
        bits = [1 << j for j in _told_apart(deals)]
        counted = [Copies(None, columns, 0) for columns in (sum(bits), *bits)]
        yield from _copies(deals, node, dealt, counted)


def _columns_kept(deals: Deals, node: Node, dealt: FloatArray) -> Iterator[Split]:
    columns = [1 << j for j in _told_apart(deals)]
    kinds = np.unique(deals.kind[_parted(dealt)]).tolist()
    counted = [Copies(t, j, 0) for t in kinds for j in columns]
    yield from _copies(deals, node, dealt, counted)


def _sets_kept(deals: Deals, node: Node, dealt: FloatArray) -> Iterator[Split]:
    parted = np.flatnonzero(_parted(dealt)).tolist()
    counted = {_kept(deals, pair) for pair in parted}
    yield from _copies(deals, node, dealt, sorted(counted))


def _copies(
    deals: Deals, node: Node, dealt: FloatArray, counted: Iterable[Copies]
) -> Iterator[Split]:
    """Yield the counts that are far from whole, the furthest first."""
    counts = []
    for split in counted:
        count = float(dealt[deals.counted(split)].sum())
        away = abs(count - round(count))
        if away > UNDECIDED:
            counts.append((away, split._replace(most=floor(count))))
    for _, split in sorted(counts, key=itemgetter(0), reverse=True):
        yield split.to_dict(), node.by_copies(split)


def _use(deals: Deals, node: Node, dealt: FloatArray) -> Iterator[Split]:
    """Yield patterns that have rows, but no admissible group of them."""
    rows = np.bincount(deals.pattern, weights=dealt, minlength=len(deals.hidden))
    few = (rows > UNDECIDED) & (rows < deals.least - UNDECIDED)
    if deals.dealing.diverse is not None:
        few = rows > UNDECIDED
    few[list(node.used)] = False
    for number in np.flatnonzero(few).tolist():
        kind = int(deals.kind[deals.pattern == number][0])
        kept = np.flatnonzero(~deals.hidden[number]).tolist()
        yield {"kind": kind, "pattern": kept}, node.by_use(number)


def _dealt(deals: Deals, node: Node, dealt: FloatArray) -> Iterator[Split]:
    """Yield whether kinds have a pattern as often as they do, if that is not said."""
    if deals.dealing.diverse is None and not deals.dealing.matches:
        return
    for pair in np.flatnonzero(dealt > UNDECIDED).tolist():
        most = round(float(dealt[pair])) - 1
        split = _kept(deals, pair)._replace(most=most, yes=False)
        if split not in node.copies:
            yield split.to_dict(), node.by_copies(split)


def _kept(deals: Deals, pair: int) -> Copies:
    """Return the split by whether a copy of a kind keeps what a pattern keeps."""
    hidden = deals.hidden[deals.pattern[pair]]
    every = range(deals.question.m) if deals.dealing.matches else _told_apart(deals)
    kept = [j for j in every if not hidden[j]]
    return Copies(int(deals.kind[pair]), sum(1 << j for j in kept), 0)


def _told_apart(deals: Deals) -> list[int]:
    """Return the first of the columns that the same patterns hide, if any do."""
    firsts: dict[bytes, int] = {}
    for j, hidden in enumerate(np.ascontiguousarray(deals.hidden.T)):
        if hidden.any():
            firsts.setdefault(hidden.tobytes(), j)
    return list(firsts.values())


def _parted(dealt: FloatArray) -> Any:
    """Return which pairs have no whole number of copies."""
    return np.abs(dealt - np.rint(dealt)) > UNDECIDED


_SORTS: Final = (
    _region,
    _thresholds,
    _rows_hiding,
    _columns_kept,
    _sets_kept,
    _use,
    _dealt,
)
"""The sorts of splits, in the order in which they are tried."""
