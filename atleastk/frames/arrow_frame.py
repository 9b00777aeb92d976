"""Tables of pyarrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.frames.arrow_cells import PANDAS, pandas_words, rebuilt, rebuilt_field
from atleastk.frames.frame import Column, IncomparableError, Name, by_bits, in_order
from atleastk.instances.fields.errors import optional


@dataclass(frozen=True, slots=True, eq=False)
class ArrowFrame:
    """A table of pyarrow; column types stay."""

    native: Any

    @property
    def note(self) -> str | None:
        """A note for the reader of a file: what is not written back."""
        others = set(self.native.schema.metadata or ()) - {PANDAS}
        return "not written back: metadata of the schema" if others else None

    @property
    def names(self) -> Sequence[Name]:
        return tuple(self.native.column_names)

    @property
    def n(self) -> int:
        return int(self.native.num_rows)

    def column(self, name: Name) -> Column:
        import pyarrow
        from pyarrow import compute

        cells = self.native.column(name)
        kind = cells.type
        if pyarrow.types.is_dictionary(kind):
            cells = cells.cast(kind.value_type)
        if pyarrow.types.is_floating(cells.type):
            numbers = cells.cast(pyarrow.float64()).to_numpy()
            return by_bits(numbers, cells.is_null().to_numpy())
        try:
            coded = cells.combine_chunks().dictionary_encode()
        except pyarrow.ArrowNotImplementedError as error:
            raise IncomparableError(
                f"column {name}: values of type {kind} cannot be compared"
            ) from error
        codes = compute.fill_null(coded.indices, -1).to_numpy(zero_copy_only=False)
        return in_order(codes, coded.dictionary.to_pylist(), _is_text(kind))

    def hiding(self, masks: Mapping[Name, BoolArray], marker: str) -> Self:
        import pyarrow
        from pyarrow import compute

        table = self.native
        for name, mask in masks.items():
            if not mask.any():
                continue
            place = table.column_names.index(name)
            cells, field = table.column(place), table.schema.field(place)
            if _is_text(field.type):
                cells = cells.cast(pyarrow.large_string())
                instead = pyarrow.scalar(marker, cells.type)
                cells = compute.if_else(pyarrow.array(mask), instead, cells)
            else:
                field = field.with_nullable(True)
                cells = _with_nulls(cells, mask)
            table = table.set_column(place, field, cells.cast(field.type))
        return type(self)(table)

    def relabelled(self, labels: Mapping[Name, Column]) -> Self:
        import pyarrow

        made = {}
        for name, texts in labels.items():
            kind = self.native.column(name).type
            known = pyarrow.array(texts.values, pyarrow.large_string())
            cells = known.take(pyarrow.array(texts.codes))
            made[name] = cells.cast(kind if _is_text(kind) else pyarrow.string())
        return self._with(made)

    def refilled(self, cells: Mapping[Name, Sequence[Any]]) -> Self:
        column = self.native.column
        return self._with({x: _typed(new, column(x)) for x, new in cells.items()})

    def _with(self, columns: Mapping[Name, Any]) -> Self:
        """Return the table with other columns; pandas is not told their types."""
        table = self.native
        for name, column in columns.items():
            place = table.column_names.index(name)
            field = table.schema.field(place).with_type(column.type)
            table = table.set_column(place, field, column)
        known = pandas_words(table.schema, columns)
        metadata = {**(table.schema.metadata or {}), **known}
        return type(self)(table.replace_schema_metadata(metadata))

    def taking(self, rows: IntArray) -> Self:
        import pyarrow

        table = self.native
        taken = [_takeable(c).take(rows).cast(c.type) for c in table.columns]
        return type(self)(pyarrow.table(taken, table.schema))

    def rebuilt(self) -> Self:
        import pyarrow

        table = self.native
        columns = list(map(rebuilt, table.columns))
        fields = [
            rebuilt_field(field, column.type)
            for field, column in zip(table.schema, columns, strict=True)
        ]
        known = pandas_words(table.schema) or None
        return type(self)(pyarrow.table(columns, pyarrow.schema(fields, known)))

    def only(self, names: Sequence[Name]) -> Self:
        return type(self)(self.native.select(list(names)))


def arrow_frame(stream: Any) -> ArrowFrame:
    """Read a table of any library that streams in Arrow's format.

    Raises TypeError if it is a column, which streams as well.
    """
    pyarrow = optional("pyarrow", "frames", "tables of this library")
    try:
        reader = pyarrow.RecordBatchReader.from_stream(stream)
    except pyarrow.ArrowInvalid as error:
        raise TypeError(
            f"expected a table, got one column, a {type(stream).__name__}; a Series "
            "becomes a table by .to_frame()"
        ) from error
    return ArrowFrame(reader.read_all())


def _takeable(cells: Any) -> Any:
    """Return a column, of whose type cells can be taken."""
    import pyarrow

    if pyarrow.types.is_binary_view(cells.type):
        return cells.cast(pyarrow.large_binary())
    if pyarrow.types.is_string_view(cells.type):
        return cells.cast(pyarrow.large_string())
    return cells


def _with_nulls(cells: Any, mask: BoolArray) -> Any:
    import pyarrow

    cells = _takeable(cells)
    chunks, first = [], 0
    for chunk in cells.chunks:
        gone = mask[first : first + len(chunk)]
        chunks.append(chunk.take(pyarrow.array(np.arange(len(chunk)), mask=gone)))
        first += len(chunk)
    return pyarrow.chunked_array(chunks, cells.type)


def _typed(cells: Sequence[Any], like: Any) -> Any:
    """Return a column of cells, of the type of another column if possible."""
    import pyarrow
    from pyarrow import compute

    kind = like.type
    if pyarrow.types.is_dictionary(kind):
        plain = _typed(cells, like.cast(kind.value_type))
        known = like.unify_dictionaries().chunk(0).dictionary
        codes = compute.index_in(plain, known.cast(plain.type))
        if codes.null_count:
            return plain
        return pyarrow.DictionaryArray.from_arrays(
            codes.cast(kind.index_type), known, ordered=kind.ordered
        )
    # pyarrow would silently round other numbers to integers.
    whole = all(isinstance(cell, int) for cell in cells)
    try:
        if whole or not pyarrow.types.is_integer(kind):
            return pyarrow.array(cells, kind)
    except pyarrow.ArrowException:  # a type with too few digits
        pass
    return pyarrow.array(cells)


def _is_text(kind: Any) -> bool:
    import pyarrow

    texts = pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()
    return kind in texts
