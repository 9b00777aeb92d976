"""Proofs of rectangle tiling and RTILE: all boxes are listed, or all straight cuts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np

from atleastk.instances.instance import Instance
from atleastk.models import rectangle_tiling, rectangle_tiling_grid
from atleastk.models.proofs.listed import Group, Listed, expect_few
from atleastk.models.proofs.parts import Case, Levels, refute_all
from atleastk.models.proofs.straight_cuts import cuts_refuted
from atleastk.models.proofs.vipr import Program
from atleastk.models.rectangles import boxes_in, prefix_sums
from atleastk.models.tilings import Tiling

Certificate = Mapping[str, Any]

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers


def tilings_refuted(
    tiling_of: Callable[[I], Tiling],
    instance: I,
    certificate: Certificate,
    bound: int | None,
) -> Program:
    """Return the refuted program of all tilings below a bound."""
    tiling = tiling_of(instance)
    level = tiling.total if bound is None else bound - 1
    if certificate["kind"] == "cuts":
        most = tiling.cells if tiling.number is None else tiling.number.most
        return cuts_refuted(tiling.grid, tiling.k, level, most)
    listed = _listed(tiling, level)
    levels = Levels(listed, tiling.grid.ravel().tolist(), tiling.k, level)
    refute_all(
        levels,
        partial(_cases, certificate, tiling),
        exactly=None if tiling.number is None else tiling.number.most,
    )
    return listed.program


refuted_plane: Final = partial(tilings_refuted, rectangle_tiling.tiling_of)
refuted_grid: Final = partial(tilings_refuted, rectangle_tiling_grid.tiling_of)
"""`refuted_plane`, `refuted_grid`: of an instance of rectangle tiling, and of RTILE."""


def _listed(tiling: Tiling, most: int) -> Listed:
    """Return the program of all boxes of a weight from k to `most`."""
    (rows, columns), least = tiling.shape, tiling.k
    expect_few(tiling.boxes)
    sums = prefix_sums(tiling.grid)
    groups = [
        Group(
            f"box_{a}_{c}_{b}_{d}",
            {x * columns + y: 1 for x in range(a, b) for y in range(c, d)},
        )
        for a, c, b, d in boxes_in(rows, columns)
        if least <= sums[b, d] - sums[a, d] - sums[b, c] + sums[a, c] <= most
    ]
    optional = (~tiling.covered).ravel().tolist()
    about = [
        f"Variables: whether a box of cells is used, all of a weight from {least} to "
        f"{most},",
        "named by its first row and column and those after its last, from 0.",
        f"Rows: every cell is in one box, by rows of {columns} cells"
        + (", and in at most one if it holds no point." if any(optional) else "."),
    ]
    if tiling.number is not None:
        asked = tiling.number.most
        about.append(f"There are {asked} boxes: tilings by fewer can be split.")
    return Listed.of(about, groups, [1] * tiling.cells, optional)


def _cases(certificate: Certificate, tiling: Tiling, numbers: range) -> Iterator[Case]:
    """Yield the weights of cells for all numbers of boxes."""
    left = numbers.start
    for entry in sorted(certificate.get("refuted", ()), key=lambda e: e["parts"]):
        first, last = entry["parts"]
        if left in numbers and first <= left <= last:
            left = min(last + 1, numbers.stop)
            weights = np.zeros(tiling.shape, dtype=np.int64)
            for x, y, weight in entry["weights"]:
                weights[x, y] = weight
            yield Case(left - 1, {"weights": weights.ravel().tolist()})
