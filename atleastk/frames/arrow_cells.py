"""Columns of pyarrow rebuilt from visible cells only.

A column of Arrow may hold more than its cells: values below missing cells, cells before
and after a slice, unused words of a dictionary. All of that is written to files.
Rebuilt columns hold none of it, at any depth of nested types.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, Final

import numpy as np

PANDAS: Final = b"pandas"
"""The key of the metadata of pandas in a schema."""

_OF_TYPES: Final = b"ARROW:extension:"
"""The prefix of the metadata of a field that name its extension type."""


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
