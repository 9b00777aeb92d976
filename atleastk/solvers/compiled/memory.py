"""A hash table of states with open addresses, for compiled loops: states in full."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.solvers.compiled.compile import compiled, inlined


class Memory(NamedTuple):
    """States that were searched, with a number each."""

    keys: IntArray  # [place, word], the states
    numbers: Int32Array  # [place], at least 0; -1 if it is free, as one must be

    @classmethod
    def of(cls, places: int, words: int) -> Memory:
        """Return an empty table; the number of its places is a power of 2."""
        keys = np.empty((places, words), dtype=np.int64)
        return cls(keys, np.full(places, -1, dtype=np.int32))

    def doubled(self) -> Memory:
        """Return a table of twice as many places with the same states."""
        places, words = self.keys.shape
        larger = Memory.of(2 * places, words)
        _copy(self, larger)
        return larger


@compiled
def place_of(key: IntArray, memory: Memory) -> int:
    """Return where a state is in the table, or where it would be."""
    keys, numbers = memory
    mixed = 0
    for word in key:
        mixed = (mixed ^ word) * -7046029254386353131
        mixed ^= mixed >> 29
    mixed *= -4658895280553007687
    mixed ^= mixed >> 32
    mask = len(numbers) - 1
    at = mixed & mask
    while numbers[at] >= 0:
        i = 0
        while i < len(key) and keys[at, i] == key[i]:
            i += 1
        if i == len(key):
            break
        at = (at + 1) & mask
    return at


@inlined
def remember(key: IntArray, number: int, memory: Memory) -> int:
    """Store a state and its number; return 1 if the state is new, else 0."""
    at = place_of(key, memory)
    known = memory.numbers[at] >= 0
    memory.numbers[at] = number
    for i in range(len(key)):
        memory.keys[at, i] = key[i]
    return 0 if known else 1


@compiled
def _copy(memory: Memory, larger: Memory) -> None:
    """Store all states of a table in another one."""
    for at in range(len(memory.numbers)):
        if memory.numbers[at] >= 0:
            remember(memory.keys[at], memory.numbers[at], larger)
