"""Rows of integers: one kernel for 64 bits and for integers of any magnitude.

A kernel that only indexes its rows is written once. Compiled by
:func:`~atleastk.solvers.compiled.compile.compiled` it takes ``int64`` arrays; called as
it is, it takes lists of integers of any magnitude. Functions that kernels call are
:func:`~atleastk.solvers.compiled.compile.inlined`, so that both versions share them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

Row = Any
"""A row of integers: an ``int64`` array, or a list."""

WORD = 2**62
"""Sums below this are safe in 64 bits, and so is the sum of two of them."""

FEW: Final = 100
"""Up to this many items, plain Python is faster than loading a compiled loop."""


def worth_compiling(items: int, greatest: int) -> bool:
    """Return whether to take the compiled version: many items, sums safe in 64 bits.

    Loading it takes half a second; after that, both are equal at 30 to 100 items.
    """
    return items > FEW and greatest < WORD


def row(values: Iterable[int], *, fits: bool) -> Row:
    """Return an array for the compiled version if the values fit, else a list."""
    return np.fromiter(values, dtype=np.int64) if fits else list(values)
