"""Rectangle tiling: its name, its question, and where its parts are."""

from typing import Final

from atleastk.solvers.problem import described

PROBLEM: Final = described(
    "rectangle-tiling",
    "Tile the plane with rectangles >= k; minimise the heaviest",
    formulations="models.encodings.tilings.OF_PLANE",
    refuted="models.proofs.rectangles.refuted_plane",
    formats=("tsplib",),
    ground="research.adversary.grounds.PLACES",
    tiny="research.adversary.tiny.places",
)
