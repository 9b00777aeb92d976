"""Solutions in full: from results, groups and JSON objects, and the cells they hide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from atleastk.arrays import BoolArray
from atleastk.instances.clustering import Clustering
from atleastk.instances.fields.errors import InvalidResultError
from atleastk.instances.generalization import Generalization
from atleastk.instances.instance import Instance
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.instances.suppression import Suppression
from atleastk.models import (
    clustering,
    generalization,
    k_ambiguity,
    k_anonymity,
    rectangle_tiling,
    rectangle_tiling_grid,
    suppression,
)
from atleastk.models.k_ambiguity import AmbiguitySolution
from atleastk.models.results.fields import GROUPS, parsed
from atleastk.models.results.result import Result
from atleastk.models.results.solution import Solution
from atleastk.models.solutions import solution_kind
from atleastk.models.suppression import SuppressionSolution

Groups = Iterable[Iterable[int]]
Claim = Result | Solution | Mapping[str, Any] | Groups
"""What may stand for a solution."""


def solution_of(claim: Claim, problem: str) -> Solution | None:
    """Return the solution of a result, of its JSON object, or of lists of groups."""
    match claim:
        case Result():
            return claim.solution
        case Solution():
            return claim
        case Mapping():
            if "groups" not in claim:
                raise InvalidResultError("groups: missing; a solution needs them")
            read = solution_kind(problem).from_dict(claim)
            if read is None:
                raise InvalidResultError(
                    "groups: expected lists of item indices, got null"
                )
            return read
    groups = parsed(GROUPS, claim, "groups")
    return Solution.of(groups or ())


def completed(instance: Instance, solution: Solution) -> Solution:
    """Return a solution with all that its problem asks for.

    A grouping stands for the cells that it has to suppress, or the levels that it has
    to be published at: those that the checkers take it for.
    """
    match instance:
        case Clustering():
            return clustering.completed(instance, solution)
        case RectangleTiling():
            return rectangle_tiling.completed(instance, solution)
        case RectangleTilingGrid():
            return rectangle_tiling_grid.completed(instance, solution)
        case _ if isinstance(solution, solution_kind(instance.problem)):
            return solution
        case Suppression():
            return suppression.solution_of_groups(instance, solution.groups)
        case Generalization():
            return generalization.solution_of_groups(instance, solution.groups)
        case KAmbiguity():
            hidden = k_anonymity.suppressed(instance, solution)
            return k_ambiguity.solution_of_mask(instance, hidden)
    return solution


def hidden_by(instance: KAnonymity, solution: Solution) -> BoolArray:
    """Return, for every cell of the table, whether a solution suppresses it."""
    full = completed(instance, solution)
    if isinstance(full, SuppressionSolution | AmbiguitySolution):
        return k_anonymity.hiding(instance, full.suppressed)
    return k_anonymity.suppressed(instance, full)
