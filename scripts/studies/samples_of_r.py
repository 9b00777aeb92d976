"""Samples as R draws them, for tables that programs in R have had."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import numpy as np

from atleastk.instances.k_anonymity import KAnonymity
from scripts.studies.datasets import adult_table


def adult_sample(seed: int, columns: int, k: int, n: int) -> KAnonymity:
    """Return the first columns of `n` rows of Adult, or of all if they are fewer."""
    whole = adult_table(seed, columns, k, decades=False)
    drawn = sample_of_r(seed, whole.n, min(n, whole.n))
    rows = [whole.table[row] for row in drawn]
    return replace(whole, table=rows, name=f"{whole.name}, sample of R, seed={seed}")


def sample_of_r(seed: int, n: int, size: int) -> list[int]:
    """Return what ``set.seed(seed); sample(n, size) - 1`` returns in R since 3.6."""
    uniform = _uniform(seed)
    pool = list(range(n))
    drawn = []
    for left in range(n, n - size, -1):
        place = _index(uniform, left)
        drawn.append(pool[place])
        pool[place] = pool[left - 1]
    return drawn


def _uniform(seed: int) -> Iterator[float]:
    scrambled = seed
    words = []
    for place in count():
        scrambled = (69069 * scrambled + 1) % 2**32
        if place > 50:
            words.append(scrambled)
        if len(words) == 624:
            break
    twister = np.random.MT19937()
    key = np.array(words, dtype=np.uint32)
    twister.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": 624}}
    while True:
        yield int(twister.random_raw()) / (2**32 - 1)


def _index(uniform: Iterator[float], n: int) -> int:
    bits = math.ceil(math.log2(n)) if n > 1 else 0
    while True:
        value = 0
        for _ in range(0, bits + 1, 16):
            value = value << 16 | int(next(uniform) * 65536)
        value &= (1 << bits) - 1
        if value < n:
            return value
