"""The cells that groups of a few rows hide, for the dynamic program over subsets.

Groups have k..2k-1 rows. It uses no bounds, patterns or solver, so it is an independent
reference for up to 20 rows: all their subsets, a million, get a cost.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.engine import subsets
from atleastk.solvers.engine.subsets import Priced, cheapest
from atleastk.solvers.tables.subset_prices import price_sets

refuses: Final = partial(subsets.refuses, most=20)


def priced(instance: KAnonymity) -> Priced:
    """Return the cells that each set of rows hides, as a group of at most 2k - 1."""
    n, k = instance.n, instance.k
    codes = instance.records.codes[instance.records.record_of].T
    apart = ((1, (x[:, None] != x).astype(int)) for x in codes)
    return price_sets(apart, [1] * n, k, 2 * k - 1)


best_partition: Final = cheapest(priced)
