"""Cellular clustering: the instance.

Definition [Aggarwal10, Definition 3.1]
---------------------------------------
Given n points of a metric space, partition them into clusters, each with a centre. A
cluster costs the facility cost of its centre, plus its number of points times its
radius: the greatest error of a reader if the centre is published in place of the
points. Minimise the sum. Three problems of the paper are one:

=======================  ================================
cellular clustering      r = 1, facility costs
r-cellular clustering    r
(r, eps)-cellular        r, max_outliers = floor(eps n)
=======================  ================================

Where centres may be, units and formats: :mod:`atleastk.instances.clustering`. Clusters
at the same centre pay its facility cost each. Of ``points`` in the plane or in space
lengths are rounded up to multiples of 1 / scale.

Complexity
----------
NP-hard [Aggarwal10, Theorem 3.2]; see
:mod:`atleastk.instances.reductions.cellular_clustering`.

References
----------
[Aggarwal10] G. Aggarwal, R. Panigrahy, T. Feder, D. Thomas, K. Kenthapadi, S. Khuller,
A. Zhu: Achieving anonymity via clustering. ACM Transactions on Algorithms 6(3), 2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.clustering import Clustering
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import COUNT, WHOLES
from atleastk.instances.fields.shapes import shown
from atleastk.instances.fields.spelling import respelled


@respelled
@dataclass(frozen=True, kw_only=True)
class CellularClustering(Clustering):
    """Cluster points so that the sum of size times radius is least.

    Attributes
    ----------
    facility_costs
        What a cluster pays for its centre, by point; 0 by default.
    """

    problem: ClassVar[str] = "cellular-clustering"
    measured: ClassVar[str] = "total"

    r: int = field(default=1, metadata=COUNT)
    facility_costs: Sequence[int] | None = field(default=None, metadata=WHOLES)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.facility_costs is None:
            return
        self.expect_for_each(self.n, "points", "facility_costs")
        if max(self.facility_costs, default=0) > self.most_distance:
            dearest = max(self.facility_costs)
            raise InvalidInstanceError(
                f"facility_costs[{self.facility_costs.index(dearest)}]: expected at "
                f"most {self.most_distance}, got {shown(dearest)}; take larger units"
            )
        if self.any_centre and any(self.facility_costs):
            raise InvalidInstanceError(
                'facility_costs: with centres "any" no point is a centre that pays; '
                'take "input" or "member"'
            )

    @property
    def most_distance(self) -> int:
        """The sum over all points is at most 2^60, so every sum in use fits 64 bits."""
        given = self.points if self.distances is None else self.distances
        return min(2**40, 2**60 // max(1, len(given or ())))

    @cached_property
    def facilities(self) -> IntArray:
        """The facility cost of every point."""
        return np.array(self.facility_costs or [0] * self.n, dtype=np.int64)
