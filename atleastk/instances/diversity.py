"""l-diversity and t-closeness over domain hierarchies: the instance.

Definition
----------
As generalisation (:mod:`~atleastk.instances.generalization`; suppression is the case of
height 1), and every class of equal rows has to keep its *sensitive* values apart, each
sensitive column for itself. Let a class have s of the n rows, c(v) of them with the
value v, which p(v) rows of the whole table have.

- *Distinct* l-diversity: at least l different values.
- *Frequency*: no value has more than 1/l of the class, l c(v) <= s.
- *Entropy*: that of the values is log l at least: s^s >= l^s times the product of
  c(v)^c(v).
- *Recursive* (c, l): the most frequent value has less than c times as many rows as the
  l-th most frequent one and all rarer ones together.
- *t-closeness*: the values of the class are distributed nearly as those of the table:
  the sum of max(0, c(v)/s - p(v)/n) is at most t. That is the total variation
  distance: the earth mover's distance if all values are equally far apart.
- *Ordered* t-closeness: of m values in order, each is one step from the next, of m - 1
  in all: the sum over i of the difference of the shares of the first i values, divided
  by m - 1, is at most t.

Entropy, recursive diversity and ordered closeness are for attributes: there a node is
judged by its classes, and nothing has to be modelled.

Sensitive values are published as they are; they have no part in classes or losses.
Where rows may be suppressed, those that are, and what looks like them, are a class that
has to keep them apart like others. (ARX has no condition on them.)

Joins
-----
If two disjoint sets of rows keep one of these conditions, so does their union.

- Distinct: the union has every value that one of them has.
- Frequency: l (c(v) + c'(v)) <= s + s'.
- Entropy is concave, and the shares of the union are a mean of the shares of both.
- Recursive: the greatest count of the union is at most the sum of both, and so is the
  sum of the l - 1 greatest; so the rest is at least the sum of both rests.
- Closeness: the shares of the union are a mean of the shares of both, weighted by s and
  s'. The sum of max(0, share - p(v)/n) is convex, so it is at most the greater one.
  So is the sum of ordered closeness.

So groups of rows may be judged one by one, though groups that look the same are one
class when they are published. Classes of higher levels are unions of those of lower
ones, and so is what looks suppressed: both are monotone, as there; but the fewest
suppressed rows are not always best. And if any partition is feasible, so is the whole
table as one class, the union of its groups. Where levels have limits, the highest node
is feasible if any is. A class does not stay feasible if it is
split: groups of 2k rows or more may be needed.

Bounds
------
A class has at least k rows, at least l by either reading, and by closeness enough for
the shares of the table to be rounded to whole rows: see `Diversity.least_rows`. Without
the sensitive values but with classes of at least that size, the least loss is a lower
bound.

References
----------
[Machanavajjhala07] A. Machanavajjhala et al., "l-Diversity: Privacy Beyond
k-Anonymity", TKDD 1(1), 2007.
[Li07] N. Li, T. Li, S. Venkatasubramanian, "t-Closeness: Privacy Beyond k-Anonymity and
l-Diversity", ICDE 2007.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Final

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import COUNT, FLAG
from atleastk.instances.fields.shapes import OneOf, Share, Table
from atleastk.instances.fields.wish_names import called
from atleastk.instances.generalization import Generalization, values_of
from atleastk.instances.instance import shaped
from atleastk.instances.records import Records

MODELLED: Final = ("distinct", "frequency")
"""Readings that are linear in the rows of a class."""

READINGS: Final = (*MODELLED, "entropy", "recursive")

_MOST_STEPS: Final = 1_000
"""Sizes of a class that are tried for closeness: a matter of a moment."""


@dataclass(frozen=True)
class Diversity(Generalization):
    """Generalise cells so that no class of equal rows reveals a sensitive value.

    Attributes
    ----------
    sensitive
        For every row its value in every sensitive column.
    l
        How diverse the values of a class have to be; 1 is no condition.
    reading
        What `l` counts: ``"distinct"`` values, or the ``"frequency"`` of each; or the
        ``"entropy"``, or the ``"recursive"`` reading with `c`.
    c
        Of the recursive reading: the most frequent value has less than c times as many
        rows as the l-th and all rarer ones.
    t
        The greatest distance between the values of a class and of the table; a text
        like ``"0.2"`` or ``"1/5"``, or a number. None is no condition.
    ordered
        Whether sensitive values are numbers, and near ones less far apart.
    """

    problem: ClassVar[str] = "diversity"
    BY_ROW: ClassVar[tuple[str, ...]] = (*Generalization.BY_ROW, "sensitive")

    sensitive: Sequence[Sequence[str | int]] = field(
        kw_only=True, metadata=shaped(Table())
    )
    l: int = field(  # noqa: E741 - as in the papers
        default=1, kw_only=True, metadata=COUNT
    )
    reading: str = field(
        default="distinct", kw_only=True, metadata=shaped(OneOf(READINGS))
    )
    t: Fraction | None = field(default=None, kw_only=True, metadata=shaped(Share()))
    c: int | None = field(default=None, kw_only=True, metadata=COUNT)
    ordered: bool = field(default=False, kw_only=True, metadata=FLAG)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_readings()
        if self.most_dropped:
            raise InvalidInstanceError(
                f"{called('suppress_rows')}: on entries rows are dropped only where no "
                "values are sensitive; leave it out, or generalise on attributes"
            )
        if self.on == "entries" and self.levels is not None:
            raise InvalidInstanceError(
                f"{called('levels')}: on entries they are limited only where no values "
                "are sensitive; leave out the levels, or generalise on attributes"
            )
        if self.suppress_rows and self.conditions:
            raise InvalidInstanceError(
                "conditions: where rows may be suppressed and have sensitive values "
                "none is known to be monotone; leave out suppress_rows, or one of them"
            )
        self.expect_for_each(len(self.table), "rows", "sensitive")

    def _check_readings(self) -> None:
        if (self.reading == "recursive") != (self.c is not None):
            raise InvalidInstanceError(
                "c: goes with the recursive reading, and that needs it"
            )
        word = "ordered" if self.ordered else f"reading: {self.reading}"
        if not self.is_modelled and self.on == "entries":
            raise InvalidInstanceError(f"{word}: is for generalisation on attributes")
        if self.ordered and self.t is None:
            raise InvalidInstanceError("ordered: says how t is read; give t, too")
        numbers = (isinstance(x, int) for row in self.sensitive for x in row)
        if self.ordered and not all(numbers):
            raise InvalidInstanceError("ordered: expected integers as sensitive values")

    @property
    def is_modelled(self) -> bool:
        """Whether the conditions are linear in the rows of a class."""
        return self.reading in MODELLED and not self.ordered

    @property
    def nodes_alone(self) -> bool:
        """Whether solutions are nodes without groups: rows need names if suppressed."""
        return super().nodes_alone and not self.suppress_rows

    @property
    def _columns(self) -> Iterator[tuple[Sequence[str | int], Int32Array]]:
        """The sensitive values of each column, and which one each row has."""
        width = len(self.sensitive[0]) if self.sensitive else 0
        return (values_of(self.sensitive, j) for j in range(width))

    @cached_property
    def values(self) -> Int32Array:
        """The numbered sensitive values, an array [row, sensitive column]."""
        columns = (codes for _, codes in self._columns)
        none = np.empty((0, len(self.table)), dtype=np.int32)
        return np.ascontiguousarray(np.vstack([none, *columns]).T[self.row_of])

    @cached_property
    def repeats(self) -> IntArray:
        """How many rows each row of `codes` and `values` stands for."""
        if self.nodes_alone or self.dealt:
            return self.given
        return np.ones(self.n, dtype=np.int64)

    @cached_property
    def kinds(self) -> Records:
        """The distinct pairs of a record and its sensitive values, with their copies.

        A kind has the number of its record, and behind it its values.
        """
        home = self.records.home.astype(np.int32)
        pairs = np.column_stack((home, self.values))
        if self.dealt:
            return Records.coded(pairs).with_copies(self.given)
        return Records.coded(pairs, self.repeats)

    @cached_property
    def ranks(self) -> Sequence[IntArray]:
        """For every sensitive column, the place of each value in their order."""
        columns = (np.array(values) for values, _ in self._columns)
        return tuple(np.argsort(np.argsort(column)) for column in columns)

    @cached_property
    def totals(self) -> Sequence[IntArray]:
        """For every sensitive column, how many rows have each value."""
        columns, copies = self.kinds.codes.T[1:], self.kinds.copies
        return tuple(np.bincount(c, copies).astype(np.int64) for c in columns)

    @cached_property
    def least_rows(self) -> int:
        """A number of rows that every class has, by k, l and closeness.

        Of s rows at most s values are there: the distance is at least what the s most
        frequent values of the table leave. Nearest of all are the counts that round
        s p(v) / n to whole numbers, upwards for the greatest remainders: as long as
        one count is further off, another one is so on the other side, and moving a row
        between them does no harm.
        """
        diverse = any(map(len, self.totals)) and self.l
        least = max(self.k, diverse or 1)
        if self.t is None or self.ordered:
            return least
        for totals in self.totals:
            least = max(least, self._shown(totals, self.t))
            most = min(self.n, least + _MOST_STEPS)
            while least < most and not self._rounds(totals, least):
                least += 1
        return least

    @cached_property
    def least_values(self) -> int:
        """A number of values of every column that every class has, by closeness."""
        t = Fraction(1) if self.t is None or self.ordered else self.t
        return min((self._shown(totals, t) for totals in self.totals), default=1)

    def _shown(self, totals: IntArray, t: Fraction) -> int:
        """Return how many values a class shows at least: the distance of the others."""
        shown = np.cumsum(np.sort(totals)[::-1])
        return 1 + int(np.searchsorted(shown, math.ceil((1 - t) * self.n)))

    def _rounds(self, totals: IntArray, rows: int) -> bool:
        """Return whether a class of this size can be close to the table."""
        whole, rest = np.divmod(totals * rows, max(1, self.n))
        up = np.sort(rest)[len(rest) - (rows - int(whole.sum())) :]
        return int((self.n - up).sum()) <= self.reach(rows)

    def reach(self, rows: int) -> int:
        """Return how far the values of a class of this size may be from the table's.

        That is a bound on the sum of max(0, n c(v) - p(v) s), which is at most n s.
        """
        t = Fraction(1) if self.t is None else self.t
        return t.numerator * self.n * rows // t.denominator

    @cached_property
    def relaxed(self) -> Generalization:
        """The instance without sensitive values, and `least_rows` for k."""
        parts = {one.name: getattr(self, one.name) for one in fields(Generalization)}
        return Generalization(**{**parts, "k": self.least_rows})

    def _describe(self) -> Iterator[str]:
        yield from super()._describe()
        yield f"l={self.l} {self.reading}"
        if self.t is not None:
            yield f"t={self.t}"
