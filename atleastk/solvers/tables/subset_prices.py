"""The prices of all groups of a few rows, for the dynamic program over subsets.

Rows that are equal at a level are equal at all levels above; a column without a
hierarchy has one level. So the least level of a set is that of the set without its last
row, or that at which this row equals any other one of them: O(m 2^n) for all sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.engine import subsets
from atleastk.solvers.engine.subsets import NEVER, Priced


def price_sets(
    columns: Iterable[tuple[int, IntArray]],
    persons: Sequence[int],
    k: int,
    most: int | None = None,
) -> Priced:
    """Return the price of every set of rows as a group.

    Parameters
    ----------
    columns
        For every column the price of a level, and how many levels two rows differ at,
        [row, row].
    persons
        How often each row pays.
    k, most
        The fewest rows of a group, and the most, if larger ones are not needed.
    """
    n = len(persons)
    paid = np.zeros(1 << n, dtype=np.int64)
    for price, apart in columns:
        levels = np.zeros(1 << n, dtype=np.int64)
        for last in range(n):
            first = 1 << last
            levels[first : 2 * first] = levels[:first]
            for other in range(last):
                # All sets with this row as their first and that one as their last.
                some = slice(first + (1 << other), 2 * first, 2 << other)
                np.maximum(levels[some], apart[last, other], out=levels[some])
        paid += price * levels
    sizes = subsets.sizes(n)
    fits = (sizes >= k) & (sizes <= (n if most is None else most))
    prices = np.where(fits, subsets.sums(persons) * paid, NEVER)
    return Priced(prices, greatest=False, most_groups=n)
