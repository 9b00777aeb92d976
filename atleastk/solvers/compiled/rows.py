"""Rows of integers: one text of a kernel for 64 bits and for any magnitude.

A kernel that only indexes its rows is written once. Compiled by
:func:`~atleastk.solvers.compiled.compile.compiled` it takes ``int64`` arrays; called as
it is, it takes lists of integers of any magnitude. Functions that kernels call are
:func:`~atleastk.solvers.compiled.compile.inlined`, so that both readings share them.
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
"""Items that are dealt with before a compiled loop has been loaded."""


def worth_compiling(items: int, greatest: int) -> bool:
    """Tell whether to take the compiled reading: of many items, safe in 64 bits.

    It takes half a second to load; once it is, 30 to 100 items take as long by either.
    """
    return items > FEW and greatest < WORD


def row(values: Iterable[int], *, fits: bool) -> Row:
    """Return an array for the compiled reading if the values fit, else a list."""
    return np.fromiter(values, dtype=np.int64) if fits else list(values)
