"""Trials: timed runs of exact methods on drawn instances, kept in a log.

What the scripts that time solvers share. A trial is one method on one instance under a
time limit. Each runs in a process of its own, pinned to its cores where the system can
do that, so that no solver thread or memory of an earlier one disturbs it. Before its
clock starts the process solves some other, tiny instances by the same method: what is
imported, or compiled by numba, is not timed.

The log is a file of JSON lines, one per finished run, that only grows. Whoever asks
for a trial that it holds gets the run of the log: an interrupted script resumes. Move
the file away to begin anew. Every run carries a fingerprint of the package's sources.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any

import atleastk
from atleastk.api import budget_of
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.generalization import Generalization
from atleastk.instances.generators import bin_covering as bins
from atleastk.instances.hierarchies import suppression_of
from atleastk.instances.instance import Instance
from atleastk.instances.interval_covering import IntervalCovering
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.r_gather import RGather
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.instances.suppression import Suppression
from atleastk.models.status import Status, Trust
from atleastk.registry import problem_of
from atleastk.solvers.search import Search
from atleastk.solving import AUTO, solve_within
from scripts.benchmarks.cases import Case

ROOT = Path(__file__).parents[2]
REFUSED = "REFUSED"
"""The method does not take the instance."""
WRONG = "WRONG"
"""A solver was caught in a contradiction."""
FAILED = "FAILED"
"""The process crashed, or did not come back."""

Key = tuple[str, str, int, str, int, int, float, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What came of a trial: one line of a log.

    Attributes
    ----------
    status
        Of the result; or REFUSED, WRONG or FAILED, and then ``error`` says why.
    seconds, cpu_seconds
        Of the call of the solver alone.
    peak_mb
        The most memory that its process has held.
    found_by, proved_by
        The parts of the method that the best cost and the best bound come from.
    credits
        How often each part bettered the cost or the bound, or refuted a level.
    sources
        The fingerprint of the package's sources.
    """

    family: str
    size: str
    seed: int
    method: str
    workers: int
    cores: int
    time_limit: float
    instance_sha256: str
    status: str
    trust: str | None = None
    cost: int | None = None
    bound: int | None = None
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_mb: float = 0.0
    found_by: str | None = None
    proved_by: str | None = None
    credits: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    events: Sequence[Sequence[float | None]] = field(default_factory=list)
    versions: Mapping[str, str] = field(default_factory=dict)
    sources: str = ""
    error: str | None = None

    @property
    def key(self) -> Key:
        """What makes two runs the same trial."""
        return (
            self.family,
            self.size,
            self.seed,
            self.method,
            self.workers,
            self.cores,
            self.time_limit,
            self.instance_sha256,
        )

    @property
    def proven(self) -> bool:
        """Whether the optimum, or infeasibility, was proved within the time limit."""
        closed = self.status in (Status.OPTIMAL, Status.INFEASIBLE)
        return closed and self.seconds <= self.time_limit

    @property
    def gap(self) -> float:
        """(cost - bound) / |cost|; 1 if either is unknown, 0 if none is left open."""
        if self.status in (Status.OPTIMAL, Status.INFEASIBLE):
            return 0.0
        if not self.cost or self.bound is None:
            return 1.0
        return (self.cost - self.bound) / abs(self.cost)

    def __str__(self) -> str:
        found = "" if self.cost is None else f" {self.cost}"
        if self.bound is not None and self.bound != self.cost:
            found += f" (bound {self.bound})"
        return (
            f"{self.family} {self.size} seed={self.seed} {self.method}: "
            f"{self.status}{found}, {self.seconds:.2f} s"
        )


@dataclass(frozen=True, slots=True)
class Trial:
    """A method on an instance under a time limit; the seed is the solver's as well."""

    case: Case
    method: str
    workers: int
    cores: int
    time_limit: float

    @property
    def blank(self) -> Run:
        """A run of which nothing is known yet."""
        return Run(
            family=self.case.family,
            size=self.case.size,
            seed=self.case.seed,
            method=self.method,
            workers=self.workers,
            cores=self.cores,
            time_limit=self.time_limit,
            instance_sha256=self.case.instance.sha256,
            status=FAILED,
        )

    def perform(self) -> Run:
        """Run in a process of its own."""
        asked = {
            "instance": self.case.instance.to_dict(),
            "method": self.method,
            "workers": self.workers,
            "cores": self.cores,
            "time_limit": self.time_limit,
            "seed": self.case.seed,
        }
        patience = 300 + 2 * self.time_limit
        try:
            process = subprocess.run(  # the process is this very file
                [sys.executable, "-m", "scripts.benchmarks.trials"],
                cwd=ROOT,
                input=json.dumps(asked),
                capture_output=True,
                text=True,
                timeout=patience,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return replace(self.blank, error=f"no answer after {patience:.0f} s")
        if process.returncode != 0 or not process.stdout:
            said = process.stderr.strip().splitlines() or ["no message"]
            error = f"exit code {process.returncode}: {said[-1]}"
            return replace(self.blank, error=error)
        return replace(self.blank, **json.loads(process.stdout.splitlines()[-1]))


class Log:
    """A file of runs, one JSON object per line, that only grows.

    Of several runs of one trial the last counts. A last line that was cut short when a
    script was killed is dropped.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.runs: dict[Key, Run] = {}
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            return
        held = path.read_bytes()
        whole = held[: held.rfind(b"\n") + 1]
        if whole != held:
            path.write_bytes(whole)
        for number, line in enumerate(whole.decode().splitlines(), start=1):
            try:
                run = Run(**json.loads(line))
            except (TypeError, ValueError) as error:
                message = f"{path}:{number}: not a run: {error}; move the file away"
                raise SystemExit(message) from error
            self.runs[run.key] = run

    def finished(self, trial: Trial) -> Run | None:
        """Return the run of a trial; None if there is none or its process failed."""
        run = self.runs.get(trial.blank.key)
        return None if run is None or run.status == FAILED else run

    def add(self, run: Run) -> None:
        """Append a run, so that it outlives this process."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(run)) + "\n")
        self.runs[run.key] = run


def run_all(trials: Sequence[Trial], log: Log) -> list[Run]:
    """Run what the log does not hold, one after the other; return all runs in order.

    Every run is held against all others of its instance; ends the script loudly, with
    exit code 1, as soon as two contradict each other.
    """
    missing = sum(log.finished(trial) is None for trial in trials)
    most = sum(trial.time_limit for trial in trials if log.finished(trial) is None)
    print(
        f"{len(trials)} trials, {len(trials) - missing} of them in {log.path}; "
        f"the others take {most / 60:.1f} min at most, and their start-up",
        flush=True,
    )
    refuse_contradictions(log.runs.values())
    runs: list[Run] = []
    for number, trial in enumerate(trials, start=1):
        run = log.finished(trial)
        if run is None:
            run = trial.perform()
            log.add(run)
            trouble = "" if run.error is None else f" ({run.error})"
            print(f"[{number}/{len(trials)}] {run}{trouble}", flush=True)
            refuse_contradictions(log.runs.values())
        runs.append(run)
    return runs


def refuse_contradictions(runs: Iterable[Run]) -> None:
    """End the script with exit code 1 if runs contradict each other."""
    found = contradictions(runs)
    if found:
        raise SystemExit("\n".join(["CONTRADICTION", *found]))


def contradictions(runs: Iterable[Run]) -> list[str]:
    """Say which runs of one instance cannot all be right."""
    of_instance: dict[str, list[Run]] = defaultdict(list)
    for run in runs:
        of_instance[run.instance_sha256].append(run)
    return [line for group in of_instance.values() for line in _contradictions(group)]


def _contradictions(runs: Sequence[Run]) -> Iterator[str]:
    for run in runs:
        if run.status == WRONG:
            yield f"{run}: {run.error}"
    costed = [run for run in runs if run.cost is not None]
    if not costed:
        return
    cheapest = min(costed, key=lambda run: run.cost or 0)
    for run in runs:
        above = run.bound is not None and run.bound > (cheapest.cost or 0)
        if run.status == Status.INFEASIBLE or above:
            yield f"{run}  against  {cheapest}"


def software(runs: Sequence[Run]) -> list[str]:
    """Say what the runs were made with, and complain of a mixture."""
    versions: dict[str, set[str]] = defaultdict(set)
    for run in runs:
        for name, version in run.versions.items():
            versions[name].add(version)
    shown = ", ".join(f"{k} {'/'.join(sorted(v))}" for k, v in sorted(versions.items()))
    sources = sorted({run.sources for run in runs if run.sources})
    lines = [f"Software: {shown}.", f"Sources: {', '.join(sources)}."]
    if len(sources) > 1:
        lines.append("**The runs are of several states of the sources.**")
    return lines


def troubles(runs: Sequence[Run]) -> Iterator[str]:
    """Yield a section of the runs that ended in an error, as lines of Markdown."""
    in_trouble = [f"- {run}: {run.error}" for run in runs if run.error is not None]
    if in_trouble:
        yield from ["", "Runs that ended in an error:", "", *in_trouble]


def summary(runs: Sequence[Run], met: Sequence[bool]) -> str:
    """Say how many targets are met, and which are not."""
    missed = [
        f"{run.family} {run.size} seed={run.seed}"
        for run, held in zip(runs, met, strict=True)
        if not held
    ]
    text = f"{len(runs) - len(missed)} of {len(runs)} targets are met"
    return f"{text}; not met: {'; '.join(missed)}" if missed else text


def fingerprint() -> str:
    """Return a short hash of the sources of the package."""
    root = Path(atleastk.__file__).parent
    digest = hashlib.sha256()
    for part in ("", "instances", "models", "solvers"):
        folder = (root / part).resolve()
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.relative_to(folder).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def serve() -> None:
    """Make the run asked for on standard input, answer on standard output."""
    asked = json.load(sys.stdin)
    method, workers = asked["method"], asked["workers"]
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: asked["cores"]])
    instance = atleastk.from_dict(asked["instance"])
    _warm_up(instance.problem, method, workers)
    answer = _timed(instance, method, asked["time_limit"], workers, asked["seed"])
    answer["peak_mb"] = getrusage(RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps(answer | {"sources": fingerprint()}), flush=True)
    os._exit(0)  # a solver that does not stop would keep the process


_ROWS = [(i * i % 7, i % 5, i % 3, i % 4) for i in range(24)]
_PLACES = [(i * i * 37 % 101, i * 53 % 97) for i in range(30)]

_LADDER = [(i, j) for i in range(20) for j in (i + 1, i + 2) if j < 20]

TINY: Mapping[str, Sequence[Instance]] = {
    "interval-covering": (IntervalCovering([3, 1, 4, 1, 5, 9, 2, 6], 9),),
    "bin-covering": (
        bins.uniform(0, 15, high=10**4),
        bins.uniform(0, 24, high=10**6, k=5 * 10**6),
        bins.three_partition_no(0, 5),
    ),
    "k-anonymity": (
        KAnonymity([(i * i % 7, i % 5, i % 3, i % 4) for i in range(60)], 3),
    ),
    "suppression": (
        Suppression(_ROWS, 3),
        Suppression(_ROWS, 3, minimise="rows", limits={"columns": 1, "per_row": 2}),
        Suppression(_ROWS, 3, minimise="columns", deletion=True),
    ),
    "generalization": tuple(
        Generalization(_ROWS, 3, [suppression_of(range(7))] * 4, on)
        for on in ("entries", "attributes")
    ),
    "k-ambiguity": (KAmbiguity(_ROWS, 3),),
    "connected-partition": (
        ConnectedPartition([i * i % 7 for i in range(20)], _LADDER, 6),
    ),
    "rectangle-tiling": (RectangleTiling([(x, y, 1 + x % 3) for x, y in _PLACES], 6),),
    "rectangle-tiling-grid": (
        RectangleTilingGrid([[i * j % 5 for i in range(6)] for j in range(6)], 5),
    ),
    "r-gather": tuple(
        RGather(points=_PLACES, r=r, max_outliers=outliers)
        for r, outliers in ((2, 0), (3, 0), (5, 2))
    ),
    "cellular-clustering": tuple(
        CellularClustering(points=_PLACES, r=r) for r in (1, 2, 3)
    ),
}
"""What the automatic choice closes in no time, with all that it is made of."""


def _warm_up(problem: str, method: str, workers: int) -> None:
    """Solve tiny instances, the automatic choice without a limit.

    Loops that have to be compiled first are compiled before the clock starts.
    """
    limit = None if method == AUTO else 0.5
    for instance in TINY[problem]:
        atleastk.solve(instance, limit, workers=workers, method=method)


def _timed(
    instance: Instance, method: str, limit: float, workers: int, seed: int
) -> dict[str, Any]:
    """Solve as `atleastk.solve` does; return the fields of the run.

    The search is kept, since a result does not tell which part of it proved what.
    """
    problem = problem_of(instance)
    searches: list[Search[Any]] = []

    def solve(search: Search[Any]) -> None:
        searches.append(search)
        problem.solve(search)

    wall, cpu = time.perf_counter(), time.process_time()

    def spent() -> dict[str, float]:
        seconds, used = time.perf_counter() - wall, time.process_time() - cpu
        return {"seconds": round(seconds, 4), "cpu_seconds": round(used, 4)}

    try:
        outcome = solve_within(
            replace(problem, solve=solve),
            instance,
            budget_of(limit, workers, seed),
            method=method,
        )
    except atleastk.NotApplicableError as error:
        return {"status": REFUSED, "error": str(error)} | spent()
    except atleastk.WrongAnswerError as error:
        return {"status": WRONG, "error": str(error)} | spent()
    seconds, result = spent(), outcome.result
    if result.solution is not None:
        verdict = atleastk.check(instance, result.solution)
        if not verdict.feasible or verdict.cost != result.cost:
            told = f"the checker says {verdict}, the result {result.cost}"
            return {"status": WRONG, "error": told} | seconds
    found_by = None if result.cost is None else method
    proved_by = None if result.bound is None else method
    credits: dict[str, dict[str, int]] = {"cost": {}, "bound": {}, "level": {}}
    if searches:
        found_by, proved_by = searches[0].found_by, searches[0].proved_by
        for (what, source), times in searches[0].credits.items():
            credits[what][source] = times
    if result.trust is Trust.CERTIFIED and result.certificate is not None:
        kind = result.certificate["kind"]
        proved_by = f"{proved_by}; certificate of {kind}"
    return {
        "status": str(result.status),
        "trust": None if result.trust is None else str(result.trust),
        "cost": result.cost,
        "bound": result.bound,
        "found_by": found_by,
        "proved_by": proved_by,
        "credits": credits,
        "events": [[round(e.seconds, 3), e.cost, e.bound] for e in result.events],
        "versions": dict(result.versions),
    } | seconds


if __name__ == "__main__":
    serve()
