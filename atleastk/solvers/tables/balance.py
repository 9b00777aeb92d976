"""Balance: moves from pattern to pattern are accepted by how full the columns are.

Let c_j be the stars of column j. The norm (sum of c_j ^ p) ^ (1 / p) is between max c
and m ^ (1 / p) max c; and its derivatives are prices of the columns that rise with
their stars. So what a move changes in it, times m, is in cells, and full columns count
more.
"""

from __future__ import annotations

from typing import NamedTuple

from atleastk.arrays import IntArray
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.tables.local_search_state import Homes, Workspace


class Balance(NamedTuple):
    """The stars of the columns before and after a move, and the power of the norm."""

    kept: IntArray  # [pattern], the bits of its columns
    before: IntArray  # [column]
    after: IntArray  # [column]
    power: float


@compiled
def growth_of(
    freed: int, entries: int, homes: Homes, work: Workspace, balance: Balance
) -> float:
    """Return by how many cells the norm grows if free rows go where entries say."""
    for j in range(len(balance.after)):
        balance.after[j] = balance.before[j]
    for i in range(freed):
        _count(homes.pattern[work.free[i]], -1, balance)
    for i in range(entries):
        _count(work.entry_pattern[i], work.entry_copies[i], balance)
    grown = _norm(balance.after, balance.power) - _norm(balance.before, balance.power)
    return len(balance.after) * grown


@compiled
def accept(balance: Balance) -> None:
    """Make the stars after a move those before the next."""
    for j in range(len(balance.after)):
        balance.before[j] = balance.after[j]


@compiled
def _count(p: int, rows: int, balance: Balance) -> None:
    """Count the stars of more rows of a pattern, or of fewer."""
    for j in range(len(balance.after)):
        balance.after[j] += rows * (1 - (balance.kept[p] >> j & 1))


@inlined
def _norm(stars: IntArray, power: float) -> float:
    fullest = 1
    for j in range(len(stars)):
        fullest = max(fullest, stars[j])
    total = 0.0
    for j in range(len(stars)):
        total += (stars[j] / fullest) ** power
    return float(fullest * total ** (1.0 / power))
