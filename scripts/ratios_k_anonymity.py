"""Measure the approximation algorithms of k-anonymity against the optimum.

    python scripts/ratios_k_anonymity.py [--instances N] [--seed S] [--out DIR]

Runs every algorithm, and the lower bound OPT-LB, on small random tables: uniform cells,
skewed ones, groups around random records, and few copies of every record; k = 2..5, 4
to 11 rows, 1 to 6 columns. The optimum is that of the dynamic program over all subsets.
The families of the generators whose optimum is known follow.

Writes DIR/ratios_k_anonymity.md: promise, worst and mean ratio, and the table of the
worst. The exit code is 1 if a cost is below the optimum, a solution infeasible, a
promise broken, or the lower bound above the optimum.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from trials import markdown_table

import atleastk
from atleastk.instances.datasets.nursery import nursery, nursery_optimum
from atleastk.instances.generators import k_anonymity as draw
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.k_anonymity import check
from atleastk.models.solution import Solution
from atleastk.solvers.anonymity.bounds import opt_lb
from atleastk.solvers.anonymity.mining import closed_patterns
from atleastk.solvers.anonymity.subset_dp import best_partition
from atleastk.solvers.budget import Budget
from atleastk.solvers.method import Algorithm

OUT = Path(__file__).parent.parent / "docs/benchmarks"
NAME = "ratios_k_anonymity"
MOST_ROWS = 11
SHOWN_CELLS = 100


@dataclass(frozen=True, slots=True)
class Judged:
    """A table and its optimum."""

    instance: KAnonymity
    optimum: int


@dataclass(slots=True)
class Tally:
    """What came of an algorithm on all tables so far.

    Attributes
    ----------
    ratios
        cost / OPT where OPT is not 0.
    worst
        The greatest ratio and a table of it, the one with the fewest cells.
    nearest
        The greatest cost / promised cost.
    zeros, missed
        Tables of optimum 0, and those of them where the cost is not.
    refused
        Tables that the algorithm does not take.
    wrong
        What must not happen, told on one line each.
    """

    algorithm: Algorithm[Any]
    ratios: list[float] = field(default_factory=list)
    worst: tuple[Fraction, KAnonymity] | None = None
    nearest: Fraction | None = None
    zeros: int = 0
    missed: int = 0
    refused: int = 0
    wrong: list[str] = field(default_factory=list)

    def measure(self, judged: Judged, seed: int) -> None:
        """Run the algorithm on one more table."""
        instance = judged.instance
        if self.algorithm.refuses(instance) is not None:
            self.refused += 1
            return
        verdict = check(instance, self.algorithm.run(instance, seed))
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
        if promise is not None and not promise.holds(instance, cost, optimum):
            self._complain(instance, f"cost {cost} breaks {promise}")
        if optimum == 0:
            self.zeros += 1
            self.missed += cost > 0
            return
        if promise is not None:
            share = Fraction(cost) / promise.ceiling(instance, optimum)
            self.nearest = max(share, self.nearest or share)
        ratio = Fraction(cost, optimum)
        self.ratios.append(float(ratio))
        if self.worst is None or (ratio, -_cells(instance)) > (
            self.worst[0],
            -_cells(self.worst[1]),
        ):
            self.worst = ratio, instance

    def _complain(self, instance: KAnonymity, what: str) -> None:
        self.wrong.append(f"{self.algorithm.name} on {shown(instance)}: {what}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--instances", type=int, default=12_000, help="random ones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args(arguments)
    drawn = list(random_tables(chosen.instances, chosen.seed))
    known = list(known_tables())
    random_tallies = measured(drawn, chosen.seed)
    known_tallies = measured(known, chosen.seed)
    bounds = [bound(judged.instance) for judged in drawn]
    report = "\n".join(
        report_lines(drawn, bounds, random_tallies, known, known_tallies, chosen.seed)
    )
    chosen.out.mkdir(parents=True, exist_ok=True)
    (chosen.out / f"{NAME}.md").write_text(report + "\n", encoding="utf-8")
    print(report)
    wrong = [
        line for tally in (*random_tallies, *known_tallies) for line in tally.wrong
    ]
    wrong += [
        f"OPT-LB {lower} is above {judged.optimum} on {shown(judged.instance)}"
        for lower, judged in zip(bounds, drawn, strict=True)
        if lower > judged.optimum
    ]
    if wrong:
        raise SystemExit("\n".join(["WRONG", *wrong]))


def random_tables(count: int, seed: int) -> Iterator[Judged]:
    """Yield small random tables with their optima."""
    rng = random.Random(seed)
    for _ in range(count):
        instance = random_table(rng)
        yield Judged(instance, optimum_by_subsets(instance))


def random_table(rng: random.Random) -> KAnonymity:
    """Draw a small table; see the module."""
    k, m = rng.randint(2, 5), rng.randint(1, 6)
    n, values = rng.randint(max(4, k), MOST_ROWS), rng.randint(2, 4)
    seed = rng.randrange(2**32)
    kind = rng.choice(("uniform", "skewed", "planted", "hard-zone"))
    if kind == "skewed":
        return draw.skewed(seed, n, m, values, k)
    if kind == "planted":
        groups = rng.randint(1, 3)
        size, noise = -(-n // groups), rng.choice((5, 15, 30))
        if groups * size <= MOST_ROWS:
            return draw.planted(seed, groups, size, m, values, noise, k)
    if kind == "hard-zone" and values**m * (k - 1) >= n:
        return draw.hard_zone(seed, n, m, values, k)
    return draw.uniform(seed, n, m, values, k)


def known_tables() -> Iterator[Judged]:
    """Yield tables whose optimum a theorem or the dynamic program gives."""
    for instance in (draw.employees_4(0), draw.employees_8(0)):
        yield Judged(instance, optimum_by_subsets(instance))
    for k, stars in ((4, 2), (4, 15), (6, 10), (8, 6), (10, 5)):
        yield Judged(draw.tight_dr(0, k, stars), k * k * stars)
    for k in (2, 3, 5, 10, 100):
        yield Judged(draw.tight_leftovers(0, k), k)
    for k in (2, 3, 5, 6, 10, 20, 50):
        yield Judged(nursery(k), nursery_optimum(k))


def optimum_by_subsets(instance: KAnonymity) -> int:
    """Return the optimum of a feasible table by trying all groups."""
    groups = best_partition(instance, Budget.of())
    assert groups is not None, "a feasible table has a best partition"
    cost = check(instance, Solution.of(groups)).cost
    assert cost is not None, "the groups are a partition"
    return cost


def bound(instance: KAnonymity) -> int:
    """Return OPT-LB."""
    patterns = closed_patterns(instance.records, instance.k)
    assert patterns is not None, "small tables have few patterns"
    return opt_lb(instance.records, patterns)


def measured(judged: Iterable[Judged], seed: int) -> list[Tally]:
    """Run all algorithms on all tables."""
    tallies = [Tally(algorithm) for algorithm in atleastk.algorithms("k-anonymity")]
    for each in judged:
        for tally in tallies:
            tally.measure(each, seed)
    return tallies


def report_lines(
    drawn: Sequence[Judged],
    bounds: Sequence[int],
    random_tallies: Sequence[Tally],
    known: Sequence[Judged],
    known_tallies: Sequence[Tally],
    seed: int,
) -> Iterator[str]:
    """Yield the lines of the report."""
    yield "# k-anonymity: approximation algorithms against the optimum"
    yield ""
    yield (
        f"{len(drawn)} random tables of up to {MOST_ROWS} rows (seed {seed}), optima "
        "by the dynamic program over all subsets. Ratios are those of tables whose "
        "optimum is not 0."
    )
    yield ""
    yield "- *of promise*: the greatest cost / promised cost; 1 if it is attained."
    yield "- *missed 0*: tables of optimum 0 that the algorithm pays for."
    yield ""
    yield from _table(random_tallies)
    yield ""
    above = [
        lower / judged.optimum
        for lower, judged in zip(bounds, drawn, strict=True)
        if judged.optimum
    ]
    if above:
        yield (
            f"OPT-LB / OPT: least {min(above):.4f}, mean {_mean(above)}, "
            f"equal on {above.count(1.0) / len(above):.1%}."
        )
        yield ""
    yield "## Tables of known optimum"
    yield ""
    yield (
        f"{len(known)} tables: the figures of [ParkShim07], Nursery, and the families "
        "tight-dr and tight-leftovers, bad for APPROX-DR."
    )
    yield ""
    yield from _table(known_tallies)
    yield ""
    broken = sum(len(tally.wrong) for tally in (*random_tallies, *known_tallies))
    yield f"Broken promises, infeasible solutions, costs below the optimum: {broken}."


def _table(tallies: Iterable[Tally]) -> Iterator[str]:
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
            "not taken>",
        ],
        map(_row, tallies),
    )


def _row(tally: Tally) -> Sequence[object]:
    guarantee = tally.algorithm.guarantee
    promise = f"{guarantee.statement}, {guarantee.theorem}" if guarantee else "none"
    ratio, reached = "", ""
    if tally.worst is not None:
        ratio, reached = f"{float(tally.worst[0]):.4f}", shown(tally.worst[1])
    ratios = tally.ratios
    return [
        f"`{tally.algorithm.name}`",
        promise,
        "" if tally.nearest is None else f"{float(tally.nearest):.4f}",
        ratio,
        reached,
        _mean(ratios),
        f"{ratios.count(1.0) / len(ratios):.1%}" if ratios else "",
        f"{tally.missed} of {tally.zeros}",
        tally.refused,
    ]


def _mean(ratios: Sequence[float]) -> str:
    return f"{sum(ratios) / len(ratios):.4f}" if ratios else ""


def _cells(instance: KAnonymity) -> int:
    return instance.n * instance.m


def shown(instance: KAnonymity) -> str:
    """Show a small table row by row, or the name of a large one."""
    if _cells(instance) > SHOWN_CELLS:
        return str(instance.name)
    rows = " ".join("".join(map(str, row)) for row in instance.table)
    return f"{rows}, k = {instance.k}"


if __name__ == "__main__":
    main()
