"""Rules of hierarchies in words, and which of them suits the values of a column.

=========================  ========================================================
``auto``                   what suits the values; so do the next three without numbers
``bands:5,10,20``          bands of these widths, each of which divides the next
``quantiles:8,4,2``        8, 4, 2 bands of about equally many rows
``round:10,100``           rounded to multiples of 10, these to multiples of 100
``top:65``, ``bottom:18``  65 and more, 18 and less, merged; also joined with
                           another rule of numbers: ``bands:5,10+top:65``
``prefix``                 masked from the right, as zip codes are
``prefix:.``               cut at the last dot, the one before, ...
``dates``                  day (of a time), month, quarter, year, decade
``dates:%d.%m.%Y``         the same, of dates that are written so
``joined:2,4``             values that are bands, as 30-39 or 70+, joined with their
                           neighbours: 2 of them, 4 of them
``suppression``            nothing but the top
=========================  ========================================================

The texts are those of a file. Numbers may have decimal commas, and their labels have
them then. What stands for a missing value among numbers, dates or codes, such as
``NA``, stays as it is up to the top; ``+missing:old`` says so of another text. What
``auto`` chooses is decided by
:mod:`~atleastk.instances.hierarchies.choice`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from itertools import count
from typing import Final

from atleastk.instances.fields.errors import InvalidInstanceError, meant
from atleastk.instances.hierarchies.choice import FEW_NUMBERS, SUPPRESSION, chosen
from atleastk.instances.hierarchies.decimal_commas import (
    has_commas,
    pointed,
    with_comma,
)
from atleastk.instances.hierarchies.hierarchy import Hierarchy, Label, suppression_of
from atleastk.instances.hierarchies.joined_bands import band_of, joined_of
from atleastk.instances.hierarchies.missing_texts import missing_among
from atleastk.instances.hierarchies.rules import (
    Number,
    UnfitError,
    bands_of,
    dates_of,
    masked,
    number_of,
    parts_of,
    places_of,
    plain,
    quantiles_of,
    rounded,
    span_of,
    with_open_ends,
    written,
)

AUTO: Final = "auto"

Counts = Mapping[str, int]
"""How many rows hold a text."""

_KINDS: Final = (
    *("bands", "quantiles", "round", "prefix", "dates", "joined"),
    SUPPRESSION,
)
_ENDS: Final = ("bottom", "top")
_RULES: Final = (AUTO, *_KINDS, *_ENDS)
_MISSING: Final = "missing:"
"""What a text begins with that stands for a missing value."""

_JOINED: Final = ("bands", "quantiles", "round")
"""The rules that open ends may be joined with."""

_OF_TEXTS: Final = ("prefix", "dates", SUPPRESSION)
"""Rules that take no numbers."""

_MOST_BANDS: Final = 16
"""Bands of the least width, about: 5 years for adults."""

_MOST_UNITS: Final = 3
"""Powers of ten that numbers are rounded to, at most."""


def is_rule(text: str) -> bool:
    """Tell whether a text is meant as a rule, not as the path of a file."""
    return _kind(text) in _RULES


def rules_like(text: str) -> str:
    """Return a message with all rules, and the one most similar to a text."""
    return f"{meant(_kind(text), _RULES)}rules are {', '.join(_RULES)}"


def _kind(text: str) -> str:
    return text.partition(":")[0].partition("+")[0]


def decided(text: str, counts: Counts, name: str = "") -> tuple[str, str | None]:
    """Return a rule with what ``auto`` chooses in its place, and why if it does.

    `name` is that of the column.
    """
    words = text.split("+")
    if AUTO not in words:
        return text, None
    rule, reason = chosen(counts, name, _named_missing(words))
    return "+".join(rule if word == AUTO else word for word in words), reason


def ruled(text: str, counts: Counts) -> tuple[Hierarchy, str]:
    """Return the hierarchy of a rule for these texts, and the rule with its numbers.

    Raise `InvalidInstanceError` if the rule makes no sense, and `UnfitError` if it
    cannot take a value.
    """
    given = decided(text, counts)[0].split("+")
    missing = missing_among(counts, _named_missing(given))
    known = {value: n for value, n in counts.items() if value not in missing}
    words = [word for word in given if not word.startswith(_MISSING)]
    commas = has_commas(known) and not words[0].startswith(_OF_TEXTS)
    values = {pointed(value) if commas else value: value for value in known}
    words = [_completed(word, list(values)) for word in words]
    if words == [SUPPRESSION]:
        return suppression_of(counts), SUPPRESSION
    named = [word for word in given if word.startswith(_MISSING)]
    rule = "+".join((*words, *named))
    made = _made(text, words, {value: known[own] for value, own in values.items()})
    if not commas and not missing:
        return made, rule
    chains: list[Sequence[Label]] = [*made.chains]
    if commas:
        chains = [(values[str(c[0])], *map(with_comma, c[1:])) for c in made.chains]
    below = max(0, made.height - 1)
    chains += [(value, *[value] * below, chains[0][-1]) for value in missing]
    return Hierarchy(chains), rule


def _named_missing(words: Sequence[str]) -> list[str]:
    """Return the texts that a rule says stand for a missing value."""
    return [w.removeprefix(_MISSING) for w in words if w.startswith(_MISSING)]


def _made(text: str, words: Sequence[str], counts: Counts) -> Hierarchy:
    values = list(counts)
    ends: dict[str, Number] = {}
    inner: list[Callable[[Sequence[Label]], Hierarchy]] = []
    for word in words:
        kind, _, argument = word.partition(":")
        if kind in _ENDS and kind not in ends:
            ends[kind] = _numbers(word)[0]
        elif not inner and (kind in (*_JOINED, SUPPRESSION) or len(words) == 1):
            inner.append(_maker(kind, argument, counts))
        else:
            raise InvalidInstanceError(
                f'rule "{text}": expected one of {", ".join(_JOINED)} joined with '
                "ends, as in bands:5,10+top:65"
            )
    if not ends:
        return inner[0](values)
    return with_open_ends(values, ends.get("bottom"), ends.get("top"), *inner)


def _completed(word: str, values: Collection[str]) -> str:
    """Return a rule of one word with its numbers, chosen for the values."""
    kind, colon, _ = word.partition(":")
    if kind not in (*_KINDS, *_ENDS):
        raise InvalidInstanceError(
            f'no rule is called "{kind}"; there are {", ".join((*_KINDS, *_ENDS))}'
        )
    if colon:
        return word
    if kind == "quantiles":
        return f"{kind}:8,4,2"
    if kind == "joined":
        sizes = _sizes(len({band_of(value) for value in values}))
        return f"{kind}:{','.join(map(str, sizes))}" if sizes else SUPPRESSION
    if kind in ("bands", "round"):
        numbers = {number_of(value) for value in values}
        steps = _widths(numbers) if kind == "bands" else _units(numbers)
        return f"{kind}:{','.join(map(written, steps))}" if steps else SUPPRESSION
    return word


def _maker(
    kind: str, argument: str, counts: Counts
) -> Callable[[Sequence[Label]], Hierarchy]:
    """Return the function that makes the hierarchy of some of the values."""
    if kind == SUPPRESSION:
        return suppression_of
    if kind == "prefix":
        return (lambda values: parts_of(values, argument)) if argument else masked
    if kind == "dates":
        return lambda values: dates_of(values, argument or None)
    steps = _numbers(f"{kind}:{argument}")
    if kind == "bands":
        return lambda values: bands_of(values, steps)
    if kind == "round":
        return lambda values: rounded(values, steps)
    if not all(step.denominator == 1 for step in steps):
        raise InvalidInstanceError(f'rule "{kind}:{argument}": expected integers')
    parts = list(map(int, steps))
    if kind == "joined":
        return lambda values: joined_of(values, parts)
    return lambda values: quantiles_of({v: counts[str(v)] for v in values}, parts)


def _numbers(word: str) -> list[Number]:
    kind, _, argument = word.partition(":")
    try:
        numbers = [number_of(text.strip()) for text in argument.split(",")]
    except UnfitError as error:
        raise InvalidInstanceError(f'rule "{word}": {error}') from error
    if kind in _ENDS and len(numbers) != 1:
        raise InvalidInstanceError(f'rule "{word}": expected one number')
    return numbers


def _widths(numbers: Collection[Number]) -> list[Number]:
    """Return widths of bands that join some of these different numbers.

    The first is 1, 2 or 5 times a power of ten, and each of the others twice the one
    before.
    """
    if len(numbers) <= FEW_NUMBERS:
        return []
    span = span_of(numbers)
    least = Fraction(span) / _MOST_BANDS
    power = _power_of_ten(least)
    width = next(
        width
        for i in count()
        for width in (plain(power * 10**i * times) for times in (1, 2, 5))
        if width >= least and len({*places_of(numbers, width)}) < len(numbers)
    )
    widths = [width]
    while 2 * widths[-1] <= span:
        widths.append(2 * widths[-1])
    return widths


def _sizes(bands: int) -> list[int]:
    """Return how many neighbours of so many bands are joined: powers of 2.

    The first leaves about as many as bands of the least width.
    """
    sizes = (2**i for i in range(1, bands.bit_length()))
    return [size for size in sizes if size < bands <= size * _MOST_BANDS]


def _units(numbers: Collection[Number]) -> list[Number]:
    """Return the greatest powers of ten below the span of the numbers."""
    if len(numbers) < 2:
        return []
    unit = _power_of_ten(span_of(numbers))
    units = [plain(unit / 10**i) for i in range(_MOST_UNITS)]
    return [u for u in reversed(units) if any(number % u for number in numbers)]


def _power_of_ten(number: Number) -> Fraction:
    """Return the greatest power of ten that is at most a positive number."""
    exponent = len(str(number.numerator)) - len(str(number.denominator))
    power = Fraction(10) ** exponent
    return power if power <= number else power / 10
