"""What groups of rows are to be like: wishes as costs of pairs.

============  ======================================================================
friends       a pair of the list in one group is a wish that is kept: -1 (its weight)
avoid         a pair of the list in one group: 1 (its weight)
near          the distance of two rows in one group, in kilometres or as columns say
distances     the same, from a matrix
alike         rows in one group that differ: by the standard deviations between two
              numbers, by 1 between two texts
mixed         two rows in one group with the same text: 1
balance       for every group, the square of the sum over its rows of how far a number
              is above the mean, in standard deviations: 0 if groups are as good as all
============  ======================================================================

The last one is a cost of pairs, too: with z_i for how far row i is above the mean, the
sum over groups of (sum of z_i)^2 is 2 z_i z_j over pairs, and a constant. Each term is
a matrix of whole numbers in steps of its own, so that all is exact after z is rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.doors.cells import cells_of, number_of, numbers_of
from atleastk.doors.clustering.points import STEPS, deviations, located
from atleastk.frames.frame import Frame, Name
from atleastk.instances.fields.errors import InvalidInstanceError, expect_one_of
from atleastk.instances.pair_partition import MOST_TOTAL
from atleastk.instances.spaces.metric_spaces import GreatCircle

TERMS: Final = ("friends", "avoid", "near", "distances", "alike", "mixed", "balance")
"""The names of all terms."""

METRICS: Final = ("great-circle", "euclidean")
"""Distances of `near`."""

_LONG: Final = 100_000
"""Distances are in steps that the mean one has so many of, at least."""


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A wish as a cost of pairs."""

    name: str
    """One of `TERMS`."""
    what: str
    """The columns or the list that it is about."""
    costs: IntArray  # [row, row]
    """By rows, symmetric, in units of 1 / steps."""
    steps: int = 1
    constant: int = 0
    """What a solution costs more than its pairs, in the same units."""
    numbers: FloatArray | None = None
    """The column that is balanced, [row]."""
    places: FloatArray | None = None  # [row, 2]
    axes: tuple[str, ...] = ()
    """`places`, `axes`: where rows are on a map: across and up, and the columns that
    say so."""
    pairs: tuple[tuple[int, int, int], ...] = ()
    """Those of the list, each with its weight: who wishes is first."""

    def of(self, groups: Iterable[Sequence[int]]) -> int:
        """Return what groups cost, in units of 1 / steps."""
        return sum(map(self.inside, groups)) + self.constant

    def inside(self, group: Sequence[int]) -> int:
        return int(self.costs[np.ix_(group, group)].sum()) // 2

    @property
    def all(self) -> int:
        """What all pairs cost, in units of 1 / steps."""
        return int(self.costs.sum()) // 2


def listed(name: str, n: int, pairs: Iterable[tuple[int, int, int]], sign: int) -> Term:
    """Return a term of a list of pairs of rows with weights."""
    found = tuple(pair for pair in pairs if pair[0] != pair[1])
    _expect_room(name, sum(weight for *_, weight in found))
    costs = np.zeros((n, n), dtype=np.int64)
    for i, j, weight in found:
        costs[i, j] += sign * weight
        costs[j, i] += sign * weight
    return Term(name, f"{len(found)} pairs", costs, pairs=found)


def near(frame: Frame, columns: tuple[Name, ...], metric: str | None) -> Term:
    """Return the distances of rows: in kilometres on the earth, or straight ones."""
    starts = [str(name).lower()[:3] for name in columns]
    on_earth = starts in (["lat", "lon"], ["lat", "lng"])
    chosen = metric or METRICS[0 if on_earth else 1]
    expect_one_of("metric", chosen, METRICS)
    where = located(frame, columns, chosen)
    places = np.column_stack([axis.floats for axis in where.axes])
    if chosen == "great-circle":
        for axis, most in zip(where.axes, (90, 180), strict=True):
            beyond = np.flatnonzero(np.abs(axis.floats) > most)
            if len(beyond):
                raise InvalidInstanceError(
                    f'near: column "{axis.name}", row {beyond[0] + 1}: expected '
                    f"degrees from -{most} to {most}, got {axis.floats[beyond[0]]:g}"
                )
        every = np.arange(frame.n)
        lengths = GreatCircle(places).between(every, every) / 1000.0
    else:
        apart = (np.square(axis[:, None] - axis) for axis in places.T)
        lengths = np.sqrt(sum(apart) + np.zeros((frame.n, frame.n)))
    found = of_lengths("near", ", ".join(map(str, columns)), lengths)
    order = slice(None, None, -1) if chosen == "great-circle" else slice(2)
    across, axes = places[:, order], tuple(map(str, columns[order]))
    return replace(found, places=across, axes=axes) if len(axes) == 2 else found


def of_lengths(name: str, what: str, lengths: FloatArray) -> Term:
    """Return the distances of a matrix."""
    mean, steps = float(lengths.mean()) if lengths.size else 0.0, 1
    while 0.0 < mean * steps < _LONG and steps < 10**9:
        steps *= 10
    _expect_room(name, float(lengths.sum()) * steps / 2)
    costs = np.rint(lengths * steps).astype(np.int64)
    np.fill_diagonal(costs, 0)
    return Term(name, what, costs, steps)


def _expect_room(name: str, total: float) -> None:
    if total > MOST_TOTAL:
        raise InvalidInstanceError(
            f"{name}: all pairs cost more than 2**60 in all; take larger units"
        )


def alike(frame: Frame, column: Name) -> Term:
    """Return how far rows differ in a column."""
    cells = cells_of(frame, column)
    numbers = numbers_of(cells)
    if numbers is None:
        costs = STEPS * (~_equal(cells)).astype(np.int64)
    else:
        z = STEPS * deviations(numbers, f'alike: column "{column}"')
        costs = np.rint(np.abs(z[:, None] - z)).astype(np.int64)
    return Term("alike", str(column), costs, STEPS)


def mixed(frame: Frame, column: Name) -> Term:
    """Return which rows have the same text in a column."""
    costs = _equal(cells_of(frame, column)).astype(np.int64)
    np.fill_diagonal(costs, 0)
    return Term("mixed", str(column), costs)


def balance(frame: Frame, column: Name) -> Term:
    """Return the squares of sums over groups of how far a number is above the mean."""
    cells = cells_of(frame, column)
    numbers = numbers_of(cells)
    if numbers is None:
        row, text = next(
            (row, cell) for row, cell in enumerate(cells, 1) if number_of(cell) is None
        )
        raise InvalidInstanceError(
            f'balance: column "{column}" has texts, "{text}" in row {row}; take mixed '
            "for these, or write numbers with a point"
        )
    values = np.array(numbers, dtype=np.float64)
    found = deviations(numbers, f'balance: column "{column}"')
    z = np.rint(STEPS * found).astype(np.int64)
    costs = 2 * np.outer(z, z)
    np.fill_diagonal(costs, 0)
    return Term("balance", str(column), costs, STEPS**2, int((z * z).sum()), values)


def _equal(cells: Sequence[Any]) -> Any:
    codes = np.unique([str(cell) for cell in cells], return_inverse=True)[1]
    return codes[:, None] == codes


def sum_of(terms: Sequence[tuple[Term, int]]) -> list[list[int]]:
    """Return what pairs cost by terms with their weights, where it is not 0."""
    if not terms:
        return []
    n = len(terms[0][0].costs)
    total = np.zeros((n, n), dtype=object)
    for term, weight in terms:
        total += (weight // term.steps) * term.costs.astype(object)
    return [
        [i, j, int(total[i, j])] for i, j in combinations(range(n), 2) if total[i, j]
    ]
