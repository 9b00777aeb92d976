"""r-gather: brute force.

Every partition of every choice of points that may be clustered, of at most nine points
(115,975 with any outliers), is tried by definition: without thresholds, balls, bounds,
or any other code of the solvers.
"""

from __future__ import annotations

from atleastk.instances.r_gather import RGather
from atleastk.models.clustering import ClusteringSolution
from atleastk.solvers.brute_force.cellular_clustering import best_clustering


def optimum(instance: RGather) -> tuple[int, ClusteringSolution] | None:
    """Return the least cost and a best solution; None if infeasible."""
    return best_clustering(
        instance,
        lambda _size, radius, _centre: radius,
        lambda radii: max(radii, default=0),
    )
