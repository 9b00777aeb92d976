"""Write the page of the worst ratios, as the finds have them.

    atleastk adversary all --time-limit 60 -o docs/benchmarks/worst_ratios.jsonl
    python -m scripts.data.write_worst_ratios [--check]

With ``--check`` it writes nothing, and ends with code 1 if the page is not the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from atleastk.instances.files import files
from atleastk.instances.instance import Instance
from atleastk.research.adversary.finds import Record, judged_for_all, least_of
from atleastk.research.adversary.judging import SOLVED, Judge
from atleastk.research.tables.markdown import markdown_table
from atleastk.runs import api
from atleastk.runs.registry import PROBLEMS, instance_from_dict
from atleastk.solvers.method import Algorithm
from atleastk.solvers.problem import Problem
from scripts.data.pages import is_check, write_below

ROOT = Path(__file__).parents[2]
FINDS = ROOT / "docs/benchmarks/worst_ratios.jsonl"
PAGE = FINDS.with_suffix(".md")
KNOWN = ROOT / "scripts/studies/worst"
TIGHT = ("tight", "worst", "pinwheel", "ring")
"""The families that are bad for an algorithm begin so."""
MARK = "<!-- what follows is written from the finds -->\n"


def main(arguments: Sequence[str] | None = None) -> None:
    if not is_check(__doc__, arguments):
        files.write_lines(FINDS, completed([r for _, r in files.read_lines(FINDS)]))
    write_below(PAGE, MARK, lines(), __doc__, arguments)


def completed(records: Sequence[Record]) -> Sequence[Record]:
    """Return records with those that finds are for other algorithms, if worse there."""
    more = [
        other
        for problem in PROBLEMS.values()
        for own in [[r for r in records if r["instance"]["problem"] == problem.name]]
        for other in judged_for_all(problem, own, problem.algorithms)
    ]
    return [*records, *more]


def lines() -> Iterator[str]:
    columns = (
        *("algorithm", "promise", "known before>", "all tiny>", "of them"),
        *("worst found>", "cost>", "optimum>", "items>"),
    )
    records = [record for _line, record in files.read_lines(FINDS)]
    for problem in PROBLEMS.values():
        own = [r for r in records if r["instance"]["problem"] == problem.name]
        found = {
            algorithm: [r for r in own if r["algorithm"] == algorithm.name]
            for algorithm in problem.algorithms
        }
        yield from ["", f"## {problem.name}", ""]
        rows = (_row(problem, *each) for each in found.items() if each[1])
        yield from markdown_table(columns, rows)


def _row(
    problem: Problem[Any], algorithm: Algorithm[Any], records: Sequence[Record]
) -> Sequence[object]:
    judge = Judge(problem, algorithm)
    found = (judge.over(*each) for each in known(problem.name))
    ratios = [ratio for ratio in found if ratio is not None]
    worst = max(records, key=lambda record: record["ratio"] or 0.0)
    tiny = max(records, key=lambda record: record.get("exhausted_instances", 0))
    return (
        f"`{algorithm.name}`",
        algorithm.promise,
        f"{max(ratios):.4f}" if ratios else "",
        f"{tiny['exhausted_ratio']:.4f}" if tiny["exhausted"] else "",
        tiny["exhausted"],
        f"{worst['ratio']:.4f}",
        worst["cost"],
        least_of(worst) if worst["optimum"] else f"at most {least_of(worst)}",
        _items(worst["instance"]),
    )


def _items(document: dict[str, Any]) -> int:
    instance: Any = instance_from_dict(document)
    n: int = instance.n
    return n


@cache
def known(name: str) -> Sequence[tuple[Instance, int]]:
    """Return the tight families, and the worst instances that studies begin with.

    Each has the cost of the best solution found.
    """
    problem, path = PROBLEMS[name], KNOWN / f"{name.replace('-', '_')}.jsonl"
    listed = api.load_all(path) if path.exists() else []
    tight = [one.make(0) for one in problem.families if one.name.startswith(TIGHT)]
    solved = (
        (one, api.solve(one, SOLVED, workers=1).cost) for one in (*tight, *listed)
    )
    return [(one, cost) for one, cost in solved if cost is not None]


if __name__ == "__main__":
    main()
