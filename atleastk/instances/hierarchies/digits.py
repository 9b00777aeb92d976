"""Digits that count something, and digits that are a code.

The mean of postal codes says nothing, and neighbours of a patient's number are nobody's
neighbours. Values that are all digits are a code if one of these holds:

1. one of several digits begins with a zero;
2. the name of the column says so: zip, plz, id, key, ...nummer;
3. all have the same number of digits, five or more, and the name does not say that they
   count or measure something, as an income does.

Names are those of a column in English and German; without one only the values decide.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

_LONG: Final = 5
"""Digits of a number that is taken for a code, if all have as many: zip codes."""

_DIGITS: Final = re.compile(r"\d+", re.ASCII)
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

_POSTAL: Final = ("plz", "postal", "postcode", "postleitzahl", "zip")
"""Parts of the names of columns of postal codes."""

_CODES: Final = frozenset(
    (
        *("ags", "code", "codes", "fips", "id", "ids", "key", "mobile", "phone", "ssn"),
        *("tel", "telefon", "telephone", "uid"),
    )
)
"""Words in the names of columns of codes."""

_LAST: Final = ("code", "kennung", "nr", "number", "nummer", "schluessel")
"""Ends of such names: a house number is one, a number of children is none."""

_COUNTS: Final = frozenset(
    (
        *("age", "amount", "area", "balance", "cost", "costs", "count", "days"),
        *("distance", "earnings", "gain", "height", "hours", "income", "loss"),
        *("minutes", "pay", "population", "price", "rent", "revenue", "salary"),
        *("score", "seconds", "size", "sum", "total", "turnover", "value", "wage"),
        *("wages", "weight", "year", "years"),
        *("alter", "anzahl", "betrag", "einkommen", "einwohner", "flaeche", "gehalt"),
        *("gewicht", "groesse", "jahr", "kosten", "lohn", "miete", "preis", "stunden"),
        *("summe", "tage", "umsatz", "wert"),
    )
)
"""Words in the names of columns that count or measure something."""

_AT_THE_END: Final = tuple(word for word in _COUNTS if len(word) >= 5)
"""Those that end others, as in Jahreseinkommen; age would end language, too."""


def code_of_digits(texts: Collection[str], name: str = "") -> str | None:
    """Return why values are a code made of digits; None if they are none.

    `texts` are its different values that are not missing.
    """
    if not texts or not all(map(_DIGITS.fullmatch, texts)):
        return None
    lengths = {len(text) for text in texts}
    digits = f"{max(lengths)} digits each" if len(lengths) == 1 else "digits"
    if any(len(text) > 1 and text.startswith("0") for text in texts):
        return f"{digits}{',' * (len(lengths) == 1)} with leading zeros"
    words = words_of(name)
    *_, last = ("", *words)
    coded = is_postal(name) or not _CODES.isdisjoint(words) or last.endswith(_LAST)
    if len(lengths) == 1 and max(lengths) >= _LONG:
        return digits if coded or not any(map(_counts, words)) else None
    return f"{digits}, a code by its name" if coded else None


def is_postal(name: str) -> bool:
    """Tell whether a column is one of postal codes, by its name."""
    plain = name.casefold()
    return any(word in plain for word in _POSTAL) or "post" in words_of(name)


def words_of(name: str) -> list[str]:
    """Return the words of a name like ``patient_id`` or ``PatientId``."""
    return [word.casefold() for word in _WORD.findall(name)]


def _counts(word: str) -> bool:
    return word in _COUNTS or word.endswith(_AT_THE_END)
