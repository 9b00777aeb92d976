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
from atleastk.solvers.compiled.compile import compiled

__all__ = ["admissible_masks"]


_SAFE = 2**62
_MOST_HALVED = 44


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
    if sum(sizes) < _SAFE:
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
    """Enumerate all subsets of decreasing sizes with a sum in [low, high]."""
    n = len(sizes)
    one = np.uint64(1)
    suffix = np.zeros(n + 1, np.int64)
    for i in range(n - 1, -1, -1):
        suffix[i] = suffix[i + 1] + sizes[i]
    masks = np.empty(1024, np.uint64)
    levels = np.empty(1024, np.int64)
    count = 0
    stack = np.empty(n + 1, np.int64)
    depth = 0
    level = 0
    mask = np.uint64(0)
    i = 0
    steps = 0
    while True:
        steps += 1
        if steps > most_steps or ((steps & 4095) == 0 and flag[0] != 0):
            return masks[:count], levels[:count], False
        if i < n and level + sizes[i] > high:
            left, right = i, n
            while left < right:
                middle = (left + right) // 2
                if level + sizes[middle] <= high:
                    right = middle
                else:
                    left = middle + 1
            i = left
        if i < n and level + suffix[i] >= low:
            stack[depth] = i
            depth += 1
            level += sizes[i]
            mask |= one << np.uint64(i)
            if level >= low:
                if count == most:
                    return masks[:count], levels[:count], False
                if count == len(masks):
                    masks = longer(masks, 2 * count)
                    levels = longer(levels, 2 * count)
                masks[count] = mask
                levels[count] = level
                count += 1
            i += 1
        else:
            if depth == 0:
                break
            depth -= 1
            i = stack[depth]
            level -= sizes[i]
            mask ^= one << np.uint64(i)
            i += 1
    return masks[:count], levels[:count], True


@compiled
def _enumerate_halves(
    sizes: IntArray, low: int, high: int, most: int
) -> tuple[WordArray, IntArray, bool]:
    """Enumerate like :func:`_enumerate`, by meeting in the middle.

    O(2^(n/2)) time besides the output: for bins of so many items that few of their
    subsets have a sum in the window.
    """
    n = len(sizes)
    half = n // 2
    left = np.zeros(1 << half, np.int64)
    for bit in range(half):
        for mask in range(1 << bit):
            left[mask | (1 << bit)] = left[mask] + sizes[2 * bit]
    right = np.zeros(1 << (n - half), np.int64)
    for bit in range(n - half):
        for mask in range(1 << bit):
            item = 2 * bit + 1 if bit < half else n - 1
            right[mask | (1 << bit)] = right[mask] + sizes[item]
    rising = np.argsort(left)
    ranks = np.argsort(right)
    masks = np.empty(1024, np.uint64)
    levels = np.empty(1024, np.int64)
    count = 0
    top = len(ranks) - 1
    for a in rising:
        while top >= 0 and left[a] + right[ranks[top]] > high:
            top -= 1
        b = top
        while b >= 0 and left[a] + right[ranks[b]] >= low:
            if count == most:
                return masks[:count], levels[:count], False
            if count == len(masks):
                masks = longer(masks, 2 * count)
                levels = longer(levels, 2 * count)
            bits = np.uint64(0)
            for bit in range(half):
                if (a >> bit) & 1:
                    bits |= np.uint64(1) << np.uint64(2 * bit)
            for bit in range(n - half):
                if (ranks[b] >> bit) & 1:
                    item = 2 * bit + 1 if bit < half else n - 1
                    bits |= np.uint64(1) << np.uint64(item)
            masks[count] = bits
            levels[count] = left[a] + right[ranks[b]]
            count += 1
            b -= 1
    return masks[:count], levels[:count], True
