"""Weights of bin covering: column generation, and rounding to short integers.

The linear program is :class:`~atleastk.solvers.engine.set_partition.master.Master`, and
a knapsack finds the bin of least reduced cost. Then it is asked again with the kinds
already taken made unattractive: one round yields almost disjoint bins, which is what a
partition needs. Where bins cost nothing, giving up costs so much a kind; the program
ends as soon as weights refute every partition.

All that is said of weights is computed in integers. Duals of small instances are
fractions with small denominators: they are scaled by numbers with many divisors, and
the first ones that prove as much when they are rounded are the shortest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import gcd
from typing import Final

import numpy as np

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.admissible.bin_covering import BinGroups
from atleastk.models.certificates.weights import Prices
from atleastk.models.groups import Group
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import SCALES
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.master import Master, total_of
from atleastk.solvers.engine.set_partition.oracle import Frame, Priced, scale_for

_FINEST: Final = (2**36, 2**24, 2**12, 1)
"""Scales of weights: the coarser ones where the knapsack leaves 64 bits."""

_WIDE: Final = 2**20
"""What weights may be at most, at scale 1, where bins cost little."""

_ROOM: Final = 2**61
"""Above sums of weights, at scale 1."""


@dataclass(frozen=True, slots=True)
class Relaxation:
    """What the linear program over bins of a window said."""

    weights: tuple[int, ...] | None  # short ones that refute every partition, if any
    decided: bool  # whether there are such, or some shares of bins cover all
    bins: tuple[Group, ...]  # those of the program


def refuting_weights(
    groups: BinGroups, known: Iterable[Group], budget: Budget
) -> Relaxation:
    """Look for weights that refute every partition into bins that cost nothing.

    Bins known to be admissible save rounds.
    """
    start, (fewest, most) = tuple(known), groups.parts
    if fewest > most and not budget.spent:
        return Relaxation((0,) * len(groups.demand), decided=True, bins=start)
    pricer, master, solved = _converged(groups, sum(groups.demand), start, budget)
    bins = tuple(map(groups.group, master.groups.members))
    refuting = pricer.refuting
    if refuting is None:
        return Relaxation(None, solved, bins)
    for weights, _ in _rounded(refuting, pricer.frame.scale, budget):
        if groups.proved(weights, 0) is None:
            refuting = tuple(y // (gcd(*weights) or 1) for y in weights)
            break
    return Relaxation(refuting, decided=True, bins=bins)


def costing_weights(
    groups: BinGroups, budget: Budget
) -> tuple[int, tuple[int, ...], int] | None:
    """Return a bound of the sum of costs, and weights that prove it at a scale.

    Cut short by the budget it is weaker, but proved all the same. None if nothing is.
    """
    fewest, most = groups.parts
    above = most * max(0, groups.cost(groups.levels.most)) + 1
    room = _ROOM // (len(groups.demand) + 4)
    if budget.spent or fewest > most or above >= room:
        return None
    prices = _converged(groups, above, (), budget)[1].proof.prices
    weights, scale = tuple(prices.weights.tolist()), prices.scale
    bound = groups.proved(weights, scale)
    if bound is None or bound >= above:
        return None
    for short, coarse in _rounded(weights, scale, budget):
        proved = groups.proved(short, coarse)
        if proved is not None and proved >= bound:
            return bound, short, coarse
    return bound, weights, scale


def _converged(
    groups: BinGroups, above: int, start: Sequence[Group], budget: Budget
) -> tuple[_Pricer, Master, bool]:
    """Return the program, its pricer, and whether it is solved.

    Weights are as fine as the knapsack takes them.
    """
    for finest in _FINEST:
        pricer = _Pricer(groups, above, finest)
        master = Master(pricer, above, budget.seed)
        master.add(pricer.listed(start))
        with suppress(NotApplicableError):
            return pricer, master, master.converge(budget)
    raise NotApplicableError("weights of bins leave 64 bits at any scale")


def _rounded(
    weights: Sequence[int], scale: int, budget: Budget
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield coarser weights and their scales."""
    with suppress(NotApplicableError):  # finer weights would be too large as well
        for coarse in SCALES:
            if coarse >= scale or budget.spent:
                return
            yield tuple(round(coarse * y / scale) for y in weights), coarse


class _Pricer:
    """The bins of a window, as a knapsack finds them."""

    refuting: tuple[int, ...] | None = None
    """Weights that refute every partition, if some do; costs are zero, or no bin is
    admissible."""

    def __init__(self, groups: BinGroups, above: int, finest: int) -> None:
        self._groups, n = groups, len(groups.demand)
        demand = np.array(groups.demand, dtype=np.int64)
        greatest = max(_WIDE, 2 * above)
        scale = scale_for(n, greatest, finest)
        self.frame = Frame(demand, scale, greatest, *groups.parts)

    def listed(self, groups: Iterable[Group]) -> Groups:
        """Return bins as the linear program takes them."""
        bins = list(groups)
        items, costs = [b.items for b in bins], [b.cost for b in bins]
        return Groups.listed(self.frame.n, items, costs)

    def price(self, prices: Prices, budget: Budget) -> Priced | None:
        """Return bins of negative reduced cost, none if there is none.

        None once weights refute every partition.
        """
        weights = prices.weights.tolist()
        best = self._groups.best_group(weights, prices.scale)
        if best is None:
            self.refuting = (0,) * len(weights)
            return None
        reduced = prices.group - best.worth(weights, prices.scale)
        least = (self.frame.most or 0) * min(0, reduced)
        free = self._groups.objective == "max"
        if free and total_of(self.frame, prices, least) > 0:
            self.refuting = tuple(weights)
            return None
        if reduced >= 0:
            return Priced(self.listed(()), 0)
        more = self._more(best, weights, prices, budget)
        return Priced(self.listed((best, *more)), least)

    def _more(
        self, last: Group, weights: Sequence[int], prices: Prices, budget: Budget
    ) -> Iterator[Group]:
        """Yield further bins of negative reduced cost, avoiding kinds already taken."""
        left, avoided = list(self._groups.demand), list(weights)
        penalty = 2 * max(map(abs, weights)) + 1
        for _ in range(self._groups.parts.most - 1):
            copies = Counter(last.items)
            times = min(left[kind] // count for kind, count in copies.items())
            for kind, count in copies.items():
                left[kind] -= count * max(1, times)
                if left[kind] < count:
                    avoided[kind] = min(weights[kind], 0) - penalty
            try:
                found = self._groups.best_group(avoided, prices.scale)
            except NotApplicableError:  # these are larger than the weights themselves
                return
            if found is None or found == last or budget.spent:
                return
            if found.worth(weights, prices.scale) <= prices.group:
                return
            yield found
            last = found
