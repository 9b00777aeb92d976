"""Tables of columns, in whichever library of tables is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from atleastk.instances.errors import BackendUnavailableError, UnknownNameError

__all__ = ["table_of"]

_MAKERS: Final = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}
"""What makes a table of columns in each library."""


def table_of(columns: Mapping[str, Sequence[Any]], library: str | None = None) -> Any:
    """Return a table of named columns.

    Parameters
    ----------
    library
        ``"pandas"``, ``"polars"`` or ``"pyarrow"``; by default the first of them that
        is installed.

    Raises
    ------
    BackendUnavailableError
        If the library is not installed.
    """
    if library is not None and library not in _MAKERS:
        message = f"library: expected one of {', '.join(_MAKERS)}, got {library}"
        raise UnknownNameError(message)
    for name in _MAKERS if library is None else (library,):
        try:
            module = import_module(name)
        except ModuleNotFoundError:
            continue
        return getattr(module, _MAKERS[name])(columns)
    missing = library or " or ".join(_MAKERS)
    message = f"tables need {missing}: pip install 'atleastk[frames]'"
    raise BackendUnavailableError(message)
