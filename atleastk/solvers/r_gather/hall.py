"""Hall cuts: chosen balls hold enough points only if Hall's condition is satisfied.

Theorem
-------
Let y_c be 1 for chosen centres, 0 for others, and let U be any set of points. Centre c
takes at least w_c = max(0, r - |N(c) - U|) points of U, and at least one if c itself is
in U and has to be its own. So

    sum of w_c y_c  <=  |U|,   and with S = {c: N(c) within U}:
    sum of y_c over S  <=  floor(|U| / r).

The second is a cardinality constraint, which clauses can express. U is the union of
balls that cannot all be filled; the fewer the better, so the set of balls is reduced to
a minimal one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.models.linear import LinearModel, LinearModelBuilder
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Balls
from atleastk.solvers.r_gather.balls import CoveringProblem
from atleastk.solvers.r_gather.flow import fill


@dataclass(frozen=True, eq=False)
class Cut:
    """The two cuts of a set U; see the theorem."""

    inside: IntArray  # [candidate] those whose balls are within U
    most: int  # how many of these may be chosen
    touching: IntArray  # [candidate] those that take points of U
    weights: IntArray  # [candidate] how many at least
    points: int  # the size of U


def covering_model(
    problem: CoveringProblem, cuts: Iterable[Cut], budget: Budget
) -> LinearModel | None:
    """Return the integer program of a covering problem, None if the budget is spent.

    A binary for each candidate centre comes first, then one for each point that may be
    an outlier. Every point is in a chosen ball or an outlier, within the limits and the
    cuts. What is limited is minimised, outliers or else centres: so the relaxation
    tells where to branch.
    """
    model = LinearModelBuilder()
    model.binaries(len(problem.centres), cost=int(not problem.outliers))
    if problem.outliers:
        missed = model.binaries(len(problem.rows), cost=1)
        model.row(missed, at_most=problem.outliers)
    for i, p in enumerate(problem.rows.tolist()):
        if budget.spent:
            return None
        terms = problem.holders.of(p).tolist()
        if problem.outliers:
            terms.append(len(problem.centres) + i)
        model.row(terms, at_least=1)
    model.row(range(len(problem.centres)), at_most=problem.most)
    for cut in cuts:
        if len(cut.inside) > cut.most:
            model.row(cut.inside.tolist(), at_most=cut.most)
        weights = cut.weights.tolist()
        model.row(cut.touching.tolist(), weights, at_most=cut.points)
    return model.build()


def violations(problem: CoveringProblem, chosen: IntArray) -> list[Cut]:
    """Return cuts that chosen candidates violate; none if all can be filled.

    Each is that of candidates whose balls hold too few points for them.
    """
    balls = problem.balls.chosen(chosen)
    own = problem.own[chosen]
    lacking = chosen[fill(balls, problem.n, problem.r, own).deficient]
    if not len(lacking):
        return []
    labels, _ = problem.balls.chosen(lacking).components(problem.n)
    parts = [lacking[labels == label] for label in np.unique(labels)]
    held = [problem.balls.chosen(_shrunk(problem, part)).points for part in parts]
    return [cut_within(problem, np.unique(points).astype(np.int64)) for points in held]


def cut_within(problem: CoveringProblem, points: IntArray) -> Cut:
    """Return the cut of a set of points, different ones."""
    inside = np.zeros(problem.n, dtype=np.bool_)
    inside[points] = True
    touching = np.unique(problem.holders.chosen(points).points).astype(np.int64)
    balls = problem.balls.chosen(touching)
    own = problem.own[touching]
    weights = taken_at_least(problem.r, balls, own, inside)
    used = weights > 0
    return Cut(
        inside=touching[weights == problem.r],
        most=len(points) // problem.r,
        touching=touching[used],
        weights=weights[used],
        points=len(points),
    )


def taken_at_least(
    r: int, balls: Balls, own: IntArray | None, inside: BoolArray
) -> IntArray:
    """Return how many points inside each centre takes at least: w_c of the theorem.

    `own` is the point that each centre has to take, or -1; None for none.
    """
    counted = np.concatenate(([0], np.cumsum(inside[balls.points])))
    held = counted[balls.starts[1:]] - counted[balls.starts[:-1]]
    weights: IntArray = np.maximum(0, r - (balls.sizes - held))
    if own is not None:
        weights = np.maximum(weights, (own >= 0) & inside[own])
    return weights


def _shrunk(problem: CoveringProblem, centres: IntArray) -> IntArray:
    """Drop candidates as long as the others still have too few points."""
    counts = np.zeros(problem.n, dtype=np.int64)
    np.add.at(counts, problem.balls.chosen(centres).points, 1)
    lack = problem.r * len(centres) - int((counts > 0).sum())
    needed = []
    for c in centres.tolist():
        ball = problem.balls.of(c)
        alone = int((counts[ball] == 1).sum())
        if lack - problem.r + alone > 0:
            lack += alone - problem.r
            counts[ball] -= 1
        else:
            needed.append(c)
    return np.array(needed, dtype=np.int64)
