"""Simulated annealing over plants.

A neighbour whose ratio is lower is accepted with probability exp(difference / warm).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import accumulate
from operator import itemgetter
from random import Random
from typing import Final

from atleastk.research.adversary.grounds import Planting
from atleastk.research.adversary.judging import Judge
from atleastk.research.adversary.planted import Item, Plant

MOST_ITEMS: Final = 30
"""The most items of a plant: few enough to prove its optimum quickly."""
_WARM: Final = 0.05
"""The initial temperature, as a difference of ratios; it falls linearly to 0."""
_LAST: Final = 4
"""Rounds for the last plant that is left. Not tuned."""
_FINER: Final = 10
"""The factor by which the numbers of a plant are scaled, for finer ratios."""
_FINE: Final = 10_000
"""Plants of a greater k are not scaled."""

_FACTORS: Final = (2, 3, 10)
"""By how much k grows at once. Not tuned."""
_SHARES_OF_K: Final = tuple(map(Fraction, ("0", "1", "1/2", "1/3", "2/3")))
"""Where weights of worst cases are."""
_NEAR: Final = 2
"""The greatest difference from such a share that stays when k grows. Not tuned."""

Judged = tuple[float, Plant]
"""The ratio of a plant, and the plant."""


def worst_plant(
    judge: Judge, rng: Random, starts: Sequence[Plant], until: float
) -> Judged | None:
    """Anneal all starts in rounds (successive halving); return the worst plant.

    All rounds take the same time; the first one rates every start in any case. Every
    second one of the last rounds begins by scaling plants.
    """
    pool, met = list(starts), list[Judged]()
    for left in range(len(starts).bit_length() + _LAST, 0, -1):
        if left < _LAST and left % 2:
            pool = [scaled(judge.ground, plant) for plant in pool]
        now = time.monotonic()
        if met and now > until:
            break
        share = max(0.0, until - now) / left / max(1, len(pool))
        ends = [now + share * (i + 1) for i in range(len(pool))]
        walks = map(partial(annealed, judge, rng), pool, ends)
        met = sorted([*met[:1], *filter(None, walks)], key=itemgetter(0), reverse=True)
        pool = [plant for _, plant in met[: max(1, len(pool) // 2)]]
    return met[0] if met else None


def scaled(ground: Planting, plant: Plant) -> Plant:
    """Multiply k and all weights, for finer ratios."""
    if not ground.scaled or plant.k > _FINE:
        return plant
    items = tuple((weight * _FINER, *rest) for weight, *rest in plant.items)
    return replace(plant, items=items, k=plant.k * _FINER)


def stretched(weight: int, k: int, factor: int) -> Sequence[int]:
    """Return weights that are as near to a share of k as this one, and its multiple."""
    near = [(int(share * k), int(share * k * factor)) for share in _SHARES_OF_K]
    kept = [
        most + weight - least for least, most in near if abs(weight - least) <= _NEAR
    ]
    return [*(each for each in kept if each > 0), weight * factor]


def annealed(judge: Judge, rng: Random, start: Plant, until: float) -> Judged | None:
    """Anneal from a plant until the time is over; return the worst plant visited."""
    now, span = start, max(1e-9, until - time.monotonic())
    value = judge.quick_ratio(now)
    best = None if value is None else (value, now)
    while (left := until - time.monotonic()) > 0:
        other = moved(judge.ground, now, rng)
        while rng.random() < 0.3:
            other = moved(judge.ground, other, rng)
        ratio = judge.quick_ratio(other, 0.0 if best is None else best[0])
        if ratio is None:
            continue
        warm = _WARM * left / span + 1e-4
        gain = 0.0 if value is None else (ratio - value) / warm
        if gain >= 0.0 or rng.random() < math.exp(max(gain, -700.0)):
            now, value = other, ratio
            if best is None or ratio > best[0]:
                best = ratio, other
    return best


def moved(ground: Planting, plant: Plant, rng: Random) -> Plant:
    """Return a neighbour: an item, a group, all names, or k are changed."""
    draft = _Draft(ground, rng, plant.k, list(plant.items), list(plant.homes))
    (move,) = rng.choices(_MOVES, cum_weights=_SHARES)
    move(draft)
    return Plant(tuple(draft.items), tuple(draft.homes), draft.k, plant.fields)


@dataclass
class _Draft:
    """A plant that is being changed; impossible moves change nothing."""

    ground: Planting
    rng: Random
    k: int
    items: list[Item]
    homes: list[int]

    def change(self) -> None:
        """Change an item a little."""
        i = self._any()
        self.items[i] = self.ground.changed(self.rng, self.items[i], self.k)

    def shift(self) -> None:
        """Shift a part of a weight to another one of its group; at least 1 stays."""
        i = self._any()
        j = self.rng.choice(self._group(i))
        if self.ground.weighed and i != j:
            (weight, *rest), (other, *others) = self.items[i], self.items[j]
            part = self.rng.randint(0, max(0, weight - 1))
            self.items[i] = (weight - part, *rest)
            self.items[j] = (other + part, *others)

    def swap(self) -> None:
        """Let two items change places in the order."""
        i, j = self._any(), self._any()
        self.items[i], self.items[j] = self.items[j], self.items[i]
        self.homes[i], self.homes[j] = self.homes[j], self.homes[i]

    def rehome(self) -> None:
        """Put an item into the group of another one."""
        self.homes[self._any()] = self.rng.choice(self.homes)

    def drop(self) -> None:
        """Take an item out."""
        i = self._any()
        if len(self.items) > 2:
            del self.items[i], self.homes[i]

    def insert(self) -> None:
        """Add a copy of an item to its group, or a changed copy."""
        if len(self.items) < MOST_ITEMS:
            i, place = self._any(), self.rng.randint(0, len(self.items))
            changed = self.ground.changed(self.rng, self.items[i], self.k)
            home, twin = self.homes[i], self.rng.choice([self.items[i], changed])
            self.items.insert(place, twin)
            self.homes.insert(place, home)

    def repeat_group(self) -> None:
        """Add a group of the same items."""
        group = self._group(self._any())
        if len(self.items) + len(group) <= MOST_ITEMS:
            self.items += [self.items[j] for j in group]
            self.homes += [max(self.homes) + 1] * len(group)

    def drop_group(self) -> None:
        """Take a whole group out."""
        group = set(self._group(self._any()))
        if len(group) < len(self.items):
            stay = [j for j in range(len(self.items)) if j not in group]
            self.items = [self.items[j] for j in stay]
            self.homes = [self.homes[j] for j in stay]

    def relabel(self) -> None:
        """Give all items other names."""
        named = self.ground.relabelled(self.rng, self.items, self.homes)
        self.items, self.homes = named

    def raise_k(self) -> None:
        """Let k grow: every group by a copy of an item, or all weights with k.

        Of weights near a simple share of k the difference from it stays, so that k - 1
        and a one are k again.
        """
        if self.ground.scaled and self.k <= _FINE:
            factor = self.rng.choice(_FACTORS)
            weights = {weight for weight, *_ in self.items}
            grown = {w: self.rng.choice(stretched(w, self.k, factor)) for w in weights}
            self.items = [(grown[weight], *rest) for weight, *rest in self.items]
            self.k *= factor
        elif self.ground.counts and not self.ground.scaled:
            firsts = [j for j, home in enumerate(self.homes) if home >= 0]
            self.rng.shuffle(firsts)
            chosen = {self.homes[j]: j for j in firsts}.values()
            if len(self.items) + len(chosen) <= MOST_ITEMS:
                self.homes += [self.homes[j] for j in chosen]
                self.items += [self.items[j] for j in chosen]
                self.k += 1

    def _any(self) -> int:
        return self.rng.randrange(len(self.items))

    def _group(self, i: int) -> list[int]:
        return [j for j, home in enumerate(self.homes) if home == self.homes[i]]


_CHANCES: Final[Mapping[Callable[[_Draft], None], int]] = {
    _Draft.change: 30,
    _Draft.shift: 15,
    _Draft.swap: 5,
    _Draft.rehome: 10,
    _Draft.drop: 10,
    _Draft.insert: 8,
    _Draft.repeat_group: 7,
    _Draft.drop_group: 5,
    _Draft.relabel: 8,
    _Draft.raise_k: 2,
}
"""How often each move is made, of a hundred. Not tuned."""
_MOVES, _SHARES = list(_CHANCES), list(accumulate(_CHANCES.values()))
