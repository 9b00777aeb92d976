"""RTILE: what the registry knows of the problem."""

from __future__ import annotations

from atleastk.instances.generators.rectangle_tiling_grid import FAMILIES
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.certificates.rectangle_tiling_grid import check_certificate
from atleastk.models.rectangle_tiling_grid import check
from atleastk.solvers.method import Problem
from atleastk.solvers.rectangle_tiling_grid.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.rectangle_tiling_grid.certify import certify
from atleastk.solvers.rectangle_tiling_grid.methods import METHODS, solve

__all__ = ["PROBLEM"]

PROBLEM = Problem(
    instance=RectangleTilingGrid,
    question="Tile a grid with at most p rectangles, the heaviest least",
    check=check,
    check_certificate=check_certificate,
    solve=solve,
    methods=METHODS,
    algorithms=ALGORITHMS,
    families=FAMILIES,
    certify=certify,
)
