"""Results of the adversary: a worst instance, or one on which an algorithm fails.

Their records are compared, and judged for other algorithms.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from atleastk.instances.instance import Instance
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status
from atleastk.research.adversary.judging import FaultError, Judge
from atleastk.runs.registry import instance_from_dict
from atleastk.runs.versions import __version__
from atleastk.solvers.method import Algorithm
from atleastk.solvers.problem import Problem

Record = Mapping[str, Any]
"""The JSON object of a find."""

SAME: Final = 1e-9
"""Ratios that differ by less count as equal: quotients are rounded."""


@dataclass(frozen=True, slots=True)
class Exhausted:
    """The result of enumerating tiny instances, as far as there was time."""

    through: str = ""
    """The last stage that was completed, in words; empty if none was."""
    instances: int = 0
    """How many had a ratio: the algorithm took them, and their optimum is above 0."""
    ratio: float = 0.0
    """The worst ratio; 0 if there was none."""
    instance: Instance | None = None
    """The first instance of that ratio."""


@dataclass(frozen=True, slots=True)
class Found:
    """The worst instance that was found."""

    algorithm: str
    """The name of the algorithm."""
    instance: Instance
    """The instance, shrunk."""
    cost: int
    """The cost of the algorithm on it."""
    best: int
    """The least cost that is known: the optimum, or that of some solution."""
    result: Result
    """The result of a solver, with a certificate where there is one. A certificate of a
    lower bound than the cost is left out of the record."""
    broken: bool
    """Whether the algorithm has a promise that this instance refutes."""
    known: float
    """The worst ratio of the instances that were known before; 0 without one."""
    begun: float
    """The worst ratio of the instances that it had to start from; 0 without one."""
    exhausted: Exhausted
    """The result of the tiny instances."""
    plants: int
    """How many plants were rated."""
    seconds: float
    """The time of the search, without shrinking."""
    seed: int
    """The seed of the search; randomised algorithms have seed 0."""

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
        """Return the JSON object of the find."""
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
    """A feasible instance on which an algorithm fails."""

    algorithm: str  # the name of the algorithm
    instance: Instance  # the instance, shrunk
    message: str  # what the algorithm returned or raised
    seed: int  # the seed of the search

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of the fault, without a ratio."""
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


def least_of(record: Record) -> int:
    """Return the denominator of the ratio of a record: the optimum if it is known.

    Records of earlier versions have an optimum only.
    """
    least: int = record.get("best_known") or record["optimum"]
    return least


def is_new(record: Record, before: Iterable[Record]) -> bool:
    """Tell whether a record is the worst of its algorithm, or a new fault."""
    same = [other for other in before if _place(other) == _place(record)]
    if record["ratio"] is None:
        return all(_document(other) != _document(record) for other in same)
    return bool(record["ratio"] > max((r["ratio"] or 0 for r in same), default=0))


def judged_for_all(
    problem: Problem[Any],
    records: Sequence[Record],
    algorithms: Iterable[Algorithm[Any]],
) -> Iterator[dict[str, Any]]:
    """Yield new records of other algorithms on the instances of `records`.

    An algorithm that fails there has a record of a fault.
    """
    found = list(records)
    for algorithm in algorithms:
        judge = Judge(problem, algorithm)
        for record in records:
            if record["ratio"] is None or record["algorithm"] == algorithm.name:
                continue
            other = _judged(judge, record)
            if other is not None and is_new(other, found):
                found.append(other)
                yield other


def _judged(judge: Judge, record: Record) -> dict[str, Any] | None:
    """Return the record of an algorithm on a known instance; None if it refuses it."""
    instance, least = instance_from_dict(record["instance"]), least_of(record)
    name = judge.algorithm.name
    try:
        cost = judge.cost(instance)
        message = f"breaks its promise: its cost is {cost}, that of a solution {least}"
        broken = cost is not None and judge.breaks(instance, cost, least)
    except FaultError as error:
        broken, message, cost = True, str(error), None
    if broken:
        unchanged = {
            key: record[key] for key in ("instance", "date", "seed", "version")
        }
        return {"algorithm": name, "ratio": None, "fault": message, **unchanged}
    if cost is None:
        return None
    return {
        **record,
        "algorithm": name,
        "ratio": instance.ratio(cost, least),
        "cost": cost,
        "exhausted": "",
        "exhausted_instances": 0,
        "exhausted_ratio": 0.0,
        "plants": 0,
        "seconds": 0.0,
    }


def _document(record: Record) -> Any:
    return json.loads(json.dumps(record["instance"]))


def _place(record: Record) -> tuple[str, str]:
    return record["instance"]["problem"], record["algorithm"]
