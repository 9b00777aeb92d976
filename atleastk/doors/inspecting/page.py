"""What was found in a table as a page to be filed: one HTML file that needs no other.

Everything that stems from the table is escaped, and nothing is loaded from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from html import escape
from shlex import join
from typing import TYPE_CHECKING, Final

from atleastk.frames.spellings import Spellings
from atleastk.instances.fields.errors import quoted
from atleastk.instances.fields.html_table import table
from atleastk.instances.fields.visible import visible_lines
from atleastk.instances.files.csv_rows import line_of
from atleastk.instances.files.digest import Filed
from atleastk.models.wording import counted
from atleastk.plots.html_page import bar, digests, framed, warnings

if TYPE_CHECKING:
    from atleastk.doors.inspecting.findings import Inspected

HEADS: Final = ("column", "type", "values>", "missing>", "alone>", "together>")
"""The columns of the table of columns."""

_MOST_SETS: Final = 50
"""The most sets that the page lists."""


def page_of(
    findings: Inspected,
    name: str,
    made: datetime,
    files: Sequence[Filed] = (),
    reading: Sequence[str] = (),
) -> str:
    """Return the page on a table of this name; it says when it was made.

    `reading` are words of a command line that say how its file is read.
    """
    sections = {
        "Summary": _summary(findings),
        "Columns": _columns(findings),
        "Who is found by what": _found(findings),
        "Missing values": _missing(findings),
        "Nearly equal spellings": _spellings(findings),
        "Suggested hierarchies": _hierarchies(findings),
        "How to go on": _next(findings, name, reading),
        "Files": digests(files),
    }
    return framed(f"A look at {name}", made, sections, explained=True)


def in_words(group: Spellings) -> str:
    """Return spellings with their rows."""
    return ", ".join(f"{quoted(text)} in {rows}" for text, rows in group)


def _summary(findings: Inspected) -> Iterator[str]:
    yield from warnings(findings.warned)
    yield f"<p>{findings.size}.</p>"
    rows = findings.rows
    alone = rows - findings.sets.left
    if rows and findings.sets.size:
        yield (
            f"<p><strong>{alone}</strong> of the rows, {alone / rows:.2%}, are singled "
            f"out by {counted(findings.sets.size, 'column')} or fewer: no other row "
            "has the same values there.</p>"
        )
    for warning in findings.warnings:
        yield f"<p>{escape(visible_lines(warning))}.</p>"


def _columns(findings: Inspected) -> Iterator[str]:
    yield from table(
        "Different values, and rows: without a value, singled out by this column "
        "alone, and by it together with others (in a set of which none can be left "
        "out).",
        HEADS,
        list(findings.table),
    )


def _found(findings: Inspected) -> Iterator[str]:
    if not findings.sets.size:
        return
    rows = max(1, findings.rows)
    by_size = findings.sets.by_size
    by_sets = {counted(size, "column"): found for size, found in by_size.items()}
    everybody = {**by_sets, "none of these sets": findings.sets.left}
    yield from table(
        "Rows by the fewest columns that single them out.",
        ("singled out by", "rows>", "of all>", ""),
        [
            (what, found, f"{found / rows:.2%}", bar(found / rows))
            for what, found in everybody.items()
        ],
    )
    yield f'<p class="soft">{escape(findings.extent)}.</p>'
    listed = findings.worst_sets
    if not listed:
        return
    more = len(listed) - _MOST_SETS
    rest = f"; {more} more sets have fewer" if more > 0 else ""
    yield from table(
        f"Smallest unique sets: columns that single rows out, of which none can be "
        f"left out{rest}.",
        ("columns", "rows>", "of all>"),
        [
            (", ".join(names), count, f"{count / rows:.2%}")
            for names, count in listed[:_MOST_SETS]
        ],
    )


def _missing(findings: Inspected) -> Iterator[str]:
    found = [
        (one.column, text or "no value", count)
        for one in findings.columns
        for text, count in one.missing_as.items()
    ]
    if found:
        yield from table("", ("column", "written as", "rows>"), found)


def _spellings(findings: Inspected) -> Iterator[str]:
    found = [
        (one.column, in_words(group))
        for one in findings.columns
        for group in one.spellings
    ]
    if found:
        yield from table(
            "Values that differ in spaces, capitals, accents or signs only, or that "
            "are one number. They are different values: make them equal if they are "
            "meant to be, by --recode COLUMN=FILE with a line for each value, as "
            "flu;Flu and Flu;Flu.",
            ("column", "values and their rows"),
            found,
        )


def _hierarchies(findings: Inspected) -> Iterator[str]:
    found = [
        (one.column, one.hierarchy, one.why)
        for one in findings.columns
        if one.hierarchy is not None
    ]
    if found:
        yield from table(
            "What --hierarchies auto takes, and why.", ("column", "rule", "why"), found
        )


def _next(findings: Inspected, name: str, reading: Sequence[str]) -> Iterator[str]:
    words = ["atleastk", "anonymize", name, *reading]
    words += ["-k", "5", "--hierarchies", "auto"]
    if findings.identifiers:
        words += ["--drop", line_of(findings.identifiers)]
    yield (
        "<p>Leave out what identifies persons, name the columns that somebody may know "
        "from elsewhere (--columns) and those that nobody shall learn (--sensitive), "
        "and let the former be anonymised:</p>\n"
        f"<p><code>{escape(visible_lines(join(words)))}</code></p>"
    )
