"""Enumeration of all bins with a level in a window, as bit masks.

For at most 64 sizes in decreasing order; bit i of a mask is item i. By depth first
search where bins hold few items, by meeting in the middle where they hold many but few
subsets hit the window, and in Python's integers beyond 64 bits.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from atleastk.arrays import ByteArray, IntArray, WordArray
from atleastk.solvers.compiled.arrays import longer
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.rows import WORD
from atleastk.solvers.compiled.subsets import subset_sums

_MOST_HALVED = 44
"""Items: the sums of their halves' subsets fill 2 x 64 megabytes, at first 3 x 64."""


def admissible_masks(
    sizes: Sequence[int],
    low: int,
    high: int,
    most: int,
    flag: ByteArray,
) -> tuple[WordArray, list[int] | IntArray] | None:
    """Return masks and levels of all subsets of decreasing sizes in [low, high].

    None if they are more than `most`, if finding them takes too long, or if the flag
    is raised.
    """
    if sum(sizes) < WORD:
        array = np.array(sizes, dtype=np.int64)
        halving = len(sizes) <= _MOST_HALVED
        steps = 8 << (len(sizes) + 1) // 2 if halving else 50 * most
        steps = max(1_000_000, steps)
        masks, reached, complete = _enumerate(array, low, high, most, steps, flag)
        if not complete and halving and len(masks) < most and flag[0] == 0:
            masks, reached, complete = _enumerate_halves(array, low, high, most)
        return (masks, reached) if complete else None
    return _enumerate_big(sizes, low, high, most, flag)


def _enumerate_big(
    sizes: Sequence[int], low: int, high: int, most: int, flag: ByteArray
) -> tuple[WordArray, list[int]] | None:
    """Enumerate like :func:`_enumerate`, in Python integers of any magnitude."""
    suffix = [0]
    for size in reversed(sizes):
        suffix.append(suffix[-1] + size)
    suffix.reverse()
    masks: list[int] = []
    reached: list[int] = []
    stack = [(0, 0, 0)]
    while stack:
        start, level, mask = stack.pop()
        for i in range(start, len(sizes)):
            if level + suffix[i] < low:
                break
            if level + sizes[i] > high:
                continue
            grown = (i + 1, level + sizes[i], mask | 1 << i)
            stack.append(grown)
            if grown[1] >= low:
                masks.append(grown[2])
                reached.append(grown[1])
                if len(masks) > most:
                    return None
        if flag[0]:
            return None
    return np.array(masks, dtype=np.uint64), reached


@compiled
def _enumerate(
    sizes: IntArray,
    low: int,
    high: int,
    most: int,
    most_steps: int,
    flag: ByteArray,
) -> tuple[WordArray, IntArray, bool]:
    """Enumerate all subsets of decreasing sizes with a sum in [low, high].

    Depth first, in order of the items, so that every subset is met once. The last value
    is whether these are all. A step takes O(log n).
    """
    n, one = len(sizes), np.uint64(1)
    rest = np.zeros(n + 1, np.int64)
    for i in range(n - 1, -1, -1):
        rest[i] = rest[i + 1] + sizes[i]
    masks, levels, count = np.empty(1024, np.uint64), np.empty(1024, np.int64), 0
    stack, depth = np.empty(n + 1, np.int64), 0
    level, mask, i, steps = 0, np.uint64(0), 0, 0
    while True:
        steps += 1
        if steps > most_steps or ((steps & 4095) == 0 and flag[0] != 0):
            return masks[:count], levels[:count], False
        # The stack holds the subset; the next item that it has room for is added.
        i = first_fitting(sizes, i, high - level)
        if i < n and level + rest[i] >= low:
            stack[depth] = i
            depth += 1
            level += sizes[i]
            mask |= one << np.uint64(i)
            if level >= low:
                if count == most:
                    return masks[:count], levels[:count], False
                if count == len(masks):
                    masks, levels = longer(masks, 2 * count), longer(levels, 2 * count)
                masks[count], levels[count] = mask, level
                count += 1
        # If there is none, or all others do not reach the window, the last one leaves.
        elif depth > 0:
            depth -= 1
            i = stack[depth]
            level -= sizes[i]
            mask ^= one << np.uint64(i)
        else:
            return masks[:count], levels[:count], True
        i += 1


@inlined
def first_fitting(sizes: IntArray, start: int, room: float) -> int:
    """Return the first item from `start` on that is no larger than the room.

    Sizes decrease; their number if there is none.
    """
    low, high = start, len(sizes)
    if start < high and sizes[start] <= room:
        return start  # nearly always
    while low < high:
        middle = (low + high) // 2
        if sizes[middle] <= room:
            high = middle
        else:
            low = middle + 1
    return low


@compiled
def _enumerate_halves(
    sizes: IntArray, low: int, high: int, most: int
) -> tuple[WordArray, IntArray, bool]:
    """Enumerate like :func:`_enumerate`, by meeting in the middle.

    O(2^(n/2)) time besides the output: where bins hold many items and few
    subsets have a sum in the window.
    """
    n, half = len(sizes), len(sizes) // 2
    # Every other item is in the left half, so that both have large and small ones.
    items, values = np.empty(n, np.int64), np.empty(n, np.int64)
    for i in range(n):
        items[i] = 2 * i if i < half else min(2 * (i - half) + 1, n - 1)
        values[i] = sizes[items[i]]
    left, ones = subset_sums(values[:half])
    right, twos = subset_sums(values[half:])
    masks, levels, count = np.empty(1024, np.uint64), np.empty(1024, np.int64), 0
    top = len(right) - 1
    for a in range(len(left)):
        # As the left sum grows the right ones that go with it fall: up to `top`.
        while top >= 0 and left[a] + right[top] > high:
            top -= 1
        b = top
        while b >= 0 and left[a] + right[b] >= low:
            if count == most:
                return masks[:count], levels[:count], False
            if count == len(masks):
                masks, levels = longer(masks, 2 * count), longer(levels, 2 * count)
            subset, mask = ones[a] | (twos[b] << half), np.uint64(0)
            for i in range(n):
                if (subset >> i) & 1:
                    mask |= np.uint64(1) << np.uint64(items[i])
            masks[count], levels[count] = mask, left[a] + right[b]
            count += 1
            b -= 1
    return masks[:count], levels[:count], True
