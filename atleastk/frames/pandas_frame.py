"""Tables of pandas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.frames.arrow_frame import rebuilt
from atleastk.frames.frame import (
    Column,
    Frame,
    IncomparableError,
    Name,
    by_bits,
    in_order,
)
from atleastk.frames.rows import column_of

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True, eq=False)
class PandasFrame:
    """A data frame of pandas; index and column types stay.

    An index that repeats a column is changed with it, by its name or cell by cell.
    Integers and booleans of numpy have no missing value: a column of them in which a
    cell is hidden gets the nullable type of the same width (``int64`` -> ``Int64``).
    """

    native: pandas.DataFrame

    @property
    def names(self) -> Sequence[Name]:
        return tuple(self.native.columns)

    @property
    def n(self) -> int:
        return len(self.native)

    def column(self, name: Name) -> Column:
        import pandas

        series: Any = self.native[name]
        kind = series.dtype
        if pandas.api.types.is_float_dtype(kind) and kind != np.longdouble:
            numbers = series.to_numpy(np.float64, na_value=np.nan)
            return by_bits(numbers, series.isna().to_numpy())
        try:
            codes, uniques = pandas.factorize(series)
        except (TypeError, NotImplementedError) as error:
            raise IncomparableError(
                f"column {name}: its values cannot be compared ({error})"
            ) from error
        values = list(uniques)
        plain = not isinstance(kind, pandas.CategoricalDtype)
        text = plain and all(isinstance(value, str) for value in values)
        if not text and _is_mixed(kind):
            there = series.notna()
            return column_of(name, series.astype(object).where(there, None))
        return in_order(codes, values, text)

    def hiding(self, masks: Mapping[Name, BoolArray], marker: str) -> Self:
        frame: Any = self.native
        columns = {}
        for name, mask in masks.items():
            series = frame[name]
            if mask.any() and self.column(name).text:
                columns[name] = series.mask(mask, marker)
            elif mask.any():
                kind = _nullable(series.dtype) or series.dtype
                columns[name] = series.astype(kind).mask(mask)
        return self._with(columns)

    def relabelled(self, labels: Mapping[Name, Column]) -> Self:
        import pandas

        columns = {}
        for name, texts in labels.items():
            plain, kind = self._series(texts.cells), self._kind(name)
            known = pandas.api.types.is_string_dtype(kind)
            columns[name] = plain.astype(kind) if known else plain.infer_objects()
        return self._with(columns)

    def refilled(self, cells: Mapping[Name, Sequence[Any]]) -> Self:
        return self._with(
            {
                name: _typed(self._series(column), self._kind(name))
                for name, column in cells.items()
            }
        )

    def _kind(self, name: Name) -> Any:
        frame: Any = self.native
        return frame.dtypes[name]

    def _series(self, cells: Sequence[Any]) -> Any:
        import pandas

        return pandas.Series(list(cells), index=self.native.index, dtype=object)

    def _with(self, columns: Mapping[Name, Any]) -> Self:
        frame: Any = self.native.copy(deep=False)
        for name, column in columns.items():
            frame[name] = column
        if columns:
            frame.index = _index_with(columns, self.native)
        return type(self)(frame)

    def only(self, names: Sequence[Name]) -> Self:
        frame: Any = self.native
        return type(self)(frame[list(names)])

    def taking(self, rows: IntArray) -> Self:
        import pandas

        taken = self.native.iloc[rows]
        if isinstance(self.native.index, pandas.RangeIndex) and len(rows) == self.n:
            taken.index = self.native.index
        return type(self)(taken)

    def rebuilt(self) -> Self:
        frame: Any = self.native.copy(deep=True)
        frame.attrs = {}
        for name, kind in self.native.dtypes.items():
            if not isinstance(kind, np.dtype):
                frame[name] = _rebuilt(frame[name].array)
        frame.index, frame.columns = map(_rebuilt_index, (frame.index, frame.columns))
        return type(self)(frame)


def _rebuilt(array: Any) -> Any:
    """Return an extension array with the same cells; below a missing one is nothing."""
    import pandas

    if isinstance(array.dtype, pandas.ArrowDtype):
        return type(array)(rebuilt(array.__arrow_array__()))
    there = np.where(np.asarray(array.isna(), dtype=bool), -1, np.arange(len(array)))
    taken = array.take(there, allow_fill=True)
    if not isinstance(array.dtype, pandas.CategoricalDtype):
        return taken
    taken = taken.remove_unused_categories()
    if taken.ordered or taken.categories.is_monotonic_increasing:
        return taken
    order = pandas.unique(taken.codes[taken.codes >= 0])
    return taken.reorder_categories(taken.categories[order])


def _rebuilt_index(index: Any) -> Any:
    """Return an index with the same labels and nothing else."""
    import pandas

    if isinstance(index, pandas.MultiIndex):
        levels = [index.get_level_values(i) for i in range(index.nlevels)]
        parts = list(map(_rebuilt_index, levels))
        return pandas.MultiIndex.from_arrays(parts, names=index.names)
    plain = np.dtype, pandas.DatetimeTZDtype, pandas.PeriodDtype
    if isinstance(index.dtype, plain):
        return index
    return pandas.Index(_rebuilt(index.array), name=index.name)


def untouched_levels(before: Frame, after: Frame | None) -> tuple[str, ...]:
    """Return the levels of an index that are published unchanged, except plain numbers.

    Frames of other libraries have no index.
    """
    if not (isinstance(before, PandasFrame) and isinstance(after, PandasFrame)):
        return ()
    import pandas

    old: Any = before.native.index
    new: Any = after.native.index
    levels = [
        (old.get_level_values(i), new.get_level_values(i)) for i in range(old.nlevels)
    ]
    return tuple(
        "index" if level.name is None else f"index {level.name}"
        for level, now in levels
        if not isinstance(level, pandas.RangeIndex) and level.equals(now)
    )


def _index_with(columns: Mapping[Name, Any], before: pandas.DataFrame) -> Any:
    """Return an index that does not reveal old cells of columns.

    A level with the name of a column, or with its cells row by row, gets the new cells.
    """
    import pandas

    index: Any = before.index
    if isinstance(index, pandas.RangeIndex) and index.name not in columns:
        return index
    levels = [index.get_level_values(i) for i in range(index.nlevels)]
    for i, level in enumerate(levels):
        for name, column in columns.items():
            if level.name == name or level.equals(pandas.Index(before[name])):
                levels[i] = pandas.Index(column, name=level.name)
    if index.nlevels > 1:
        return pandas.MultiIndex.from_arrays(levels, names=index.names)
    return levels[0]


def _is_mixed(dtype: Any) -> bool:
    """Tell whether pandas equates values of a type that files distinguish.

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
    is_float = pandas.api.types.is_float_dtype(kind)
    if is_float or (typed.astype(object) == plain).all():
        return typed
    return plain.infer_objects()


def _nullable(dtype: Any) -> str | None:
    """Return the nullable type of numpy's integers and booleans; None for others."""
    if not isinstance(dtype, np.dtype) or dtype.kind not in "iub":
        return None
    if dtype.kind == "b":
        return "boolean"
    return f"{'Int' if dtype.kind == 'i' else 'UInt'}{8 * dtype.itemsize}"
