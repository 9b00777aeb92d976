"""Try records of a library for longer: the ladder of sizes, and the open list.

    python -m scripts.data.efforts ladder [--seconds S] [--hours H] [--folder DIR]
                                          [--problem P]
    python -m scripts.data.efforts open   [--hours H] [--folder DIR] [--problem P]

Both take whatever has had the least effort so far, perform one run of a study on it,
and add the run to its record; what improves the record is checked first. So they can be
ended at any time, and the same command goes on.

``ladder`` runs plain models in two solvers on every record, for 1 s, then 10 s, then
100 s (up to ``--seconds``), until one of them closes it: how difficult it is. ``open``
runs what is not closed until half an hour was tried in vain: the automatic choice has
half of the time, the plain models the rest. Each run is as long as all before it
together, from 10 s up to 10 minutes, and every run of a method has another seed.

Seconds are those of the processor, of one worker, so that a busy machine counts little.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import atleastk
from atleastk import AtleastkError, RunLimits, Study, conduct
from atleastk.research.collecting.effort import (
    LADDER,
    PLAIN,
    Effort,
    closed_in,
    is_earned,
    is_spent,
)
from atleastk.research.collecting.improving import improved
from atleastk.research.collecting.library import Library
from atleastk.research.collecting.record import Record
from atleastk.runs.pools import Here
from atleastk.solvers.clock import CLOCK
from scripts.data.make_library import FOLDER, keep

AUTO: Final = "auto"
SHARES: Final = {AUTO: 2, **dict.fromkeys(PLAIN, 1)}
"""The shares of methods in the time that is tried for."""

SHORTEST, LONGEST = 10.0, 600.0
"""Seconds of a run on what is open: not tuned."""

TOLD: Final = ("atleastk", "sources", "highspy", "ortools")
"""What an effort tells the versions of."""


class Run(NamedTuple):
    """A run to come."""

    method: str
    seed: int
    limit: float


def seconds_of(record: Record, method: str = "") -> float:
    """Return how long a record was tried for, by one method or by all."""
    tried = [each for each in record.efforts if method in ("", each.method)]
    return sum(effort.seconds for effort in tried)


def on_ladder(record: Record, most: float) -> Run | None:
    """Return the next run that tells how difficult a record is, within a limit.

    None is left as soon as one method closes it within a limit: all shorter ones were
    tried in vain.
    """
    for limit in LADDER.values():
        for method in PLAIN:
            if closed_in(record.efforts) < limit:
                return None
            if limit <= most and not is_spent(record.efforts, method, limit):
                return Run(method, 0, limit)
    return None


def on_open_list(record: Record) -> Run | None:
    """Return the next run on a record that is not closed; None once it was tried."""
    if record.is_closed or is_earned(record.efforts):
        return None
    refused = {each.method for each in record.efforts if not each.answered}
    method = min(
        (name for name in SHARES if name not in refused),
        key=lambda name: seconds_of(record, name) / SHARES[name],
    )
    seed = sum(effort.method == method for effort in record.efforts)
    limit = min(LONGEST, max(SHORTEST, seconds_of(record)))
    return Run(method, seed, round(limit, 1))


def tried(record: Record, run: Run) -> Record:
    """Perform a run; return the record with it, and with what was gained."""
    CLOCK.source = time.process_time
    limits = RunLimits(time_limit=run.limit, certify=run.method == AUTO)
    study = Study(
        problem=record.problem,
        instances=[record.instance],
        algorithms=(),
        methods=[run.method],
        seeds=[run.seed],
        limits=limits,
    )
    results = conduct(study, executor=Here())
    (row,) = results.rows
    day = datetime.now(UTC).date().isoformat()
    effort = Effort(
        date=day,
        method=run.method,
        seed=run.seed,
        limit=run.limit,
        seconds=round(row["cpu_seconds"], 3),
        status=row["status"],
        cost=row["cost"],
        bound=row["bound"],
        nodes=row["nodes"],
        versions={name: results.versions[name] for name in TOLD},
    )
    if effort.answered:
        result = replace(results.result(row), versions=results.versions)
        record = improved(record, result, day, taking_claims=True)
    return replace(record, efforts=(*record.efforts, effort))


def runs(records: Sequence[Record], chosen: argparse.Namespace) -> Iterator[Record]:
    """Yield records after another run on each, that of the least effort first."""
    held = {record.name: record for record in records}
    end = time.monotonic() + 3600 * chosen.hours
    while True:
        waiting = [
            (seconds_of(record), name, run)
            for name, record in held.items()
            for run in [
                on_open_list(record)
                if chosen.what == "open"
                else on_ladder(record, chosen.seconds)
            ]
            if run is not None
        ]
        if not waiting:
            return
        _, name, run = min(waiting)
        before, after = held[name], held[name]
        try:
            after = tried(before, run)
        except AtleastkError as error:  # a contradiction: nobody may miss it
            print(f"{name}: {run.method}, seed {run.seed}: {error}", flush=True)
            del held[name]
            continue
        held[name] = after
        last = after.efforts[-1]
        told = f"{last.method}, seed {last.seed}, {last.seconds:.1f} s: {last.status}"
        known, gained = after.known, ""
        if known is not None and after.history != before.history:
            gained = f", now {after.status} {known.cost} {known.bound}"
        print(f"{len(waiting)} {name}: {told} {last.cost} {last.bound}{gained}")
        yield after
        if time.monotonic() > end:
            return


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("ladder", "open"))
    parser.add_argument("--seconds", type=float, default=max(LADDER.values()))
    parser.add_argument("--hours", type=float, default=float("inf"))
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--problem", choices=tuple(p.name for p in atleastk.problems()))
    chosen = parser.parse_args(arguments)
    library = Library(chosen.folder)
    records = library.filter(problem=chosen.problem)
    keep(library, chosen.folder, runs(records, chosen))


if __name__ == "__main__":
    main()
