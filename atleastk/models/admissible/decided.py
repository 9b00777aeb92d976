"""Ryan-Foster branching decisions: pairs together or apart, items in or out.

Two items are decided to be *together*, in one group, or *apart*: no group has both. An
item is decided to be in a group, or to be an outlier. Together is an equivalence, and
an item is apart from all that are together with one that it is apart from.

D. M. Ryan and B. A. Foster, "An Integer Programming Approach to Scheduling" (1981).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from atleastk.arrays import BoolArray, IntArray

Bits = int
"""A set of items."""


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """Decisions on items and on pairs."""

    together: BoolArray
    apart: BoolArray
    """`together`, `apart`: symmetric, [item, item]; every item is together with
    itself."""
    inside: BoolArray
    outside: BoolArray
    """`inside`, `outside`: whether an item is decided to be in a group, or to be an
    outlier, [item]."""

    @classmethod
    def nothing(cls, n: int) -> Decided:
        """Return no decisions on n items."""
        alone, apart = np.eye(n, dtype=np.bool_), np.zeros((n, n), dtype=np.bool_)
        return cls(alone, apart, np.zeros(n, np.bool_), np.zeros(n, np.bool_))

    @property
    def needed(self) -> list[Bits]:
        """By item, the items that it is together with."""
        return bits_of(self.together)

    @property
    def excluded(self) -> list[Bits]:
        """By item, the items that it is apart from."""
        return bits_of(self.apart)

    def by_pair(self, a: int, b: int) -> tuple[Decided, Decided]:
        """Return the sides in which two items are together, and apart."""
        with_a, with_b = self.together[a], self.together[b]
        both = with_a | with_b
        others = self.apart[a] | self.apart[b]
        apart = self.apart | np.outer(both, others) | np.outer(others, both)
        together = self.together | np.outer(both, both)
        joined = Decided(together, apart, self.inside | both, self.outside)
        parted = np.outer(with_a, with_b)
        return joined, replace(self, apart=self.apart | parted | parted.T)

    def only(self, items: Sequence[int]) -> Decided:
        """Return the decisions on some items, in that order."""
        pairs = np.ix_(items, items)
        sides = self.inside[items], self.outside[items]
        return Decided(self.together[pairs], self.apart[pairs], *sides)

    def by_point(self, p: int) -> tuple[Decided, Decided]:
        """Return the sides in which an item is an outlier, and in which it is not."""
        point = np.arange(len(self.inside)) == p
        return (
            replace(self, outside=self.outside | point),
            replace(self, inside=self.inside | self.together[p]),
        )

    def allows(self, has: BoolArray) -> BoolArray:
        """Return which groups, given as [group, item], satisfy the decisions.

        It is enough to compare the first of those that are together.
        """
        if not len(self.inside):
            return np.ones(len(has), dtype=bool)
        first = self.together.argmax(axis=1)
        pairs = np.argwhere(np.triu(self.apart))
        a, b = pairs[(first[pairs] == pairs).all(axis=1)].T
        wrong: BoolArray = (has != has[:, first]).any(axis=1)
        wrong |= (has[:, a] & has[:, b]).any(axis=1)
        wrong |= (has & self.outside).any(axis=1)
        return ~wrong

    def surplus(self, weights: IntArray, outliers: int) -> int:
        """Return the sum of weights, less the greatest that outliers can have."""
        left = max(0, outliers - int(self.outside.sum()))
        free = weights[~self.inside & ~self.outside & (weights > 0)]
        dropped = int(np.sort(free)[::-1][:left].sum())
        return int(weights[~self.outside].sum()) - dropped


def bits_of(rows: BoolArray) -> list[Bits]:
    """Return the rows of a matrix as sets of items."""
    packed = np.packbits(rows, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def members(bits: Bits) -> Iterator[int]:
    """Yield the items of a set, ascending."""
    while bits:
        first = bits & -bits
        yield first.bit_length() - 1
        bits ^= first
