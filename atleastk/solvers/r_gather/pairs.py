"""r = 2 without a limit on clusters: solved by nearest neighbours.

Theorem
-------
A point whose nearest neighbour is further than R away is alone at radius R. All others
can be partitioned into stars, a centre with points within R, of at least two points: in
a graph without lonely nodes every spanning forest can be cut into stars. So the cost is
the (max_outliers + 1)-th greatest distance to a nearest neighbour, with centres among
the points or in their cluster, and in any matrix of distances.
"""

from __future__ import annotations

import numpy as np

from atleastk.models.clustering import ClusteringSolution, solution_of
from atleastk.solvers.clustering.neighbourhoods import Neighbourhoods

__all__ = ["stars"]


def stars(near: Neighbourhoods) -> ClusteringSolution:
    """Return stars of all points that have a neighbour; the others are outliers."""
    clusters: dict[int, list[int]] = {}
    centre_of: dict[int, int] = {}
    outliers = []
    firsts, sizes = near.starts[:-1].tolist(), np.diff(near.starts).tolist()
    for p, (first, size) in enumerate(zip(firsts, sizes, strict=True)):
        if p in centre_of:
            continue
        two = near.points[first : first + min(size, 2)].tolist()
        others = [q for q in two if q != p]
        if others:
            _join(p, others[0], clusters, centre_of)
        else:
            outliers.append(p)
    return solution_of(
        [[centre, *leaves] for centre, leaves in clusters.items()],
        list(clusters),
        outliers,
    )


def _join(
    p: int, q: int, clusters: dict[int, list[int]], centre_of: dict[int, int]
) -> None:
    """Put a point into a star with another one, which may be in one already."""
    centre = centre_of.get(q, q)
    if centre != q:
        leaves = clusters[centre]
        leaves.remove(q)
        if not leaves:  # two points: the other one becomes the centre
            del clusters[centre]
            clusters[q] = [centre]
            centre_of[centre] = q
    clusters.setdefault(q, []).append(p)
    centre_of[p] = centre_of[q] = q
