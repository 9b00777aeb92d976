"""Set cover, and cellular clustering made of it.

Definition
----------
Given sets of elements, find the fewest of them that hold every element. NP-hard
[GareyJohnson79, SP5].

The points of a set system [Aggarwal10, Theorem 3.2]
----------------------------------------------------
A point for every set and every element. The sets are at distance 1 of each other and of
their elements, and at distance 2 of other elements; elements are at distance 2 if a set
holds both, else 3. A cluster about a set pays 1, about an element a high price. The
claim is

    least cellular cost = |X| + |S| + (the fewest sets that cover all elements).

- *From a cover*: clusters about its sets, all of radius 1; the other sets join any.
- *Back, for any solution*: a cluster without elements costs its size or more. One with
  elements costs at least 1 beyond its size. If no set holds all of its elements it has
  two or more and radius 2 or more, and costs at least its size beyond its size. So take
  one set in the first case, and one for each element in the second.

It holds with r = 1 for the centres "input" and "member" alike, and a price of 2 is high
enough; with 1, elements alone would be free.

Two gaps in the printed text
----------------------------
1. *Elements in no set.* Their distance is said to be 2, so there is a clustering of
   finite cost, but no cover. `UNCOVERED`, one element and two empty sets, costs at most
   5 = |X| + |S| + 2. That every element is in a set has to be assumed.
2. *A cluster of radius 1 has to exist* is derived from 2 |X| + k' + 2 (|S| - k') being
   more than |X| + |S| + k. It is not where k' = |S| and k >= |X|, as for one element in
   one of two sets: 4 = 4 (k = 1). The proof above does without.

References
----------
[Aggarwal10] G. Aggarwal, R. Panigrahy, T. Feder, D. Thomas, K. Kenthapadi, S. Khuller,
A. Zhu: Achieving anonymity via clustering. ACM Transactions on Algorithms 6(3), 2010.
[GareyJohnson79] M. R. Garey, D. S. Johnson, "Computers and Intractability".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import LISTS, WHOLE
from atleastk.instances.instance import Instance
from atleastk.instances.reductions.reduction import Reduction

Groups = Iterable[Iterable[int]]

_HIGH: Final = 2
"""A price of clusters about elements that is high enough."""


@dataclass(frozen=True)
class SetCover(Instance):
    """An instance of set cover."""

    problem: ClassVar[str] = "set-cover"

    elements: int = field(metadata=WHOLE)
    """Their number; they are 0, 1, ..."""
    sets: Sequence[Sequence[int]] = field(metadata=LISTS)
    """The elements of every set, stored in ascending order."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for j, given in enumerate(self.sets):
            if len(set(given)) < len(given) or max(given, default=-1) >= self.elements:
                raise InvalidInstanceError(
                    f"sets[{j}]: expected different elements below {self.elements}, "
                    f"got {list(given)}"
                )
        object.__setattr__(self, "sets", tuple(tuple(sorted(s)) for s in self.sets))

    @property
    def coverable(self) -> bool:
        """Whether every element is in a set."""
        return len({i for given in self.sets for i in given}) == self.elements

    def covers(self, chosen: Iterable[int]) -> bool:
        """Tell whether these sets hold every element."""
        return len({i for j in chosen for i in self.sets[j]}) == self.elements


UNCOVERED: Final = SetCover(1, [[], []])
"""A smallest instance that the theorem as printed is wrong about."""


def to_cellular_clustering(problem: SetCover) -> CellularClustering:
    """Return the cellular clustering of Theorem 3.2: the sets, then the elements."""
    sets = [frozenset(given) for given in problem.sets]
    elements = range(problem.elements)
    rows = [
        [*(int(i != j) for j in range(len(sets))), *(2 - (x in a) for x in elements)]
        for i, a in enumerate(sets)
    ]
    for x in elements:
        shared = {y for given in sets if x in given for y in given}
        among = (0 if x == y else 2 if y in shared else 3 for y in elements)
        rows.append([*(2 - (x in given) for given in sets), *among])
    return CellularClustering(
        distances=rows,
        facility_costs=[1] * len(sets) + [_HIGH] * problem.elements,
        source="reduced from set cover [Aggarwal10, Theorem 3.2]",
    )


def cover_back(problem: SetCover, groups: Groups) -> tuple[int, ...]:
    """Return a cover of at most as many sets as clusters cost beyond |X| + |S|.

    For any clustering of a set system that covers its elements.
    """
    m = len(problem.sets)
    chosen: set[int] = set()
    for group in groups:
        inside = {i - m for i in group if i >= m}
        if inside and not any(inside.issubset(problem.sets[j]) for j in chosen):
            whole = [j for j, given in enumerate(problem.sets) if inside <= {*given}]
            chosen |= {*whole[:1]} or {
                next(j for j, given in enumerate(problem.sets) if element in given)
                for element in inside
            }
    return tuple(sorted(chosen))


REDUCTIONS: Final = (
    Reduction(
        "SET-COVER",
        "cellular-clustering",
        "metric",
        "[Aggarwal10] Theorem 3.2",
        to_cellular_clustering,
        cover_back,
        claim="SET-COVER = cost - |X| - |S|",
        cost=lambda problem, cost: cost - problem.elements - len(problem.sets),
        hypotheses="every element in a set",
        applies=lambda problem: problem.coverable,
    ),
)
"""The claim of Theorem 3.2, which is right where all elements can be covered."""
