"""Sorting and random numbers for compiled loops: numpy's take seconds to compile."""

from __future__ import annotations

import numpy as np

from atleastk.arrays import IntArray, WordArray
from atleastk.solvers.compiled.compile import inlined

__all__ = ["arrange", "draw", "number"]


@inlined
def arrange(items: IntArray, keys: IntArray, count: int) -> None:
    """Sort the first so many items by their keys, and the keys: Shell's sort."""
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            key, item, j = keys[i], items[i], i
            while j >= gap and keys[j - gap] > key:
                keys[j], items[j] = keys[j - gap], items[j - gap]
                j -= gap
            keys[j], items[j] = key, item
        gap //= 3


@inlined
def draw(dice: WordArray, sides: int) -> int:
    """Return a random number from 0 to below `sides`: xorshift64."""
    state = dice[0]
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    dice[0] = state
    return int(np.int64((state >> np.uint64(11)) % np.uint64(sides)))


@inlined
def number(value: int) -> int:
    """Return a number that numba takes for any, and makes no code of its own for."""
    return int(np.int64(value))
