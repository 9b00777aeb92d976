"""Sorting, heaps and random numbers in compiled loops: numpy's take long to compile."""

from __future__ import annotations

import numpy as np

from atleastk.arrays import IntArray, WordArray
from atleastk.solvers.compiled.compile import inlined


@inlined
def arrange(items: IntArray, keys: IntArray, count: int) -> None:
    """Sort the first `count` items by their keys, and the keys: Shell sort."""
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
def precedes(a: int, b: int, first: IntArray, second: IntArray) -> bool:
    """Return whether a comes before b: by first number, then second, then index."""
    if first[a] != first[b]:
        return bool(first[a] < first[b])
    return bool(second[a] < second[b] or (second[a] == second[b] and a < b))


@inlined
def sink(
    heap: IntArray, count: int, at: int, first: IntArray, second: IntArray
) -> None:
    """Restore a heap of `count` items below a place: sift down."""
    item, child = heap[at], 2 * at + 1
    while child < count:
        right = child + 1
        if right < count and precedes(heap[right], heap[child], first, second):
            child = right
        if not precedes(heap[child], item, first, second):
            break
        heap[at] = heap[child]
        at, child = child, 2 * child + 1
    heap[at] = item


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
def permutation(rng: np.random.Generator, count: int) -> IntArray:
    """Return the numbers below `count` in random order: Fisher-Yates shuffle."""
    order = np.empty(count, np.int64)
    for i in range(count):
        order[i] = i
    for last in range(count - 1, 0, -1):
        place = int(rng.random() * (last + 1))
        order[last], order[place] = order[place], order[last]
    return order


@inlined
def number(value: int) -> int:
    """Return an integer that numba does not treat as a literal type of its own."""
    return int(np.int64(value))
