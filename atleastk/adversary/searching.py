"""All tiny instances, then annealing from plant to plant; the worst one is shrunk."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from itertools import product
from random import Random
from typing import Any, Final

from atleastk import api
from atleastk.adversary.grounds import GROUNDS, Ground, Plant
from atleastk.adversary.tiny import stages
from atleastk.instances.errors import AtleastkError, NotApplicableError
from atleastk.instances.instance import Instance
from atleastk.models.clustering import ClusteringSolution
from atleastk.models.result import Result
from atleastk.models.solution import Solution
from atleastk.models.status import Status
from atleastk.registry import instance_from_dict
from atleastk.shrinking import shrunk
from atleastk.solvers.method import Algorithm, Problem
from atleastk.versions import __version__

__all__ = ["TIGHT", "Exhausted", "Found", "Judge", "exact_ratio", "scaled", "worst_of"]

_MOST_ITEMS: Final = 30
"""Items of a plant: so few that its optimum is proved in a moment."""
_WARM: Final = 0.05
"""The temperature at the start, as a difference of ratios; it falls to nothing."""
TIGHT: Final = ("tight", "pinwheel", "ring")
"""The families that are bad for an algorithm begin so."""
_TINY: Final = 1 / 3
"""The share of the time for tiny instances."""
_ENCORES: Final = 4
"""How often the search begins again from the worst plant so far. Not tuned."""
_FINER: Final = 10
"""How many times as large the numbers of a plant become, for finer ratios."""
_FINE: Final = 10_000
"""Above this k ratios are fine enough."""
_SAME: Final = 1e-9
"""Ratios that differ by less count as equal: quotients are rounded."""
_SOLVED: Final = 5.0
"""Seconds for the optimum of a start, of the worst plants, and of what they become."""

Judged = tuple[float, Plant]
"""A plant, after its ratio."""


@dataclass(frozen=True, slots=True)
class Exhausted:
    """What the tiny instances showed that there was time for.

    Attributes
    ----------
    through
        The last stage that was completed, in words; empty if none was.
    instances
        How many had a ratio: the algorithm took them, and their optimum is above 0.
    ratio
        The worst ratio; 0 if there was none.
    instance
        The first instance of that ratio.
    """

    through: str = ""
    instances: int = 0
    ratio: float = 0.0
    instance: Instance | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The worst instance that was found.

    Attributes
    ----------
    algorithm
        The name of the algorithm.
    instance
        The instance, shrunk.
    cost
        The cost of the algorithm on it.
    result
        The optimum, with its certificate where there is one. One of less is left out
        of the record.
    exhausted
        What the tiny instances showed.
    plants
        How many plants were judged.
    seconds
        What the search took before anything was shrunk.
    seed
        The seed of the search; algorithms that draw begin with seed 0.
    """

    algorithm: str
    instance: Instance
    cost: int
    result: Result
    exhausted: Exhausted
    plants: int
    seconds: float
    seed: int

    @property
    def ratio(self) -> float:
        """The cost of the algorithm over the optimum, in the unit of its promise."""
        assert self.result.cost
        return self.instance.ratio(self.cost, self.result.cost)

    def to_dict(self) -> dict[str, Any]:
        """Return the record of the find, as JSON has it."""
        whole = self.result.certified_bound is None
        return {
            "algorithm": self.algorithm,
            "ratio": self.ratio,
            "cost": self.cost,
            "optimum": self.result.cost,
            "trust": self.result.trust,
            "instance": self.instance.to_dict(),
            "certificate": self.result.certificate if whole else None,
            "date": datetime.now(UTC).date().isoformat(),
            "exhausted": self.exhausted.through,
            "exhausted_instances": self.exhausted.instances,
            "exhausted_ratio": self.exhausted.ratio,
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
    known: Sequence[Instance] = (),
) -> Found | None:
    """Return the worst instance of an algorithm that is found in so many seconds.

    Tiny instances come first, for a third of the time. Then plants are annealed: those
    of known instances, of families that are said to be tight, and random ones; and
    again and again the worst of them. What is found is shrunk, for as long again at
    most, and its optimum is proved. If an algorithm has a promise, only instances count
    that it holds for.
    """
    ground, rng, begun = GROUNDS[problem.name], Random(seed), time.monotonic()
    exhausted = _exhausted(problem, algorithm, begun + seconds * _TINY)
    judge = Judge(problem, algorithm, ground)
    best = _worst_plant(judge, rng, begun + seconds, known)
    taken = time.monotonic() - begun
    found = [] if exhausted.instance is None else [exhausted.instance]
    found += [] if best is None else [judge.instance(best)]
    worst = max(
        found,
        key=lambda instance: exact_ratio(problem, algorithm, instance) or 0,
        default=None,
    )
    if worst is None:
        return None
    instance = _smallest(problem, algorithm, worst, time.monotonic() + seconds)
    result = api.solve(instance, _SOLVED, certify=True)
    cost = _cost(problem, algorithm, instance)
    if result.status is not Status.OPTIMAL or not result.cost or cost is None:
        return None
    return Found(
        algorithm.name, instance, cost, result, exhausted, judge.plants, taken, seed
    )


def _exhausted(
    problem: Problem[Any], algorithm: Algorithm[Any], until: float
) -> Exhausted:
    """Go through tiny instances until the time is over."""
    module = problem.instance.__module__.rpartition(".")[2]
    brute_force = import_module(f"atleastk.solvers.brute_force.{module}")
    through, count, worst, witness = "", 0, 0.0, None
    for words, instances in stages(problem.name, problem.instance):
        for instance in instances:
            if time.monotonic() > until:
                return Exhausted(through, count, worst, witness)
            cost = _cost(problem, algorithm, instance)
            if cost is None:
                continue
            found = brute_force.optimum(instance)
            least = found[0] if isinstance(found, tuple) else found
            if not least:
                continue
            count += 1
            ratio = instance.ratio(cost, least)
            if ratio > worst:
                worst, witness = ratio, instance
        through = words
    return Exhausted(through, count, worst, witness)


def _worst_plant(
    judge: Judge, rng: Random, until: float, known: Sequence[Instance]
) -> Plant | None:
    """Anneal all starts in half of the time; in the rest the worst, again and again."""
    starts = [start for start in _starts(judge, rng, known) if judge.takes(start)]
    now = time.monotonic()
    half = (until - now) / 2
    ends = [now + half * (i + 1) / len(starts) for i in range(len(starts))]
    found = map(partial(_annealed, judge, rng), starts, ends)
    best = max((each for each in found if each is not None), key=_ratio, default=None)
    if best is None:
        return None
    for encore in range(_ENCORES):
        start = best[1] if encore % 2 else scaled(judge.ground, best[1])
        end = now + half * (1 + (encore + 1) / _ENCORES)
        best = max(best, _annealed(judge, rng, start, end) or best, key=_ratio)
    return best[1]


def _ratio(judged: Judged) -> float:
    return judged[0]


def scaled(ground: Ground, plant: Plant) -> Plant:
    """Multiply k and what it is compared with, for finer ratios."""
    if ground.scaled is None or plant.k > _FINE:
        return plant
    items = tuple(ground.scaled(item, _FINER) for item in plant.items)
    return replace(plant, items=items, k=plant.k * _FINER)


class Judge:
    """Tells how bad an algorithm is on a plant: its cost over that of the groups.

    Attributes
    ----------
    plants
        How many plants were judged so far.
    """

    def __init__(
        self, problem: Problem[Any], algorithm: Algorithm[Any], ground: Ground
    ) -> None:
        self.problem, self.algorithm, self.ground = problem, algorithm, ground
        self.plants = 0

    def instance(self, plant: Plant) -> Any:
        """Return the instance of a plant."""
        return self.ground.instance(self.problem.instance, plant)

    def takes(self, plant: Plant) -> bool:
        """Tell whether the algorithm takes the instance, and its promise is of it."""
        try:
            return _takes(self.algorithm, self.instance(plant))
        except AtleastkError:
            return False

    def ratio(self, plant: Plant) -> float | None:
        """Return the ratio; None if the plant is no solution, or costs nothing."""
        self.plants += 1
        try:
            instance = self.instance(plant)
            planted = self.problem.check(instance, self._groups(plant))
        except AtleastkError:
            return None
        if not planted.feasible or not planted.cost:
            return None
        cost = _cost(self.problem, self.algorithm, instance)
        if cost is None:
            return None
        ratio: float = instance.ratio(cost, planted.cost)
        return ratio

    def _groups(self, plant: Plant) -> Solution:
        groups: dict[int, list[int]] = {}
        for item, home in enumerate(plant.homes):
            groups.setdefault(home, []).append(item)
        outside = groups.pop(-1, None)
        if outside is None:
            return Solution.of(groups.values())
        return ClusteringSolution.of(groups.values(), outliers=tuple(outside))


def _takes(algorithm: Algorithm[Any], instance: Any) -> bool:
    promise = algorithm.guarantee
    return algorithm.refuses(instance) is None and (
        promise is None or promise.applies(instance)
    )


def _cost(
    problem: Problem[Any], algorithm: Algorithm[Any], instance: Any
) -> int | None:
    """Return what the algorithm costs; None where it has no solution or promise."""
    if not _takes(algorithm, instance):
        return None
    try:
        verdict = problem.check(instance, algorithm.run(instance, 0))
    except NotApplicableError:
        return None
    return verdict.cost if verdict.feasible else None


def _starts(judge: Judge, rng: Random, known: Sequence[Instance]) -> Iterator[Plant]:
    """Yield known instances and tight families, with their best groups; then others."""
    ground, problem = judge.ground, judge.problem
    tight = [one.make(0) for one in problem.families if one.name.startswith(TIGHT)]
    for instance in [*known, *tight]:
        solution = api.solve(instance, _SOLVED, workers=1).solution
        if solution is not None and instance.n <= 2 * _MOST_ITEMS:
            yield ground.plant(instance, solution.labels)
    for k, fields in product(ground.ks, ground.fields):
        items, homes = ground.start(rng, k, fields)
        yield Plant(tuple(items), tuple(homes), k, fields)


def _annealed(judge: Judge, rng: Random, start: Plant, until: float) -> Judged | None:
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
    elif move < 0.88 and len(items) < _MOST_ITEMS:
        place = rng.randint(0, len(items))
        twin = rng.choice([items[i], ground.changed(rng, items[i], plant.k)])
        items.insert(place, twin)
        homes.insert(place, homes[i])
    else:
        group = [j for j, home in enumerate(homes) if home == homes[i]]
        if move < 0.95 and len(items) + len(group) <= _MOST_ITEMS:
            items += [items[j] for j in group]
            homes += [max(homes) + 1] * len(group)
        elif len(group) < len(items):
            items = [item for j, item in enumerate(items) if j not in group]
            homes = [home for j, home in enumerate(homes) if j not in group]
    return replace(plant, items=tuple(items), homes=tuple(homes))


def _smallest(
    problem: Problem[Any], algorithm: Algorithm[Any], instance: Instance, enough: float
) -> Instance:
    """Shrink an instance while its ratio does not fall, and there is time."""
    wanted = exact_ratio(problem, algorithm, instance)
    if wanted is None:
        return instance

    def as_bad(document: dict[str, Any]) -> bool:
        if time.monotonic() > enough:
            return False
        try:
            smaller = instance_from_dict(document)
        except (AtleastkError, TypeError, ValueError):
            return False
        ratio = exact_ratio(problem, algorithm, smaller)
        return ratio is not None and ratio >= wanted - _SAME

    document = json.loads(json.dumps(instance.to_dict()))
    return instance_from_dict(shrunk(document, as_bad))


def exact_ratio(
    problem: Problem[Any], algorithm: Algorithm[Any], instance: Any
) -> float | None:
    """Return the cost over the optimum; None if there is none, or it is not proved."""
    cost = _cost(problem, algorithm, instance)
    if cost is None:
        return None
    result = api.solve(instance, _SOLVED, workers=1)
    if result.status is not Status.OPTIMAL or not result.cost:
        return None
    return float(instance.ratio(cost, result.cost))
