"""Signs that a column holds direct identifiers: of its values, and of its name.

A column that singles out many rows is one whatever it holds: that rule is
:class:`~atleastk.models.tables.singling_out.SinglingOut`. It does not see numbers of
households, common names, nor tables of a few rows; what values and names look like may
be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from atleastk.instances.hierarchies.digits import words_of

_LOOKS: Final[Mapping[str, re.Pattern[str]]] = {
    "e-mail addresses": re.compile(r"[^@\s]+@[^@\s]+\.\w+"),
    "telephone numbers": re.compile(r"(?:\+|00)\d[\d ()/.-]{6,20}", re.ASCII),
    "IBANs": re.compile(r"[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?"),
    "network addresses": re.compile(r"(?:\d{1,3}\.){3}\d{1,3}", re.ASCII),
    "UUIDs": re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
}

_WORDS: Final = frozenset(
    (
        *("address", "email", "fax", "firstname", "forename", "guid", "iban", "id"),
        *("lastname", "mail", "mobile", "passport", "phone", "ssn", "street"),
        *("surname", "tel", "telephone", "username", "uuid"),
        # German, French, Spanish, Italian, Dutch
        *("adresse", "nachname", "strasse", "telefon", "vorname", "prenom", "rue"),
        *("apellido", "apellidos", "direccion", "telefono", "cognome", "indirizzo"),
        *("achternaam", "adres", "telefoon", "voornaam"),
    )
)
"""Words in the names of columns that hold direct identifiers."""

_NAMES: Final = frozenset(
    ("name", "first name", "full name", "last name", "middle name", "user name")
)
"""Whole names of such columns: the name of a country is none."""


def signs_of(name: str, texts: Collection[str]) -> Iterator[str]:
    """Yield why a column looks like one of direct identifiers, in words.

    `texts` are its values that are not missing.
    """
    for what, pattern in _LOOKS.items():
        if texts and all(map(pattern.fullmatch, texts)):
            yield f"its values look like {what}"
    words = words_of(name)
    if not _WORDS.isdisjoint(words) or " ".join(words) in _NAMES:
        yield "its name says so"
