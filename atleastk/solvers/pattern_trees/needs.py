"""Separation of the needs of matches that a fractional assignment violates.

See :mod:`atleastk.models.certificates.matching_needs`. There is a need for every kind
and every set of columns; the most violated ones are found by the zeta transform (sums
over all subsets) of the columns that are not constant.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.models.certificates.matching_needs import is_sure, lacking
from atleastk.models.certificates.pattern_pairs import Node, PatternPairs
from atleastk.solvers.precision import NOTHING


def unmet_needs(
    pairs: PatternPairs, node: Node, x: FloatArray
) -> Iterator[tuple[int, int]]:
    """Yield for every kind the columns, as bits, of which most rows are missing.

    `x` are the copies of every pair.
    """
    used = np.flatnonzero(x > 0)
    if not len(used):
        return
    free = np.flatnonzero(pairs.hidden.any(axis=0))
    bits = np.left_shift(np.int64(1), np.arange(len(free), dtype=np.int64))
    codes = pairs.codes[:, free]
    hidden = pairs.hidden[pairs.pattern[used]][:, free] @ bits
    kind, copies = pairs.kind[used], x[used]
    columns = [
        sum(1 << int(j) for b, j in enumerate(free) if chosen >> b & 1)
        for chosen in range(1 << len(free))
    ]
    for t in range(len(pairs.copies)):
        needed = lacking(pairs, t)
        if not needed:
            continue
        own = kind == t
        differing = (codes[kind] != codes[t]) @ bits & ~hidden
        helping = _over_subsets(differing[~own], copies[~own], len(free))
        shown = _over_subsets(hidden[own], copies[own], len(free))
        sure = np.zeros(len(columns), dtype=np.bool_)
        if any(split.kind == t and not split.yes for split in node.counts):
            sure[:] = [is_sure(pairs, node, t, some) for some in columns]
        share = np.where(sure, 1.0, shown / pairs.copies[t])
        missing = needed * share - helping
        most = int(missing.argmax())
        if missing[most] > NOTHING:
            yield t, columns[most]


def _over_subsets(sets: IntArray, amounts: FloatArray, columns: int) -> FloatArray:
    """Return for every set of columns the sum of the amounts of its subsets."""
    sums = np.zeros(1 << columns)
    np.add.at(sums, sets, amounts)
    for b in range(columns):
        halves = sums.reshape(-1, 2, 1 << b)
        halves[:, 1] += halves[:, 0]
    return sums
