"""The restricted master problem of column generation, with an exact Lagrangian bound.

minimise the sum of cost(S) x_S such that

- every point p is in clusters S of total x_S = 1 - o_p;
- the o_p of outliers sum to max_outliers at most, the x_S to max_clusters at most;
- for a triple of points, the x_S of clusters with two or three of them sum to 1 at
  most: clusters are disjoint (the subset-row inequalities of
  [JepsenPetersenSpoorendonkPisinger08]).

Duals of these rows are weights and prices
(:mod:`~atleastk.solvers.cellular_clustering.pricing`). For any such numbers, let z be
the least reduced cost of a cluster, or 0 if that is positive. Then the cost of a
solution, scaled, is its reduced costs plus what its clusters were given, hence at least

    sum of y - the max_outliers greatest positive y - m max_clusters - sum of s_t
      + z most_clusters.

This is computed in integers: errors of the linear program can weaken the bound, not
break it. A cluster that raises it to a known cost is in no better solution (reduced
cost fixing). Duals are stabilised by smoothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from atleastk.arrays import BoolArray, FloatArray, IntArray
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.models.certificates.clustering import surplus
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.columns import Columns
from atleastk.solvers.cellular_clustering.pricing import (
    Prices,
    greedy_clusters,
    least_reduced,
    list_clusters,
)
from atleastk.solvers.cellular_clustering.sites import Sites
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine.linear_program import GrowingLp

_FINEST: Final = 2**20
"""The largest scale of weights: not tuned."""

_SAFE: Final = 2**60
"""Sums of scaled numbers stay below."""

_TYPICAL: Final = 100.0
"""What a point costs in the linear program, about."""

_CLOSE: Final = 1e-7
"""The gap, relative, at which the program counts as solved."""

_KEEP: Final = 0.6
"""The share of the best weights in smoothed duals."""

_USES: Final = 12
"""New clusters that a point may be in, a round."""

_MOST_NEW: Final = 50_000
"""The most clusters that are added at a time: not tuned."""

_SITES: Final = 50_000
"""Sites that are priced between looks at the clock, at least."""


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


def total_of(instance: CellularClustering, prices: Prices, least: int) -> int:
    """Return `scale` times what every solution costs at least.

    `least` bounds the reduced costs of all clusters from below.
    """
    return (
        surplus(instance, prices.weights)
        - prices.cluster * (instance.max_clusters or 0)
        - int(prices.of_triples.sum())
        + instance.most_clusters * min(0, least)
    )


class Master:
    """A linear program over clusters that grows by clusters and by triples.

    Parameters
    ----------
    sites
        Where clusters may come from.
    limit
        The cost of the artificial column that covers all points: solutions that cost as
        much or more are of no interest.
    """

    def __init__(
        self,
        instance: CellularClustering,
        sites: Sites,
        limit: int,
        seed: int = 0,
    ) -> None:
        self.instance = instance
        self.sites = sites
        self.columns = Columns.listed(instance.n, (), (), ())
        self.triples = np.zeros((0, 3), dtype=np.int64)
        self.value = float("inf")
        self.point = np.zeros(0)
        n = instance.n
        costs = (sites.price.max(initial=0), sites.fixed.max(initial=0))
        self._greatest = max(limit, *map(int, costs)) + 1
        reach = _SAFE // ((n + 4) * self._greatest)
        self.scale = max(1, min(_FINEST, 1 << max(0, reach.bit_length() - 1)))
        self._unit = max(1.0, limit) / n / _TYPICAL
        self._program = _program(instance, limit / self._unit, seed)
        self._others = n + 1 if instance.max_outliers else 1
        self._known: dict[bytes, int] = {}
        nothing = np.zeros(n, dtype=np.int64)
        self.proof = Proof(self._prices(nothing, 0, np.zeros(0, dtype=np.int64)), 0)

    def add(self, columns: Columns) -> int:
        """Add clusters not known yet at that cost or less; return their number."""
        names = [row.tobytes() for row in np.packbits(columns.has, axis=1)]
        new = np.zeros(columns.count, dtype=np.bool_)
        for place, (name, cost) in enumerate(
            zip(names, columns.cost.tolist(), strict=True)
        ):
            if cost < self._known.get(name, cost + 1):
                self._known[name] = cost
                new[place] = True
        fresh = columns.only(new)
        crossed = crossing(fresh.has, self.triples)
        counted = np.ones((fresh.count, 1), dtype=np.bool_)
        entries = np.hstack((fresh.has, counted, ~counted, crossed))
        self._program.add_columns(entries, fresh.cost / self._unit)
        self.columns = self.columns.and_(fresh)
        self.point = np.append(self.point, np.zeros(fresh.count))
        return fresh.count

    def cut(self, triples: IntArray) -> None:
        """Add triples of points that clusters may not share."""
        crossed = crossing(self.columns.has, triples).T
        rows = np.pad(crossed, ((0, 0), (self._others, 0)))
        self._program.add_rows(rows, -np.inf, 1.0)
        self.triples = np.concatenate((self.triples, triples))

    def converge(self, budget: Budget) -> bool:
        """Solve the program over all clusters without triples; return whether it is.

        With centres "any", clusters are among others that may be less round.
        """
        while not budget.spent:
            duals = self._solve(budget)
            if duals is None:
                return False
            added, best = 0, self.proof.prices.weights
            for share in (_KEEP, 0.0):
                weights = np.rint(share * best + (1.0 - share) * duals.weights)
                prices = replace(duals, weights=weights.astype(np.int64))
                least = self._least(prices, budget)
                if least is None:
                    return False
                self._prove(prices, int(least.min(initial=0)))
                missed = np.flatnonzero(least < 0)
                if len(missed) and not budget.spent:
                    some = self.sites.only(missed)
                    found = greedy_clusters(some, prices, least[missed])
                    added += self._extend(
                        some, found.only(_spread(found, self.sites.n))
                    )
                if self._met:
                    return True
            if not added:
                return not budget.spent
        return False

    def converge_with_triples(self, budget: Budget, steps: int) -> bool:
        """Solve the program with its triples; return whether it is solved.

        It is not if the pricing of all sites takes too many steps.
        """
        while not budget.spent:
            prices = self._solve(budget)
            if prices is None:
                return False
            least = self._least(prices, budget)
            if least is None:
                return False
            some = self.sites.only(least < 0)
            found = list_clusters(
                some, prices, -1, budget, _MOST_NEW, best=True, steps=steps
            )
            if not found.complete:
                return False
            self._prove(prices, int(found.reduced.min(initial=0)))
            if self._met or not self._extend(
                some, found.only(_spread(found, self.sites.n))
            ):
                return True
        return False

    def narrow(self, limit: int) -> None:
        """Keep the sites that a solution of less cost than the limit may have."""
        least = least_reduced(self.sites, self.proof.prices)
        self.sites = self.sites.only(least <= self.proof.spare(limit))

    def resolve(self, budget: Budget) -> bool:
        """Solve the program over the known clusters; return whether it was solved."""
        return self._solve(budget) is not None

    @property
    def _met(self) -> bool:
        """Whether the proof is about as good as the program."""
        proved = self.proof.total / self.scale
        return self.value - proved <= _CLOSE * max(1.0, self.value)

    def _least(self, prices: Prices, budget: Budget) -> IntArray | None:
        """Return the least reduced cost of every site; None if out of time."""
        found = np.empty(self.sites.count, dtype=np.int64)
        for start in range(0, len(found), _SITES):
            if budget.spent:
                return None
            some = np.arange(start, min(len(found), start + _SITES))
            found[some] = least_reduced(self.sites.only(some), prices)
        return found

    def _solve(self, budget: Budget) -> Prices | None:
        optimum = self._program.solve(budget, apart=True)
        if optimum is None:
            return None
        self.point = optimum.primal[self._others :]
        self.value = optimum.value * self._unit
        return self._priced(optimum.duals * self._unit)

    def _priced(self, duals: FloatArray) -> Prices:
        n = self.instance.n
        whole = np.rint(np.clip(duals, -self._greatest, self._greatest) * self.scale)
        rows = whole.astype(np.int64)
        cluster = max(0, -int(rows[n])) if self.instance.max_clusters else 0
        of_triples = np.maximum(0, -rows[n + 2 :])
        if of_triples.astype(np.float64).sum() > _SAFE:
            of_triples[:] = 0
        return self._prices(rows[:n], cluster, of_triples)

    def _prices(self, weights: IntArray, cluster: int, of: IntArray) -> Prices:
        paid = of > 0
        return Prices(self.scale, weights, cluster, self.triples[paid], of[paid])

    def _prove(self, prices: Prices, least: int) -> None:
        total = total_of(self.instance, prices, least)
        if total > self.proof.total:
            self.proof = Proof(prices, total)

    def _extend(self, sites: Sites, found: Any) -> int:
        columns = Columns.of(sites, found)
        return self.add(columns.only(columns.cheapest()))


def crossing(has: BoolArray, triples: IntArray) -> BoolArray:
    """Return for [cluster, triple] whether they share two or three points."""
    shared = np.zeros((len(has), len(triples)), dtype=np.int8)
    for column in triples.T:
        shared += has[:, column]
    crossing: BoolArray = shared >= 2
    return crossing


def _spread(found: Any, n: int) -> IntArray:
    """Return the clusters of the least reduced costs, no point in too many of them."""
    order = np.argsort(found.reduced / np.maximum(1, found.sizes), kind="stable")
    return _few_of_each(order, found.starts, found.members, n, _USES)


@compiled
def _few_of_each(
    order: IntArray, starts: IntArray, members: IntArray, n: int, most: int
) -> IntArray:
    """Return those of order[cluster] with a point in fewer than `most` earlier ones."""
    uses = np.zeros(n, dtype=np.int64)
    chosen = np.empty(len(order), dtype=np.int64)
    count = 0
    for g in order:
        wanted = False
        for i in range(starts[g], starts[g + 1]):
            if uses[members[i]] < most:
                wanted = True
                break
        if wanted:
            for i in range(starts[g], starts[g + 1]):
                uses[members[i]] += 1
            chosen[count] = g
            count += 1
    return chosen[:count]


def _program(instance: CellularClustering, limit: float, seed: int) -> GrowingLp:
    """Return the program without clusters.

    The rows: points, the number of clusters, that of outliers; triples will follow. The
    columns: an artificial one, outliers if there may be any; clusters will follow.
    """
    n, (clusters, outliers) = instance.n, instance.limits
    ones, most = np.ones(n), np.inf if clusters is None else clusters
    program = GrowingLp([*ones, -np.inf, -np.inf], [*ones, most, outliers], seed)
    program.add_columns(np.array([[*ones, 0, 0]]), limit, 1.0)
    if outliers:
        counted = sparse.csr_array(np.tile([0, 1], (n, 1)))
        left_out = sparse.csr_array(sparse.hstack((sparse.eye_array(n), counted)))
        program.add_columns(left_out, 0.0, 1.0)
    return program
