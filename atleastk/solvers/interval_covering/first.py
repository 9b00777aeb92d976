"""Interval covering: start heuristics, without any search.

The most intervals are the least excess, and never far from the least maximum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from atleastk.instances.interval_covering import IntervalCovering
from atleastk.models.covering import is_feasible
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution


def first_answers(instance: IntervalCovering) -> Iterator[tuple[str, Solution]]:
    """Yield a solution of as many intervals as possible, if there is any."""
    if is_feasible(instance):
        ends = most_intervals(instance.sizes, instance.k) if instance.n else []
        yield "most intervals", Solution.of(intervals_between(ends))


def most_intervals(sizes: Sequence[int], k: int) -> list[int]:
    """Return the ends of as many intervals of level >= k as possible.

    The total size must reach k, here and below.
    """
    return [*greedy_ends(sizes, k)[:-1], len(sizes)]


def greedy_ends(sizes: Sequence[int], k: int) -> list[int]:
    """Return where intervals end if each ends as soon as it reaches k."""
    ends: list[int] = []
    level = 0
    for position, size in enumerate(sizes, start=1):
        level += size
        if level >= k:
            ends.append(position)
            level = 0
    return ends


def intervals_between(ends: Sequence[int]) -> PackedGroups:
    """Return the intervals that end at these positions, one after the other."""
    starts = np.array([0, *ends], dtype=np.int64)
    return PackedGroups(np.arange(starts[-1]), starts)
