"""Cells of pyarrow made anew, of nothing but what can be seen.

A column of Arrow may hold more than its cells: values below those that are missing,
cells before and after a slice, words of a dictionary that no cell has. All of that is
written to files. What is made here holds none of it, at any depth of nested types.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, Final

import numpy as np

PANDAS: Final = b"pandas"
"""What pandas calls its metadata of a schema."""

_OF_TYPES: Final = b"ARROW:extension:"
"""How the metadata of a field begin that say which extension its type is."""


def made_anew(column: Any) -> Any:
    """Return a chunked array with the same cells, made anew."""
    import pyarrow

    types, kind = pyarrow.types, column.type
    if types.is_dictionary(kind) or types.is_nested(kind):  # with the same words
        column = pyarrow.chunked_array([column.combine_chunks()], kind)
    chunks = [_anew(chunk) for chunk in column.chunks]
    return pyarrow.chunked_array(chunks, chunks[0].type if chunks else kind)


def field_anew(field: Any, kind: Any) -> Any:
    """Return a field of this type; of its metadata only what makes it an extension."""
    known = field.metadata or {}
    kept = {key: said for key, said in known.items() if key.startswith(_OF_TYPES)}
    return field.with_type(kind).remove_metadata().with_metadata(kept or None)


def pandas_words(
    metadata: Mapping[bytes, bytes] | None, others: Collection[object] = ()
) -> dict[bytes, bytes]:
    """Return what pandas says of index and types, and nothing else of a schema.

    Not of `others`, unless they are the index; and not how many categories there were.
    """
    try:
        said = json.loads((metadata or {}).get(PANDAS, b"null"))
    except (ValueError, RecursionError):
        return {}  # what pandas could not read either
    match said:
        case {"index_columns": [*index], "columns": [*columns]}:
            pass
        case _:
            return {}
    gone = list(others)
    told = [
        {**column, "metadata": None}
        if column.get("pandas_type") == "categorical"
        else column
        for column in columns
        if isinstance(column, dict)
        and (column.get("field_name") in index or column.get("name") not in gone)
    ]
    words = ("index_columns", "column_indexes", "creator", "pandas_version")
    kept = {word: said[word] for word in words if word in said}
    return {PANDAS: json.dumps({**kept, "columns": told}).encode()}


def _anew(array: Any) -> Any:
    """Return an array with the same cells; below a missing one there is nothing."""
    import pyarrow
    from pyarrow import compute

    types, kind = pyarrow.types, array.type
    if isinstance(kind, pyarrow.BaseExtensionType):
        return pyarrow.ExtensionArray.from_storage(kind, _anew(array.storage))
    if types.is_dictionary(kind):
        return _with_words_in_use(array)
    if types.is_struct(kind) and kind.num_fields:
        children = list(map(_anew, array.flatten()))  # null where the whole cell is
        fields = [
            field_anew(kind.field(i), child.type) for i, child in enumerate(children)
        ]
        return pyarrow.StructArray.from_arrays(
            children, fields=fields, mask=array.is_null()
        )
    if types.is_run_end_encoded(kind):
        cells = _anew(compute.run_end_decode(array))
        return compute.run_end_encode(cells, run_end_type=kind.run_end_type)
    if types.is_string_view(kind) or types.is_binary_view(kind):
        text = types.is_string_view(kind)
        plain = pyarrow.large_string() if text else pyarrow.large_binary()
        return _anew(array.cast(plain)).cast(kind)
    if types.is_list_view(kind) or types.is_large_list_view(kind):
        return pyarrow.array(array.to_pylist(), kind)
    taken = array.take(pyarrow.array(np.arange(len(array))))
    return _lists_anew(taken) if types.is_nested(kind) else taken


def _with_words_in_use(array: Any) -> Any:
    """Return an array of a dictionary with the words that cells have, and no others.

    They keep their order if it has a meaning. Else they come as the cells do, since
    another order may tell where words stood that are no longer there.
    """
    import pyarrow
    from pyarrow import compute

    kind = array.type
    used = compute.drop_null(array.indices.unique())
    if kind.ordered:
        used = used.take(compute.sort_indices(used))
    codes = compute.index_in(array.indices, value_set=used).cast(kind.index_type)
    words = _anew(array.dictionary.take(used))
    return pyarrow.DictionaryArray.from_arrays(
        _anew(codes), words, ordered=kind.ordered
    )


def _lists_anew(array: Any) -> Any:
    """Return a fresh array of lists with their cells made anew, too.

    A fresh union is as it is: no column of such cells is ever hidden.
    """
    import pyarrow

    types, kind, mask = pyarrow.types, array.type, array.is_null()
    if types.is_map(kind):
        keys, items = _anew(array.keys), _anew(array.items)
        made = pyarrow.map_(
            field_anew(kind.key_field, keys.type),
            field_anew(kind.item_field, items.type),
            keys_sorted=kind.keys_sorted,
        )
        return pyarrow.MapArray.from_arrays(
            array.offsets, keys, items, type=made, mask=mask
        )
    if types.is_fixed_size_list(kind):
        cells = _anew(array.values)
        made = pyarrow.list_(field_anew(kind.value_field, cells.type), kind.list_size)
        return type(array).from_arrays(cells, type=made, mask=mask)
    if types.is_list(kind) or types.is_large_list(kind):
        cells = _anew(array.values)
        make = pyarrow.list_ if types.is_list(kind) else pyarrow.large_list
        made = make(field_anew(kind.value_field, cells.type))
        return type(array).from_arrays(array.offsets, cells, type=made, mask=mask)
    return array
