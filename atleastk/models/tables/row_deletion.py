"""Deletion of the fewest rows such that every class of equal rows has k.

Deleted rows look the same: they are a class as well, empty or of k rows at least. The
number of classes may be limited besides.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import BoolArray, IntArray, stable_order


def row_deletion(
    sizes: IntArray, k: int, alike: int = 0, most_classes: int | None = None
) -> IntArray | None:
    """Return how many rows of each class of equal rows to delete, the fewest in all.

    None if nothing helps: there are rows, but fewer than k, or no class is allowed.

    Rows of classes below k are deleted. If these are 1..k-1, the class of deleted rows
    is too small, and others must join it: the surplus of classes beyond k, if that is
    enough, else the smallest class of k or more. [Chaytor06, Lemma 4.3.1] only counts
    the first: of rows a, b, b and k = 2 it marks a; but all three have to be deleted. A
    size of 0 stands for no class; surplus is taken from large classes first. `alike`
    other rows look like deleted ones.

    Only deleting a class as a whole leaves fewer of them: the smallest ones go, until
    there are `most_classes` with that of the deleted rows. That has k rows then.
    """
    deleted = np.where(sizes < k, sizes, 0)
    if most_classes is not None:
        whole = np.flatnonzero(sizes >= k)
        together = bool(alike or deleted.any())
        if len(whole) + together > most_classes:
            count = len(whole) + 1 - most_classes
            if count > len(whole):
                return None
            smallest = whole[np.argsort(sizes[whole], kind="stable")[:count]]
            deleted[smallest] = sizes[smallest]
    missing = k - alike - int(deleted.sum())
    if missing in (0, k) or missing < 0:
        return deleted
    whole = np.flatnonzero((sizes >= k) & (deleted == 0))
    if not len(whole):
        return None
    beyond = sizes[whole] - k
    if int(beyond.sum()) < missing:
        smallest = whole[sizes[whole].argmin()]
        deleted[smallest] = sizes[smallest]
        return deleted
    large_first = whole[np.argsort(-beyond, kind="stable")]
    beyond = sizes[large_first] - k
    taken_before = np.cumsum(beyond) - beyond
    deleted[large_first] = np.clip(missing - taken_before, 0, beyond)
    return deleted


def first_rows(class_of: IntArray, counts: IntArray) -> BoolArray:
    """Tell which rows are among the first `counts` of their class."""
    some = np.flatnonzero(counts[class_of] > 0)
    order = stable_order(class_of[some])
    ordered = class_of[some[order]]
    rank = np.arange(len(order)) - np.searchsorted(ordered, ordered)
    first = np.zeros(len(class_of), dtype=np.bool_)
    first[some[order]] = rank < counts[ordered]
    return first
