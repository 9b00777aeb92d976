"""What the adversary found: the worst instance, or one on which an algorithm fails."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from atleastk.instances.instance import Instance
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status
from atleastk.runs.versions import __version__

SAME: Final = 1e-9
"""Ratios that differ by less count as equal: quotients are rounded."""


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
    best
        The least cost that is known: the optimum, or that of some solution.
    result
        What a solver says, with a certificate where there is one. One of less is left
        out of the record.
    broken
        Whether the algorithm has a promise that this instance refutes.
    known
        The worst ratio of the instances that were known before; 0 without one.
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
    best: int
    result: Result
    broken: bool
    known: float
    exhausted: Exhausted
    plants: int
    seconds: float
    seed: int

    @property
    def ratio(self) -> float:
        """The cost of the algorithm over the best known, in the unit of its promise.

        It is a lower bound on its ratio, be this cost the optimum or not.
        """
        return self.instance.ratio(self.cost, self.best)

    @property
    def is_exact(self) -> bool:
        """Whether the best known cost is proved to be the optimum."""
        return self.result.status is Status.OPTIMAL

    @property
    def least(self) -> str:
        """The best known cost, and what is proved of it, in words."""
        best_is = "the optimum is" if self.is_exact else "a solution costs"
        return f"{best_is} {self.best}"

    @property
    def is_worst_known(self) -> bool:
        """Whether the instance is worse than all that were known."""
        return self.ratio > self.known + SAME

    @property
    def proposal(self) -> Instance:
        """The instance with a name and a source, as a library takes it."""
        problem = self.instance.problem
        return replace(
            self.instance,
            name=f"{problem} worst {self.algorithm} {self.cost} {self.best}",
            source="found by a search for large ratios: "
            f"{self.algorithm} costs {self.cost}, {self.least}",
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the record of the find, as JSON has it."""
        whole = self.result.certified_bound is None
        return {
            "algorithm": self.algorithm,
            "ratio": self.ratio,
            "cost": self.cost,
            "optimum": self.best if self.is_exact else None,
            "best_known": self.best,
            "trust": self.result.trust,
            "instance": self.instance.to_dict(),
            "certificate": self.result.certificate if whole else None,
            "date": _today(),
            "exhausted": self.exhausted.through,
            "exhausted_instances": self.exhausted.instances,
            "exhausted_ratio": self.exhausted.ratio,
            "plants": self.plants,
            "seconds": round(self.seconds, 1),
            "seed": self.seed,
            "version": __version__,
        }


@dataclass(frozen=True, slots=True)
class Fault:
    """An instance on which an algorithm has no solution where there is one.

    Attributes
    ----------
    algorithm
        The name of the algorithm.
    instance
        The instance, shrunk.
    message
        What it returned or raised, in words.
    seed
        The seed of the search.
    """

    algorithm: str
    instance: Instance
    message: str
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Return the record of the fault, as JSON has it: it has no ratio."""
        return {
            "algorithm": self.algorithm,
            "ratio": None,
            "fault": self.message,
            "instance": self.instance.to_dict(),
            "date": _today(),
            "seed": self.seed,
            "version": __version__,
        }


Find = Found | Fault


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
