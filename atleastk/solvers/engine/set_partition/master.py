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

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Final

import numpy as np

from atleastk.arrays import BoolArray, FloatArray, IntArray
from atleastk.models.admissible.decided import Decided
from atleastk.models.certificates.weights import Prices
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import GrowingLp, LpOptimum, unit_for
from atleastk.solvers.engine.refutation_tree import (
    GIVEN_UP,
    Found,
    OpenError,
    Split,
    most_even,
    refutation,
    undecided,
)
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.oracle import SAFE, Frame, Pricer
from atleastk.solvers.engine.set_partition.triples import crossing
from atleastk.solvers.precision import NOTHING, TOLERANCE

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


class Program:
    """The linear program over the groups known so far, and triples.

    Its rows: items, the number of groups, that of items left out, triples. Its columns:
    those of giving up, items left out if there may be any, groups.

    Parameters
    ----------
    limit
        Solutions cost about as much.
    given_up
        What it costs to give up.
    """

    def __init__(
        self, frame: Frame, limit: int, given_up: float, seed: int = 0
    ) -> None:
        self.frame, self._seed = frame, seed
        self.unit = unit_for(limit, frame.n)
        self._given_up = given_up / self.unit
        self.clear()

    def clear(self) -> None:
        """Forget all groups and triples."""
        frame = self.frame
        self.groups = Groups.listed(frame.n, (), ())
        self.triples = np.zeros((0, 3), dtype=np.int64)
        self.point = np.zeros(0)  # [group] how much the last optimum takes
        self._known: dict[bytes, int] = {}
        most = np.inf if frame.most is None else frame.most
        lower = [*frame.demand, frame.fewest or -np.inf, -np.inf]
        upper = [*frame.demand, most, frame.left_out]
        self._program = GrowingLp(lower, upper, self._seed)
        escapes, times = self.escapes()
        self._program.add_columns(escapes, self._given_up, times)
        alone = frame.n if frame.left_out else 0
        counted = sparse.csr_array(np.tile([0, 1], (alone, 1)))
        left_out = sparse.hstack((sparse.eye_array(alone, frame.n), counted))
        self._program.add_columns(sparse.csr_array(left_out), 0.0, 1.0)
        self._escapes, self.others = escapes.shape[0], escapes.shape[0] + alone

    def escapes(self) -> tuple[Any, float]:
        """Return the columns of giving up, [column, row], and how often each is taken.

        By default one that has all items and the fewest groups.
        """
        return np.array([[*self.frame.demand, self.frame.fewest, 0]]), 1.0

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
        self._program.add_columns(entries, fresh.cost / self.unit)
        self.groups = self.groups.and_(fresh)
        self.point = np.append(self.point, np.zeros(fresh.count))
        return fresh.count

    def cut(self, triples: IntArray) -> None:
        """Add triples of items that groups may not share."""
        crossed = crossing(self.groups.has, triples).T
        rows = np.pad(crossed, ((0, 0), (self.others, 0)))
        self._program.add_rows(rows, -np.inf, 1.0)
        self.triples = np.concatenate((self.triples, triples))

    def allow(self, groups: BoolArray, left_out: BoolArray) -> None:
        """Allow some groups only, and some items only to be left out."""
        alone = left_out[: self.others - self._escapes]
        allowed = np.concatenate((alone, groups))
        self._program.cap(self._escapes, np.where(allowed, np.inf, 0.0))

    def solve(self, budget: Budget, *, apart: bool = False) -> LpOptimum | None:
        """Return the optimum, in units; None if out of time."""
        optimum = self._program.solve(budget, apart=apart)
        if optimum is not None:
            self.point = optimum.primal[self.others :]
        return optimum


class Master(Program):
    """The program over all groups, those that are not known priced.

    Parameters
    ----------
    limit
        Solutions that cost as much or more are of no interest.
    start
        Prices to begin with, and what they prove.
    times
        Giving up costs so many limits, if weights may be as great: more than one where
        the limit is about the optimum.
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
        dear = max(limit, min(times * limit, frame.greatest))
        super().__init__(frame, limit, dear, seed)
        self._pricer = pricer
        self.value = float("inf")  # of the last program
        nothing = np.zeros(frame.n, dtype=np.int64)
        self.proof = start or Proof(Prices(frame.scale, nothing), 0)

    def narrow(self, limit: int) -> None:
        """Forget triples without a price, and groups of no solution below a limit."""
        prices, frame = self.proof.prices, self.frame
        crossed = crossing(self.groups.has, prices.triples)
        reduced = frame.scale * self.groups.cost + prices.group
        reduced += crossed @ prices.of_triples - self.groups.rows @ prices.weights
        kept = self.groups.only(reduced <= self.proof.spare(limit))
        self.clear()
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
        optimum = self.solve(budget, apart=True)
        if optimum is None:
            return None
        self.value = optimum.value * self.unit
        return self._priced(optimum.duals * self.unit)

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


class GroupTree(Program, ABC):
    """The refutation tree of all solutions below a limit: nodes share the program.

    It is over the groups that agree with the decisions so far. A node without a leaf is
    split by a Ryan-Foster pair, two items that are together in part, or by an item that
    is left out in part. The gain of a split is the product of what its sides cost more,
    over the groups known so far. A problem says what a leaf is, and adds groups or
    triples while there is none.
    """

    def __init__(self, frame: Frame, limit: int, budget: Budget) -> None:
        super().__init__(frame, limit, GIVEN_UP * limit, budget.seed)
        self.budget, self.has = budget, self.groups.has  # [group, item], for all nodes

    def add(self, groups: Groups) -> int:
        added = super().add(groups)
        self.has = self.groups.has
        return added

    @abstractmethod
    def leaf(self, decided: Decided) -> Mapping[str, Any] | LpOptimum:
        """Return a leaf that refutes a node, or else the optimum to split it by."""

    def refuted(self) -> Mapping[str, Any] | None:
        """Return the tree, None if none was found in time."""
        with suppress(OpenError):
            return refutation(Decided.nothing(self.frame.n), self._visit)
        return None

    def solved(self, decided: Decided) -> LpOptimum:
        """Return the optimum of a node, or raise an `OpenError`."""
        self.allow(decided.allows(self.has), ~decided.inside)
        optimum = self.solve(self.budget)
        if optimum is None:
            raise OpenError
        return optimum

    def _visit(self, decided: Decided) -> Found[Decided]:
        found = self.leaf(decided)
        return self._splits(decided, found) if isinstance(found, LpOptimum) else found

    def _splits(self, decided: Decided, optimum: LpOptimum) -> Iterator[Split[Decided]]:
        """Yield a few splits of a node, those nearest to one half first."""
        shared = undecided(decided, self.has, optimum.primal[self.others :])
        if self.frame.left_out:
            settled = decided.inside | decided.outside
            left_out = optimum.primal[self._escapes : self.others]
            np.fill_diagonal(shared, np.where(settled, 0.0, left_out))
        for a, b in most_even(shared):
            sides = decided.by_point(a) if a == b else decided.by_pair(a, b)
            names = ("outlier", "clustered") if a == b else ("together", "apart")
            more = (self.solved(side).value - optimum.value for side in sides)
            gain = prod(max(NOTHING, grown) for grown in more)
            document = {"point": a} if a == b else {"pair": [a, b]}
            yield Split(document, dict(zip(names, sides, strict=True)), gain)
