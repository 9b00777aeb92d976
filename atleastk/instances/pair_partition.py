"""Pair partition: the instance. Groups whose members belong together.

Definition
----------
Every pair of n items has a cost c_ij: as listed in ``costs``, where others cost
nothing, or the squared distance of two ``points`` of whole coordinates. Costs below 0
are for items that belong together: friends, neighbours in a community. Partition the
items into groups of at least k. Minimise the sum over groups S of

``sum``
    P(S), the sum of c_ij over all pairs of S;
``squares``
    P(S) / |S|, rounded down. Of points that is the sum of squared distances to their
    mean: microaggregation, k-means with a least size. What rounding takes away is less
    than 1 a group: coordinates in small units make it as little as is wanted.

``connected`` asks that every group is connected by ``edges``, or by listed pairs where
no edges are given: regions of a part share borders, and all of them are to be alike.
Windows on groups are those of :mod:`atleastk.instances.fields.windows`.

Sizes
-----
*Lemma.* Unless groups are connected or have windows that splitting may break, there is
a best solution of groups of at most 2k - 1 items: for ``sum`` without costs below 0,
and for ``squares`` of points.

*Proof.* Split a group S of 2k or more into A and B of at least k. P(S) >= P(A) + P(B).
The sum of squared distances to the mean of A, or of B, is at most that to the mean of
S, so P(A)/|A| + P(B)/|B| <= P(S)/|S|; rounding down keeps the order.

Complexity
----------
NP-hard for k >= 3: a partition of a graph into triangles is one of no cost where edges
cost 0 and other pairs 1. For k = 2 without windows it is a minimum-weight edge cover by
groups of 2 and 3. With costs below 0 and k = 1 it is clique partitioning, NP-hard too:
modularity and correlation clustering are two of its names.

References
----------
X. Ji, J. E. Mitchell, "Branch-and-price-and-cut on the clique partitioning problem with
minimum clique size requirement", Discrete Optimization 4, 2007 (``sum``).
M. Groetschel, Y. Wakabayashi, "A cutting plane algorithm for a clustering problem",
Mathematical Programming 45, 1989 (costs below 0).
M. Cordero, A. Miniguano-Trujillo, D. Recalde, R. Torres, P. Vaca, "Graph partitioning
into connected components with minimum size constraints" (``connected``).
J. Domingo-Ferrer, J. M. Mateo-Sanz, "Practical data-oriented microaggregation for
statistical disclosure control", IEEE TKDE 14(1), 2002 (``squares``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Final, Literal, NoReturn

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import COUNT, FLAG, WHOLE
from atleastk.instances.fields.shapes import (
    Integer,
    IntegerRows,
    ListOf,
    OneOf,
    Row,
    shown,
)
from atleastk.instances.fields.windows import Windowed
from atleastk.instances.instance import Instance, shaped

Objective = Literal["sum", "squares"]

MOST_TOTAL: Final = 2**60
"""The most that all pairs may cost, without signs, so that sums fit 64 bits."""

MOST_PAIRED: Final = 3_000
"""Items for which no matrix of all pairs is made: 72 MB. Not tuned."""

_ITEM: Final = Integer(minimum=0)

MOST_ITEMS: Final = 1_000_000
"""The most items without points: few bytes of a file can ask for many. Not tuned."""

_WIDEST: Final = 2**30
"""Points further apart than this on an axis cost more than all pairs may."""


@dataclass(frozen=True, kw_only=True)
class PairPartition(Windowed, Instance):
    """Partition items into groups of at least k; the pairs inside cost least.

    Attributes
    ----------
    k
        The least number of items of a group.
    items, costs
        The number of items, and pairs with their costs: [i, j, c].
    points
        Whole coordinates, in place of items and costs.
    objective
        ``"sum"`` over the pairs of a group, or ``"squares"``: divided by its size.
    connected, edges
        Whether groups are connected by these edges; by default by listed pairs.
    groups, require, together, apart
        Windows on groups.

    Examples
    --------
    >>> line = atleastk.PairPartition(points=[[0], [1], [7], [9], [10]], k=2)
    >>> atleastk.solve(line).groups
    ((0, 1), (2, 3, 4))
    """

    problem: ClassVar[str] = "pair-partition"
    always_nested: ClassVar[bool] = True

    k: int = field(metadata=COUNT)
    items: int | None = field(default=None, metadata=WHOLE)
    costs: Sequence[Sequence[int]] | None = field(
        default=None,
        metadata=shaped(ListOf(Row("[i, j, cost]", (_ITEM, _ITEM, Integer())))),
    )
    points: Sequence[Sequence[int]] | None = field(
        default=None, metadata=shaped(IntegerRows(ListOf(Integer())))
    )
    objective: Objective = field(
        default="sum", metadata=shaped(OneOf(("sum", "squares")))
    )
    connected: bool = field(default=False, metadata=FLAG)
    edges: Sequence[Sequence[int]] | None = field(
        default=None, metadata=shaped(ListOf(Row("[i, j]", (_ITEM, _ITEM))))
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.points is None) == (self.items is None):
            raise InvalidInstanceError("items: give either items with costs or points")
        if self.points is not None and self.costs is not None:
            raise InvalidInstanceError("points: they have their own costs")
        if self.points is not None and self.connected and self.edges is None:
            raise InvalidInstanceError("points: give edges to connect them by")
        if self.edges is not None and not self.connected:
            raise InvalidInstanceError("edges: only of groups that are connected")
        if self.points is None and self.n > MOST_ITEMS:
            raise InvalidInstanceError(
                f"items: expected at most {MOST_ITEMS:,}, got {shown(self.n)}"
            )
        self._validate_pairs()
        ragged = () if isinstance(self.points, CodedTable) else self.points or ()
        if len({len(point) for point in ragged}) > 1:
            raise InvalidInstanceError("points: they have different dimensions")
        self.validate_windows()
        if self.most_summed > MOST_TOTAL:
            raise InvalidInstanceError(
                "costs: all pairs cost more than 2**60 in all; take larger units"
            )

    def _validate_pairs(self) -> None:
        known: set[tuple[int, int]] = set()
        for place, (i, j, _) in enumerate(self.costs or ()):
            if i == j or max(i, j) >= self.n:
                self._refuse_pair("costs", place, i, j)
            pair = (min(i, j), max(i, j))
            if pair in known:
                raise InvalidInstanceError(
                    f"costs[{place}]: the pair of {i} and {j} is listed twice"
                )
            known.add(pair)
        for place, (i, j) in enumerate(self.edges or ()):
            if i == j or max(i, j) >= self.n:
                self._refuse_pair("edges", place, i, j)

    def _refuse_pair(self, name: str, place: int, i: int, j: int) -> NoReturn:
        raise InvalidInstanceError(
            f"{name}[{place}]: expected two different items of 0..{self.n - 1}, got "
            f"{i} and {j}"
        )

    @property
    def n(self) -> int:
        """The number of items."""
        return len(self.points) if self.points is not None else self.items or 0

    @cached_property
    def total(self) -> int:
        """What all pairs cost, without signs; no solution costs more."""
        if self.points is None:
            return sum(abs(cost) for _, _, cost in self.costs or ())
        if not isinstance(self.points, CodedTable):
            return self.pairs_cost(range(self.n))
        if np.ptp(self.places, axis=0).max(initial=0) > _WIDEST:
            return MOST_TOTAL * self.n + 1
        paid = 0
        for axis in self.places.T:
            away = axis - int(axis.sum()) // self.n
            high, low = np.divmod(np.square(away), _WIDEST)  # the sum may need 80 bits
            squares = _WIDEST * int(high.sum()) + int(low.sum())
            paid += self.n * squares - int(away.sum()) ** 2
        return paid

    @property
    def most_summed(self) -> int:
        """The most that pairs cost which are summed before the size divides them.

        Of points by squares a group of s items costs 1 / s of its pairs, and no more
        than s / n of what all pairs cost: where there is no matrix of pairs, those of
        groups of up to 2k are summed alone.
        """
        squares = self.objective == "squares" and self.points is not None
        if not squares or self.n <= MOST_PAIRED:
            return self.total
        return -(-self.total * min(self.n, 2 * self.k) // self.n)

    @cached_property
    def places(self) -> IntArray:
        """The points from the first one on, [point, axis]; these fit 64 bits."""
        points = self.points or ()
        if isinstance(points, CodedTable):
            first: IntArray = points.codes[:1].astype(np.int64)
            return np.subtract(points.codes, first)
        away = [[x - y for x, y in zip(p, points[0], strict=True)] for p in points]
        return np.array(away, dtype=np.int64)

    @cached_property
    def reliefs(self) -> IntArray:
        """Half of what an item's pairs cost below 0, rounded up, [item].

        No group costs less than minus the sum over its items, for both objectives.
        """
        if self.points is not None:
            return np.zeros(self.n, dtype=np.int64)
        first, second, cost = self.listed
        below, paid = np.minimum(cost, 0), np.zeros(self.n, dtype=np.int64)
        np.add.at(paid, first, below)
        np.add.at(paid, second, below)
        return -(paid // 2)

    @property
    def least_cost(self) -> int:
        return sum(min(0, cost) for _, _, cost in self.costs or ())

    @property
    def has_reliefs(self) -> bool:
        """Whether some pair costs less than nothing."""
        return any(cost < 0 for _, _, cost in self.costs or ())

    def pairs_cost(self, group: Sequence[int]) -> int:
        """Return P(S), what the pairs of a group cost, in exact integers."""
        if self.points is None:
            items = list(group)
            return int(self.matrix[np.ix_(items, items)].sum()) // 2
        some = [self.points[item] for item in group]
        squares = sum(x * x for point in some for x in point)
        sums = [sum(xs) for xs in zip(*some, strict=True)]
        return len(some) * squares - sum(int(total) ** 2 for total in sums)

    def cost_of(self, group: Sequence[int]) -> int:
        """Return what a group costs."""
        paid = self.pairs_cost(group)
        return paid if self.objective == "sum" else paid // max(1, len(group))

    @cached_property
    def matrix(self) -> IntArray:
        """The costs of all pairs, [item, item]."""
        if self.points is not None:
            found = np.zeros((self.n, self.n), dtype=np.int64)
            for axis in self.places.T:
                found += np.square(axis[:, None] - axis)
            return found
        found = np.zeros((self.n, self.n), dtype=np.int64)
        first, second, cost = self.listed
        found[first, second] = found[second, first] = cost
        return found

    @cached_property
    def adjacent(self) -> BoolArray:
        """The pairs that connect, [item, item]."""
        found = np.zeros((self.n, self.n), dtype=np.bool_)
        found[tuple(self.links)] = True
        return found | found.T

    @property
    def links(self) -> IntArray:
        """The pairs that connect, as given, [first or second, pair]."""
        if self.edges is None:
            return self.listed[:2]
        return np.array(self.edges, dtype=np.int64).reshape(-1, 2).T

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """The items that each one is connected with."""
        found: list[list[int]] = [[] for _ in range(self.n)]
        for i, j in self.links.T.tolist():
            found[i].append(j)
            found[j].append(i)
        return found

    @property
    def pays_along(self) -> bool:
        """Whether pairs cost nothing unless they connect."""
        return self.edges is None or not self.matrix[~self.adjacent].any()

    @cached_property
    def listed(self) -> IntArray:
        """The items and costs of listed pairs, [first, second or cost, pair]."""
        return np.array(self.costs or [], dtype=np.int64).reshape(-1, 3).T

    @property
    def largest(self) -> int:
        """The most items that a group of any solution has."""
        fewest = 1 if self.groups is None else max(1, self.groups[0])
        return min(self.most_items, self.n - self.k * (fewest - 1))

    @property
    def most_size(self) -> int:
        """The most items that a group of some best solution has."""
        most = self.largest
        halves = self.points is not None or (
            self.objective == "sum" and not self.has_reliefs
        )
        if halves and self.splits_freely and not self.connected:
            return min(most, 2 * self.k - 1)
        return most

    @property
    def counts(self) -> range:
        """The numbers of groups that counting allows."""
        low, high = (0, self.n) if self.groups is None else self.groups
        if not self.n:
            return range(low, 1)
        high = min(high, self.n // self.k)
        for quantity in self.quantities:
            counts = quantity.counts(self.n)
            low, high = max(low, counts.start), min(high, counts.stop - 1)
        return range(max(low, 1), high + 1)

    def _describe(self) -> Iterator[str]:
        yield from super()._describe()
        yield f"n={self.n} k={self.k} {self.objective}"
        if self.connected:
            yield "connected"
