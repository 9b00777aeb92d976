"""All runs of exact methods, where a study asks for nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from atleastk.studies.markdown import markdown_table
from atleastk.studies.results import Row, StudyResults
from atleastk.studies.run import METHOD

__all__ = ["told_runs"]

_TOLD: Final = 200
"""Most runs that a table tells: more are for a file of runs. A taste."""

_HEADS: Final = (
    *("instance", "method", "status", "trust", "cost>", "bound>", "gap>"),
    *("seconds>", "CPU seconds>"),
)


def told_runs(results: StudyResults) -> Iterator[str]:
    """Yield lines of Markdown with all runs of a study without algorithms."""
    rows = results.rows
    if len(rows) <= _TOLD and all(row["kind"] == METHOD for row in rows):
        closed = sum(row["cost"] == row["bound"] for row in rows)
        yield ""
        yield from markdown_table(_HEADS, map(_cells, rows))
        yield from ("", f"{closed} of {len(rows)} runs closed.")


def _cells(row: Row) -> list[object]:
    cost, bound = row["cost"], row["bound"]
    known = cost is not None and bound is not None
    return [
        row["instance_name"],
        row["name"],
        row["status"] or row["state"],
        row["trust"] or "",
        "" if cost is None else cost,
        "" if bound is None else bound,
        f"{(cost - bound) / abs(cost):.2%}" if known and cost != bound else "",
        f"{row['seconds'] or 0:.2f}",
        f"{row['cpu_seconds'] or 0:.2f}",
    ]
