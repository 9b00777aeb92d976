"""Encodings of r-gather as linear models over bounded integers.

All are assignments: x_pc says that point p is in the cluster of head c, and every
cluster has one head,

==========  ==========================================================
``input``   its centre, any point: a variable y_c
``member``  its centre, a member: y_c is x_cc
``any``     its first member, without centre: y_c is x_cc, and p >= c
==========  ==========================================================

Either the cost is limited, and there are no variables for pairs further apart
(:func:`threshold_model`), or it is minimised (:func:`level_model`): as the index of
the distance in :func:`levels`, because distances may be large. The rows are those of
:func:`distance_model`, in which the distance itself is minimised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.r_gather import RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.clustering import (
    ClusteringSolution,
    completed,
    measured,
    solution_of,
)
from atleastk.models.encodings.clustering import partition_points, with_outliers
from atleastk.models.encodings.encoding import Encoding, point
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.linear import LinearModelBuilder
from atleastk.models.results.solution import Solution

Entries = Iterable[tuple[int, int]]


def levels(instance: RGather) -> IntArray:
    """Return all possible costs: the distances, ascending."""
    distances = instance.space.matrix
    return np.unique(distances[distances < FAR])


def threshold_model(instance: RGather, most: int) -> Encoding:
    """Return the model of the solutions that cost at most `most`."""
    near = instance.space.matrix <= min(most, FAR - 1)
    heads = _Heads(LinearModelBuilder(), instance, near)
    if instance.any_centre:
        for c, ball in enumerate(heads.balls):
            for p, q in _pairs(ball, ~near):
                heads.not_both(p, q, c)
    return heads.encoding(lambda _cost: ())


def level_model(instance: RGather) -> Encoding:
    """Return the model that minimises the index of the cost in :func:`levels`.

    The index is a sum of variables z_t, the cost is at least that of level t.
    """
    builder = LinearModelBuilder()
    distances = instance.space.matrix
    steps = levels(instance)
    index = np.searchsorted(steps, distances)
    reached = [-1, *(builder.variable(0, 1, 1, "z", t) for t in steps[1:].tolist())]
    for lower, upper in pairwise(reached[1:]):
        builder.row([lower, upper], [1, -1], at_least=0)
    heads = _Heads(builder, instance, distances < FAR)
    for p, homes in enumerate(heads.homes):
        for t in np.unique(index[p, homes]).tolist():
            if t:
                beyond = [heads.x[p, c] for c in homes if index[p, c] >= t]
                builder.row([reached[t], *beyond], [1] + [-1] * len(beyond), at_least=0)
    if instance.any_centre:
        for c, ball in enumerate(heads.balls):
            further = np.maximum(index[c], index[c, :, None]) < index
            for p, q in _pairs(ball, further):
                far = distances[p, q] >= FAR
                heads.not_both(p, q, c, None if far else reached[index[p, q]])

    def entries(cost: int) -> Entries:
        return ((z, 1) for z in reached[1 : 1 + int(np.searchsorted(steps, cost))])

    return heads.encoding(entries)


def distance_model(instance: RGather) -> Encoding:
    """Points are assigned to the heads of clusters, and distances are reached.

    Variables: x_p_c, point p is in the cluster of head c; y_c, c is a head (where x_c_c
    does not say it); o_p, point p is left over; z_t, the cost is at least the distance
    t > 0. With e_t, what t is above the distance before it:

    minimise    sum_t e_t z_t
    subject to  sum_c x_p_c + o_p = 1                  for every point p,
                x_p_c <= y_c,   sum_p x_p_c >= r y_c   for every head c,
                z_t >= z_u                             for distances t < u,
                sum_{c: d(p,c) >= t} x_p_c <= z_t      for all p and t,
    any         x_p_c + x_q_c <= y_c + z_d(p,q)        for all p, q and c,
                sum_c y_c <= max_clusters,   sum_p o_p <= max_outliers,

    where heads are centres, or of centres "any" first points.
    """
    steps = levels(instance)
    encoding = level_model(instance)
    objective = encoding.model.objective.copy()
    objective[: len(steps) - 1] = np.diff(steps)
    return replace(encoding, model=replace(encoding.model, objective=objective))


class _Heads:
    """The shared variables and rows of both models.

    Attributes
    ----------
    x
        The variable of every point and head that may be together.
    opened
        The variable of every head, None for points that cannot be one.
    balls, homes
        The points that may be with a head, and the heads that a point may be with.
    """

    def __init__(
        self, builder: LinearModelBuilder, instance: RGather, near: BoolArray
    ) -> None:
        self._builder, self._instance = builder, instance
        n, r = instance.n, instance.r
        if instance.any_centre:
            near = np.tril(near)
        near = near & (near.sum(axis=0) >= r)
        self.balls = [np.flatnonzero(near[:, c]).tolist() for c in range(n)]
        self.homes = [np.flatnonzero(near[p]).tolist() for p in range(n)]
        self.x = {
            (p, c): builder.variable(0, 1, 0, "x", p, c)
            for c in range(n)
            for p in self.balls[c]
        }
        apart = instance.centres == "input"
        self.opened = [
            None
            if not ball
            else builder.variable(0, 1, 0, "y", c)
            if apart
            else self.x[c, c]
            for c, ball in enumerate(self.balls)
        ]
        own = [[self.x[p, c] for c in homes] for p, homes in enumerate(self.homes)]
        self.outliers = partition_points(builder, instance, own)
        for head, ball, c in zip(self.opened, self.balls, range(n), strict=True):
            if head is None:
                continue
            others = [self.x[p, c] for p in ball if self.x[p, c] != head]
            for member in others:
                builder.row([head, member], [1, -1], at_least=0)
            least = r - (len(ball) - len(others))
            if least:
                builder.row([head, *others], [-least] + [1] * len(others), at_least=0)
        heads = [head for head in self.opened if head is not None]
        builder.row(heads, at_most=instance.most_clusters)

    def not_both(self, p: int, q: int, c: int, unless: int | None = None) -> None:
        """Let at most one of two points be with a head, unless a variable is 1."""
        pair, factors = [self.x[p, c], self.x[q, c], self.x[c, c]], [1, 1, -1]
        if unless is not None:
            pair, factors = [*pair, unless], [*factors, -1]
        self._builder.row(pair, factors, at_most=0)

    def encoding(self, of_cost: Callable[[int], Entries]) -> Encoding:
        """Return the encoding, given the entries of a cost."""
        instance, model = self._instance, self._builder.build()

        def decode(values: IntArray) -> ClusteringSolution:
            clusters = {
                c: [p for p in ball if values[self.x[p, c]]]
                for c, ball in enumerate(self.balls)
            }
            clusters = {c: points for c, points in clusters.items() if points}
            left = set(range(instance.n)).difference(*clusters.values())
            centres = () if instance.any_centre else list(clusters)
            return solution_of(clusters.values(), centres, left)

        def encode(solution: Solution) -> IntArray | None:
            full = completed(instance, solution)
            named = (group[0] for group in full.groups)
            pairs = {
                (p, c)
                for group, c in zip(full.groups, full.centres or named, strict=True)
                for p in group
            }
            if not pairs <= self.x.keys():
                return None
            ones = {self.x[pair] for pair in pairs}
            ones |= {head for _, c in pairs if (head := self.opened[c]) is not None}
            cost = max(measured(instance, full), default=0)
            values = point(model.columns, [*((one, 1) for one in ones), *of_cost(cost)])
            return with_outliers(self.outliers, values, full.outliers)

        return Encoding(model, decode, encode)


def _pairs(ball: Sequence[int], wanted: BoolArray) -> list[list[int]]:
    """Return the pairs p < q of points of a ball that are wanted."""
    points = np.array(ball, dtype=np.int64)
    pairs = np.argwhere(np.triu(wanted[np.ix_(points, points)]))
    found: list[list[int]] = points[pairs].tolist()
    return found


FORMULATIONS: Final = (Formulation("distances", distance_model),)
