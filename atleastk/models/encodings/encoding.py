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
    """A linear model whose points stand for solutions."""

    model: LinearModel
    decode: Callable[[IntArray], Solution]
    """Turns a point that the model admits into a solution."""
    encode: Callable[[Solution], IntArray | None]
    """Turns a solution into a point, for warm starts; None if the model excludes it."""

    @classmethod
    def of_groups(
        cls,
        model: LinearModel,
        decode: Callable[[IntArray], Sequence[Sequence[int]]],
        encode: Callable[[Sequence[Sequence[int]]], IntArray | None],
    ) -> Encoding:
        """Return one whose points stand for partitions into groups of items."""
        return cls(
            model,
            lambda values: Solution.of(decode(values)),
            lambda solution: encode(solution.groups),
        )

    def groups_at(self, values: IntArray) -> list[list[int]]:
        """Return the groups that a point stands for."""
        return [[*group] for group in self.decode(values).groups]

    def turned(self, solution_of: Callable[[Solution], Solution]) -> Encoding:
        """Return the same with solutions that are made of those."""
        return Encoding(
            self.model, lambda values: solution_of(self.decode(values)), self.encode
        )


def point(
    columns: int,
    entries: Iterable[tuple[int, int]],
    fillings: Iterable[Callable[[IntArray], None]] = (),
) -> IntArray:
    """Return the point with these (index, value) entries added up, else 0.

    Then `fillings` set the variables that depend on others.
    """
    values = np.zeros(columns, dtype=np.int64)
    for index, value in entries:
        values[index] += value
    for fill in fillings:
        fill(values)
    return values
