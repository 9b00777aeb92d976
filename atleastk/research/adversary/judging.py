"""Ratios of an algorithm on instances and plants; its errors are faults."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from atleastk.instances.fields.errors import (
    AtleastkError,
    InvalidInstanceError,
    NoAnswerError,
    NotApplicableError,
    UnknownNameError,
    WrongAnswerError,
)
from atleastk.models.clustering import ClusteringSolution
from atleastk.models.results.solution import Solution
from atleastk.research.adversary.grounds import Planting
from atleastk.research.adversary.planted import Fields, Item, Plant
from atleastk.runs import api
from atleastk.runs.own_algorithms import error_line
from atleastk.solvers.method import Algorithm
from atleastk.solvers.problem import Problem

SOLVED: Final = 5.0
"""The time limit for optima of starts, of the worst plants, and when shrinking."""

_KEPT: Final = 2_000
"""The most instances whose costs a judge remembers: some megabytes."""


class FaultError(Exception):
    """An algorithm failed on an instance: a wrong solution, or none.

    Attributes
    ----------
    mistake
        The exception of the algorithm, or that of the checker.
    """

    def __init__(self, instance: Any, mistake: BaseException) -> None:
        super().__init__(error_line(mistake))
        self.instance, self.mistake = instance, mistake


class Rated(NamedTuple):
    """A lower bound on the ratio of an algorithm, and the cost in its denominator."""

    ratio: float
    least: int


class Judge:
    """Computes the ratios of an algorithm on instances and plants.

    Attributes
    ----------
    plants
        How many plants were rated so far.
    taken
        How many instances the algorithm has solved so far.
    broken, broken_over
        The smallest instance that refutes the promise, if there was one, and the cost
        of a solution over which it does, which is at least the optimum.
    refused
        Why the last instance was refused that was.
    """

    def __init__(self, problem: Problem[Any], algorithm: Algorithm[Any]) -> None:
        self.problem, self.algorithm = problem, algorithm
        self.ground: Planting = problem.ground
        self.plants, self.taken, self.refused = 0, 0, ""
        self.broken: Any = None
        self.broken_over = 0
        self._fields: Fields = {}
        self._instances: dict[tuple[int, Sequence[Item]], Any] = {}
        self._costs: dict[tuple[int, Sequence[Item]], int | None] = {}

    def instance(self, plant: Plant) -> Any:
        """Return the instance of a plant."""
        return self.ground.instance(self.problem.instance, plant)

    def takes(self, instance: Any) -> bool:
        """Tell whether the algorithm and its promise apply to an instance."""
        reason, promise = self.algorithm.refuses(instance), self.algorithm.guarantee
        if reason is None and promise is not None:
            with self._caught(instance):
                reason = promise.outside(instance)
        if reason is not None:
            self.refused = reason
        return reason is None

    def cost(self, instance: Any) -> int | None:
        """Return the cost of the algorithm; None where it refuses the instance.

        The instance must be feasible. Raise `FaultError` if the algorithm fails or
        returns no solution.
        """
        if not self.takes(instance):
            return None
        try:
            with self._caught(instance):
                solution = self.algorithm.run(instance, 0)
                verdict = self.problem.check(instance, solution)
                if not verdict.feasible:
                    raise WrongAnswerError(
                        f"returned a wrong solution: {verdict.violations[0]}"
                    )
        except NotApplicableError as error:
            self.refused = str(error)
            return None
        self.taken += 1
        return verdict.cost

    def breaks(self, instance: Any, cost: int, optimum: int) -> bool:
        """Tell whether this cost breaks the promise of the algorithm."""
        promise = self.algorithm.guarantee
        with self._caught(instance):
            return promise is not None and not promise.holds(instance, cost, optimum)

    @contextmanager
    def _caught(self, instance: Any) -> Iterator[None]:
        """Turn errors of the algorithm into `FaultError`."""
        try:
            yield
        except NoAnswerError as error:
            raise FaultError(instance, error) from error
        except (NotApplicableError, UnknownNameError):
            raise
        except (Exception, SystemExit) as error:
            raise FaultError(instance, error) from error

    def ratio(self, plant: Plant) -> float | None:
        """Return the cost of the algorithm over that of the planted groups.

        None if the groups are no solution or cost 0, or the algorithm refuses.
        """
        instance, cost = self.planted(plant)
        return self.over(instance, cost) if cost else None

    def quick_ratio(self, plant: Plant, checked: float = 0.0) -> float | None:
        """Return the same in less time, for a walk, and count the plant.

        The ground says what the planted groups cost, if it can; an instance is made for
        the algorithm alone, once for all groups of the same items. The checker has the
        last word: on faults, on broken promises, and on ratios above `checked`.
        """
        self.plants += 1
        try:
            if not (least := self._least(plant)):
                return None
            instance, key = self._made(plant), (plant.k, plant.items)
            if key not in self._costs:
                self._costs[key] = self.cost(instance)
            if (cost := self._costs[key]) is None:
                return None
            if self._allows(instance, cost, least):
                ratio = float(instance.ratio(cost, least))
                if ratio <= checked or self._checked(instance, plant) == least:
                    return ratio
        except InvalidInstanceError:
            return None
        except FaultError:
            pass
        return self.ratio(plant)

    def _least(self, plant: Plant) -> int | None:
        """Return the cost of the planted groups; None if they are no solution."""
        try:
            if (cost := self.ground.cost) is not None:
                return cost(plant)
        except LookupError:
            pass  # other fields than the adversary draws
        return self._checked(self._made(plant), plant)

    def _allows(self, instance: Any, cost: int, least: int) -> bool:
        """Tell whether a promise that applies to an instance holds over `least`."""
        promise = self.algorithm.guarantee
        with self._caught(instance):
            return promise is None or cost <= promise.ceiling(instance, least)

    def _made(self, plant: Plant) -> Any:
        """Return the instance of a plant, made once for all groups of its items."""
        if plant.fields is not self._fields or len(self._instances) >= _KEPT:
            self._fields, self._instances, self._costs = plant.fields, {}, {}
        key = plant.k, plant.items
        if key not in self._instances:
            self._instances[key] = self.instance(plant)
        return self._instances[key]

    def planted(self, plant: Plant) -> tuple[Any, int | None]:
        """Return the instance of a plant and the cost of the planted groups.

        None for what is none: an instance, or a solution.
        """
        try:
            instance = self.instance(plant)
        except AtleastkError:
            return None, None
        return instance, self._checked(instance, plant)

    def _checked(self, instance: Any, plant: Plant) -> int | None:
        found = self.problem.check(instance, _groups(plant))
        return found.cost if found.feasible else None

    def over(self, instance: Any, least: int) -> float | None:
        """Return the cost of the algorithm over `least`, in the unit of promises.

        None if the algorithm refuses, or `least` is 0. A promise that is broken over
        `least` is broken over the optimum, which is at most that.
        """
        cost = self.cost(instance)
        if cost is None:
            return None
        smaller = self.broken is None or instance.n < self.broken.n
        if smaller and self.breaks(instance, cost, least):
            self.broken, self.broken_over = instance, least
        return float(instance.ratio(cost, least)) if least else None

    def rated(self, instance: Any, planted: int | None = None) -> Rated | None:
        """Return the cost over that of the best solution found within `SOLVED` seconds.

        That is a lower bound on the ratio. None if the algorithm refuses, or there is
        no ratio. The solver runs first: only on feasible instances must the algorithm
        find a solution. `planted` is the cost of a known solution.
        """
        if not self.takes(instance):
            return None
        found = api.solve(instance, SOLVED, workers=1).cost
        least = min(
            (cost for cost in (found, planted) if cost is not None), default=None
        )
        if least is None:
            return None
        ratio = self.over(instance, least)
        return None if ratio is None else Rated(ratio, least)


def _groups(plant: Plant) -> Solution:
    groups: dict[int, list[int]] = {}
    for item, home in enumerate(plant.homes):
        groups.setdefault(home, []).append(item)
    outside = groups.pop(-1, None)
    if outside is None:
        return Solution.of(groups.values())
    return ClusteringSolution.of(groups.values(), outliers=tuple(outside))
