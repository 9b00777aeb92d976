"""Proofs of guillotine tilings: a flow of boxes, and one sum of lines.

The program has a variable for every box that may be final, and for every straight cut
of a box. The whole is final or cut once; a box that a cut makes is final, or cut once
more. The number of final boxes is limited.

Let f(B) be the fewest boxes of B
(:mod:`atleastk.models.certificates.straight_cuts`), or the limit plus 1 if that is
less. Then f(B) <= 1 if B may be final, and f(B) <= f(L) + f(R) for every cut. So the
rows of the boxes, each times its f, say that there are f(whole) final boxes.
"""

from __future__ import annotations

from atleastk.arrays import IntArray
from atleastk.models.certificates.straight_cuts import fewest_of_all
from atleastk.models.proofs.listed import expect_few
from atleastk.models.proofs.vipr import Program
from atleastk.models.rectangles import Box, boxes_in, cuts_of, prefix_sums


def cuts_refuted(grid: IntArray, k: int, level: int, most: int) -> Program:
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
