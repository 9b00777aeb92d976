"""What a problem tells the engine: its frame, and its pricing oracle.

How to write an oracle
----------------------
A problem has an :class:`Oracle`. Its ``frame`` says how many items there are and how
many groups there may be. Three methods know the groups:

- ``price`` solves the pricing problem. With weights y of the items, a price m of every
  group and prices s_t of triples t of items, the *reduced cost* of a group S is

      scale cost(S) + m - (sum of y over S) + (sum of s_t over t with |S & t| >= 2),

  an integer. Return some groups that have negative ones (the best of each starting
  item, say, thinned out by :func:`spread`), and a number ``least`` that the reduced
  costs of the groups of any solution sum to at least. If no group has less than z, and
  a solution has at most M groups, that is ``M * min(0, z)``. Any lower estimate of z is
  safe, so a search that is cut short may return the bound it has reached. What the
  search prunes by has to be such a bound: a group's reduced cost with the items that it
  lacks taken at their best, say.
- ``listed`` returns **all** groups of reduced cost up to `spare`, or None where they
  are too many: the same search with another limit. Groups that no solution needs (that
  split into two of no greater cost, say) may be missing in both.
- ``narrow`` may forget whatever has only groups above `spare`; doing nothing is right.

Solutions that are asked for below other limits, with items that are together or apart,
need nothing: Ryan-Foster branching is on listed groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

import numpy as np

from atleastk.arrays import IntArray
from atleastk.models.certificates.weights import Prices
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.precision import SCALE

SAFE: Final = 2**60
"""Sums of scaled numbers stay below."""

_USES: Final = 12
"""New groups that an item may be in, a round."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What a choice of groups has to satisfy, and how exactly it is priced."""

    demand: IntArray  # [item] how many copies of it the groups have in all
    scale: int  # weights and prices are integers in units of 1 / scale
    greatest: int  # weights are at most that, before they are scaled
    fewest: int = 0  # how many groups a solution has at least
    most: int | None = None  # and at most; None for no limit
    left_out: int = 0  # how many items are in no group at most; 0 if some have copies

    @property
    def n(self) -> int:
        """The number of items."""
        return len(self.demand)

    def surplus(self, weights: IntArray) -> int:
        """Return the least that the weights of all items in groups come to."""
        positive = np.sort(weights[weights > 0])[::-1]
        left_out = int(positive[: self.left_out].sum())
        return int(weights @ self.demand) - left_out


def scale_for(items: int, greatest: int, finest: int = SCALE) -> int:
    """Return a scale at which sums of weights up to `greatest` stay within 64 bits."""
    reach = SAFE // ((items + 4) * greatest)
    return max(1, min(finest, 1 << max(0, reach.bit_length() - 1)))


class Priced(NamedTuple):
    """Groups of negative reduced cost, and a bound for those of any solution."""

    groups: Groups
    least: int  # what the reduced costs of a solution sum to at least: 0 or less


class Pricer(Protocol):
    """Groups that can be priced, which suffices for the linear program."""

    @property
    def frame(self) -> Frame:
        """What a choice of groups has to satisfy."""
        ...

    def price(self, prices: Prices, budget: Budget) -> Priced | None:
        """Return groups of negative reduced cost, none if there is none.

        None stands for: not in time, or not within the effort that is worth it.
        """
        ...


class Oracle(Pricer, Protocol):
    """The groups of an instance; the module says how to write one."""

    def listed(
        self, prices: Prices, spare: int, most: int, budget: Budget
    ) -> Groups | None:
        """Return all groups of reduced cost up to `spare`; None if more than `most`."""
        ...

    def narrow(self, prices: Prices, spare: int) -> None:
        """Forget what has only groups of reduced cost above `spare`."""
        ...


def spread(starts: IntArray, items: IntArray, reduced: IntArray, n: int) -> IntArray:
    """Return the groups of the least reduced cost an item, no item in too many.

    Group g has ``items[starts[g]:starts[g + 1]]``.
    """
    sizes = np.maximum(1, np.diff(starts))
    order = np.argsort(reduced / sizes, kind="stable")
    chosen: IntArray = _few_of_each(order, starts, items, n, _USES)
    return chosen


@compiled
def _few_of_each(
    order: IntArray,  # [group]
    starts: IntArray,  # [group + 1]
    items: IntArray,  # [entry]
    n: int,
    most: int,
) -> IntArray:
    """Return those of order[group] with an item in fewer than `most` earlier ones."""
    uses = np.zeros(n, dtype=np.int64)
    chosen = np.empty(len(order), dtype=np.int64)
    count = 0
    for g in order:
        wanted = False
        for i in range(starts[g], starts[g + 1]):
            if uses[items[i]] < most:
                wanted = True
                break
        if wanted:
            for i in range(starts[g], starts[g + 1]):
                uses[items[i]] += 1
            chosen[count] = g
            count += 1
    return chosen[:count]
