"""The worst instance of an algorithm: tiny instances, then annealing, then shrinking.

An :class:`Adversary` is for one problem: optima that it has found for one algorithm are
reused for the next.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import count, product
from random import Random
from typing import Any, Final, TypeVar

from atleastk.instances.fields.errors import AtleastkError, NotApplicableError
from atleastk.instances.instance import Instance
from atleastk.instances.shrinking import shrunk
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status
from atleastk.research.adversary.finds import SAME, Exhausted, Fault, Find, Found
from atleastk.research.adversary.judging import SOLVED, FaultError, Judge, Rated
from atleastk.research.adversary.planted import Plant
from atleastk.research.adversary.tiny import stages
from atleastk.research.adversary.walking import MOST_ITEMS, Judged, worst_plant
from atleastk.research.collecting.library import library
from atleastk.runs import api
from atleastk.runs.registry import instance_from_dict
from atleastk.solvers.method import Algorithm
from atleastk.solvers.problem import Problem

_TINY: Final = 1 / 3
"""The share of the time for tiny instances."""
_KNOWN: Final = 6
"""The worst known instances that a search begins with. Not tuned."""
_ENDLESS: Final = sys.maxsize
"""Trials of shrinking, which the clock ends."""

T = TypeVar("T")
Known = tuple[Plant, int | None]
"""A plant of a known instance, and the cost of its best known solution.

None if the plant is another instance, without fields that plants do not have.
"""


class Adversary:
    """Looks for the worst instances of the algorithms of a problem.

    Attributes
    ----------
    nothing
        Why nothing was found for the last algorithm, if nothing was.
    """

    def __init__(self, problem: Problem[Any]) -> None:
        if problem.ground is None:
            raise NotApplicableError(
                f"nothing says how the adversary makes instances of {problem.name}"
            )
        self.problem, self.nothing = problem, ""
        self._optima: dict[int, int | None] = {}
        self._others: dict[str, Known | None] = {}

    def worst_of(
        self,
        algorithm: Algorithm[Any],
        *,
        seconds: float = 15.0,
        seed: int = 0,
        known: Sequence[Instance] = (),
        start: Sequence[Instance] = (),
    ) -> Find | None:
        """Return the worst instance of an algorithm that is found within the time.

        Tiny instances come first, for a third of the time. Then plants are annealed:
        all of `start`, the worst of the library and of known ones, random ones. The
        worst one is shrunk, for as long again at most, and its optimum is proved; of
        several that are as bad, known ones too, it is the smallest. If an
        algorithm has a promise, only instances within its hypotheses count. An instance
        on which it fails or breaks its promise is returned before all others.
        """
        judge = Judge(self.problem, algorithm)
        try:
            found = self._searched(judge, seconds, seed, known, start)
            if judge.broken is None or (found is not None and found.broken):
                return found
            return _smallest_broken(judge, time.monotonic() + seconds, seed) or found
        except FaultError as error:
            enough = time.monotonic() + seconds
            fault = _smallest_fault(judge, error, enough)
            return Fault(algorithm.name, fault.instance, str(fault), seed)
        finally:
            self.nothing = (
                f"no ratio was found on the {judge.taken} instances that it took"
                if judge.taken
                else f"no instance was found that it takes: {judge.refused}"
            ).removesuffix(": ")

    def _searched(
        self,
        judge: Judge,
        seconds: float,
        seed: int,
        known: Sequence[Instance],
        start: Sequence[Instance],
    ) -> Found | None:
        begun, rng = time.monotonic(), Random(seed)
        given = [self._given(instance) for instance in start]
        exhausted = self._exhausted(judge, begun + seconds * _TINY)
        enough = time.monotonic() + max(seconds, SOLVED)
        begun_at = _rated(judge, map(self._solved, start), enough)
        before = self._known(judge, [*known, *start], max(seconds, SOLVED))
        worst_known = [plant for _, plant in before[:_KNOWN] if plant not in given]
        starts = [*given, *worst_known, *drawn(judge, rng)]
        walked = worst_plant(judge, rng, starts, begun + seconds)
        taken = time.monotonic() - begun
        found: list[tuple[Any, int | None]] = [
            judge.planted(plant) for plant in _smallest_worst(judge, before, walked)
        ]
        if exhausted.instance is not None:
            found.insert(0, (exhausted.instance, None))
        rated = [(judge.rated(*each), each[0]) for each in found]
        candidates = [(of, instance) for of, instance in rated if of]
        if not candidates:
            return None
        worst = max(of.ratio for of, _ in candidates) - SAME
        as_bad = [each for each in candidates if each[0].ratio >= worst]
        as_bad.sort(key=lambda each: _extent(each[1]))
        until = time.monotonic() + seconds
        shrunken = [_smallest(judge, one, of, until) for of, one in as_bad]
        instance, least = min(shrunken, key=lambda each: _extent(each[0]))
        result = api.solve(instance, SOLVED, certify=True)
        best = least if result.cost is None else min(least, result.cost)
        cost = judge.cost(instance)
        if not best or cost is None:
            return None
        return Found(
            algorithm=judge.algorithm.name,
            instance=instance,
            cost=cost,
            best=best,
            result=result,
            broken=judge.breaks(instance, cost, best),
            known=before[0][0] if before else 0.0,
            begun=begun_at[0][0] if begun_at else 0.0,
            exhausted=exhausted,
            plants=judge.plants,
            seconds=taken,
            seed=seed,
        )

    def _exhausted(self, judge: Judge, until: float) -> Exhausted:
        """Rate tiny instances until the time is over."""
        through, instances, worst, witness = "", 0, 0.0, None
        places = count()
        for words, stage in stages(self.problem):
            for instance, place in zip(stage, places, strict=False):
                if time.monotonic() > until:
                    return Exhausted(through, instances, worst, witness)
                if not judge.takes(instance):
                    continue
                least = self._optimum(place, instance)
                ratio = None if least is None else judge.over(instance, least)
                if ratio is None:
                    continue
                instances += 1
                if ratio > worst:
                    worst, witness = ratio, instance
            through = words
        return Exhausted(through, instances, worst, witness)

    def _optimum(self, place: int, instance: Any) -> int | None:
        """Return the optimum of the tiny instance of an index, by brute force, once."""
        if place not in self._optima:
            found: Any = self.problem.optimum(instance)
            self._optima[place] = found[0] if isinstance(found, tuple) else found
        return self._optima[place]

    def _known(
        self, judge: Judge, more: Sequence[Instance], seconds: float
    ) -> list[Judged]:
        """Return plants of known instances and of the library, the worst ones first.

        To read the library takes none of the seconds.
        """
        known = (*map(self._solved, more), *self._library)
        return _rated(judge, known, time.monotonic() + seconds)

    @cached_property
    def _library(self) -> Sequence[Known]:
        """The small instances of the library and of families, with solutions."""
        found = {
            record.instance.sha256: self._planted(record.instance, record.result)
            for record in library.filter(problem=self.problem.name)
            if _is_small(record.instance)
        }
        for family in self.problem.families:
            if _is_small(first := family.make(0)) and first.sha256 not in found:
                found[first.sha256] = self._solved(first)
        return [known for known in found.values() if known is not None]

    def _given(self, instance: Instance) -> Plant:
        """Return the plant of an instance to start from."""
        if (known := self._solved(instance)) is None:
            raise NotApplicableError(
                f"no solution of {instance} that a walk starts from within {SOLVED:g} s"
            )
        return known[0]

    def _solved(self, instance: Any) -> Known | None:
        """Return an instance with a best solution, from a cache."""
        if instance.sha256 not in self._others:
            result = api.solve(instance, SOLVED, workers=1)
            self._others[instance.sha256] = self._planted(instance, result)
        return self._others[instance.sha256]

    def _planted(self, instance: Any, result: Result | None) -> Known | None:
        """Return an instance with its solution; None if it has none."""
        if result is None or result.labels is None:
            return None
        ground = self.problem.ground
        plant = ground.plant(instance, result.labels)
        try:
            made = ground.instance(self.problem.instance, plant)
        except AtleastkError:
            return None
        if made.n != len(plant.homes):
            return None  # of pairs that are listed there are no points
        return plant, result.cost if made.sha256 == instance.sha256 else None


def _rated(judge: Judge, plants: Iterable[Known | None], until: float) -> list[Judged]:
    """Return the plants with their ratios, as far as there is time, the worst first."""
    judged = list[Judged]()
    for plant, cost in filter(None, plants):
        if time.monotonic() > until:
            break
        if cost is None:
            ratio = judge.ratio(plant)
        else:
            ratio = judge.over(judge.instance(plant), cost)
        if ratio is not None:
            judged.append((ratio, plant))
    return sorted(judged, key=lambda pair: pair[0], reverse=True)


def _is_small(instance: Any) -> bool:
    return bool(instance.n <= 2 * MOST_ITEMS)


def drawn(judge: Judge, rng: Random) -> Iterator[Plant]:
    """Draw a plant for every k and all other fields that the algorithm accepts."""
    ground = judge.ground
    for k, fields in product(ground.ks, ground.fields):
        items, homes = ground.start(rng, k, fields)
        plant = Plant(tuple(items), tuple(homes), k, fields)
        with suppress(AtleastkError):  # a plant may be no valid instance
            if judge.takes(judge.instance(plant)):
                yield plant


def _smallest_worst(
    judge: Judge, before: Sequence[Judged], walked: Judged | None
) -> Iterator[Plant]:
    """Yield the smallest of the worst plants that are known, and the one walked to."""
    worst = [plant for ratio, plant in before if ratio >= before[0][0] - SAME]
    if worst:
        yield min(worst, key=lambda plant: _extent(judge.instance(plant)))
    if walked is not None:
        yield walked[1]


def _extent(instance: Any) -> tuple[int, int]:
    """Return what makes an instance large to read: its items, then its characters."""
    return instance.n, len(json.dumps(instance.to_dict()))


def _smallest(
    judge: Judge, instance: Instance, rated: Rated, until: float
) -> tuple[Instance, int]:
    """Shrink an instance while its ratio does not fall, and there is time.

    Return also the denominator of its ratio.
    """

    def as_bad(smaller: Instance) -> int | None:
        found = judge.rated(smaller)
        return found.least if found and found.ratio >= rated.ratio - SAME else None

    return _shrunk(judge, instance, as_bad, until, rated.least)


def _smallest_fault(judge: Judge, error: FaultError, until: float) -> FaultError:
    """Shrink an instance that has a solution while the fault is of the same kind."""

    def as_wrong(smaller: Instance) -> FaultError | None:
        if api.solve(smaller, SOLVED, workers=1).solution is None:
            return None
        try:
            judge.cost(smaller)
        except FaultError as fault:
            return fault if type(fault.mistake) is type(error.mistake) else None
        return None

    return _shrunk(judge, error.instance, as_wrong, until, error)[1]


def _smallest_broken(judge: Judge, until: float, seed: int) -> Fault | None:
    """Shrink an instance while a promise is broken there; None if it never is."""
    first, over = judge.broken, judge.broken_over

    def as_broken(smaller: Instance) -> Fault | None:
        result = api.solve(smaller, SOLVED, workers=1)
        least = result.cost
        if smaller is first:
            least = over if least is None else min(over, least)
        cost = None if least is None else judge.cost(smaller)
        if cost is None or least is None or not judge.breaks(smaller, cost, least):
            return None
        exact = result.status is Status.OPTIMAL
        other = f"the optimum {least}" if exact else f"that of a solution {least}"
        told = f"breaks its promise: its cost is {cost}, {other}"
        return Fault(judge.algorithm.name, smaller, told, seed)

    fault = as_broken(first)
    return fault and _shrunk(judge, first, as_broken, until, fault)[1]


def _shrunk(
    judge: Judge,
    instance: Instance,
    found_on: Callable[[Instance], T | None],
    until: float,
    found: T,
) -> tuple[Instance, T]:
    """Return the smallest instance on which something is found, and what it is.

    As far as there is time; it stays what plants are, such as a metric.
    """

    def failing(document: dict[str, Any]) -> bool:
        nonlocal found
        if time.monotonic() > until:
            return False
        try:
            smaller = instance_from_dict(document)
        except (AtleastkError, TypeError, ValueError):
            return False
        there = found_on(smaller) if judge.ground.keeps(smaller) else None
        found = found if there is None else there
        return there is not None

    def groups(document: dict[str, Any]) -> Sequence[Sequence[int]]:
        if time.monotonic() > until:
            return ()
        found = api.solve(instance_from_dict(document), SOLVED, workers=1).groups
        return found if found is not None and len(found) > 1 else ()

    document = json.loads(json.dumps(instance.to_dict()))
    return instance_from_dict(shrunk(document, failing, _ENDLESS, groups)), found
