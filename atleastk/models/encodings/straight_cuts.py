"""Tilings by straight cuts as a linear model: a flow from box to box.

The whole grid comes in once. A box that comes in is either kept, or cut along one line,
and then both of its halves come in:

    [B is the whole] + sum of cuts that make B = kept_B + sum of cuts of B.

Halves are smaller, so nothing goes round, and the boxes that are kept tile the grid. K,
the last variable, is the cost: for every cell, sum over the boxes B that contain it of
w(B) kept_B <= K. A grid of r x c cells has (r + 1) r (c + 1) c / 4 boxes, and fewer
than r + c cuts of each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

import numpy as np

from atleastk.arrays import IntArray
from atleastk.models.encodings.encoding import SolutionEncoding
from atleastk.models.linear import LinearModelBuilder
from atleastk.models.rectangles import box_weights, prefix_sums
from atleastk.models.solution import Solution

__all__ = ["cuts_of", "straight_cuts"]

Box = tuple[int, int, int, int]


def straight_cuts(
    weights: IntArray,
    least: int,
    most: int,
    read: Callable[[IntArray], Solution],
) -> SolutionEncoding:
    """Return the model of tilings by straight cuts, the heaviest box minimised.

    Parameters
    ----------
    least
        The least weight of a box that is kept.
    most
        How many boxes may be kept.
    read
        Turns boxes, rows (a, c, b, d), into a solution.
    """
    rows, columns = weights.shape
    boxes = [
        (a, c, b, d)
        for a in range(rows)
        for b in range(a + 1, rows + 1)
        for c in range(columns)
        for d in range(c + 1, columns + 1)
    ]
    listed = np.array(boxes, dtype=np.int64).reshape(-1, 4)
    heavy = box_weights(prefix_sums(weights), listed).tolist()
    builder = LinearModelBuilder()
    kept = [builder.variable(0, int(weight >= least)) for weight in heavy]
    coming: dict[Box, list[int]] = defaultdict(list)
    going: dict[Box, list[int]] = defaultdict(list)
    for box in boxes:
        for halves in cuts_of(box):
            cut = builder.variable(0, 1)
            going[box].append(cut)
            for half in halves:
                coming[half].append(cut)
    cost = builder.variable(0, max(heavy, default=0), 1)
    for box, keep in zip(boxes, kept, strict=True):
        out, inward = [keep, *going[box]], coming[box]
        signs = [1] * len(out) + [-1] * len(inward)
        builder.equation([*out, *inward], signs, int(box == (0, 0, rows, columns)))
    builder.row(kept, at_most=most)
    for x in range(rows):
        for y in range(columns):
            over = [
                j for j, (a, c, b, d) in enumerate(boxes) if a <= x < b and c <= y < d
            ]
            builder.row(
                [*(kept[j] for j in over), cost],
                [*(heavy[j] for j in over), -1],
                at_most=0,
            )

    def decode(values: IntArray) -> Solution:
        return read(listed[values[kept] > 0])

    return SolutionEncoding(builder.build(), decode, lambda _solution: None)


def cuts_of(box: Box) -> Iterator[tuple[Box, Box]]:
    """Give both halves of a box, for every line that cuts it."""
    a, c, b, d = box
    for x in range(a + 1, b):
        yield (a, c, x, d), (x, c, b, d)
    for y in range(c + 1, d):
        yield (a, c, b, y), (a, y, b, d)
