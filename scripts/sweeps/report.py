"""The report: runs and failures by problem, and failures as lines to run again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from scripts.sweeps.runs import Kind, Run

__all__ = ["Tally", "failure_line"]


class Tally:
    """How often runs ended in every way, by problem."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, Kind]] = Counter()

    def add(self, problem: str, kind: Kind) -> None:
        """Count a run."""
        self.counts[problem, kind] += 1

    @property
    def runs(self) -> int:
        """The number of runs."""
        return self.counts.total()

    @property
    def failures(self) -> int:
        """The number of failures."""
        return sum(n for (_, kind), n in self.counts.items() if kind is Kind.FAILED)

    def table(self) -> str:
        """Return the counts as a table in Markdown."""
        problems = sorted({problem for problem, _ in self.counts})
        head = ["problem", "runs", *Kind]
        rows = [
            [name, sum(row), *row]
            for name in problems
            for row in [[self.counts[name, kind] for kind in Kind]]
        ]
        sums = [sum(column) for column in list(zip(*rows, strict=True))[1:]]
        lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows, ["all", *sums]]
        return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def failure_line(
    document: Mapping[str, Any], run: Run, told: str, first: str | None = None
) -> str:
    """Return a failure as one line of JSON that ``--replay`` reads."""
    line = {"fault": told, "run": run, "instance": document}
    return json.dumps(line | ({} if first in (None, told) else {"first": first}))
