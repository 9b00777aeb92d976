"""Centred clusters, the results of approximation algorithms, and arbitrary choices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.clustering import Clustering
from atleastk.instances.spaces.metric_spaces import MetricSpace
from atleastk.models.clustering import ClusteringSolution, solution_of


@dataclass(frozen=True, eq=False)
class CentredClusters:
    """Centres, and for every point which of them it belongs to."""

    centres: IntArray  # [cluster] a point for each
    home: IntArray  # [point] the index of its cluster, -1 for outliers

    @classmethod
    def of_all(cls, n: int) -> CentredClusters:
        """Return one cluster of all points."""
        return cls(np.arange(min(n, 1)), np.zeros(n, dtype=np.int64))

    @classmethod
    def of_none(cls, n: int) -> CentredClusters:
        """Return outliers only."""
        return cls(np.arange(0), np.full(n, -1, dtype=np.int64))

    @property
    def sizes(self) -> IntArray:
        """The number of points of every cluster."""
        return np.bincount(self.home + 1, minlength=len(self.centres) + 1)[1:]

    def solution(self, instance: Clustering) -> ClusteringSolution:
        """Return the clusters as a solution; without centres if they are anywhere."""
        points = np.argsort(self.home, kind="stable")
        outliers = len(points) - int(self.sizes.sum())
        borders = outliers + np.cumsum(self.sizes)[:-1]
        groups = np.split(points[outliers:], borders - outliers)
        centres = () if instance.any_centre else self.centres.tolist()
        return solution_of(
            [group.tolist() for group in groups if len(self.centres)],
            centres,
            points[:outliers].tolist(),
        )


def arbitrary_order(n: int, seed: int) -> IntArray:
    """Return the order of arbitrary choices: by index, or shuffled by a seed."""
    if seed == 0:
        return np.arange(n, dtype=np.int64)
    return np.random.default_rng(seed).permutation(n)


def at_most_above(values: IntArray, most: int) -> int:
    """Return the least of some values that at most `most` others exceed."""
    place = len(values) - 1 - most
    return int(np.partition(values, place)[place])


def join_nearest(
    space: MetricSpace, centres: IntArray, home: IntArray, rest: IntArray
) -> None:
    """Let some points join the cluster of the nearest centre."""
    chunk = max(1, space.at_a_time * space.n // max(1, len(centres)))
    for start in range(0, len(rest), chunk):
        some = rest[start : start + chunk]
        home[some] = space.between(some, centres).argmin(axis=1)
