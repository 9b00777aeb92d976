"""Oddities of a table: it was read without an error, but is probably not intended.

Names of columns that differ only in spaces or capitals; a first row that looks like the
names of columns, below a title; values that look alike: a number and a text of one
spelling, but for zeros in front, texts that differ only in spaces or in Unicode
composition. All of these are different to a program. Postal codes that are numbers,
some with a digit less, have lost a zero. A table without rows is odd, too.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Final, TypeVar
from unicodedata import combining, normalize

from atleastk.frames.frame import Column, Name, Selection, is_plain_number
from atleastk.instances.fields.errors import quoted
from atleastk.instances.hierarchies.decimal_commas import pointed
from atleastk.instances.hierarchies.digits import is_postal
from atleastk.instances.hierarchies.missing_texts import missing_among
from atleastk.instances.hierarchies.rules import is_number, number_of

T = TypeVar("T")


def oddities(selection: Selection) -> tuple[str, ...]:
    """Return the oddities, one line each."""
    if not selection.frame.n:
        return ("the table has no rows",)
    return tuple(_oddities(selection))


def _oddities(selection: Selection) -> Iterator[str]:
    names = selection.frame.names
    for one, other in _alike((_plain(str(n)).casefold(), n) for n in names):
        yield f"columns {quoted(one)} and {quoted(other)} have nearly the same name"
    if _begins_with_names(selection.columns):
        cells = ", ".join(quoted(column.values[0]) for column in selection.columns)
        yield (
            f"row 1 ({cells}) looks like the names of columns: if the line above it is "
            "a title, delete that"
        )
    for name, column in zip(selection.names, selection.columns, strict=True):
        yield from _nearly_equal(name, column)
        if _has_lost_zeros(name, column):
            yield (
                f"column {quoted(name)}: numbers, some with a digit less: if zeros in "
                "front were lost, read it as text"
            )


def _has_lost_zeros(name: Name, column: Column) -> bool:
    """Tell whether a column of postal codes holds numbers of two lengths."""
    if not is_postal(str(name)):
        return False
    codes = [value for value in column.values if value not in (None, "")]
    if not codes or isinstance(codes[0], str) or not all(map(is_plain_number, codes)):
        return False
    lengths = {len(str(int(code))) for code in codes if code == code}
    return len(lengths) == 2 and max(lengths) - min(lengths) == 1


def _begins_with_names(columns: Sequence[Column]) -> bool:
    """Tell whether the first row is of texts, above numbers in some of the columns."""
    if any(column.copies is not None for column in columns):
        return False  # the first row is not known
    firsts = [column.values[0] for column in columns]
    if not all(isinstance(one, str) and one and not is_number(one) for one in firsts):
        return False
    if missing_among([*firsts, "0"]):
        return False
    return any(map(_is_of_numbers_below, columns))


def _is_of_numbers_below(column: Column) -> bool:
    rest = [value for value in column.values[1:] if value not in (None, "")]
    if len(rest) < 2 or (column.codes[1:] == 0).any():
        return False
    return all(
        is_number(pointed(x)) if isinstance(x, str) else is_plain_number(x)
        for x in rest
    )


def _nearly_equal(name: Name, column: Column) -> Iterator[str]:
    """Yield the first two values that look alike, and the number of others."""
    texts = [isinstance(value, str) for value in column.values]
    if not any(texts):
        return
    look = _look if all(texts) else _look_without_zeros
    looks = ((look(value), i) for i, value in enumerate(column.values))
    pairs = _alike((look, i) for look, i in looks if look is not None)
    if not pairs:
        return
    both = " and ".join(
        f"{quoted(column.values[i])} in {column.place_of(i)}" for i in pairs[0]
    )
    more = f", and {len(pairs) - 1} more such pairs" if len(pairs) > 1 else ""
    yield f"column {quoted(name)}: {both} look alike and are two values{more}"


def _alike(looks: Iterable[tuple[Hashable, T]]) -> list[tuple[T, T]]:
    """Return things that look like an earlier one, each with the first of them."""
    first: dict[Hashable, T] = {}
    return [
        (first[look], thing)
        for look, thing in looks
        if first.setdefault(look, thing) is not thing
    ]


def _look(value: object) -> str | None:
    """Return the look of a value; None if values of other types look different."""
    if isinstance(value, str):
        return _plain(value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if is_plain_number(value) else None


def _look_without_zeros(value: object) -> str | None:
    """Return the look of a value among numbers: 01067 may have become 1067."""
    look = _look(value)
    return look.lstrip("0") or "0" if look is not None and look.isdecimal() else look


def _plain(text: str) -> str:
    """Return a text with single spaces, in the usual composition of its letters."""
    return " ".join((text if text.isascii() else normalize("NFC", text)).split())


_BETWEEN_DIGITS: Final = re.compile(r"(?<=\d)\W+(?=\d)")
_SIGNS: Final = re.compile(r"""[\s.,;:'"`\u2019_/()]|(?<=\w)-(?=\w)""")
"""What does not tell values apart; A- and <=50K are not A and >50K."""

Spellings = tuple[tuple[str, int], ...]
"""Texts that are nearly alike and the rows of each, the most frequent first."""


def nearly_equal(column: Column, texts: Sequence[str | None]) -> list[Spellings]:
    """Return the values of a column that are nearly alike, those of most rows first.

    `texts` are its values as they are written in a file. Beyond oddities, texts are
    compared without case, accents, spaces and signs - but for signs between digits,
    which tell 1.5 from 15 - and numbers by what they are: 01067 and 1067.0 are one
    number. Many of these differences are meant; somebody who knows the data has to say.
    """
    groups: dict[str, list[int]] = {}
    for number, text in enumerate(texts):
        if text:
            groups.setdefault(_spelling(text), []).append(number)
    several = [group for look, group in groups.items() if look and len(group) > 1]
    if not several:
        return []
    rows = column.rows_of_values
    counted = [[(texts[i] or "", rows[i]) for i in group] for group in several]
    found = [tuple(sorted(each, key=lambda x: (-x[1], x[0]))) for each in counted]
    return sorted(found, key=lambda group: -sum(count for _, count in group))


def made_equal(texts: Sequence[str | None]) -> list[str | None]:
    """Return for every text the first one that is nearly equal to it."""
    first: dict[str, str] = {}
    return [
        first.setdefault(_spelling(text) or text, text) if text else text
        for text in texts
    ]


def _spelling(text: str) -> str:
    """Return what nearly equal texts share."""
    plain = text.strip()
    if is_number(plain):
        return f"={number_of(plain)}"
    letters = normalize("NFKD", plain).casefold()
    unaccented = "".join(sign for sign in letters if not combining(sign))
    return _SIGNS.sub("", _BETWEEN_DIGITS.sub("\0", unaccented))
