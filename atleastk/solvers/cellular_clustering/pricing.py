"""Exact pricing: the clusters of the least reduced cost, or all up to a limit.

Let y be weights of the points, m the price of a cluster as such, and s_t >= 0 the price
of a triple of points t, to be paid by clusters that have two or three of its points.
The *reduced cost* of a cluster S of price d and fixed cost f is

    f + m + sum over S of (d - y_p) + sum over the triples t with |S & t| >= 2 of s_t.

Without triples a greedy choice gives the least one of a site: the required points, all
of y > d, and the heaviest others until there are enough (:func:`least_reduced`). With
triples, or to list all clusters of reduced cost up to a limit, a depth-first search
adds points in the order of their weights, and prunes what stays above the limit even if
triples are free (:func:`list_clusters`).

All numbers are integers: weights are multiples of 1 / scale, and so are all prices.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Self

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.sites import ANY, INPUT, MEMBER, Sites
from atleastk.solvers.compiled.arrays import longer
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.oracle import Prices

IMPOSSIBLE: Final = 2**62
"""The reduced cost of a site without clusters."""

_STEPS: Final = 2_000_000_000
"""Steps of a search in all: about a quarter of a minute."""


class PricedClusters(NamedTuple):
    """Clusters of some sites, in the order of these, and the reduced costs of each."""

    groups: Groups
    reduced: IntArray  # [cluster]


def least_reduced(sites: Sites, prices: Prices) -> IntArray:
    """Return for every site the least reduced cost of a cluster, triples being free.

    With centres "any", of one whose points may be further apart than the price says.
    """
    least: IntArray = _greedy(_priced(sites, prices), False)[0]
    return least


def greedy_clusters(sites: Sites, prices: Prices) -> PricedClusters:
    """Return the clusters that :func:`least_reduced` is about, one for each site."""
    least, sizes, members = _greedy(_priced(sites, prices), True)
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    return PricedClusters(_groups(sites, np.arange(len(least)), starts, members), least)


def list_clusters(
    sites: Sites,
    prices: Prices,
    limit: int,
    budget: Budget,
    most: int,
    *,
    best: bool = False,
    steps: int = _STEPS,
) -> PricedClusters | None:
    """Return all clusters of reduced cost up to a limit; of every site the best only.

    None if there are more than `most`, if the search takes too many steps, or if the
    budget is spent.
    """
    priced, triples = _priced(sites, prices), _triples(prices, sites.n)
    search = _Search.of(sites.n)
    with budget.flagging() as flag:
        complete, at, reduced, starts, members = _list(
            priced, triples, _Wanted(limit, best, most, steps), flag, search
        )
    if not complete:
        return None
    return PricedClusters(_groups(sites, at, starts, members), reduced)


def _groups(sites: Sites, at: IntArray, starts: IntArray, members: IntArray) -> Groups:
    """Return clusters, given their sites and points, with their costs and centres."""
    sizes: IntArray = np.diff(starts)
    cost = sites.fixed[at] + sizes * sites.price[at]
    return Groups.of(sites.n, starts, members, cost, sites.centre[at])


class _Priced(NamedTuple):
    """Sites and prices for loops; all prices are in units of 1 / scale."""

    distances: IntArray  # [point, point] as those of `Sites`
    rank: Int32Array  # [point, point] and so this
    reading: int  # and this
    fewest: int  # the least size that clusters need to have
    largest: int  # and the greatest
    centre: IntArray  # [site] its first point
    last: IntArray  # [site] its second point
    price: IntArray  # [site] what a cluster pays per point
    fixed: IntArray  # [site] and as such
    weights: IntArray  # [point]
    order: IntArray  # [point] heavy ones first


def _priced(sites: Sites, prices: Prices) -> _Priced:
    return _Priced(
        sites.distances,
        sites.rank,
        sites.reading,
        sites.least,
        sites.most,
        sites.centre,
        sites.last,
        sites.price * prices.scale,
        sites.fixed * prices.scale + prices.group,
        prices.weights,
        np.argsort(-prices.weights, kind="stable"),
    )


class _Triples(NamedTuple):
    """Triples of points that clusters pay for, and those that a cluster touches."""

    starts: IntArray  # [point + 1] of_point[starts[p]:starts[p + 1]] are those of p:
    of_point: IntArray  # [entry] the triples of every point
    price: IntArray  # [triple] what a cluster with two of its points pays
    taken: IntArray  # [triple] how many of its points the cluster at hand has


def _triples(prices: Prices, n: int) -> _Triples:
    point = prices.triples.ravel()
    order = np.argsort(point, kind="stable")
    starts = np.concatenate(([0], np.cumsum(np.bincount(point, minlength=n))))
    return _Triples(
        starts.astype(np.int64),
        (order // 3).astype(np.int64),
        prices.of_triples,
        np.zeros(len(prices.of_triples), dtype=np.int64),
    )


class _Wanted(NamedTuple):
    """Which clusters are to be listed."""

    limit: int  # the greatest reduced cost
    best: bool  # whether only the best one of every site is listed
    most: int  # how many are listed at most
    steps: int  # in how many steps


class _Search(NamedTuple):
    """The cluster that a search is at, and the points that may join it."""

    points: IntArray  # [place] those that the site may have, heavy ones first
    sums: IntArray  # [points + 1] what the first s add to the reduced cost
    chosen: IntArray  # [place] those of the cluster, the required ones first
    place: IntArray  # [place] of every chosen one, among `points`
    values: IntArray  # [points + 1] the reduced cost of the first s chosen ones

    @classmethod
    def of(cls, n: int) -> Self:
        """Return room for a search among n points."""
        sizes = (n, n + 1, n + 2, n + 2, n + 3)
        return cls(*(np.zeros(size, dtype=np.int64) for size in sizes))


@compiled
def _may_join(priced: _Priced, centre: int, last: int, point: int) -> bool:
    """Return whether a point is optional at a site."""
    distances, rank, reading = priced.distances, priced.rank, priced.reading
    if point == last:
        return False
    if reading == ANY:
        price = distances[centre, last]
        within = distances[centre, point] <= price and distances[last, point] <= price
        return point != centre and within
    if reading == MEMBER and point == centre:
        return False
    return bool(rank[centre, point] < rank[centre, last])


@compiled
def _greedy(priced: _Priced, listed: bool) -> tuple[IntArray, IntArray, IntArray]:
    """Return the least reduced cost of every site, and the clusters that have it.

    That is how many points they have, and which, one cluster after the other: none
    unless `listed`.
    """
    centre, last, price, fixed = priced.centre, priced.last, priced.price, priced.fixed
    fewest, largest, weights = priced.fewest, priced.largest, priced.weights
    least = np.empty(len(centre), dtype=np.int64)
    sizes = np.zeros(len(centre), dtype=np.int64)
    members = np.empty(1024, dtype=np.int64)
    used = 0
    for s in range(len(centre)):
        if listed and used + len(weights) > len(members):
            members = longer(members, 2 * len(members) + len(weights))
        value, size = fixed[s] + price[s] - weights[last[s]], 1
        if listed:
            members[used] = last[s]
        if priced.reading != INPUT and centre[s] != last[s]:
            if listed:
                members[used + 1] = centre[s]
            value += price[s] - weights[centre[s]]
            size += 1
        # Heavy points join as long as they lower the cost, or are too few.
        for p in priced.order:
            slack = price[s] - weights[p]
            if size >= largest or (size >= fewest and slack >= 0):
                break
            if _may_join(priced, centre[s], last[s], p):
                if listed:
                    members[used + size] = p
                value += slack
                size += 1
        least[s] = value if fewest <= size <= largest else IMPOSSIBLE
        sizes[s] = size
        if listed:
            used += size
    return least, sizes, members[:used].copy()


@compiled
def _list(
    priced: _Priced,
    triples: _Triples,
    wanted: _Wanted,
    flag: ByteArray,  # [1]
    search: _Search,
) -> tuple[bool, IntArray, IntArray, IntArray, IntArray]:
    """List clusters site by site; return whether all are listed, and these.

    Of every cluster the site, the reduced cost, and where its points start among those
    of all. A cluster is completed by points in their order. The least that this could
    come to is what it costs with the first points that follow, as many as are of use.
    The number of clusters is exponential.
    """
    points, sums, values = search.points, search.sums, search.values
    chosen, place = search.chosen, search.place
    sites, reduced = np.empty(64, np.int64), np.empty(64, np.int64)
    starts, members = np.zeros(65, np.int64), np.empty(1024, np.int64)
    found, steps = 0, 0
    for s in range(len(priced.centre)):
        price = priced.price[s]
        forced, length, gains = _begin(priced, triples, s, search)
        begun, bar = found, wanted.limit
        size, at, fresh = forced, 0, True
        while True:
            # Listed is what has the chosen points, if they are not fresh, and what has
            # one before `at` in addition to them.
            steps += 1
            if steps > wanted.steps or flag[0] != 0:
                return False, sites, reduced, starts, members
            fits = priced.fewest <= size <= priced.largest
            if fresh and fits and values[size] <= bar:
                if wanted.best:
                    bar = values[size] - 1
                    found = begun
                if found == wanted.most:
                    return False, sites, reduced, starts, members
                if found == len(sites):
                    room = 2 * found
                    sites, reduced = longer(sites, room), longer(reduced, room)
                    starts = longer(starts, room + 1)
                used = starts[found]
                if used + size > len(members):
                    members = longer(members, 2 * len(members) + size)
                for i in range(size):
                    members[used + i] = chosen[i]
                sites[found], reduced[found] = s, values[size]
                found += 1
                starts[found] = used + size
            fresh = False
            # Points are taken as long as they are needed, or of use.
            needed = max(1, priced.fewest - size)
            further = min(max(needed, gains - at), priced.largest - size, length - at)
            if further < needed or values[size] + sums[at + further] - sums[at] > bar:
                if size == forced:
                    break
                size -= 1
                _give(triples, chosen[size])
                at = place[size] + 1
                continue
            p = points[at]
            at += 1
            if priced.reading == ANY and _is_apart(priced, s, chosen, forced, size, p):
                continue
            chosen[size], place[size] = p, at - 1
            paid = price - priced.weights[p] + _take(triples, p)
            values[size + 1] = values[size] + paid
            size += 1
            fresh = True
        for i in range(forced):
            _give(triples, chosen[i])
    end = starts[found]
    return True, sites[:found], reduced[:found], starts[: found + 1], members[:end]


@compiled
def _begin(
    priced: _Priced, triples: _Triples, s: int, search: _Search
) -> tuple[int, int, int]:
    """Choose the points that a site must have, and line up those that may join.

    Return how many they are, and how many of the latter make a cluster cheaper: these
    come first, for they weigh more than the price.
    """
    centre, last, price = priced.centre[s], priced.last[s], priced.price[s]
    chosen, values = search.chosen, search.values
    chosen[0], chosen[1] = last, centre
    forced = 2 if priced.reading != INPUT and centre != last else 1
    values[0] = priced.fixed[s]
    for i in range(forced):
        paid = price - priced.weights[chosen[i]]
        values[i + 1] = values[i] + paid + _take(triples, chosen[i])
    length, gains = 0, 0
    for p in priced.order:
        if _may_join(priced, centre, last, p):
            added = price - priced.weights[p]
            search.points[length] = p
            search.sums[length + 1] = search.sums[length] + added
            length += 1
            if added < 0:
                gains = length
    return forced, length, gains


@compiled
def _is_apart(
    priced: _Priced, s: int, chosen: IntArray, forced: int, size: int, point: int
) -> bool:
    """Return whether a point is too far from a chosen one."""
    diameter = priced.distances[priced.centre[s], priced.last[s]]
    for i in range(forced, size):
        if priced.distances[chosen[i], point] > diameter:
            return True
    return False


@compiled
def _take(triples: _Triples, point: int) -> int:
    """Add a point to the triples; return what the cluster pays more for them."""
    paid = 0
    for i in range(triples.starts[point], triples.starts[point + 1]):
        t = triples.of_point[i]
        triples.taken[t] += 1
        if triples.taken[t] == 2:
            paid += triples.price[t]
    return paid


@compiled
def _give(triples: _Triples, point: int) -> None:
    """Remove a point from the triples: undo :func:`_take`."""
    for i in range(triples.starts[point], triples.starts[point + 1]):
        triples.taken[triples.of_point[i]] -= 1
