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
"""Of a search in all: a quarter of a minute."""


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
    n = sites.n
    point = prices.triples.ravel()
    order = np.argsort(point, kind="stable")
    starts = np.concatenate(([0], np.cumsum(np.bincount(point, minlength=n))))
    with budget.flagging() as flag:
        complete, site, ends, members, reduced = _list(
            _priced(sites, prices),
            starts.astype(np.int64),
            (order // 3).astype(np.int64),
            prices.of_triples,
            limit,
            best,
            most,
            steps,
            flag,
        )
    return Clusters(complete, site, ends, members, reduced)


class _Priced(NamedTuple):
    """Sites and scaled prices for loops, and the points in order, heavy ones first."""

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
        for p in priced.order:
            slack = price[s] - weights[p]
            if size >= largest or (size >= fewest and slack >= 0):
                break
            if _may_join(priced, centre[s], last[s], p):
                value += slack
                size += 1
        least[s] = value if fewest <= size <= largest else 2**62
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
    priced: _Priced,
    triple_starts: IntArray,
    triples: IntArray,
    of_triples: IntArray,
    limit: int,
    best: bool,
    most: int,
    most_steps: int,
    flag: ByteArray,
) -> tuple[bool, IntArray, IntArray, IntArray, IntArray]:
    """Return whether all are listed; site, ends, members, reduced cost of clusters."""
    centre, last, price, fixed = priced.centre, priced.last, priced.price, priced.fixed
    fewest, largest, weights = priced.fewest, priced.largest, priced.weights
    distances, reading = priced.distances, priced.reading
    n = len(weights)
    site = np.empty(1024, dtype=np.int64)
    reduced = np.empty(1024, dtype=np.int64)
    ends = np.zeros(1025, dtype=np.int64)
    members = np.empty(8192, dtype=np.int64)
    found = steps = 0
    complete = True
    taken_of = np.zeros(len(of_triples), dtype=np.int64)
    point = np.empty(n, dtype=np.int64)
    sums = np.zeros(n + 1, dtype=np.int64)
    chosen = np.empty(n + 2, dtype=np.int64)
    place = np.empty(n + 2, dtype=np.int64)
    values = np.empty(n + 3, dtype=np.int64)
    for s in range(len(centre)):
        c, q, d = centre[s], last[s], price[s]
        taken_of[:] = 0
        values[0] = fixed[s]
        size = 1
        chosen[0] = q
        values[1] = values[0] + d - weights[q]
        values[1] += _take(q, triple_starts, triples, of_triples, taken_of)
        if reading != INPUT and c != q:
            chosen[1] = c
            size = 2
            values[2] = values[1] + d - weights[c]
            values[2] += _take(c, triple_starts, triples, of_triples, taken_of)
        forced = size
        length = gains = 0
        for p in priced.order:
            if _may_join(priced, c, q, p):
                point[length] = p
                sums[length + 1] = sums[length] + d - weights[p]
                length += 1
                if d < weights[p]:
                    gains = length
        at = 0
        bar = limit
        begun = found
        fresh = True
        while True:
            steps += 1
            if steps > most_steps or flag[0] != 0:
                complete = False
                break
            if fresh and fewest <= size <= largest and values[size] <= bar:
                if best:
                    bar = values[size] - 1
                    found = begun
                if found == most:
                    complete = False
                    break
                if found + 1 == len(site):
                    site = longer(site, 2 * len(site))
                    reduced = longer(reduced, len(site))
                    ends = longer(ends, len(site) + 1)
                used = ends[found]
                if used + size > len(members):
                    members = longer(members, 2 * len(members) + size)
                for i in range(size):
                    members[used + i] = chosen[i]
                site[found], reduced[found] = s, values[size]
                found += 1
                ends[found] = used + size
            fresh = False
            needed = max(1, fewest - size)
            further = min(max(needed, gains - at), largest - size, length - at)
            least = bar + 1
            if further >= needed:
                least = values[size] + sums[at + further] - sums[at]
            if least > bar:
                if size == forced:
                    break
                size -= 1
                _give(chosen[size], triple_starts, triples, taken_of)
                at = place[size] + 1
                continue
            p = point[at]
            if reading == ANY:
                apart = False
                for i in range(forced, size):
                    if distances[chosen[i], p] > distances[c, q]:
                        apart = True
                        break
                if apart:
                    at += 1
                    continue
            chosen[size], place[size] = p, at
            values[size + 1] = values[size] + d - weights[p]
            values[size + 1] += _take(p, triple_starts, triples, of_triples, taken_of)
            size += 1
            at += 1
            fresh = True
        if not complete:
            break
    used = ends[found]
    return (
        complete,
        site[:found].copy(),
        ends[: found + 1].copy(),
        members[:used].copy(),
        reduced[:found].copy(),
    )


@compiled
def _take(
    point: int,
    starts: IntArray,
    triples: IntArray,
    of_triples: IntArray,
    taken_of: IntArray,
) -> int:
    """Return what a point makes a cluster pay for triples."""
    paid = 0
    for i in range(starts[point], starts[point + 1]):
        t = triples[i]
        taken_of[t] += 1
        if taken_of[t] == 2:
            paid += of_triples[t]
    return paid


@compiled
def _give(point: int, starts: IntArray, triples: IntArray, taken_of: IntArray) -> None:
    """Undo what :func:`_take` noted."""
    for i in range(starts[point], starts[point + 1]):
        taken_of[triples[i]] -= 1
