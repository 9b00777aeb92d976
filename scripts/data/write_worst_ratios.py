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

from atleastk import api
from atleastk.adversary.judging import Judge
from atleastk.instances import files
from atleastk.instances.instance import Instance
from atleastk.registry import PROBLEMS, algorithm_named, instance_from_dict
from atleastk.solvers.method import Problem
from atleastk.studies.markdown import markdown_table
from scripts.data.pages import write_below

ROOT = Path(__file__).parents[2]
FINDS = ROOT / "docs/benchmarks/worst_ratios.jsonl"
PAGE = FINDS.with_suffix(".md")
KNOWN = ROOT / "scripts/studies/worst"
TIGHT = ("tight", "pinwheel", "ring")
"""The families that are bad for an algorithm begin so."""
MARK = "<!-- what follows is written from the finds -->\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page, or compare it."""
    write_below(PAGE, MARK, lines(), __doc__, arguments)


def lines() -> Iterator[str]:
    """Yield the lines of the page below its mark: a table for each problem."""
    columns = (
        *("algorithm", "promise", "known before>", "all tiny>", "of them"),
        *("worst found>", "cost>", "optimum>", "items>"),
    )
    worst: dict[tuple[str, str], dict[str, Any]] = {}
    for _line, record in files.read_lines(FINDS):
        worst[record["instance"]["problem"], record["algorithm"]] = record
    for problem in PROBLEMS.values():
        rows = [
            _row(problem, worst[problem.name, algorithm.name])
            for algorithm in problem.algorithms
            if (problem.name, algorithm.name) in worst
        ]
        yield from ["", f"## {problem.name}", ""]
        yield from markdown_table(columns, rows)


def _row(problem: Problem[Any], record: dict[str, Any]) -> Sequence[object]:
    algorithm = algorithm_named(problem, record["algorithm"])
    judge = Judge(problem, algorithm)
    ratios = [judge.exact_ratio(one) for one in known(problem.name)]
    before = max((ratio for ratio in ratios if ratio is not None), default=None)
    return (
        f"`{algorithm.name}`",
        algorithm.promise,
        "" if before is None else f"{before:.4f}",
        f"{record['exhausted_ratio']:.4f}" if record["exhausted"] else "",
        record["exhausted"],
        f"{record['ratio']:.4f}",
        record["cost"],
        record["optimum"],
        _items(record["instance"]),
    )


def _items(document: dict[str, Any]) -> int:
    instance: Any = instance_from_dict(document)
    n: int = instance.n
    return n


@cache
def known(name: str) -> Sequence[Instance]:
    """Return the tight families, and the worst instances that studies begin with."""
    problem, path = PROBLEMS[name], KNOWN / f"{name.replace('-', '_')}.jsonl"
    listed = api.load_all(path) if path.exists() else []
    tight = [one.make(0) for one in problem.families if one.name.startswith(TIGHT)]
    return [*tight, *listed]


if __name__ == "__main__":
    main()
