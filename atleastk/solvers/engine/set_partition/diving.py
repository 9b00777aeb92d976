"""Solutions by diving in the linear program over groups.

The group that the program takes most of is fixed, and the program of what is left is
solved again, with groups of its own: until no item is left. If that leaves nothing
below the limit, the next few are tried instead. A little noise makes the next dive
another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, FloatArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.master import Master
from atleastk.solvers.engine.set_partition.oracle import Frame, Priced, Pricer, Prices

__all__ = ["dives"]

_NOISE: Final = 0.1
"""What is added to the share of a group at most, but for the first dive. Not tuned."""

_DIVES: Final = 8
"""Dives in all. Not tuned."""

_TRIED: Final = 4
"""Groups that are tried in one place, at most. Not tuned."""

_SAFE: Final = 2**60
"""Sums of the weights of items stay below."""

_SURE: Final = 1.0 - 1e-9
"""What sums of floats are relied on for."""


def dives(
    pricer: Pricer,
    limit: Callable[[], int],
    groups: Groups,
    point: FloatArray,
    budget: Budget,
) -> Iterator[Groups]:
    """Yield solutions below a limit, one a dive that ends in one.

    Dives begin with the point of the last linear program. Every item is in one group.
    """
    rng = np.random.default_rng(budget.seed)
    for number in range(_DIVES):
        noise = _NOISE if number else 0.0
        found = _dive(pricer, limit(), groups, point, noise, rng, budget)
        if found is not None:
            yield found
        if budget.spent:
            return


class _Rest:
    """The groups of the items that are left, priced by the oracle of all."""

    def __init__(self, pricer: Pricer, left: BoolArray, frame: Frame) -> None:
        self._pricer, self._left, self.frame = pricer, left, frame

    def price(self, prices: Prices, budget: Budget) -> Priced | None:
        """Return groups of negative reduced cost without items that are gone.

        These have a weight that no others make good, or nearly so where that is large.
        """
        given = int(prices.weights[self._left].clip(min=0).sum()) - min(0, prices.group)
        gone = -min(given + 1, _SAFE // len(self._left))
        weights = np.where(self._left, prices.weights, gone)
        priced = self._pricer.price(replace(prices, weights=weights), budget)
        if priced is None:
            return None
        return priced._replace(groups=_within(priced.groups, self._left))


def _dive(
    pricer: Pricer,
    limit: int,
    groups: Groups,
    point: FloatArray,
    noise: float,
    rng: np.random.Generator,
    budget: Budget,
) -> Groups | None:
    """Return the groups of a dive, None if it does not end below the limit."""
    chosen = groups.only(np.zeros(0, dtype=np.int64))
    left = np.ones(pricer.frame.n, dtype=np.bool_)
    while left.any():
        blurred = point + noise * rng.random(len(point)) * (point > 0)
        for place in np.argsort(-blurred, kind="stable")[:_TRIED].tolist():
            taken = chosen.and_(groups.only(np.array([place])))
            still = left & ~taken.has[-1]
            if not still.any():
                few = taken.count < pricer.frame.fewest
                return None if few or taken.cost.sum() >= limit else taken
            frame = _after(pricer.frame, still, taken.count)
            if frame is None:
                continue
            rest = limit - int(taken.cost.sum())
            master = Master(_Rest(pricer, still, frame), rest, budget.seed)
            master.add(_within(groups, still))
            master.converge(budget)
            if budget.spent:
                return None
            if master.value < rest * _SURE:
                chosen, left = taken, still
                groups, point = master.groups, master.point
                break
        else:
            return None
    return chosen


def _within(groups: Groups, left: BoolArray) -> Groups:
    """Return the groups that have no items but those left."""
    return groups.only(np.flatnonzero(groups.rows @ ~left == 0))


def _after(frame: Frame, left: BoolArray, gone: int) -> Frame | None:
    """Return what is asked of the items that are left; None if no group may follow."""
    if frame.most is not None and frame.most <= gone:
        return None
    return replace(
        frame,
        demand=frame.demand * left,
        fewest=max(0, frame.fewest - gone),
        most=None if frame.most is None else frame.most - gone,
    )
