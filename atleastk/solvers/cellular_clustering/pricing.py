"""Pricing: the clusters that weights make attractive, found exactly.

Let y be weights of the points, m the price of a cluster as such, and s_t >= 0 the price
of a triple of points t, to be paid by clusters that have two or three of its points.
The *reduced cost* of a cluster S of price d and fixed cost f is

    f + m + sum over S of (d - y_p) + sum over the triples t with |S & t| >= 2 of s_t.

Without triples the least one of a site is found by taking what must be taken, all
points of y > d, and the greatest of the others until there are enough
(:func:`least_reduced`). With them, or to list all clusters of reduced cost up to a
limit, a depth-first search takes points in the order of their weights, and leaves
what cannot come below the limit even if triples are free (:func:`list_clusters`).

All numbers are integers: weights are multiples of 1 / scale, and so are all prices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.sites import ANY, INPUT, MEMBER, Sites
from atleastk.solvers.compiled.arrays import longer
from atleastk.solvers.compiled.compile import compiled

__all__ = [
    "IMPOSSIBLE",
    "Clusters",
    "Prices",
    "greedy_clusters",
    "least_reduced",
    "list_clusters",
]


IMPOSSIBLE: Final = 2**62
"""The reduced cost of a site without clusters."""

_STEPS: Final = 2_000_000_000
"""Steps of a search in all: about a quarter of a minute."""


@dataclass(frozen=True, slots=True, eq=False)
class Prices:
    """Weights of points, prices of clusters and of triples, in units of 1 / scale.

    Attributes
    ----------
    triples
        Rows of three points.
    """

    scale: int
    weights: IntArray
    cluster: int
    triples: IntArray
    of_triples: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Clusters, in the order of their sites.

    Attributes
    ----------
    complete
        Whether all that were asked for are listed.
    site
        The index of the site of every cluster.
    starts, members
        The points of cluster g are ``members[starts[g]:starts[g + 1]]``.
    reduced
        The reduced cost of every cluster.
    """

    complete: bool
    site: IntArray
    starts: IntArray
    members: IntArray
    reduced: IntArray

    @property
    def count(self) -> int:
        """The number of clusters."""
        return len(self.site)

    @property
    def sizes(self) -> IntArray:
        """The number of points of every cluster."""
        return np.diff(self.starts)

    def only(self, chosen: IntArray) -> Clusters:
        """Return the chosen clusters, in that order."""
        sizes = self.sizes[chosen]
        starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        entries = np.arange(starts[-1]) + np.repeat(
            self.starts[:-1][chosen] - starts[:-1], sizes
        )
        return Clusters(
            self.complete,
            self.site[chosen],
            starts,
            self.members[entries],
            self.reduced[chosen],
        )


def least_reduced(sites: Sites, prices: Prices) -> IntArray:
    """Return for every site the least reduced cost of a cluster, triples being free.

    With centres "any", of one whose points may be further apart than the price says.
    """
    return _least(_priced(sites, prices))


def greedy_clusters(sites: Sites, prices: Prices, least: IntArray) -> Clusters:
    """Return the clusters that :func:`least_reduced` is about, one for each site.

    `least` is what it returned.
    """
    members, sizes = _greedy(_priced(sites, prices))
    starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    return Clusters(
        True,
        np.arange(sites.count),
        starts,
        members,
        least,
    )


def list_clusters(
    sites: Sites,
    prices: Prices,
    limit: int,
    budget: Budget,
    most: int,
    *,
    best: bool = False,
    steps: int = _STEPS,
) -> Clusters:
    """Return all clusters of reduced cost up to a limit; of every site the best only.

    The list is not complete if there are more than `most`, if the search takes too many
    steps, or if the budget is spent.
    """
    wanted = _Wanted(limit, best, most, steps)
    with budget.flagging() as flag:
        complete, listed = _list(
            _priced(sites, prices), _triples(prices, sites.n), wanted, flag
        )
    found = int(listed.found[0])
    starts = listed.ends[: found + 1].copy()
    return Clusters(
        complete,
        listed.site[:found].copy(),
        starts,
        listed.members[: starts[-1]].copy(),
        listed.reduced[:found].copy(),
    )


class _Priced(NamedTuple):
    """Sites and prices for loops; all prices are in units of 1 / scale.

    Attributes
    ----------
    distances, rank, reading
        As those of :class:`~atleastk.solvers.cellular_clustering.sites.Sites`.
    fewest, largest
        The sizes that clusters need to have.
    centre, last
        The two points of every site.
    price, fixed
        By site what a cluster pays per point, and as such.
    weights
        By point.
    order
        The points, heavy ones first.
    """

    distances: IntArray
    rank: Int32Array
    reading: int
    fewest: int
    largest: int
    centre: IntArray
    last: IntArray
    price: IntArray
    fixed: IntArray
    weights: IntArray
    order: IntArray


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
        sites.fixed * prices.scale + prices.cluster,
        prices.weights,
        np.argsort(-prices.weights, kind="stable"),
    )


class _Triples(NamedTuple):
    """Triples of points that clusters pay for, and those that a cluster touches.

    Attributes
    ----------
    starts, of_point
        The triples of point p are ``of_point[starts[p]:starts[p + 1]]``.
    price
        By triple what a cluster with two of its points pays.
    taken
        By triple how many of its points the cluster has that is being searched.
    """

    starts: IntArray
    of_point: IntArray
    price: IntArray
    taken: IntArray


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
    """What clusters are asked for.

    Attributes
    ----------
    limit
        The greatest reduced cost.
    best
        Whether only the best ones of every site are.
    most, steps
        How many clusters are listed at most, and in how many steps.
    """

    limit: int
    best: bool
    most: int
    steps: int


class _Listed(NamedTuple):
    """The clusters that are listed so far, and room for more.

    Attributes
    ----------
    site, reduced
        By cluster.
    ends
        The points of cluster g are ``members[ends[g]:ends[g + 1]]``.
    members
        The points of all clusters.
    found
        How many clusters there are, one number.
    """

    site: IntArray
    reduced: IntArray
    ends: IntArray
    members: IntArray
    found: IntArray


class _Search(NamedTuple):
    """The cluster that a search is at, and the points that may join it.

    Attributes
    ----------
    points
        Those that the site may have, heavy ones first.
    sums
        By number of points what the first so many of them add to the reduced cost.
    chosen
        The points of the cluster, first those that the site must have.
    place
        For every chosen point its place among ``points``.
    values
        By number of chosen points the reduced cost of the first so many.
    steps
        How many steps all searches took, one number.
    """

    points: IntArray
    sums: IntArray
    chosen: IntArray
    place: IntArray
    values: IntArray
    steps: IntArray


@compiled
def _may_join(priced: _Priced, centre: int, last: int, point: int) -> bool:
    """Tell whether a site may have a point beside those that it must have."""
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
def _least(priced: _Priced) -> IntArray:
    """Return the least reduced cost of every site."""
    centre, last, price, fixed = priced.centre, priced.last, priced.price, priced.fixed
    fewest, largest, weights = priced.fewest, priced.largest, priced.weights
    least = np.empty(len(centre), dtype=np.int64)
    for s in range(len(centre)):
        value = fixed[s] + price[s] - weights[last[s]]
        size = 1
        if priced.reading != INPUT and centre[s] != last[s]:
            value += price[s] - weights[centre[s]]
            size += 1
        # Heavy points join as long as they lower the cost, or are too few.
        for p in priced.order:
            slack = price[s] - weights[p]
            if size >= largest or (size >= fewest and slack >= 0):
                break
            if _may_join(priced, centre[s], last[s], p):
                value += slack
                size += 1
        least[s] = value if fewest <= size <= largest else IMPOSSIBLE
    return least


@compiled
def _greedy(priced: _Priced) -> tuple[IntArray, IntArray]:
    """Return the points of the best cluster of every site, and how many they are."""
    centre, last, price = priced.centre, priced.last, priced.price
    fewest, largest, weights = priced.fewest, priced.largest, priced.weights
    sizes = np.zeros(len(centre), dtype=np.int64)
    members = np.empty(1024, dtype=np.int64)
    used = 0
    for s in range(len(centre)):
        if used + len(weights) > len(members):
            members = longer(members, 2 * len(members) + len(weights))
        begun = used
        members[used] = last[s]
        used += 1
        if priced.reading != INPUT and centre[s] != last[s]:
            members[used] = centre[s]
            used += 1
        # As in _least: heavy points join while they lower the cost, or are too few.
        for p in priced.order:
            size = used - begun
            if size >= largest or (size >= fewest and price[s] >= weights[p]):
                break
            if _may_join(priced, centre[s], last[s], p):
                members[used] = p
                used += 1
        sizes[s] = used - begun
    return members[:used].copy(), sizes


@compiled
def _list(
    priced: _Priced, triples: _Triples, wanted: _Wanted, flag: ByteArray
) -> tuple[bool, _Listed]:
    """List clusters, and tell whether all are listed; their number is exponential."""
    n = len(priced.weights)
    listed = _Listed(
        np.empty(1024, dtype=np.int64),
        np.empty(1024, dtype=np.int64),
        np.zeros(1025, dtype=np.int64),
        np.empty(8192, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )
    search = _Search(
        np.empty(n, dtype=np.int64),
        np.zeros(n + 1, dtype=np.int64),
        np.empty(n + 2, dtype=np.int64),
        np.empty(n + 2, dtype=np.int64),
        np.empty(n + 3, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )
    for s in range(len(priced.centre)):
        complete, listed = _list_site(priced, triples, wanted, flag, s, search, listed)
        if not complete:
            return False, listed
    return True, listed


@compiled
def _list_site(
    priced: _Priced,
    triples: _Triples,
    wanted: _Wanted,
    flag: ByteArray,
    s: int,
    search: _Search,
    listed: _Listed,
) -> tuple[bool, _Listed]:
    """List the clusters of a site, and tell whether all of them are listed.

    A cluster is completed by points in their order. The least that this could come to
    is what it costs with the first points that follow, as many as are of use.
    """
    points, sums, values = search.points, search.sums, search.values
    chosen, weights, price = search.chosen, priced.weights, priced.price[s]
    forced = _begin(priced, triples, s, search)
    length, gains = _line_up(priced, s, search)
    begun, bar, steps = listed.found[0], wanted.limit, search.steps[0]
    size, at, fresh, complete = forced, 0, True, True
    while True:
        # Listed is what has the chosen points, if they are not fresh, and what has one
        # before `at` in addition to them.
        steps += 1
        if steps > wanted.steps or flag[0] != 0:
            complete = False
            break
        if fresh and priced.fewest <= size <= priced.largest and values[size] <= bar:
            if wanted.best:
                bar = values[size] - 1
                listed.found[0] = begun
            if listed.found[0] == wanted.most:
                complete = False
                break
            listed = _with_room(listed, size)
            _write(listed, s, values[size], chosen, size)
        fresh = False
        # Points are taken as long as they are needed, or of use.
        needed = max(1, priced.fewest - size)
        further = min(max(needed, gains - at), priced.largest - size, length - at)
        if further < needed or values[size] + sums[at + further] - sums[at] > bar:
            if size == forced:
                break
            size -= 1
            _give(triples, chosen[size])
            at = search.place[size] + 1
            continue
        p = points[at]
        if priced.reading == ANY and _is_apart(priced, s, search, forced, size, p):
            at += 1
            continue
        chosen[size], search.place[size] = p, at
        values[size + 1] = values[size] + price - weights[p] + _take(triples, p)
        size += 1
        at += 1
        fresh = True
    search.steps[0] = steps
    for i in range(forced):
        _give(triples, chosen[i])
    return complete, listed


@compiled
def _begin(priced: _Priced, triples: _Triples, s: int, search: _Search) -> int:
    """Choose the points that a site must have; return how many they are."""
    chosen, values = search.chosen, search.values
    chosen[0] = priced.last[s]
    size = 1
    if priced.reading != INPUT and priced.centre[s] != priced.last[s]:
        chosen[1] = priced.centre[s]
        size = 2
    values[0] = priced.fixed[s]
    for i in range(size):
        paid = priced.price[s] - priced.weights[chosen[i]]
        values[i + 1] = values[i] + paid + _take(triples, chosen[i])
    return size


@compiled
def _line_up(priced: _Priced, s: int, search: _Search) -> tuple[int, int]:
    """Line up the points that may join; return their number, and how many lower it.

    These come first, for they weigh more than the price.
    """
    centre, last, price = priced.centre[s], priced.last[s], priced.price[s]
    length, gains = 0, 0
    for p in priced.order:
        if _may_join(priced, centre, last, p):
            added = price - priced.weights[p]
            search.points[length] = p
            search.sums[length + 1] = search.sums[length] + added
            length += 1
            if added < 0:
                gains = length
    return length, gains


@compiled
def _is_apart(
    priced: _Priced, s: int, search: _Search, forced: int, size: int, point: int
) -> bool:
    """Tell whether a point is too far from one that was chosen."""
    diameter = priced.distances[priced.centre[s], priced.last[s]]
    for i in range(forced, size):
        if priced.distances[search.chosen[i], point] > diameter:
            return True
    return False


@compiled
def _with_room(listed: _Listed, size: int) -> _Listed:
    """Return the same list with room for one more cluster."""
    site, reduced, ends, members = (
        listed.site,
        listed.reduced,
        listed.ends,
        listed.members,
    )
    if listed.found[0] + 1 == len(site):
        site = longer(site, 2 * len(site))
        reduced = longer(reduced, len(site))
        ends = longer(ends, len(site) + 1)
    if ends[listed.found[0]] + size > len(members):
        members = longer(members, 2 * len(members) + size)
    return _Listed(site, reduced, ends, members, listed.found)


@compiled
def _write(listed: _Listed, s: int, reduced: int, chosen: IntArray, size: int) -> None:
    """Add a cluster to the list."""
    found = listed.found[0]
    used = listed.ends[found]
    for i in range(size):
        listed.members[used + i] = chosen[i]
    listed.site[found], listed.reduced[found] = s, reduced
    listed.ends[found + 1] = used + size
    listed.found[0] = found + 1


@compiled
def _take(triples: _Triples, point: int) -> int:
    """Return what a point makes a cluster pay for triples."""
    paid = 0
    for i in range(triples.starts[point], triples.starts[point + 1]):
        t = triples.of_point[i]
        triples.taken[t] += 1
        if triples.taken[t] == 2:
            paid += triples.price[t]
    return paid


@compiled
def _give(triples: _Triples, point: int) -> None:
    """Undo what :func:`_take` noted."""
    for i in range(triples.starts[point], triples.starts[point + 1]):
        triples.taken[triples.of_point[i]] -= 1
