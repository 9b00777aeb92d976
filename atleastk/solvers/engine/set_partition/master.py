"""The restricted master problem of column generation, with an exact Lagrangian bound.

minimise the sum of cost(S) x_S such that

- every item i is in groups S of total x_S = demand_i, or left out in part;
- the x_S sum to a number within that of groups, what is left out to `left_out` at most;
- for a triple of items, the x_S of groups with two or three of them sum to 1 at most
  (:mod:`~atleastk.solvers.engine.set_partition.triples`).

Duals of these rows are weights and prices. Whatever these numbers are, the cost of a
solution, scaled, is the reduced costs of its groups plus what the groups were given. If
the reduced costs sum to at least R then it is at least

    surplus of y - max(m * most, m * fewest) - sum of s_t + R,

where the surplus is the sum of y over all items less the greatest that may be left out.
This is computed in integers: errors of the linear program can weaken the bound, not
break it. A group that raises it to a known cost is in no better solution (reduced cost
fixing). Duals are stabilised by smoothing: those half-way to the best prices come
first. [Desaulniers, Desrosiers, Solomon, "Column Generation", 2005]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import GrowingLp, unit_for
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.oracle import SAFE, Frame, Pricer, Prices
from atleastk.solvers.engine.set_partition.triples import crossing
from atleastk.solvers.precision import TOLERANCE

_KEEP: Final = 0.6
"""The share of the best weights in smoothed duals."""


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """Prices, and `scale` times what every solution costs at least."""

    prices: Prices
    total: int

    @property
    def bound(self) -> int:
        """No solution costs less."""
        return max(0, -(-self.total // self.prices.scale))

    def spare(self, limit: int) -> int:
        """Return the greatest reduced cost in a solution that costs less than that."""
        return self.prices.scale * (limit - 1) - self.total


def total_of(frame: Frame, prices: Prices, least: int) -> int:
    """Return `scale` times what every solution costs at least.

    The reduced costs of its groups sum to `least` at least.
    """
    count = (frame.most or 0) if prices.group > 0 else frame.fewest
    paid = prices.group * count + int(prices.of_triples.sum())
    return frame.surplus(prices.weights) - paid + least


class Master:
    """A linear program over groups that grows by groups and by triples.

    Parameters
    ----------
    limit
        Solutions that cost as much or more are of no interest.
    start
        Prices to begin with, and what they prove.
    times
        The artificial column that covers all items costs so many limits, if weights may
        be as great: more than one where the limit is about the optimum.
    """

    def __init__(
        self,
        pricer: Pricer,
        limit: int,
        seed: int = 0,
        start: Proof | None = None,
        times: int = 1,
    ) -> None:
        frame = pricer.frame
        self.frame, self._pricer = frame, pricer
        self.groups = Groups.listed(frame.n, (), ())  # so far
        self.triples = np.zeros((0, 3), dtype=np.int64)
        self.value = float("inf")  # of the last program
        self.point = np.zeros(0)  # [group] how much that takes
        self._unit, self._seed = unit_for(limit, frame.n), seed
        dear = max(limit, min(times * limit, frame.greatest))
        self._given_up = dear / self._unit
        self._program = _program(frame, self._given_up, seed)
        self._others = frame.n + 1 if frame.left_out else 1
        self._known: dict[bytes, int] = {}
        nothing = np.zeros(frame.n, dtype=np.int64)
        self.proof = start or Proof(Prices(frame.scale, nothing), 0)

    def add(self, groups: Groups) -> int:
        """Add groups not known yet at that cost or less; return their number."""
        new = np.zeros(groups.count, dtype=np.bool_)
        names, costs = groups.names, groups.cost.tolist()
        for place, (name, cost) in enumerate(zip(names, costs, strict=True)):
            if cost < self._known.get(name, cost + 1):
                self._known[name] = cost
                new[place] = True
        fresh = groups.only(new)
        counted = np.tile([1, 0], (fresh.count, 1))
        if len(self.triples):
            counted = np.hstack((counted, crossing(fresh.has, self.triples)))
        entries = sparse.hstack((fresh.rows, sparse.csr_array(counted)))
        self._program.add_columns(entries, fresh.cost / self._unit)
        self.groups = self.groups.and_(fresh)
        self.point = np.append(self.point, np.zeros(fresh.count))
        return fresh.count

    def cut(self, triples: IntArray) -> None:
        """Add triples of items that groups may not share."""
        crossed = crossing(self.groups.has, triples).T
        rows = np.pad(crossed, ((0, 0), (self._others, 0)))
        self._program.add_rows(rows, -np.inf, 1.0)
        self.triples = np.concatenate((self.triples, triples))

    def narrow(self, limit: int) -> None:
        """Forget triples without a price, and groups of no solution below a limit."""
        prices, frame = self.proof.prices, self.frame
        crossed = crossing(self.groups.has, prices.triples)
        reduced = frame.scale * self.groups.cost + prices.group
        reduced += crossed @ prices.of_triples - self.groups.rows @ prices.weights
        kept = self.groups.only(reduced <= self.proof.spare(limit))
        self.groups, self._known = Groups.listed(frame.n, (), ()), {}
        self.triples, self.point = self.triples[:0], self.point[:0]
        self._program = _program(frame, self._given_up, self._seed)
        self.add(kept)
        self.cut(prices.triples)

    def converge(self, budget: Budget) -> bool:
        """Solve the program over all groups; return whether it is solved.

        It is not if the pricer gives up.
        """
        while not budget.spent and (duals := self._solve(budget)) is not None:
            if self._met:
                return True
            added = 0
            for prices in self._tried(duals):
                priced = self._pricer.price(prices, budget)
                if priced is None:
                    return False
                self.prove(prices, priced.least)
                added += self.add(priced.groups)
                if self._met:
                    return True
            if not added:
                return not budget.spent
        return False

    def prove(self, prices: Prices, least: int) -> None:
        """Remember prices if they prove more than any before.

        The reduced costs of the groups of a solution sum to `least` at least.
        """
        total = total_of(self.frame, prices, least)
        if total > self.proof.total:
            self.proof = Proof(prices, total)

    @property
    def _met(self) -> bool:
        """Whether the proof is about as good as the program."""
        proved = self.proof.total / self.frame.scale
        return self.value - proved <= TOLERANCE * max(1.0, self.value)

    def _tried(self, duals: Prices) -> Iterator[Prices]:
        """Yield smoothed prices, unless triples have prices, and then the duals."""
        if not len(self.triples):
            best = self.proof.prices.weights
            weights = np.rint(_KEEP * best + (1.0 - _KEEP) * duals.weights)
            yield replace(duals, weights=weights.astype(np.int64))
        yield duals

    def _solve(self, budget: Budget) -> Prices | None:
        optimum = self._program.solve(budget, apart=True)
        if optimum is None:
            return None
        self.point = optimum.primal[self._others :]
        self.value = optimum.value * self._unit
        return self._priced(optimum.duals * self._unit)

    def _priced(self, duals: FloatArray) -> Prices:
        frame, n = self.frame, self.frame.n
        whole = np.rint(np.clip(duals, -frame.greatest, frame.greatest) * frame.scale)
        rows = whole.astype(np.int64)
        group = -int(rows[n])
        if (group > 0 and frame.most is None) or (group < 0 and not frame.fewest):
            group = 0
        of_triples = np.maximum(0, -rows[n + 2 :])
        if of_triples.astype(np.float64).sum() > SAFE:
            of_triples[:] = 0
        paid = of_triples > 0
        return Prices(
            frame.scale, rows[:n], group, self.triples[paid], of_triples[paid]
        )


def _program(frame: Frame, limit: float, seed: int) -> GrowingLp:
    """Return the program without groups.

    The rows: items, the number of groups, that of items left out; triples will follow.
    The columns: an artificial one, items left out if there may be any; groups will
    follow.
    """
    most = np.inf if frame.most is None else frame.most
    lower = [*frame.demand, -np.inf, -np.inf]
    program = GrowingLp(lower, [*frame.demand, most, frame.left_out], seed)
    if frame.fewest:
        program.bound_row(frame.n, frame.fewest, most)
    program.add_columns(np.array([[*frame.demand, frame.fewest, 0]]), limit, 1.0)
    if frame.left_out:
        counted = sparse.csr_array(np.tile([0, 1], (frame.n, 1)))
        alone = sparse.hstack((sparse.eye_array(frame.n), counted))
        program.add_columns(sparse.csr_array(alone), 0.0, 1.0)
    return program
