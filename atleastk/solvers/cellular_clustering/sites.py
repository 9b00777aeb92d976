"""Sites: the clusters of an instance, sorted by what they cost per point.

Every cluster has a *site* (c, q) of a price d per point and a fixed cost f_c:

- with centres "input" or "member", c is the centre and q the last of its points in the
  order of their distances to c, so d = d(c, q). Further points come before q in that
  order; and one of them is c if centres are members;
- with centres "any", c and q are two points of the cluster whose distance d is its
  diameter. Further points are within d of both, and of each other.

There are at most n^2 sites, each with a set of points that it must have, and a set of
those that it may have.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.spaces.metric_spaces import FAR

INPUT, MEMBER, ANY = 0, 1, 2
"""The readings of "centre", as numbers for compiled loops ..."""

READINGS: Final = {"input": INPUT, "member": MEMBER, "any": ANY}
"""... and by name."""


class Sites(NamedTuple):
    """Some of the sites of an instance."""

    distances: IntArray  # [point, point] d(c, p)
    rank: Int32Array  # [point, point] the place of p in the order about c
    reading: int  # INPUT, MEMBER or ANY
    least: int  # the least size that clusters need to have
    most: int  # and the greatest
    centre: IntArray  # [site]
    last: IntArray  # [site]
    price: IntArray  # [site]
    fixed: IntArray  # [site]

    @property
    def n(self) -> int:
        """The number of points."""
        return len(self.distances)

    @property
    def number(self) -> int:
        """The number of sites."""
        return len(self.centre)

    def only(self, chosen: BoolArray | IntArray) -> Sites:
        """Return the chosen sites."""
        return self._replace(
            centre=self.centre[chosen],
            last=self.last[chosen],
            price=self.price[chosen],
            fixed=self.fixed[chosen],
        )


def sites_of(instance: CellularClustering) -> Sites:
    """Return all sites of an instance."""
    distances = instance.space.matrix
    n, reading = instance.n, READINGS[instance.centres]
    own_first = distances - np.eye(n, dtype=np.int64)
    order = np.argsort(own_first, axis=1, kind="stable")
    rank = np.empty((n, n), dtype=np.int32)
    np.put_along_axis(rank, order, np.arange(n, dtype=np.int32)[None, :], axis=1)
    if reading == ANY:
        places = np.arange(n)
        wanted = places[:, None] < places
        if instance.r == 1:
            wanted |= np.eye(n, dtype=np.bool_)
    else:
        wanted = rank >= instance.r - 1
    centre, last = np.nonzero(wanted & (distances < FAR))
    return Sites(
        distances,
        rank,
        reading,
        instance.r,
        _most_needed(instance),
        centre.astype(np.int64),
        last.astype(np.int64),
        distances[centre, last],
        instance.facilities[centre],
    )


def above_all(instance: CellularClustering) -> int:
    """Return more than any solution costs."""
    distances = instance.space.matrix
    dearest = int(distances[distances < FAR].max(initial=0))
    facility = int(instance.facilities.max(initial=0))
    return instance.n * dearest + instance.most_clusters * facility + 1


def _most_needed(instance: CellularClustering) -> int:
    """Return the greatest size of a cluster that an optimum needs.

    Larger ones than 2r - 1 split into two of no greater price, at no cost if nothing
    but the points counts, and if the centre need not be in both.
    """
    free = instance.max_clusters is None and not instance.facilities.any()
    if free and instance.centres != "member":
        return min(instance.n, 2 * instance.r - 1)
    return instance.n
