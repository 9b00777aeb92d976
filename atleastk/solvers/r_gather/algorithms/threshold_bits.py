"""Threshold graphs as bit sets, and the search for the least threshold that succeeds.

The neighbours of n points are n^2 bits, 50 megabytes for 20,000 points, and counting
those of a point among some points takes n / 64 steps. Bits for a threshold far from
known ones are made from all distances, some at a time. As soon as the pairs at
distances that are still in question are few, they are listed, and bits are made from
those of the greatest threshold that fails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray, WordArray
from atleastk.instances.spaces.metric_spaces import FAR, MetricSpace
from atleastk.solvers.compiled.bits import ones
from atleastk.solvers.compiled.compile import compiled

T = TypeVar("T")

_MOST_PAIRS: Final = 8_000_000
"""Pairs that are listed at most: not tuned."""


@dataclass(frozen=True, eq=False)
class Near:
    """Which points are within a threshold of each other."""

    threshold: int
    words: WordArray  # [point, word] bit q % 64 of word q // 64 of row p: q is near p
    sizes: IntArray  # [point] how many are near it
    following: int  # the least distance above the threshold; FAR if there is none

    @property
    def pairs(self) -> int:
        """The number of ordered pairs of near points, any point and itself too."""
        return int(self.sizes.sum())


def least_threshold(
    space: MetricSpace,
    least: int,
    attempt: Callable[[Near], T | None],
    share: float = 0.5,
) -> T | None:
    """Return the result at a distance that succeeds next to one that fails.

    Distances below `least`, itself a distance, are known to fail. None if all fail.
    The search begins where about this share of all pairs is near.
    """
    low = _near(space, least)
    found = attempt(low)
    if found is not None:
        return found
    high, pairs = FAR, space.n**2
    # Distances of some points suggest the next threshold.
    some = np.linspace(0, space.n - 1, min(space.n, 64)).astype(np.int64)
    sample = np.sort(np.concatenate([space.row(int(point)) for point in some]))
    while low.following < high:
        if pairs - low.pairs <= 2 * _MOST_PAIRS:
            better = _bisected(space, low, high, attempt)
            return found if better is None else better
        inside = sample[(sample > low.threshold) & (sample < high)]
        place = int(len(inside) * share)
        middle = int(inside[place]) if len(inside) else low.following
        near = _near(space, middle)
        answer = attempt(near)
        if answer is None:
            low = near
            share = min(0.5, 2 * share)
        else:
            found, high, pairs = answer, middle, near.pairs
            share = 0.5
    return found


def bits_of(inside: BoolArray) -> WordArray:
    """Return sets of points as bits, those of the last axis."""
    padding = [(0, 0)] * (inside.ndim - 1) + [(0, -inside.shape[-1] % 64)]
    packed = np.packbits(np.pad(inside, padding), axis=-1, bitorder="little")
    return packed.view("<u8").astype(np.uint64, copy=False)


def _near(space: MetricSpace, threshold: int) -> Near:
    n, following = space.n, FAR
    words = np.empty((n, (n + 63) // 64), dtype=np.uint64)
    sizes = np.empty(n, dtype=np.int64)
    for start in range(0, n, space.at_a_time):
        some = np.arange(start, min(n, start + space.at_a_time))
        rows = space.rows(some)
        inside = rows <= threshold
        words[some], sizes[some] = bits_of(inside), inside.sum(axis=1)
        following = min(following, int(rows[~inside].min(initial=FAR)))
    return Near(threshold, words, sizes, following)


def _bisected(
    space: MetricSpace, low: Near, high: int, attempt: Callable[[Near], T | None]
) -> T | None:
    """Try distances above one that fails and below one that need not be tried."""
    firsts, seconds, lengths = _pairs(space, low.threshold, high)
    values, starts = np.unique(lengths, return_index=True)
    ends = np.append(starts, len(lengths))
    found = None
    first, last, listed = 0, len(values), 0
    while first < last:
        middle = (first + last) // 2
        words, sizes = low.words.copy(), low.sizes.copy()
        part = slice(listed, ends[middle + 1])
        _add(words, sizes, firsts[part], seconds[part])
        following = values[middle + 1] if middle + 1 < len(values) else high
        near = Near(int(values[middle]), words, sizes, int(following))
        answer = attempt(near)
        if answer is None:
            low, first, listed = near, middle + 1, int(ends[middle + 1])
        else:
            found, last = answer, middle
    return found


def _pairs(
    space: MetricSpace, low: int, high: int
) -> tuple[Int32Array, Int32Array, IntArray]:
    """Return the pairs of points at distances between two, by distance."""
    parts: list[tuple[Int32Array, Int32Array, IntArray]] = []
    for point in range(space.n):
        row = space.row(point)[point + 1 :]
        others = ((row > low) & (row < high)).nonzero()[0]
        owner = np.full(len(others), point, dtype=np.int32)
        parts.append((owner, (others + point + 1).astype(np.int32), row[others]))
    firsts, seconds, lengths = map(np.concatenate, zip(*parts, strict=True))
    order = np.argsort(lengths, kind="stable")
    return firsts[order], seconds[order], lengths[order]


@compiled
def _add(
    words: WordArray, sizes: IntArray, firsts: Int32Array, seconds: Int32Array
) -> None:
    for e in range(len(firsts)):
        p, q = firsts[e], seconds[e]
        words[p, q >> 6] |= np.uint64(1) << np.uint64(q & 63)
        words[q, p >> 6] |= np.uint64(1) << np.uint64(p & 63)
        sizes[p] += 1
        sizes[q] += 1


@compiled
def busiest(words: WordArray, of: WordArray, most: IntArray, order: IntArray) -> int:
    """Return the point of a set with the most near points of it, the first in an order.

    `most` bounds these numbers from above, and is improved; -1 if the set is empty.
    """
    best, chosen = -1, -1
    for p in order:
        if most[p] <= best or not (of[p >> 6] >> np.uint64(p & 63)) & np.uint64(1):
            continue
        count = 0
        for w in range(len(of)):
            count += ones(words[p, w] & of[w])
        most[p] = count
        if count > best:
            best, chosen = count, p
    return chosen
