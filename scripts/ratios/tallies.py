"""Tallies: what came of approximation algorithms on many instances of known optimum.

What the scripts that measure ratios share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from typing import Any

from atleastk.instances.errors import NotApplicableError
from atleastk.instances.instance import Instance
from atleastk.registry import problem_named, problem_of
from atleastk.solvers.method import Algorithm
from scripts.benchmarks.trials import markdown_table


@dataclass(frozen=True, slots=True)
class Judged:
    """An instance and its optimum."""

    instance: Any
    optimum: int


def enumerated(instance: Instance) -> int | None:
    """Return the least cost by the judge of the problem; None if infeasible."""
    name = instance.problem.replace("-", "_")
    judge = import_module(f"atleastk.solvers.brute_force.{name}")
    found: tuple[int, Any] | int | None = judge.optimum(instance)
    return found[0] if isinstance(found, tuple) else found


@dataclass(slots=True)
class Tally:
    """What came of an algorithm on all instances so far.

    Attributes
    ----------
    size, shown
        How large an instance is, and how it is told of.
    ratios
        cost / OPT where OPT is not 0.
    worst
        The greatest ratio and an instance of it, the smallest.
    nearest
        The greatest cost / promised cost.
    zeros, missed
        Instances of optimum 0, and those of them where the cost is not.
    refused
        Instances that the algorithm does not take.
    failed
        Instances that it took and had no solution for, as it says itself.
    wrong
        What must not happen, told on one line each.
    """

    algorithm: Algorithm[Any]
    size: Callable[[Any], int]
    shown: Callable[[Any], str]
    ratios: list[float] = field(default_factory=list)
    worst: tuple[Fraction, Instance] | None = None
    nearest: Fraction | None = None
    zeros: int = 0
    missed: int = 0
    refused: int = 0
    failed: int = 0
    wrong: list[str] = field(default_factory=list)

    def measure(self, judged: Judged, seed: int) -> None:
        """Run the algorithm on one more instance."""
        instance = judged.instance
        if self.algorithm.refuses(instance) is not None:
            self.refused += 1
            return
        try:
            solution = self.algorithm.run(instance, seed)
        except NotApplicableError:
            self.failed += 1
            return
        verdict = problem_of(instance).check(instance, solution)
        if not verdict.feasible or verdict.cost is None:
            self._complain(instance, verdict.violations[0])
        else:
            self.add(judged, verdict.cost)

    def add(self, judged: Judged, cost: int) -> None:
        """Count the cost of a feasible solution."""
        instance, optimum = judged.instance, judged.optimum
        if cost < optimum:
            self._complain(instance, f"cost {cost} is below the optimum {optimum}")
        promise = self.algorithm.guarantee
        promised = promise is not None and promise.applies(instance)
        if promise is not None and not promise.holds(instance, cost, optimum):
            self._complain(instance, f"cost {cost} breaks {promise}")
        if optimum == 0:
            self.zeros += 1
            self.missed += cost > 0
            return
        if promise is not None and promised:
            share = Fraction(cost) / promise.ceiling(instance, optimum)
            self.nearest = max(share, self.nearest or share)
        ratio = Fraction(cost, optimum)
        self.ratios.append(float(ratio))
        if self.worst is None or (ratio, -self.size(instance)) > (
            self.worst[0],
            -self.size(self.worst[1]),
        ):
            self.worst = ratio, instance

    def _complain(self, instance: Instance, what: str) -> None:
        self.wrong.append(f"{self.algorithm.name} on {self.shown(instance)}: {what}")


def measured(
    judged: Iterable[Judged],
    seed: int,
    problem: str,
    size: Callable[[Any], int],
    shown: Callable[[Any], str],
) -> list[Tally]:
    """Run all algorithms of a problem on all instances."""
    algorithms = problem_named(problem).algorithms
    tallies = [Tally(algorithm, size, shown) for algorithm in algorithms]
    for each in judged:
        for tally in tallies:
            tally.measure(each, seed)
    return tallies


def tally_table(tallies: Iterable[Tally]) -> Iterator[str]:
    """Yield the lines of a table, a row for every algorithm."""
    yield from markdown_table(
        [
            "algorithm",
            "promise",
            "of promise>",
            "worst cost / OPT>",
            "reached by",
            "mean>",
            "= OPT>",
            "missed 0>",
            "solved>",
            "failed>",
            "not taken>",
        ],
        map(_row, tallies),
    )


def mean(ratios: Sequence[float]) -> str:
    """Return the mean of ratios, if there are any."""
    return f"{sum(ratios) / len(ratios):.4f}" if ratios else ""


def _row(tally: Tally) -> Sequence[object]:
    guarantee = tally.algorithm.guarantee
    promise = f"{guarantee.statement}, {guarantee.theorem}" if guarantee else "none"
    ratio, reached = "", ""
    if tally.worst is not None:
        ratio, reached = f"{float(tally.worst[0]):.4f}", tally.shown(tally.worst[1])
    ratios = tally.ratios
    return [
        f"`{tally.algorithm.name}`",
        promise,
        "" if tally.nearest is None else f"{float(tally.nearest):.4f}",
        ratio,
        reached,
        mean(ratios),
        f"{ratios.count(1.0) / len(ratios):.1%}" if ratios else "",
        f"{tally.missed} of {tally.zeros}",
        len(ratios) + tally.zeros,
        tally.failed,
        tally.refused,
    ]
