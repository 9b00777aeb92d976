"""What is known of a table as it stands: its lines, its object, and a page."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from html import escape
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.doors.anonymizing.growth import ADVICE, Growth
from atleastk.doors.anonymizing.report.page import GUESS, histogram, of_one_table, risks
from atleastk.doors.anonymizing.report.sensitive import Exposure
from atleastk.doors.anonymizing.report.thresholds import Thresholds, shown
from atleastk.frames.duckdb_source import Recount
from atleastk.frames.frame import Name
from atleastk.instances.fields.html_table import card, escaped, table
from atleastk.instances.fields.visible import visible, visible_lines
from atleastk.instances.files.csv_rows import line_of
from atleastk.instances.files.digest import Filed, digest_lines, digest_object
from atleastk.models.tables.anonymity import Anonymity
from atleastk.models.tables.singling_out import SinglingOut
from atleastk.models.wording import Warned, counted
from atleastk.plots.html_page import definitions, digests, framed, warnings

_SHOWN: Final = 5
"""The most rows that are named; JSON has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Check(ABC):
    """A table that was checked, wherever it is."""

    table: str
    columns: tuple[Name, ...]
    """The columns that were looked at."""
    asked: int | None
    """The k that was asked for, if any was."""
    thresholds: Thresholds
    """What was asked of the risk."""
    growth: Growth | None = None
    """What it shows beside an earlier release, if there is one."""
    files: tuple[Filed, ...] = ()
    """`table`, `files`: what it is called, and its files with their SHA-256."""
    conditions: str = ""
    failing: int | None = None
    """`conditions`, `failing`: what is asked of sensitive values, in words, and how
    many classes break it, if anything is asked."""
    _repr_html_ = card

    @property
    @abstractmethod
    def below(self) -> int:
        """How many rows are like fewer others than was asked."""

    @property
    @abstractmethod
    def own_verdicts(self) -> Iterator[str]:
        """What is so, and what is not, of the classes of the table."""

    @abstractmethod
    def own_lines(self) -> Iterator[str]:
        """Yield the lines of the report on these."""

    @abstractmethod
    def own_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON object on these."""

    @property
    def names(self) -> list[str]:
        return list(map(str, self.columns))

    @property
    def holds(self) -> bool:
        together = self.growth is None or self.growth.holds
        broken = self.below or self.failing
        return not broken and self.thresholds.holds and together

    @property
    def verdicts(self) -> Iterator[str]:
        yield from self.own_verdicts
        yield from self.thresholds.verdicts()
        if self.growth is not None:
            yield self.growth.verdict(self.conditions)

    def __str__(self) -> str:
        return "\n".join(map(visible, self._lines()))

    def _lines(self) -> Iterator[str]:
        yield from self.own_lines()
        yield from self.thresholds.lines()
        if self.growth is not None:
            yield from self.growth.lines()
        yield from digest_lines(self.files)
        yield from (f"  {verdict}" for verdict in self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "asked": self.asked,
            "holds": self.holds,
            "columns": self.names,
            **self.own_dict(),
        }
        if self.thresholds.each:
            document["thresholds"] = self.thresholds.to_dict()
        if self.growth is not None:
            document["earlier"] = self.growth.to_dict()
        return document | {"files": digest_object(self.files)}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedElsewhere(_Check):
    """A table in files that was checked."""

    counted_by: str
    """Who counted it."""
    found: Recount
    singling_out: SinglingOut
    """`found`, `singling_out`: its classes, and the rows that other columns single
    out."""

    @property
    def below(self) -> int:
        return self.found.below

    @property
    def own_verdicts(self) -> Iterator[str]:
        if self.asked is not None:
            few = f": {counted(self.below, 'row')} in smaller classes"
            no, few = ("not ", few) if self.below else ("", "")
            yield f"{no}{self.asked}-anonymous{few}"

    def own_lines(self) -> Iterator[str]:
        classes = f"{counted(self.found.classes, 'class')} {self.found.sizes}"
        yield f"{self.table}: {self.found.rows} rows, {classes}"
        yield f"  columns     {', '.join(self.names)}"
        yield f"  counted     by {self.counted_by}"
        yield f"  risk        {self.found.risk.with_unique}"
        yield from self.singling_out.lines()

    def own_dict(self) -> dict[str, Any]:
        return {
            "k": self.found.smallest,
            **asdict(self.found),
            "risk": asdict(self.found.risk),
            **self.singling_out.to_dict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked(_Check):
    """A table in memory that was checked."""

    found: Anonymity
    """How anonymous it is."""
    oddities: tuple[str, ...]
    """What is strange about the table, which is read as it is."""
    sensitive: Mapping[str, Exposure] | None = None
    """The exposure by each sensitive column."""
    failing_rows: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """The rows of the failing classes, from 0."""
    respelled: tuple[Warned, ...] = ()
    """What its classes would give away if nearly equal sensitive values were equal."""

    @property
    def warned(self) -> Iterator[Warned]:
        """What is warned of: rows that may be found, and spellings of one value."""
        yield from self.found.warned
        yield from self.respelled

    @property
    def below(self) -> int:
        return self.found.below(self.asked or 0)

    @property
    def reading(self) -> str:
        wild = self.found.wildcards
        reading = "matches anything" if wild else "is a value like others"
        return f"a suppressed cell {reading}"

    @property
    def small_rows(self) -> IntArray:
        """The rows that fewer than k - 1 others are like, from 0."""
        return np.flatnonzero(self.found.alike < (self.asked or 0))

    @property
    def own_verdicts(self) -> Iterator[str]:
        found, k = self.found, self.asked
        if k is not None and self.below:
            fewer = f"fewer than {k - 1} others alike, for {self.below} of the rows"
            yield f"not {k}-anonymous: {fewer}{_rows(self.small_rows)}"
        elif k is not None:
            equal = found.k_equal is None or found.k_equal >= k
            yield f"{k}-anonymous" if equal else f"{k}-ambiguous, but not {k}-anonymous"
        if self.failing is not None:
            words = "class breaks" if self.failing == 1 else "classes break"
            words = f"{self.failing} {words} what is asked of their values"
            yield words + _rows(self.failing_rows)

    def own_lines(self) -> Iterator[str]:
        yield from f"{self.table}: {self.found}".splitlines()
        yield from (f"  warning     {warning}" for warning in self.oddities)
        yield f"  columns     {', '.join(self.names)}"
        yield f"  reading     {self.reading}"
        for name, exposure in (self.sensitive or {}).items():
            yield f"  sensitive   {name}: {', '.join(exposure.measures)}"
        for warned in self.respelled:
            yield from warned.lines()

    def own_dict(self) -> dict[str, Any]:
        found = self.found
        document: dict[str, Any] = {
            "k": found.k,
            "k_equal": found.k_equal,
            "rows": len(found.alike),
            "classes": len(found.classes),
            "below": None if self.asked is None else self.below,
            "below_rows": (self.small_rows + 1).tolist(),
            "reading": "wildcard" if found.wildcards else "strict",
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
        return document

    def to_html(self) -> str:
        """Return a page to be filed, which needs no other file."""
        growth = self.growth
        asked = {
            "columns": ", ".join(line_of([name]) for name in self.names),
            "reading": self.reading,
            "k": "" if self.asked is None else str(self.asked),
            "sensitive": ", ".join(map(str, self.sensitive or ())),
            "of their values": self.conditions,
            "earlier release": "" if growth is None else growth.size,
        }
        sections = {
            "Summary": self._summary(),
            "Files": digests(self.files),
            "What was looked at": definitions((n, t) for n, t in asked.items() if t),
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
            all_rows = max(1, alone.rows)
            yield from table(
                "Unchanged columns, and the rows singled out by a value of theirs that "
                "no other row has.",
                ("column", "rows>", "of all>"),
                [(n, m, f"{m / all_rows:.2%}") for n, m in alone.by_column.items()],
            )


def _rows(rows: IntArray) -> str:
    if not len(rows):
        return ""
    shown = ", ".join(map(str, (rows[:_SHOWN] + 1).tolist()))
    more = ", ..." if len(rows) > _SHOWN else ""
    return f": {'rows' if len(rows) > 1 else 'row'} {shown}{more}"
