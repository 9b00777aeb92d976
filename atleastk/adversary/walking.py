"""Annealing from plant to plant."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

from atleastk.adversary.grounds import Ground, Plant
from atleastk.adversary.judging import Judge

__all__ = ["MOST_ITEMS", "Judged", "moved", "scaled", "worst_plant"]

MOST_ITEMS: Final = 30
"""Items of a plant: so few that its optimum is proved in a moment."""
_WARM: Final = 0.05
"""The temperature at the start, as a difference of ratios; it falls to nothing."""
_LAST: Final = 4
"""Rounds for the last plant that is left. Not tuned."""
_FINER: Final = 10
"""How many times as large the numbers of a plant become, for finer ratios."""
_FINE: Final = 10_000
"""Above this k ratios are fine enough."""

Judged = tuple[float, Plant]
"""A plant, after its ratio."""


def worst_plant(
    judge: Judge, rng: Random, starts: Sequence[Plant], until: float
) -> Judged | None:
    """Walk from all starts, in rounds; the better half goes on until one is left.

    All rounds take the same time. In every second one of the last ones its numbers are
    made finer.
    """
    pool, met = list(starts), list[Judged]()
    for left in range(len(starts).bit_length() + _LAST, 0, -1):
        if left < _LAST and left % 2:
            pool = [scaled(judge.ground, plant) for plant in pool]
        now = time.monotonic()
        share = max(0.0, until - now) / left / max(1, len(pool))
        ends = [now + share * (i + 1) for i in range(len(pool))]
        walks = map(partial(annealed, judge, rng), pool, ends)
        met = sorted([*met[:1], *filter(None, walks)], key=_ratio, reverse=True)
        pool = [plant for _, plant in met[: max(1, len(pool) // 2)]]
    return met[0] if met else None


def _ratio(judged: Judged) -> float:
    return judged[0]


def scaled(ground: Ground, plant: Plant) -> Plant:
    """Multiply k and what it is compared with, for finer ratios."""
    if ground.scaled is None or plant.k > _FINE:
        return plant
    items = tuple(ground.scaled(item, _FINER) for item in plant.items)
    return replace(plant, items=items, k=plant.k * _FINER)


def annealed(judge: Judge, rng: Random, start: Plant, until: float) -> Judged | None:
    """Walk from a plant until the time is over; return the worst plant met."""
    now, span = start, max(1e-9, until - time.monotonic())
    value = judge.ratio(now)
    best = None if value is None else (value, now)
    while (left := until - time.monotonic()) > 0:
        other = moved(judge.ground, now, rng)
        while rng.random() < 0.3:
            other = moved(judge.ground, other, rng)
        ratio = judge.ratio(other)
        if ratio is None:
            continue
        warm = _WARM * left / span + 1e-4
        if value is None or ratio >= value or _dares(rng, (ratio - value) / warm):
            now, value = other, ratio
            if best is None or ratio > best[0]:
                best = ratio, other
    return best


def _dares(rng: Random, gain: float) -> bool:
    return rng.random() < math.exp(max(gain, -700.0))


def moved(ground: Ground, plant: Plant, rng: Random) -> Plant:
    """Return a neighbour: one item or one group is added, removed or changed."""
    items, homes = list(plant.items), list(plant.homes)
    i = rng.randrange(len(items))
    move = rng.random()
    if move < 0.35:
        items[i] = ground.changed(rng, items[i], plant.k)
    elif move < 0.5 and ground.shifted is not None:
        j = rng.choice([j for j, home in enumerate(homes) if home == homes[i]])
        if i != j:
            items[i], items[j] = ground.shifted(rng, items[i], items[j])
    elif move < 0.6:
        j = rng.randrange(len(items))
        items[i], items[j] = items[j], items[i]
        homes[i], homes[j] = homes[j], homes[i]
    elif move < 0.7:
        homes[i] = rng.choice(homes)
    elif move < 0.8 and len(items) > 2:
        del items[i], homes[i]
    elif move < 0.88 and len(items) < MOST_ITEMS:
        place = rng.randint(0, len(items))
        twin = rng.choice([items[i], ground.changed(rng, items[i], plant.k)])
        items.insert(place, twin)
        homes.insert(place, homes[i])
    else:
        group = [j for j, home in enumerate(homes) if home == homes[i]]
        if move < 0.95 and len(items) + len(group) <= MOST_ITEMS:
            items += [items[j] for j in group]
            homes += [max(homes) + 1] * len(group)
        elif len(group) < len(items):
            items = [item for j, item in enumerate(items) if j not in group]
            homes = [home for j, home in enumerate(homes) if j not in group]
    return replace(plant, items=tuple(items), homes=tuple(homes))
