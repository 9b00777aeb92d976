"""r-gather: the instance.

Definition [Aggarwal10, Definition 2.1]
---------------------------------------
Given n points of a metric space and r, cluster the points so that every cluster has at
least r of them and the greatest radius is least. Four problems of the paper are one,
and a classic is a special case:

==================  ===========================================
r-gather            r
(r, eps)-gather     r, max_outliers = floor(eps n)
(k, r)-center       r, max_clusters = k
(k, r, eps)-center  r, max_clusters = k, max_outliers
k-center            r = 1, max_clusters = k
==================  ===========================================

Where centres may be, units and formats: :mod:`atleastk.instances.clustering`. With
``points`` in the plane or in space the cost is the *square* of the radius: exact.

Complexity
----------
NP-hard, and to approximate within less than 2, for r > 6 [Aggarwal10, section 2.1]; see
:mod:`atleastk.instances.reductions.r_gather`. Polynomial for r = 2 (a point and its
nearest neighbour can always be together) and for r = 1 without a limit on clusters.

References
----------
[Aggarwal10] G. Aggarwal, R. Panigrahy, T. Feder, D. Thomas, K. Kenthapadi, S. Khuller,
A. Zhu: Achieving anonymity via clustering. ACM Transactions on Algorithms 6(3), 2010.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from atleastk.instances.clustering import Clustering
from atleastk.instances.fields.spelling import respelled


@respelled
@dataclass(frozen=True, kw_only=True)
class RGather(Clustering):
    """Cluster points, at least r together, so that the greatest radius is least.

    Examples
    --------
    >>> points = atleastk.RGather(points=[[0, 0], [3, 4], [10, 10], [13, 14]], r=2)
    >>> atleastk.solve(points).radius
    5.0
    """

    problem: ClassVar[str] = "r-gather"
    measured: ClassVar[str] = "radius"

    @property
    def most_distance(self) -> int:
        return 2**60

    @property
    def squared(self) -> bool:
        return self.points is not None and self.metric in (None, "euclidean")
