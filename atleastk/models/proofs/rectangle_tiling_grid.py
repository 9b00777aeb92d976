"""Proofs of RTILE: all boxes are listed, or all straight cuts.

Tilings by fewer than p boxes can be split.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.proofs.parts import Levels, refute_levels
from atleastk.models.proofs.rectangles import boxes_listed, cases_of
from atleastk.models.proofs.straight_cuts import cuts_refuted
from atleastk.models.proofs.vipr import Program


def refuted(
    instance: RectangleTilingGrid, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    if bound is None:
        raise CertificateError("every grid can be tiled")
    grid, level = instance.weights, bound - 1
    parts = min(instance.p, instance.n)
    if certificate["kind"] == "cuts":
        return cuts_refuted(grid, 0, level, parts)
    remark = f"There are {parts} boxes: tilings by fewer can be split."
    listed = boxes_listed(grid, np.ones(grid.shape, dtype=np.bool_), 0, level, remark)
    missed = listed.missed
    if missed is not None:
        listed.refute_missed(missed)
        return listed.program
    fewest = listed.program.row("fewest", "G", listed.count, parts)
    most = listed.program.row("most", "L", listed.count, parts)
    sizes = grid.ravel().tolist()
    if instance.total > parts * level:
        heaviest = max(group.sum(sizes) for group in listed.groups)
        listed.refute(sizes, heaviest, most)
    else:
        numbers = listed.numbers(fewest, most)
        cases = cases_of(certificate, grid.shape, numbers)
        refute_levels(Levels(listed, sizes, 0, level), fewest, most, cases)
    return listed.program
