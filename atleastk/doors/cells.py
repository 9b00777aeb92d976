"""Cells of a column that have to be there, and those that have to be numbers."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np

from atleastk.frames.frame import Column, Frame, Name
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.hierarchies.decimal_commas import has_commas, pointed

Cell = Any


def filled_column(frame: Frame, name: Name) -> Column:
    """Return a column; raise an error if one of its cells is missing."""
    column = frame.column(name)
    without = np.flatnonzero(column.missing)
    if len(without):
        more = f" (and {len(without) - 1} others)" if len(without) > 1 else ""
        raise InvalidInstanceError(
            f'column "{name}": row {without[0] + 1}{more} has no value, so it has no '
            "place; fill it, or leave it out before"
        )
    return column


def cells_of(frame: Frame, name: Name) -> list[Cell]:
    """Return the cells of a column; raise an error if one of them is missing."""
    return filled_column(frame, name).cells


def with_commas(cells: Sequence[Cell]) -> bool:
    """Return whether these are texts of numbers, some of which have decimal commas."""
    texts = all(isinstance(cell, str) for cell in cells)
    return texts and has_commas([cell.strip() for cell in cells])


def numbers_of(cells: Sequence[Cell]) -> list[Decimal] | None:
    """Return the cells of a column as numbers; None if one of them is something else.

    All together tell whether a comma is one of decimals.
    """
    plain = map(pointed, cells) if with_commas(cells) else cells
    found = [number_of(cell) for cell in plain]
    return None if None in found else [x for x in found if x is not None]


def number_of(cell: Cell) -> Decimal | None:
    """Return a cell as a number, whose decimal sign is a point; None if it is none."""
    try:
        number = Decimal(str(cell).strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
