"""Copies of arrays in compiled loops: numpy's own take seconds to compile."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from atleastk.solvers.compiled.compile import inlined

T = TypeVar("T", bound=np.generic)


@inlined
def longer(array: NDArray[T], size: int) -> NDArray[T]:
    """Return a copy with room for more."""
    copy = np.empty(size, array.dtype)
    for i in range(len(array)):
        copy[i] = array[i]
    return copy


@inlined
def copy_into(target: NDArray[T], source: NDArray[T]) -> None:
    """Copy an array of one dimension onto the first places of another."""
    for i in range(len(source)):
        target[i] = source[i]
