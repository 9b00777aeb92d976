"""First groups of a table, by passes over arrays that need no compiled loop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from math import inf
from typing import Final

import numpy as np

from atleastk.arrays import IntArray, WordArray, stable_order
from atleastk.instances.records import Records, keys_of
from atleastk.models.results.solution import Solution
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.nearness import CELLS_AT_ONCE

MOST_IDLE: Final = 100
"""Sets of columns that are hidden one after the other, and no class reaches k: not
tuned."""

_MOST_SORTED: Final = 1 << 12
"""Sets of one size that are put in order: not tuned."""

_MOST_PEELED: Final = 1 << 26
"""Distinct rows that are looked at for that in all: 3 s if all differ, not tuned."""

_MOST_BITS: Final = 24
"""Bits of keys that are counted without a sort: 128 MB."""


def first_groups(records: Records, k: int) -> Iterator[tuple[str, Solution]]:
    """Yield groups of at least k rows with their names; nothing for fewer than k rows.

    All rows as one group, and the classes that hiding few columns leaves.
    """
    if records.n < k:
        return
    whole = np.arange(records.distinct)
    one = Assignment(np.zeros_like(whole), whole, records.copies)
    yield "one group", one.solution(records)
    yield "peeled columns", peeled(records, k).solution(records)


def peeled(records: Records, k: int, intact: Sequence[int] = ()) -> Assignment:
    """Return groups of rows that are equal but in few columns, none of them intact.

    For sets of no column, of one, of two and so on, those of the most information
    first: hide the set in the rows that are left, and finish the classes that reach k.
    So a row is in a class of its own as long as no set that came before made one of k.
    Rows that no set has finished are near ones, neighbours if they are many, or join
    the group that loses least.
    Rows are compared by sums of random numbers of their values; if two were equal that
    are not, they would be in one group. In O(sets * n log n) time. There are at least k
    rows, of all values of the intact columns together.
    """
    copies, m, keys = records.copies, records.m, Keys(records)
    rest = np.arange(records.distinct)
    group_of = np.full(len(rest), -1, dtype=np.int64)
    groups, room, idle, best = 0, _MOST_PEELED, 0, (inf, 0)
    for columns in keys.sets(intact):
        room, idle = room - len(rest), idle + 1
        if not len(rest) or room < 0 or idle > MOST_IDLE:
            break
        left = keys.without(columns, rest)
        some = _crowded(left, copies[rest], k)
        class_of, sizes = _classes(left[some], copies[rest[some]])
        large = sizes >= k
        if not large.any():
            continue
        idle, number = 0, groups + np.cumsum(large) - 1
        loses = int(sizes[large].min()) * (m - len(columns))
        smallest = int(number[np.flatnonzero(large)[sizes[large].argmin()]])
        best = min(best, (loses, smallest))
        ended = large[class_of]
        group_of[rest[some[ended]]] = number[class_of[ended]]
        groups = int(number[-1]) + 1
        rest = np.delete(rest, some[ended])
    finished = np.flatnonzero(group_of >= 0)
    if intact:
        free = [j for j in range(m) if j not in intact]
        piece_of, sizes = _classes(keys.without(free), copies)
        waiting = np.bincount(piece_of[rest], copies[rest], len(sizes))
        last = np.full(len(sizes), -1)  # the group of a piece that has lost most
        np.maximum.at(last, piece_of[finished], group_of[finished])
        joined = (waiting < k) & (last >= 0)
        home = np.where(joined, last, groups + np.arange(len(sizes)))
        group_of[rest] = home[piece_of[rest]]
        return Assignment.of(group_of, np.arange(records.distinct), copies)
    rare = records.apart(rest, copies[rest])
    labels = np.full(rare.n, best[1])
    if rare.n >= k:
        labels = groups + close_rows(rare, k)
    return Assignment.of(
        np.concatenate((group_of[finished], labels)),
        np.concatenate((finished, rest[rare.record_of])),
        np.concatenate((copies[finished], np.ones_like(labels))),
    )


class Keys:
    """Sums of random numbers, modulo 2^64, of the values of every distinct record."""

    def __init__(self, records: Records) -> None:
        rng = np.random.default_rng(0)
        self._codes = codes = np.ascontiguousarray(records.codes.T)
        words = (rng.integers(0, 2**64, c.max() + 1, dtype=np.uint64) for c in codes)
        self._words: Sequence[WordArray] = [
            w[c] for w, c in zip(words, codes, strict=True)
        ]
        self._whole = sum(self._words, np.zeros(records.distinct, dtype=np.uint64))
        self._worth = [_information(column, records.copies) for column in codes]

    def without(
        self, columns: Iterable[int], some: IntArray | slice = slice(None)
    ) -> WordArray:
        """Return the keys of some records if these columns are hidden."""
        keys: WordArray = self._whole[some].copy()
        for j in columns:
            keys -= self._words[j][some]
        return keys

    def sets(self, intact: Sequence[int] = ()) -> Iterator[tuple[int, ...]]:
        """Yield sets of other columns by their sizes, those worth most first.

        Of many sets of a size some are worth most.
        """
        worth = self._worth
        free = [j for j in range(len(worth)) if j not in intact]
        first = sorted(free, key=lambda j: -worth[j])
        for size in range(len(first) + 1):
            sets = islice(combinations(first, size), _MOST_SORTED)
            yield from sorted(sets, key=lambda columns: -sum(worth[j] for j in columns))


def _crowded(keys: WordArray, copies: IntArray, k: int) -> IntArray:
    """Return keys among which are all that at least k copies have.

    They are where last bits are crowded: without a sort, few others are.
    """
    bits = min(_MOST_BITS, len(keys).bit_length())
    places = (keys & np.uint64((1 << bits) - 1)).astype(np.int64)
    crowded = np.bincount(places, copies) >= k
    return np.flatnonzero(crowded[places])


def _classes(keys: WordArray, copies: IntArray) -> tuple[IntArray, IntArray]:
    """Return the class of every key, and how many copies classes have."""
    _, found = np.unique(keys, return_inverse=True)
    class_of: IntArray = found.reshape(len(keys)).astype(np.int64)
    return class_of, np.bincount(class_of, copies).astype(np.int64)


def _information(codes: IntArray, copies: IntArray) -> float:
    counts = np.bincount(codes, copies)
    shares = counts[counts > 0] / copies.sum()
    return -float((shares * np.log(shares)).sum())


def close_rows(records: Records, k: int) -> IntArray:
    """Return groups of near rows, or of neighbours where rows are many.

    There are at least k rows.
    """
    compared = records.n // k * records.n * records.m
    close = near if compared <= 2 * CELLS_AT_ONCE else neighbours
    return close(records, k)


def near(records: Records, k: int) -> IntArray:
    """Return the group of every row: the first row left and those nearest to it.

    The last rows, fewer than 2k, are a group.
    """
    rows = np.arange(records.n)
    codes = np.ascontiguousarray(records.codes[records.record_of].T)
    labels = np.empty(len(rows), dtype=np.int64)
    group = 0
    while len(rows) >= 2 * k:
        differences = (codes != codes[:, :1]).sum(axis=0)
        nearest = np.argpartition(differences, k - 1)[:k]
        labels[rows[nearest]] = group
        rows, codes = np.delete(rows, nearest), np.delete(codes, nearest, axis=1)
        group += 1
    labels[rows] = group
    return labels


def neighbours(records: Records, k: int) -> IntArray:
    """Return groups of k to 2k-1 neighbours among the sorted rows, by row.

    There are at least k rows.
    """
    codes, n = records.codes, records.n
    columns = np.argsort(codes.max(axis=0, initial=0), kind="stable")
    order = stable_order(keys_of([codes[:, j] for j in columns], len(codes)))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    rows = stable_order(place[records.record_of])
    labels = np.empty(n, dtype=np.int64)
    labels[rows] = np.arange(n) * (n // k) // n
    return labels
