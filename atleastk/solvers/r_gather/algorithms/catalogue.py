"""r-gather: the approximation algorithms of [Aggarwal10].

========================  ==============================================================
r-gather                  2 (Theorem 2.3)
k-r-center                2, at most k clusters (section 2.4)
k-center                  2, r = 1: farthest first
r-eps-gather              4, outliers (Theorem 2.4)
r-eps-gather-input        3, outliers, centres that are points (section 2.3)
k-r-eps-center            4, at most k clusters, outliers (Theorem 2.8, repaired)
k-r-eps-center-printed    the same as printed: some clusters may be too small
========================  ==============================================================

Proofs, and what is wrong or missing in the paper, stand where the algorithms are:
:mod:`~atleastk.solvers.r_gather.algorithms.balls`,
:mod:`~atleastk.solvers.r_gather.algorithms.farthest`,
:mod:`~atleastk.solvers.r_gather.algorithms.outliers`,
:mod:`~atleastk.solvers.r_gather.algorithms.greedy_centers`.

The promises are for metrics, and for every reading of centres that an algorithm takes.
In the paper R is half a distance; here the threshold is that distance, D = 2 R.
Distances that break the triangle inequality are taken without a promise. Where some
are null the pairs of finite distance have to form cliques, as in any metric.

The seed shuffles the arbitrary choices; 0 makes them by index. An instance without a
solution is one cluster of all points, which the checker refuses. Rows of distances are
computed when needed: n = 20,000 is ordinary.

References
----------
[Aggarwal10] G. Aggarwal, R. Panigrahy, T. Feder, D. Thomas, K. Kenthapadi, S. Khuller,
A. Zhu: Achieving anonymity via clustering. ACM Transactions on Algorithms 6(3), 2010.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.r_gather import RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.clustering import ClusteringSolution
from atleastk.models.results.guarantee import Guarantee, Times
from atleastk.solvers.method import Algorithm
from atleastk.solvers.r_gather.algorithms.balls import gathered_in_balls
from atleastk.solvers.r_gather.algorithms.clusters import (
    CentredClusters,
    arbitrary_order,
)
from atleastk.solvers.r_gather.algorithms.farthest import farthest_first
from atleastk.solvers.r_gather.algorithms.greedy_centers import greedy_centers
from atleastk.solvers.r_gather.algorithms.outliers import (
    gathered_about_candidates,
    gathered_in_core,
)

Refusal = Callable[[RGather], str | None]


def _is_metric(instance: RGather) -> bool:
    return instance.not_metric is None


def times(factor: int, theorem: str) -> Guarantee:
    """Return the guarantee of a radius of at most `factor` times the optimum."""
    return Guarantee(
        statement=f"radius <= {factor} * OPT",
        theorem=theorem,
        hypotheses="the distances are a metric",
        ceiling=Times(factor),
        applies=_is_metric,
    )


def _by(
    cluster: Callable[[RGather, IntArray], CentredClusters | None],
) -> Callable[[RGather, int], ClusteringSolution]:
    """Return the algorithm that clusters with arbitrary choices in an order."""
    return lambda instance, seed: _solution(instance, seed, partial(cluster, instance))


k_r_center = _by(
    lambda i, order: gathered_in_balls(i.space, i.r, i.most_clusters, order)
)
"""Fill greedy balls by a flow: sections 2.2 and 2.4."""

k_center = _by(lambda i, order: farthest_first(i.space, i.most_clusters, order))
"""Make the farthest point the next centre."""

r_eps_gather = _by(
    lambda i, order: gathered_in_core(i.space, i.r, i.max_outliers, order)
)
"""Cluster the core in disjoint balls, the rest joins the nearest: Theorem 2.4."""

r_eps_gather_input = _by(
    lambda i, order: gathered_about_candidates(
        i.space, i.r, i.max_outliers, order, members=i.centres == "member"
    )
)
"""Do the same about candidates, of half the radius: the end of section 2.3."""

k_r_eps_center = _by(greedy_centers)
"""Choose centres greedily in the core: Theorem 2.8, repaired."""

k_r_eps_center_printed = _by(partial(greedy_centers, printed=True))
"""Choose centres greedily as printed; an error if that leaves a small cluster."""


def _solution(
    instance: RGather, seed: int, cluster: Callable[[IntArray], CentredClusters | None]
) -> ClusteringSolution:
    """Return the solution of clusters; None stands for an infeasible instance."""
    n = instance.n
    if instance.least_clustered == 0:
        return CentredClusters.of_none(n).solution(instance)
    found = cluster(arbitrary_order(n, seed)) if n >= instance.r else None
    if found is None:
        return CentredClusters.of_all(n).solution(instance)
    smallest = int(found.sizes.min())
    if smallest < instance.r:
        raise NotApplicableError(
            f"the filter as printed, or distances that are no metric, left a cluster "
            f"of {smallest}, below r = {instance.r}; use k-r-eps-center on a metric"
        )
    return found.solution(instance)


def _refuses(*, limit: bool = False, outliers: bool = False) -> Refusal:
    """Return the refusal of those that take a limit on clusters, or outliers."""

    def refuses(instance: RGather) -> str | None:
        if instance.max_clusters is not None and not limit:
            return "it takes no max_clusters; use k-r-center or k-r-eps-center"
        if instance.max_outliers and not outliers:
            return "it takes no max_outliers; use r-eps-gather or k-r-eps-center"
        if not _in_cliques(instance):
            return "null distances that split no cliques apart are no metric"
        return None

    return refuses


def _refuses_k_center(instance: RGather) -> str | None:
    if instance.r > 1:
        return f"it takes r = 1, not {instance.r}; use k-r-center"
    return _refuses(limit=True)(instance)


def _refuses_input(instance: RGather) -> str | None:
    if instance.any_centre:
        return "it takes centres that are points; use r-eps-gather"
    return _refuses(outliers=True)(instance)


def _in_cliques(instance: RGather) -> bool:
    """Return whether finite distances form cliques, as in a metric space."""
    if instance.points is not None or instance.n == 0:
        return True
    finite = instance.space.matrix < FAR
    cliques = finite.argmax(axis=1)
    return bool((finite == (cliques[:, None] == cliques)).all())


ALGORITHMS: Sequence[Algorithm[RGather]] = (
    Algorithm(
        "r-gather",
        "Greedy balls of the least radius that a flow can fill",
        k_r_center,
        times(2, "[Aggarwal10] Theorem 2.3"),
        _refuses(),
    ),
    Algorithm(
        "k-r-center",
        "Greedy balls of the least radius that a flow can fill, at most k",
        k_r_center,
        times(2, "[Aggarwal10] section 2.4"),
        _refuses(limit=True),
    ),
    Algorithm(
        "k-center",
        "r = 1: the point farthest from all centres is the next one",
        k_center,
        times(2, "[Gonzalez85]"),
        _refuses_k_center,
    ),
    Algorithm(
        "r-eps-gather",
        "Outliers: disjoint balls in the core, the rest to the nearest",
        r_eps_gather,
        times(4, "[Aggarwal10] Theorem 2.4"),
        _refuses(outliers=True),
    ),
    Algorithm(
        "r-eps-gather-input",
        "Outliers: disjoint balls about candidates, the rest to the nearest",
        r_eps_gather_input,
        times(3, "[Aggarwal10] section 2.3"),
        _refuses_input,
    ),
    Algorithm(
        "k-r-eps-center",
        "Outliers, at most k: centres of the most neighbours in the core",
        k_r_eps_center,
        times(4, "[Aggarwal10] Theorem 2.8"),
        _refuses(limit=True, outliers=True),
    ),
    Algorithm(
        "k-r-eps-center-printed",
        "The same with the filter as printed; may leave a cluster too small",
        k_r_eps_center_printed,
        times(4, "[Aggarwal10] Theorem 2.8"),
        _refuses(limit=True, outliers=True),
    ),
)
