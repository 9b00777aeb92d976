"""Arrays that grow in compiled loops: numpy's ways to copy take long to compile."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from atleastk.solvers.compiled.compile import inlined

__all__ = ["longer"]

T = TypeVar("T", bound=np.generic)


@inlined
def longer(array: NDArray[T], size: int) -> NDArray[T]:
    """Return a copy with room for more."""
    copy = np.empty(size, array.dtype)
    for i in range(len(array)):
        copy[i] = array[i]
    return copy
