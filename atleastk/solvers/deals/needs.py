"""The needs of matches that a deal in part does not meet.

See "Ambiguity" in :mod:`atleastk.models.certificates.deals`. There is a need for every
kind and every set of columns: those that are violated most are found by sums over all
subsets, as there are of the columns that are not constant.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.models.certificates.deals import Deals, Node

_VIOLATED: Final = 1e-6
"""Rows that are missing: so few count as none. HiGHS keeps rows to 1e-7."""


def unmet_needs(
    deals: Deals, node: Node, dealt: FloatArray
) -> Iterator[tuple[int, int]]:
    """Yield for every kind the columns, as bits, of which most rows are missing.

    Parameters
    ----------
    dealt
        The copies that every pair has.
    """
    held = np.flatnonzero(dealt > 0)
    if not len(held):
        return
    free = np.flatnonzero(deals.hidden.any(axis=0))
    bits = np.left_shift(np.int64(1), np.arange(len(free), dtype=np.int64))
    codes = deals.codes[:, free]
    hidden = deals.hidden[deals.pattern[held]][:, free] @ bits
    kind, copies = deals.kind[held], dealt[held]
    columns = [
        sum(1 << int(j) for b, j in enumerate(free) if chosen >> b & 1)
        for chosen in range(1 << len(free))
    ]
    for t in range(len(deals.copies)):
        lacking = deals.lacking(t)
        if not lacking:
            continue
        own = kind == t
        apart = (codes[kind] != codes[t]) @ bits & ~hidden
        helping = _over_subsets(apart[~own], copies[~own], len(free))
        shown = _over_subsets(hidden[own], copies[own], len(free))
        sure = np.zeros(len(columns), dtype=np.bool_)
        if any(split.kind == t and not split.yes for split in node.copies):
            sure[:] = [deals.is_sure(node, t, needed) for needed in columns]
        share = np.where(sure, 1.0, shown / deals.copies[t])
        missing = lacking * share - helping
        most = int(missing.argmax())
        if missing[most] > _VIOLATED:
            yield t, columns[most]


def _over_subsets(sets: IntArray, amounts: FloatArray, columns: int) -> FloatArray:
    """Return for every set of columns the amounts of its subsets, added up."""
    sums = np.zeros(1 << columns)
    np.add.at(sums, sets, amounts)
    for b in range(columns):
        halves = sums.reshape(-1, 2, 1 << b)
        halves[:, 1] += halves[:, 0]
    return sums
