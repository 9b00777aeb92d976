"""The linear relaxation at a radius: the opening y_c of every centre.

Let y_c >= 0 be the fractional number of clusters about c. The assignment of points - at
most y_c of a point, all of every point but the outliers, at least r y_c for each
centre - is a flow; it exists iff both sides can be served by themselves:

    cover   sum of y_c over the balls that hold p  >=  1 - u_p        for every point p,
    Hall    sum of y_c (r - |ball of c without U|)^+  <=  |U|         for every set U,

and there are at most m clusters in all. The sum of all u is minimised: more than
max_outliers refutes the radius. Rows of violated sets U are separated by a flow. Where
a centre must be a member of its cluster it takes one point less, r - 1, out of its ball
without itself, and y_c of itself: [c in U] is added to its factor.

The duals are weights of points y with y(S) <= Y for all clusters S: those of the cover
rows, less those of the Hall rows on their sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.instances.r_gather import RGather
from atleastk.packages import csgraph, sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Balls, Neighbourhoods
from atleastk.solvers.engine.linear_program import GrowingLp
from atleastk.solvers.precision import SCALE
from atleastk.solvers.r_gather.hall import taken_at_least

_MOST: Final = 2**31 - 1
"""What a centre needs has to fit into 32 bits, in units of 1 / `SCALE` at most."""

_VIOLATED: Final = 1e-5
"""In points: Hall rows that are violated by less are left out, as rounding errors."""


@dataclass(frozen=True, eq=False)
class Shares:
    """An optimum of the linear program."""

    uncovered: float  # the least sum of all u
    opened: FloatArray  # [centre]
    weights: FloatArray  # [point] no cluster has more than `most`
    most: float


class Openings:
    """The linear program at a radius, with the Hall rows that were found so far.

    Centres are the points whose balls hold at least r points.
    """

    def __init__(
        self,
        instance: RGather,
        radius: int,
        near: Neighbourhoods,
        seed: int = 0,
        sets: Sequence[IntArray] = (),
    ) -> None:
        self.instance = instance
        self.centres, self.balls = near.candidates(radius, instance.r)
        self.sets: list[IntArray] = []  # of points, one for each Hall row
        self._lp = _lp(self.balls, instance, seed)
        for inside in sets:
            self._add(inside, self._taken(inside))

    def solve(self, budget: Budget) -> Shares | None:
        """Return an optimum with the rows so far, None if the budget is spent."""
        optimum = self._lp.solve(budget)
        if optimum is None:
            return None
        n, duals = self.instance.n, optimum.duals
        weights = duals[:n].copy()
        for dual, inside in zip(duals[n + 1 :], self.sets, strict=True):
            weights[inside] += dual
        opened = optimum.primal[: len(self.centres)]
        return Shares(optimum.value, opened, weights, max(0.0, -float(duals[n])))

    def cut(self, opened: FloatArray) -> bool:
        """Add violated Hall rows; return whether there were any."""
        most = max(1.0, self.instance.r * float(opened.max(initial=0.0)))
        unit = int(min(SCALE, _MOST / (most + 1)))
        amounts = np.rint(opened * unit).astype(np.int64)
        used = np.flatnonzero(amounts)
        balls, shares = self.balls.chosen(used), amounts[used]
        rooms = np.full(self.instance.n, unit, dtype=np.int64)
        needs = self.instance.r * shares
        if self.instance.centres != "input":
            centres = self.centres[used]
            balls = balls.only(balls.points != centres[balls.owners])
            rooms[centres] -= shares
            needs -= shares
        found = False
        for inside in deficient_sets(balls, shares, needs, np.maximum(0, rooms)):
            factors = self._taken(inside)
            if float(factors @ opened) > len(inside) + _VIOLATED:
                self._add(inside, factors)
                found = True
        return found

    def _taken(self, inside: IntArray) -> IntArray:
        """Return how many points of a set each centre has to take at least."""
        member = np.zeros(self.instance.n, dtype=np.bool_)
        member[inside] = True
        own = self.centres if self.instance.centres != "input" else None
        return taken_at_least(self.instance.r, self.balls, own, member)

    def _add(self, inside: IntArray, factors: IntArray) -> None:
        self._lp.add_rows(factors[None], -np.inf, len(inside))
        self.sets.append(inside)


def _lp(balls: Balls, instance: RGather, seed: int) -> GrowingLp:
    """Return the program without Hall rows: n cover rows, and one for the number."""
    n, m = instance.n, len(balls)
    lower = np.append(np.ones(n), -np.inf)
    upper = np.append(np.full(n, np.inf), instance.most_clusters)
    held = balls.turned(n)
    ones = np.ones(len(held.points))
    cover = sparse.csr_array((ones, held.points, held.starts), shape=(n, m))
    program = GrowingLp(lower, upper, seed)
    program.add_columns(
        sparse.vstack((cover, sparse.csr_array(np.ones((1, m))))).T, 0.0
    )
    program.add_columns(sparse.eye_array(n), 1.0, 1.0)
    return program


def deficient_sets(
    balls: Balls, shares: IntArray, needs: IntArray, rooms: IntArray
) -> list[IntArray]:
    """Return the point sets U of violated Hall rows, none if all needs can be met.

    Centre c is open to the amount y_c. It needs r y_c of the points of its ball, at
    most y_c of each, and no point gives more than 1: a flow, source -> centre (r y_c)
    -> point of its ball (y_c) -> sink (1), here in whole numbers. If a maximum one does
    not saturate the source then the points that its residual network still reaches
    violate the row. They are returned by connected parts.

    `shares` is the most that a centre takes of a point of its ball, `needs` what it
    takes at least in all, and `rooms` what a point gives at most; all are below 2^31.
    """
    m, n = len(balls), len(rooms)
    source, sink = m + n, m + n + 1
    tails = np.concatenate((np.full(m, source), balls.owners, m + np.arange(n)))
    heads = np.concatenate((np.arange(m), m + balls.points, np.full(n, sink)))
    most = np.concatenate((needs, shares[balls.owners], rooms)).astype(np.int32)
    network = sparse.csr_array((most, (tails, heads)), shape=(m + n + 2, m + n + 2))
    flow = csgraph.maximum_flow(network, source, sink).flow
    residual = sparse.csr_array(network - flow)
    residual.eliminate_zeros()
    reached = np.zeros(m + n + 2, dtype=np.bool_)
    order = csgraph.breadth_first_order(residual, source, return_predecessors=False)
    reached[order] = True
    centres, points = reached[:m], reached[m:source]
    lacking = balls.only(centres[balls.owners] & points[balls.points])
    of_centre, of_point = lacking.components(n)
    parts = np.unique(of_centre[centres])
    return [np.flatnonzero(points & (of_point == part)) for part in parts]
