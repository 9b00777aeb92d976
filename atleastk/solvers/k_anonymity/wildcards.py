"""Anonymity by the wildcard reading: a suppressed cell matches anything.

Two rows look alike if they agree wherever neither is suppressed. The distinct records
are sorted, so that records with a common prefix lie side by side: the *nodes* of a trie
are ranges of them. The records are visited in this order too, and for every length of
the prefix of a record there is a list of the nodes that match it so far. Of the lists
of the record before, only those of other prefixes are made anew, and where nothing but
stars is left of a record the nodes listed are what matches it.

Time: a step for every prefix of a record and every node that matches it; at worst O(m)
per pair of records, far less where columns have many values. Columns that distinguish
most records come first. Space: O(m) per record.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.models.tables.anonymity import Anonymity
from atleastk.solvers.compiled.compile import compiled

_PAIRS_A_CALL: Final = 30_000_000
"""Between two calls of the loop the interpreter can be interrupted."""


def wildcard(codes: Int32Array, hidden: BoolArray) -> Anonymity:
    """Count the rows that agree wherever neither has a hidden cell."""
    marked = np.where(hidden, 0, codes + 1).astype(np.int32)
    records = Records.coded(marked)
    alike = _matching(records.codes, records.copies)
    return Anonymity(alike[records.record_of], records.copies, wildcards=True)


def _matching(codes: Int32Array, copies: IntArray) -> IntArray:
    distinct, m = codes.shape
    if not distinct or not m:
        return copies
    places = np.argsort([_agreement(codes[:, j], copies) for j in range(m)])
    order = np.lexsort(codes[:, places[::-1]].T)
    columns = np.ascontiguousarray(codes[order][:, places].T)
    before = np.concatenate(([0], np.cumsum(copies[order])))
    ends = _ends(columns)
    nodes = np.empty((m + 1, distinct), dtype=np.int32)
    found = np.empty(distinct, dtype=np.int64)
    block = max(1, _PAIRS_A_CALL // distinct)
    for first in range(0, distinct, block):
        last = min(first + block, distinct)
        _count(columns, ends, before, nodes, first, last, found)
    alike = np.empty_like(found)
    alike[order] = found
    return alike


def _agreement(column: Int32Array, copies: IntArray) -> float:
    """Return the chance that two rows match in a column."""
    shares = np.bincount(column, weights=copies) / copies.sum()
    return float((shares**2).sum() + 2 * shares[0] * (1 - shares[0]))


@compiled
def _ends(columns: Int32Array) -> Int32Array:
    """Return where the records with the prefix of a record end, `[length, record]`."""
    m, distinct = columns.shape
    ends = np.empty((m + 1, distinct), dtype=np.int32)
    ends[0] = distinct
    for j in range(m):
        for i in range(distinct - 1, -1, -1):
            same = i + 1 < ends[j, i] and columns[j, i + 1] == columns[j, i]
            ends[j + 1, i] = ends[j + 1, i + 1] if same else i + 1
    return ends


@compiled
def _count(
    columns: Int32Array,  # [column, record]
    ends: Int32Array,  # [length, record]
    before: IntArray,  # [record + 1]
    nodes: Int32Array,  # [length, place]
    first: int,
    last: int,
    found: IntArray,  # [record]
) -> None:
    """Count the copies that match the records from `first` to `last`.

    ``nodes[j]`` lists the nodes of length j that match, by their first records.
    """
    m = len(columns)
    lengths = np.zeros(m + 1, dtype=np.int64)
    nodes[0, 0], lengths[0] = 0, 1
    ready = 0
    for i in range(first, last):
        # The lists of the common prefix stay; behind `stop` there are only stars.
        if i > first:
            while ends[ready, i - 1] <= i:
                ready -= 1
        stop = m
        while stop > 0 and columns[stop - 1, i] == 0:
            stop -= 1
        for j in range(ready, stop):
            own, column = columns[j, i], columns[j]
            size = 0
            for at in range(lengths[j]):
                node = nodes[j, at]
                end = ends[j, node]
                # A star matches all children of a node.
                if own == 0:
                    while node < end:
                        nodes[j + 1, size] = node
                        size += 1
                        node = ends[j + 1, node]
                    continue
                # A value matches the child with a star, which comes first, ...
                if column[node] == 0:
                    nodes[j + 1, size] = node
                    size += 1
                    node = ends[j + 1, node]
                # ... and the child of the same value, found by binary search.
                while node < end:
                    middle = (node + end) // 2
                    if column[middle] < own:
                        node = middle + 1
                    else:
                        end = middle
                if node < ends[j, nodes[j, at]] and column[node] == own:
                    nodes[j + 1, size] = node
                    size += 1
            lengths[j + 1] = size
        # All records in the last nodes match.
        ready = max(ready, stop)
        total = 0
        for at in range(lengths[stop]):
            node = nodes[stop, at]
            total += before[ends[stop, node]] - before[node]
        found[i] = total
