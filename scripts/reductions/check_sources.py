"""Check the reductions that enter the suppression family, instance by instance.

    python -m scripts.reductions.check_sources [--quick] [--seed S] [--out DIR]

The claims are the `REDUCTIONS` of the four modules of sources (exact covers, packings,
triangles, vertex covers). Both sides of each are solved exactly and compared: yes with
yes, optimum with the formula, and what the way back makes of a best solution with what
the source asks for. Instances come smallest first, so the first that refutes a claim is
a smallest one:

- triples of 3 and 6 elements, all of them up to isomorphism, and random ones of 9,
- graphs without K_4 of 3 and 6 vertices, all of them, and random ones of 9,
- connected cubic graphs of 4, 6, 8 and 10 vertices, all of them.

The source is solved by plain search; the target by trying all partitions of up to nine
rows, all sets of columns to delete, or, for larger tables, all groups of k..2k-1 rows
in CP-SAT - and k-anonymity by the method patterns of `atleastk.solve`. Writes
DIR/reduction_sources.json and .md, which check_reduction_web.py --redraw takes into the
pictures and into the package. The exit code is 1 if a claim that is said to be
repaired is refuted.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.reductions import (
    exact_cover,
    set_packing,
    triangle_partition,
    vertex_cover,
)
from atleastk.instances.reductions.exact_cover import ExactCover
from atleastk.instances.reductions.reduction import Reduction
from atleastk.instances.reductions.triangle_partition import TrianglePartition
from atleastk.instances.reductions.vertex_cover import CubicVertexCover
from atleastk.instances.suppression import Suppression
from atleastk.models import k_anonymity
from atleastk.models.solution import Solution
from atleastk.models.suppression import check, solution_of_groups
from atleastk.solvers.brute_force.combinatorial import (
    exact_covers,
    is_vertex_cover,
    largest_packing,
    least_vertex_cover,
    most_disjoint_triangles,
)
from atleastk.studies.markdown import markdown_table
from scripts.reductions.source_instances import Corpus, corpus_of
from scripts.reductions.source_optima import Groups, column_sets, optimum

OUT = Path(__file__).parents[2] / "docs/benchmarks"
NAME = "reduction_sources"


@dataclass(slots=True)
class Report:
    """What came of one claim.

    Attributes
    ----------
    checked, failed
        Instances to which the claim applies, and those of them that refute it.
    refuted
        A smallest of these and why; None if there is none.
    instances
        What was tried, in words.
    seconds
        CPU time of all, and of the longest single instance.
    """

    source: str
    target: str
    kind: str
    reference: str
    claim: str
    checked: int
    failed: int
    refuted: dict[str, Any] | None
    repaired: bool
    hypotheses: str
    instances: str
    seconds: tuple[float, float]


def main(arguments: Sequence[str] | None = None) -> None:
    """Check all claims and write the report."""
    chosen = _parser().parse_args(arguments)
    reports = [
        checked(reduction, corpus_of(reduction, chosen.seed, chosen.quick))
        for reduction in every()
    ]
    chosen.out.mkdir(parents=True, exist_ok=True)
    document = json.dumps([asdict(report) for report in reports], indent=1)
    (chosen.out / f"{NAME}.json").write_text(document + "\n")
    lines = report_lines(reports, chosen.seed)
    (chosen.out / f"{NAME}.md").write_text("\n".join(lines) + "\n")
    broken = [r for r in reports if r.repaired and r.refuted]
    if broken:
        sys.exit("\n".join(["WRONG", *(f"{r.source} -> {r.target}" for r in broken)]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="the smallest only")
    parser.add_argument("--out", type=Path, default=OUT)
    return parser


def every() -> list[Reduction]:
    """Return the claims of all modules."""
    modules = (exact_cover, set_packing, triangle_partition, vertex_cover)
    return [reduction for module in modules for reduction in module.REDUCTIONS]


def checked(reduction: Reduction, corpus: Corpus) -> Report:
    """Compare both sides of a claim on all instances."""
    failed, tried, longest = 0, 0, 0.0
    refuted: dict[str, Any] | None = None
    begun = time.process_time()
    for instance in corpus.instances:
        if not reduction.applies(instance):
            continue
        before = time.process_time()
        tried += 1
        why = objection(reduction, instance)
        if why is not None:
            failed += 1
            refuted = refuted or {"instance": instance.to_dict(), "why": why}
        longest = max(longest, time.process_time() - before)
    return Report(
        reduction.source,
        reduction.target,
        reduction.kind,
        reduction.reference,
        reduction.claim,
        tried,
        failed,
        refuted,
        reduction.repaired,
        reduction.hypotheses,
        corpus.words,
        (round(time.process_time() - begun, 1), round(longest, 2)),
    )


def objection(reduction: Reduction, instance: Any) -> str | None:
    """Say what an instance has against a claim; None if nothing."""
    if reduction.kind == "many-one":
        return _answers(reduction, instance)
    if reduction.kind == "L" and isinstance(instance, ExactCover):
        return _ratios(reduction, instance)
    return _optima(reduction, instance)


def _answers(reduction: Reduction, instance: Any) -> str | None:
    """Compare yes with yes, and a solution of the image with one of the source."""
    yes = answer_of_source(instance)
    target = reduction.forward(instance)
    if isinstance(target, TrianglePartition):
        answers, told = answer_of_source(target), "the graph"
        back = reduction.back(instance, most_disjoint_triangles(target))
    else:
        ((quantity, limit),) = target.limits.items()
        least, groups = optimum(target, quantity)
        solution = solution_of_groups(target, groups)
        answers, told = least <= limit, f"{quantity} = {least} within {limit}"
        back = reduction.back(instance, solution.suppressed)
        if check(target, solution).feasible != answers:
            return f"the checker does not agree about {groups}"
    if answers != yes:
        return f"it answers {_word(yes)}, but {told} answers {_word(answers)}"
    if (back is not None) != yes:
        return f"what comes back is {back}"
    if yes and measured(instance, back) != optimum_of_source(instance):
        return f"{back} is no solution"
    return None


def answer_of_source(instance: Any) -> bool:
    """Tell whether there is an exact cover, or a partition into triangles."""
    if isinstance(instance, ExactCover):
        return any(exact_covers(instance))
    found = most_disjoint_triangles(instance)
    vertices: int = instance.vertices
    return 3 * len(found) == vertices


def _optima(reduction: Reduction, instance: Any) -> str | None:
    """Compare the optimum with what the formula makes of that of the image."""
    target = reduction.forward(instance)
    if isinstance(target, TrianglePartition):
        found: Sequence[Any] = most_disjoint_triangles(target)
        least = len(found)
    else:
        least, groups = optimum(target, getattr(target, "minimise", "entries"))
        found = lost_cells(target, groups)
    assert reduction.cost is not None, "only many-one reductions have no formula"
    claimed = reduction.cost(instance, least)
    best = optimum_of_source(instance)
    if claimed != best:
        return f"the optimum is {best}, not {claimed} as {reduction.target} = {least}"
    if reduction.alpha is not None and least > reduction.alpha(instance, best) * best:
        return f"{least} is more than {reduction.alpha(instance, best)} * {best}"
    size = measured(instance, reduction.back(instance, found))
    return None if size == best else f"the way back gives {size} instead of {best}"


def _ratios(reduction: Reduction, instance: ExactCover) -> str | None:
    """Check alpha, and beta = 1 for all sets of columns that can be deleted."""
    target = reduction.forward(instance)
    best = optimum_of_source(instance)
    sets = list(column_sets(target.table, target.k))
    least = target.m - max(map(len, sets))
    assert reduction.alpha is not None, "L-reductions from outside have one"
    factor = reduction.alpha(instance, best)
    if least > factor * best:
        return f"MIN-c-DEL = {least}, more than {factor} * {best}"
    for kept in sets:
        hidden = [(i, j) for i in range(target.n) for j in _others(kept, target.m)]
        size = measured(instance, reduction.back(instance, hidden))
        if best - size > (target.m - len(kept)) - least:
            return f"columns {kept} are {size} triples: beta is more than 1"
    return None


def optimum_of_source(instance: Any) -> int:
    """Return the size of a best solution."""
    if isinstance(instance, ExactCover):
        return len(largest_packing(instance.sets))
    if isinstance(instance, CubicVertexCover):
        return len(least_vertex_cover(instance))
    return len(most_disjoint_triangles(instance))


def measured(instance: Any, solution: Sequence[Any]) -> float:
    """Return the size of a solution of a source, NaN if it is none."""
    if isinstance(instance, CubicVertexCover):
        return len(solution) if is_vertex_cover(instance, solution) else math.nan
    triples = (
        [instance.sets[j] for j in solution]
        if isinstance(instance, ExactCover)
        else solution
    )
    return len(triples) if len(largest_packing(triples)) == len(triples) else math.nan


def lost_cells(target: KAnonymity, groups: Groups) -> list[tuple[int, int]]:
    """Return the cells that these groups lose."""
    if isinstance(target, Suppression):
        return list(solution_of_groups(target, groups).suppressed)
    rows, columns = k_anonymity.suppressed(target, Solution.of(groups)).nonzero()
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _others(kept: Sequence[int], columns: int) -> list[int]:
    return [j for j in range(columns) if j not in kept]


def _word(yes: bool) -> str:
    return "yes" if yes else "no"


def report_lines(reports: Sequence[Report], seed: int) -> Iterator[str]:
    """Yield the lines of the report."""
    yield "# The sources of the reduction web, checked"
    yield ""
    yield (
        "Both sides of every claim solved exactly on all instances named, smallest "
        f"first (seed {seed}). *Wrong on* counts the instances that refute a claim."
    )
    yield ""
    columns = ["claim", "reference", "formula", "checked>", "wrong on>", "verdict"]
    yield from markdown_table(columns, map(_row, reports))
    yield ""
    yield "## What refutes a claim"
    yield ""
    yield "A smallest counter-example each, and why."
    yield ""
    for report in reports:
        if report.refuted:
            fields = {
                k: v for k, v in report.refuted["instance"].items() if k != "name"
            }
            yield f"- {report.source} -> {report.target}, {report.reference}:"
            yield f"  {report.refuted['why']}: `{json.dumps(fields)}`"
    yield ""
    yield "## Instances"
    yield ""
    for report in reports:
        hypotheses = f"; taken: {report.hypotheses}" if report.hypotheses else ""
        total, longest = report.seconds
        yield (
            f"- {report.source} -> {report.target}, {report.reference}: "
            f"{report.instances}{hypotheses}; {total} s of CPU time, at most "
            f"{longest} s for one."
        )


def _row(report: Report) -> Sequence[object]:
    verdict = "refuted" if report.refuted else "holds"
    return [
        f"{report.source} -> {report.target} ({report.kind})",
        report.reference,
        report.claim or "yes iff yes",
        report.checked,
        report.failed,
        f"{verdict}, repaired" if report.repaired else verdict,
    ]


if __name__ == "__main__":
    main()
