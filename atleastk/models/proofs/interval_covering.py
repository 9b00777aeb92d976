"""Proofs of interval covering: all intervals are listed, by first item and end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

from atleastk.instances.interval_covering import IntervalCovering
from atleastk.models.covering import group_cost
from atleastk.models.proofs.listed import Group, Listed, expect_few, expect_kind
from atleastk.models.proofs.vipr import Program


def refuted(
    instance: IntervalCovering, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    expect_kind(certificate, "total", "reachability", "hitting", "prefixes")
    if bound is None:
        listed = _listed(instance, instance.total)
        listed.refute([1] * instance.n)
    elif instance.objective == "max":
        listed = _listed(instance, bound - 1)
        marks = _marks(instance, listed)
        listed.refute([before - after for before, after in pairwise(marks)])
    else:
        listed = _listed(instance, instance.total)
        levels = [group.sum(instance.sizes) for group in listed.groups]
        costs = [group_cost(instance, level) for level in levels]
        terms = {g: cost for g, cost in enumerate(costs) if cost}
        paid = listed.program.row("cost", "L", terms, bound - 1)
        if instance.objective == "quadratic":
            least = _least_of_prefixes(instance, listed, costs)
            weights = [after - before for before, after in pairwise(least)]
        else:
            hit = set(certificate["items"])
            k = instance.k
            weights = [s - k * (i in hit) for i, s in enumerate(instance.sizes)]
        listed.refute(weights, more={paid: 1})
    return listed.program


def _least_of_prefixes(
    instance: IntervalCovering, listed: Listed, costs: Sequence[int]
) -> list[int]:
    """Return the least cost of the first items, for every number of them.

    Where no intervals end, the greatest of these costs, so that reduced costs of
    intervals from there stay nonnegative.
    """
    least: list[int | None] = [0] + [None] * instance.n
    for group, cost in zip(listed.groups, costs, strict=True):  # by their ends
        before, end = least[min(group.items)], max(group.items) + 1
        known = least[end]
        if before is not None and (known is None or before + cost < known):
            least[end] = before + cost
    dearest = max(cost for cost in least if cost is not None)
    return [dearest if cost is None else cost for cost in least]


def _marks(instance: IntervalCovering, listed: Listed) -> list[int]:
    """Return 1 for the positions between items that intervals reach, 0 for others."""
    marks = [1] + [0] * instance.n
    for group in listed.groups:  # by their ends
        first, last = min(group.items), max(group.items)
        marks[last + 1] |= marks[first]
    return marks


def _listed(instance: IntervalCovering, level: int) -> Listed:
    """Return the program of all intervals of a level from k to this one, by ends."""
    sums = list(accumulate(instance.sizes, initial=0))
    n, k = instance.n, instance.k
    expect_few(n * n // 2)
    groups = [
        Group(f"from_{first}_to_{end}", dict.fromkeys(range(first, end), 1))
        for end in range(1, n + 1)
        for first in range(end)
        if k <= sums[end] - sums[first] <= level
    ]
    about = (
        f"Variables: whether an interval is used, all of a level from {k} to {level},",
        "named by the first item and the one after the last, from 0.",
        "Rows: every item is in one interval.",
    )
    return Listed.of(about, groups, [1] * n)
