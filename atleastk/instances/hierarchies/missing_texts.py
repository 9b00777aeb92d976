"""Texts that stand for a missing value: NA, n/a, ? and the like."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

_MISSING: Final = frozenset(
    (
        *("", "-", "--", "\u2013", "\u2014", ".", "..", "...", "?", "??"),
        *("#n/a", "#na", "#null!", "<na>", "missing", "n.a.", "n/a", "na", "nan"),
        *("nat", "nil", "none", "null", "unknown", "blank", "empty", "(blank)"),
        *("noanswer", "notavailable", "notknown", "notreported", "notstated", "n.d."),
        # German, French, Spanish, Italian, Dutch
        *("#nv", "k.a.", "k.a", "k/a", "keineangabe", "n.v.", "unbekannt", "fehlt"),
        *("fehlend", "leer", "(leer)", "nichtbekannt", "ohneangabe", "o.a."),
        *("inconnu", "n.c.", "nc", "desconocido", "s/d", "sconosciuto", "onbekend"),
    )
)
"""The texts of other programs and of people, compared without case and spaces."""


def missing_among(texts: Collection[str], named: Collection[str] = ()) -> list[str]:
    """Return those of the texts that stand for a missing value.

    These are the ones that are `named`, and the usual ones; but among texts without a
    digit there are none of these: there NA may be Namibia.
    """
    usual = [text for text in texts if _plain(text) in _MISSING]
    others = set(texts).difference(usual, named) if usual else ()
    if not any(sign.isdecimal() for text in others for sign in text):
        usual = []
    known = {*usual, *named}
    return [text for text in texts if text in known]


def _plain(text: str) -> str:
    return "".join(text.casefold().split())
