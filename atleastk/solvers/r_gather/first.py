"""Start heuristics of r-gather, and the clusters of given centres.

Blocks of a tree, without the widest of them, are the first of all. At a radius,
greedy centres are points that no chosen ball holds yet; if a flow can give each of them
r points then that is a solution. In a metric space this
succeeds at twice the optimum at the latest, without limits on clusters and outliers
[Aggarwal10, Theorem 2.3]. Without the triangle inequality, or with limits, larger radii
are tried until one succeeds or nothing is left to try. With a limit on clusters the
algorithms for (k, r)-centers come first
(:mod:`atleastk.solvers.r_gather.algorithms.catalogue`), and so they do for many points
in the plane.

Centres that are anywhere: their clusters are those of the same centres, of at most
twice the radius as their diameter in a metric space.

References
----------
[Aggarwal10] G. Aggarwal, R. Panigrahy, T. Feder, D. Thomas, K. Kenthapadi, S. Khuller,
A. Zhu: Achieving anonymity via clustering. ACM Transactions on Algorithms 6(3), 2010.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from math import sqrt
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, IntArray, distinct
from atleastk.instances.clustering import Clustering
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.r_gather import RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.instances.spaces.near_points import ball_of, is_indexed
from atleastk.models.certificates.clustering import too_few
from atleastk.models.clustering import (
    ClusteringSolution,
    best_centre,
    completed,
    solution_of,
)
from atleastk.models.r_gather import check
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution
from atleastk.packages import spatial
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.blocks import (
    FEW,
    Cut,
    coordinates_of,
    first_clusters,
)
from atleastk.solvers.clustering.neighbourhoods import (
    Balls,
)
from atleastk.solvers.engine.in_time import result_within
from atleastk.solvers.r_gather.algorithms.catalogue import k_r_center, k_r_eps_center
from atleastk.solvers.r_gather.algorithms.clusters import CentredClusters
from atleastk.solvers.r_gather.flow import Filling, fill, with_rest
from atleastk.solvers.search import Search

_REACHES: Final = (1000, 1010, 1020, 1040, 1080, 1160, 1320, 1640)
"""Radii that lonely points try, in thousandths of the bound: not tuned."""


def first_answers(instance: RGather) -> Iterator[tuple[str, ClusteringSolution]]:
    """Yield named solutions, some of which may join points that are too far apart.

    Those of all clusterings, the blocks without the outliers that help most or without
    wide ones, and of few points clusters about centres that are far apart. Blocks can
    spare an outlier: of 60,000 points, r = 3, with 600 that are 4 % narrower.
    """
    if too_few(instance):
        return
    spare = int(instance.max_outliers > 0 and not instance.any_centre)
    blocks = yield from first_clusters(instance, spare)
    if blocks is not None and not instance.any_centre:
        if instance.max_outliers:
            yield "nearest of blocks", _nearest_of(instance, *blocks)
        elif is_indexed(instance.space):
            yield "narrow blocks", _narrow_of(instance, *blocks)
    if instance.n <= FEW and instance.least_clustered:
        yield "far centres", _about_far_centres(instance)


def _nearest_of(instance: RGather, cut: Cut, centres: IntArray) -> ClusteringSolution:
    """Return blocks of the least radius at which few enough points are left out.

    These are the points farther from the centre of their block, and all of a block in
    which fewer than r are within the radius. Smaller radii leave out more, so the least
    is found by bisection: O(n log n).
    """
    order, starts = cut
    block = np.repeat(np.arange(len(centres)), np.diff(starts))
    away = instance.space.apart(centres[block], order)

    def within(radius: int) -> BoolArray:
        near = away <= radius
        kept = np.bincount(block[near], minlength=len(centres)) >= instance.r
        found: BoolArray = near & kept[block]
        return found

    radii = distinct(away)
    enough = bisect_left(
        radii,
        instance.least_clustered,
        key=lambda radius: int(within(radius).sum()),
        hi=len(radii) - 1,
    )
    inside = within(radii[enough])
    groups = PackedGroups.runs(order[inside], block[inside])
    used = block[inside][groups.starts[:-1]]
    return solution_of(groups, centres[used].tolist(), order[~inside].tolist())


def _narrow_of(instance: RGather, cut: Cut, centres: IntArray) -> ClusteringSolution:
    """Return blocks without the widest, whose points join the nearest other centres.

    Four times as many are given up as long as the radius does not rise.
    """
    order, starts = cut
    space, places = instance.space, coordinates_of(instance.space)
    assert places is not None  # it is indexed
    block = np.repeat(np.arange(len(centres)), np.diff(starts))
    radii = np.maximum.reduceat(space.apart(centres[block], order), starts[:-1])
    widest = np.argsort(-radii, kind="stable")
    best, home, many = int(radii.max()), block, 1 + len(centres) // 1_000
    while 8 * many < len(centres):
        gone = np.zeros(len(centres), dtype=np.bool_)
        gone[widest[:many]] = True
        kept, free = np.flatnonzero(~gone), gone[block]
        _, found = spatial.KDTree(places[centres[kept]]).query(places[order[free]])
        reached = space.apart(centres[kept[found]], order[free]).max()
        radius = max(int(radii[widest[many]]), int(reached))
        if radius > best:
            break
        best, home, many = radius, block.copy(), 4 * many
        home[free] = kept[found]
    labels = np.empty_like(home)
    labels[order] = home
    groups = PackedGroups.labelled(labels)
    used = labels[groups.items[groups.starts[:-1]]]
    return solution_of(groups, centres[used].tolist())


def _about_far_centres(instance: RGather) -> ClusteringSolution:
    """Return the most clusters of the nearest points to centres far from each other.

    Every centre is the point farthest from those before it. O(n^2 / r).
    """
    n = instance.n
    centres, home = [0], np.zeros(n, dtype=np.int64)
    nearest_centre, last = instance.space.row(0), home
    while len(centres) < instance.most_clusters:
        centres.append(int(nearest_centre.argmax()))
        far = instance.space.row(centres[-1])
        home = np.where(far < nearest_centre, len(centres) - 1, home)
        nearest_centre = np.minimum(nearest_centre, far)
        if np.bincount(home, minlength=len(centres)).min() >= instance.r:
            last = home
    return completed(instance, Solution.labelled(last))


def offer_quickly(search: Search[RGather], part: Budget) -> None:
    """Offer the clusters of an approximation algorithm if there are many points."""
    instance = search.instance
    if instance.limited or instance.max_outliers or not is_indexed(instance.space):
        return
    solution = result_within(part, partial(_by_algorithm, instance))
    if solution is not None:
        search.offer_if_feasible(solution, "r-gather")


def begin(search: Search[RGather], nearest_r: IntArray, least: IntArray) -> None:
    """Offer a first solution, if one is found soon.

    Radii are quadrupled until one succeeds; then smaller ones are tried. Lonely points
    come first, unless they may be outliers: of 10,000 points, r = 3, that took 7 s, and
    ended at twice the cost that local search has after 2 s.

    Parameters
    ----------
    nearest_r, least
        The distance of every point to the r-th nearest, and the least radius of a
        cluster that could hold it.
    """
    instance = search.instance
    if not instance.max_outliers:
        offer_lonely_first(search, nearest_r, least)
    if search.done:
        return
    if instance.limited and instance.points is not None:
        part = search.budget.slice(search.budget.remaining / 3)
        solution = result_within(part, partial(_by_algorithm, instance))
        if solution is not None:
            search.offer(solution, "k-center")
            better = result_within(part, partial(recentred, instance, solution))
            search.offer(better or solution, "k-center")
    failed, radius = 0.0, float(max(1, search.bound or 0))
    found = _offer(search, nearest_r, search.bound or 0)
    known = FAR if instance.any_centre else (search.cost or FAR)
    while not found and radius < known and not search.done:
        failed, radius = radius, float(instance.stretched(int(radius), 4))
        found = _offer(search, nearest_r, int(min(radius, FAR - 1)))
    for _ in range(4):  # radii between failure and success
        if search.done or search.cost is None or failed == 0.0:
            return
        middle = sqrt(failed * min(radius, search.cost))
        if _offer(search, nearest_r, int(middle)):
            radius = middle
        else:
            failed = middle


def gathered(
    instance: Clustering, centres: IntArray, balls: Balls
) -> ClusteringSolution | None:
    """Return the clusters of these centres within their balls; None if there are none.

    Points in no ball are outliers; there may be too many.
    """
    return _clusters(instance, centres, balls, _filled(instance, centres, balls))


def _filled(instance: Clustering, centres: IntArray, balls: Balls) -> Filling:
    """Give each of these centres r points of its ball, as far as that is possible."""
    own = centres if instance.centres == "member" else None
    return fill(balls, instance.n, instance.r, own)


def _clusters(
    instance: Clustering, centres: IntArray, balls: Balls, filling: Filling
) -> ClusteringSolution | None:
    """Return the clusters of filled centres, None if one lacks points."""
    if not filling.complete:
        return None
    home = with_rest(balls, filling.home)
    if int((home < 0).sum()) > instance.max_outliers:
        return None
    return CentredClusters(centres, home).solution(instance)


def _by_algorithm(instance: RGather) -> ClusteringSolution | None:
    """Return clusters of a limited number; None if rounding broke the triangles."""
    try:
        return (k_r_eps_center if instance.max_outliers else k_r_center)(instance, 0)
    except NotApplicableError:
        return None


def recentred(
    instance: RGather, solution: ClusteringSolution
) -> ClusteringSolution | None:
    """Return the same clusters about their best centres, if they have any."""
    if instance.any_centre:
        return None
    centres = [best_centre(instance, group)[1] for group in solution.groups]
    return solution_of(solution.groups, centres, solution.outliers)


def _offer(search: Search[RGather], nearest_r: IntArray, radius: int) -> bool:
    """Offer clusters about points that no other centre's ball holds."""
    order = np.argsort(nearest_r, kind="stable")
    able = nearest_r <= radius
    found = _about(search, order[able[order]], radius, lambda point: point)
    solution = None if found is None else gathered(search.instance, *found)
    if solution is None:
        return False
    if search.instance.any_centre and not check(search.instance, solution).feasible:
        return False
    search.offer(solution, "greedy")
    return True


def _about(
    search: Search[RGather],
    order: IntArray,
    radius: int,
    centre_for: Callable[[int], int],
) -> tuple[IntArray, Balls] | None:
    """Return centres, one for each point that is in no ball yet, and their balls."""
    instance = search.instance
    covered = np.zeros(instance.n, dtype=np.bool_)
    centres: list[int] = []
    inside: list[IntArray] = []
    for p in order.tolist():
        if covered[p]:
            continue
        if len(centres) == instance.most_clusters or search.budget.spent:
            return None
        centres.append(centre_for(p))
        inside.append(ball_of(instance.space, centres[-1], radius))
        covered[inside[-1]] = True
    balls = Balls.of_all(inside)
    return np.array(centres, dtype=np.int64), balls


def offer_lonely_first(
    search: Search[RGather], nearest_r: IntArray, least: IntArray
) -> None:
    """Offer clusters of the least radius at which lonely points find centres.

    Radii are raised from the bound, in larger and larger steps, then bisected.
    """
    instance, bound = search.instance, search.bound
    if instance.any_centre or instance.limited or not bound:
        return
    order = np.argsort(-least, kind="stable")

    def works(reach: int) -> bool:
        radius = int(instance.stretched(bound, Fraction(reach, 1000)))
        return _offer_lonely_first(search, order, nearest_r, least, radius)

    failed = 1000
    for reach in _REACHES:
        if search.done:
            return
        if works(reach):
            break
        failed = reach
    else:
        return
    while reach - failed > 10 and not search.done:
        middle = (failed + reach) // 2
        if works(middle):
            reach = middle
        else:
            failed = middle


def _offer_lonely_first(
    search: Search[RGather],
    order: IntArray,
    nearest_r: IntArray,
    least: IntArray,
    radius: int,
) -> bool:
    """Offer clusters of a radius, the loneliest points choosing their centres first.

    That is the nearest point with r points about it. Centres that cannot have r points
    beside the others are left out next time.
    """
    instance = search.instance
    if radius >= (search.cost or FAR):
        return False
    able, barred = nearest_r <= radius, np.zeros(instance.n, dtype=np.bool_)

    def centre_for(point: int) -> int:
        near = ball_of(instance.space, point, radius)
        near = near[able[near]]
        rest = near[~barred[near]]
        among = rest if len(rest) else near
        lengths = instance.space.apart(np.array(point), among)
        return int(among[lengths.argmin()])

    for _ in range(6):  # the second mostly works where the first does not
        found = _about(search, order[least[order] <= radius], radius, centre_for)
        if found is None:
            return False
        filling = _filled(instance, *found)
        solution = _clusters(instance, *found, filling)
        if solution is not None:
            search.offer(solution, "lonely first")
            return True
        if filling.complete:
            return False
        barred[found[0][filling.deficient]] = True
    return False
