"""Full products: tables of every record over some columns, once.

Their optimal cell suppression has a closed form.
"""

from __future__ import annotations

from math import prod

from atleastk.instances.family import require
from atleastk.instances.fields.errors import InvalidInstanceError


def sizes_of(text: str) -> list[int]:
    """Return the numbers of values of the columns, from a text like 3,5,4."""
    parts = str(text).split(",")
    good = all(part.strip().isdecimal() and int(part) >= 1 for part in parts)
    require(good, f"sizes: expected numbers like 3,5,4, got {text!r}")
    return [int(part) for part in parts]


def full_product_optimum(sizes: str, k: int) -> int:
    """Return n * p: p is the least number of columns that multiply to k or more.

    A group that keeps all but p columns has at most as many rows as the p largest
    columns multiply to; suppressing these p columns reaches it.
    """
    columns = sorted(sizes_of(sizes), reverse=True)
    for stars in range(len(columns) + 1):
        if prod(columns[:stars]) >= k:
            return prod(columns) * stars
    raise InvalidInstanceError(f"k: expected at most {prod(columns)}, got {k}")
