"""Tables of the runs of a study that has exact methods only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final

from atleastk.research.studies.profiles import primal_integral
from atleastk.research.studies.results import Row, StudyResults, gap_of
from atleastk.research.studies.run import METHOD
from atleastk.research.tables.markdown import markdown_table

_MOST_RUNS: Final = 300
"""The most runs that are listed in a table: not tuned."""

_HEADS: Final = (
    *("instance", "method", "status", "trust", "cost>", "bound>", "gap>"),
    *("integral>", "seconds>", "CPU seconds>"),
)
_METHOD_HEADS: Final = ("method", "runs>", "closed>", "mean gap>", "mean seconds>")
_TREE_HEADS: Final = ("root>", "nodes>")
_TARGET_HEADS: Final = ("limit>", "target>", "met")


def run_lines(results: StudyResults) -> Iterator[str]:
    """Yield the lines of a Markdown table of all runs of a study without algorithms."""
    rows = results.rows
    if len(rows) <= _MOST_RUNS and all(row["kind"] == METHOD for row in rows):
        closed = sum(gap_of(row) == 0 for row in rows)
        text = results.told_targets
        aimed = bool(text)
        best = {
            sha256: min((r["cost"] for r in own if r["cost"] is not None), default=None)
            for sha256, own in results.by_instance()
        }
        divided = any(row["nodes"] is not None for row in rows)
        heads = (
            *_HEADS,
            *(_TREE_HEADS if divided else ()),
            *(_TARGET_HEADS if aimed else ()),
        )
        cells = (
            [
                *_cells(results, row, best[row["instance"]]),
                *(_tree_cells(row) if divided else ()),
                *(_target_cells(row) if aimed else ()),
            ]
            for row in rows
        )
        yield ""
        yield from markdown_table(heads, cells)
        if len({row["name"] for row in rows}) > 1:
            yield ""
            yield from markdown_table(_METHOD_HEADS, _methods(rows))
        yield from ("", f"{closed} of {len(rows)} runs closed.")
        if aimed:
            yield from ("", f"**{text}**")
        yield from ("", software_line(results.versions))


def software_line(versions: Mapping[str, str]) -> str:
    """Return a line with the names and versions of the software of the runs."""
    text = (f"{name} {version}" for name, version in versions.items())
    return f"Software: {', '.join(text)}."


def _cells(results: StudyResults, row: Row, best: int | None) -> list[object]:
    cost, bound, gap = row["cost"], row["bound"], gap_of(row)
    integral = ""
    if best is not None and row["result"]:
        integral = f"{primal_integral(row, results.result(row), best):.2%}"
    return [
        results.label(row),
        row["name"],
        row["status"] or row["state"],
        row["trust"] or "",
        "" if cost is None else cost,
        "" if bound is None else bound,
        f"{gap:.2%}" if gap else "",
        integral,
        f"{row['seconds'] or 0:.2f}",
        f"{row['cpu_seconds'] or 0:.2f}",
    ]


def _tree_cells(row: Row) -> list[object]:
    root, nodes = row["root"], row["nodes"]
    return [
        "" if root is None else f"{root:.2f}",
        "" if nodes is None else f"{nodes:,}",
    ]


def _methods(rows: Sequence[Row]) -> Iterator[list[object]]:
    """Yield the cells of every method: runs, closed ones, mean gap, mean seconds."""
    for name in dict.fromkeys(row["name"] for row in rows):
        own = [row for row in rows if row["name"] == name]
        gaps = [gap_of(row) for row in own]
        seconds = fmean(row["seconds"] or 0.0 for row in own)
        means = f"{fmean(gaps):.3%}", f"{seconds:.2f}"
        yield [name, len(own), gaps.count(0.0), *means]


def _target_cells(row: Row) -> list[object]:
    gap, limit, target = gap_of(row), row["time_limit"], row["target_gap"]
    return [
        "" if limit is None else f"{limit:g}",
        "" if target is None else f"{target:.1%}" if target else "proof",
        "" if target is None else "yes" if gap <= target else "**no**",
    ]
