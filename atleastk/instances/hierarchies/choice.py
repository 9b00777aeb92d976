"""The rule ``auto``: which rule suits the values of a column, and why.

The texts are looked at, as they are written in a file, and the name of the column, so
that the choice is the same for a table of any library. The first of these that all
texts are decides:

1. dates, by one of the forms below: ``dates``, with the form where it is not ISO 8601;
2. digits that are a code, by their look or the name of the column
   (:mod:`~atleastk.instances.hierarchies.digits`): ``prefix``;
3. numbers, with decimal points or commas, of more than two values: ``bands``;
4. bands already, of which none overlap
   (:mod:`~atleastk.instances.hierarchies.joined_bands`): ``joined``;
5. codes, letters and digits in parts between dots: ``prefix:.``;
6. other codes of letters and digits, short ones: ``prefix``.

Else nothing is better than ``suppression``. What stands for a missing value among them,
such as ``NA``, is none of their values.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from atleastk.instances.fields.errors import quoted
from atleastk.instances.hierarchies.decimal_commas import has_commas, pointed
from atleastk.instances.hierarchies.digits import code_of_digits
from atleastk.instances.hierarchies.joined_bands import band_of, overlap_of
from atleastk.instances.hierarchies.missing_texts import missing_among
from atleastk.instances.hierarchies.rules import (
    UnfitError,
    date_of,
    is_number,
    number_of,
)

SUPPRESSION: Final = "suppression"

FEW_NUMBERS: Final = 2
"""Different numbers that are no more than categories."""

_MOST_WORDS: Final = 3
"""The most words among numbers that are listed."""

NOUNS: Final = {"bands": "number", "dates": "date", "joined": "band", "prefix": "code"}
"""What values are that a rule suits."""

_LONGEST_CODE: Final = 12
"""Characters of a code; more are a text, which a prefix hardly describes."""

_YEARS: Final = range(1800, 2200)
"""What may be a year among digits without anything between them."""

_ISO_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?", re.ASCII)
_DIGITS: Final = re.compile(r"\d+", re.ASCII)
_TIME: Final = re.compile(r".* \d{1,2}:\d\d(?P<seconds>:\d\d)?", re.ASCII)
_FULL_DATE: Final = re.compile(
    r"\d{1,2}([./-])\d{1,2}\1\d{4}|\d{4}([./-])\d{1,2}\2\d{1,2}", re.ASCII
)
_SHORT_DATE: Final = re.compile(r"\d{1,2}([./-])\d{1,2}\1\d\d", re.ASCII)
_DOTTED: Final = re.compile(r"(?=.*\d)[A-Za-z0-9]+(?:\.[A-Za-z0-9]+)*", re.ASCII)
_CODE: Final = re.compile(r"(?=.*\d)[A-Za-z0-9]+(?:[-/_: .][A-Za-z0-9]+)*", re.ASCII)

_FORMS: Final = (
    ("%d.%m.%Y", r"\d{1,2}\.\d{1,2}\.\d{4}"),
    ("%m/%d/%Y", r"\d{1,2}/\d{1,2}/\d{4}"),
    ("%d/%m/%Y", r"\d{1,2}/\d{1,2}/\d{4}"),
    ("%d-%m-%Y", r"\d{1,2}-\d{1,2}-\d{4}"),
    ("%m-%d-%Y", r"\d{1,2}-\d{1,2}-\d{4}"),
    ("%Y-%m-%d", r"\d{4}-\d{1,2}-\d{1,2}"),
    ("%Y/%m/%d", r"\d{4}/\d{1,2}/\d{1,2}"),
    ("%Y.%m.%d", r"\d{4}\.\d{1,2}\.\d{1,2}"),
    ("%Y%m%d", r"\d{8}"),
    ("%d%m%Y", r"\d{8}"),
    ("%m%d%Y", r"\d{8}"),
    ("%d-%b-%Y", r"\d{1,2}-[A-Za-z]{3}-\d{4}"),
    ("%d %b %Y", r"\d{1,2} [A-Za-z]{3} \d{4}"),
    ("%d%b%Y", r"\d{1,2}[A-Za-z]{3}\d{4}"),
    ("%Y-%m", r"\d{4}-\d\d"),
    ("%Y/%m", r"\d{4}/\d\d"),
    ("%m/%Y", r"\d{1,2}/\d{4}"),
    ("%m.%Y", r"\d\d\.\d{4}"),
)
"""How dates are written, and their looks. Where day and month could be either, with
dots between them the day is first, with strokes the month, as in the countries that
write so; the report names the other form."""


class Choice(NamedTuple):
    """A rule, without its numbers, and why it was chosen."""

    rule: str
    reason: str


def chosen(
    texts: Collection[str], name: str = "", named: Collection[str] = ()
) -> Choice:
    """Return the best rule for these texts; for suppression, why no other fits.

    `name` is that of the column, and texts that are `named` stand for a missing value,
    besides the usual ones.
    """
    missing = missing_among(texts, named)
    values = [text for text in texts if text not in missing]
    if len(values) < 2:
        return Choice(SUPPRESSION, "one value" if values else "no value")
    found = next(_choices(values, name), None)
    if found is None:
        why = _why_but_for_words(values, name) or _why_nothing(values)
        return Choice(SUPPRESSION, why)
    if not missing or found.rule == SUPPRESSION:
        return found
    listed = ", ".join(map(quoted, missing))
    own = "a value of its own" if len(missing) == 1 else "values of their own"
    return Choice(found.rule, f"{found.reason}; {listed} as {own}")


def _choices(values: Sequence[str], name: str) -> Iterator[Choice]:
    """Yield the rules that fit all values, the best first."""
    yield from _dates(values)
    code = code_of_digits(values, name)
    if code is not None:
        yield Choice("prefix", code)
    commas = has_commas(values)
    read = [pointed(value) for value in values] if commas else values
    if all(map(is_number, read)):
        if len({number_of(value) for value in read}) <= FEW_NUMBERS:
            yield Choice(SUPPRESSION, "no more than two numbers")
        yield Choice("bands", "numbers with decimal commas" if commas else "numbers")
    yield from _bands(values)
    if any(map(_FULL_DATE.fullmatch, values)) or all(
        map(_SHORT_DATE.fullmatch, values)
    ):
        return
    if all(map(_DOTTED.fullmatch, values)):
        dotted = next((value for value in values if "." in value), None)
        if dotted is not None:
            yield Choice("prefix:.", f"codes with dots, as {dotted}")
    if all(map(_is_code, values)):
        if len({value[:-1] for value in values}) == 1:
            yield Choice(SUPPRESSION, "codes that differ in their last character only")
        yield Choice("prefix", f"codes, as {values[0]}")


def _bands(values: Sequence[str]) -> Iterator[Choice]:
    """Yield the rule of bands if all values are bands, and not all numbers."""
    first = next((value for value in values if not is_number(value)), None)
    bands = {band for value in values if (band := band_of(value)) is not None}
    if first is None or None in map(band_of, values) or overlap_of(bands):
        return
    if len(bands) <= FEW_NUMBERS:
        yield Choice(SUPPRESSION, "no more than two bands")
    yield Choice("joined", f"bands, as {first}")


def _dates(values: Sequence[str]) -> Iterator[Choice]:
    """Yield the formats in which all values are dates."""
    if all(_is_dated(value, None) for value in values):
        yield Choice("dates", f"dates, as {values[0]}")
    fitting = [
        form
        for form in _forms(values[0])
        if all(_is_dated(value, form) for value in values)
    ]
    if fitting:
        others = " or ".join(f"dates:{form}" for form in fitting[1:])
        doubt = others and f", which may be {others}, too"
        yield Choice(f"dates:{fitting[0]}", f"dates, as {values[0]}{doubt}")


def _forms(value: str) -> Iterator[str]:
    """Yield the date formats that a value looks like, with its time of day."""
    timed = _TIME.fullmatch(value)
    time = "" if timed is None else " %H:%M:%S" if timed["seconds"] else " %H:%M"
    date = value.rpartition(" ")[0] if time else value
    for form, looks in _FORMS:
        if re.fullmatch(looks, date, re.ASCII):
            yield form + time


def _is_dated(value: str, form: str | None) -> bool:
    """Tell whether a value is a date of a form; None stands for ISO 8601."""
    looks = _ISO_DATE.fullmatch(value) if form is None else form in _forms(value)
    if not looks:
        return False
    try:
        date = date_of(value, form)
    except UnfitError:
        return False
    return not _DIGITS.fullmatch(value) or date.year in _YEARS


def _is_code(value: str) -> bool:
    return len(value) <= _LONGEST_CODE and _CODE.fullmatch(value) is not None


def _why_but_for_words(values: Sequence[str], name: str) -> str | None:
    """Return which words among numbers, dates or codes are none; None without any."""
    worded = [not any(map(str.isdecimal, value)) for value in values]
    words, others = (
        [value for value, word in zip(values, worded, strict=True) if word == kind]
        for kind in (True, False)
    )
    if not words or 2 * len(words) > len(values) or "+" in "".join(words):
        return None
    rule = next(_choices(others, name), Choice(SUPPRESSION, "")).rule
    kind = NOUNS.get(rule.partition(":")[0])
    if kind is None:
        return None
    like = "" if kind == "number" else f" like {quoted(others[0])}"
    listed = ", ".join(map(quoted, words[:_MOST_WORDS]))
    if len(words) > _MOST_WORDS:
        return f"{listed} and {len(words) - _MOST_WORDS} more are no {kind}s{like}"
    means = f"{name}=" * bool(name) + "auto" + "".join(f"+missing:{w}" for w in words)
    if len(words) == 1:
        return f"{listed} is no {kind}{like}; if it stands for no value, give {means}"
    return f"{listed} are no {kind}s{like}; if they stand for no value, give {means}"


def _why_nothing(values: Sequence[str]) -> str:
    """Return why no rule fits: the values that differ from most others."""
    if all(map(_SHORT_DATE.fullmatch, values)):
        return f"no century of {quoted(values[0])}; if it is a date, as dates:%d.%m.%y"
    pair = _overlap(values)
    if pair is not None:
        return f"bands, but {quoted(pair[0])} and {quoted(pair[1])} overlap"
    dates = list(filter(_FULL_DATE.fullmatch, values))
    if 2 * len(dates) >= len(values):
        form = next(_forms(dates[0]))
        odd = next(value for value in values if not _is_dated(value, form))
        return f"{quoted(odd)} is no date like {form}"
    unfit = [value for value in values if not is_number(value)]
    grouped = next((value for value in unfit if "," in value), None)
    if grouped is not None and all(is_number(text.replace(",", "")) for text in unfit):
        return f"{quoted(grouped)}: is the comma one of decimals or of thousands?"
    if 2 * len(unfit) <= len(values):
        return f"{quoted(unfit[0])} is no number"
    if dates:
        odd = next(value for value in values if value not in dates)
        return f"{quoted(dates[0])} is a date, and {quoted(odd)} is none"
    codes = list(filter(_is_code, values))
    if 2 * len(codes) >= len(values):
        odd = next(value for value in values if not _is_code(value))
        return f"{quoted(odd)} is no code like {quoted(codes[0])}"
    return "neither numbers nor dates nor codes"


def _overlap(values: Sequence[str]) -> tuple[str, str] | None:
    """Return two bands that overlap; None if not all are bands, or none do."""
    text_of = {band: value for value in values if (band := band_of(value)) is not None}
    pair = overlap_of(text_of)
    if pair is None or None in map(band_of, values):
        return None
    return text_of[pair[0]], text_of[pair[1]]
