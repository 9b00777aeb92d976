"""Values that are bands already: 30-39, 40-49, 70+, joined with their neighbours.

A *band* is two numbers, ``30-39`` (``30 to 39``, ``[30, 40)``, any dash), or one with
an open end, ``70+`` (``>=70``, ``70 and over``) or ``<20`` (``under 20``). A number
alone is a band of itself. Bands may touch, as 20-30 and 30-40 do; if two of them
overlap, or one contains another, they have no order, and cannot be joined.

What the rules of numbers write - bands, quantiles, open ends - is read here: a table
that was published once can be made coarser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from atleastk.instances.fields.errors import quoted
from atleastk.instances.hierarchies.hierarchy import TOP, Hierarchy, Label
from atleastk.instances.hierarchies.rules import (
    Number,
    UnfitError,
    expect_nesting,
    is_number,
    number_of,
    span,
    written,
)

_N: Final = r"\d+(?:\.\d+)?"
_UP: Final = "over|more|above|older|up|mehr|älter|aelter|darüber|darueber"
_DOWN: Final = "under|less|below|younger|weniger|jünger|juenger|darunter"
_FORMS: Final = tuple(
    re.compile(form, re.ASCII | re.IGNORECASE)
    for form in (
        rf"(?P<low>{_N}) ?[-\u2010-\u2015\u2212] ?(?P<high>{_N})",
        rf"(?P<low>-?{_N}) ?(?:to|bis|\.\.) ?(?P<high>-?{_N})",
        rf"(?P<left>[(\[])(?P<low>-?{_N}) ?[,;] ?(?P<high>-?{_N})(?P<right>[)\]])",
        rf"(?P<low>-?{_N}) ?\+",
        rf"(?:>=|≥|from|ab) ?(?P<low>-?{_N})",
        rf"(?P<low>{_N}) (?:and|or|und|oder|u\.) (?:{_UP})",
        rf"(?P<left>>|over|above|more than|über|ueber|mehr als) ?(?P<low>-?{_N})",
        rf"(?:<=|≤|up to|bis) ?(?P<high>-?{_N})",
        rf"(?P<high>{_N}) (?:and|or|und|oder|u\.) (?:{_DOWN})",
        rf"(?P<right><|under|below|less than|unter|weniger als) ?(?P<high>-?{_N})",
    )
)
"""How bands are written; what is left or right of an end that does not belong to the
band is no square bracket."""


class Band(NamedTuple):
    """A band of numbers; an end that is None is open."""

    low: Number | None
    high: Number | None
    above: bool = False
    below: bool = False
    """`above`, `below`: whether the band is above its low end, or below its high one,
    without it."""


def band_of(text: str) -> Band | None:
    """Return the band that a text spells; None if it is none."""
    plain = " ".join(text.split())
    if is_number(plain):
        return Band(number_of(plain), number_of(plain))
    found = next((f for form in _FORMS if (f := form.fullmatch(plain))), None)
    if found is None:
        return None
    ends = found.groupdict()
    low, high = (
        None if ends.get(end) is None else number_of(ends[end])
        for end in ("low", "high")
    )
    if low is not None and high is not None and low > high:
        return None
    above = ends.get("left") not in (None, "[")
    return Band(low, high, above, ends.get("right") not in (None, "]"))


def overlap_of(bands: Iterable[Band]) -> tuple[Band, Band] | None:
    """Return two bands that overlap; None if all have an order."""
    return next((p for p in pairwise(_sorted(bands)) if not _are_apart(*p)), None)


def joined_of(values: Iterable[Label], sizes: Sequence[int]) -> Hierarchy:
    """Join so many neighbours of bands, so many of the next level, then all: 30-49, ...

    Every size divides the next, so that they nest. Texts of one band, as 30-39 and 30 -
    39, are one from level 1 on.
    """
    expect_nesting("joined", sizes)
    band = {value: _expected(value) for value in dict.fromkeys(values)}
    texts = {one: str(value) for value, one in reversed(band.items())}
    order = _sorted(texts)
    pair = overlap_of(order)
    if pair is not None:
        one, other = (texts[each] for each in pair)
        raise UnfitError(f"{quoted(one)} and {quoted(other)} overlap", other)
    labels = []
    for size in sizes:
        groups = [order[i : i + size] for i in range(0, len(order), size)]
        named = [texts[g[0]] if len(g) == 1 else _written(g[0], g[-1]) for g in groups]
        pairs = zip(groups, named, strict=True)
        labels.append({each: name or TOP for group, name in pairs for each in group})
    return Hierarchy(
        [(value, *(at[one] for at in labels), TOP) for value, one in band.items()]
    )


def _expected(value: Label) -> Band:
    found = band_of(str(value))
    if found is None:
        raise UnfitError(f"{quoted(value)} is no band like 30-39 or 70+", value)
    return found


def _sorted(bands: Iterable[Band]) -> list[Band]:
    infinite = float("inf")

    def place(band: Band) -> tuple[Number | float, Number | float]:
        return (
            -infinite if band.low is None else band.low,
            infinite if band.high is None else band.high,
        )

    return sorted(dict.fromkeys(bands), key=place)


def _are_apart(one: Band, other: Band) -> bool:
    """Tell whether a band ends before the next one of a list, or where that begins."""
    if one.high is None or other.low is None or one.low == other.low:
        return False
    return one.high <= other.low


def _written(first: Band, last: Band) -> str:
    """Return the text of neighbours; nothing of all that there is."""
    low, high = first.low, last.high
    if low is None:
        return "" if high is None else f"{'<' if last.below else '<='}{written(high)}"
    if high is None:
        return f"{'>' if first.above else '>='}{written(low)}"
    if first.above or last.below:
        left, right = "[("[first.above], "])"[last.below]
        return f"{left}{written(low)}, {written(high)}{right}"
    return span(low, high)
