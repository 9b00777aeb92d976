"""Check the reductions of r-gather and cellular clustering, instance by instance.

    python -m scripts.reductions.check_clustering_reductions [--instances N] [--seed S]
        [--out DIR]

- 3-SAT -> r-gather, r = 7: all sets of one to four clauses of two literals over two
  variables, and random formulas of up to six variables. Satisfiability is tried out,
  the clustering solved by `atleastk.solve`, and its clusters mapped back.
- Set cover -> cellular clustering: all systems of one or two sets of up to three
  elements, and random ones of up to eight points. Both sides are tried out.

Instances come smallest first, so the first that refutes a claim is a smallest one.
Writes DIR/reductions_clustering.md; the exit code is 1 if a claim is refuted.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from pathlib import Path
from typing import Any

import atleastk
from atleastk.instances.generators.cellular_clustering import random_sets
from atleastk.instances.generators.r_gather import random_formula
from atleastk.instances.reductions import cellular_clustering, r_gather
from atleastk.instances.reductions.cellular_clustering import SetCover
from atleastk.instances.reductions.formulas import ThreeSat
from atleastk.instances.reductions.reduction import Reduction
from atleastk.models.status import Status
from atleastk.solvers.brute_force import cellular_clustering as judge
from atleastk.studies.markdown import markdown_table

OUT = Path(__file__).parents[2] / "docs/benchmarks"
NAME = "reductions_clustering"


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a claim: on how many instances, how many say yes, and what fails."""

    reduction: Reduction
    checked: int
    yes: int
    refuted: tuple[Any, str] | None


def main(arguments: Sequence[str] | None = None) -> None:
    """Check both claims and write the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--instances", type=int, default=300, help="random ones each")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args(arguments)
    rng = random.Random(chosen.seed)
    (gathering,), (cellular,) = r_gather.REDUCTIONS, cellular_clustering.REDUCTIONS
    reports = [
        _report(gathering, list(formulas(rng, chosen.instances)), _of_formula),
        _report(cellular, list(systems(rng, chosen.instances)), _of_system),
    ]
    chosen.out.mkdir(parents=True, exist_ok=True)
    lines = "\n".join(report_lines(reports, chosen)) + "\n"
    (chosen.out / f"{NAME}.md").write_text(lines, encoding="utf-8")
    print(lines)
    if any(report.refuted for report in reports):
        sys.exit("a claim is refuted")


def formulas(rng: random.Random, count: int) -> Iterator[ThreeSat]:
    """Yield small formulas."""
    clauses = [list(clause) for clause in product((1, -1), (2, -2))]
    for size in range(1, 5):
        yield from map(ThreeSat, combinations(clauses, size))
    for _ in range(count):
        variables, width = rng.randint(2, 6), rng.choice([2, 2, 3])
        most = min(6 * variables // width, 12)
        size = rng.randint(1, max(1, most - 2))
        try:
            yield random_formula(
                rng.randrange(2**31), max(width, variables), size, width
            )
        except atleastk.InvalidInstanceError:
            continue  # so many clauses were not found


def systems(rng: random.Random, count: int) -> Iterator[SetCover]:
    """Yield small set systems, every element in a set."""
    for elements in (1, 2, 3):
        subsets = list(
            chain.from_iterable(
                combinations(range(elements), size) for size in range(elements + 1)
            )
        )
        for size in (1, 2):
            for chosen in combinations(subsets, size):
                system = SetCover(elements, chosen)
                if system.coverable:
                    yield system
    for _ in range(count):
        elements = rng.randint(1, 5)
        sets = rng.randint(1, 8 - elements)
        yield random_sets(
            rng.randrange(2**31), elements, sets, rng.choice([20, 40, 60])
        )


def _report(reduction: Reduction, instances: Sequence[Any], judged: Any) -> Report:
    yes, refuted = 0, None
    for instance in instances:
        answer, why = judged(reduction, instance)
        yes += answer
        if why is not None and refuted is None:
            refuted = instance, why
    return Report(reduction, len(instances), yes, refuted)


def _of_formula(reduction: Reduction, formula: ThreeSat) -> tuple[bool, str | None]:
    """Tell whether a formula is satisfiable, and what it has against the claim."""
    assignments = product((False, True), repeat=formula.variables)
    yes = any(map(formula.satisfied, assignments))
    result = atleastk.solve(reduction.forward(formula), workers=1)
    if result.status is not Status.OPTIMAL or result.cost is None:
        return yes, f"its image is {result.status}"
    if (result.cost == 1) != yes:
        return yes, f"satisfiable is {yes}, but the radius {result.cost}"
    if yes and reduction.back(formula, result.groups) is None:
        return yes, "its clusters are no assignment"
    return yes, None


def _of_system(reduction: Reduction, system: SetCover) -> tuple[bool, str | None]:
    """Tell whether one set is enough, and what a system has against the claim."""
    fewest = next(
        size
        for size in range(len(system.sets) + 1)
        for chosen in combinations(range(len(system.sets)), size)
        if system.covers(chosen)
    )
    best = judge.optimum(reduction.forward(system))
    assert best is not None, "clusters of one point are feasible"
    cost, solution = best
    assert reduction.cost is not None, "the claim is a formula"
    claimed = reduction.cost(system, cost)
    if claimed != fewest:
        return fewest == 1, f"{fewest} sets, not {claimed} as the cost {cost} has it"
    back = reduction.back(system, solution.groups)
    if not system.covers(back) or len(back) > fewest:
        return fewest == 1, f"the way back gives {back}"
    return fewest == 1, None


def report_lines(
    reports: Sequence[Report], chosen: argparse.Namespace
) -> Iterator[str]:
    """Yield the lines of the report."""
    yield "# The reductions of [Aggarwal10], checked"
    yield ""
    yield f"Both sides solved exactly, smallest instances first (seed {chosen.seed})."
    yield ""
    columns = ["claim", "reference", "formula", "checked>", "yes>", "verdict"]
    yield from markdown_table(columns, map(_row, reports))
    for report in reports:
        if report.refuted:
            instance, why = report.refuted
            yield ""
            shown = json.dumps(instance.to_dict())
            yield f"- {report.reduction.name}: {why}: `{shown}`"
    yield ""
    yield "*Yes*: satisfiable formulas; systems of which one set holds everything."


def _row(report: Report) -> Sequence[object]:
    reduction = report.reduction
    return [
        reduction.name,
        reduction.reference,
        reduction.claim,
        report.checked,
        report.yes,
        "refuted" if report.refuted else "holds",
    ]


if __name__ == "__main__":
    main()
