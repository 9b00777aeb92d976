"""What was found in a table, and the report on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.cells import cell_len

from atleastk.doors.inspecting.page import HEADS, in_words, page_of
from atleastk.frames.spellings import Spellings
from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.errors import quoted
from atleastk.instances.fields.html_table import notebook
from atleastk.instances.fields.visible import visible
from atleastk.instances.files.digest import Filed
from atleastk.models.tables.unique_sets import UniqueSets
from atleastk.models.wording import Warned, counted, labelled

_MOST_LISTED: Final = 10
"""The most sets, and spellings of a column, that a report lists."""


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
            "sets": [
                {"columns": list(names), "rows": rows}
                for names, rows in self.worst_sets
            ],
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

        Parameters
        ----------
        table
            What the table is called.
        files
            The file that it is from, with its SHA-256.
        reading
            Words of a command line that say how the file is read.
        """
        return page_of(self, table, files, reading)

    def _lines(self) -> Iterator[str]:
        yield self.size
        for warning in self.warnings:
            yield f"  warning     {warning}"
        for warned in self.warned:
            yield from warned.lines()
        heads = [head.removesuffix(">") for head in HEADS]
        cells = [tuple(heads), *(tuple(map(str, row)) for row in self.table)]
        wide = [max(cell_len(row[j]) for row in cells) for j in range(len(heads))]
        padded = (
            [
                text + " " * (width - cell_len(text))
                if j < 2
                else " " * (width - cell_len(text)) + text
                for j, (text, width) in enumerate(zip(row, wide, strict=True))
            ]
            for row in cells
        )
        yield from labelled("columns", map("  ".join, padded))
        yield from self._found_lines()
        yield from labelled("suggested", self._suggestions())
        yield from labelled("missing", self._missing_lines())
        yield from labelled("alike", self._spelling_lines())

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
        return notebook(self.size, HEADS, list(self.table), remarks)

    @property
    def table(self) -> Iterator[tuple[object, ...]]:
        """A row for every column: name, type, values, missing, alone, together."""
        for one in self.columns:
            figures = one.distinct, one.missing, one.alone, one.together
            yield one.column, one.type, *figures

    @property
    def extent(self) -> str:
        """Up to which size sets of columns were looked at, in words."""
        looked = (
            f"sets of up to {self.sets.size} of {counted(len(self.names), 'column')} "
            "were looked at"
        )
        if self.sets.unlooked is None:
            return looked
        return (
            f"{looked}; {self.sets.size + 1} columns take up to "
            f"{self.sets.unlooked} looks at records, more than were left"
        )

    def _found_lines(self) -> Iterator[str]:
        found = [
            f"{rows} by {counted(size, 'column')}"
            for size, rows in self.sets.by_size.items()
        ]
        none = f"{self.sets.left} by none of these sets"
        yield from labelled("singled out", [", ".join([*found, none]), self.extent])
        listed = self.worst_sets
        rows = [
            f"{', '.join(names)}: {counted(count, 'row')}"
            for names, count in listed[:_MOST_LISTED]
        ]
        if len(listed) > _MOST_LISTED:
            rows.append(f"and {len(listed) - _MOST_LISTED} more sets")
        yield from labelled("smallest", rows)

    def _suggestions(self) -> Iterator[str]:
        for one in self.columns:
            if one.hierarchy is not None:
                yield f"{one.column}={one.hierarchy} ({one.why})"

    def _missing_lines(self) -> Iterator[str]:
        for one in self.columns:
            spelled = [
                f"{quoted(text)} in {rows}" if text else f"no value in {rows}"
                for text, rows in one.missing_as.items()
            ]
            if spelled:
                yield f"{one.column}: {', '.join(spelled)}"

    def _spelling_lines(self) -> Iterator[str]:
        for one in self.columns:
            for group in one.spellings[:_MOST_LISTED]:
                yield f"{one.column}: {in_words(group)}"
            more = len(one.spellings) - _MOST_LISTED
            if more > 0:
                yield f"{one.column}: and {more} more such groups"
        spelled = next((one for one in self.columns if one.spellings), None)
        if spelled is not None:
            (first, _), (second, _), *_ = spelled.spellings[0]
            how = f"--recode {spelled.column}=FILE, a line for each value"
            yield f"equal by {how}, as {second};{first}"


def dict_of(group: Spellings) -> dict[str, int]:
    """Return the rows of each spelling; those that files write alike are added up."""
    found: Counter[str] = Counter()
    for text, rows in group:
        found[text] += rows
    return dict(found)
