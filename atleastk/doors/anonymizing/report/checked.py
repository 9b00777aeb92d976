"""What is known of a table as it stands: its lines, its object, and a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from html import escape
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.doors.anonymizing.growth import ADVICE, Growth
from atleastk.doors.anonymizing.report.page import (
    GUESS,
    histogram,
    of_one_table,
    risks,
)
from atleastk.doors.anonymizing.report.sensitive import Exposure
from atleastk.doors.anonymizing.report.thresholds import Thresholds, shown
from atleastk.frames.frame import Name
from atleastk.instances.fields.html_table import escaped, table
from atleastk.instances.fields.visible import visible, visible_lines
from atleastk.instances.files.csv_rows import line_of
from atleastk.instances.files.digest import Filed, digest_lines, digest_object
from atleastk.models.tables.anonymity import Anonymity
from atleastk.models.wording import Warned
from atleastk.plots.html_page import definitions, digests, framed, warnings

_SHOWN: Final = 5
"""The most rows that are named; JSON has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A table that was checked.

    Attributes
    ----------
    table, files
        What it is called, and its file with its SHA-256.
    found
        How anonymous it is, over these `columns`.
    asked
        The k that was asked for, if any was.
    oddities
        What is strange about the table, which is read as it is.
    sensitive, conditions, failing
        The exposure by each sensitive column, what is asked of these in words, and how
        many classes break it, if anything is.
    failing_rows
        The rows of these classes, from 0.
    respelled
        What its classes would give away if nearly equal sensitive values were equal.
    thresholds
        What was asked of the risk.
    growth
        What it shows beside an earlier release, if there is one.
    """

    table: str
    found: Anonymity
    columns: tuple[Name, ...]
    asked: int | None
    oddities: tuple[str, ...]
    sensitive: Mapping[str, Exposure] | None = None
    conditions: str = ""
    failing: int | None = None
    failing_rows: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    respelled: tuple[Warned, ...] = ()
    thresholds: Thresholds
    growth: Growth | None = None
    files: tuple[Filed, ...] = ()

    @property
    def warned(self) -> Iterator[Warned]:
        """What is warned of: rows that may be found, and spellings of one value."""
        yield from self.found.warned
        yield from self.respelled

    @property
    def holds(self) -> bool:
        enough = self.asked is None or self.found.holds(self.asked)
        together = self.growth is None or self.growth.holds
        return enough and self.thresholds.holds and together and not self.failing

    @property
    def names(self) -> list[str]:
        return list(map(str, self.columns))

    @property
    def reading(self) -> str:
        reading = (
            "matches anything" if self.found.wildcards else "is a value like others"
        )
        return f"a suppressed cell {reading}"

    @property
    def verdicts(self) -> Iterator[str]:
        if self.asked is not None:
            yield _verdict(self.found, self.asked) + _rows(self.small_rows)
        if self.failing is not None:
            words = "class breaks" if self.failing == 1 else "classes break"
            words = f"{self.failing} {words} what is asked of their values"
            yield words + _rows(self.failing_rows)
        yield from self.thresholds.verdicts()
        if self.growth is not None:
            yield self.growth.verdict(self.conditions)

    @property
    def small_rows(self) -> IntArray:
        """The rows that fewer than k - 1 others are like, from 0."""
        return np.flatnonzero(self.found.alike < (self.asked or 0))

    def __str__(self) -> str:
        return "\n".join(map(visible, self._lines()))

    def _lines(self) -> Iterator[str]:
        yield from f"{self.table}: {self.found}".splitlines()
        yield from (f"  warning     {warning}" for warning in self.oddities)
        yield f"  columns     {', '.join(self.names)}"
        yield f"  reading     {self.reading}"
        for name, exposure in (self.sensitive or {}).items():
            yield f"  sensitive   {name}: {', '.join(exposure.measures)}"
        for warned in self.respelled:
            yield from warned.lines()
        yield from self.thresholds.lines()
        if self.growth is not None:
            yield from self.growth.lines()
        yield from digest_lines(self.files)
        yield from (f"  {verdict}" for verdict in self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        found, k = self.found, self.asked
        document: dict[str, Any] = {
            "k": found.k,
            "k_equal": found.k_equal,
            "asked": k,
            "holds": self.holds,
            "rows": len(found.alike),
            "classes": len(found.classes),
            "below": None if k is None else found.below(k),
            "below_rows": (self.small_rows + 1).tolist(),
            "reading": "wildcard" if found.wildcards else "strict",
            "columns": self.names,
            "risk": asdict(found.risk),
            **found.singling_out.to_dict(),
            "warnings": self.oddities,
        }
        if self.sensitive is not None:
            document["sensitive"] = {n: asdict(e) for n, e in self.sensitive.items()}
            document["respelled"] = [*map(str, self.respelled)]
        if self.failing is not None:
            document["conditions"] = self.conditions
            document["failing"] = self.failing
            document["failing_rows"] = (self.failing_rows + 1).tolist()
        if self.thresholds.each:
            document["thresholds"] = self.thresholds.to_dict()
        if self.growth is not None:
            document["earlier"] = self.growth.to_dict()
        return document | {"files": digest_object(self.files)}

    def to_html(self) -> str:
        """Return a page to be filed, which needs no other file."""
        asked = [
            ("columns", ", ".join(line_of([name]) for name in self.names)),
            ("reading", self.reading),
            *([] if self.asked is None else [("k", str(self.asked))]),
        ]
        if self.sensitive:
            asked.append(("sensitive", ", ".join(map(str, self.sensitive))))
        if self.conditions:
            asked.append(("of their values", self.conditions))
        if self.growth is not None:
            asked.append(("earlier release", self.growth.size))
        sections = {
            "Summary": self._summary(),
            "Files": digests(self.files),
            "What was looked at": definitions(asked),
            "Risk": self._risk(),
        }
        title = f"A check of {self.table}"
        return framed(title, datetime.now(UTC), sections, explained=True)

    def _summary(self) -> Iterator[str]:
        yield from warnings(self.warned)
        for verdict in self.verdicts:
            kind = "" if self.holds else ' class="warning"'
            yield f"<p{kind}><strong>{escaped(self.table)}: {verdict}.</strong></p>"
        if self.found.k is not None:
            yield f"<pre>{escape(visible_lines(str(self.found)))}</pre>"
        for warning in self.oddities:
            yield f"<p>{escaped(warning)}.</p>"
        if self.growth is not None:
            faults = [*self.growth.faults]
            yield f"<p>The earlier release has {self.growth.size}.</p>"
            yield from (f"<p>Of it: {escaped(fault)}.</p>" for fault in faults)
            if faults:
                yield f"<p>Advice: {ADVICE}.</p>"

    def _risk(self) -> Iterator[str]:
        alone = self.found.singling_out
        yield from risks(GUESS, [self.found.risk])
        yield from of_one_table()
        yield from histogram(Counter(self.found.classes.tolist()))
        if self.thresholds.each:
            asked = [(t.words, shown(t.after or 0)) for t in self.thresholds.each]
            yield from table("What is asked of the risk.", ("", "now>"), asked)
        if self.sensitive:
            rows = [(n, m) for n, e in self.sensitive.items() for m in e.measures]
            yield from table("Sensitive values in classes.", ("column", "now"), rows)
        if alone.by_column:
            yield from table(
                "Unchanged columns, and the rows singled out by a value of theirs that "
                "no other row has.",
                ("column", "rows>", "of all>"),
                [
                    (name, count, f"{count / max(1, alone.rows):.2%}")
                    for name, count in alone.by_column.items()
                ],
            )


def _rows(rows: IntArray) -> str:
    if not len(rows):
        return ""
    shown = ", ".join(map(str, (rows[:_SHOWN] + 1).tolist()))
    more = ", ..." if len(rows) > _SHOWN else ""
    return f": {'rows' if len(rows) > 1 else 'row'} {shown}{more}"


def _verdict(found: Anonymity, k: int) -> str:
    if not found.holds(k):
        below = found.below(k)
        fewer = f"fewer than {k - 1} others alike, for {below} of the rows"
        return f"not {k}-anonymous: {fewer}"
    if found.k_equal is None or found.k_equal >= k:
        return f"{k}-anonymous"
    return f"{k}-ambiguous, but not {k}-anonymous"
