"""Tables of polars."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from atleastk.arrays import BoolArray, IntArray
from atleastk.frames.frame import Column, IncomparableError, Name, by_bits, in_order

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, slots=True, eq=False)
class PolarsFrame:
    """A data frame of polars; column types stay."""

    native: polars.DataFrame

    @property
    def names(self) -> Sequence[Name]:
        return tuple(self.native.columns)

    @property
    def n(self) -> int:
        return self.native.height

    def column(self, name: Name) -> Column:
        import polars

        series = self.native.get_column(str(name)).alias("value")
        if series.dtype.is_nested() or series.dtype == polars.Object:
            raise IncomparableError(
                f"column {name}: values of type {series.dtype} cannot be compared"
            )
        if series.dtype.is_float():
            return by_bits(series.to_numpy(), series.is_null().to_numpy())
        values = series.unique(maintain_order=True)
        numbers = polars.DataFrame(
            [values, polars.int_range(len(values), eager=True).alias("code")]
        )
        joined = series.to_frame().join(
            numbers, on="value", how="left", nulls_equal=True, maintain_order="left"
        )
        text = bool(series.dtype == polars.String)
        return in_order(joined.get_column("code").to_numpy(), values.to_list(), text)

    def hiding(self, masks: Mapping[Name, BoolArray], marker: str) -> Self:
        import polars

        hidden: list[Any] = []
        for name, mask in masks.items():
            series = self.native.get_column(str(name))
            instead = marker if series.dtype == polars.String else None
            fill = polars.Series(str(name), [instead], dtype=series.dtype)
            hidden.append(series.zip_with(polars.Series(~mask), fill))
        return type(self)(self.native.with_columns(hidden))

    def relabelled(self, labels: Mapping[Name, Column]) -> Self:
        import polars

        texts = [
            polars.Series(str(name), column.cells, dtype=polars.String)
            for name, column in labels.items()
        ]
        return type(self)(self.native.with_columns(texts))

    def refilled(self, cells: Mapping[Name, Sequence[Any]]) -> Self:
        import polars

        made = []
        for name, column in cells.items():
            kind = self.native.schema[str(name)]
            try:
                series = polars.Series(str(name), list(column), dtype=kind)
            except (TypeError, polars.exceptions.PolarsError):
                series = polars.Series(str(name), list(column), strict=False)
            made.append(series)
        return type(self)(self.native.with_columns(made))

    def only(self, names: Sequence[Name]) -> Self:
        return type(self)(self.native.select(list(map(str, names))))

    def taking(self, rows: IntArray) -> Self:
        return type(self)(self.native[rows])

    def rebuilt(self) -> Self:
        import polars

        columns = [_rebuilt(series) for series in self.native.get_columns()]
        return type(self)(polars.DataFrame(columns))


def _rebuilt(series: Any) -> Any:
    """Return a series with the same cells; below a missing one there is nothing."""
    import polars

    kind = series.dtype
    if isinstance(kind, polars.Enum):
        used = series.unique().drop_nulls().cast(polars.String).to_list()
        known = [word for word in kind.categories.to_list() if word in set(used)]
        return _rebuilt(series.cast(polars.String)).cast(polars.Enum(known))
    there = series.is_not_null()
    place = polars.when(there).then(there.cum_sum() - 1)
    taken = series.drop_nulls().gather(polars.select(place).to_series())
    if not (kind.is_nested() or kind in (polars.String, polars.Binary)):
        return taken
    # Texts and nested cells share buffers with the frame they were taken from. The
    # older layout copies them.
    data = io.BytesIO()
    oldest = polars.CompatLevel.oldest()
    taken.to_frame().write_ipc(data, compat_level=oldest)
    data.seek(0)
    return polars.read_ipc(data).to_series()
