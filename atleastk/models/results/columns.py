"""Data frames of named columns: pandas, polars or pyarrow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from atleastk.instances.fields.errors import BackendUnavailableError, UnknownNameError

Columns = Mapping[str, Sequence[Any]]
Kinds = Mapping[str, type[int | float | str]]

_PANDAS: Final[Mapping[type, str]] = {int: "Int64", float: "float64", str: "string"}
_PYARROW: Final[Mapping[type, str]] = {int: "int64", float: "float64", str: "string"}

_MAKERS: Final[Mapping[str, Callable[[Any, Columns, Kinds], Any]]] = {
    "pandas": lambda pandas, columns, kinds: pandas.DataFrame(
        {
            name: pandas.Series(values, dtype=_PANDAS.get(kinds.get(name, object)))
            for name, values in columns.items()
        }
    ),
    "polars": lambda polars, columns, kinds: polars.DataFrame(
        columns, schema_overrides={n: kinds[n] for n in columns if n in kinds}
    ),
    "pyarrow": lambda pyarrow, columns, kinds: pyarrow.table(
        {
            name: pyarrow.array(values, _PYARROW.get(kinds.get(name, object)))
            for name, values in columns.items()
        }
    ),
}
"""Constructors by library."""


def table_of(
    columns: Columns, library: str | None = None, kinds: Kinds | None = None
) -> Any:
    """Return a table of named columns.

    Raise `BackendUnavailableError` if the library is not installed. `kinds` are the
    types of columns, also of empty ones, so that tables of the same columns can be
    concatenated. The library is ``"pandas"``, ``"polars"`` or ``"pyarrow"``, by default
    the first of them that is installed.
    """
    if library is not None and library not in _MAKERS:
        raise UnknownNameError(
            f"library: expected one of {', '.join(_MAKERS)}, got {library}"
        )
    for name in _MAKERS if library is None else (library,):
        try:
            module = import_module(name)
        except ModuleNotFoundError:
            continue
        return _MAKERS[name](module, columns, kinds or {})
    missing = library or " or ".join(_MAKERS)
    raise BackendUnavailableError(
        f"tables need {missing}: pip install 'atleastk[frames]'"
    )
