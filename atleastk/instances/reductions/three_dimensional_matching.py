"""3-Dimensional Matching (3DM), the source of the hardness of maps and tilings.

Definition
----------
Given three sets X, Y, Z of n elements each, and triples of one element of each, no
triple twice, are there n triples that hold every element once? NP-complete
[GareyJohnson79, SP1].

The elements of X are numbered 0..n-1, those of Y n..2n-1 and those of Z 2n..3n-1 where
all of them are meant; in a triple each is numbered 0..n-1 within its own set.

References
----------
[GareyJohnson79] M. R. Garey, D. S. Johnson, "Computers and Intractability".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import COUNT, LISTS
from atleastk.instances.instance import Instance


@dataclass(frozen=True)
class ThreeDimensionalMatching(Instance):
    """An instance of 3DM."""

    problem: ClassVar[str] = "3dm"

    n: int = field(metadata=COUNT)
    """The number of elements of each of the three sets."""
    triples: Sequence[Sequence[int]] = field(metadata=LISTS)
    """[x, y, z], each in 0..n-1; none of them, and the answer is no."""

    def __post_init__(self) -> None:
        super().__post_init__()
        first: dict[tuple[int, ...], int] = {}
        for i, given in enumerate(self.triples):
            triple = tuple(given)
            if len(triple) != 3 or max(triple) >= self.n:
                raise InvalidInstanceError(
                    f"triples[{i}]: expected three elements below n = {self.n}, got "
                    f"{list(given)}"
                )
            if first.setdefault(triple, i) != i:
                raise InvalidInstanceError(
                    f"triples[{i}]: the same triple as triples[{first[triple]}]"
                )

    @property
    def elements(self) -> int:
        """The number 3n of all elements."""
        return 3 * self.n

    @cached_property
    def sets(self) -> tuple[tuple[int, int, int], ...]:
        """The elements of every triple, numbered 0..3n-1."""
        return tuple((x, self.n + y, 2 * self.n + z) for x, y, z in self.triples)

    def is_matching(self, chosen: Collection[int]) -> bool:
        """Tell whether these triples hold every element once."""
        held = [element for i in chosen for element in self.sets[i]]
        return sorted(held) == list(range(self.elements))

    def matching_of(
        self,
        groups: Iterable[Iterable[int]],
        places: Sequence[Sequence[int]] | None = None,
    ) -> tuple[int, ...] | None:
        """Return the matching that groups choose; None if they do not choose one.

        A triple is chosen if its three `places` are in one group: by default the next
        three items of each.
        """
        if places is None:
            places = [range(3 * i, 3 * i + 3) for i in range(len(self.triples))]
        group_of = {item: g for g, group in enumerate(groups) for item in group}
        chosen = tuple(
            i
            for i, (a, b, c) in enumerate(places)
            if group_of[a] == group_of[b] == group_of[c]
        )
        return chosen if self.is_matching(chosen) else None
