"""How large a model is in which rows lead one another, for all problems on tables."""

from __future__ import annotations

from typing import Final

MOST_LED: Final = 600_000
"""Pairs of rows times columns for which such a model is written in a second or two."""


def paired_cells(n: int, m: int) -> int:
    """Return how many pairs of n rows there are, times m columns."""
    return n * n // 2 * max(1, m)


def refuses_leaders(n: int, m: int) -> str | None:
    """Say why rows do not lead one another, or None if they are few enough."""
    if paired_cells(n, m) > MOST_LED:
        return f"{n} rows are too many to be led by one another"
    return None
