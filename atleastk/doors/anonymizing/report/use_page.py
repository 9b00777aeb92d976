"""What can still be found in a table, on the page: means, shares, correlations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from atleastk.doors.anonymizing.report.use import ColumnUse, Correlation, Use
from atleastk.instances.fields.html_table import escaped, table
from atleastk.plots.html_page import bar, between, pair_of_bars

_MOST_SHARES: Final = 12
"""The most columns of which shares are drawn; others are in the JSON."""

_MARKS: Final = "the ring is the original, the dot what is published"


def use_of(use: Use, hidden: Mapping[str, int], rows: int) -> Iterator[str]:
    """Yield the section.

    `hidden` are the suppressed cells of every column; none if cells have levels.
    """
    yield (
        "<p>Figures from before are of the original, and may tell what suppressed "
        "cells held: file this page with the original, do not publish it.</p>"
    )
    counts = "how many of its cells are hidden, " if hidden else ""
    yield from table(
        f"The information that every column keeps: {counts}"
        "how many different values it had, and has as published, how many bits these "
        "told of a row before, and the share of them that is kept.",
        (
            "column",
            *(["hidden>"] if hidden else []),
            *("values>", "published>", "bits>", "kept>", ""),
        ),
        [
            (
                name,
                *([hidden.get(name, "")] if hidden else []),
                *column.distinct,
                f"{column.entropy[0]:.2f}",
                f"{column.share:.0%}",
                bar(column.share),
            )
            for name, column in use.columns.items()
        ],
    )
    yield from _means(use.columns)
    yield from _shares(use.columns, rows)
    yield from _correlations(use.correlations)


def _means(columns: Mapping[str, ColumnUse]) -> Iterator[str]:
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


def _shares(columns: Mapping[str, ColumnUse], rows: int) -> Iterator[str]:
    shown = [(name, column) for name, column in columns.items() if column.shares]
    if not shown or not rows:
        return
    yield (
        "<p>How often the common values of a column are there: grey in the original, "
        "where a group counts all that it stands for, blue as published.</p>"
    )
    yield '<div class="pair">'
    for name, column in shown[:_MOST_SHARES]:
        yield from table(
            name,
            ("value", "before>", "published>", ""),
            [
                (
                    value,
                    f"{before / rows:.1%}",
                    f"{after / rows:.1%}",
                    pair_of_bars(before / rows, after / rows),
                )
                for value, before, after in column.shares
            ],
        )
    yield "</div>"


def _correlations(found: Sequence[Correlation]) -> Iterator[str]:
    if found:
        yield from table(
            "Correlations of columns of numbers, by the rows in which both are still "
            f"published, few of which say little; on the line from -1 to 1 {_MARKS}.",
            ("columns", "before>", "published>", "", "by rows>"),
            [
                (
                    f"{each.one} and {each.other}",
                    f"{each.before:.3f}",
                    f"{each.after:.3f}",
                    between((-1.0, 1.0), each.before, each.after),
                    each.rows,
                )
                for each in found
            ],
        )
