"""The kinds of solutions, by problem: what results are read into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from atleastk.models.clustering import ClusteringSolution
from atleastk.models.generalization import GeneralizationSolution
from atleastk.models.k_ambiguity import AmbiguitySolution
from atleastk.models.rectangles import RectanglesSolution
from atleastk.models.results.solution import Solution
from atleastk.models.suppression import SuppressionSolution

_KINDS: Final[Mapping[str, type[Solution]]] = {
    "cellular-clustering": ClusteringSolution,
    "diversity": GeneralizationSolution,
    "generalization": GeneralizationSolution,
    "k-ambiguity": AmbiguitySolution,
    "r-gather": ClusteringSolution,
    "rectangle-tiling": RectanglesSolution,
    "rectangle-tiling-grid": RectanglesSolution,
    "suppression": SuppressionSolution,
}


def solution_kind(problem: str) -> type[Solution]:
    """Return what holds the solutions of a problem."""
    return _KINDS.get(problem, Solution)
