"""Problems of groups, by definition: every partition of a few items is tried.

Nothing here, or in any judge, knows the package: instances are JSON objects, numbers
are integers of Python.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

Document = Mapping[str, Any]
Group = tuple[int, ...]


class Groups(NamedTuple):
    """What groups there may be, what each costs, and how costs add up.

    Attributes
    ----------
    n
        The number of items.
    cost
        What a group costs, with its centre if one is named; None if it may not be.
    sums
        Whether costs are added; otherwise the greatest counts.
    most_groups, most_left
        How many groups there may be, and how many items in none.
    """

    n: int
    cost: Callable[[Group, int | None], int | None]
    sums: bool = False
    most_groups: int | None = None
    most_left: int = 0


def total_of(problem: Groups, costs: Sequence[int]) -> int:
    """Return what groups of these costs cost together; nothing costs 0."""
    return sum(costs) if problem.sums else max(costs, default=0)


def least(problem: Groups) -> int | None:
    """Return the least cost of a partition into groups; None if there is none.

    For every set of items, and every number of groups, the group of its first item is
    tried in all ways.
    """
    costs: dict[int, int] = {}
    for mask in range(1, 1 << problem.n):
        cost = problem.cost(_members(mask), None)
        if cost is not None:
            costs[mask] = cost
    best: list[dict[int, int]] = [{0: 0}]
    for mask in range(1, 1 << problem.n):
        first, found = mask & -mask, dict[int, int]()
        group = mask
        while group:
            if group & first and group in costs:
                for count, rest in best[mask ^ group].items():
                    cost = total_of(problem, (costs[group], rest))
                    known = found.get(count + 1)
                    found[count + 1] = cost if known is None else min(cost, known)
            group = (group - 1) & mask
        best.append(found)
    most = problem.n if problem.most_groups is None else problem.most_groups
    return min(
        (
            cost
            for mask, found in enumerate(best)
            if problem.n - mask.bit_count() <= problem.most_left
            for count, cost in found.items()
            if count <= most
        ),
        default=None,
    )


def grouped(problem: Groups, solution: Document) -> int | None:
    """Return the cost of a solution; None if it is none.

    Of a mere grouping the centres are the best, and items in no group are left out.
    """
    groups = [tuple(group) for group in solution["groups"]]
    held = [item for group in groups for item in group]
    left = list(solution.get("outliers") or ())
    if not left and not solution.get("centres"):
        left = [item for item in range(problem.n) if item not in held]
    centres = solution.get("centres") or [None] * len(groups)
    items = sorted(held + left)
    if items != list(range(problem.n)) or len(left) > problem.most_left:
        return None
    if not all(groups) or len(centres) != len(groups):
        return None
    if problem.most_groups is not None and len(groups) > problem.most_groups:
        return None
    costs = [problem.cost(g, c) for g, c in zip(groups, centres, strict=True)]
    known = [cost for cost in costs if cost is not None]
    return total_of(problem, known) if len(known) == len(costs) else None


def _members(mask: int) -> Group:
    return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)
