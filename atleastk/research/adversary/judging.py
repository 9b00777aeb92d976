"""How bad an algorithm is: its cost over another; what it does wrong is a fault."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from atleastk.instances.fields.errors import (
    AtleastkError,
    NoAnswerError,
    NotApplicableError,
    UnknownNameError,
    WrongAnswerError,
)
from atleastk.models.clustering import ClusteringSolution
from atleastk.models.results.solution import Solution
from atleastk.research.adversary.grounds import Plant, Planting
from atleastk.runs import api
from atleastk.runs.own_algorithms import mistake_told
from atleastk.solvers.method import Algorithm
from atleastk.solvers.problem import Problem

SOLVED: Final = 5.0
"""Seconds for the optimum of a start, of the worst plants, and of what they become."""


class FaultError(Exception):
    """An algorithm did wrong on an instance: no solution, or no answer at all.

    Attributes
    ----------
    instance
        The instance.
    mistake
        What the algorithm raised, or what the checker would.
    """

    def __init__(self, instance: Any, mistake: BaseException) -> None:
        super().__init__(mistake_told(mistake))
        self.instance, self.mistake = instance, mistake


class Rated(NamedTuple):
    """What the ratio of an algorithm is at least, and the cost that it is over."""

    ratio: float
    least: int


class Judge:
    """Tells how bad an algorithm is on instances and plants.

    Attributes
    ----------
    plants
        How many plants were judged so far.
    taken
        How many instances the algorithm has taken so far.
    broken, broken_over
        The smallest instance that the promise did not hold for, if there was one, and
        the cost that it breaks it over, which is at least the optimum.
    refused
        Why the algorithm itself did not take an instance, when it last did not.
    """

    def __init__(self, problem: Problem[Any], algorithm: Algorithm[Any]) -> None:
        self.problem, self.algorithm = problem, algorithm
        self.ground: Planting = problem.ground
        self.plants, self.taken, self.refused = 0, 0, ""
        self.broken: Any = None
        self.broken_over = 0

    def instance(self, plant: Plant) -> Any:
        """Return the instance of a plant."""
        return self.ground.instance(self.problem.instance, plant)

    def takes(self, instance: Any) -> bool:
        """Tell whether the algorithm takes an instance, and its promise is of it."""
        promise = self.algorithm.guarantee
        return self.algorithm.refuses(instance) is None and (
            promise is None or promise.applies(instance)
        )

    def takes_plant(self, plant: Plant) -> bool:
        """Tell the same of a plant; not all of them are instances."""
        try:
            return self.takes(self.instance(plant))
        except AtleastkError:
            return False

    def cost(self, instance: Any) -> int | None:
        """Return what the algorithm costs; None where it does not take the instance.

        The instance must have a solution. Raise `FaultError` if what the algorithm
        returns is none, or it fails.
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
        """Tell whether the algorithm has a promise that this cost breaks."""
        promise = self.algorithm.guarantee
        with self._caught(instance):
            return promise is not None and not promise.holds(instance, cost, optimum)

    @contextmanager
    def _caught(self, instance: Any) -> Iterator[None]:
        """Let whatever goes wrong in somebody's algorithm be a fault."""
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

        None if the groups are no solution or cost nothing, or the algorithm does not
        take the instance.
        """
        self.plants += 1
        cost = self.planted(plant)
        return self.over(self.instance(plant), cost) if cost else None

    def planted(self, plant: Plant) -> int | None:
        """Return what the planted groups cost; None if they are no solution."""
        try:
            found = self.problem.check(self.instance(plant), _groups(plant))
        except AtleastkError:
            return None
        return found.cost if found.feasible else None

    def over(self, instance: Any, least: int) -> float | None:
        """Return the cost of the algorithm over another one, in the unit of promises.

        None if the algorithm does not take the instance, or there is no ratio. What
        breaks a promise over a cost breaks it over the optimum, which is no more.
        """
        cost = self.cost(instance)
        if cost is None:
            return None
        smaller = self.broken is None or instance.n < self.broken.n
        if smaller and self.breaks(instance, cost, least):
            self.broken, self.broken_over = instance, least
        return float(instance.ratio(cost, least)) if least else None

    def rated(self, instance: Any, planted: int | None = None) -> Rated | None:
        """Return the cost over that of the best solution that is found in a moment.

        The optimum is no more, so the ratio is no less. None if the algorithm does not
        take the instance, or there is no ratio. Solutions are asked for first: only of
        what has one must there be one.

        Parameters
        ----------
        planted
            What a solution costs that is known.
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
