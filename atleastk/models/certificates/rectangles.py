"""Certificates of rectangle tiling and RTILE, checked in integers without any solver.

``{"kind": "count"}``
    There are points, but they weigh less than k: infeasible. Or the bound is at most
    max(k, w, ceil(W / floor(W / k))), where w is the weight of the heaviest place and W
    that of all; in RTILE at most max(w, ceil(W / p)).
``{"kind": "parts", "level": K, "refuted": [...]}``
    Weights of cells refute every possible number of rectangles at level K: the cost is
    above K. In RTILE that is p, or as many as there are cells if these are fewer, since
    fewer rectangles can be split.
``{"kind": "cuts", "level": K}``
    If only guillotine tilings count, none costs K or less, see
    :mod:`atleastk.models.certificates.straight_cuts`.

Bounds for all tilings hold for guillotine tilings.

Weights of cells
----------------
``{"kind": "parts", "level": K, "refuted": [{"parts": [p, q], "weights":
[[x, y, weight], ...], "most": Y}, ...]}`` proves that the cost is above K. By counting,
partitions of weight W into parts of at least k and at most K have between W / K and
W / k parts, and of course no more than cells to cover. Every such number is in the
range [p, q] of an entry; the parts of as many weigh from max(k, W - (q - 1) K) to
min(K, W - (p - 1) k), a *window*. The integer weights y of cells, 0 where none is
named, are at most 0 on cells that may stay uncovered. They satisfy

    y(B) <= Y for all boxes B of the window,    sum of all y > p Y and > q Y.

Proof: boxes of a tiling into m parts, p <= m <= q, have together at least the sum of
all y, and at most m Y, which is less.

All boxes are tried, by prefix sums: rows^2 columns^2 / 4 of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import numpy as np

from atleastk.arrays import SAFE, IntArray
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.fields.shapes import AnyObject, ListOf, Row
from atleastk.instances.instance import Instance
from atleastk.models.certificates.straight_cuts import check_cuts
from atleastk.models.certificates.weights import (
    array_of_weights,
    field,
    integer,
    kind_of,
    level_of,
)
from atleastk.models.rectangles import prefix_sums
from atleastk.models.results.fields import INTEGER
from atleastk.models.tilings import Tiling
from atleastk.models.windows import Window, hull

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers

_PARTS: Final = Row("[fewest, most]", (integer(1), INTEGER))
_MOST_BOXES: Final = 2**32
"""The most boxes that a check weighs: about ten seconds."""

_AT_A_TIME: Final = 2**20
"""Boxes that are weighed at a time: 8 megabytes for each array."""


def check_tiling(
    tiling_of: Callable[[I], Tiling],
    instance: I,
    certificate: Mapping[str, Any],
    bound: int | None,
) -> None:
    """Check that a certificate proves a bound of an instance as a tiling."""
    tiling = tiling_of(instance)
    kind = kind_of(certificate, instance, "count", "parts", "cuts")
    if kind == "count":
        if not counted(tiling, bound):
            raise CertificateError(f"counting does not prove the bound {bound}")
    elif kind == "cuts":
        check_cuts(tiling, certificate, bound)
    else:
        level = level_of(certificate, bound)
        if not tiling.cells:
            raise CertificateError("with nothing to be tiled the cost is 0")
        _check_parts(tiling, certificate, level)


def counted(tiling: Tiling, bound: int | None) -> bool:
    """Tell whether counting proves a bound."""
    if tiling.cells and tiling.total < tiling.k:
        return True
    return bound is not None and bound <= (tiling.bound if tiling.cells else 0)


def _check_parts(tiling: Tiling, certificate: Mapping[str, Any], level: int) -> None:
    """Raise `CertificateError` unless all possible numbers of parts are refuted."""
    refuted = field(certificate, "refuted", ListOf(AnyObject()))
    proved = sorted(_refuted(tiling, entry, level) for entry in refuted)
    reached, last = tiling.parts(level)
    for fewest, most in proved:
        if fewest <= reached:
            reached = max(reached, most + 1)
    if reached <= last:
        raise CertificateError(f"the certificate does not refute {reached} parts")


def _refuted(tiling: Tiling, entry: Any, level: int) -> tuple[int, int]:
    """Return the numbers of parts that an entry refutes."""
    fewest, parts = field(entry, "parts", _PARTS)
    if fewest > parts:
        raise CertificateError("certificate parts: expected [fewest, most]")
    weights = array_of_weights(entry, "[x, y, weight]", tiling.shape)
    most = field(entry, "most", integer(-SAFE))
    if (weights[~tiling.covered] > 0).any():
        raise CertificateError(
            "the weight of a cell that may stay uncovered is positive"
        )
    total = int(weights.sum())
    if total <= fewest * most or total <= parts * most:
        raise CertificateError(
            f"the weights do not exceed {most} for each of {parts} parts"
        )
    window = hull(tiling.total, tiling.k, (fewest, parts), level)
    if greatest_weight(tiling.grid, weights, window, most) > most:
        raise CertificateError(f"a box weighs more than {most}")
    return fewest, parts


def greatest_weight(
    grid: IntArray, weights: IntArray, window: Window, least: int
) -> int:
    """Return the greatest weight of a box of the window, `least` if none is above."""
    rows, columns = grid.shape
    if (rows * (columns + 1)) ** 2 > _MOST_BOXES:
        raise NotApplicableError(
            f"{rows} x {columns} cells have too many boxes to re-check"
        )
    sums, values = prefix_sums(grid), prefix_sums(weights)
    at_a_time = max(1, _AT_A_TIME // (columns + 1) ** 2)
    after = np.triu(np.ones((columns + 1, columns + 1), dtype=np.bool_), 1)
    greatest = least
    for a in range(rows):
        for start in range(a + 1, rows + 1, at_a_time):
            strips = slice(start, start + at_a_time)
            prefix = sums[strips] - sums[a]
            of_boxes = prefix[:, None, :] - prefix[:, :, None]
            inside = (window.least <= of_boxes) & (of_boxes <= window.most) & after
            worth = values[strips] - values[a]
            found = (worth[:, None, :] - worth[:, :, None])[inside]
            greatest = max(greatest, int(found.max(initial=-SAFE)))
    return greatest
