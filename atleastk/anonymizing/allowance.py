"""How many rows may be suppressed: a number, or a share of a table."""

from __future__ import annotations

from fractions import Fraction

from atleastk.instances.errors import InvalidInstanceError
from atleastk.instances.shapes import real, shown, whole

__all__ = ["Allowance", "allowed_rows"]

Allowance = int | float | str
"""A number of rows, a share such as 0.05, or a text such as ``"5%"`` or ``"20"``."""


def allowed_rows(wish: Allowance, n: int) -> int:
    """Return how many of `n` rows a wish allows; shares are rounded down."""
    text = wish.strip() if isinstance(wish, str) else str(wish)
    number, share = whole(wish), real(wish)
    if text.isdecimal():
        number = int(text)
    if number is not None and number >= 0:
        return number
    try:
        if share is not None:
            part = Fraction(text)
        elif isinstance(wish, str) and text.endswith("%"):
            part = Fraction(text[:-1]) / 100
        else:
            part = Fraction(-1)
    except (ValueError, ZeroDivisionError):
        part = Fraction(-1)
    if not 0 <= part <= 1:
        message = (
            "suppress_rows: expected a number of rows, or a share of them such as 5%, "
            f"got {shown(wish)}"
        )
        raise InvalidInstanceError(message)
    return int(part * n)
