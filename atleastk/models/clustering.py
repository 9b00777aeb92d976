"""Clusters of points: the solutions of r-gather and cellular clustering, and checks.

Definitions and units: :mod:`atleastk.instances.clustering`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.clustering import Clustering
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.instances.spaces.near_points import ball_of, is_indexed
from atleastk.models.results.fields import INTEGER
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import (
    Solution,
    Verdict,
    labels_of,
    partition_violations,
)

_SIDE: Final = 80
"""The most points of a batch of clusters whose diameters are measured together."""

_CHUNK: Final = 1_000_000
"""Points whose distances to their centres are computed at a time."""


@dataclass(frozen=True, repr=False)
class ClusteringSolution(Solution):
    """Clusters with their centres, and the points in none."""

    LISTS: ClassVar = {"centres": INTEGER, "outliers": INTEGER}
    BY_GROUP = ("centres",)
    ASCENDING = ("outliers",)

    centres: tuple[int, ...] = ()
    """The centre of every cluster, in the order of the groups; empty if centres are
    anywhere."""
    outliers: tuple[int, ...] = ()
    """The points that are in no cluster, ascending."""

    @property
    def ungrouped(self) -> tuple[int, ...]:
        return self.outliers

    def radius(self, instance: Clustering) -> float:
        full = completed(instance, self)
        return instance.radius(max(measured(instance, full), default=0))

    def remarks(self, instance: Any) -> Iterator[str]:
        yield from super().remarks(instance)
        if self.outliers:
            yield f"outliers  {len(self.outliers)}"


def solution_of(
    groups: Iterable[Iterable[int]],
    centres: Sequence[int] = (),
    outliers: Iterable[int] = (),
) -> ClusteringSolution:
    """Return the solution, in normal form, with these clusters."""
    return ClusteringSolution.of(
        groups,
        centres=tuple(map(int, centres)),
        outliers=tuple(sorted(map(int, outliers))),
    )


def completed(instance: Clustering, solution: Solution) -> ClusteringSolution:
    """Return a solution with centres and outliers.

    Points in no group are outliers, and groups without centres get those of least
    cost; see :func:`best_centre`.
    """
    full = _with_outliers(instance, solution)
    if full.centres or instance.any_centre:
        return full
    fees = instance.facilities
    centres = [best_centre(instance, group, fees)[1] for group in full.groups]
    return solution_of(full.groups, centres, full.outliers)


def _with_outliers(instance: Clustering, solution: Solution) -> ClusteringSolution:
    if isinstance(solution, ClusteringSolution) and (
        solution.centres or solution.outliers
    ):
        return solution
    left = set(range(instance.n)) - set(chain.from_iterable(solution.groups))
    return solution_of(solution.groups, (), left)


def radii_about(
    instance: Clustering, group: Sequence[int], places: IntArray | None = None
) -> IntArray:
    """Return how far places, or all points, are from a cluster, at most."""
    space = instance.space
    members = np.asarray(group, dtype=np.int64)
    places = np.arange(space.n, dtype=np.int64) if places is None else places
    radii = np.zeros(len(places), dtype=np.int64)
    for start in range(0, len(members), space.at_a_time):
        chunk = members[start : start + space.at_a_time]
        np.maximum(radii, space.between(chunk, places).max(axis=0), out=radii)
    return radii


def best_centre(
    instance: Clustering, group: Sequence[int], facilities: IntArray | None = None
) -> tuple[int, int]:
    """Return the least cost of a cluster with a centre, and the first such centre.

    The cost is the radius, or with facility costs, f + size * radius.
    """
    members = np.asarray(group, dtype=np.int64)
    if instance.centres == "member":
        radii = instance.space.between(members, members).max(axis=1, initial=0)
        places = members
    else:
        places = _places(instance, members, facilities)
        radii = radii_about(instance, group, places)
    if facilities is None:
        costs = radii
    else:
        far = radii >= FAR
        costs = np.where(far, FAR, facilities[places] + len(group) * radii)
    best = int(costs.argmin())
    return int(costs[best]), int(places[best])


def _places(
    instance: Clustering, members: IntArray, facilities: IntArray | None
) -> IntArray:
    """Return points, ascending, among which are all best centres of a cluster.

    Its radius about one of these is no greater than the least cost about some members
    allows, and none of its points is farther from them.
    """
    if not is_indexed(instance.space) or not len(members):
        return np.arange(instance.n, dtype=np.int64)
    some = members[:: -(-len(members) // 64)]
    radii = instance.space.between(some, members).max(axis=1)
    best = int(radii.argmin())
    most = int(radii[best])
    if facilities is not None:
        most += int(facilities[some[best]]) // len(members)
    return ball_of(instance.space, int(some[best]), most)


def diameter(instance: Clustering, group: Sequence[int]) -> int:
    """Return the greatest distance between two points of a cluster."""
    space = instance.space
    members = np.asarray(group, dtype=np.int64)
    greatest = 0
    for start in range(0, len(members), space.at_a_time):
        chunk = members[start : start + space.at_a_time]
        found = space.between(chunk, members).max(initial=0)
        greatest = max(greatest, int(found))
    return greatest


def measured(instance: Clustering, solution: ClusteringSolution) -> list[int]:
    """Return the radius of every cluster; its diameter if centres are anywhere.

    Small clusters are measured in batches.
    """
    groups, radii = solution.groups, list[int]()
    if instance.any_centre:
        for first, last in _batches(groups):
            radii += _diameters(instance, groups[first:last])
        return radii
    held = PackedGroups.of(groups)
    points = held.items
    centres = np.repeat(np.array(solution.centres, dtype=np.int64), held.sizes)
    reached = np.zeros(len(points), dtype=np.int64)
    for start in range(0, len(points), _CHUNK):
        some = slice(start, start + _CHUNK)
        reached[some] = instance.space.apart(centres[some], points[some])
    if len(held):
        radii = np.maximum.reduceat(reached, held.starts[:-1]).tolist()
    return radii


def _diameters(instance: Clustering, few: Sequence[Sequence[int]]) -> list[int]:
    """Return the diameters of a batch of clusters."""
    if len(few) == 1:
        return [diameter(instance, few[0])]
    held = PackedGroups.of(few)
    reached = instance.space.between(held.items, held.items)
    for axis in (1, 0):
        reached = np.maximum.reduceat(reached, held.starts[:-1], axis=axis)
    widest: list[int] = reached.diagonal().tolist()
    return widest


def _batches(groups: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Yield ranges of groups, batches of at most `_SIDE` points or one group."""
    first, points = 0, 0
    for g, group in enumerate(groups):
        if g > first and points + len(group) > _SIDE:
            yield first, g
            first, points = g, 0
        points += len(group)
    if groups:
        yield first, len(groups)


def judged(
    instance: Clustering,
    solution: Solution,
    cost: Callable[[ClusteringSolution, Sequence[int]], int],
) -> Verdict:
    """Return the verdict on a solution, given the cost of clusters of given radii."""
    full = _with_outliers(instance, solution)
    malformed = partition_violations(instance.n, Solution(_with_a_group(full)))
    if malformed:
        return Verdict(None, tuple(malformed))
    full = completed(instance, full)
    malformed = _impossible_centres(instance, full)
    if malformed:
        return Verdict(None, tuple(malformed))
    radii = measured(instance, full)
    return Verdict(cost(full, radii), tuple(_violations(instance, full, radii)))


def _with_a_group(solution: ClusteringSolution) -> Sequence[tuple[int, ...]]:
    """Return the groups and, if there are any, the outliers as one more."""
    groups, outliers = solution.groups, solution.outliers
    if not outliers:
        return groups
    if not isinstance(groups, PackedGroups):
        return (*groups, outliers)
    items = np.append(groups.items, np.array(outliers, dtype=np.int64))
    return PackedGroups(items, np.append(groups.starts, len(items)))


def _violations(
    instance: Clustering, solution: ClusteringSolution, radii: Sequence[int]
) -> Iterator[str]:
    groups, outliers = solution.groups, solution.outliers
    held = PackedGroups.of(groups)
    for g in np.flatnonzero(held.sizes < instance.r).tolist():
        yield f"group {g} has {held.sizes[g]} points, below r = {instance.r}"
    if instance.max_clusters is not None and len(groups) > instance.max_clusters:
        yield f"{len(groups)} groups, above max_clusters = {instance.max_clusters}"
    if len(outliers) > instance.max_outliers:
        yield f"{len(outliers)} outliers, above max_outliers = {instance.max_outliers}"
    if instance.centres == "member":
        home = labels_of(held, instance.n)[np.array(solution.centres, dtype=np.int64)]
        for g in np.flatnonzero(home != np.arange(len(held))).tolist():
            yield f"group {g} does not hold its centre {solution.centres[g]}"
    for g, radius in enumerate(radii):
        if radius >= FAR:
            yield f"group {g} joins points whose distance is null"


def _impossible_centres(
    instance: Clustering, solution: ClusteringSolution
) -> list[str]:
    wanted = 0 if instance.any_centre else len(solution.groups)
    if len(solution.centres) != wanted:
        why = " since they may be anywhere" if instance.any_centre else ""
        return [f"centres: expected {wanted} centres{why}, got {len(solution.centres)}"]
    n = instance.n
    return [
        f"centres: {centre} is outside 0..{n - 1}"
        for centre in solution.centres
        if not 0 <= centre < n
    ]
