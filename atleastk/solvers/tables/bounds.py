"""k-anonymity: lower bounds that closed patterns give at once.

OPT-LB [ParkShim07, Lemma 4.16]: a record of a group S pays a(S), and S lies in a closed
pattern of support >= k with no more stars. So it pays at least the stars of the
cheapest closed pattern that it matches.

This relaxes every constraint but one: a pattern may be used by fewer than k rows.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.compiled.compile import compiled


def least_stars(records: Records, patterns: Patterns) -> IntArray:
    """Return what a row of each distinct record pays at least, at a weight of 1."""
    most = min(records.most, patterns.reach + 1)
    return _least_stars(
        patterns.stars, patterns.starts, patterns.records, records.distinct, most
    )


@compiled
def _least_stars(
    stars: Int32Array,
    starts: IntArray,
    members: Int32Array,
    distinct: int,
    most: int,
) -> IntArray:
    least = np.full(distinct, most, dtype=np.int64)
    for p in range(len(stars)):
        for i in range(starts[p], starts[p + 1]):
            least[members[i]] = min(least[members[i]], stars[p])
    return least
