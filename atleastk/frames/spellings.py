"""Values of a column that are nearly spelled alike, and are probably meant to be equal.

Beyond the oddities that every report warns of (:mod:`atleastk.frames.oddities`), texts
are compared without case, accents, spaces and signs - but for signs between digits,
which tell 1.5 from 15 - and numbers by what they are: 01067 and 1067.0 are one number.
Many of these differences are meant; somebody who knows the data has to say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from unicodedata import combining, normalize

from atleastk.frames.frame import Column
from atleastk.instances.hierarchies.rules import is_number, number_of

_BETWEEN_DIGITS: Final = re.compile(r"(?<=\d)\W+(?=\d)")
_SIGNS: Final = re.compile(r"""[\s.,;:'"`\u2019_/()]|(?<=\w)-(?=\w)""")
"""What does not tell values apart; A- and <=50K are not A and >50K."""

Spellings = tuple[tuple[str, int], ...]
"""Texts that are nearly alike and the rows of each, the most frequent first."""


def nearly_equal(column: Column, texts: Sequence[str | None]) -> list[Spellings]:
    """Return the values of a column that are nearly alike, those of most rows first.

    `texts` are its values as they are written in a file.
    """
    groups: dict[str, list[int]] = {}
    for number, text in enumerate(texts):
        if text:
            groups.setdefault(_look(text), []).append(number)
    several = [group for look, group in groups.items() if look and len(group) > 1]
    if not several:
        return []
    rows = column.rows_of_values
    found = [
        tuple(
            sorted(
                ((texts[i] or "", rows[i]) for i in group), key=lambda x: (-x[1], x[0])
            )
        )
        for group in several
    ]
    return sorted(found, key=lambda group: -sum(count for _, count in group))


def made_equal(texts: Sequence[str | None]) -> list[str | None]:
    """Return for every text the first one that is nearly equal to it."""
    first: dict[str, str] = {}
    return [
        first.setdefault(_look(text) or text, text) if text else text for text in texts
    ]


def _look(text: str) -> str:
    """Return what nearly equal texts share."""
    plain = text.strip()
    if is_number(plain):
        return f"={number_of(plain)}"
    letters = normalize("NFKD", plain).casefold()
    unaccented = "".join(sign for sign in letters if not combining(sign))
    return _SIGNS.sub("", _BETWEEN_DIGITS.sub("\0", unaccented))
