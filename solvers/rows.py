"""Rows of integers: one text of a kernel for 64 bits and for any magnitude.

A kernel that only indexes its rows is written once. Compiled by
:func:`~atleastk.solvers.compiled.compiled` it takes ``int64`` arrays; called as it is,
it takes lists of integers of any magnitude. Functions that kernels call are
:func:`inlined`, so that both readings share them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np
from numba.extending import register_jitable

__all__ = ["WORD", "Row", "inlined", "row"]

Row = Any
"""A row of integers: an ``int64`` array, or a list."""

WORD = 2**62
"""Sums below this are safe in 64 bits, and so is the sum of two of them."""

F = TypeVar("F", bound=Callable[..., Any])


def inlined(function: F) -> F:
    """Let compiled kernels call a function, and leave it plain Python."""
    registered: F = register_jitable(function)
    return registered


def row(values: Iterable[int], *, fits: bool) -> Row:
    """Return an array for the compiled reading if the values fit, else a list."""
    return np.fromiter(values, dtype=np.int64) if fits else list(values)
