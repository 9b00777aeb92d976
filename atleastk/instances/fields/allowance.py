"""Allowances and shares as they are asked for: numbers, fractions, percentages."""

from __future__ import annotations

from fractions import Fraction

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shapes import Share, shown

Allowance = int | float | str
"""A number of rows, a share such as 0.05, or a text, as ``"20"`` or ``"5%"``."""


def share_of(wish: object, name: str) -> Fraction:
    """Return a share: a number or a fraction from 0 to 1, or a text like ``"5%"``."""
    text = wish.strip() if isinstance(wish, str) else ""
    if text.endswith("%") and text[:-1].replace(".", "", 1).isdecimal():
        wish = Fraction(text[:-1]) / 100
    try:
        return Share().parse(wish, name)
    except InvalidInstanceError as error:
        raise InvalidInstanceError(
            f"{name}: expected a share such as 5%, 0.05 or 1/20, got "
            f"{shown(text or wish)}"
        ) from error


def allowed_rows(wish: Allowance, n: int, name: str = "suppress_rows") -> int:
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
            f"{name}: expected a number of rows, or a share of them such as 5%, got "
            f"{shown(wish)}"
        )
    return int(part * n)
