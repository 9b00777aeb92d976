"""Numbers with decimal commas: 3,5 for three and a half.

A comma could be one of thousands, too: 1,234. Texts have decimal commas if one of them
has a comma that cannot be anything else, and none has a point.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

_COMMA: Final = re.compile(r"[+-]?\d*,\d+(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_PLAIN: Final = re.compile(r"[+-]?\d+(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_OF_THOUSANDS: Final = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}", re.ASCII)


def has_commas(texts: Collection[str]) -> bool:
    """Tell whether these are numbers, some with a comma that is one of decimals."""
    with_one = [text for text in texts if "," in text]
    return (
        not all(map(_OF_THOUSANDS.fullmatch, with_one))
        and all(map(_COMMA.fullmatch, with_one))
        and all("," in text or _PLAIN.fullmatch(text) for text in texts)
    )


def pointed(text: str) -> str:
    """Return a number with a decimal point in place of a comma."""
    return text.replace(",", ".")


def with_comma(label: str | int) -> str:
    """Return a label of numbers with decimal commas in place of points.

    What separates two numbers is not a comma then: [0.5, 1) is [0,5; 1).
    """
    return str(label).replace(", ", "; ").replace(".", ",")
