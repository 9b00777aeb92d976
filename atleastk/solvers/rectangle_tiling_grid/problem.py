"""Tilings of grids (RTILE): what is offered for it, and where it stands."""

from typing import Final

from atleastk.solvers.problem import described

PROBLEM: Final = described(
    "rectangle-tiling-grid",
    "Tile a grid with at most p rectangles; minimise the heaviest",
    whole_model="research.collecting.whole_models.tiles_of_grids",
    ground="research.adversary.grounds.GRIDS",
    tiny="research.adversary.tiny.grids",
)
