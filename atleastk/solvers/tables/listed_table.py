"""A table with its list of patterns: what bounds, models and local search work on.

OPT-LB [ParkShim07, Lemma 4.16]: a record of a group S pays a(S), and S lies in a closed
pattern of support >= k with no more stars. So it pays at least the stars of the
cheapest closed pattern that it matches. This relaxes every constraint but one: a
pattern may be used by fewer than k rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine.set_partition.oracle import SAFE
from atleastk.solvers.precision import SCALE
from atleastk.solvers.tables.conditions import Sensitive


@dataclass(frozen=True, slots=True, eq=False)
class ListedTable:
    """The patterns of a table, all or some, and the records that match them."""

    patterns: Patterns
    records: Records
    k: int  # the fewest rows of a group
    asked: Sensitive | None = None  # the condition that groups have to keep

    @property
    def complete(self) -> bool:
        """Whether all patterns are listed."""
        return self.patterns.reach >= self.records.most

    @property
    def greatest_weight(self) -> int:
        """The greatest weight, in stars, that an ascent may try.

        With a complete list it only keeps numbers small: a row and the k - 1 others
        that it may need cost less in all.
        """
        if not self.complete:
            return self.patterns.reach + 1
        return (self.records.most + 1) * self.k

    @property
    def scale(self) -> int:
        """A scale of weights that keeps all sums within 64 bits."""
        records = self.records
        rows = int(records.copies @ records.worth) + int(records.worth.max(initial=1))
        limit = (self.greatest_weight + records.most + 1) * rows
        scale = SCALE
        while scale > 1 and scale * limit >= SAFE:
            scale //= 2
        return scale

    @property
    def least_stars(self) -> IntArray:
        """What a row of each record pays at least, at a weight of 1: OPT-LB."""
        patterns, records = self.patterns, self.records
        most = min(records.most, patterns.reach + 1)
        pairs = patterns.stars, patterns.starts, patterns.records
        return _least_stars(*pairs, records.distinct, most)

    def prices(self, scale: int) -> IntArray:
        """Return what a row of each pattern pays, in units of 1 / scale."""
        return self.patterns.stars.astype(np.int64) * scale

    def only(self, chosen: BoolArray) -> ListedTable:
        """Return the same with the chosen pairs, and the patterns that have any."""
        return replace(self, patterns=self.patterns.only(chosen))

    def supported(self, chosen: BoolArray) -> BoolArray:
        """Return which of the chosen pairs have a pattern that they give k rows."""
        left, patterns = chosen.copy(), self.patterns
        parts = patterns.starts, patterns.records, self.records.copies
        _leave_out_small(*parts, self.k, left)
        return left


@compiled
def _least_stars(
    stars: Int32Array, starts: IntArray, members: Int32Array, distinct: int, most: int
) -> IntArray:
    least = np.full(distinct, most, dtype=np.int64)
    for p in range(len(stars)):
        for i in range(starts[p], starts[p + 1]):
            least[members[i]] = min(least[members[i]], stars[p])
    return least


@compiled
def _leave_out_small(
    starts: IntArray, members: Int32Array, copies: IntArray, k: int, chosen: BoolArray
) -> None:
    for p in range(len(starts) - 1):
        rows = 0
        for i in range(starts[p], starts[p + 1]):
            if chosen[i]:
                rows += copies[members[i]]
        if rows < k:
            chosen[starts[p] : starts[p + 1]] = False
