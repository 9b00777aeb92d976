"""Proofs of rectangle tiling and RTILE: all boxes are listed, or all straight cuts.

Guillotine tilings are a flow of boxes, refuted by one sum of lines. The program has a
variable for every box that may be final, and for every straight cut of a box. The whole
is final or cut once; a box that a cut makes is final, or cut once more. The number of
final boxes is limited.

Let f(B) be the fewest boxes of B
(:mod:`atleastk.models.certificates.straight_cuts`), or the limit plus 1 if that is
less. Then f(B) <= 1 if B may be final, and f(B) <= f(L) + f(R) for every cut. So the
rows of the boxes, each times its f, say that there are f(whole) final boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.instance import Instance
from atleastk.models import rectangle_tiling, rectangle_tiling_grid
from atleastk.models.certificates.straight_cuts import fewest_of_all
from atleastk.models.proofs.listed import Group, Listed, expect_few
from atleastk.models.proofs.parts import Case, Levels, refute_all
from atleastk.models.proofs.vipr import Program
from atleastk.models.rectangles import Box, boxes_in, cuts_of, prefix_sums
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
        return _cuts_refuted(tiling.grid, tiling.k, level, most)
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


def _cuts_refuted(grid: IntArray, k: int, level: int, most: int) -> Program:
    """Return the refuted program of at most `most` boxes of weight k to a level."""
    rows, columns = grid.shape
    count = rows * (rows + 1) * columns * (columns + 1) // 4
    expect_few(count * (rows + columns + 1) // 3)
    program = Program(
        (
            "Variables: whether a box of cells is left whole, all of a weight from "
            f"{k} to {level},",
            "and whether it is cut before a row or a column. Boxes are named by their "
            "first row",
            "and column and those after their last, from 0.",
            "Rows: all cells are left whole or cut, and so is what a cut makes; at "
            f"most {most} are left whole.",
        )
    )
    sums = prefix_sums(grid)
    made: dict[Box, dict[int, int]] = {box: {} for box in boxes_in(rows, columns)}
    whole = {}
    for box in made:
        a, c, b, d = box
        name = "_".join(map(str, box))
        if k <= sums[b, d] - sums[a, d] - sums[b, c] + sums[a, c] <= level:
            variable = program.variable(f"whole_{name}", 1)
            made[box][variable] = whole[variable] = 1
        for parts in cuts_of(box):
            _, _, row, column = parts[0]
            cut = f"row_{row}" if row < b else f"column_{column}"
            variable = program.variable(f"{cut}_of_{name}", 1)
            made[box][variable] = 1
            for part in parts:
                made[part][variable] = -1
    least = fewest_of_all(grid, k, level)
    combined = {program.row("most", "L", whole, most): 1}
    for box, terms in made.items():
        a, c, b, d = box
        name = "_".join(map(str, box))
        row = program.row(f"box_{name}", "E", terms, int(box == (0, 0, rows, columns)))
        combined[row] = -min(int(least[b - a, d - c][a, c]), most + 1)
    program.refuted(combined)
    return program
