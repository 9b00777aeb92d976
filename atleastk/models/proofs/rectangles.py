"""Shared parts of the proofs of rectangle tiling and RTILE: all boxes are listed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.models.proofs.listed import Group, Listed, expect_few
from atleastk.models.proofs.parts import Case
from atleastk.models.rectangles import prefix_sums


def boxes_listed(
    grid: IntArray, required: BoolArray, least: int, most: int, *remarks: str
) -> Listed:
    """Return the program of all boxes of a weight from `least` to `most`."""
    rows, columns = grid.shape
    expect_few(rows * (rows + 1) * columns * (columns + 1) // 4)
    sums = prefix_sums(grid)
    groups = [
        Group(
            f"box_{a}_{c}_{b}_{d}",
            {x * columns + y: 1 for x in range(a, b) for y in range(c, d)},
        )
        for a, b in combinations(range(rows + 1), 2)
        for c, d in combinations(range(columns + 1), 2)
        if least <= sums[b, d] - sums[a, d] - sums[b, c] + sums[a, c] <= most
    ]
    about = (
        f"Variables: whether a box of cells is used, all of a weight from {least} to "
        f"{most},",
        "named by its first row and column and those after its last, from 0.",
        f"Rows: every cell is in one box, by rows of {columns} cells"
        + ("." if required.all() else ", and in at most one if it holds no point."),
        *remarks,
    )
    needed = required.ravel().tolist()
    optional = [not inside for inside in needed]
    return Listed.of(about, groups, [1] * grid.size, optional)


def cases_of(
    certificate: Mapping[str, Any], shape: tuple[int, ...], numbers: range
) -> Iterator[Case]:
    """Yield the weights of cells for all numbers of boxes."""
    left = numbers.start
    for entry in sorted(certificate.get("refuted", ()), key=lambda e: e["parts"]):
        first, last = entry["parts"]
        if left in numbers and first <= left <= last:
            left = min(last + 1, numbers.stop)
            weights = np.zeros(shape, dtype=np.int64)
            for x, y, weight in entry["weights"]:
                weights[x, y] = weight
            yield Case(left - 1, {"weights": weights.ravel().tolist()})
