"""Enumeration of the patterns of a table: all of a support, and the closed ones.

A pattern keeps the values of some columns and has stars on the others. It is closed if
the rows that match it agree on no column that has a star.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.records import distinct_rows
from atleastk.models.in_time import look_up

_MOST_WORK: Final = 4_000_000
"""Pairs of a pattern and a kind that matches it: a leaf takes a second."""

_MOST_SETS: Final = 2**14
"""Sets of columns: listing their patterns takes two seconds."""

_MOST_SPLIT: Final = 100_000
"""Patterns times columns that they hide: some seconds."""


def all_patterns(
    codes: Int32Array, copies: IntArray, least: int, intact: frozenset[int]
) -> Iterator[tuple[BoolArray, IntArray]]:
    """Yield the stars of every pattern that enough rows match, and those kinds."""
    m = codes.shape[1]
    free = [j for j in range(m) if j not in intact]
    if len(free) > 62 or max(1, len(codes)) << len(free) > _MOST_WORK:
        raise _too_many(codes)
    if 1 << len(free) > _MOST_SETS:
        raise _too_many(codes)
    for chosen in range(1 << len(free)):
        look_up()
        hidden = np.zeros(m, dtype=np.bool_)
        hidden[[j for b, j in enumerate(free) if chosen >> b & 1]] = True
        group_of = distinct_rows(codes[:, ~hidden])[1]
        order = np.argsort(group_of, kind="stable")
        starts = np.flatnonzero(np.diff(group_of[order], prepend=-1))
        if not len(starts):
            continue
        enough = np.add.reduceat(copies[order], starts) >= least
        for members, holds in zip(np.split(order, starts[1:]), enough, strict=True):
            if holds:
                yield hidden, members


def closed_patterns(
    codes: Int32Array, copies: IntArray, least: int
) -> Iterator[tuple[BoolArray, IntArray]]:
    """Yield the stars of every closed pattern that enough rows match, and those kinds.

    Depth first: the rows of a pattern are divided by a later column that it hides. A
    part that agrees on an earlier hidden column is skipped, since dividing by that
    finds it: so each pattern is found once.
    """
    columns, twin_of = _distinct_columns(codes)
    codes = np.ascontiguousarray(codes[:, columns])
    m, work, split = len(columns), 0, 0
    everything = np.arange(len(codes))
    kept = (codes == codes[:1]).all(axis=0)
    parts = [(everything, kept, 0)] if copies.sum() >= least and len(codes) else []
    while parts:
        look_up()
        members, kept, first = parts.pop()
        work, split = work + len(members), split + m - int(kept.sum())
        if work > _MOST_WORK or split > _MOST_SPLIT:
            raise _too_many(codes)
        yield ~kept[twin_of], members
        for j in range(first, m):
            if kept[j]:
                continue
            ordered = members[np.argsort(codes[members, j], kind="stable")]
            rows = codes[ordered]
            starts = np.flatnonzero(np.diff(rows[:, j], prepend=-1))
            agree = np.minimum.reduceat(rows, starts, axis=0) == np.maximum.reduceat(
                rows, starts, axis=0
            )
            good = np.add.reduceat(copies[ordered], starts) >= least
            good &= ~(agree[:, :j] & ~kept[:j]).any(axis=1)
            ends = np.append(starts[1:], len(ordered))
            parts += [
                (np.sort(ordered[starts[g] : ends[g]]), agree[g], j + 1)
                for g in np.flatnonzero(good)
            ]


def _distinct_columns(codes: Int32Array) -> tuple[list[int], list[int]]:
    """Return the first of equal columns, and for each column which of these it is.

    A closed pattern keeps all that are equal, or none.
    """
    firsts: dict[bytes, int] = {}
    twin_of = [firsts.setdefault(x.tobytes(), len(firsts)) for x in codes.T]
    return [twin_of.index(c) for c in range(len(firsts))], twin_of


def _too_many(codes: Int32Array) -> NotApplicableError:
    size = f"{len(codes)} distinct rows of {codes.shape[1]} columns"
    return NotApplicableError(f"{size} have too many patterns for a tree")
