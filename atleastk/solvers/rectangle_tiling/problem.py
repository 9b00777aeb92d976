"""Rectangle tiling: what the registry knows of the problem."""

from __future__ import annotations

from atleastk.instances.generators.rectangle_tiling import FAMILIES
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.certificates.rectangle_tiling import check_certificate
from atleastk.models.rectangle_tiling import check
from atleastk.solvers.method import Problem
from atleastk.solvers.rectangle_tiling.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.rectangle_tiling.certify import certify
from atleastk.solvers.rectangle_tiling.methods import METHODS, solve

__all__ = ["PROBLEM"]

PROBLEM = Problem(
    instance=RectangleTiling,
    question="Tile the plane with rectangles >= k, the heaviest least",
    check=check,
    check_certificate=check_certificate,
    solve=solve,
    methods=METHODS,
    algorithms=ALGORITHMS,
    families=FAMILIES,
    certify=certify,
)
