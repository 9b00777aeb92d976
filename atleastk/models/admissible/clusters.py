"""Clusters of points under branching decisions, and the most valuable one.

Sites
-----
A cluster belongs to a *site*: a centre c and a distance d. It has all points that are
forced there, is within d of c, and costs f + d' |S|; in r-gather it costs nothing, for
all sites have the radius that is to be decided. With centres anywhere, a site of
cellular clustering is a pair of points at the distance d, which are both in the
cluster, and one of r-gather the first point of the cluster. Then no two points of a
cluster are further apart than d.

The most valuable cluster
-------------------------
Let y be integers, one per point. Branch and bound: without the decisions on pairs, the
best choice at a site has the forced points, all of y > D d', and of the others the
greatest until there are r. If that is not above the limit the site is done. If it
violates a decision on a pair, the search branches on one of the points, in or out, with
all consequences. The bounds of all sites are computed at once, so that few of them are
searched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.models.admissible.decided import Bits, Decided, bits_of, members


class Cluster(NamedTuple):
    """The points of a cluster, ascending, and its cost."""

    points: tuple[int, ...]
    cost: int


@dataclass(frozen=True, slots=True, eq=False)
class Sites:
    """The sites of an instance."""

    least: int
    """The least size of a cluster."""
    distances: IntArray
    """Between all points, [point, point]."""
    limit: IntArray | None
    """The greatest distance of two points of a cluster, [site]; None if only that to
    the centre counts."""
    price: IntArray
    fee: IntArray
    """`price`, `fee`: the cost of a cluster per point, and its fixed cost, [site]."""
    within: BoolArray
    forced: BoolArray
    """`within`, `forced`: the points that a cluster may have, and must have, [site,
    point]."""

    def only(self, chosen: BoolArray) -> Sites:
        """Return the chosen sites."""
        return replace(
            self,
            limit=None if self.limit is None else self.limit[chosen],
            price=self.price[chosen],
            fee=self.fee[chosen],
            within=self.within[chosen],
            forced=self.forced[chosen],
        )

    @property
    def dearest(self) -> int:
        """An upper bound of the cost of a cluster per point, with its fixed cost."""
        return int(self.price.max(initial=0)) + int(self.fee.max(initial=0))

    def values(self, weights: IntArray, scale: int) -> IntArray:
        """Return the greatest value of every site's clusters, each of enough points.

        The value is the sum of the weights less the cost times a scale.
        """
        order = np.argsort(-weights, kind="stable")
        gains = weights[order] - scale * self.price[:, None]
        optional = (self.within & ~self.forced)[:, order]
        values, _ = best_choices(self.forced[:, order], optional, gains, self.least)
        return values - scale * self.fee

    def restricted(self, decided: Decided) -> NodeSites:
        """Return the sites under branching decisions."""
        together = decided.together.astype(np.float32)
        apart = decided.apart.astype(np.float32)
        forced = self.forced @ together > 0
        within = self.within & ~decided.outside & ~(forced @ apart > 0)
        within &= ~((~within).astype(np.float32) @ together > 0)
        some = (within.sum(axis=1) >= self.least) & ~(forced & ~within).any(axis=1)
        sites = replace(self, within=within, forced=forced).only(some)
        return NodeSites(sites, decided.needed, decided.excluded)


def best_choices(
    forced: BoolArray, optional: BoolArray, gains: IntArray, least: int
) -> tuple[IntArray, IntArray]:
    """Return the greatest gains of clusters, one by row, and their sizes.

    They have the forced points, of the optional ones the first until there are enough,
    and all further ones of positive gain. Gains fall along each row.
    """
    missing = least - forced.sum(axis=1)
    fills = np.cumsum(optional, axis=1) <= missing[:, None]
    taken = forced | (optional & (fills | (gains > 0)))
    return np.where(taken, gains, 0).sum(axis=1), taken.sum(axis=1)


class NodeSites:
    """Sites whose clusters satisfy branching decisions.

    `together` and `apart` have by point those that it is together with, and apart from.
    """

    def __init__(
        self, sites: Sites, together: Sequence[Bits], apart: Sequence[Bits]
    ) -> None:
        self._sites = sites
        self._together, self._apart = together, apart

    def above(self, weights: IntArray, scale: int, limit: int) -> Iterator[Cluster]:
        """Yield a most valuable cluster of every site where it is above a limit.

        Sites come by falling upper bound of the value: see :meth:`Sites.values`.
        """
        sites = self._sites
        order = np.argsort(-weights, kind="stable")
        values = sites.values(weights, scale)
        hopeful = np.flatnonzero(values > limit)
        falling = order.tolist()
        for site in hopeful[np.argsort(-values[hopeful], kind="stable")].tolist():
            price, fee = int(sites.price[site]), int(sites.fee[site])
            worth = (weights - scale * price).tolist()
            found = self._best(site, falling, worth, limit + scale * fee)
            if found:
                points = tuple(p for p in range(len(worth)) if found >> p & 1)
                yield Cluster(points, price * len(points) + fee)

    def _best(
        self, site: int, order: Sequence[int], worth: Sequence[int], above: int
    ) -> Bits:
        """Return the points of a cluster of greatest worth above a limit, or none.

        `order` has all points by falling worth.
        """
        sites, together = self._sites, self._together
        excluded = self._apart
        if sites.limit is not None:
            far = bits_of(sites.distances > sites.limit[site])
            excluded = [a | b for a, b in zip(excluded, far, strict=True)]
        must, may = bits_of(np.array([sites.forced[site], sites.within[site]]))
        out, best = ~may, 0
        for p in members(must):
            out |= excluded[p]
        stack = [(must, out)]
        while stack:
            must, out = stack.pop()
            if must & out:
                continue
            taken, size = must, must.bit_count()
            value = sum(worth[p] for p in members(must))
            for p in order:
                if worth[p] <= 0 and size >= sites.least:
                    break
                if not (taken | out) >> p & 1:
                    taken |= 1 << p
                    size += 1
                    value += worth[p]
            if size < sites.least or value <= above:
                continue
            wrong, p = max(
                ((excluded[p] & taken | together[p] & ~taken).bit_count(), p)
                for p in members(taken)
            )
            if not wrong:
                best, above = taken, value
                continue
            stack.append((must, out | together[p]))
            for q in members(together[p]):
                out |= excluded[q]
            stack.append((must | together[p], out))
        return best
