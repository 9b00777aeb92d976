"""k-anonymity by generalisation over domain hierarchies: the instance.

Definition
----------
Given a table, k, and a hierarchy for every column, publish every cell at some level of
its hierarchy such that every row equals at least k - 1 others, and lose little.

- *On entries*: every cell has a level of its own.
- *On attributes* (full-domain generalisation): all cells of a column have one level, so
  a solution is a node of the lattice of levels.

The loss is one of

- *height*: the sum of the levels - of all cells, or of all columns;
- *precision*: the same, every level divided by the height of its hierarchy. Costs are
  integers: the sum is multiplied by the least common multiple of the heights. Both may
  have weights: a level of a column of weight w counts w times, and on entries a row of
  weight v, which stands for v persons, v times (k still counts rows);
- *discernibility*: the sum of the squares of the sizes of the classes of equal rows;
- *average-class-size*: n / (classes * k). The cost is the integer n - classes, which
  has the same order.

The last two are losses of the lattice only: on entries they would reward hiding cells
for no other reason than to keep equal rows apart.

Suppressed rows
---------------
On attributes a few rows S, `suppress_rows` at most, may be published at the top of all
columns, and the others at the levels of a node. Suppressed rows are rows: they need
k - 1 equals as well, which may be rows that the node publishes so by itself - rows all
of whose labels are the tops at these levels and at all higher ones. [Sweeney02] and ARX
ask nothing of suppressed rows, so they may suppress a single one.

- *Height* and *precision* are those of the node: the allowance pays for S.
- *Discernibility*: every row counts the size of its class at the node, as if nothing
  were suppressed, but a suppressed row counts n [Bayardo05].
- *Average-class-size*: the classes are those of the node that keep a row.

*Both are monotone.* Let S be feasible at a node, and take a higher one. There, classes
are unions of classes, and what the node publishes as the tops stays so. So S without
those rows is feasible again: whoever keeps a row keeps k of them. And at any node, the
losses without suppressed rows bound those with them, there and at all higher nodes: a
suppressed row counts n instead of the size of a class, or takes its class along.

*The fewest rows are best* at a node (:mod:`~atleastk.models.tables.row_deletion`).
Classes below k have to go. If others must join them, k - 1 at most, and classes above k
can spare them, these add (k - 1) (n - k) to discernibility at most. A whole class of e
rows adds e (n - e): at least k (n - k) if there are k rows beside it; if not, none but
it can spare any. If a whole class has to go, the smallest adds least: let e <= f be two
sizes and r the number of all other rows, then e (n - e) = e (f + r) <= f (e + r) = f (n
- f). No way to join them keeps a row of more classes.

Dropped rows
------------
On entries suppressed rows would be a group like others. There `suppress_rows` is
another allowance: so many rows may be *dropped*. A dropped row is in no group, counts
for none and is not published; it costs nothing: the allowance pays for it. So whatever
is feasible stays so with a greater allowance, at the same cost. Of equal costs the
fewest dropped rows are best.

Levels and conditions
---------------------
Every column may have a least and a greatest level (`levels`). On attributes the nodes
between them are a lattice again, whose highest node is above all others. So whatever
is monotone stays so, and if the highest node is refused nothing is feasible. Rows that
are suppressed altogether are above the greatest levels. On entries the rows of a group
have the labels of one class of the highest node: so each of its classes is a table of
its own, whose hierarchies are cut to these levels.

Further monotone `conditions` on the classes of a node - risks, and what they share with
a population - are explained in :mod:`atleastk.instances.conditions`.

Copies
------
All that is asked of a node are the sizes of its classes, and these are sums of copies
over distinct rows. So a table of distinct rows with copies has the same feasible nodes,
losses, optimum and certificates as the table that it stands for, however long that is.
Its solutions are nodes: the fewest rows are suppressed, and no group names its rows.
On entries they are deals (:mod:`atleastk.instances.copied`): every group has the least
levels at which it is equal, and copies that are in no group are dropped.

Suppression is the case of height 1: on entries
:mod:`~atleastk.instances.k_anonymity`, on attributes the deletion of columns.

Complexity
----------
NP-hard on entries (already of height 1). On attributes the lattice has the product of
(height + 1) nodes; NP-hard if the number of columns is not fixed.

References
----------
[Chaytor06] section 2.2.1, after [Sweeney02] and [Samarati01].
[Bayardo05] R. J. Bayardo, R. Agrawal, "Data Privacy through Optimal k-Anonymization",
ICDE 2005.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import gcd, lcm, prod
from typing import Any, ClassVar, Final, overload

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.conditions import Conditions
from atleastk.instances.copied import Copied
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import COUNT, COUNTS, TEXTS, WHOLE, Parts
from atleastk.instances.fields.shapes import Integer, ListOf, OneOf, shown
from atleastk.instances.fields.wish_names import called
from atleastk.instances.hierarchies.hierarchy import Chains, Hierarchy
from atleastk.instances.instance import shaped
from atleastk.instances.records import Records, numbered

MOST_OF_ROW: Final = 10**9
"""The most that a row may cost. By precision, heights without common factors cost
much."""

MOST_OF_TABLE: Final = 10**15
"""The most that a table whose rows have weights may cost: sums fit into 64 bits."""

LINEAR: Final = ("height", "precision")
LOSSES: Final = (*LINEAR, "discernibility", "average-class-size")
"""All losses; those of levels are linear."""


@dataclass(frozen=True, slots=True, eq=False)
class Levelled(Sequence[Int32Array]):
    """The labels of a column at every level, each made when it is asked for."""

    labels: Int32Array
    """The numbered label of every value, [level, value]."""
    numbers: Int32Array
    """The number of the value of every row."""

    def __len__(self) -> int:
        return len(self.labels)

    @overload
    def __getitem__(self, level: int) -> Int32Array: ...

    @overload
    def __getitem__(self, level: slice) -> Levelled: ...

    def __getitem__(self, level: int | slice) -> Int32Array | Levelled:
        if isinstance(level, slice):
            return Levelled(self.labels[level], self.numbers)
        found: Int32Array = self.labels[level][self.numbers]
        return found

    def of(self, rows: IntArray | slice = slice(None)) -> Int32Array:
        """Return the labels of some rows, [level, row]."""
        found: Int32Array = self.labels[:, self.numbers[rows]]
        return found


@dataclass(frozen=True)
class Generalization(Copied):
    """Generalise cells over hierarchies so that every row equals k - 1 others.

    Attributes
    ----------
    table, k, columns
        As in k-anonymity.
    hierarchies
        For every column its chains of labels: lists of value, generalisations, top.
    on
        ``"entries"`` or ``"attributes"``.
    loss
        ``"height"``, ``"precision"``, ``"discernibility"`` or ``"average-class-size"``.
    column_weights
        What a level of each column counts, by height or precision; 1 by default.
    suppress_rows
        On attributes, how many rows may be suppressed altogether; on entries, how many
        may be dropped.
    row_weights
        What the cells of each row count on entries, of each of its copies; 1 by
        default.
    copies
        How many rows each row of the table stands for; 1 by default.
    levels
        For every column its least and its greatest level.
    conditions
        On attributes, further conditions on the classes of equal rows.
    """

    problem: ClassVar[str] = "generalization"
    always_nested: ClassVar[bool] = True
    BY_ROW: ClassVar[tuple[str, ...]] = ("table", "row_weights")

    k: int = field(metadata=COUNT)
    hierarchies: Sequence[Hierarchy] = field(metadata=shaped(ListOf(Chains())))
    on: str = field(
        default="entries", metadata=shaped(OneOf(("entries", "attributes")))
    )
    loss: str = field(default="height", metadata=shaped(OneOf(LOSSES)))
    columns: Sequence[str] | None = field(default=None, metadata=TEXTS)
    column_weights: Sequence[int] | None = field(default=None, metadata=COUNTS)
    suppress_rows: int = field(default=0, metadata=WHOLE)
    row_weights: Sequence[int] | None = field(default=None, metadata=COUNTS)
    levels: Sequence[Sequence[int]] | None = field(
        default=None, metadata=shaped(ListOf(ListOf(Integer(minimum=0), 2)))
    )
    conditions: Conditions | None = field(
        default=None, metadata=shaped(Parts(Conditions))
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for row in self.table[:1]:
            self.expect_for_each(len(row), "columns", "hierarchies")
        named = ("columns", "levels", "column_weights")
        self.expect_for_each(self.m, "columns", *named)
        for j, hierarchy in enumerate(self.hierarchies):
            strange = {*values_of(self.table, j)[0]} - hierarchy.chain_of.keys()
            if strange:
                i = next(i for i, row in enumerate(self.table) if row[j] in strange)
                cell = self.table[i][j]
                raise InvalidInstanceError(
                    f"table[{i}][{j}]: {cell!r} is not in hierarchies[{j}]"
                )
        if self.on == "entries" and not self.is_linear:
            raise InvalidInstanceError(
                f"{called('loss')}: {self.loss} is a loss of generalisation on "
                "attributes, by whole classes; on entries take height or precision"
            )
        self._check_weights()
        self._check_levels()
        self._check_conditions()

    def _check_levels(self) -> None:
        if self.levels is None:
            return
        if self.most_dropped:
            raise InvalidInstanceError(
                f"{called('levels')}: on entries no method knows them where rows "
                f"may be dropped; leave out {called('suppress_rows')}, or the levels"
            )
        pairs = zip(self.levels, self.heights, strict=True)
        for j, ((least, greatest), height) in enumerate(pairs):
            if not least <= greatest <= height:
                raise InvalidInstanceError(
                    f"levels[{j}]: expected a least and a greatest level from 0 to "
                    f"{height}, got {least} and {greatest}"
                )

    def _check_conditions(self) -> None:
        asked = self.conditions
        if not asked:
            return
        if self.on == "entries":
            raise InvalidInstanceError(
                "conditions: they are for generalisation on attributes"
            )
        if self.suppress_rows and not (self.is_linear and asked.counts_classes):
            raise InvalidInstanceError(
                "conditions: where rows may be suppressed there is mean_risk alone, by "
                "height or precision; leave out suppress_rows, or the others"
            )
        owners = asked.owners
        if owners is not None and (self.copies or len(owners) != len(self.table)):
            raise InvalidInstanceError(
                f"conditions.owners: expected one for each of {self.n} rows without "
                f"copies, got {len(owners)}"
            )
        for i, row in enumerate(asked.population or ()):
            if len(row) != self.m:
                raise InvalidInstanceError(
                    f"conditions.population: {len(row)} cells for {self.m} columns"
                )
            for j, cell in enumerate(row):
                if cell not in self.hierarchies[j].chain_of:
                    raise InvalidInstanceError(
                        f"conditions.population[{i}][{j}]: {cell!r} is not in "
                        f"hierarchies[{j}]"
                    )

    def _check_weights(self) -> None:
        given = self.column_weights
        if given is not None and not self.is_linear:
            raise InvalidInstanceError(
                f"{called('column_weights')}: {self.loss} counts no levels; leave them "
                "out"
            )
        if self.most_of_row > MOST_OF_ROW:
            cure = "smaller weights" if given else "heights with common factors"
            other = "" if self.loss == "height" else ", or the loss height"
            what = called("column_weights") if given else "hierarchies"
            raise InvalidInstanceError(
                f"{what}: by {self.loss} a row at the top of all costs "
                f"{shown(self.most_of_row)}, above {MOST_OF_ROW}; take {cure}{other}"
            )

        self._check_row_weights()

    def _check_row_weights(self) -> None:
        given = self.row_weights
        if given is None:
            return
        self.expect_for_each(len(self.table), "rows", "row_weights")
        if self.on != "entries":
            raise InvalidInstanceError(
                "row_weights: on attributes all rows lose alike; leave them out"
            )
        most = self.persons * self.most_of_row
        if most > MOST_OF_TABLE:
            raise InvalidInstanceError(
                f"row_weights: a table at the top of all costs {shown(most)}, above "
                f"{MOST_OF_TABLE}; take smaller weights, or round them"
            )

    def document(self) -> dict[str, Any]:
        document = super().document()
        document["hierarchies"] = [h.chains for h in self.hierarchies]
        return document

    @property
    def m(self) -> int:
        """The number of columns."""
        return len(self.hierarchies)

    @cached_property
    def heights(self) -> tuple[int, ...]:
        """The height of every hierarchy."""
        return tuple(hierarchy.height for hierarchy in self.hierarchies)

    @property
    def nodes_alone(self) -> bool:
        """Whether solutions are nodes without groups: on attributes, with copies."""
        return self.copies is not None and self.on == "attributes"

    @property
    def dealt(self) -> bool:
        """Whether solutions are deals: on entries, with copies."""
        return self.copies is not None and self.on == "entries"

    @cached_property
    def row_of(self) -> IntArray:
        """The row of the table of each row of `codes`.

        They are the same unless rows of a table with copies need names.
        """
        every = np.arange(len(self.table))
        if self.copies is None or self.nodes_alone or self.dealt:
            return every
        self.expect_written()
        return np.repeat(every, self.copies)

    @property
    def least_levels(self) -> tuple[int, ...]:
        """The lowest node of the lattice."""
        return tuple(least for least, _ in self.levels or ((0, 0),) * self.m)

    @property
    def greatest_levels(self) -> tuple[int, ...]:
        """The highest node of the lattice."""
        if self.levels is None:
            return self.heights
        return tuple(greatest for _, greatest in self.levels)

    @property
    def is_linear(self) -> bool:
        """Whether the loss is a sum over levels, as height and precision are."""
        return self.loss in ("height", "precision")

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The cost of one level, by column, if the loss is height or precision."""
        weights = self.column_weights or (1,) * self.m
        if self.loss != "precision":
            return tuple(weights)
        return tuple(w * x for w, x in zip(weights, self.shares, strict=True))

    @cached_property
    def shares(self) -> tuple[int, ...]:
        """What one level of every column is of its height, in a common integer unit."""
        common = lcm(*(height for height in self.heights if height))
        return tuple(common // height if height else 0 for height in self.heights)

    @cached_property
    def unit(self) -> int:
        """A number of which all costs by height or precision are multiples."""
        return self.unit_of_levels * (gcd(*(self.row_weights or ())) or 1)

    @cached_property
    def unit_of_levels(self) -> int:
        """The greatest number that divides what any level of a cell counts.

        1 if there is no level.
        """
        pairs = zip(self.weights, self.heights, strict=True)
        return gcd(*(weight for weight, height in pairs if height)) or 1

    @property
    def expanded_columns(self) -> int:
        """The columns of a table with one for every unit of every level."""
        return self.most_of_row // self.unit_of_levels

    @property
    def most_dropped(self) -> int:
        """How many rows may be in no group: on entries those that may be dropped."""
        return self.suppress_rows if self.on == "entries" else 0

    @cached_property
    def persons(self) -> int:
        """The sum of the weights of all rows."""
        weights = self.row_weights or (1,) * len(self.table)
        return sum(w * c for w, c in zip(weights, self.given.tolist(), strict=True))

    @property
    def has_too_few(self) -> bool:
        """Whether there are rows, but fewer than k, and not all may be dropped."""
        return self.most_dropped < self.n < self.k

    def reached(self, bound: int) -> int:
        """Return the least cost by height or precision that a bound leaves."""
        return -(-bound // self.unit) * self.unit

    @property
    def most_of_row(self) -> int:
        """The greatest cost of a row, if the loss is height or precision."""
        return sum(w * h for w, h in zip(self.weights, self.heights, strict=True))

    @cached_property
    def codes(self) -> Sequence[Levelled]:
        """The numbered labels of every column, by level and row."""
        found = []
        for j, hierarchy in enumerate(self.hierarchies):
            values, numbers = values_of(self.table, j)
            of_rows = numbers if self.copies is None else numbers[self.row_of]
            found.append(Levelled(labels_of(hierarchy, values), of_rows))
        return tuple(found)

    @cached_property
    def records(self) -> Records:
        """The distinct records of the table, their copies and weights."""
        if self.copies is None:
            found = Records.of(self.table, self.m)
        else:
            none = np.empty((0, len(self.row_of)), dtype=np.int32)
            of_rows = np.vstack([none, *(column.numbers for column in self.codes)]).T
            found = Records.coded(of_rows, self.given if self.nodes_alone else None)
        if self.row_weights is not None:
            found, _ = found.divided_by(numbered(self.row_weights))
            weights = np.array(self.row_weights, dtype=np.int64)
            found = replace(found, weights=weights[found.firsts])
        return found.with_copies(self.given) if self.dealt else found

    @cached_property
    def labels(self) -> Sequence[Levelled]:
        """The numbered labels of every column, by level and distinct record."""
        both = zip(self.codes, self.columns_of_records, strict=True)
        return tuple(Levelled(column.labels, numbers) for column, numbers in both)

    @cached_property
    def columns_of_records(self) -> Int32Array:
        """The numbered value of every distinct record, [column, record]."""
        return np.ascontiguousarray(self.records.codes.T)

    @cached_property
    def with_population(self) -> Generalization:
        """The rows of the table, and after them those of the population."""
        others = (self.conditions and self.conditions.population) or ()
        rows = [*self.table, *others]
        return Generalization(rows, 1, self.hierarchies, on="attributes")

    @cached_property
    def top_from(self) -> Sequence[Int32Array]:
        """From which level on every value of a column is published as the top."""
        found = []
        for j, hierarchy in enumerate(self.hierarchies):
            values = values_of(self.table, j)[0]
            chains = (hierarchy.chain_of[value] for value in values)
            found.append(np.array([top_level(chain) for chain in chains], np.int32))
        return found

    @property
    def nodes(self) -> int:
        """The number of nodes of the lattice of levels."""
        both = zip(self.least_levels, self.greatest_levels, strict=True)
        return prod(greatest - least + 1 for least, greatest in both)

    def _describe(self) -> Iterator[str]:
        yield from super()._describe()
        yield f"n={self.n} m={self.m} k={self.k} on {self.on} loss={self.loss}"
        if self.suppress_rows:
            yield f"suppress_rows={self.suppress_rows}"


def top_level(chain: Sequence[str | int]) -> int:
    """Return the level from which a chain holds its top, and nothing else."""
    others = (level for level, label in enumerate(chain) if label != chain[-1])
    return 1 + max(others, default=-1)


def values_of(
    table: Sequence[Sequence[str | int]], column: int
) -> tuple[Sequence[str | int], Int32Array]:
    """Return the values of a column in order of appearance, and which each row has."""
    if isinstance(table, CodedTable):
        return table.values(column)
    cells = [row[column] for row in table]
    return list(dict.fromkeys(cells)), numbered(cells)


def labels_of(hierarchy: Hierarchy, values: Sequence[str | int]) -> Int32Array:
    """Return the numbered labels of different values, [level, value]."""
    labels = [hierarchy.chain_of[value] for value in values]
    return np.array(
        [
            numbered(chain[level] for chain in labels)
            for level in range(hierarchy.height + 1)
        ],
        dtype=np.int32,
    ).reshape(hierarchy.height + 1, len(values))
