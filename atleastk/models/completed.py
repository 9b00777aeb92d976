"""Solutions of results, groups and JSON objects, completed by what groups imply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from atleastk.arrays import BoolArray
from atleastk.instances.fields.errors import InvalidResultError
from atleastk.instances.instance import Instance
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models import k_ambiguity, k_anonymity
from atleastk.models.results.fields import GROUPS, parsed
from atleastk.models.results.result import Result
from atleastk.models.results.solution import Solution
from atleastk.models.solutions import problem_module, solution_kind
from atleastk.models.suppression import SuppressionSolution

Groups = Iterable[Iterable[int]]
Claim = Result | Solution | Mapping[str, Any] | Groups
"""The types that a solution can be read from."""


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
    """Return a solution with all fields of its problem.

    Groups imply the cells to suppress, the levels to publish, the centres: as the
    checkers do, by ``completed`` of the model of the problem, if it has that function.
    """
    complete = getattr(problem_module(instance.problem), "completed", None)
    return (
        solution if complete is None else cast(Solution, complete(instance, solution))
    )


def hidden_by(instance: KAnonymity, solution: Solution) -> BoolArray:
    """Return, for every cell of the table, whether a solution suppresses it."""
    if isinstance(instance, KAmbiguity):
        return k_ambiguity.mask_of(instance, solution)
    full = completed(instance, solution)
    if isinstance(full, SuppressionSolution):
        return k_anonymity.hiding(instance, full.suppressed)
    return k_anonymity.suppressed(instance, full)
