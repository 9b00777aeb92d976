"""Tables of pyarrow, and their columns rebuilt from visible cells only.

A column of Arrow may hold more than its cells: values below missing cells, cells before
and after a slice, unused words of a dictionary. All of that is written to files.
Rebuilt columns hold none of it, at any depth of nested types.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.frames.frame import Column, IncomparableError, Name, by_bits, in_order
from atleastk.instances.fields.errors import optional

PANDAS: Final = b"pandas"
"""The key of the metadata of pandas in a schema."""

_OF_TYPES: Final = b"ARROW:extension:"
"""The prefix of the metadata of a field that name its extension type."""


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


def rebuilt(column: Any) -> Any:
    """Return a chunked array with the same cells, rebuilt."""
    import pyarrow

    types, kind = pyarrow.types, column.type
    if types.is_dictionary(kind) or types.is_nested(kind):  # with the same words
        column = pyarrow.chunked_array([column.combine_chunks()], kind)
    chunks = [_rebuilt(chunk) for chunk in column.chunks]
    return pyarrow.chunked_array(chunks, chunks[0].type if chunks else kind)


def rebuilt_field(field: Any, kind: Any) -> Any:
    """Return a field of this type, with only the metadata of its extension type."""
    known = field.metadata or {}
    selected = {key: said for key, said in known.items() if key.startswith(_OF_TYPES)}
    return field.with_type(kind).remove_metadata().with_metadata(selected or None)


def pandas_words(schema: Any, others: Collection[object] = ()) -> dict[bytes, bytes]:
    """Return the metadata of pandas on index and types, and nothing else of a schema.

    Without columns that are no longer there, without `others`, unless they are the
    index, and without the number of categories.
    """
    metadata, there = schema.metadata, schema.names
    try:
        said = json.loads((metadata or {}).get(PANDAS, b"null"))
    except (ValueError, RecursionError):
        return {}  # what pandas could not read either
    match said:
        case {"index_columns": [*index], "columns": [*columns]}:
            pass
        case _:
            return {}
    index = [name for name in index if name in there or not isinstance(name, str)]
    gone = list(others)
    columns = [
        {**column, "metadata": None}
        if column.get("pandas_type") == "categorical"
        else column
        for column in columns
        if isinstance(column, dict)
        and column.get("field_name", column.get("name")) in there
        and (column.get("field_name") in index or column.get("name") not in gone)
    ]
    words = ("column_indexes", "creator", "pandas_version")
    selected = {word: said[word] for word in words if word in said}
    kept = {"index_columns": index, **selected, "columns": columns}
    return {PANDAS: json.dumps(kept).encode()}


def _rebuilt(array: Any) -> Any:
    """Return an array with the same cells, and nothing below missing ones."""
    import pyarrow
    from pyarrow import compute

    types, kind = pyarrow.types, array.type
    if isinstance(kind, pyarrow.BaseExtensionType):
        return pyarrow.ExtensionArray.from_storage(kind, _rebuilt(array.storage))
    if types.is_dictionary(kind):
        return _with_words_in_use(array)
    if types.is_struct(kind) and kind.num_fields:
        children = list(map(_rebuilt, array.flatten()))  # null where the whole cell is
        fields = [
            rebuilt_field(kind.field(i), child.type) for i, child in enumerate(children)
        ]
        return pyarrow.StructArray.from_arrays(
            children, fields=fields, mask=array.is_null()
        )
    if types.is_run_end_encoded(kind):
        cells = _rebuilt(compute.run_end_decode(array))
        return compute.run_end_encode(cells, run_end_type=kind.run_end_type)
    if types.is_string_view(kind) or types.is_binary_view(kind):
        text = types.is_string_view(kind)
        plain = pyarrow.large_string() if text else pyarrow.large_binary()
        return _rebuilt(array.cast(plain)).cast(kind)
    if types.is_list_view(kind) or types.is_large_list_view(kind):
        return pyarrow.array(array.to_pylist(), kind)
    taken = array.take(pyarrow.array(np.arange(len(array))))
    return _rebuilt_lists(taken) if types.is_nested(kind) else taken


def _with_words_in_use(array: Any) -> Any:
    """Return a dictionary array without unused words.

    Words stay in order if it has a meaning. Else they are in the order of the cells,
    since another order could reveal the positions of removed words.
    """
    import pyarrow
    from pyarrow import compute

    kind = array.type
    used = compute.drop_null(array.indices.unique())
    if kind.ordered:
        used = used.take(compute.sort_indices(used))
    codes = compute.index_in(array.indices, value_set=used).cast(kind.index_type)
    words = _rebuilt(array.dictionary.take(used))
    return pyarrow.DictionaryArray.from_arrays(
        _rebuilt(codes), words, ordered=kind.ordered
    )


def _rebuilt_lists(array: Any) -> Any:
    """Return a fresh array of lists with their cells rebuilt, too.

    A fresh union is as it is: no column of such cells is ever hidden.
    """
    import pyarrow

    types, kind, mask = pyarrow.types, array.type, array.is_null()
    if types.is_map(kind):
        keys, items = _rebuilt(array.keys), _rebuilt(array.items)
        made = pyarrow.map_(
            rebuilt_field(kind.key_field, keys.type),
            rebuilt_field(kind.item_field, items.type),
            keys_sorted=kind.keys_sorted,
        )
        return pyarrow.MapArray.from_arrays(
            array.offsets, keys, items, type=made, mask=mask
        )
    if types.is_fixed_size_list(kind):
        cells = _rebuilt(array.values)
        made = pyarrow.list_(
            rebuilt_field(kind.value_field, cells.type), kind.list_size
        )
        return type(array).from_arrays(cells, type=made, mask=mask)
    if types.is_list(kind) or types.is_large_list(kind):
        cells = _rebuilt(array.values)
        make = pyarrow.list_ if types.is_list(kind) else pyarrow.large_list
        made = make(rebuilt_field(kind.value_field, cells.type))
        return type(array).from_arrays(array.offsets, cells, type=made, mask=mask)
    return array
