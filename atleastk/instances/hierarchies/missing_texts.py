"""Texts that stand for a missing value: NA, n/a, ? and the like."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

_MISSING: Final = frozenset(
    (
        *("", "-", "--", ".", "..", "?", "#n/a", "<na>", "missing", "n.a.", "n/a"),
        *("na", "nan", "nat", "nil", "none", "null", "unknown"),
    )
)
"""The texts of other programs, compared without case."""


def missing_among(texts: Collection[str]) -> list[str]:
    """Return those of the texts that stand for a missing value.

    Among texts without a digit there are none: there NA may be Namibia.
    """
    found = [text for text in texts if text.strip().casefold() in _MISSING]
    others = set(texts).difference(found) if found else ()
    return found if any(sign.isdecimal() for text in others for sign in text) else []
