"""Cellular clustering: the algorithms of [Aggarwal10, section 3], printed and repaired.

All raise duals (:mod:`~atleastk.solvers.cellular_clustering.algorithms.primal_dual`),
keep some of the clusters that opened
(:mod:`~atleastk.solvers.cellular_clustering.algorithms.cellular_cover`), and for r > 1
let them share points and separate them
(:mod:`~atleastk.solvers.cellular_clustering.algorithms.sharing`).

``cellular`` (Theorem 3.5)
    r = 1: cost <= 3 * OPT. Tight.

``r-cellular-printed`` (Theorem 3.8)
    Clusters pay r d to open in addition. Any solution pays at most twice as much, so
    the duals sum up to at most 2 * OPT, and the chosen clusters have, by d_c the radius
    they opened with, sum |P_c| d_c + f_c + r d_c <= sum alpha. 36 * OPT by the paper,
    16 by what :mod:`~atleastk.solvers.cellular_clustering.algorithms.sharing` proves,
    if all facility costs are 0, and no less: with more and more chains and payers,
    ``worst-chains`` comes to 16. Else the theorem's accounting is false: see there.

``r-cellular``
    A group may have its centre at that of a leftover cluster, and clusters pay
    m r d to open in addition. The duals sum up to at most (1 + m) OPT. Open clusters
    cost at most (|P_c| + r) 3 d_c + f_c, and groups 8 times the r d of the clusters
    they are charged to, or 11 times and f_c', so K (|P_c| d_c + m r d_c + f_c) is
    enough for each with K = max(3, 8 / m), or max(3, 11 / m) with facility costs. In
    all, cost <= K (1 + m) OPT: 16 OPT with m = 1, and 16.5 OPT with m = 2, which is
    what is run if there are facility costs: less than the 36 of the theorem. (m = 2 and
    3 promise 12 and 14.7, and are worse in practice.) For r = 1 it is ``cellular``.

``r-eps-cellular``
    Some points need not be in a cluster. The paper refers to [Charikar01]. Stop when so
    few are unconnected, at time T: max_outliers * T less is still a dual bound, and
    that is the sum over the others. But the last cluster c* may have been paid for by
    points that are left out. What it lacks is at most what it costs, F(c*), which is
    nothing if it does not stay open. Clusters that cost more than the most expensive
    one of an optimum, G, need not exist; G <= m OPT if m >= 1, and G <= OPT if m = 0.

    G is guessed from above: first without a limit, then with one below 15/16 of the
    F(c*) of the last run. Of the runs with a limit of at least G the last has
    F(c*) <= 16/15 G, or else the next one would have been another. So

        cost <= K (sum alpha + F(c*)) <= K (1 + m + 16/15 m) OPT,

    24.6 OPT, or 28.3 OPT with facility costs. For r = 1, m = 0, K = 3, opening has to
    be paid for but once, so cost <= 3 sum alpha + F(c*) <= 4.1 OPT. If F(c*) is so
    little against the duals that the promise holds already, or c* does not stay open,
    there is no need to go on. (Limits of F(c*) - 1 promise 24, 27.5 and 4 OPT, but
    there may be hundreds of guesses where facilities are much dearer than distances.)

Other readings
--------------
The theorems are for centres "input". Without facility costs, they hold with twice the
factor for "member" and "any": a point of the cluster has all the others within two
radii, which bound the diameter as well, and OPT of "input" is the least. With facility
costs, nothing follows for "member": if all but one facility are too expensive, there
can be but one cluster then, and otherwise many about that point.

Whole numbers
-------------
Duals are multiples of 1 / D; the clusters that open may lack n / D altogether. D is so
great that K n / D < 1, which rounds off, as long as n times a cluster's cost has less
than 57 bits. Beyond, K n / D is to be added to the promises: one part in 10^12 of what
the dearest cluster costs.

References
----------
[Aggarwal10] as in :mod:`atleastk.instances.cellular_clustering`.
[Charikar01] M. Charikar, S. Khuller, D. M. Mount, G. Narasimhan: Algorithms for
facility location problems with outliers. SODA 2001.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.spaces.metric_spaces import FAR, Matrix
from atleastk.models.cellular_clustering import check
from atleastk.models.certificates.clustering import too_few
from atleastk.models.clustering import ClusteringSolution, solution_of
from atleastk.models.results.guarantee import Guarantee, Times
from atleastk.solvers.cellular_clustering.algorithms.cellular_cover import Cover, cover
from atleastk.solvers.cellular_clustering.algorithms.primal_dual import (
    Prices,
    Raised,
    expected_pairs,
    raised,
    span,
)
from atleastk.solvers.cellular_clustering.algorithms.sharing import (
    Cluster,
    disjoint,
    shared,
)
from atleastk.solvers.method import Algorithm

_FINE: Final = 32
"""Ticks per unit and point: more than any K."""

_FITS: Final = 2**61
"""All ticks stay below this."""

_GUESSED: Final = Fraction(16, 15)
"""What the last cluster costs at most, against the dearest one of an optimum."""

_MOST_PAIRS: Final = 60_000_000
"""The most pairs of a centre and a point in lists: 2.5 GB."""


def factor(instance: CellularClustering) -> Fraction:
    """Return the factor that is proved for all but the printed algorithm."""
    outliers = instance.max_outliers > 0
    last = _GUESSED if outliers else Fraction(0)
    if instance.r == 1:
        return _readings(instance) * (3 + last)
    setup = _setup(instance)
    group = 11 if instance.facilities.any() else 8
    each = max(Fraction(3), Fraction(group, setup))
    return _readings(instance) * each * (1 + setup + setup * last)


def _setup(instance: CellularClustering) -> int:
    """Return m: clusters of radius d pay m r d to open, in addition to f."""
    if instance.r == 1:
        return 0
    return 2 if instance.facilities.any() else 1


def _readings(instance: CellularClustering) -> int:
    """Return the factor by which other readings of centres multiply guarantees."""
    return 1 if instance.centres == "input" else 2


def r_cellular(
    instance: CellularClustering, seed: int = 0, *, printed: bool = False
) -> ClusteringSolution:
    """Run the algorithm of Theorem 3.8, for r = 1 that of Theorem 3.5.

    Printed, clusters pay r d to open, and groups have the centre of their open cluster.
    """
    if too_few(instance):
        return _of_all(instance)
    setup = 1 if printed else _setup(instance)
    dual = primal_dual(instance, setup, seed=seed)
    covers = cover(dual, seed)
    return _solution(instance, _separated(instance, covers, seed, printed=printed))


def r_eps_cellular(instance: CellularClustering, seed: int = 0) -> ClusteringSolution:
    """Run the algorithm for the (r, eps)-cellular clustering problem."""
    if instance.least_clustered == 0:
        return solution_of((), (), range(instance.n))
    if too_few(instance):
        return _of_all(instance)
    setup = _setup(instance)
    solutions: list[tuple[int, ClusteringSolution]] = []
    most: int | None = None
    while most is None or most >= 0:
        dual = primal_dual(instance, setup, instance.max_outliers, most, seed)
        if dual.unconnected > instance.max_outliers:
            break
        covers = cover(dual, seed)
        found = _solution(instance, _separated(instance, covers, seed))
        cost = check(instance, found).cost
        if cost is not None:
            solutions.append((cost, found))
        last = int(dual.centres[-1]), int(dual.radii[-1])
        price = int(instance.facilities[last[0]]) + setup * instance.r * last[1]
        lacks = any((cluster.centre, cluster.radius) == last for cluster in covers)
        cheap = price * dual.scale * (1 + setup) <= max(1, setup) * _value(dual)
        if cheap or not lacks:
            break
        most = -(-price // _GUESSED) - 1
    return min(solutions, key=lambda solution: solution[0])[1]


def primal_dual(
    instance: CellularClustering,
    setup: int = 0,
    leave: int = 0,
    most: int | None = None,
    seed: int = 0,
    fee: int = 1,
) -> Raised:
    """Raise duals where clusters pay fee * f + setup * r * d, at most `most`, to open.

    The sum of the alphas, less the `leave` greatest, is at most scale times the cost of
    opening and joining the clusters of any solution without dearer ones.
    """
    prices = _prices(instance, setup, most, fee)
    return raised(instance.space, prices, _scale(instance, prices), leave, seed)


def _prices(
    instance: CellularClustering, setup: int, most: int | None = None, fee: int = 1
) -> Prices:
    return Prices(fee * instance.facilities, setup * instance.r, instance.r, most)


def dual_bound(
    instance: CellularClustering, setup: int = 0, seed: int = 0
) -> tuple[int, tuple[int, ...], int]:
    """Return a lower bound of the cost, with weights y and a scale that prove it.

    Every cluster S has y(S) <= scale * cost(S): with (1 + setup) f for facilities, any
    cluster pays at most 1 + setup times its cost. No triangle inequality is needed.
    """
    dual = primal_dual(instance, setup, instance.max_outliers, seed=seed, fee=1 + setup)
    scale = dual.scale * (1 + setup)
    value = _value(dual, instance.max_outliers)
    return -(-value // scale), tuple(dual.alphas.tolist()), scale


def _value(dual: Raised, left_out: int | None = None) -> int:
    """Return the sum of the duals but for the greatest."""
    count = dual.unconnected if left_out is None else left_out
    alphas = sorted(dual.alphas.tolist())
    return sum(alphas[: max(0, len(alphas) - count)])


def _scale(instance: CellularClustering, prices: Prices) -> int:
    """Return ticks per unit: enough for every point, as long as sums fit."""
    n, longest = instance.n, span(instance.space)
    latest = int(prices.fees.max(initial=0)) + (2 + prices.slope) * longest
    wanted = 1 << (_FINE * n).bit_length()
    fitting = 1 << max(0, (_FITS // (latest + 1)).bit_length() - 1)
    return min(wanted, fitting)


def _of_all(instance: CellularClustering) -> ClusteringSolution:
    """Return one cluster of all points, where no solution exists."""
    return solution_of([range(instance.n)], () if instance.any_centre else (0,))


def _separated(
    instance: CellularClustering,
    covers: Sequence[Cover],
    seed: int,
    *,
    printed: bool = False,
) -> list[Cluster]:
    """Return disjoint clusters of r points at least."""
    if instance.r == 1:
        return [(cluster.centre, cluster.points) for cluster in covers]
    space, r = instance.space, instance.r
    sharing = shared(space, r, covers)
    return disjoint(space, r, sharing, instance.facilities, seed, printed=printed)


def _solution(
    instance: CellularClustering, clusters: Sequence[Cluster]
) -> ClusteringSolution:
    """Return the clusters, with centres by the instance's reading."""
    groups = [points.tolist() for _, points in clusters]
    outside = np.ones(instance.n, dtype=np.bool_)
    for _, points in clusters:
        outside[points] = False
    centres: list[int] = []
    if instance.centres == "input":
        centres = [centre for centre, _ in clusters]
    elif instance.centres == "member":
        for centre, points in clusters:
            apart = instance.space.between(np.array([centre], dtype=np.int64), points)
            centres.append(int(points[apart[0].argmin()]))
    return solution_of(groups, centres, np.flatnonzero(outside).tolist())


def _refuses(
    *, outliers: bool, r: bool = True
) -> Callable[[CellularClustering], str | None]:
    """Return the refusal of an algorithm: why it cannot take an instance."""

    def refuses(instance: CellularClustering) -> str | None:
        space = instance.space
        if instance.r > 1 and not r:
            return "it is for r = 1; take r-cellular"
        if instance.max_outliers and not outliers:
            return "it has no outliers; take r-eps-cellular"
        if instance.max_clusters is not None:
            return "it does not limit the number of clusters; leave out max_clusters"
        if instance.centres == "member" and instance.facilities.any():
            return 'with facility costs, it is for centres "input"'
        if isinstance(space, Matrix) and (space.given >= FAR).any():
            return "it needs all distances; some are null"
        return _refuses_pairs(instance)

    return refuses


def _refuses_pairs(instance: CellularClustering) -> str | None:
    """Refuse instances whose lists would be too long."""
    if instance.n**2 <= _MOST_PAIRS or instance.most_clusters == 0:
        return None
    pairs = expected_pairs(instance.space, _prices(instance, _setup(instance)))
    if pairs <= _MOST_PAIRS:
        return None
    return (
        f"about {pairs} pairs of points are near enough to pay for clusters, and it "
        f"takes {_MOST_PAIRS}; take fewer points, or lower facility costs"
    )


def _is_metric(instance: CellularClustering) -> bool:
    return instance.not_metric is None


def _is_printed(instance: CellularClustering) -> bool:
    return _is_metric(instance) and not instance.facilities.any()


def _printed_factor(instance: CellularClustering) -> int:
    return 36 * _readings(instance)


def _within(statement: str, theorem: str) -> Guarantee:
    """Return the guarantee of all but the printed algorithm."""
    return Guarantee(
        statement=statement,
        theorem=theorem,
        hypotheses="the distances are a metric",
        ceiling=Times(factor),
        applies=_is_metric,
    )


THEOREM_3_5 = _within(
    'cost <= 3 * OPT, 6 * OPT unless centres are "input"', "[Aggarwal10] Theorem 3.5"
)

THEOREM_3_8 = Guarantee(
    statement='cost <= 36 * OPT, 72 * OPT unless centres are "input"',
    theorem="[Aggarwal10] Theorem 3.8",
    hypotheses="the distances are a metric and there are no facility costs",
    ceiling=Times(_printed_factor),
    applies=_is_printed,
)

THEOREM_3_8_REPAIRED = _within(
    "cost <= 16 * OPT, 16.5 * OPT with facility costs, 3 * OPT if r = 1, "
    'and twice that unless centres are "input"',
    "[Aggarwal10] Theorem 3.8, repaired",
)

OUTLIERS = _within(
    "cost <= 24.6 * OPT, 28.3 * OPT with facility costs, 4.1 * OPT if r = 1, "
    'and twice that unless centres are "input"',
    "[Aggarwal10] section 3.1, by the technique of [Charikar01]",
)

ALGORITHMS: Sequence[Algorithm[CellularClustering]] = (
    Algorithm(
        "cellular",
        "Primal-dual: clusters open when their points have paid for them",
        r_cellular,
        THEOREM_3_5,
        _refuses(outliers=False, r=False),
    ),
    Algorithm(
        "r-cellular",
        "Primal-dual, clusters share points, and are made disjoint; better centres",
        r_cellular,
        THEOREM_3_8_REPAIRED,
        _refuses(outliers=False),
    ),
    Algorithm(
        "r-cellular-printed",
        "Primal-dual, clusters share points, and are made disjoint; as printed",
        lambda instance, seed: r_cellular(instance, seed, printed=True),
        THEOREM_3_8,
        _refuses(outliers=False),
    ),
    Algorithm(
        "r-eps-cellular",
        "As r-cellular until few points are left, with a guess of the dearest cluster",
        r_eps_cellular,
        OUTLIERS,
        _refuses(outliers=True),
    ),
)
