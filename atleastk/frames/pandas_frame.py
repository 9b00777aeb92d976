"""Tables of pandas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from atleastk.arrays import BoolArray
from atleastk.frames.frame import (
    Column,
    IncomparableError,
    Labels,
    Name,
    by_bits,
    in_order,
)
from atleastk.frames.rows import column_of

if TYPE_CHECKING:
    import pandas

__all__ = ["PandasFrame"]


@dataclass(frozen=True, slots=True, eq=False)
class PandasFrame:
    """A data frame of pandas; index and column types are kept.

    Integers and booleans of numpy have no missing value: a column of them in which a
    cell is hidden gets the nullable type of the same width (``int64`` -> ``Int64``).
    """

    native: pandas.DataFrame

    @property
    def names(self) -> Sequence[Name]:
        """The names of the columns."""
        return tuple(self.native.columns)

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.native)

    def column(self, name: Name) -> Column:
        """Return a column with its values numbered."""
        import pandas

        series: Any = self.native[name]
        kind = series.dtype
        if pandas.api.types.is_float_dtype(kind) and kind != np.longdouble:
            numbers = series.to_numpy(np.float64, na_value=np.nan)
            return by_bits(numbers, series.isna().to_numpy())
        try:
            codes, uniques = pandas.factorize(series)
        except (TypeError, NotImplementedError) as error:
            message = f"column {name}: its values cannot be compared ({error})"
            raise IncomparableError(message) from error
        values = list(uniques)
        plain = not isinstance(kind, pandas.CategoricalDtype)
        text = plain and all(isinstance(value, str) for value in values)
        if not text and _is_mixed(kind):
            there = series.notna()
            return column_of(name, series.astype(object).where(there, None))
        return in_order(codes, values, text)

    def hiding(self, masks: Mapping[Name, BoolArray], marker: str) -> Self:
        """Return a new frame with the cells of some columns hidden."""
        frame: Any = self.native.copy(deep=False)
        for name, mask in masks.items():
            if not mask.any():
                continue
            series = frame[name]
            if self.column(name).text:
                frame[name] = series.mask(mask, marker)
            else:
                nullable = _nullable(series.dtype)
                frame[name] = (
                    series if nullable is None else series.astype(nullable)
                ).mask(mask)
        return type(self)(frame)

    def relabelled(self, labels: Mapping[Name, Labels]) -> Self:
        """Return a new frame with texts in place of some columns."""
        import pandas

        frame: Any = self.native.copy(deep=False)
        for name, texts in labels.items():
            kind = frame[name].dtype
            plain = pandas.Series(list(texts), index=frame.index, dtype=object)
            known = pandas.api.types.is_string_dtype(kind)
            frame[name] = plain.astype(kind) if known else plain.infer_objects()
        return type(self)(frame)

    def refilled(self, cells: Mapping[Name, Sequence[Any]]) -> Self:
        """Return a new frame with other cells in some columns."""
        import pandas

        frame: Any = self.native.copy(deep=False)
        for name, column in cells.items():
            plain = pandas.Series(list(column), index=frame.index, dtype=object)
            frame[name] = _typed(plain, frame[name].dtype)
        return type(self)(frame)

    def only(self, names: Sequence[Name]) -> Self:
        """Return the frame of these columns only."""
        frame: Any = self.native
        return type(self)(frame[list(names)])


def _is_mixed(dtype: Any) -> bool:
    """Tell whether pandas takes values of a type for one that files tell apart.

    Such as 1, 1.0 and True, or intervals from 0.0 and from -0.0.
    """
    import pandas

    if isinstance(dtype, np.dtype):
        return dtype.kind in "Ofc"
    return isinstance(dtype, pandas.IntervalDtype)


def _typed(plain: Any, kind: Any) -> Any:
    """Return a series of a type if that has all its values, else of the next best."""
    import pandas

    if isinstance(kind, pandas.CategoricalDtype):
        known = plain.isin(kind.categories).all()
        return plain.astype(kind) if known else plain.infer_objects()
    try:
        typed = plain.astype(kind)
    except (TypeError, ValueError):  # a type that refuses to lose digits
        return plain.infer_objects()
    kept = pandas.api.types.is_float_dtype(kind)
    if kept or (typed.astype(object) == plain).all():
        return typed
    return plain.infer_objects()


def _nullable(dtype: Any) -> str | None:
    """Return the nullable type of numpy's integers and booleans; None for others."""
    if not isinstance(dtype, np.dtype) or dtype.kind not in "iub":
        return None
    if dtype.kind == "b":
        return "boolean"
    return f"{'Int' if dtype.kind == 'i' else 'UInt'}{8 * dtype.itemsize}"
