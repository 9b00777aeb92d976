"""k-anonymity by generalisation: what it means.

Definition, complexity and references: :mod:`atleastk.instances.generalization`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.generalization import Generalization
from atleastk.instances.records import distinct_rows
from atleastk.models.fields import INTEGERS, read_list
from atleastk.models.solution import Solution, Verdict, partition_violations

__all__ = [
    "GeneralizationSolution",
    "check",
    "classes_of",
    "solution_of_groups",
    "solution_of_levels",
]


@dataclass(frozen=True)
class GeneralizationSolution(Solution):
    """Groups of rows that look the same at these levels.

    Attributes
    ----------
    levels
        On entries the levels of every group, in the order of the groups; on attributes
        one tuple, the levels of all rows.
    """

    BY_GROUP = ("levels",)

    levels: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def _more(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        return {"levels": read_list(data, "levels", INTEGERS)}

    def remarks(self, instance: Any) -> Iterator[str]:
        yield from super().remarks(instance)
        if instance.on == "attributes":
            names = instance.columns or [f"column {j}" for j in range(instance.m)]
            for levels in self.levels[:1]:
                pairs = zip(names, levels, strict=False)
                yield f"levels  {', '.join(f'{name} {level}' for name, level in pairs)}"

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "levels": self.levels}


def check(instance: Generalization, solution: Solution) -> Verdict:
    """Recompute the loss of a solution and say what it violates.

    Of a solution that is only a grouping, the levels are the least that it needs.
    """
    violations = partition_violations(instance.n, solution)
    if violations:
        return Verdict(None, tuple(violations))
    if not isinstance(solution, GeneralizationSolution):
        solution = solution_of_groups(instance, solution.groups)
    violations = _impossible_levels(instance, solution)
    if violations:
        return Verdict(None, tuple(violations))
    levels = _levels_of_groups(instance, solution)
    violations = [
        f"group {g} has {len(group)} rows, below k = {instance.k}"
        for g, group in enumerate(solution.groups)
        if len(group) < instance.k
    ]
    differing = levels < _least_levels(instance, solution.groups)
    violations += [
        f"group {g} has rows that differ in column {j} at level {levels[g, j]}"
        for g, j in zip(*differing.nonzero(), strict=True)
    ]
    return Verdict(_loss(instance, solution, levels), tuple(violations))


def solution_of_groups(
    instance: Generalization, groups: Sequence[Sequence[int]]
) -> GeneralizationSolution:
    """Return the solution with the least levels at which the groups are equal."""
    normal = Solution.of(groups).groups
    least = _least_levels(instance, normal)
    if instance.on == "attributes":
        most = least.max(axis=0, initial=0)
        return solution_of_levels(instance, most.tolist())
    return GeneralizationSolution(normal, tuple(map(tuple, least.tolist())))


def solution_of_levels(
    instance: Generalization, levels: Sequence[int]
) -> GeneralizationSolution:
    """Return the full-domain solution with these levels; its groups are the classes."""
    groups = Solution.labelled(classes_of(instance, levels)).groups
    return GeneralizationSolution(groups, (tuple(map(int, levels)),))


def classes_of(instance: Generalization, levels: Sequence[int]) -> IntArray:
    """Return the class of every row if the columns are published at these levels."""
    if not instance.m:
        return np.zeros(instance.n, dtype=np.int64)
    codes = [instance.codes[j][level] for j, level in enumerate(levels)]
    return distinct_rows(np.stack(codes, axis=1))[1]


def _loss(
    instance: Generalization, solution: GeneralizationSolution, levels: IntArray
) -> int:
    if instance.is_linear:
        if instance.on == "attributes":
            sums: Sequence[int] = solution.levels[0]
        else:
            rows = np.array([len(group) for group in solution.groups], dtype=np.int64)
            sums = (rows @ levels).tolist()
        return sum(w * x for w, x in zip(instance.weights, sums, strict=True))
    sizes = np.bincount(classes_of(instance, solution.levels[0]))
    if instance.loss == "discernibility":
        return int((sizes**2).sum())
    return instance.n - len(sizes)


def _levels_of_groups(
    instance: Generalization, solution: GeneralizationSolution
) -> IntArray:
    """Return the levels of every group, an array [group, column]."""
    chosen = solution.levels
    if instance.on == "attributes":
        chosen = chosen * len(solution.groups)
    shape = len(solution.groups), instance.m
    return np.array(chosen, dtype=np.int64).reshape(shape)


def _least_levels(
    instance: Generalization, groups: Sequence[Sequence[int]]
) -> IntArray:
    """Return the least levels at which each group is equal, an array [group, column].

    The groups are a partition of the rows.
    """
    least = np.zeros((len(groups), instance.m), dtype=np.int64)
    if not groups:
        return least
    rows = np.fromiter(chain.from_iterable(groups), dtype=np.int64, count=instance.n)
    starts = np.cumsum([0, *map(len, groups[:-1])])
    for j, codes in enumerate(instance.codes):
        held = codes[:-1, rows]
        differ = np.minimum.reduceat(held, starts, axis=1) != np.maximum.reduceat(
            held, starts, axis=1
        )
        least[:, j] = differ.sum(axis=0)
    return least


def _impossible_levels(
    instance: Generalization, solution: GeneralizationSolution
) -> list[str]:
    wanted = 1 if instance.on == "attributes" else len(solution.groups)
    if len(solution.levels) != wanted:
        return [
            f"levels: expected {wanted} lists of levels, got {len(solution.levels)}"
        ]
    heights = instance.heights
    return [
        f"levels[{g}]: expected {instance.m} levels from 0 to {heights}, got {chosen}"
        for g, chosen in enumerate(solution.levels)
        if len(chosen) != instance.m
        or not all(0 <= x <= h for x, h in zip(chosen, heights, strict=True))
    ]
