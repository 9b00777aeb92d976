"""Importance orders of columns: what a table costs once its columns are padded.

What an order asks for besides depends on the stars of the columns alone, except that it
is rounded up to whole groups: a column has as many as the fullest of all more important
classes. So a star in a column that is padded anyway is free, and one in the column to
which others are padded costs as much as all of them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from atleastk.arrays import BoolArray, IntArray
from atleastk.solvers.compiled.compile import compiled

_NEVER: Final = 2**40
"""The cost of a star in an intact column: above all costs there are."""


class Order(NamedTuple):
    """An importance order of columns.

    The columns of class c are ``columns[starts[c]:starts[c + 1]]``. Those that are not
    `free` stay intact.
    """

    columns: IntArray  # [place]
    starts: IntArray  # [class + 1]
    free: BoolArray  # [column]


@compiled
def padded_cost(stars: IntArray, order: Order) -> int:
    """Return the stars of all columns once they are padded, but for whole groups."""
    total, needed = 0, 0
    for j in range(len(stars)):
        total += stars[j] if order.free[j] else _NEVER * stars[j]
    for c in range(len(order.starts) - 1):
        fullest = needed
        for place in range(order.starts[c], order.starts[c + 1]):
            j = order.columns[place]
            if order.free[j]:
                total += max(0, needed - stars[j])
            fullest = max(fullest, stars[j])
        needed = fullest
    return total
