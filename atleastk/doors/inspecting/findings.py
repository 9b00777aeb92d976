"""What was found in a table, and the report on it: in words, as JSON, and as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from shlex import join
from typing import Any, Final

from rich.cells import cell_len, set_cell_size

from atleastk.frames.oddities import Spellings
from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.errors import quoted
from atleastk.instances.fields.html_table import notebook, table
from atleastk.instances.fields.visible import visible, visible_lines
from atleastk.instances.files.csv_rows import line_of
from atleastk.instances.files.digest import Filed
from atleastk.models.tables.unique_sets import UniqueSets
from atleastk.models.wording import Warned, counted, labelled
from atleastk.plots.html_page import bar, digests, framed, warnings

_HEADS: Final = ("column", "type", "values>", "missing>", "alone>", "together>")
"""The columns of the table of columns."""

_MOST_LISTED: Final = 10
"""The most sets, and spellings of a column, that a report lists."""

_MOST_SETS: Final = 50
"""The most sets that the page lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectedColumn:
    """What a column holds."""

    column: str
    """Its name."""
    type: str
    why: str
    """``"number"``, ``"date"``, ``"band"``, ``"code"``, ``"text"``, ``"empty"`` or
    ``"incomparable"``, and what decided."""
    distinct: int = 0
    """How many different values it has, missing ones apart."""
    missing: int = 0
    """How many rows have no value, or a text that stands for none: see `missing_as`."""
    missing_as: dict[str, int]
    """The texts that stand for a missing value, and their rows; the empty text for
    cells without a value."""
    signs: tuple[str, ...] = ()
    """Why it is taken for a direct identifier; nothing if it is not."""
    alone: int = 0
    together: int = 0
    """`alone`, `together`: how many rows it singles out by itself, and how many have it
    in a smallest unique set of several columns."""
    hierarchy: str | None = None
    """The rule that ``--hierarchies auto`` takes; None for texts that identify persons,
    and codes that no two rows share: these are better left out."""
    spellings: tuple[Spellings, ...] = ()
    """Values that are nearly spelled alike, with their rows."""

    @property
    def identifier(self) -> bool:
        """Whether it is taken for a direct identifier."""
        return bool(self.signs)

    @property
    def remedy(self) -> str:
        """What to do about an identifier."""
        return "leave it out" + ", or generalise it" * (self.hierarchy is not None)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "column": self.column,
            "type": self.type,
            "why": self.why,
            "distinct": self.distinct,
            "missing": self.missing,
            "missing_as": self.missing_as,
            "identifier": self.identifier,
            "signs": list(self.signs),
            "alone": self.alone,
            "together": self.together,
            "hierarchy": self.hierarchy,
            "spellings": [dict_of(group) for group in self.spellings],
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inspected:
    """What was found in a table; this is what ``print`` shows.

    Attributes
    ----------
    rows
        The number of rows.
    columns
        What every column holds.
    sets
        The smallest unique sets of columns, numbered as `names` are.
    names
        The columns of these sets: all but those that seem to identify persons, and
        those whose values cannot be compared.
    warnings
        Oddities of the table, which is read as it is.
    """

    rows: int
    columns: tuple[InspectedColumn, ...]
    sets: UniqueSets
    names: tuple[str, ...]
    warnings: tuple[str, ...]

    __repr__ = brief

    def __str__(self) -> str:
        return "\n".join(map(visible, self._lines()))

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The columns that are taken for direct identifiers."""
        return tuple(one.column for one in self.columns if one.identifier)

    @property
    def worst_sets(self) -> list[tuple[tuple[str, ...], int]]:
        """The smallest unique sets by name with their rows, those of most rows first.

        Sets of fewer columns come first among equals.
        """
        listed = sorted(
            self.sets.rows_of.items(), key=lambda one: (-one[1], len(one[0]), one[0])
        )
        return [(tuple(self.names[j] for j in s), rows) for s, rows in listed]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "rows": self.rows,
            "columns": [column.to_dict() for column in self.columns],
            "sets": [{"columns": list(x), "rows": n} for x, n in self.worst_sets],
            "rows_by_size": self.sets.by_size,
            "not_singled_out": self.sets.left,
            "size": self.sets.size,
            "looks_left_out": self.sets.unlooked,
            "warnings": list(self.warnings),
        }

    def to_html(
        self,
        table: str = "a table",
        files: Sequence[Filed] = (),
        reading: Sequence[str] = (),
    ) -> str:
        """Return a page to be filed, which needs no other file.

        The table is called `table`; `files` are those that it is from, with their
        SHA-256, and `reading` are words of a command line that say how they are read.
        """
        sections = {
            "Summary": self._summary(),
            "Columns": self._columns(),
            "Who is found by what": self._found(),
            "Missing values": self._missing(),
            "Nearly equal spellings": self._spellings(),
            "Suggested hierarchies": self._hierarchies(),
            "How to go on": self._next(table, reading),
            "Files": digests(files),
        }
        return framed(f"A look at {table}", datetime.now(UTC), sections, explained=True)

    @property
    def size(self) -> str:
        """How many rows and columns there are, in words."""
        return f"{counted(self.rows, 'row')}, {counted(len(self.columns), 'column')}"

    @property
    def warned(self) -> Iterator[Warned]:
        """A warning of every column that seems to identify persons."""
        for one in self.columns:
            if one.identifier:
                what = f'column "{one.column}" seems to identify persons'
                yield Warned(what, f"{', '.join(one.signs)}; {one.remedy}")

    def _repr_html_(self) -> str:
        """Return the table of columns with its warnings, for a notebook."""
        remarks = *(f"WARNING: {w}" for w in self.warned), *self.warnings, self.extent
        return notebook(self.size, _HEADS, list(self.table), remarks)

    @property
    def table(self) -> Iterator[tuple[object, ...]]:
        """A row for every column: name, type, values, missing, alone, together."""
        for one in self.columns:
            figures = one.distinct, one.missing, one.alone, one.together
            yield one.column, one.type, *figures

    @property
    def extent(self) -> str:
        """Up to which size sets of columns were looked at, in words."""
        sets = self.sets
        columns = counted(len(self.names), "column")
        looked = f"sets of up to {sets.size} of {columns} were looked at"
        if sets.unlooked is None:
            return looked
        return (
            f"{looked}; {sets.size + 1} columns take up to {sets.unlooked} looks at "
            "records, more than were left"
        )

    @property
    def suggested(self) -> list[tuple[str, str, str]]:
        """Columns with the rules of their hierarchies, and why."""
        known = ((one.column, one.hierarchy, one.why) for one in self.columns)
        return [(name, rule, why) for name, rule, why in known if rule is not None]

    def _lines(self) -> Iterator[str]:
        yield self.size
        yield from (f"  warning     {warning}" for warning in self.warnings)
        for warned in self.warned:
            yield from warned.lines()
        heads = [head.removesuffix(">") for head in _HEADS]
        cells = [heads, *([str(cell) for cell in row] for row in self.table)]
        wide = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
        yield from labelled("columns", (_padded(row, wide) for row in cells))
        found = [f"{n} by {size}" for size, n in self._by_size.items()]
        yield from labelled("singled out", [", ".join(found), self.extent])
        yield from labelled("smallest", self._set_lines())
        rules = (f"{name}={rule} ({why})" for name, rule, why in self.suggested)
        yield from labelled("suggested", rules)
        yield from labelled("missing", self._missing_lines())
        yield from labelled("alike", self._spelling_lines())

    @property
    def _by_size(self) -> dict[str, int]:
        """How many rows are singled out by how many columns, the fewest for each."""
        by_size = self.sets.by_size.items()
        found = {counted(size, "column"): rows for size, rows in by_size}
        return {**found, "none of these sets": self.sets.left}

    def _set_lines(self) -> Iterator[str]:
        listed = self.worst_sets
        for names, rows in listed[:_MOST_LISTED]:
            yield f"{', '.join(names)}: {counted(rows, 'row')}"
        if len(listed) > _MOST_LISTED:
            yield f"and {len(listed) - _MOST_LISTED} more sets"

    def _missing_lines(self) -> Iterator[str]:
        for one in self.columns:
            spelled = [
                f"{quoted(text) if text else 'no value'} in {rows}"
                for text, rows in one.missing_as.items()
            ]
            if spelled:
                yield f"{one.column}: {', '.join(spelled)}"

    def _spelling_lines(self) -> Iterator[str]:
        spelled = [one for one in self.columns if one.spellings]
        for one in spelled:
            for group in one.spellings[:_MOST_LISTED]:
                yield f"{one.column}: {_in_words(group)}"
            more = len(one.spellings) - _MOST_LISTED
            if more > 0:
                yield f"{one.column}: and {more} more such groups"
        if spelled:
            (first, _), (second, _), *_ = spelled[0].spellings[0]
            how = f"--recode {spelled[0].column}=FILE, a line for each value"
            yield f"equal by {how}, as {second};{first}"

    def _summary(self) -> Iterator[str]:
        yield from warnings(self.warned)
        yield f"<p>{self.size}.</p>"
        alone = self.rows - self.sets.left
        if self.rows and self.sets.size:
            yield (
                f"<p><strong>{alone}</strong> of the rows, {alone / self.rows:.2%}, "
                f"are singled out by {counted(self.sets.size, 'column')} or fewer: no "
                "other row has the same values there.</p>"
            )
        for warning in self.warnings:
            yield f"<p>{escape(visible_lines(warning))}.</p>"

    def _columns(self) -> Iterable[str]:
        return table(
            "Different values, and rows: without a value, singled out by this column "
            "alone, and by it together with others (in a set of which none can be left "
            "out).",
            _HEADS,
            list(self.table),
        )

    def _found(self) -> Iterator[str]:
        if not self.sets.size:
            return
        rows = max(1, self.rows)
        counts = [(what, found, found / rows) for what, found in self._by_size.items()]
        yield from table(
            "Rows by the fewest columns that single them out.",
            ("singled out by", "rows>", "of all>", ""),
            [(what, found, f"{of:.2%}", bar(of)) for what, found, of in counts],
        )
        yield f'<p class="soft">{escape(self.extent)}.</p>'
        listed = self.worst_sets
        more = len(listed) - _MOST_SETS
        rest = f"; {more} more sets have fewer" if more > 0 else ""
        if listed:
            yield from table(
                "Smallest unique sets: columns that single rows out, of which none can "
                f"be left out{rest}.",
                ("columns", "rows>", "of all>"),
                [(", ".join(x), n, f"{n / rows:.2%}") for x, n in listed[:_MOST_SETS]],
            )

    def _missing(self) -> Iterable[str]:
        found = [
            (one.column, text or "no value", count)
            for one in self.columns
            for text, count in one.missing_as.items()
        ]
        return table("", ("column", "written as", "rows>"), found) if found else ()

    def _spellings(self) -> Iterable[str]:
        found = [(c.column, _in_words(g)) for c in self.columns for g in c.spellings]
        if not found:
            return ()
        return table(
            "Values that differ in spaces, capitals, accents or signs only, or that "
            "are one number. They are different values: make them equal if they are "
            "meant to be, by --recode COLUMN=FILE with a line for each value, as "
            "flu;Flu and Flu;Flu.",
            ("column", "values and their rows"),
            found,
        )

    def _hierarchies(self) -> Iterable[str]:
        told = "What --hierarchies auto takes, and why."
        found = self.suggested
        return table(told, ("column", "rule", "why"), found) if found else ()

    def _next(self, name: str, reading: Sequence[str]) -> Iterator[str]:
        words = ["atleastk", "anonymize", name, *reading]
        words += ["-k", "5", "--hierarchies", "auto"]
        if self.identifiers:
            words += ["--drop", line_of(self.identifiers)]
        yield (
            "<p>Leave out what identifies persons, name the columns that somebody may "
            "know from elsewhere (--columns) and those that nobody shall learn "
            "(--sensitive), and let the former be anonymised:</p>\n"
            f"<p><code>{escape(visible_lines(join(words)))}</code></p>"
        )


def _padded(row: Sequence[str], wide: Sequence[int]) -> str:
    """Return cells on a line: names and types flush left, figures flush right."""
    texts = map(set_cell_size, row[:2], wide)
    return "  ".join([*texts, *map(str.rjust, row[2:], wide[2:])])


def _in_words(group: Spellings) -> str:
    return ", ".join(f"{quoted(text)} in {rows}" for text, rows in group)


def dict_of(group: Spellings) -> dict[str, int]:
    """Return the rows of each spelling; those that files write alike are added up."""
    found: Counter[str] = Counter()
    for text, rows in group:
        found[text] += rows
    return dict(found)
