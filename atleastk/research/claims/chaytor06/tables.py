"""Small tables that trials of several chapters of [Chaytor06] draw."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from atleastk.instances.generators.k_ambiguity import FIGURE_2_6

Table = tuple[tuple[Any, ...], ...]

TABLES: Final = "tables of 2 to 5 rows, 2 or 3 columns of 3 values, k = 2, 3"
"""What is drawn of tables, in words."""


def small_table(rng: Random) -> Table:
    """Draw one of the tables of `TABLES`."""
    n, m = rng.randint(2, 5), rng.randint(2, 3)
    return tuple(tuple(rng.choice("abc") for _ in range(m)) for _ in range(n))


_CANCER: Final = ("Yes", "No", "No", "Yes", "Yes", "No", "Yes")
PATIENTS: Final = tuple(
    (*row, cancer) for row, cancer in zip(FIGURE_2_6, _CANCER, strict=True)
)
"""Figure 2.6: age, gender, married, area code, cancer."""
