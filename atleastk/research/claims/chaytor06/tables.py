"""Small tables that trials of several chapters of [Chaytor06] draw."""

from __future__ import annotations

from random import Random
from typing import Any, Final

Table = tuple[tuple[Any, ...], ...]

TABLES: Final = "tables of 2 to 5 rows, 2 or 3 columns of 3 values, k = 2, 3"
"""What is drawn of tables, in words."""


def small_table(rng: Random) -> Table:
    """Draw one of the tables of `TABLES`."""
    n, m = rng.randint(2, 5), rng.randint(2, 3)
    return tuple(tuple(rng.choice("abc") for _ in range(m)) for _ in range(n))


PATIENTS: Final = (
    (25, "Male", "Yes", 709, "Yes"),
    (25, "Male", "Yes", 709, "No"),
    (25, "Female", "No", 804, "No"),
    (40, "Male", "Yes", 807, "Yes"),
    (40, "Male", "No", 902, "Yes"),
    (40, "Male", "No", 902, "No"),
    (40, "Male", "No", 902, "Yes"),
)
"""Figure 2.6: age, gender, married, area code, cancer."""
