"""Rectangle tiling: its name, its question, and where its parts are."""

from typing import Final

from atleastk.solvers.problem import described

PROBLEM: Final = described(
    "rectangle-tiling",
    "Tile the plane with rectangles >= k; minimise the heaviest",
    formats=("tsplib",),
    ground="research.adversary.grounds.PLACES",
    tiny="research.adversary.tiny.places",
)
