"""Guillotine tilings of at most some level as a linear model: a flow of boxes.

The whole grid comes in once. A box that comes in and is heavier than the level is cut
along one line, and then both of its halves come in:

    [B is the whole] + sum of cuts that make B = sum of cuts of B.

Other boxes are final; no cut makes one that is too light. Halves are smaller, so there
are no cycles, and the final boxes tile the grid: one more than there are cuts, whose
number is minimised. Vertices of the linear relaxation are integral (gainfree Leontief
flow, [JeroslowMartinRardinWang92]).

Boxes that differ only in margins of weight 0 are merged.

References
----------
[JeroslowMartinRardinWang92] R. G. Jeroslow, K. Martin, R. L. Rardin, J. Wang, "Gainfree
Leontief Substitution Flow Problems", Mathematical Programming 57 (1992).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import numpy as np

from atleastk.arrays import IntArray
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.linear import INFINITE, LinearModelBuilder
from atleastk.models.rectangles import Box, cuts_of, prefix_sums
from atleastk.models.results.solution import Solution


def straight_cuts(
    weights: IntArray,
    least: int,
    level: int,
    read: Callable[[IntArray], Solution],
    most: int | None = None,
) -> Encoding:
    """Return the model of the fewest boxes that straight cuts make.

    At most `most` final boxes weigh from `least` to `level`; `read` turns boxes, rows
    (a, c, b, d), into a solution.
    """
    sums = prefix_sums(weights).tolist()
    whole = (0, 0, *weights.shape)
    builder = LinearModelBuilder()
    coming: dict[Box, list[int]] = defaultdict(list)
    going: dict[Box, list[tuple[int, Box, Box]]] = {}
    open_boxes = [_without_margins(sums, whole)]
    while open_boxes:
        box = open_boxes.pop()
        if box in going or _weight(sums, box) <= level:
            continue
        going[box] = []
        for halves in cuts_of(box):
            if min(_weight(sums, half) for half in halves) >= least:
                cut = builder.variable(0, 1, 1)
                going[box].append((cut, *halves))
                for half in halves:
                    coming[_without_margins(sums, half)].append(cut)
                    open_boxes.append(_without_margins(sums, half))
    for box, cuts in going.items():
        out, inward = [cut for cut, _, _ in cuts], coming[box]
        signs = [1] * len(out) + [-1] * len(inward)
        first = box == _without_margins(sums, whole)
        builder.equation([*out, *inward], signs, int(first))
    enough = int(_weight(sums, whole) >= least)
    every = [cut for cuts in going.values() for cut, _, _ in cuts]
    builder.row(
        every, at_most=(INFINITE if most is None else most - 1) if enough else -1
    )

    def decode(values: IntArray) -> Solution:
        boxes, pending = [], [whole]
        while pending:
            box = pending.pop()
            cuts = going.get(_without_margins(sums, box))
            if cuts is None:
                boxes.append(box)
            else:
                pending += next(
                    _cut_as(box, left, right)
                    for cut, left, right in cuts
                    if values[cut]
                )
        return read(np.array(boxes, dtype=np.int64))

    return Encoding(builder.build(), decode, lambda _solution: None)


def _cut_as(box: Box, left: Box, right: Box) -> tuple[Box, Box]:
    """Return the halves of a box, cut where two halves of it without margins meet."""
    a, c, b, d = box
    if left[2] == right[0]:
        return (a, c, left[2], d), (left[2], c, b, d)
    return (a, c, b, left[3]), (a, left[3], b, d)


def _weight(sums: list[list[int]], box: Box) -> int:
    a, c, b, d = box
    return sums[b][d] - sums[a][d] - sums[b][c] + sums[a][c]


def _without_margins(sums: list[list[int]], box: Box) -> Box:
    """Return a box without the rows and columns of weight 0 at its margins."""
    a, c, b, d = box
    while a < b and not _weight(sums, (a, c, a + 1, d)):
        a += 1
    while a < b and not _weight(sums, (b - 1, c, b, d)):
        b -= 1
    while c < d and not _weight(sums, (a, c, b, c + 1)):
        c += 1
    while c < d and not _weight(sums, (a, d - 1, b, d)):
        d -= 1
    return a, c, b, d
