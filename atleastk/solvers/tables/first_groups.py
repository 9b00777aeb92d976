"""First groups of a table, by passes over arrays that need no compiled loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.records import Records
from atleastk.models.results.solution import Solution

_MOST_ROUNDS: Final = 10_000
"""Groups that are made of near rows one by one: 0.2 s."""

_MOST_COMPARED: Final = 100_000_000
"""Cells that are compared for that: 0.2 s."""


def first_groups(records: Records, k: int) -> Iterator[tuple[str, Solution]]:
    """Yield groups of at least k rows with their names; nothing for fewer than k rows.

    All rows as one group; neighbours in the order of the sorted rows; the same of only
    the rows that fewer than k - 1 others equal; and groups of near ones of these,
    unless they are many.
    """
    n, m = records.n, records.m
    if n < k:
        return
    yield "one group", Solution.of([range(n)])
    yield "neighbours", Solution.labelled(neighbours(records, k))
    alike, rest = _alike(records, k)
    if not len(rest):
        yield "equal rows", Solution.labelled(alike)
        return
    rare = records.only(rest)
    if len(rest) < n:
        yield "equal rows", _joined(alike, rest, neighbours(rare, k))
    rounds = len(rest) // k
    if rounds <= _MOST_ROUNDS and rounds * len(rest) * m <= 2 * _MOST_COMPARED:
        yield "peeled rows", _joined(alike, rest, _near(rare, k))


def _alike(records: Records, k: int) -> tuple[IntArray, IntArray]:
    """Return the class of every row, and the rows whose class has fewer than k.

    So that these can be grouped, too, there are none or at least k of them: rows of the
    smallest other class are added if need be.
    """
    classes, sizes = records.record_of.astype(np.int64), records.copies
    rare = sizes < k
    if 0 < sizes[rare].sum() < k:
        large = np.flatnonzero(~rare)
        rare[large[sizes[large].argmin()]] = True
    return classes, np.flatnonzero(rare[classes])


def _joined(classes: IntArray, rows: IntArray, groups: IntArray) -> Solution:
    """Return classes of rows, except for some rows that have groups of their own."""
    labels = classes.copy()
    labels[rows] = labels.max(initial=0) + 1 + groups
    return Solution.labelled(np.unique(labels, return_inverse=True)[1])


def _near(records: Records, k: int) -> IntArray:
    """Return the group of every row: the first row left and those nearest to it.

    The last rows, fewer than 2k, are a group.
    """
    rows = np.arange(records.n)
    codes = np.ascontiguousarray(records.codes[records.record_of].T)
    labels = np.empty(len(rows), dtype=np.int64)
    group = 0
    while len(rows) >= 2 * k:
        differences = (codes != codes[:, :1]).sum(axis=0)
        near = np.argpartition(differences, k - 1)[:k]
        labels[rows[near]] = group
        rows, codes = np.delete(rows, near), np.delete(codes, near, axis=1)
        group += 1
    labels[rows] = group
    return labels


def neighbours(records: Records, k: int) -> IntArray:
    """Return groups of k to 2k-1 neighbours among the sorted rows, by row.

    There are at least k rows.
    """
    codes, n = records.codes, records.n
    columns = np.argsort(codes.max(axis=0, initial=0), kind="stable")
    order = np.lexsort((*codes.T[columns[::-1]], np.zeros(len(codes))))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    rows = np.argsort(place[records.record_of], kind="stable")
    labels = np.empty(n, dtype=np.int64)
    labels[rows] = np.arange(n) * (n // k) // n
    return labels
