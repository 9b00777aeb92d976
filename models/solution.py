"""Solutions, and the verdict of a checker on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from atleastk.models import result_fields as fields

__all__ = ["Solution", "Verdict", "partition_violations"]


@dataclass(frozen=True, slots=True)
class Solution:
    """A partition of the items 0..n-1 into groups.

    Problems whose solutions hold more (centres, rectangles, suppressed cells) subclass
    this, and are listed in :mod:`atleastk.models.solutions`.
    """

    groups: tuple[tuple[int, ...], ...]

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self | None:
        """Read the solution of a result's JSON object; None if it has none."""
        groups = fields.groups(data.get("groups"), "groups")
        if groups is None:
            return None
        return cls(Solution.of(groups).groups, **cls._more(data))

    @classmethod
    def _more(cls, _data: Mapping[str, Any]) -> dict[str, Any]:
        """Read what a solution holds beside its groups."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of a result's JSON object that hold the solution."""
        return {"groups": self.groups}

    @classmethod
    def of(cls, groups: Iterable[Iterable[int]]) -> Solution:
        """Return the solution in normal form: items sorted, groups by first item."""
        return cls(tuple(sorted(tuple(sorted(map(int, g))) for g in groups)))

    @classmethod
    def labelled(cls, labels: NDArray[np.int64]) -> Solution:
        """Return the solution, in normal form, that groups items of equal label."""
        if not len(labels):
            return cls(())
        items = np.argsort(labels, kind="stable")
        firsts = np.flatnonzero(np.diff(labels[items], prepend=labels.min() - 1))
        ends = np.append(firsts[1:], len(items))
        order = np.argsort(items[firsts])
        listed = items.tolist()
        spans = zip(firsts[order].tolist(), ends[order].tolist(), strict=True)
        return cls(tuple(tuple(listed[first:end]) for first, end in spans))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a checker that knows no solver says of a solution.

    The cost is None if the solution is not even a partition of the items.
    """

    cost: int | None
    violations: tuple[str, ...] = ()

    @property
    def feasible(self) -> bool:
        """Whether nothing is violated."""
        return not self.violations


def _is_partition(n: int, groups: tuple[tuple[int, ...], ...]) -> bool:
    """Tell whether non-empty groups hold each of 0..n-1 once."""
    items = set(chain.from_iterable(groups))
    return (
        all(groups)
        and sum(map(len, groups)) == n == len(items)
        and (n == 0 or (min(items) == 0 and max(items) == n - 1))
    )


def partition_violations(n: int, solution: Solution) -> list[str]:
    """Say why the groups are not a partition of 0..n-1 into non-empty groups.

    Returns an empty list if they are.
    """
    if _is_partition(n, solution.groups):
        return []
    home: dict[int, int] = {}
    violations = []
    for g, group in enumerate(solution.groups):
        if not group:
            violations.append(f"group {g} is empty")
        for item in group:
            if not 0 <= item < n:
                violations.append(f"group {g} holds item {item}, outside 0..{n - 1}")
            elif item in home:
                violations.append(f"item {item} is in groups {home[item]} and {g}")
            else:
                home[item] = g
    missing = n - len(home)
    if missing:
        first = next(item for item in range(n) if item not in home)
        violations.append(f"{missing} items are in no group, the first is item {first}")
    return violations
