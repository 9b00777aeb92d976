"""The columns of a region of rows and columns: the fewest rows beside each choice.

With the columns C of the region chosen, the rows of the region are those with a star
outside C. Let the rows be classed by their values outside C. A row that is not of the
region looks like its class outside C, so its group is inside its class, which has k
rows then. Hence all rows in smaller classes are rows of the region, and if there are
any, k of them at least: rows of one pattern are all of the region or none.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb

from atleastk.instances.records import Records
from atleastk.instances.suppression import Suppression


def fewest_rows(instance: Suppression, columns: int) -> int:
    """Return the least number of rows of the region beside these columns."""
    records = instance.records
    others = [j for j in range(instance.m) if not columns >> j & 1]
    sizes = Records.coded(records.codes[:, others], records.copies).copies
    lonely = int(sizes[sizes < instance.k].sum())
    return max(lonely, instance.k) if lonely else 0


def choices(instance: Suppression, size: int) -> Iterator[tuple[int, int]]:
    """Yield (fewest rows, columns) for the sets of `size` columns, fewest first.

    Sets that need more rows than allowed are left out.
    """
    most = instance.most.rows
    found = []
    for chosen in combinations(range(instance.m), size):
        columns = sum(1 << j for j in chosen)
        rows = fewest_rows(instance, columns)
        if most is None or rows <= most:
            found.append((rows, columns))
    yield from sorted(found)


def count_choices(instance: Suppression) -> int:
    """Return the greatest number of sets of columns to try."""
    m, most = instance.m, instance.most.columns
    if instance.minimise != "columns":
        return comb(m, min(m, most if most is not None else m))
    sizes = range(min(m, most if most is not None else m) + 1)
    return sum(comb(m, size) for size in sizes)
