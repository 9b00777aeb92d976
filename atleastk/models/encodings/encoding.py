"""An encoding: a linear model, and functions between its points and solutions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from atleastk.arrays import IntArray
from atleastk.models.linear import LinearModel
from atleastk.models.results.solution import Solution


@dataclass(frozen=True, slots=True)
class Encoding:
    """A linear model whose points stand for partitions."""

    model: LinearModel
    decode: Callable[[IntArray], list[list[int]]]
    """Turns a point that the model admits into groups of items."""
    encode: Callable[[Sequence[Sequence[int]]], IntArray | None]
    """Turns groups of items into a point, for warm starts; None if the model excludes
    them."""

    def turned(self, solution_of: Callable[[Any], Solution]) -> SolutionEncoding:
        """Return the same with solutions that are made of the groups."""
        return SolutionEncoding(
            self.model,
            lambda values: solution_of(self.decode(values)),
            lambda solution: self.encode(solution.groups),
        )


@dataclass(frozen=True, slots=True)
class SolutionEncoding:
    """A linear model whose points stand for solutions with more than groups."""

    model: LinearModel
    decode: Callable[[IntArray], Solution]
    """Turns a point that the model admits into a solution."""
    encode: Callable[[Solution], IntArray | None]
    """Turns a solution, or plain groups, into a point, for warm starts; None if the
    model excludes it."""


AnyEncoding = Encoding | SolutionEncoding
"""A model whose points stand for groups, or for solutions with more than groups."""


def solution_at(encoding: AnyEncoding, values: IntArray) -> Solution:
    """Return the solution that a point of a model stands for."""
    decoded = encoding.decode(values)
    return decoded if isinstance(decoded, Solution) else Solution.of(decoded)


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
