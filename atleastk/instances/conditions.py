"""Conditions on the classes of a published table, besides k: those that are monotone.

Definition
----------
Let a table of n rows be published on attributes, in classes of equal rows.

- *Mean risk* p: a guess at the person of a row is right with probability p at most, on
  average over the rows. A row in a class of s has 1 / s, so that is the number of
  classes over n.
- *Rows at risk* (s, p): at most a share p of the rows is in classes below s rows.
- *Households*: a class has rows of so many different owners at least.
- *k-map*: in a table of everybody, the *population*, every published row has the labels
  of so many persons at least.

Theorem
-------
What satisfies one of these satisfies it at all higher levels. Classes of higher levels
are unions of those of lower ones, so there are no more of them, no row is in a smaller
one, no owner is lost, and whoever has the labels of a class has those of every class
above it.

Where rows may be suppressed altogether they are a class as well, and the *mean risk*
stays monotone: rows that suffice at a node suffice above it, where the classes of all
others are unions of theirs. The fewest rows are those of the smallest classes, as a
whole (:mod:`~atleastk.models.tables.row_deletion`). They are best by height and
precision, which no suppressed row changes; by discernibility one class of eleven rows
may lose less than five of two. The others are refused there: whoever is left in a class
that loses rows may be among the small ones, and a suppressed row may be anybody.

References
----------
[Sweeney02] (k-map); [Elliot16] M. Elliot et al., "The Anonymisation Decision-Making
Framework", 2016 (mean risk and rows at risk as thresholds).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import COUNT, WHOLES, Given, shaped
from atleastk.instances.fields.shapes import Share, Table


@dataclass(frozen=True)
class Conditions(Given):
    """Conditions on the classes of a table; those that are None are none."""

    mean_risk: Fraction | None = field(default=None, metadata=shaped(Share()))
    """The most that the number of classes may be of the number of rows."""
    small: int | None = field(default=None, metadata=COUNT)
    at_risk: Fraction | None = field(default=None, metadata=shaped(Share()))
    """`small`, `at_risk`: the share of the rows that may be in classes of fewer than
    `small`."""
    households: int | None = field(default=None, metadata=COUNT)
    owners: Sequence[int] | None = field(default=None, metadata=WHOLES)
    """`households`, `owners`: how many different owners the rows of a class have, and
    that of every row."""
    k_map: int | None = field(default=None, metadata=COUNT)
    population: Sequence[Sequence[str | int]] | None = field(
        default=None, metadata=shaped(Table())
    )
    """`k_map`, `population`: how many rows of the population have the labels of each
    published row."""

    def __post_init__(self) -> None:
        pairs = ("small", "at_risk"), ("households", "owners"), ("k_map", "population")
        for one, other in pairs:
            given = [getattr(self, name) is not None for name in (one, other)]
            if any(given) and not all(given):
                raise InvalidInstanceError(f"{one} and {other} go together; give both")

    @property
    def counts_classes(self) -> bool:
        """Whether nothing but the mean risk is limited: the number of classes."""
        return {*self} == {"mean_risk"}
