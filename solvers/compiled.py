"""Compilation of hot loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

__all__ = ["compiled"]

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """Compile a loop over numpy arrays; it runs without the interpreter's lock.

    The machine code is kept between runs where the file system allows it.
    """
    try:
        return cast(F, njit(cache=True, nogil=True)(function))
    except RuntimeError:  # no place to keep it
        return cast(F, njit(nogil=True)(function))
