"""Words of 64 bits in compiled loops: counting and finding the bits that are set."""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.solvers.compiled.compile import inlined

NONE: Final = np.uint64(0)
ONE: Final = np.uint64(1)


@inlined
def ones(word: np.uint64) -> int:
    """Return the population count: bits are added up in ever larger fields."""
    odd, pairs = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
    twos = word - ((word >> ONE) & odd)
    fours = (twos & pairs) + ((twos >> np.uint64(2)) & pairs)
    eights = (fours + (fours >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int(np.int64((eights * np.uint64(0x0101010101010101)) >> np.uint64(56)))


@inlined
def lowest(word: np.uint64) -> int:
    """Return the place of the lowest bit of a word that is not 0."""
    return ones((word & (~word + ONE)) - ONE)
