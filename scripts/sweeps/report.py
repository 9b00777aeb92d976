"""The report: runs and failures by problem, and failures as lines to run again."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any

from atleastk.research.tables.markdown import markdown_table
from scripts.sweeps.runs import Kind, Run


class Tally:
    """How often runs ended in every way, and how long they took, by problem."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._last = self._first = monotonic()

    def add(self, problem: str, kind: str) -> None:
        now = monotonic()
        self.counts[problem, kind] += 1
        self.seconds[problem] += now - self._last
        self._last = now

    @property
    def runs(self) -> int:
        return self.counts.total()

    @property
    def failures(self) -> int:
        return sum(n for (_, kind), n in self.counts.items() if kind == Kind.FAILED)

    @property
    def code(self) -> int:
        """The exit code: 1 if there was a failure, or no run at all."""
        return int(self.failures > 0 or not self.runs)

    def line(self) -> str:
        """Return how far it is, as a line."""
        return f"{self.runs} runs, {self.rate:.0f} a second: {self.failures} failures"

    @property
    def rate(self) -> float:
        return self.runs / max(self._last - self._first, 1e-9)

    def table(self) -> str:
        """Return the counts as a table in Markdown, with runs a second."""
        names = sorted({name for name, _ in self.counts})
        kinds = [kind for kind in Kind if any(self.counts[n, kind] for n in names)]
        head = ["", "runs>", *(f"{kind}>" for kind in kinds), "a second>"]
        rows: list[Sequence[object]] = [
            [name, sum(row), *row, f"{sum(row) / max(self.seconds[name], 1e-9):.0f}"]
            for name in names
            for row in [[self.counts[name, kind] for kind in kinds]]
        ]
        sums = [sum(self.counts[name, kind] for name in names) for kind in kinds]
        rows.append(["all", sum(sums), *sums, f"{self.rate:.0f}"])
        return "\n".join(markdown_table(head, rows))


def failure_line(
    document: Mapping[str, Any], run: Run, message: str, first: str | None = None
) -> str:
    """Return a failure as one line of JSON that ``--replay`` reads."""
    line = {"fault": message, "run": run, "instance": document}
    return json.dumps(line | ({} if first in (None, message) else {"first": first}))
