"""Pair partition: solutions by diving in the linear program over groups.

The group that the program takes most of is fixed, and the program of what is left, with
its own groups, is solved again: until no item is left. A little noise makes the next
dive another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.pair_partition import PairPartition
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.master import Master
from atleastk.solvers.pair_partition.pricing import PairOracle

_NOISE: Final = 0.1
"""What is added to the share of a group at most, but for the first dive. Not tuned."""

_DIVES: Final = 8
"""Dives in all. Not tuned."""

_EFFORT: Final = 1_000
"""Sets that are looked at from each first item: a dive needs no bound. Not tuned."""


def dives(
    instance: PairPartition, groups: Groups, point: FloatArray, budget: Budget
) -> Iterator[list[list[int]]]:
    """Yield solutions, one a dive that ends in one, from the last linear program."""
    rng = np.random.default_rng(budget.seed)
    for number in range(_DIVES):
        noise = _NOISE if number else 0.0
        found = _dive(instance, groups, point, noise, rng, budget)
        if found is not None:
            yield found
        if budget.spent:
            return


def _dive(
    instance: PairPartition,
    groups: Groups,
    point: FloatArray,
    noise: float,
    rng: np.random.Generator,
    budget: Budget,
) -> list[list[int]] | None:
    """Return the groups of a dive, None if nothing is feasible in the end."""
    left, chosen = [*range(instance.n)], []
    members = groups.members
    while members and not budget.spent:
        blurred = point + noise * rng.random(len(point)) * (point > 0)
        taken = set(members[int(blurred.argmax())])
        chosen.append([left[at] for at in sorted(taken)])
        stays = [at for at in range(len(left)) if at not in taken]
        left = [left[at] for at in stays]
        if not left:
            return chosen
        rest = _restricted(instance, left, len(chosen))
        if rest is None:
            return None
        place = {at: new for new, at in enumerate(stays)}
        inside = [
            [place[at] for at in group] for group in members if taken.isdisjoint(group)
        ]
        oracle = PairOracle(rest, (_EFFORT,))
        master = Master(oracle, oracle.above, budget.seed)
        master.add(oracle.groups_of(inside))
        master.converge(budget)
        members, point = master.groups.members, master.point
    return None


def _restricted(
    instance: PairPartition, items: Sequence[int], gone: int
) -> PairPartition | None:
    """Return the instance of some items, where so many groups are gone already."""
    place = {item: at for at, item in enumerate(items)}
    fields: dict[str, Any] = {}
    if instance.points is not None:
        fields["points"] = [instance.points[item] for item in items]
    else:
        fields["items"] = len(items)
        fields["costs"] = [
            (place[i], place[j], cost)
            for i, j, cost in instance.costs or ()
            if i in place and j in place
        ]
    if instance.groups is not None:
        low, high = instance.groups
        if high <= gone:
            return None
        fields["groups"] = (max(0, low - gone), high - gone)
    for name in ("together", "apart"):
        lists = getattr(instance, name)
        if lists is not None:
            inside = [[place[i] for i in some if i in place] for some in lists]
            fields[name] = inside
    require = [
        dict(asked)
        if asked["of"] == "items"
        else {**asked, "of": [asked["of"][item] for item in items]}
        for asked in instance.require or ()
    ]
    try:
        rest = replace(instance, **fields, require=require or None)
    except InvalidInstanceError:
        return None
    return rest if rest.counts else None
