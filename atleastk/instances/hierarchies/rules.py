"""Hierarchies that follow a rule: prefixes, bands, rounding, dates, ends.

A rule takes the values of a column, as texts or integers, and gives each of them its
chain. Numbers are exact, whatever their size: 0.1 is a tenth. A value that a rule
cannot take raises :class:`UnfitError`.

In words, as ``bands:5,10,20``, rules are read and chosen by
:mod:`~atleastk.instances.hierarchies.words`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, time
from fractions import Fraction
from itertools import accumulate, pairwise
from math import lcm
from typing import Final

from atleastk.instances.fields.errors import InvalidInstanceError, quoted
from atleastk.instances.hierarchies.hierarchy import TOP, Hierarchy, Label

Number = int | Fraction
"""A number, exact."""

_NUMBER: Final = re.compile(
    r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE
)
_TELLS_DAY: Final = re.compile("%[cdjuwxUVWaA]")
_TELLS_MONTH: Final = re.compile("%[bBm]")
_LONGEST: Final = 1000
"""Characters of a number; Python reads some more digits."""

_MOST_ZEROS: Final = 15
"""Zeros that end an integer; more are written as an exponent."""


class UnfitError(InvalidInstanceError):
    """A value that a rule cannot take.

    Attributes
    ----------
    value
        The value, if it is known.
    """

    def __init__(self, message: str, value: Label | None = None) -> None:
        super().__init__(message)
        self.value = value


def masked(values: Iterable[Label]) -> Hierarchy:
    """Mask one character after the other from the right: 13053, 1305*, ..., *****.

    Codes of several lengths are aligned at the left: DE1 stays as it is as long as more
    than three characters are left of others, and joins them at DE1**.
    """
    distinct = list(dict.fromkeys(values))
    texts = list(map(str, distinct))
    width = max(map(len, texts), default=0)
    levels: list[list[Label]] = [distinct]
    for left in range(width)[::-1]:
        end = TOP * (width - left)
        levels.append([x if len(x) < left else x[:left] + end for x in texts])
    return Hierarchy(list(zip(*levels, strict=True)))


def parts_of(values: Iterable[Label], separator: str) -> Hierarchy:
    """Cut off one part after the other: with dots 1.2.3, 1.2, 1, then the top."""
    split = {value: str(value).split(separator) for value in dict.fromkeys(values)}
    most = max(map(len, split.values()), default=1)
    return Hierarchy(
        [
            (
                value,
                *(separator.join(parts[:left]) for left in range(most - 1, 0, -1)),
                TOP,
            )
            for value, parts in split.items()
        ]
    )


def bands_of(
    values: Iterable[Label], widths: Sequence[Number] = (5, 10, 20)
) -> Hierarchy:
    """Generalise numbers to bands of growing widths, then to the top: 39, 35-39, ...

    Bands begin at multiples of their width; every width divides the next, so that they
    nest. The numbers may be given as texts. If some of them, or of the widths, are no
    integers, a band is written with its open end: [0.5, 1).
    """
    expect_nesting("widths", widths)
    numbers = {value: number_of(value) for value in dict.fromkeys(values)}
    whole = all(map(_is_whole, (*numbers.values(), *widths)))

    def band(place: int, width: Number) -> str:
        start = place * width
        if not whole:
            return f"[{written(start)}, {written(start + width)})"
        return span(start, start + width - 1)

    levels: list[list[Label]] = [list(numbers)]
    for width in map(plain, widths):
        places = places_of(numbers.values(), width)
        named = {place: band(place, width) for place in set(places)}
        levels.append([named[place] for place in places])
    return Hierarchy([(*chain, TOP) for chain in zip(*levels, strict=True)])


def places_of(numbers: Collection[Number], width: Number) -> list[int]:
    """Return which band of a width each number is in; band 0 begins at 0."""
    integers, parts = scaled(numbers)
    each, by = (parts * width).as_integer_ratio()
    return [number * by // each for number in integers]


def span_of(numbers: Collection[Number]) -> Number:
    """Return how far apart the least and the greatest number are."""
    integers, parts = scaled(numbers)
    return plain(Fraction(max(integers) - min(integers), parts))


def scaled(numbers: Collection[Number]) -> tuple[list[int], int]:
    """Return how many parts of 1 each number is, and how many these are in 1.

    Integers are compared and divided faster than fractions.
    """
    parts = lcm(*{number.denominator for number in numbers})
    return [x.numerator * (parts // x.denominator) for x in numbers], parts


def quantiles_of(
    counts: Mapping[Label, int], parts: Sequence[int] = (8, 4, 2)
) -> Hierarchy:
    """Generalise numbers to quantiles, bands of about equally many rows, then to fewer.

    A band is written by its least and greatest number. The number of bands is divided
    by that of the next level, so that they nest. `counts` are the rows of each value.
    """
    expect_nesting("quantiles", parts[::-1])
    numbers = {value: number_of(value) for value in counts}
    rows: dict[Number, int] = {}
    for value, number in numbers.items():
        rows[number] = rows.get(number, 0) + counts[value]
    distinct = [number for _, number in sorted(zip(scaled(rows)[0], rows, strict=True))]
    before = accumulate((rows[number] for number in distinct), initial=0)
    place = dict(zip(distinct, before, strict=False))
    total = max(1, sum(rows.values()))
    labels: list[dict[Number, str]] = []
    for count in parts:
        bands: dict[int, list[Number]] = {}
        for number in distinct:
            bands.setdefault(place[number] * count // total, []).append(number)
        labels.append(
            {x: span(band[0], band[-1]) for band in bands.values() for x in band}
        )
    return Hierarchy(
        [
            (value, *(named[number] for named in labels), TOP)
            for value, number in numbers.items()
        ]
    )


def rounded(values: Iterable[Label], units: Sequence[Number]) -> Hierarchy:
    """Round numbers to multiples of a unit, these to those of the next: 46, 50, 100.

    Halves go up.
    """
    _expect_growing("round", units)
    chains: list[list[Label]] = []
    for value in dict.fromkeys(values):
        number, chain = number_of(value), [value]
        for unit in units:
            number = (Fraction(number) / unit + Fraction(1, 2)).__floor__() * unit
            chain.append(written(number))
        chains.append([*chain, TOP])
    return Hierarchy(chains)


def dates_of(values: Iterable[Label], form: str | None = None) -> Hierarchy:
    """Generalise dates to month, quarter, year, decade; times to their day before.

    They have the `form` that `datetime.strptime` takes, as ``%d.%m.%Y``; by default
    that of ISO 8601, with or without a time. Where it has no day, as ``%m/%Y``, or no
    month, dates are generalised from the quarter or the decade on.
    """
    dates = {value: date_of(value, form) for value in dict.fromkeys(values)}
    timed = any(date.time() != time() for date in dates.values())
    first = 0 if timed else _first_period(form)
    days = {value: date.date() for value, date in dates.items()}
    above = {day: (*_periods(day)[first:], TOP) for day in {*days.values()}}
    return Hierarchy([(value, *above[day]) for value, day in days.items()])


def _first_period(form: str | None) -> int:
    """Return the index of the first period that is longer than a date."""
    if form is None or _TELLS_DAY.search(form):
        return 1
    return 2 if _TELLS_MONTH.search(form) else 4


def with_open_ends(
    values: Iterable[Label],
    bottom: Number | None,
    top: Number | None,
    inner: Callable[[Sequence[Label]], Hierarchy] | None = None,
) -> Hierarchy:
    """Join numbers of at most `bottom`, and those of at least `top`, at all levels.

    `inner` generalises the numbers between; without it they stay as they are until all
    are joined.
    """
    if bottom is not None and top is not None and bottom >= top:
        raise InvalidInstanceError(
            f"bottom:{written(bottom)} and top:{written(top)} leave nothing between"
        )
    ends: dict[Label, str] = {}
    between: list[Label] = []
    for value in dict.fromkeys(values):
        number = number_of(value)
        if bottom is not None and number <= bottom:
            ends[value] = f"<={written(bottom)}"
        elif top is not None and number >= top:
            ends[value] = f">={written(top)}"
        else:
            between.append(value)
    if inner is not None and between:
        chains = list(inner(between).chains)
    else:
        chains = [(value, value, TOP) for value in between]
    levels = len(chains[0]) - 2 if chains else 1
    last = chains[0][-1] if chains else TOP
    coded = [(value, *[label] * levels, last) for value, label in ends.items()]
    return Hierarchy([*chains, *coded])


def number_of(value: Label) -> Number:
    """Return a value, or the number that a text spells; an integer if it is whole."""
    text = str(value)
    if not is_number(text):
        raise UnfitError(f"{quoted(value)} is no number", value)
    if text.isdigit():
        return int(text)
    whole, _, decimals = text.partition(".")
    if (digits := whole + decimals).isdigit():  # as most are, and faster
        return plain(Fraction(int(digits), 10 ** len(decimals)))
    return plain(Fraction(text))


def plain(number: Number) -> Number:
    """Return a number as an integer, which is faster, if it is whole."""
    return int(number) if number.denominator == 1 else number


def is_number(text: str) -> bool:
    """Tell whether a text is a number."""
    return len(text) <= _LONGEST and _NUMBER.fullmatch(text) is not None


def written(number: Number) -> str:
    """Return a number as a decimal; it has finitely many digits."""
    number = Fraction(number)
    digits = 0
    while number.denominator > 1:
        number, digits = number * 10, digits + 1
    text = str(abs(number.numerator)).rjust(digits + 1, "0")
    zeros = len(text) - len(text.rstrip("0"))
    if digits:
        text = f"{text[:-digits]}.{text[-digits:]}"
    elif zeros > _MOST_ZEROS:
        text = f"{text[:-zeros]}e{zeros}"
    return f"-{text}" if number < 0 else text


def _is_whole(number: Number) -> bool:
    return number.denominator == 1


def span(least: Number, greatest: Number) -> str:
    """Return the text of a band; with a word for the hyphen if a number is negative."""
    between = " to " if least < 0 else "-"
    if least == greatest:
        return written(least)
    return f"{written(least)}{between}{written(greatest)}"


def _expect_growing(what: str, steps: Sequence[Number]) -> None:
    if not steps or steps[0] <= 0 or any(b <= a for a, b in pairwise(steps)):
        listed = ", ".join(map(written, steps))
        raise InvalidInstanceError(
            f"{what}: expected positive numbers that grow, got ({listed})"
        )


def expect_nesting(what: str, steps: Sequence[Number]) -> None:
    """Refuse numbers of which one does not divide the next."""
    if any(step <= 0 for step in steps) or any(b % a for a, b in pairwise(steps)):
        listed = ", ".join(map(written, steps))
        raise InvalidInstanceError(
            f"{what}: expected numbers above 0, each to divide the next, got ({listed})"
        )


def date_of(value: Label, form: str | None = None) -> datetime:
    """Return the date that a text spells, by default in ISO 8601."""
    try:
        if form is None:
            return datetime.fromisoformat(str(value)).replace(tzinfo=None)
        return datetime.strptime(str(value), form).replace(tzinfo=None)
    except ValueError as error:
        expected = "in ISO 8601, as 2020-12-31" if form is None else f"like {form}"
        raise UnfitError(f"{quoted(value)} is no date {expected}", value) from error


def _periods(date: date) -> tuple[str, ...]:
    year, decade = f"{date.year:04}", date.year // 10 * 10
    return (
        f"{date:%Y-%m-%d}",
        f"{year}-{date.month:02}",
        f"{year}-Q{(date.month + 2) // 3}",
        year,
        f"{decade:04}-{decade + 9:04}",
    )
