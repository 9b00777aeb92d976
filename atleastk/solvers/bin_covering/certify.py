"""Lower bounds of bin covering with certificates: counting, reach, weights, subsets.

For the objective ``max`` the weights refute a level K separately for every number m of
bins that counting does not exclude; the LP over the bins of the window of m and K gives
them. Windows shrink with K, so what refutes a level refutes all levels below it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.admissible.bin_covering import BinGroups
from atleastk.models.bin_covering import (
    attainable,
    counting_cost,
    possible_bins,
    reach_bound,
)
from atleastk.models.certificates.bin_subsets import cost_of_subsets
from atleastk.models.groups import Group
from atleastk.models.kinds import Kinds
from atleastk.solvers.bin_covering.weights import costing_weights, refuting_weights
from atleastk.solvers.budget import Budget

Certificate = Mapping[str, Any]


class LevelRefuter:
    """Refutes levels of the objective ``max`` by weights; remembers what it learnt."""

    def __init__(self, instance: BinCovering) -> None:
        self.instance = instance
        self._kinds = Kinds.of(instance.sizes)
        self._pool: dict[Group, None] = {}
        self._refuted: dict[int, tuple[int, tuple[int, ...]]] = {}
        self._relaxed: dict[int, int] = {}

    def refutes(self, bins: int, cost: int, budget: Budget) -> bool:
        """Return whether weights refute this many bins of level at most `cost`."""
        if self._refuted.get(bins, (-1, ()))[0] >= cost:
            return True
        if self._relaxed.get(bins, cost + 1) <= cost:
            return False
        groups = BinGroups.decision(self.instance, bins, cost, self._kinds)
        if groups.refuses() is not None:
            return False
        start = filter(groups.holds, self._pool)
        try:
            found = refuting_weights(groups, start, budget)
        except NotApplicableError:  # the numbers are too large
            return False
        self._pool.update(dict.fromkeys(found.bins))
        if found.weights is not None:
            self._refuted[bins] = cost, found.weights
        elif found.decided:
            self._relaxed[bins] = cost
        return found.weights is not None

    def excludes(self, cost: int, budget: Budget) -> bool:
        """Return whether counting and weights exclude every number of bins."""
        possible = reversed(possible_bins(self.instance, cost))
        return all(self.refutes(bins, cost, budget) for bins in possible)

    @property
    def refuted(self) -> Mapping[int, int]:
        """The greatest level refuted so far, by number of bins."""
        return {bins: level for bins, (level, _) in self._refuted.items()}

    def knows(self, cost: int) -> bool:
        """Return whether a level is known to be refuted, without any further work."""
        return all(
            self._refuted.get(bins, (-1, ()))[0] >= cost
            for bins in possible_bins(self.instance, cost)
        )

    def certificate(self, cost: int) -> Certificate:
        """Return the certificate for a level that is known to be refuted."""
        parts = {
            str(bins): list(self._refuted[bins][1])
            for bins in possible_bins(self.instance, cost)
        }
        return {"kind": "weights", "refutes": cost, "parts": parts}


def certify(
    instance: BinCovering, bound: int | None, budget: Budget
) -> Certificate | None:
    """Return a certificate for a lower bound on the cost, or None if none was found.

    A bound of None says that nothing is feasible.
    """
    counted = counting_cost(instance)
    if counted is None or bound is None:
        return {"kind": "total"} if counted is bound else None
    if counted >= bound:
        return {"kind": "counting"}
    if instance.objective != "max":
        summed = sum_bound(instance, budget)
        if summed is not None and summed[0] >= bound:
            return summed[1]
        return _of_subsets(instance, bound)
    reached = reach_bound(instance)
    if reached is not None and reached[0] >= bound:
        return {"kind": "reach", "item": reached[1]}
    refuter = LevelRefuter(instance)
    if refuter.excludes(bound - 1, budget):
        return refuter.certificate(bound - 1)
    return _of_subsets(instance, bound)


def _of_subsets(instance: BinCovering, bound: int) -> Certificate | None:
    """Return the certificate of few distinct sizes, None if there are more."""
    try:
        least = cost_of_subsets(instance)
    except NotApplicableError:
        return None
    return {"kind": "subsets"} if least >= bound else None


def sum_bound(instance: BinCovering, budget: Budget) -> tuple[int, Certificate] | None:
    """Return the LP bound for a sum with its certificate; None if nothing was proved.

    Cut short by the budget it is weaker, but proved all the same.
    """
    groups = BinGroups.sums(instance)
    if groups.refuses() is not None:
        return None
    try:
        found = costing_weights(groups, budget)
    except NotApplicableError:
        return None
    if found is None:
        return None
    bound, weights, scale = found
    proof = {"kind": "weights", "scale": scale, "weights": list(weights)}
    return attainable(instance, bound), proof
