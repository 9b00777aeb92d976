"""Exact pricing: the clusters of the least reduced cost, or all up to a limit.

Let y be weights of the points, m the price of a cluster as such, and s_t >= 0 the price
of a triple of points t, to be paid by clusters that have two or three of its points.
The *reduced cost* of a cluster S of price d and fixed cost f is

    f + m + sum over S of (d - y_p) + sum over the triples t with |S & t| >= 2 of s_t.

Without triples a greedy choice gives the least one of a site: the required points, all
of y > d, and the heaviest others until there are enough (:func:`least_reduced`). With
triples, or to list all clusters of reduced cost up to a limit, a depth-first search
adds points, those first that add the least, and prunes what stays above the limit
(:func:`list_clusters`). It knows what a point would pay for triples of which one point
is in the cluster: all, or half if the third may join, too. Others are free.

All numbers are integers: weights are multiples of 1 / scale, and so are all prices.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Self

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray
from atleastk.models.certificates.weights import Prices
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.sites import ANY, INPUT, MEMBER, Sites
from atleastk.solvers.compiled.arrays import longer
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine.set_partition.groups import Groups

IMPOSSIBLE: Final = 2**62
"""The reduced cost of a site without clusters."""

_STEPS: Final = 2_000_000_000
"""Steps of a search in all: about a quarter of a minute."""


class PricedClusters(NamedTuple):
    """Clusters of some sites, in the order of these, and the reduced costs of each."""

    groups: Groups
    reduced: IntArray  # [cluster]
    settled: BoolArray  # [site] whether no better one of it was missed


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
    every = np.arange(len(least))
    groups = _groups(sites, every, starts, members)
    return PricedClusters(groups, least, np.ones(len(least), dtype=np.bool_))


def list_clusters(
    sites: Sites,
    prices: Prices,
    limit: int,
    budget: Budget,
    most: int,
    *,
    steps: int = _STEPS,
    each: int | None = None,
) -> PricedClusters | None:
    """Return all clusters of reduced cost up to a limit.

    None if there are more than `most`, if the search takes too many steps, or if the
    budget is spent. If so many steps are for `each` site, only the best one of each.
    """
    best = each is not None
    priced, triples = _priced(sites, prices), _triples(prices, sites.n)
    search = _Search.of(sites.n, min(sites.n, sites.most))
    wanted = _Wanted(limit, best, most, steps, steps if each is None else each)
    settled = np.zeros(sites.number, dtype=np.bool_)
    with budget.flagging() as flag:
        complete, at, reduced, starts, members = _list(
            priced, triples, wanted, flag, search, settled
        )
    if not complete:
        return None
    return PricedClusters(_groups(sites, at, starts, members), reduced, settled)


def _groups(sites: Sites, at: IntArray, starts: IntArray, members: IntArray) -> Groups:
    """Return clusters, given their sites and points, with their costs and centres."""
    sizes: IntArray = np.diff(starts)
    cost = sites.fixed[at] + sizes * sites.price[at]
    return Groups.of(sites.n, starts, members, cost, sites.centre[at])


class _Priced(NamedTuple):
    """Sites and prices for loops; all prices are in units of 1 / scale."""

    sites: Sites
    price: IntArray  # [site] what a cluster pays per point
    fixed: IntArray  # [site] and as such
    weights: IntArray  # [point]
    order: IntArray  # [point] heavy ones first


def _priced(sites: Sites, prices: Prices) -> _Priced:
    price, fixed = sites.price * prices.scale, sites.fixed * prices.scale
    order = np.argsort(-prices.weights, kind="stable")
    return _Priced(sites, price, fixed + prices.group, prices.weights, order)


class _Triples(NamedTuple):
    """Triples of points that clusters pay for, and those that a cluster touches."""

    starts: IntArray  # [point + 1] of_point[starts[p]:starts[p + 1]] are those of p:
    of_point: IntArray  # [entry] the triples of every point
    points: IntArray  # [triple, 3]
    price: IntArray  # [triple] what a cluster with two of its points pays
    taken: IntArray  # [triple] how many of its points the cluster at hand has


def _triples(prices: Prices, n: int) -> _Triples:
    point = prices.triples.ravel()
    order = np.argsort(point, kind="stable")
    starts = np.concatenate(([0], np.cumsum(np.bincount(point, minlength=n))))
    return _Triples(
        starts.astype(np.int64),
        (order // 3).astype(np.int64),
        prices.triples,
        prices.of_triples,
        np.zeros(len(prices.of_triples), dtype=np.int64),
    )


class _Wanted(NamedTuple):
    """Which clusters are to be listed."""

    limit: int  # the greatest reduced cost
    best: bool  # whether only the best one of every site is listed
    most: int  # how many are listed at most
    steps: int  # in how many steps
    each: int  # and in how many a site


class _Search(NamedTuple):
    """The cluster that a search is at, and the points that may join it.

    Every level has chosen one point more than the level before, and has a line of those
    that may follow, the cheapest first. It shares the line of the level before if none
    has become dearer.
    """

    line: IntArray  # [level] which line it has,
    at: IntArray  # [level] and where in it further points begin
    length: IntArray  # [line]
    gains: IntArray  # [line] how many points make a cluster cheaper
    points: IntArray  # [line, place]
    added: IntArray  # [line, place] what a point adds to the reduced cost at least
    sums: IntArray  # [line, place + 1] and what the first ones do
    chosen: IntArray  # [place] the points of the cluster, the required ones first
    values: IntArray  # [points + 1] the reduced cost of the first ones
    seen: IntArray  # [point] the last line that it was in, counted since ever

    @classmethod
    def of(cls, n: int, most: int) -> Self:
        """Return room for a search among n points, of which so many are chosen."""
        line, at, length, gains = np.zeros((4, most + 2), dtype=np.int64)
        points, added = np.zeros((2, most + 2, n), dtype=np.int64)
        sums = np.zeros((most + 2, n + 1), dtype=np.int64)
        chosen, values, seen = np.zeros((3, n + 3), dtype=np.int64)
        return cls(line, at, length, gains, points, added, sums, chosen, values, seen)


@compiled
def _may_join(priced: _Priced, centre: int, last: int, point: int) -> bool:
    """Return whether a point is optional at a site."""
    sites = priced.sites
    distances, rank, reading = sites.distances, sites.rank, sites.reading
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
    sites, price, fixed = priced.sites, priced.price, priced.fixed
    fewest, largest, weights = sites.least, sites.most, priced.weights
    centre, last = sites.centre, sites.last
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
        if sites.reading != INPUT and centre[s] != last[s]:
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
    settled: BoolArray,  # [site]
) -> tuple[bool, IntArray, IntArray, IntArray, IntArray]:
    """List clusters site by site; return whether all are listed, and these.

    Of every cluster the site, the reduced cost, and where its points start among those
    of all. The least that a completion could come to is what it costs with the first
    points that follow, as many as are of use. Sites that take too many steps are not
    settled. The number of clusters is exponential.
    """
    chosen, values, at = search.chosen, search.values, search.at
    fewest, largest = priced.sites.least, priced.sites.most
    sites, reduced = np.empty(64, np.int64), np.empty(64, np.int64)
    starts, members = np.zeros(65, np.int64), np.empty(1024, np.int64)
    found, steps, lines = 0, 0, 0
    for s in range(len(priced.sites.centre)):
        price = priced.price[s]
        lines += 1
        forced = _begin(priced, triples, s, search, lines)
        begun, bar, until = found, wanted.limit, steps + wanted.each
        level, fresh = 0, True
        settled[s] = True
        while True:
            # Listed is what has the chosen points, if they are not fresh, and what has
            # one before `at` in addition to them.
            steps += 1
            if steps > wanted.steps or flag[0] != 0:
                return False, sites, reduced, starts, members
            size = forced + level
            fits = fewest <= size <= largest
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
            line, i = search.line[level], at[level]
            left = min(largest - size, search.length[line] - i)
            needed = max(1, fewest - size)
            further = min(max(needed, search.gains[line] - i), left)
            least = search.sums[line, i + further] - search.sums[line, i]
            if steps > until:
                settled[s] = False
                further = -1
            if further < needed or values[size] + least > bar:
                if level == 0:
                    break
                level -= 1
                _give(triples, chosen[forced + level])
                continue
            p = search.points[line, i]
            at[level] += 1
            if _is_apart(priced.sites, s, chosen, forced, size, p):
                continue
            chosen[size] = p
            paid = price - priced.weights[p] + _take(triples, p)
            values[size + 1] = values[size] + paid
            level += 1
            fresh = True
            search.line[level], at[level] = line, at[level - 1]
            if triples.starts[p] < triples.starts[p + 1]:
                lines += 1
                steps += _line_up(priced, triples, price, search, level, lines)
        for i in range(forced):
            _give(triples, chosen[i])
    end = starts[found]
    return True, sites[:found], reduced[:found], starts[: found + 1], members[:end]


@compiled
def _begin(
    priced: _Priced, triples: _Triples, s: int, search: _Search, lines: int
) -> int:
    """Choose the points that a site must have, and line up those that may join.

    Return how many they are.
    """
    sites, price = priced.sites, priced.price[s]
    centre, last = sites.centre[s], sites.last[s]
    chosen, values = search.chosen, search.values
    chosen[0], chosen[1] = last, centre
    forced = 2 if sites.reading != INPUT and centre != last else 1
    values[0] = priced.fixed[s]
    for i in range(forced):
        paid = price - priced.weights[chosen[i]]
        values[i + 1] = values[i] + paid + _take(triples, chosen[i])
    length = 0
    for p in priced.order:
        if _may_join(priced, centre, last, p):
            search.points[0, length] = p
            length += 1
    search.line[0], search.at[0], search.length[0] = 0, 0, length
    _line_up(priced, triples, price, search, 0, lines)
    return forced


@compiled
def _line_up(
    priced: _Priced,
    triples: _Triples,
    price: int,
    search: _Search,
    level: int,
    lines: int,
) -> int:
    """Give a level a line of the points that may follow; return how many they are.

    Whoever takes a second point of a triple pays for it: whichever of two that are
    left, so each adds half of that at least.
    """
    before, first = search.line[level], search.at[level]
    end = search.length[before]
    for i in range(first, end):
        search.seen[search.points[before, i]] = lines
    length, gains = 0, 0
    points, added = search.points[level], search.added[level]
    for i in range(first, end):
        p = search.points[before, i]
        cost = price - priced.weights[p]
        for j in range(triples.starts[p], triples.starts[p + 1]):
            t = triples.of_point[j]
            if triples.taken[t] == 1:
                rivals = 0
                for q in triples.points[t]:
                    if search.seen[q] == lines:
                        rivals += 1
                cost += triples.price[t] // rivals
        if cost < 0:
            gains += 1
        place = length
        while place > 0 and added[place - 1] > cost:
            points[place], added[place] = points[place - 1], added[place - 1]
            place -= 1
        points[place], added[place] = p, cost
        length += 1
    for i in range(length):
        search.sums[level, i + 1] = search.sums[level, i] + added[i]
    search.line[level], search.at[level] = level, 0
    search.length[level], search.gains[level] = length, gains
    return length


@compiled
def _is_apart(
    sites: Sites, s: int, chosen: IntArray, forced: int, size: int, point: int
) -> bool:
    """Return whether the centre is anywhere, and a point too far from a chosen one."""
    diameter = sites.distances[sites.centre[s], sites.last[s]]
    for i in range(forced, size if sites.reading == ANY else forced):
        if sites.distances[chosen[i], point] > diameter:
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
