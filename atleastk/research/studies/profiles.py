"""Performance profiles, and gaps over time, of the exact methods of a study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from atleastk.models.results.result import Result
from atleastk.research.studies.results import (
    CLOSED,
    Row,
    StudyResults,
    gap_of,
    open_share,
)
from atleastk.research.studies.run import METHOD


def time_factors(results: StudyResults) -> Mapping[str, Sequence[float]]:
    """Return the seconds of every method over those of the best, where it closed.

    That is a performance profile [Dolan02]; its methods see the same instances.

    References
    ----------
    [Dolan02] E. D. Dolan, J. J. More: Benchmarking optimization software with
    performance profiles. Mathematical Programming 91, 2002.
    """
    factors: dict[str, list[float]] = {}
    for _, rows in results.by_instance():
        closed = [r for r in rows if r["kind"] == METHOD and r["status"] in CLOSED]
        best = min((row["seconds"] for row in closed), default=0.0)
        for row in closed:
            factor = row["seconds"] / best if best else 1.0
            factors.setdefault(row["name"], []).append(factor)
    return factors


def gaps_over_time(
    results: StudyResults,
) -> Mapping[str, tuple[Sequence[float], Sequence[float]]]:
    """Return for every method the seconds of its steps, and its mean gap from then on.

    A run without a cost or a bound has gap 1, a closed one 0.
    """
    changes: dict[str, list[tuple[float, float]]] = {}
    counts = Counter[str]()
    for row in results.rows:
        if row["kind"] != METHOD or not row["result"]:
            continue
        counts[row["name"]] += 1
        before = 1.0
        for seconds, gap in _gaps(row, results.result(row)):
            changes.setdefault(row["name"], []).append((seconds, gap - before))
            before = gap
    found = {}
    for name, steps in changes.items():
        steps.sort()
        sums = accumulate((change for _, change in steps), initial=float(counts[name]))
        heights = [max(0.0, each / counts[name]) for each in sums][1:]
        found[name] = [seconds for seconds, _ in steps], heights
    return found


def primal_integral(row: Row, result: Result, best: int) -> float:
    """Return the mean distance of the cost of a run to the best one, over its limit.

    As a share of the cost, 1 at most and as long as there is no solution [Berthold13].
    Without a limit it is the mean over the run.

    References
    ----------
    [Berthold13] T. Berthold: Measuring the impact of primal heuristics. Operations
    Research Letters 41, 2013.
    """
    end = row["time_limit"] or row["seconds"]
    steps = [(e.seconds, e.cost) for e in result.events if e.cost is not None]
    area, since, share = 0.0, 0.0, 1.0
    for seconds, cost in (*steps, (end, best)):
        until = max(since, min(seconds, end))
        area += (until - since) * share
        since, share = until, open_share(cost, best)
    return area / end if end else 0.0


def _gaps(row: Mapping[str, Any], result: Result) -> Sequence[tuple[float, float]]:
    """Return (seconds, gap) for every change of the gap of a run."""
    steps = [(e.seconds, open_share(e.cost, e.bound)) for e in result.events]
    steps.append((row["seconds"], gap_of(row)))
    return [(max(seconds, 1e-3), gap) for seconds, gap in steps]
