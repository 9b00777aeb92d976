"""Rectangles on a grid: what rectangle tiling and RTILE share.

A *box* is a set of cells [a, b) x [c, d), the tuple (a, c, b, d) of numbers of lines
between cells. A *rectangle* of a solution names its first and last cell instead, by
their coordinates, both included: numbers of rows and columns in RTILE, coordinates of
points in rectangle tiling.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from atleastk.models import result_fields as fields
from atleastk.models.solution import Solution

__all__ = [
    "Box",
    "Rectangle",
    "RectanglesSolution",
    "box_weights",
    "by_guillotine",
    "in_order",
    "prefix_sums",
    "tiling_violations",
]

IntArray = NDArray[np.int64]
Box = tuple[int, int, int, int]
Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True)
class RectanglesSolution(Solution):
    """Groups of points or cells, and the rectangles that hold them.

    Attributes
    ----------
    rectangles
        (first x, first y, last x, last y) of every group, in the order of the groups;
        (row, column, row, column) in RTILE.
    """

    rectangles: tuple[Rectangle, ...] = ()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self | None:
        """Read the solution of a result's JSON object; None if it has none."""
        groups = fields.groups(data.get("groups"), "groups")
        if groups is None:
            return None
        return cls(
            *in_order(groups, fields.boxes(data.get("rectangles"), "rectangles"))
        )

    def to_dict(self) -> dict[str, Any]:
        return {**Solution.to_dict(self), "rectangles": self.rectangles}


def in_order(
    groups: Iterable[Iterable[int]], rectangles: Sequence[Rectangle]
) -> tuple[tuple[tuple[int, ...], ...], tuple[Rectangle, ...]]:
    """Sort the groups, and their rectangles with them if there is one for each."""
    listed = [tuple(sorted(map(int, group))) for group in groups]
    if len(rectangles) != len(listed):
        return tuple(sorted(listed)), tuple(rectangles)
    pairs = sorted(zip(listed, rectangles, strict=True))
    return tuple(group for group, _ in pairs), tuple(box for _, box in pairs)


def prefix_sums(grid: IntArray) -> IntArray:
    """Return the weight of [0, i) x [0, j) for all i, j."""
    sums = np.zeros((grid.shape[0] + 1, grid.shape[1] + 1), dtype=np.int64)
    sums[1:, 1:] = grid.cumsum(axis=0).cumsum(axis=1)
    return sums


def box_weights(sums: IntArray, boxes: IntArray) -> IntArray:
    """Return the weights of boxes, an array of rows (a, c, b, d)."""
    a, c, b, d = boxes.T
    weights: IntArray = sums[b, d] - sums[a, d] - sums[b, c] + sums[a, c]
    return weights


def tiling_violations(
    rows: int, columns: int, boxes: Sequence[Box], whole: bool
) -> list[str]:
    """Say which boxes overlap, and if all cells have to be covered, which is not."""
    covered = np.full((rows, columns), -1, dtype=np.int64)
    violations = []
    for g, (a, c, b, d) in enumerate(boxes):
        others = covered[a:b, c:d]
        if (others >= 0).any():
            other = int(others[others >= 0][0])
            violations.append(f"rectangles {other} and {g} overlap")
        others[:] = g
    bare = np.argwhere(covered < 0)
    if whole and len(bare):
        violations.append(
            f"{len(bare)} cells are in no rectangle, the first is {bare[0].tolist()}"
        )
    return violations


def by_guillotine(boxes: Sequence[Box]) -> bool:
    """Tell whether boxes that tile a box come from straight cuts alone."""
    pending = [list(boxes)]
    while pending:
        held = pending.pop()
        if len(held) < 2:
            continue
        parts = _cut(held, 0) or _cut(held, 1)
        if parts is None:
            return False
        pending += parts
    return True


def _cut(boxes: Sequence[Box], axis: int) -> list[list[Box]] | None:
    """Split boxes by a line across an axis that goes through none; None without."""
    ordered = sorted(boxes, key=lambda box: box[axis])
    end = ordered[0][axis + 2]
    for i, box in enumerate(ordered):
        if i and box[axis] >= end:
            return [ordered[:i], ordered[i:]]
        end = max(end, box[axis + 2])
    return None
