"""How many rows may be suppressed: a number, or a share of a table."""

from __future__ import annotations

from fractions import Fraction

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shapes import shown

Allowance = int | float | str
"""A number of rows, a share such as 0.05, or a text, as ``"20"`` or ``"5%"``."""


def allowed_rows(wish: Allowance, n: int) -> int:
    """Return how many of `n` rows a wish allows; shares are rounded down."""
    text = str(wish).strip()
    if text.isdecimal():
        return int(text)
    try:
        part = Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        part = Fraction(-1)
    if not 0 <= part <= 1:
        raise InvalidInstanceError(
            "suppress_rows: expected a number of rows, or a share of them such as 5%, "
            f"got {shown(wish)}"
        )
    return int(part * n)
