"""Measure the approximation algorithms of min-max bin covering against the optimum.

    python -m scripts.ratios.bin_covering [--instances N] [--seed S] [--out DIR]

Runs every algorithm on

- *random* instances of 2 to 10 items: uniform sizes, with and without heavy ones, few
  distinct sizes, and the sizes that the papers' worst cases are made of (1, k / 3,
  k / 2, k - 1 and their neighbours), shuffled or sorted either way;
- the *families* of the generators, among them the worst cases of the papers, in given
  and in reversed order.

The optimum is that of the dynamic program over all subsets, for up to 15 items; larger
instances are solved and count only if the result is certified.

Writes DIR/ratios_bin_covering.md: guarantee, worst and mean ratio, and the instance of
the worst. The exit code is 1 if a cost is below the optimum, a solution infeasible, or
a promise broken.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

import atleastk
from atleastk.instances.bin_covering import BinCovering
from atleastk.models.bin_covering import check, most_bins
from atleastk.models.status import Trust
from atleastk.registry import family_named, problem_named
from atleastk.solvers.bin_covering.subset_dp import best_partition
from atleastk.solvers.budget import Budget
from atleastk.solvers.method import Algorithm
from scripts.benchmarks.trials import markdown_table

OUT = Path(__file__).parents[2] / "docs/benchmarks"
NAME = "ratios_bin_covering"
JUDGED_ITEMS = 15
"""Up to so many items the dynamic program over all subsets takes milliseconds."""
SECONDS = 10.0
"""The time limit of the solver on larger instances."""

FAMILY_SIZES: Sequence[tuple[str, int, Mapping[str, int]]] = (
    ("uniform", 100, {"n": 11}),
    ("uniform", 100, {"n": 11, "high": 10**4}),
    ("few-sizes", 100, {"n": 11}),
    ("three-partition-yes", 100, {"groups": 4}),
    ("three-partition-no", 20, {"groups": 5}),
    ("heavy", 100, {"n": 12, "heavy": 3}),
    ("census-like", 100, {"n": 12, "top": 100}),
    *(("tight-fold", 1, {"k": k}) for k in (5, 7, 9, 21, 101)),
    *(("tight-five-halves", 1, {"k": k}) for k in (14, 20, 100, 1000)),
    *(("tight-spread", 1, {"k": k}) for k in (8, 20, 100, 1000)),
)
"""Families, how many seeds of each, and their parameters."""


@dataclass(frozen=True, slots=True)
class Judged:
    """An instance, its optimum, and what it counts as: random or families."""

    instance: BinCovering
    optimum: int
    kind: str


@dataclass(slots=True)
class Tally:
    """What came of an algorithm on all instances so far.

    Attributes
    ----------
    ratios
        cost / OPT by kind of instance.
    worst
        The greatest ratio and an instance of it, the one with the fewest items.
    nearest
        The greatest cost / promised cost; 1 if the promise is attained.
    refused
        Instances that the algorithm does not take.
    wrong
        What must not happen, told on one line each.
    """

    algorithm: Algorithm[Any]
    ratios: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    worst: tuple[Fraction, BinCovering] | None = None
    nearest: Fraction | None = None
    refused: int = 0
    wrong: list[str] = field(default_factory=list)

    def measure(self, judged: Judged, seed: int) -> None:
        """Run the algorithm on one more instance."""
        instance = judged.instance
        if self.algorithm.refuses(instance) is not None:
            self.refused += 1
            return
        verdict = check(instance, self.algorithm.run(instance, seed))
        if not verdict.feasible or verdict.cost is None:
            self._complain(judged, verdict.violations[0])
        else:
            self.add(judged, verdict.cost)

    def add(self, judged: Judged, cost: int) -> None:
        """Count the cost of a feasible solution."""
        instance, optimum = judged.instance, judged.optimum
        if cost < optimum:
            self._complain(judged, f"cost {cost} is below the optimum {optimum}")
        promise = self.algorithm.guarantee
        if promise is not None and promise.applies(instance):
            if not promise.holds(instance, cost, optimum):
                self._complain(judged, f"cost {cost} breaks {promise}")
            share = Fraction(cost) / promise.ceiling(instance, optimum)
            self.nearest = max(share, self.nearest or share)
        ratio = Fraction(cost, optimum)
        self.ratios[judged.kind].append(float(ratio))
        if self.worst is None or (ratio, -instance.n) > (
            self.worst[0],
            -self.worst[1].n,
        ):
            self.worst = ratio, instance

    def _complain(self, judged: Judged, what: str) -> None:
        self.wrong.append(f"{self.algorithm.name} on {shown(judged.instance)}: {what}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--instances", type=int, default=10_000, help="random ones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args(arguments)
    judged = [
        *random_instances(chosen.instances, chosen.seed),
        *family_instances(),
    ]
    tallies = measured(judged, chosen.seed)
    report = "\n".join(report_lines(judged, tallies, chosen.seed)) + "\n"
    chosen.out.mkdir(parents=True, exist_ok=True)
    (chosen.out / f"{NAME}.md").write_text(report, encoding="utf-8")
    print(report)
    print(f"written to {chosen.out}: {NAME}.md")
    wrong = [line for tally in tallies for line in tally.wrong]
    if wrong:
        raise SystemExit("\n".join(["WRONG", *wrong]))


def random_instances(count: int, seed: int) -> Iterator[Judged]:
    """Yield small random instances that have a solution."""
    rng = random.Random(seed)
    while count > 0:
        instance = drawn(rng)
        if most_bins(instance) > 0:
            yield Judged(instance, optimum_by_subsets(instance), "random")
            count -= 1


def drawn(rng: random.Random) -> BinCovering:
    """Draw a small instance; see the module."""
    n, k = rng.randint(2, 10), rng.randint(2, 24)
    extremes = {1, 2, k // 3, k // 3 + 1, k // 2, (k + 1) // 2, k - 1, k} - {0}
    palette = rng.choice(
        (
            range(1, k),
            range(1, 2 * k + 1),
            rng.sample(range(1, 2 * k), min(3, 2 * k - 1)),
            sorted(extremes),
        )
    )
    sizes = [rng.choice(palette) for _ in range(n)]
    order = rng.choice(("shuffled", "increasing", "decreasing"))
    if order != "shuffled":
        sizes.sort(reverse=order == "decreasing")
    return BinCovering(sizes, k)


def family_instances() -> Iterator[Judged]:
    """Yield instances of the families whose optimum is known beyond doubt."""
    problem = problem_named("bin-covering")
    for name, seeds, parameters in FAMILY_SIZES:
        for seed in range(seeds):
            instance = family_named(problem, name).make(seed, **parameters)
            optimum = exact_optimum(instance)
            if optimum is None:
                print(f"left out, its optimum is not certain: {instance.name}")
                continue
            backwards = BinCovering(instance.sizes[::-1], instance.k)
            yield Judged(instance, optimum, "families")
            yield Judged(backwards, optimum, "families")


def exact_optimum(instance: BinCovering) -> int | None:
    """Return the optimum, None if it is neither enumerated nor certified."""
    if instance.n <= JUDGED_ITEMS:
        return optimum_by_subsets(instance)
    result = atleastk.solve(instance, SECONDS, certify=True)
    return result.cost if result.trust is Trust.CERTIFIED else None


def optimum_by_subsets(instance: BinCovering) -> int:
    """Return the optimum of a feasible instance by trying all subsets."""
    bins = best_partition(instance, Budget.of())
    assert bins is not None, "a feasible instance has a best partition"
    return max(sum(instance.sizes[item] for item in group) for group in bins)


def measured(judged: Iterable[Judged], seed: int) -> list[Tally]:
    """Run all algorithms on all instances."""
    tallies = [Tally(algorithm) for algorithm in atleastk.algorithms("bin-covering")]
    for each in judged:
        for tally in tallies:
            tally.measure(each, seed)
    return tallies


def report_lines(
    judged: Sequence[Judged], tallies: Sequence[Tally], seed: int
) -> Iterator[str]:
    """Yield the lines of the report."""
    kinds = [one.kind for one in judged]
    yield "# Min-max bin covering: approximation algorithms against the optimum"
    yield ""
    yield (
        f"{kinds.count('random')} random instances of 2 to 10 items (seed {seed}) and "
        f"{kinds.count('families')} of the families, the papers' worst cases among "
        "them. Items are in the given order, `a xb` is b times a; random orders are "
        f"drawn with seed {seed}."
    )
    yield ""
    yield "- *of promise*: the greatest cost / promised cost; 1 if it is attained."
    yield "- *= OPT*: how often the algorithm finds an optimum."
    yield ""
    yield from markdown_table(
        [
            "algorithm",
            "promise",
            "of promise>",
            "worst cost / OPT>",
            "reached by",
            "mean, random>",
            "mean, families>",
            "= OPT, random>",
            "not taken>",
        ],
        map(_row, tallies),
    )
    yield ""
    broken = sum(len(tally.wrong) for tally in tallies)
    yield f"Broken promises, infeasible solutions, costs below the optimum: {broken}."


def _row(tally: Tally) -> Sequence[object]:
    guarantee = tally.algorithm.guarantee
    promise = f"{guarantee.statement}, {guarantee.theorem}" if guarantee else "none"
    drawn_ratios = tally.ratios["random"]
    ratio, reached = "", ""
    if tally.worst is not None:
        ratio, reached = f"{float(tally.worst[0]):.4f}", shown(tally.worst[1])
    return [
        f"`{tally.algorithm.name}`",
        promise,
        "" if tally.nearest is None else f"{float(tally.nearest):.4f}",
        ratio,
        reached,
        _mean(drawn_ratios),
        _mean(tally.ratios["families"]),
        _share(drawn_ratios),
        tally.refused,
    ]


def _mean(ratios: Sequence[float]) -> str:
    return f"{sum(ratios) / len(ratios):.4f}" if ratios else ""


def _share(ratios: Sequence[float]) -> str:
    return f"{ratios.count(1.0) / len(ratios):.1%}" if ratios else ""


def shown(instance: BinCovering) -> str:
    """Show sizes in their order, equal neighbours together."""
    runs = ((size, len(list(group))) for size, group in groupby(instance.sizes))
    sizes = ", ".join(f"{s} x{times}" if times > 1 else f"{s}" for s, times in runs)
    return f"{{{sizes}}}, k = {instance.k}"


if __name__ == "__main__":
    main()
