"""What a column says of rows: their importance, order, and how many persons they are.

Classes of importance may be listed by position, too. Weights are such as those of a
survey.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from math import lcm
from typing import Any

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.doors.cells import number_of, numbers_of, with_commas
from atleastk.frames.frame import Column, Frame, Name, chosen
from atleastk.instances.fields.errors import InvalidInstanceError, placed
from atleastk.instances.fields.wish_names import called
from atleastk.instances.hierarchies.decimal_commas import pointed

RowOrder = Name | Mapping[Any, Sequence[object]] | Sequence[Sequence[int]]


def rows_in_order(frame: Frame, asked: RowOrder) -> Sequence[Sequence[int]]:
    """Return the classes of rows, listed or by the values of a column."""
    if isinstance(asked, Mapping):
        if len(asked) != 1:
            raise InvalidInstanceError(
                f"{called('row_order')}: expected one column and its values in order"
            )
        ((name, values),) = asked.items()
        classes = [v if isinstance(v, list | tuple) else [v] for v in values]
        return _classes(frame, name, classes)
    if isinstance(asked, Sequence) and not isinstance(asked, str):
        return asked
    return _classes(frame, asked, None)


def _classes(
    frame: Frame, name: Name, values: Sequence[Sequence[object]] | None
) -> list[tuple[int, ...]]:
    with placed(where := called("row_order")):
        chosen(frame, [name])
    column = frame.column(name)
    texts = ["" if value is None else str(value) for value in column.values]
    if values is None:
        ranks = [_rank(text, name) for text in texts]
        ranked = sorted(range(len(ranks)), key=ranks.__getitem__)
        members = [list(alike) for _, alike in groupby(ranked, ranks.__getitem__)]
    else:
        wanted = [[str(value) for value in members] for members in values]
        every = [text for members in wanted for text in members]
        _expect_each_once(f'{where}: column "{name}"', texts, every)
        members = [[i for i, t in enumerate(texts) if t in some] for some in wanted]
    if len(members) < 2 or not all(members):
        raise InvalidInstanceError(
            f'{where}: column "{name}": expected two classes or more, none empty'
        )
    return [
        tuple(np.flatnonzero(np.isin(column.codes, numbers)).tolist())
        for numbers in members
    ]


def ranks_of(frame: Frame, name: Name) -> IntArray:
    """Return the place of the value of each row in the order of all, as numbers."""
    column = frame.column(name)
    numbers = numbers_of(column.values)
    if numbers is None:
        values = enumerate(column.values)
        odd = next(i for i, value in values if number_of(value) is None)
        raise InvalidInstanceError(
            f"{called('ordered')}: {_held(column, name, odd)}; expected a number"
        )
    place = {number: i for i, number in enumerate(sorted(set(numbers)))}
    found: IntArray = np.array([place[number] for number in numbers])[column.codes]
    return found


def _held(column: Column, name: Name, number: int) -> str:
    """Return where a column first holds a value, in words."""
    row = int((column.codes == number).argmax()) + 1
    value = column.values[number]
    cell = "nothing" if value is None else f'"{value}"'
    return f'column "{name}" holds {cell} in row {row}'


def _expect_each_once(where: str, held: list[str], named: list[str]) -> None:
    """Refuse an order that lacks a value, repeats one, or has an unknown one."""
    for text in (*held, *named):
        if text not in named:
            flaw = "is left out"
        elif text not in held:
            flaw = "is no value of it"
        elif named.count(text) > 1:
            flaw = "is named twice"
        else:
            continue
        raise InvalidInstanceError(f'{where}: "{text}" {flaw}')


def _rank(text: str, name: Name) -> float:
    try:
        rank = float(text)
    except ValueError:
        rank = float("nan")
    if rank != rank:
        raise InvalidInstanceError(
            f'{called("row_order")}: column "{name}" holds "{text}"; expected numbers, '
            "1 for the most important rows, or its values in order"
        )
    return rank


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
                raise InvalidInstanceError(
                    f"{called('row_weights')}: {_held(column, name, number)}; expected "
                    "a positive number of at most 30 digits"
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
    text = str(value).strip()
    if isinstance(value, bool) or len(text) > 30:
        return None
    found = number_of(text)
    if found is None or found <= 0 or abs(found.adjusted()) > 30:
        return None
    return Fraction(found)
