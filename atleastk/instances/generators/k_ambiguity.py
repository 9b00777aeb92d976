"""k-ambiguity: families of generated tables.

The tables are those of k-anonymity. Large ones of many values are easy, since k - 1
suppressed rows are optimal; few rows over few values are where the optimum is less.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atleastk.instances.family import Family, described, families
from atleastk.instances.generators import k_anonymity
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.instances.k_anonymity import KAnonymity

_COLUMNS: Final = ("Age", "Gender", "Married", "Area Code")

FIGURE_2_6: Final = (
    (25, "Male", "Yes", 709),
    (25, "Male", "Yes", 709),
    (25, "Female", "No", 804),
    (40, "Male", "Yes", 807),
    (40, "Male", "No", 902),
    (40, "Male", "No", 902),
    (40, "Male", "No", 902),
)


def uniform(
    seed: int, n: int = 12, m: int = 4, values: int = 2, k: int = 3
) -> KAmbiguity:
    """Cells uniform in 0..values-1."""
    return _same(k_anonymity.uniform(seed, n, m, values, k))


def skewed(
    seed: int, n: int = 12, m: int = 4, values: int = 3, k: int = 3
) -> KAmbiguity:
    """Zipf cells: value v, 0..values-1, has weight 1 / (v + 1)."""
    return _same(k_anonymity.skewed(seed, n, m, values, k))


def planted(
    seed: int,
    groups: int = 5,
    size: int = 4,
    m: int = 6,
    values: int = 4,
    noise: int = 5,
    k: int = 3,
) -> KAmbiguity:
    """Draw groups of equal size around random records; redraw noise % of the cells."""
    return _same(k_anonymity.planted(seed, groups, size, m, values, noise, k))


def seven_people(seed: int, k: int = 2) -> KAmbiguity:
    """Seven people, [Chaytor06, Figure 2.14]: the optimum for k = 2 is 4, as printed.

    Whether they have cancer is private, and left out.
    """
    return KAmbiguity(FIGURE_2_6, k, columns=_COLUMNS, **described("people", seed))


FAMILIES: Sequence[Family[KAmbiguity]] = (
    *families(uniform, skewed, planted),
    Family.of(seven_people, "people"),
)


def _same(instance: KAnonymity) -> KAmbiguity:
    return KAmbiguity(instance.table, instance.k, name=instance.name)
