"""Guillotine tilings: a certificate by dynamic programming over straight cuts.

``{"kind": "cuts", "level": K}``
    Straight cuts divide the cells into no boxes of at least k and at most K each, in
    RTILE not into p or fewer: the cost is above K.

The certificate needs no more: the fewest boxes f(B) that straight cuts make of a box B
of weight w(B) are found for all boxes, small ones first:

    f(B) = 1                                             if k <= w(B) <= K,
    f(B) = min over straight cuts B = L + R of f(L) + f(R)    else,

infinite without any. Proof: a tiling by straight cuts is a single box, or a cut and a
tiling of either side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.models.certificates.weights import level_of
from atleastk.models.in_time import look_up
from atleastk.models.rectangles import prefix_sums
from atleastk.models.tilings import Tiling

NEVER: Final = 2**30
"""The number of boxes that stands for no tiling: more than there are cells."""

_MOST_BOXES: Final = 2**24
"""The most boxes: 64 x 64 cells, which take some seconds."""


def check_cuts(
    tiling: Tiling, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Raise `CertificateError` unless straight cuts cost the bound or more."""
    if not tiling.guillotine or not tiling.cells or bound is None:
        raise CertificateError(
            "straight cuts prove bounds of what has to be tiled by them"
        )
    level = level_of(certificate, bound)
    if not cuts_fit(tiling.grid):
        raise NotApplicableError("there are too many boxes to re-check straight cuts")
    boxes = fewest_boxes(tiling.grid, tiling.k, level)
    if boxes <= tiling.most:
        raise CertificateError(f"straight cuts make {boxes} boxes of at most {level}")


def cuts_fit(grid: IntArray) -> bool:
    """Tell whether there are few enough boxes."""
    rows, columns = grid.shape
    fit: bool = rows * (rows + 1) * columns * (columns + 1) // 4 <= _MOST_BOXES
    return fit


def fewest_boxes(grid: IntArray, k: int, level: int) -> int:
    """Return the fewest boxes of weight k to `level` that straight cuts make.

    `NEVER` or more if there are none.
    """
    return int(fewest_of_all(grid, k, level)[grid.shape][0, 0])


def fewest_of_all(
    grid: IntArray, k: int, level: int
) -> Mapping[tuple[int, ...], IntArray]:
    """Return the fewest boxes of every box, by its shape and its first cell.

    Time: boxes times cuts of each.
    """
    rows, columns = grid.shape
    sums = prefix_sums(grid)
    fewest: dict[tuple[int, ...], IntArray] = {}
    for height in range(1, rows + 1):
        look_up()
        strips = sums[height:] - sums[:-height]
        for width in range(1, columns + 1):
            weights = strips[:, width:] - strips[:, :-width]
            found = np.where((weights >= k) & (weights <= level), 1, NEVER)
            down, across = found.shape
            for cut in range(1, height):
                upper = fewest[cut, width][:down]
                lower = fewest[height - cut, width][cut : cut + down]
                np.minimum(found, upper + lower, out=found)
            for cut in range(1, width):
                left = fewest[height, cut][:, :across]
                right = fewest[height, width - cut][:, cut : cut + across]
                np.minimum(found, left + right, out=found)
            fewest[height, width] = np.minimum(found, NEVER)
    return fewest
