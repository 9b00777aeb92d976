"""Annealing from plant to plant, and what is made of the worst of them."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Any, Final

from atleastk import api
from atleastk.adversary.grounds import GROUNDS, Ground, Item
from atleastk.instances.errors import AtleastkError, NotApplicableError
from atleastk.instances.instance import Instance
from atleastk.models.result import Result
from atleastk.models.solution import Solution
from atleastk.models.status import Status
from atleastk.registry import instance_from_dict
from atleastk.shrinking import shrunk
from atleastk.solvers.method import Algorithm, Problem
from atleastk.versions import __version__

__all__ = ["Found", "Judge", "Plant", "worst_of"]

_MOST_ITEMS: Final = 30
"""Of a plant: so that its optimum is proved in a moment."""
_WARM: Final = 0.05
"""The temperature at the start, as a difference of ratios; it falls to nothing."""
_KS: Final = {"bin-covering": (12, 60, 100), "interval-covering": (12, 60)}
_OTHER_KS: Final = (2, 3, 4)
"""The values of k, one for each start."""
_ENCORES: Final = 3
"""How often the search begins again from the worst plant so far. Not tuned."""
_SAME: Final = 1e-9
"""Ratios that differ by less are one: quotients are rounded."""
_SOLVED: Final = 5.0
"""Seconds for the optimum of the worst plants, and of what they are shrunk to."""


@dataclass(frozen=True, slots=True)
class Plant:
    """Items, each in the group of its number, and k."""

    items: tuple[Item, ...]
    homes: tuple[int, ...]
    k: int


@dataclass(frozen=True, slots=True)
class Found:
    """The worst instance that was found.

    Attributes
    ----------
    cost
        Of the algorithm.
    result
        The optimum, with its certificate where there is one.
    plants
        How many were judged.
    seconds
        What the search took.
    """

    algorithm: str
    instance: Instance
    cost: int
    result: Result
    plants: int
    seconds: float
    seed: int

    @property
    def ratio(self) -> float:
        """The cost of the algorithm over the optimum; of r-gather that of the radii."""
        assert self.result.cost
        return self.instance.ratio(self.cost, self.result.cost)

    def to_dict(self) -> dict[str, Any]:
        """Return the record of the find, as JSON has it."""
        return {
            "algorithm": self.algorithm,
            "ratio": self.ratio,
            "cost": self.cost,
            "optimum": self.result.cost,
            "trust": self.result.trust,
            "instance": self.instance.to_dict(),
            "certificate": self.result.certificate,
            "date": date.today().isoformat(),
            "plants": self.plants,
            "seconds": round(self.seconds, 1),
            "seed": self.seed,
            "version": __version__,
        }


def worst_of(
    problem: Problem[Any],
    algorithm: Algorithm[Any],
    *,
    seconds: float = 15.0,
    seed: int = 0,
) -> Found | None:
    """Return the worst instance of an algorithm that is found in so many seconds.

    The search begins again and again, also from the families that are told to be tight.
    What it finds is shrunk, for as long again at most, and its optimum proved.

    Raises
    ------
    NotApplicableError
        If nothing can be planted for the problem.
    """
    ground = GROUNDS.get(problem.name)
    if ground is None:
        message = (
            f"nothing is planted for {problem.name} yet; take {', '.join(GROUNDS)}"
        )
        raise NotApplicableError(message)
    rng, begun = Random(seed), time.monotonic()
    judge = Judge(problem, algorithm, ground)
    starts = list(_starts(problem, ground, rng))
    best: tuple[float, Plant] | None = None
    for number in range(len(starts) + _ENCORES):
        start = starts[number] if number < len(starts) else best and best[1]
        until = begun + seconds * (number + 1) / (len(starts) + _ENCORES)
        found = _annealed(judge, start, rng, until) if start else None
        if found is not None and (best is None or found[0] > best[0]):
            best = found
    if best is None:
        return None
    taken = time.monotonic() - begun
    enough = time.monotonic() + seconds
    instance = _smallest(problem, algorithm, judge.instance(best[1]), enough)
    result = api.solve(instance, _SOLVED, certify=True)
    cost = _cost(problem, algorithm, instance)
    if result.status is not Status.OPTIMAL or not result.cost or cost is None:
        return None
    return Found(algorithm.name, instance, cost, result, judge.plants, taken, seed)


class Judge:
    """Tells how bad an algorithm is on a plant: its cost over that of the groups."""

    def __init__(
        self, problem: Problem[Any], algorithm: Algorithm[Any], ground: Ground
    ) -> None:
        self.problem, self.algorithm, self.ground = problem, algorithm, ground
        self.plants = 0

    def instance(self, plant: Plant) -> Any:
        """Return the instance of a plant."""
        return self.ground.instance(plant.items, plant.k)

    def ratio(self, plant: Plant) -> float | None:
        """Return the ratio; None if the plant is no solution, or costs nothing."""
        self.plants += 1
        try:
            instance = self.instance(plant)
            groups: dict[int, list[int]] = {}
            for item, home in enumerate(plant.homes):
                groups.setdefault(home, []).append(item)
            planted = self.problem.check(instance, Solution.of(groups.values()))
        except AtleastkError:
            return None
        if not planted.feasible or not planted.cost:
            return None
        cost = _cost(self.problem, self.algorithm, instance)
        if cost is None:
            return None
        ratio: float = instance.ratio(cost, planted.cost)
        return ratio


def _cost(
    problem: Problem[Any], algorithm: Algorithm[Any], instance: Any
) -> int | None:
    if algorithm.refuses(instance) is not None:
        return None
    try:
        verdict = problem.check(instance, algorithm.run(instance, 0))
    except NotApplicableError:
        return None
    return verdict.cost if verdict.feasible else None


def _starts(problem: Problem[Any], ground: Ground, rng: Random) -> Iterator[Plant]:
    """Yield small random plants, and the tight families with their best groups."""
    for k in _KS.get(problem.name, _OTHER_KS):
        homes = [home for home in range(3) for _ in range(max(2, min(k, 4)))]
        drawn = tuple(ground.fresh(rng, k) for _ in homes)
        yield Plant(drawn, tuple(homes), k)
    for family in problem.families:
        if not family.name.startswith("tight"):
            continue
        instance = family.make(0)
        result = api.solve(instance, _SOLVED, workers=1)
        items, k = ground.items(instance)
        if result.solution is None or not 0 < len(items) <= 2 * _MOST_ITEMS:
            continue
        homes = [0] * len(items)
        for home, group in enumerate(result.solution.groups):
            for item in group:
                homes[item] = home
        yield Plant(tuple(items), tuple(homes), k)


def _annealed(
    judge: Judge, start: Plant, rng: Random, until: float
) -> tuple[float, Plant] | None:
    """Walk from a plant until the time is over; return the worst plant met."""
    now, span = start, max(1e-9, until - time.monotonic())
    value = judge.ratio(now)
    best = None if value is None else (value, now)
    while (left := until - time.monotonic()) > 0:
        moved = _moved(judge.ground, now, rng)
        while rng.random() < 0.3:
            moved = _moved(judge.ground, moved, rng)
        ratio = judge.ratio(moved)
        if ratio is None:
            continue
        warm = _WARM * left / span + 1e-4
        if value is None or ratio >= value or _dares(rng, (ratio - value) / warm):
            now, value = moved, ratio
            if best is None or ratio > best[0]:
                best = ratio, moved
    return best


def _dares(rng: Random, gain: float) -> bool:
    return rng.random() < math.exp(max(gain, -700.0))


def _moved(ground: Ground, plant: Plant, rng: Random) -> Plant:
    """Return a neighbour: an item or a whole group more, less or changed."""
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
    elif move < 0.88 and len(items) < _MOST_ITEMS:
        place = rng.randint(0, len(items))
        items.insert(place, rng.choice([items[i], ground.fresh(rng, plant.k)]))
        homes.insert(place, homes[i])
    else:
        group = [j for j, home in enumerate(homes) if home == homes[i]]
        if move < 0.95 and len(items) + len(group) <= _MOST_ITEMS:
            items += [items[j] for j in group]
            homes += [max(homes) + 1] * len(group)
        elif len(group) < len(items):
            items = [item for j, item in enumerate(items) if j not in group]
            homes = [home for j, home in enumerate(homes) if j not in group]
    return Plant(tuple(items), tuple(homes), plant.k)


def _smallest(
    problem: Problem[Any], algorithm: Algorithm[Any], instance: Instance, enough: float
) -> Instance:
    """Shrink an instance while its ratio to the optimum stays, and there is time."""
    wanted = _exact(problem, algorithm, instance)
    if wanted is None:
        return instance

    def as_bad(document: dict[str, Any]) -> bool:
        if time.monotonic() > enough:
            return False
        try:
            smaller = instance_from_dict(document)
        except (AtleastkError, TypeError, ValueError):
            return False
        ratio = _exact(problem, algorithm, smaller)
        return ratio is not None and ratio >= wanted - _SAME

    document = json.loads(json.dumps(instance.to_dict()))
    return instance_from_dict(shrunk(document, as_bad))


def _exact(
    problem: Problem[Any], algorithm: Algorithm[Any], instance: Any
) -> float | None:
    cost = _cost(problem, algorithm, instance)
    result = api.solve(instance, _SOLVED, workers=1)
    if result.status is not Status.OPTIMAL or not result.cost or cost is None:
        return None
    return float(instance.ratio(cost, result.cost))
