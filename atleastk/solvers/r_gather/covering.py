"""Few balls that hold all points, by swaps and weights of the points.

Where the number of clusters is limited, and they are much larger than r, covering all
points is what is hard. A random point in no ball gets a centre, and another centre is
given up, so that the weight of the points in no ball falls the most; the centre that
came last stays for a round, and the one that went stays away. If no swap lowers the
weight then all points in no ball become heavier by one, and the best swap is made
nevertheless: so no set of centres holds the search for long [Zhang20]. A round takes
O(the size of the balls that are tried). Whether they can be filled is not asked.

References
----------
[Zhang20] Q. Zhang, Z. Lü, Z. Su, C. Li, Y. Fang, F. Ma: Vertex weighting-based tabu
search for p-center problem. IJCAI 2020.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Self

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Balls
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.sorting import number

_TRIED: Final = 200
"""The most balls that are tried for a point, of larger numbers a part: not tuned."""


class _Sets(NamedTuple):
    """The balls of the candidates."""

    starts: IntArray  # [candidate + 1] that of c is points[starts[c]:starts[c + 1]],
    points: Int32Array  # [entry]
    holder_starts: IntArray  # [point + 1] likewise,
    holders: Int32Array  # [entry] the candidates whose balls hold a point


class _Cover(NamedTuple):
    """Some candidates, each in a place, and what their balls hold."""

    chosen: IntArray  # [place] a candidate, -1 for none
    place: IntArray  # [candidate] -1 for none
    holding: IntArray  # [point] in how many of the balls it is
    keepers: IntArray  # [point] the sum of their places
    weights: IntArray  # [point]
    losses: IntArray  # [place] the weight of the points in this ball alone
    bare: IntArray  # [point] those in no ball come first
    at: IntArray  # [point] where it is among these
    bares: IntArray  # [1] how many are in no ball

    @classmethod
    def nothing(cls, places: int, candidates: int, n: int) -> Self:
        """Return empty places."""
        return cls(
            np.full(places, -1, dtype=np.int64),
            np.full(candidates, -1, dtype=np.int64),
            np.zeros(n, dtype=np.int64),
            np.zeros(n, dtype=np.int64),
            np.ones(n, dtype=np.int64),
            np.zeros(places, dtype=np.int64),
            np.arange(n, dtype=np.int64),
            np.arange(n, dtype=np.int64),
            np.full(1, n, dtype=np.int64),
        )


def covered(
    balls: Balls,
    opened: IntArray,
    n: int,
    most: int,
    rounds: int,
    rng: np.random.Generator,
    budget: Budget,
) -> IntArray | None:
    """Return at most `most` balls that hold all n points, None if none were found.

    `opened` are the first ones, at most so many.
    """
    turned = balls.turned(n)
    if not turned.sizes.all():
        return None
    sets = _Sets(balls.starts, balls.points, turned.starts, turned.points)
    cover = _Cover.nothing(min(most, len(balls)), len(balls), n)
    for place, candidate in enumerate(opened.tolist()):
        _enter(sets, cover, place, candidate)
    with budget.flagging() as flag:
        _swap(sets, cover, len(opened), rounds, rng, flag)
    return None if cover.bares[0] else np.sort(cover.chosen[cover.chosen >= 0])


@compiled
def _enter(sets: _Sets, cover: _Cover, place: int, candidate: int) -> None:
    """Let a candidate have a place that is empty."""
    cover.chosen[place], cover.place[candidate] = candidate, place
    for e in range(sets.starts[candidate], sets.starts[candidate + 1]):
        p = sets.points[e]
        if cover.holding[p] == 0:
            cover.losses[place] += cover.weights[p]
            cover.bares[0] -= 1
            exchange(cover.bare, cover.at, p, cover.bares[0])
        elif cover.holding[p] == 1:
            cover.losses[cover.keepers[p]] -= cover.weights[p]
        cover.holding[p] += 1
        cover.keepers[p] += place


@compiled
def _leave(sets: _Sets, cover: _Cover, place: int) -> None:
    """Empty a place."""
    candidate = cover.chosen[place]
    cover.chosen[place], cover.place[candidate] = -1, -1
    for e in range(sets.starts[candidate], sets.starts[candidate + 1]):
        p = sets.points[e]
        cover.holding[p] -= 1
        cover.keepers[p] -= place
        if cover.holding[p] == 0:
            cover.losses[place] -= cover.weights[p]
            exchange(cover.bare, cover.at, p, cover.bares[0])
            cover.bares[0] += 1
        elif cover.holding[p] == 1:
            cover.losses[cover.keepers[p]] += cover.weights[p]


@inlined
def exchange(order: IntArray, at: IntArray, item: int, where: int) -> None:
    """Let an item change places with that which is at `where`."""
    other, place = order[where], at[item]
    order[where], order[place] = item, other
    at[item], at[other] = where, place


@compiled
def _swap(
    sets: _Sets,
    cover: _Cover,
    used: int,
    rounds: int,
    rng: np.random.Generator,
    flag: ByteArray,  # [1]
) -> None:
    """Fill the places from `used` on, then swap, until no point is in no ball."""
    places = len(cover.chosen)
    spared = np.zeros(places, dtype=np.int64)
    came, gone = number(-1), number(-1)
    for _ in range(rounds):
        if cover.bares[0] == 0 or flag[0] != 0:
            break
        p = cover.bare[int(rng.random() * cover.bares[0])]
        least, ties, place, candidate = number(0), 0, number(-1), number(-1)
        first = sets.holder_starts[p]
        width = sets.holder_starts[p + 1] - first
        begin = int(rng.random() * width) if width > _TRIED else 0
        for f in range(begin, begin + min(width, _TRIED)):
            c = sets.holders[first + f % width]
            if c == gone:
                continue
            # What c would gain, and what it would spare each of the others.
            gain = number(0)
            spared[:] = 0
            for e in range(sets.starts[c], sets.starts[c + 1]):
                q = sets.points[e]
                if cover.holding[q] == 0:
                    gain += cover.weights[q]
                elif cover.holding[q] == 1:
                    spared[cover.keepers[q]] += cover.weights[q]
            lowest = used if used < places else 0
            for s in range(lowest, min(used + 1, places)):
                if s == came and places > 1:
                    continue
                value = cover.losses[s] - spared[s] - gain
                if ties == 0 or value < least:
                    least, ties, place, candidate = value, 1, s, c
                elif value == least:
                    ties += 1
                    if rng.random() * ties < 1.0:
                        place, candidate = s, c
        if ties == 0:
            gone = number(-1)
            continue
        if least >= 0:
            for i in range(cover.bares[0]):
                cover.weights[cover.bare[i]] += 1
        if used < places:
            used += 1
        else:
            came, gone = place, cover.chosen[place]
            _leave(sets, cover, place)
        _enter(sets, cover, place, candidate)
