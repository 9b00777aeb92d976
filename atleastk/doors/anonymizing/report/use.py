"""The part of a report on use: the information that every column keeps.

The information that a published column keeps is its mutual information with the
original one, as a share of the original entropy: all if every value follows from
what is published, nothing if the whole column looks alike. Means and correlations are
of the cells that are still numbers; they come with the standard error of the mean.
Codes made of digits, such as postal codes, have none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, FloatArray, Int32Array
from atleastk.doors.anonymizing.hierarchies import told_by
from atleastk.doors.anonymizing.publish import Published, Unsuppressed
from atleastk.frames.frame import Column, Selection, is_missing
from atleastk.instances.fields.errors import quoted
from atleastk.instances.fields.html_table import escaped, table
from atleastk.instances.fields.shapes import shown
from atleastk.instances.hierarchies.digits import code_of_digits
from atleastk.models.tables.information import Pairs, entropy
from atleastk.models.wording import Warned
from atleastk.plots.html_page import bar, between, pair_of_bars

_COMMON: Final = 20
"""A value is common if at least every so manieth row has it."""

_MOST_SHARES: Final = 6
"""The most common values that are listed."""

_LONGEST: Final = 40
"""Characters of a value that are shown."""

_NOTHING: Final = "no value"
"""How a missing value is shown."""

_MOST_CORRELATED: Final = 25
"""Columns of numbers; all pairs of more would fill pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnUse:
    """The information that one column keeps."""

    distinct: tuple[int, int]
    """The number of different values before and after, what hides them included."""
    entropy: tuple[float, float]
    """Before and after, in bits."""
    kept: float
    """The information on the original column, in bits."""
    unsuppressed: tuple[int, int] = (0, 0)
    """The same of the rows that are not suppressed altogether."""
    mean: tuple[float, float] | None = None
    """Before and after; None if the cells are no numbers, or a code of digits."""
    error: float | None = None
    """The standard error of the mean of the published cells."""
    code: str | None = None
    """Why digits are taken for a code, which has no mean; None if they are not."""
    extremes: tuple[float, float] = (0.0, 0.0)
    """The least and the greatest of the published numbers, and of both means; 0 and 0
    without a mean."""
    shares: tuple[tuple[str, int, int], ...] = ()
    """The published values of at least every twentieth row, and all others: ``(value,
    rows before, rows after)``; those of most published rows first. Rows before are
    those of values that it stands for, each counted once, with the finest one; a value
    whose rows are suppressed counts as if they were not."""

    @property
    def share(self) -> float:
        """The share of the information that is kept; 1 of a column of one value."""
        return self.kept / self.entropy[0] if self.entropy[0] else 1.0

    @property
    def is_emptied(self) -> bool:
        """Whether nothing is left of the column, with suppressed rows or without."""
        return is_emptied(self.distinct, self.unsuppressed)

    @property
    def mean_is_near(self) -> bool:
        """Whether the published mean is within its standard error of the original."""
        if self.mean is None:
            return False
        return abs(self.mean[1] - self.mean[0]) <= (self.error or 0.0)


class Correlation(NamedTuple):
    """Pearson's correlation of two columns, by the rows in which both hold numbers."""

    one: str
    other: str
    before: float
    after: float
    rows: int
    """The number of these rows in what is published."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """The information that a table keeps."""

    columns: Mapping[str, ColumnUse]
    """The information that every anonymised column keeps."""
    correlations: tuple[Correlation, ...] = ()
    """Of every two of these columns that hold numbers."""

    @classmethod
    def of(
        cls,
        selection: Selection,
        published: Sequence[Column],
        unsuppressed: Unsuppressed | None = None,
    ) -> Use:
        columns: dict[str, ColumnUse] = {}
        numbers: dict[str, tuple[_Numbers, _Numbers]] = {}
        both = zip(selection.texts, selection.columns, published, strict=True)
        for j, (name, before, after) in enumerate(both):
            pair = _Numbers.of(before), _Numbers.of(after)
            pairs = Pairs.of(before.codes, after.codes)
            use = _column_use(name, before, after, *pair, pairs)
            texts, stood, left = list(map(_text, after.values)), pairs, use.distinct
            if unsuppressed is not None:
                kept, whole = unsuppressed.kept, unsuppressed.columns[j]
                texts, stood = (
                    _texts(whole, after, kept),
                    Pairs.of(before.codes, whole.codes),
                )
                left = different(before, after, kept)
            shares = tuple(_shares(before, after, stood, texts))
            columns[name] = replace(use, unsuppressed=left, shares=shares)
            if use.mean is not None:
                numbers[name] = pair
        return cls(columns=columns, correlations=tuple(_correlations(numbers)))

    def to_dict(self) -> dict[str, Any]:
        return {
            "columns": {
                name: {**asdict(column), "share": column.share}
                for name, column in self.columns.items()
            },
            "correlations": [list(each) for each in self.correlations],
        }


def different(before: Column, after: Column, kept: BoolArray) -> tuple[int, int]:
    """Return how many values the rows that are kept had, and have as published."""
    each = (np.bincount(column.codes[kept]) for column in (before, after))
    then, now = map(np.count_nonzero, each)
    return int(then), int(now)


def is_emptied(*counts: tuple[int, int]) -> bool:
    """Tell whether several values were there, and one is published.

    Rows that are suppressed look like each other, whatever is left: it is asked of the
    values of all rows, and of those of the others.
    """
    return any(before > 1 == after for before, after in counts)


def emptied(selection: Selection, made: Published) -> tuple[str, ...]:
    """Return the columns of which nothing is left in what is published."""
    rows = [np.ones(selection.frame.n, dtype=np.bool_)]
    rows += [] if made.unsuppressed is None else [made.unsuppressed.kept]
    both = zip(selection.texts, selection.columns, made.columns, strict=True)
    return tuple(
        name
        for name, before, after in both
        if is_emptied(*(different(before, after, kept) for kept in rows))
    )


def emptied_warnings(
    names: Sequence[str], k: int, heights: Mapping[str, int] | None
) -> Iterator[Warned]:
    """Yield the warning of columns of which nothing is left, with what may help.

    `heights` are the highest levels of columns; None if cells are only suppressed.
    """
    if not names:
        return
    column, it = ("columns", "them") if len(names) > 1 else ("column", "it")
    leave = f"--drop {it}"
    remedies = [
        *(["raise --suppress-rows"] if heights is not None else []),
        *(["take a smaller k"] if k > 2 else []),
    ]
    if heights is None or any(heights[name] == 1 for name in names):
        remedies.insert(0, f"give {it} a hierarchy")
    yield Warned(
        f"nothing is left of {column} {', '.join(map(quoted, names))}",
        ", ".join([*remedies, f"or {leave}" if remedies else leave]),
    )


def _column_use(
    name: str, before: Column, after: Column, old: _Numbers, new: _Numbers, pairs: Pairs
) -> ColumnUse:
    mean = error = code = None
    extremes = 0.0, 0.0
    there, still = np.isfinite(old.values), np.isfinite(new.values)
    nothing = np.array([value is None for value in before.values], dtype=np.bool_)
    numbers = there.any() and (there | nothing).all()
    if numbers:
        code = code_of_digits(told_by(before)[0], name)
    if numbers and code is None and still.any():
        scale = _scale(old.values[there])
        first, second = old.values[there] / scale, new.values[still] / scale
        then, now = np.bincount(before.codes), np.bincount(after.codes)
        rows = now[still]
        middle = float(np.average(second, weights=rows))
        mean = float(np.average(first, weights=then[there]) * scale), middle * scale
        least, greatest = new.values[still].min(), new.values[still].max()
        known = (*mean, float(least), float(greatest))
        extremes = min(known), max(known)
        if rows.sum() > 1:
            squares = (second - middle) ** 2 @ rows / (rows.sum() - 1)
            error = float(np.sqrt(squares / rows.sum()) * scale)
    return ColumnUse(
        distinct=(len(before.values), len(after.values)),
        entropy=(entropy(before.codes), entropy(after.codes)),
        kept=pairs.mutual_information,
        mean=mean,
        error=error,
        code=code,
        extremes=extremes,
    )


def _text(value: object) -> str:
    if is_missing(value):
        return _NOTHING
    try:
        text = str(value)
    except ValueError:  # Python prints no integer of that many digits
        return shown(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _shares(
    before: Column, after: Column, stood: Pairs, texts: Sequence[str]
) -> Iterator[tuple[str, int, int]]:
    """Yield the common values, those of most published rows first, and all others.

    `stood` are the values of the original with those that would be published if all
    rows were kept, and `texts` how the latter are told.
    """
    rows = len(after.codes)
    counts = np.bincount(after.codes, minlength=len(after.values))
    often = np.flatnonzero(counts * _COMMON >= max(1, rows)).tolist()
    common = {_text(after.values[code]) for code in often}
    if not common:
        return
    new = Counter[str]()
    for text, now in zip(map(_text, after.values), counts.tolist(), strict=True):
        new[text] += now
    old = _stood_for(before, stood, texts)
    named = sorted(common, key=lambda text: (-new[text], -old[text], text))
    del named[_MOST_SHARES:]
    yield from ((text, old[text], new[text]) for text in named)
    others = [rows - sum(found[text] for text in named) for found in (old, new)]
    if any(others):
        yield "others", others[0], others[1]


def _texts(all_shown: Column, after: Column, kept: BoolArray) -> list[str]:
    """Return the text of every value of a column, as the kept rows publish it."""
    texts = list(map(_text, all_shown.values))
    shown = Pairs.of(all_shown.codes[kept], after.codes[kept])
    for code, now in zip(shown.one.tolist(), shown.other.tolist(), strict=True):
        texts[code] = _text(after.values[now])
    return texts


def _stood_for(before: Column, pairs: Pairs, texts: Sequence[str]) -> Counter[str]:
    """Return how many rows of the original each published text stands for.

    A value of the original counts with the finest one that is published of it: that of
    the fewest other values. So a value that is published somewhere counts as itself,
    and one that is not with a group of ages, say. What hides values stands for none:
    nothing, and signs alone as ``*``, which are no value of the original. So it comes
    last, of however few values.
    """
    there = set(map(_text, before.values))
    hides = np.array(
        [
            text not in there and (text == _NOTHING or not any(map(str.isalnum, text)))
            for text in texts
        ],
        dtype=np.bool_,
    )
    breadth = np.bincount(pairs.other, minlength=len(texts))
    order = pairs.other, breadth[pairs.other], hides[pairs.other], pairs.one
    finest = np.lexsort(order)
    old, first = np.unique(pairs.one[finest], return_index=True)
    rows = np.bincount(before.codes, minlength=len(before.values))[old]
    found = Counter[str]()
    standing = pairs.other[finest][first].tolist()
    for code, count in zip(standing, rows.tolist(), strict=True):
        if not hides[code]:
            found[texts[code]] += count
    return found


class _Numbers(NamedTuple):
    """The numbers of a column: those of its values, and the value of every row."""

    values: FloatArray
    """NaN of a value that is no number."""
    codes: Int32Array

    @classmethod
    def of(cls, column: Column) -> _Numbers:
        told = [_number(value) for value in column.values]
        return cls(np.array(told, dtype=np.float64), column.codes)


def _correlations(
    numbers: Mapping[str, tuple[_Numbers, _Numbers]],
) -> Iterator[Correlation]:
    """Yield the correlations of every two columns that have one before and after."""
    if len(numbers) > _MOST_CORRELATED:
        return
    for one, other in combinations(numbers, 2):
        (old, _), (new, rows) = map(_correlation, numbers[one], numbers[other])
        if old is not None and new is not None:
            yield Correlation(one, other, old, new, rows)


def _correlation(one: _Numbers, other: _Numbers) -> tuple[float | None, int]:
    """Return Pearson's correlation where both are numbers, and how many rows those are.

    None if there is none.
    """
    width, rows = len(other.values), len(one.codes)
    if len(one.values) * width <= rows:  # few pairs of values, in many rows each
        pairs = Pairs.of(one.codes, other.codes)
        first, second, counts = (
            one.values[pairs.one],
            other.values[pairs.other],
            pairs.counts,
        )
    else:
        first, second = one.values[one.codes], other.values[other.codes]
        counts = np.ones(rows, dtype=np.int64)
    both = np.isfinite(first) & np.isfinite(second)
    counts = counts[both]
    seen = int(counts.sum())
    first, second = first[both], second[both]
    if seen < 2 or any(x.min() == x.max() for x in (first, second)):
        return None, seen
    first, second = (x / _scale(x) for x in (first, second))
    first, second = (x - np.average(x, weights=counts) for x in (first, second))
    spread = np.sqrt(first**2 @ counts) * np.sqrt(second**2 @ counts)
    if not spread:
        return None, seen
    return float(np.clip((first * second) @ counts / spread, -1.0, 1.0)), seen


def _scale(values: FloatArray) -> float:
    """Return a power of two that scales values so that squares do not overflow."""
    _, exponent = np.frexp(np.abs(values).max())
    return float(np.ldexp(1.0, exponent - 1))


def _number(value: object) -> float:
    """Return a value as a number, of a text too; NaN if it is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str, np.number)):
        return float("nan")
    try:
        return float(value)
    except (ValueError, OverflowError):
        return float("nan")


_MOST_DRAWN: Final = 12
"""The most columns of which shares are drawn; others are in the JSON."""

_MARKS: Final = "the ring is the original, the dot what is published"


def use_of(use: Use, hidden: Mapping[str, int], rows: int) -> Iterator[str]:
    """Yield the section; `hidden` are suppressed cells by column, without levels."""
    yield (
        "<p>Figures from before are of the original, and may tell what suppressed "
        "cells held: file this page with the original, do not publish it.</p>"
    )
    counts = "how many of its cells are hidden, " if hidden else ""
    head = ["hidden>"] if hidden else []
    cells: list[Sequence[object]] = []
    for name, column in use.columns.items():
        gone = [hidden.get(name, "")] if hidden else []
        bits, kept = f"{column.entropy[0]:.2f}", f"{column.share:.0%}"
        cells.append((name, *gone, *column.distinct, bits, kept, bar(column.share)))
    yield from table(
        f"The information that every column keeps: {counts}"
        "how many different values it had, and has as published, how many bits these "
        "told of a row before, and the share of them that is kept.",
        ("column", *head, "values>", "published>", "bits>", "kept>", ""),
        cells,
    )
    yield from _drawn_means(use.columns)
    yield from _drawn_shares(use.columns, rows)
    yield from _drawn_correlations(use.correlations)


def _drawn_means(columns: Mapping[str, ColumnUse]) -> Iterator[str]:
    numbers = {n: c for n, c in columns.items() if c.mean is not None}
    codes = [f"{name} ({c.code})" for name, c in columns.items() if c.code is not None]
    if codes:
        listed = escaped(", ".join(codes))
        yield f"<p>Codes made of digits, without a mean: {listed}.</p>"
    if not numbers:
        return
    near = sum(c.mean_is_near for c in numbers.values())
    yield (
        "<p>Columns of numbers whose mean is within one standard error of the "
        f"original's: <strong>{near} of {len(numbers)}</strong>.</p>"
    )
    rows: list[Sequence[object]] = []
    for name, column in numbers.items():
        assert column.mean is not None
        (before, after), error = column.mean, column.error
        off = "" if error is None else f" ± {error:.3g}"
        picture = between(column.extremes, before, after, error or 0.0)
        ends = " to ".join(f"{end:.6g}" for end in column.extremes)
        rows.append((name, ends, f"{before:.6g}", f"{after:.6g}{off}", picture))
    yield from table(
        "Means of the cells that are still numbers, with their standard error; on the "
        f"line from the least to the greatest of them {_MARKS}.",
        ("column", "published", "mean>", "published>", ""),
        rows,
    )


def _drawn_shares(columns: Mapping[str, ColumnUse], rows: int) -> Iterator[str]:
    shown = [(name, column) for name, column in columns.items() if column.shares]
    if not shown or not rows:
        return
    yield (
        "<p>How often the common values of a column are there: grey in the original, "
        "where a group counts all that it stands for, blue as published.</p>"
    )
    yield '<div class="pair">'
    for name, column in shown[:_MOST_DRAWN]:
        shares = [(text, old / rows, new / rows) for text, old, new in column.shares]
        cells = [
            (text, f"{old:.1%}", f"{new:.1%}", pair_of_bars(old, new))
            for text, old, new in shares
        ]
        yield from table(name, ("value", "before>", "published>", ""), cells)
    yield "</div>"


def _drawn_correlations(found: Sequence[Correlation]) -> Iterator[str]:
    rows: list[Sequence[object]] = []
    for one, other, old, new, both in found:
        drawn = between((-1.0, 1.0), old, new)
        rows.append((f"{one} and {other}", f"{old:.3f}", f"{new:.3f}", drawn, both))
    if found:
        yield from table(
            "Correlations of columns of numbers, by the rows in which both are still "
            f"published, few of which say little; on the line from -1 to 1 {_MARKS}.",
            ("columns", "before>", "published>", "", "by rows>"),
            rows,
        )
