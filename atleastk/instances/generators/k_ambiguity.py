"""k-ambiguity: families of generated tables.

The tables are those of k-anonymity. Large ones of many values are easy, since k - 1
suppressed rows are optimal; few rows over few values are where the optimum is less.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atleastk.instances.family import Family, at_least, families
from atleastk.instances.generators import k_anonymity
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.instances.k_anonymity import KAnonymity

PEOPLE_COLUMNS: Final = ("Age", "Gender", "Married", "Area Code")

FIGURE_2_6: Final = (
    (25, "Male", "Yes", 709),
    (25, "Male", "Yes", 709),
    (25, "Female", "No", 804),
    (40, "Male", "Yes", 807),
    (40, "Male", "No", 902),
    (40, "Male", "No", 902),
    (40, "Male", "No", 902),
)


def seven_people(_seed: int, k: int = 2) -> KAmbiguity:
    """Seven people, [Chaytor06, Figure 2.14]: the optimum for k = 2 is 4, as printed.

    Whether they have cancer is private, and left out.
    """
    return KAmbiguity(FIGURE_2_6, k, columns=PEOPLE_COLUMNS)


def worst_pairs(_seed: int, pairs: int = 10) -> KAmbiguity:
    """Pairs of rows that differ in one cell: one is hidden in each, or a row, for 2."""
    at_least(2, pairs=pairs)
    table = [(i, bit) for i in range(pairs) for bit in (0, 1)]
    return KAmbiguity(table, 2)


def worst_rows(_seed: int, m: int = 6, k: int = 3) -> KAmbiguity:
    """K rows of 0 but for one cell, and k of 2: k - 1 rows are hidden in its place."""
    at_least(2, m=m, k=k)
    table = [[0] * m for _ in range(k)] + [[2] * m] * k
    table[k - 1][-1] = 1
    return KAmbiguity(table, k)


def _ambiguous(_seed: int, drawn: KAnonymity) -> KAmbiguity:
    return KAmbiguity(drawn.table, drawn.k)


FAMILIES: Sequence[Family[KAmbiguity]] = (
    Family.made_of(k_anonymity.uniform, _ambiguous, {"n": 12, "values": 2}),
    Family.made_of(k_anonymity.skewed, _ambiguous, {"n": 12, "values": 3}),
    Family.made_of(k_anonymity.planted, _ambiguous, {"noise": 5}),
    Family.of(seven_people, "people"),
    *families(worst_pairs, worst_rows),
)
