"""k-anonymity: brute force.

Every partition of at most ten rows (115,975 of them) is tried by definition, on the
cells of the table themselves: without merged rows, patterns, bounds, or any other code
of the solvers.
"""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.brute_force.bin_covering import (
    cheapest,
    partitions,
    refuse_more,
)

ROWS = 10
"""The most rows it takes."""


def optimum(instance: KAnonymity) -> tuple[int, list[list[int]]] | None:
    """Return the least cost and the groups of a best solution; None if infeasible."""
    refuse_more(instance.n, ROWS, "rows")
    table = instance.written_out.table

    def cost_of(groups: list[list[int]]) -> int | None:
        if any(len(group) < instance.k for group in groups):
            return None
        return sum(_suppressed([table[row] for row in group]) for group in groups)

    return cheapest(partitions(instance.n), cost_of)


def _suppressed(rows: Sequence[Sequence[str | int]]) -> int:
    """Return how many cells these rows lose to become equal."""
    differing = sum(
        any(c != column[0] for c in column) for column in zip(*rows, strict=True)
    )
    return len(rows) * differing
