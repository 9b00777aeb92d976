"""Nodes of a branch-and-bound tree over the assignments of rows to patterns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple


class CountSplit(NamedTuple):
    """A branch on how many copies of a kind keep columns, and the side taken.

    Without a kind, on how many rows have stars on all of them. ``columns`` are bits; at
    most ``most`` copies in ``yes``, more in ``no``.
    """

    kind: int | None
    columns: int
    most: int
    yes: bool = True

    @property
    def sign(self) -> int:
        """1 if the count is limited from above, -1 if from below."""
        return 1 if self.yes else -1

    @property
    def side(self) -> int:
        """The greatest count, or minus the least."""
        return self.most if self.yes else -self.most - 1

    def to_dict(self) -> dict[str, Any]:
        """Return the node of the tree without its sides."""
        columns = columns_of(self.columns)
        if self.kind is None:
            return {"stars": columns, "at_most": self.most}
        return {"kind": self.kind, "keeps": columns, "at_most": self.most}


@dataclass(frozen=True, slots=True)
class Node:
    """The branching decisions on the way to a node of the tree.

    Attributes
    ----------
    inside, outside
        Columns that belong to the region, and that do not, as bits.
    used, unused
        Patterns by their numbers.
    least, most
        For every pair of classes of importance the least and greatest threshold.
    counts
        The splits by counts, the topmost first.
    """

    inside: int = 0
    outside: int = 0
    used: tuple[int, ...] = ()
    unused: tuple[int, ...] = ()
    least: tuple[int, ...] = ()
    most: tuple[int, ...] = ()
    counts: tuple[CountSplit, ...] = ()

    def by_region(self, column: int) -> tuple[Node, Node]:
        """Return the sides in which a column belongs to the region, or does not."""
        bit = 1 << column
        return (
            replace(self, inside=self.inside | bit),
            replace(self, outside=self.outside | bit),
        )

    def by_threshold(self, c: int, most: int) -> tuple[Node, Node]:
        """Return the sides in which classes up to c have at most these stars, or more.

        In the second one, all later classes have more.
        """
        below = (*self.most[:c], min(most, self.most[c]), *self.most[c + 1 :])
        above = (*self.least[:c], max(most + 1, self.least[c]), *self.least[c + 1 :])
        return replace(self, most=below), replace(self, least=above)

    def by_count(self, split: CountSplit) -> tuple[Node, Node]:
        """Return the sides in which the count is at most that of the split, or more."""
        yes, no = (split._replace(yes=side) for side in (True, False))
        return (
            replace(self, counts=(*self.counts, yes)),
            replace(self, counts=(*self.counts, no)),
        )

    def by_use(self, pattern: int) -> tuple[Node, Node]:
        """Return the sides in which a pattern is in use, or is not."""
        return (
            replace(self, used=(*self.used, pattern)),
            replace(self, unused=(*self.unused, pattern)),
        )


def columns_of(bits: int) -> list[int]:
    """Return bits as a list of columns."""
    return [j for j, digit in enumerate(reversed(bin(bits)[2:])) if digit == "1"]


def bits_of(columns: Iterable[int]) -> int:
    """Return columns as bits."""
    return sum(1 << column for column in set(columns))
