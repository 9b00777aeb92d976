"""Names for the kinds of arrays, shared by all floors."""

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BoolArray",
    "ByteArray",
    "FloatArray",
    "Int32Array",
    "IntArray",
    "WordArray",
]

IntArray = NDArray[np.int64]
Int32Array = NDArray[np.int32]
ByteArray = NDArray[np.uint8]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
WordArray = NDArray[np.uint64]
"""Bits of sets, 64 to a word."""
