"""Leaders: every row of a table is led by the first row of its group.

0/1 variables l_ij say that row i is led by row j <= i. Every row has one leader, who
leads itself and k - 1 to 2 k - 2 later rows; with further conditions, which forbid to
split groups, any number of them. A row that is dropped has no leader. Cells are lists
of 0/1 steps, which do not increase (:mod:`atleastk.models.encodings.generalization`):
one step says that a cell is suppressed. A row and its leader reach the levels at which
they agree, and above them the cells of a row have the levels of its leader's.

Valid inequalities, for the relaxation: a row costs no less than agreement with its
leader, and with any k - 1 rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.models.linear import LinearModelBuilder

Conditions = Callable[
    [LinearModelBuilder, Sequence[tuple[int, Sequence[int]]], int],
    Callable[[IntArray], None],
]
"""Adds further conditions on a class, given its members - a counting variable, and the
rows that it stands for - and a variable that is 1 if the class is not empty. Returns a
function that fills in the added variables, from those of the members."""

Steps = Sequence[Sequence[int]]
"""By column the steps of a cell."""


class Leaders:
    """The variables and rows of leaders.

    Attributes
    ----------
    leads
        By row the variables of its possible leaders, which are the first n - k + 1.
    dropped
        By row the variable that drops it; empty if none may be dropped.
    losses
        The lower bound of the cost of a row, [row, leader].
    fillings
        Functions that fill in the variables of further conditions.
    """

    def __init__(
        self,
        builder: LinearModelBuilder,
        cells: Sequence[Steps],
        agreed: IntArray | BoolArray,
        weights: Sequence[int],
        k: int,
        conditions: Conditions | None = None,
        most_dropped: int = 0,
    ) -> None:
        """Add leaders of rows with these cells.

        `agreed` has the least level at which two rows agree, [row, row, column], and
        `weights` the cost of a level, by column. So many rows may be dropped.
        """
        n = len(cells)
        apart = agreed @ np.array(weights, dtype=np.int64)
        least = np.sort(apart, axis=1)[:, min(k, n) - 1 : min(k, n)]
        self.losses: IntArray = np.maximum(apart, np.maximum(least, least.T))
        leaders = max(0, n - k + 1)
        self.leads = [builder.binaries(min(i + 1, leaders), "l", i) for i in range(n)]
        self.dropped = builder.binaries(n if most_dropped else 0, "d")
        builder.row(self.dropped, at_most=most_dropped)
        for i, (row, leads, losses) in enumerate(
            zip(cells, self.leads, self.losses, strict=True)
        ):
            builder.equation([*leads, *self.dropped[i : i + 1]], 1, 1)
            terms = {
                step: weight
                for cell, weight in zip(row, weights, strict=True)
                for step in cell
            }
            terms |= zip(leads, (-losses).tolist(), strict=False)
            builder.row(terms.keys(), terms.values(), at_least=0)
        self.fillings: list[Callable[[IntArray], None]] = []
        for j in range(leaders):
            head, *led = [self.leads[i][j] for i in range(j, n)]
            builder.row([*led, head], [1] * len(led) + [1 - k], at_least=0)
            if conditions is None:
                builder.row([*led, head], [1] * len(led) + [2 - 2 * k], at_most=0)
            else:
                members = [(lead, [i]) for i, lead in enumerate([head, *led], j)]
                self.fillings.append(conditions(builder, members, head))
            for i, lead in enumerate(led, j + 1):
                builder.row([head, lead], [1, -1], at_least=0)
                _agree(builder, lead, cells[i], cells[j], agreed[i, j].tolist())

    def groups(self, values: IntArray) -> list[list[int]]:
        """Return the groups of a point, by their leaders: their first rows."""
        home: defaultdict[int, list[int]] = defaultdict(list)
        for i, row in enumerate(self.leads):
            for j in (j for j, lead in enumerate(row) if values[lead]):
                home[j].append(i)
        return [home[j] for j in sorted(home)]

    def entries(self, groups: Iterable[Sequence[int]]) -> Iterator[tuple[int, int]]:
        """Yield the entries of a point for groups whose rows ascend."""
        for group in groups:
            yield from ((self.leads[row][group[0]], 1) for row in group)


def split_groups(groups: Iterable[Sequence[int]], k: int) -> list[list[int]]:
    """Split groups of at least k rows into groups of k..2k-1, each sorted."""
    parts: list[list[int]] = []
    for group in groups:
        rows = sorted(group)
        cuts = [*range(0, max(1, len(rows) // k) * k, k), len(rows)]
        parts.extend(rows[start:end] for start, end in pairwise(cuts))
    return parts


def _agree(
    builder: LinearModelBuilder,
    lead: int,
    row: Steps,
    leader: Steps,
    agreed: Sequence[int],
) -> None:
    """Give the cells of a row the levels of its leader's, where both are equal."""
    for own, other, least in zip(row, leader, agreed, strict=True):
        for level, (mine, its) in enumerate(zip(own, other, strict=True)):
            if level < least:
                builder.row([mine, lead], [1, -1], at_least=0)
                builder.row([its, lead], [1, -1], at_least=0)
            else:
                builder.row([mine, its, lead], [1, -1, -1], at_least=-1)
                builder.row([its, mine, lead], [1, -1, -1], at_least=-1)
