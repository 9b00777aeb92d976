"""k-ambiguity: brute force.

Every set of cells of at most 14 (16,384 of them) is suppressed in turn and checked by
definition, on the cells of the table themselves: without merged rows, patterns, bounds,
or any other code of the solvers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.solvers.brute_force.bin_covering import refuse_more

CELLS = 14
"""The most cells it takes."""

Cell = tuple[int, int]


def optimum(
    instance: KAmbiguity, most_cells: int = CELLS
) -> tuple[int, tuple[Cell, ...]] | None:
    """Return the least cost and the cells of a best solution; None if infeasible."""
    n, m = instance.n, instance.m
    refuse_more(n * m, most_cells, "cells")
    table = instance.written_out.table
    cells = list(product(range(n), range(m)))
    for cost in range(n * m + 1):
        for hidden in combinations(cells, cost):
            if is_ambiguous(table, instance.k, hidden):
                return cost, hidden
    return None


def is_ambiguous(
    table: Sequence[Sequence[str | int]], k: int, hidden: Sequence[Cell]
) -> bool:
    """Tell whether every row matches k - 1 others once these cells are suppressed."""
    starred = set(hidden)
    return all(
        sum(
            all(
                (i, j) in starred or (other, j) in starred or cell == there
                for j, (cell, there) in enumerate(zip(row, match, strict=True))
            )
            for other, match in enumerate(table)
            if other != i
        )
        >= k - 1
        for i, row in enumerate(table)
    )
