"""The utility-preserving suppression family as a linear model over cells and leaders.

One model for every problem of the family, under any limits and orders: 0/1 variables
for suppressed cells, and for the earlier row that leads every row. It has no patterns,
so that columns can be many, and rows of a group only have to be equal: an importance
order or a deletion may make them suppress a column on which they agree.

Exact: a class of equal rows splits into groups of k..2k-1 rows without a change of its
cells, and decoding merges them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.suppression import Suppression
from atleastk.models.encodings.encoding import Encoding, point
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.encodings.leaders import Leaders, split_groups
from atleastk.models.linear import LinearModelBuilder
from atleastk.models.results.solution import Solution
from atleastk.models.suppression import (
    SuppressionSolution,
    completed,
    mask_of,
    solution_of_mask,
)

Order = Sequence[Sequence[int]]


def cell_model(instance: Suppression) -> Encoding:
    """Cells are suppressed within limits, and rows are led by the first of their group.

    Variables: z_i_c, cell c of row i is suppressed; l_i_j, row i is led by row j <= i;
    R_i and C_c, row i and column c are in the region, if it is limited or costs; K, the
    greatest number of a row or of a column, if that is minimised; level_row_a and
    level_column_a, between the classes a and a + 1 of an importance order.

    minimise    the cost: sum z_i_c, by weights if there are any, sum R_i, sum C_c, or K
    subject to  sum_j l_i_j = 1,   l_i_j <= l_j_j,
                (k - 1) l_j_j <= sum_{i>j} l_i_j <= (2k - 2) l_j_j,
                z_i_c >= l_i_j,  z_j_c >= l_i_j        if i and j differ in c,
                |z_i_c - z_j_c| <= 1 - l_i_j           if they agree in c,
                z_i_c <= R_i + C_c                     deletion: z_i_c >= R_i, C_c,
                sums of z_i_c, R_i, C_c <= limits,
                K >= sum_c z_i_c, or sum_i z_i_c,
                class a suppresses at most level_.._a, class a + 1 at least,
                sum_c z_i_c >= sum_j loss_ij l_i_j     implied, as for the region.

    Raise `NotApplicableError` if k is maximised.
    """
    if instance.minimise == "k":
        raise NotApplicableError(
            "minimise: the model is of one k, which it cannot maximise"
        )
    builder = LinearModelBuilder()
    cells = _Cells(instance, builder)
    _confine(builder, cells)
    sums: Mapping[str, Sequence[Sequence[int]]] = {
        "rows": [cells.rows],
        "columns": [cells.columns],
        "entries": [cells.all],
        "per_row": cells.hidden,
        "per_column": cells.by_column,
    }
    for quantity, limit in instance.binding.items():
        for variables in sums[quantity]:
            builder.row(variables, at_most=limit)
    for quantity, greatest in cells.greatest.items():
        for line in sums[quantity]:
            builder.row([greatest, *line], [1] + [-1] * len(line), at_least=0)
    model = builder.build()

    def decode(values: IntArray) -> SuppressionSolution:
        hidden = values[cells.all].reshape(instance.n, instance.m) > 0
        both = instance.region == ("rows", "columns")
        chosen = values[list(cells.columns)].nonzero()[0] if both else None
        return solution_of_mask(instance, hidden, chosen)

    def encode(solution: Solution) -> IntArray | None:
        if any(len(group) < instance.k for group in solution.groups):
            return None
        solution = completed(instance, solution)
        return point(model.columns, cells.entries(solution))

    return Encoding(model, decode, encode)


class _Cells:
    """The variables, and the rows of importance orders."""

    def __init__(self, instance: Suppression, builder: LinearModelBuilder) -> None:
        n, m = instance.n, instance.m
        cost, intact = instance.minimise, set(instance.intact)
        named = {
            quantity: [
                builder.variable(0, 1, cost == quantity, letter, i)
                for i in range(count)
            ]
            for quantity, letter, count in (("rows", "R", n), ("columns", "C", m))
            if quantity in instance.region
        }
        self.instance = instance
        self.hidden = [
            [
                builder.variable(
                    0, j not in intact, (cost == "entries") * worth * price, "z", i, j
                )
                for j, price in enumerate(instance.column_worth)
            ]
            for i, worth in enumerate(instance.row_worth)
        ]
        self.all = list(chain.from_iterable(self.hidden))
        self.by_column = [[row[j] for row in self.hidden] for j in range(m)]
        codes = instance.records.of_rows
        steps = [[[cell] for cell in row] for row in self.hidden]
        apart = codes[:, None] != codes
        self.leaders = Leaders(builder, steps, apart, [1] * m, instance.k)
        self.rows: Sequence[int] = named.get("rows", ())
        self.columns: Sequence[int] = named.get("columns", ())
        self.greatest = {
            quantity: builder.variable(0, most, 1, "K")
            for quantity, most in (("per_row", m), ("per_column", n))
            if cost == quantity
        }
        self.row_levels = _ranked(builder, "row", instance.row_order, self.hidden, m)
        self.column_levels = _ranked(
            builder, "column", instance.column_order, self.by_column, n
        )

    def entries(self, solution: SuppressionSolution) -> Iterator[tuple[int, int]]:
        """Yield the values of all variables that are not 0."""
        instance = self.instance
        hidden = mask_of(instance, solution)
        in_row, in_column = hidden.sum(axis=1), hidden.sum(axis=0)
        inside = in_column > 0
        if instance.region == ("rows", "columns"):
            inside = np.isin(np.arange(instance.m), solution.columns)
        beyond = hidden & ~inside if self.columns else hidden
        for variables, flags in (
            (self.all, hidden.ravel()),
            (self.rows, beyond.sum(axis=1) > 0),
            (self.columns, inside),
        ):
            yield from zip(variables, flags.tolist(), strict=False)  # maybe unnamed
        yield from self.leaders.entries(split_groups(solution.groups, instance.k))
        for quantity, variable in self.greatest.items():
            counts = in_row if quantity == "per_row" else in_column
            yield variable, counts.max(initial=0)
        for order, levels, counts in (
            (instance.row_order, self.row_levels, in_row),
            (instance.column_order, self.column_levels, in_column),
        ):
            for level, members in zip(levels, order or (), strict=False):
                yield level, counts[list(members)].max()


def _ranked(
    builder: LinearModelBuilder,
    of: str,
    order: Order | None,
    lines: Sequence[Sequence[int]],
    most: int,
) -> list[int]:
    """Let the lines of every class suppress no more cells than those of the next.

    Return a variable for every two classes that follow each other.
    """
    levels = []
    for a, (here, after) in enumerate(pairwise(order or ())):
        levels.append(builder.variable(0, most, 0, "level", of, a))
        for sign, members in ((1, here), (-1, after)):
            for line in members:
                factors = [sign] + [-sign] * len(lines[line])
                builder.row([levels[-1], *lines[line]], factors, at_least=0)
    return levels


def _confine(builder: LinearModelBuilder, cells: _Cells) -> None:
    """Keep suppressed cells inside the region; let a deletion fill it.

    A row that loses cells, given its leader, loses them in columns of the region
    unless it is in the region itself.
    """
    pairs = zip(cells.leaders.leads, cells.leaders.losses.tolist(), strict=True)
    for row, (leads, losses) in enumerate(pairs):
        lost = losses[: len(leads)]
        if cells.rows and any(lost):
            most = max(lost) if cells.columns else 1
            inside = [-min(most, loss) for loss in lost]
            builder.row(
                [cells.rows[row], *cells.columns, *leads],
                [most, *[1] * len(cells.columns), *inside],
                at_least=0,
            )
    for i, line in enumerate(cells.hidden if cells.instance.region else ()):
        for j, cell in enumerate(line):
            named = [*cells.rows[i : i + 1], *cells.columns[j : j + 1]]
            builder.row([*named, cell], [1] * len(named) + [-1], at_least=0)
            for own in named if cells.instance.deletion else ():
                builder.row([cell, own], [1, -1], at_least=0)


FORMULATIONS: Final = (Formulation("cells", cell_model),)
