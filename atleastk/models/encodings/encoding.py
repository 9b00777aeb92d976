"""An encoding: a linear model, and functions between its points and solutions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from atleastk.arrays import IntArray
from atleastk.models.linear import LinearModel
from atleastk.models.results.solution import Solution


@dataclass(frozen=True, slots=True)
class Encoding:
    """A linear model whose points stand for partitions.

    Attributes
    ----------
    decode
        Turns a point that the model admits into groups of items.
    encode
        Turns groups of items into a point, for warm starts; None if the model excludes
        them.
    """

    model: LinearModel
    decode: Callable[[IntArray], list[list[int]]]
    encode: Callable[[Sequence[Sequence[int]]], IntArray | None]


@dataclass(frozen=True, slots=True)
class SolutionEncoding:
    """A linear model whose points stand for solutions with more than groups.

    Attributes
    ----------
    decode
        Turns a point that the model admits into a solution.
    encode
        Turns a solution, or plain groups, into a point, for warm starts; None if the
        model excludes it.
    """

    model: LinearModel
    decode: Callable[[IntArray], Solution]
    encode: Callable[[Solution], IntArray | None]


def point(columns: int, entries: Iterable[tuple[int, int]]) -> IntArray:
    """Return the point with these (index, value) entries added up, else 0."""
    values = np.zeros(columns, dtype=np.int64)
    for index, value in entries:
        values[index] += value
    return values


def filled(
    values: IntArray, fillings: Iterable[Callable[[IntArray], None]]
) -> IntArray:
    """Return a point after `fillings` set the variables that depend on others."""
    for fill in fillings:
        fill(values)
    return values
