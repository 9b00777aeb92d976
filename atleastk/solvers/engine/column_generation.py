"""Column generation: the set-partitioning LP over all admissible groups.

minimise sum c(S) x_S  subject to  sum over S of x_S * (copies of i in S) = demand of i,
fewest <= sum x_S <= most,  x >= 0,

whose groups are too many to list. The LP over the groups known so far gives duals; the
pricing oracle of :class:`~atleastk.models.groups.GroupModel` finds the group of least
reduced cost; until no reduced cost is negative. A group of negative reduced cost is
*missed* by the duals.

Exact although the LP is not
----------------------------
The oracle sees the duals scaled and rounded to integers, so every call yields a bound
in exact arithmetic (:mod:`atleastk.models.certificates.weights`), whether or not the
LP has converged. A claim of infeasibility is made on such a proof alone. If the oracle
refuses the integers as too large, coarser ones are tried.

Phases
------
Phase one minimises what the known groups leave uncovered; weights that prove a
positive remainder refute every partition. Phase two, in the sum form, minimises cost.

Pricing
-------
After the group that is missed most, the oracle is asked again with the kinds already
taken made unattractive: one round yields almost disjoint groups, which is what a
partition needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.certificates.weights import proven, value_of
from atleastk.models.groups import Group, GroupModel
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import GrowingLp, LpOptimum

__all__ = ["MasterAnswer", "scaled", "solve_master"]

_PRECISION = 2**36
"""The scale of the integer weights that stand for duals, at first."""

_COARSER = 2**6
"""What the scale is divided by if weights leave 64 bits."""

_GREATEST_COST = 1e6
"""The magnitude that costs are scaled down to for the linear program, which computes in
doubles."""

_UNCOVERED = 1e-6
"""The value of the linear program below which all items are covered."""

_MISSED = 1e-9
"""The reduced cost below which a group is no better, as a share of the greatest dual:
the tolerance of HiGHS."""


@dataclass(frozen=True, slots=True)
class MasterAnswer:
    """What column generation found.

    Attributes
    ----------
    converged
        Whether no group is missed (`value` is that of the LP over all groups), or all
        is covered if only feasibility was asked, or the LP is infeasible.
    infeasible
        Proved in integers: no partition exists. ``weights`` refute it at scale 0.
    value
        Of the LP over ``groups``, in floating point; None if they leave something
        uncovered.
    bound
        Proved in integers: no partition costs less; None if nothing is proved.
        ``weights`` prove it at ``scale``.
    duals
        Of the kinds, in floating point, at the last LP; empty if there was none.
    groups, shares
        The groups of the last LP and how much it takes of each.
    """

    converged: bool
    infeasible: bool
    value: float | None
    bound: int | None
    weights: tuple[int, ...]
    scale: int
    duals: tuple[float, ...]
    groups: tuple[Group, ...]
    shares: tuple[float, ...]


def solve_master(
    groups: GroupModel,
    budget: Budget,
    start: Iterable[Group] = (),
    *,
    feasibility: bool = False,
) -> MasterAnswer:
    """Solve the LP over all admissible groups by column generation.

    `start` are groups known to be admissible; good ones save rounds. With `feasibility`
    the costs are ignored: only whether the LP has a point is found out.
    """
    master = _Master(groups, budget, start)
    converged = master.cover()
    if converged and not master.infeasible and not feasibility:
        converged = master.minimise()
    return master.answer(converged=converged)


def scaled(duals: Iterable[float], scale: int) -> tuple[int, ...]:
    """Return the duals times `scale`, rounded."""
    return tuple(round(dual * scale) for dual in duals)


class _Master:
    """The restricted master problem of one column generation."""

    def __init__(
        self, model: GroupModel, budget: Budget, start: Iterable[Group]
    ) -> None:
        self.model = model
        self.budget = budget
        self.infeasible = False
        fewest, most = model.parts
        self._rows = len(model.demand) + 1
        self._lp = GrowingLp(
            [*model.demand, fewest], [*model.demand, max(fewest, most)], budget.seed
        )
        self._slacks = [self._lp.add(1.0, [row], [1]) for row in range(self._rows)]
        self._columns: dict[Group, int] = {}
        self._costly = False
        self._last: LpOptimum | None = None
        self._value: float | None = None
        self._bound: int | None = None
        self._weights = (0,) * len(model.demand)
        self._scale = 0
        self._precision = _PRECISION
        self._unit = 1.0
        if most < fewest:
            self.infeasible = True
        for group in start:
            self._add(group)

    def cover(self) -> bool:
        """Generate groups until the LP covers all; return whether that was decided."""
        while not self.infeasible and (answer := self._relax()) is not None:
            if answer.value <= _UNCOVERED:
                self._value = 0.0
                return True
            if not self._extend(answer.duals):
                break
        return self.infeasible

    def minimise(self) -> bool:
        """Generate groups until none is missed; return whether that was reached."""
        self._costly = True
        greatest = max((group.cost for group in self._columns), default=0)
        self._unit = max(1.0, greatest / _GREATEST_COST)
        for slack in self._slacks:
            self._lp.cap(slack, np.zeros(1))
        for group, column in self._columns.items():
            self._lp.price(column, group.cost / self._unit)
        while (answer := self._relax()) is not None:
            self._value = answer.value * self._unit
            if not self._extend(answer.duals * self._unit):
                return True
        return False

    def answer(self, *, converged: bool) -> MasterAnswer:
        """Return the result so far."""
        last = self._last
        primal = last.primal if last is not None else np.zeros(0)
        duals = last.duals[:-1] * self._unit if last is not None else np.zeros(0)
        used = {group: c for group, c in self._columns.items() if c < len(primal)}
        return MasterAnswer(
            converged=converged,
            infeasible=self.infeasible,
            value=self._value,
            bound=self._bound,
            weights=self._weights,
            scale=self._scale,
            duals=tuple(duals.tolist()),
            groups=tuple(used),
            shares=tuple(float(primal[column]) for column in used.values()),
        )

    def _relax(self) -> LpOptimum | None:
        """Solve the LP over the known groups; None if the budget is spent."""
        if self.budget.spent:
            return None
        answer = self._lp.solve(self.budget)
        if answer is not None:
            self._last = answer
        return answer

    def _extend(self, duals: FloatArray) -> bool:
        """Add groups that the duals miss; return whether there were any."""
        missed = [group for group in self._price(duals) if group not in self._columns]
        for group in missed:
            self._add(group)
        return bool(missed)

    def _add(self, group: Group) -> None:
        if group in self._columns:
            return
        copies = Counter(group.items)
        self._columns[group] = self._lp.add(
            group.cost / self._unit if self._costly else 0.0,
            [*copies, self._rows - 1],
            [*copies.values(), 1],
        )

    def _price(self, duals: FloatArray) -> Iterator[Group]:
        """Yield groups that the duals miss; record what the weights prove."""
        greatest = max(1.0, float(np.abs(duals).max()))
        while True:
            precision = max(1, int(self._precision / greatest))
            weights = scaled(duals[:-1].tolist(), precision)
            scale = precision if self._costly else 0
            try:
                best = self.model.best_group(weights, scale)
                break
            except NotApplicableError:
                if precision == 1:
                    raise
                self._precision //= _COARSER
        if best is None:
            self.infeasible = True
            return
        value = value_of(best.items, best.cost, weights, scale)
        self._record(weights, scale, proven(self.model, weights, value))
        least = precision * (-float(duals[-1]) + _MISSED * greatest)
        if self.infeasible or value <= least:
            return
        yield best
        yield from self._more(best, weights, scale, least)

    def _more(
        self, last: Group, weights: Sequence[int], scale: int, least: float
    ) -> Iterator[Group]:
        """Yield further groups that the duals miss, avoiding kinds already taken."""
        left = list(self.model.demand)
        avoided = list(weights)
        penalty = 2 * max(map(abs, weights)) + 1
        for _ in range(self.model.parts.most - 1):
            copies = Counter(last.items)
            times = min(left[kind] // count for kind, count in copies.items())
            for kind, count in copies.items():
                left[kind] -= count * max(1, times)
                if left[kind] < count:
                    avoided[kind] = min(weights[kind], 0) - penalty
            try:
                found = self.model.best_group(avoided, scale)
            except NotApplicableError:  # these are larger than the weights themselves
                return
            if found is None or found == last or self.budget.spent:
                return
            if value_of(found.items, found.cost, weights, scale) <= least:
                return
            yield found
            last = found

    def _record(self, weights: tuple[int, ...], scale: int, least: int) -> None:
        """Remember the weights if they prove more than any before."""
        if scale == 0:
            if least > 0:
                self.infeasible = True
                self._weights, self._scale = weights, 0
            return
        bound = -(-least // scale)
        if self._bound is None or bound > self._bound:
            self._bound, self._weights, self._scale = bound, weights, scale
