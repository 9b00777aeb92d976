"""Two-dimensional arrays of numpy; the columns are named 0, 1, ...

All cells of an array have one type. Where a cell is hidden, integers and booleans
become floats, if these are exact, and texts may become longer. Other arrays that get a
missing value or a text become arrays of objects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.frames.frame import Column, Name, by_bits, in_order, is_nan
from atleastk.frames.rows import column_of
from atleastk.instances.fields.errors import InvalidInstanceError

_EXACT: Final = 2**53
"""Floats represent all integers up to this one, and not the next."""

_NOTHING: Final = {"f": np.nan, "M": np.datetime64("NaT"), "m": np.timedelta64("NaT")}
"""Missing values by the kind of the type of an array; None in others."""


@dataclass(frozen=True, slots=True, eq=False)
class NumpyFrame:
    """A two-dimensional array; its type stays if it can represent hidden cells."""

    native: Any

    @classmethod
    def of(cls, array: Any) -> Self:
        """Wrap an array, after checking that it is a table.

        Raises InvalidInstanceError if it is none; the words are those that the checks
        of scikit-learn expect.
        """
        if isinstance(array, np.ma.MaskedArray):
            raise InvalidInstanceError(
                "masked arrays are no tables: fill them first, as with nan"
            )
        array = np.asarray(array)
        if array.ndim != 2:
            raise InvalidInstanceError(
                f"expected an array of rows and columns, got {array.ndim} dimensions; "
                "Reshape your data: one column is array.reshape(-1, 1)"
            )
        if not array.shape[1]:
            raise InvalidInstanceError(
                f"0 feature(s) (shape={array.shape}) while a minimum of 1 is required."
            )
        if array.dtype.kind == "c":
            raise InvalidInstanceError("Complex data not supported: give real numbers")
        return cls(array)

    @property
    def names(self) -> Sequence[Name]:
        return range(self.native.shape[1])

    @property
    def n(self) -> int:
        return len(self.native)

    def column(self, name: Name) -> Column:
        cells = self.native[:, name]
        match cells.dtype.kind:
            case "f" if cells.dtype != np.longdouble:
                return by_bits(cells, np.isnan(cells))
            case "i" | "u" | "b" | "U":
                values, codes = np.unique(cells, return_inverse=True)
                return in_order(codes, values.tolist(), text=values.dtype.kind == "U")
        return column_of(name, (None if _is_missing(cell) else cell for cell in cells))

    def hiding(self, masks: Mapping[Name, BoolArray], marker: str) -> Self:
        masks = {name: mask for name, mask in masks.items() if mask.any()}
        array = _roomy(self.native, marker) if masks else self.native.copy()
        nothing = _NOTHING.get(array.dtype.kind)
        for name, mask in masks.items():
            array[mask, name] = marker if self.column(name).text else nothing
        return type(self)(array)

    def relabelled(self, labels: Mapping[Name, Column]) -> Self:
        array = self.native.astype(object) if labels else self.native.copy()
        for name, texts in labels.items():
            array[:, name] = np.array(texts.cells, dtype=object)
        return type(self)(array)

    def refilled(self, cells: Mapping[Name, Sequence[Any]]) -> Self:
        columns = {name: np.asarray(column) for name, column in cells.items()}
        kinds = {array.dtype.kind for array in (self.native, *columns.values())}
        numbers = kinds <= set("iuf")
        room = np.result_type(self.native, *columns.values()) if numbers else object
        array = self.native.astype(room if columns else self.native.dtype)
        for name, column in columns.items():
            array[:, name] = column
        return type(self)(array)

    def only(self, names: Sequence[Name]) -> Self:
        return type(self)(self.native[:, list(names)])

    def taking(self, rows: IntArray) -> Self:
        return type(self)(self.native[rows])

    def rebuilt(self) -> Self:
        return type(self)(self.native.copy())


def _roomy(array: Any, marker: str) -> Any:
    """Return a copy of an array, of a type that can represent hidden cells."""
    match array.dtype.kind:
        case "i" | "u" | "b":
            exact = max(-int(array.min()), int(array.max())) <= _EXACT
            return array.astype(np.float64 if exact else object)
        case "U":
            return array.astype(np.result_type(array, np.array(marker)))
    return array.astype(array.dtype if array.dtype.kind in _NOTHING else object)


def _is_missing(cell: object) -> bool:
    unknown = isinstance(cell, np.datetime64 | np.timedelta64) and np.isnat(cell)
    return cell is None or is_nan(cell) or bool(unknown)
