"""Tilings of grids (RTILE): its name, its question, and where its parts are."""

from typing import Final

from atleastk.solvers.problem import described

PROBLEM: Final = described(
    "rectangle-tiling-grid",
    "Tile a grid with at most p rectangles; minimise the heaviest",
    formulations="models.encodings.tilings.OF_GRID",
    refuted="models.proofs.rectangles.refuted_grid",
    ground="research.adversary.grounds.GRIDS",
    tiny="research.adversary.tiny.grids",
)
