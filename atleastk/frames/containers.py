"""Tables of one library as data frames of another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from atleastk.instances.fields.errors import optional


def _of_pandas(table: Any, names: Sequence[str]) -> Any:
    pandas = optional("pandas", "frames", "tables of pandas")
    if isinstance(table, pandas.DataFrame):
        return table
    if hasattr(table, "to_pandas"):
        return table.to_pandas()
    named = len(table) > 0 and isinstance(table[0], Mapping)
    return pandas.DataFrame(table, columns=None if named else names)


def _of_polars(table: Any, names: Sequence[str]) -> Any:
    polars = optional("polars", "frames", "tables of polars")
    if isinstance(table, np.ndarray | Sequence):
        table = _of_pandas(table, names)
    return polars.DataFrame(table)


CONTAINERS: Final[Mapping[str, Callable[[Any, Sequence[str]], Any]]] = {
    "pandas": _of_pandas,
    "polars": _of_polars,
}
"""How a table becomes a data frame, by the library; with names for columns without."""
