"""Row weights, such as those of a survey: how many persons a row stands for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.doors.cells import number_of, with_commas
from atleastk.frames.frame import Frame, Name, chosen
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.wish_names import called
from atleastk.instances.hierarchies.decimal_commas import pointed


@dataclass(frozen=True, slots=True)
class RowWeights:
    """How many persons every row of a table stands for."""

    column: Name
    """The column that holds the weights."""
    counts: tuple[int, ...]
    """The weights in units of 1 / scale: integers, exactly those of the column."""
    scale: int
    """The least number that makes all of them whole."""

    @classmethod
    def of(cls, frame: Frame, name: Name) -> RowWeights:
        """Read the weights of a column.

        Raises InvalidInstanceError if one is no positive number, UnknownNameError if
        there is no such column.
        """
        chosen(frame, [name])
        column = frame.column(name)
        commas = with_commas(column.values)
        exact: list[Fraction] = []
        for number, value in enumerate(column.values):
            weight = _exact(pointed(value) if commas else value)
            if weight is None:
                row = int((column.codes == number).argmax()) + 1
                cell = "nothing" if value is None else f'"{value}"'
                raise InvalidInstanceError(
                    f'{called("row_weights")}: column "{name}" holds {cell} in '
                    f"row {row}; expected a positive number of at most 30 digits"
                )
            exact.append(weight)
        scale = lcm(*(weight.denominator for weight in exact))
        whole = [int(weight * scale) for weight in exact]
        return cls(name, tuple(whole[code] for code in column.codes.tolist()), scale)

    def of_rows(self, rows: IntArray) -> RowWeights:
        return replace(self, counts=tuple(self.counts[row] for row in rows.tolist()))

    @property
    def persons(self) -> FloatArray:
        return np.array([count / self.scale for count in self.counts])


def _exact(value: Any) -> Fraction | None:
    """Return a positive number as it is written; None of anything else."""
    text = str(value).strip()
    if isinstance(value, bool) or len(text) > 30:
        return None
    found = number_of(text)
    if found is None or found <= 0 or abs(found.adjusted()) > 30:
        return None
    return Fraction(found)
