"""Where nobody enumerates: methods beside each other, and related instances."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Final

import atleastk
from atleastk import Result, Status
from scripts.sweeps.expectations import (
    claim_of,
    expect,
    expect_checked,
    expect_own_cost,
)
from scripts.sweeps.judges import cost_of
from scripts.sweeps.relations import RELATIONS, Related

Document = Mapping[str, Any]

LARGER_SECONDS: Final = 1.0
"""The time limit of a method on an instance that nobody enumerates."""


def solved(document: Document, seconds: float, method: str = "auto") -> Result:
    """Return a result whose cost is what its solution costs."""
    instance = atleastk.from_dict(document)
    result = atleastk.solve(instance, seconds, method=method, workers=1)
    if result.solution is not None:
        expect_own_cost(result, cost_of(document))
    expect_checked(instance, result, result.cost)
    return result


def expect_agreement(document: Document, seconds: float = LARGER_SECONDS) -> int:
    """Expect no two methods to contradict each other; return how many end."""
    results: dict[str, Result] = {}
    for name in ("auto", *(m.name for m in atleastk.methods(document["problem"]))):
        try:
            results[name] = solved(document, seconds, name)
        except atleastk.NotApplicableError:
            continue
    claims = ", ".join(f"{name} {claim_of(result)}" for name, result in results.items())
    costs = [result.cost for result in results.values() if result.cost is not None]
    bounds = [result.bound for result in results.values() if result.bound is not None]
    statuses = [result.status for result in results.values()]
    infeasible = Status.INFEASIBLE in statuses
    wrong = bool(costs) and (infeasible or (bounds and max(bounds) > min(costs)))
    expect(not wrong, f"contradiction: {claims}")
    return sum(status >= Status.INFEASIBLE for status in statuses)


def expect_related(
    document: Document, relation: str, seed: int, seconds: float
) -> bool | None:
    """Expect the optimum of a related instance where it has to be.

    Returns whether both are closed; None if there is no such instance.
    """
    found = RELATIONS[relation](dict(document), random.Random(seed))
    if found is None:
        return None
    try:
        atleastk.from_dict(found.document)
    except atleastk.InvalidInstanceError:  # such as a sum beyond 64 bits
        return None
    first, other = (solved(asked, seconds) for asked in (document, found.document))
    wrong = _inconsistency(first, other, found)
    claims = f"{relation}: {claim_of(first)} and {claim_of(other)}"
    expect(not wrong, claims)
    return min(first.status, other.status) >= Status.INFEASIBLE


def _inconsistency(first: Result, other: Result, relation: Related) -> bool:
    """Tell whether the claims of two results contradict their relation."""
    least, most = relation.least, relation.most
    return (least is not None and _exceeds(first, other, least, 1)) or (
        most is not None and _exceeds(other, first, 1, most)
    )


def _exceeds(one: Result, other: Result, times: int, others: int) -> bool:
    """Tell whether the optimum of one, some times, has to exceed the other's."""
    if other.cost is None:
        return False
    return one.status is Status.INFEASIBLE or (
        one.bound is not None and times * one.bound > others * other.cost
    )
