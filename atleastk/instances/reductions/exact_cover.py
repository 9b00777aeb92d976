"""Exact Cover by 3-Sets (X3C), and suppression problems made of it.

Definition
----------
Given triples of n = 3q elements, no triple twice, are there q of them that cover every
element once? NP-complete [GareyJohnson79, SP2].

The table of a cover
--------------------
A row for every element, a column for each of the m triples; cell (i, j) is 0 if i is in
triple j, else a symbol of row i alone; k = 3. Two rows agree on a column only where
both are 0. So three rows or more keep a column only if they are the triple of it, and
then no other column, as no triple comes twice: *every row loses m - 1 cells or more,
and loses m - 1 only in a group that is a triple and keeps the column of it*. (Given
012 twice and 034 of six elements, the rows 0, 1, 2 would keep two cells each, and three
others need not keep any: 12 = n (m - 1) cells are lost without a cover.)

- e-SUP [Lemma 4.1.5] with n (m - 1) entries, r'-SUP [Corollary 4.1.7] with m - 1 cells
  per row: yes iff each group is a triple.
- c-DEL [Corollary 4.1.6]: of the table whose symbols are 0 and 1, delete at most m - q
  columns. A column that stays has three rows with 0, which are a group of their own.
  So the columns that stay are disjoint triples, and any disjoint triples may stay: the
  other rows are all 1, and their number is a multiple of 3. With fewer than q triples
  the limit would be negative.

c'-SUP, repaired
----------------
The one printed way to c'-SUP fails; see `triangle_partition`. This one does not. Take m
copies of the first table below each other. Copy s has its columns shifted cyclically by
s, and symbols of its own, its 0 included. Limit every column to c' = n (m - 1); k = 3.

*Rows of different copies agree nowhere.* So a group keeps a column only if it is a
triple in one copy, and every row loses m - 1 cells or more.

- Yes: use the same cover in every copy. Column j keeps three cells in copy s iff triple
  j - s (mod m) is in the cover; over all copies that happens q times, so column j loses
  n m - 3q = n (m - 1) cells.
- Within the limit, at most m * n (m - 1) cells are lost. As each of the n m rows
  loses m - 1 or more, each loses m - 1: all groups are triples, in every copy.

References
----------
[Chaytor06] sections 4.1.3 and 5.1.3; [MeyersonWilliams04] Theorems 3.1 and 3.2.
[GareyJohnson79] M. R. Garey, D. S. Johnson, "Computers and Intractability".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Final

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import LISTS
from atleastk.instances.fields.shapes import Integer
from atleastk.instances.instance import Instance, shaped
from atleastk.instances.reductions.reduction import Reduction
from atleastk.instances.suppression import Suppression

CellTable = list[list[str | int]]
Cells = Collection[tuple[int, int]]


@dataclass(frozen=True)
class ExactCover(Instance):
    """An instance of X3C."""

    problem: ClassVar[str] = "x3c"

    elements: int = field(metadata=shaped(Integer(minimum=3)))
    """Their number n, a multiple of 3; they are 0..n-1."""
    sets: Sequence[Sequence[int]] = field(metadata=LISTS)
    """The triples of elements, stored in ascending order; at least one."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.elements % 3:
            raise InvalidInstanceError(
                f"elements: expected a multiple of 3, got {self.elements}"
            )
        if not self.sets:
            raise InvalidInstanceError("sets: expected one or more, got none")
        first: dict[tuple[int, ...], int] = {}
        for j, given in enumerate(self.sets):
            triple = tuple(sorted(given))
            if len(triple) != 3 or len(set(triple)) != 3 or triple[2] >= self.elements:
                raise InvalidInstanceError(
                    f"sets[{j}]: expected three elements below {self.elements}, "
                    f"got {list(given)}"
                )
            if first.setdefault(triple, j) != j:
                raise InvalidInstanceError(
                    f"sets[{j}]: the same triple as sets[{first[triple]}]"
                )
        object.__setattr__(self, "sets", tuple(first))

    @property
    def triples(self) -> int:
        """The number q of triples in an exact cover."""
        return self.elements // 3

    @property
    def bound(self) -> int:
        """The greatest number B of triples that an element is in."""
        return max(Counter(i for triple in self.sets for i in triple).values())


def symbol_table(problem: ExactCover, mark: str = "") -> CellTable:
    """Return the table of 0 inside the triples and the row's own symbol elsewhere.

    All symbols start with `mark`: tables with different marks agree nowhere.
    """
    return [
        [f"{mark}{0 if i in triple else i + 1}" for triple in problem.sets]
        for i in range(problem.elements)
    ]


def binary_table(problem: ExactCover) -> CellTable:
    """Return the table of 0 inside the triples and 1 elsewhere."""
    return [
        [0 if i in triple else 1 for triple in problem.sets]
        for i in range(problem.elements)
    ]


def cyclic_table(problem: ExactCover) -> CellTable:
    """Return one copy per triple of the table of symbols, copy s shifted by s."""
    table: CellTable = []
    for s in range(len(problem.sets)):
        for row in symbol_table(problem, f"{s}."):
            table.append(row[-s:] + row[:-s] if s else row)
    return table


def to_entries(problem: ExactCover) -> Suppression:
    """Return the e-SUP of Lemma 4.1.5."""
    limits = {"entries": problem.elements * (len(problem.sets) - 1)}
    return Suppression.named("e-SUP", symbol_table(problem), 3, limits)


def to_per_row(problem: ExactCover) -> Suppression:
    """Return the r'-SUP of Corollary 4.1.7."""
    limits = {"per_row": len(problem.sets) - 1}
    return Suppression.named("r'-SUP", symbol_table(problem), 3, limits)


def to_column_deletion(problem: ExactCover) -> Suppression:
    """Return the c-DEL of Corollary 4.1.6.

    Raise `InvalidInstanceError` if there are fewer than q triples: the limit would be
    negative.
    """
    limit = len(problem.sets) - problem.triples
    if limit < 0:
        raise InvalidInstanceError(
            f"sets: c-DEL needs {problem.triples} or more to cover {problem.elements} "
            f"elements, got {len(problem.sets)}"
        )
    return Suppression.named("c-DEL", binary_table(problem), 3, {"columns": limit})


def to_per_column(problem: ExactCover) -> Suppression:
    """Return the c'-SUP made of cyclic copies."""
    limits = {"per_column": problem.elements * (len(problem.sets) - 1)}
    return Suppression.named("c'-SUP", cyclic_table(problem), 3, limits)


def kept_triples(problem: ExactCover, suppressed: Cells) -> tuple[int, ...]:
    """Return the disjoint triples that the first rows keep a cell of.

    For any solution of any table above, within its limits or not.
    """
    hidden = set(suppressed)
    return tuple(
        j
        for j, triple in enumerate(problem.sets)
        if any((i, j) not in hidden for i in triple)
    )


def cover_back(problem: ExactCover, suppressed: Cells) -> tuple[int, ...] | None:
    """Return the exact cover of a solution within the limits; None without one."""
    chosen = kept_triples(problem, suppressed)
    return chosen if len(chosen) == problem.triples else None


_covering = partial(Reduction, "X3C", kind="many-one", back=cover_back)

REDUCTIONS: Final = (
    _covering("e-SUP", reference="[Chaytor06] Lemma 4.1.5", forward=to_entries),
    _covering(
        "c-DEL",
        reference="[Chaytor06] Corollary 4.1.6",
        forward=to_column_deletion,
        hypotheses="at least |X|/3 sets",
        applies=lambda problem: len(problem.sets) >= problem.triples,
    ),
    _covering("r'-SUP", reference="[Chaytor06] Corollary 4.1.7", forward=to_per_row),
    _covering(
        "c'-SUP",
        reference="instead of [Chaytor06] Lemma 4.1.8",
        forward=to_per_column,
        repaired=True,
    ),
)
"""X3C into four of the five roots of the web; the fifth, r-DEL, is polynomial."""
