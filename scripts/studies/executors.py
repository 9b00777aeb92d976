"""One small study on several executors: the same results, and what a run costs.

    python -m scripts.studies.executors [--instances N] [--slurm] [--out FILE]

Runs of interval covering of six sizes take about a millisecond, so that what is
measured is how they are handed over and kept: two local processes, a cluster of Dask
with two workers on this machine, and with ``--slurm`` two jobs of a SLURM that runs
here (dask-jobqueue). A driver that is alone on an idle machine has the least; the load
is told.

Writes a table of Markdown to standard output, or FILE. The exit code is 1 if results
differ in anything but seconds.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from atleastk import Study, StudyResults, conduct
from atleastk.instances.fields.errors import optional
from atleastk.research.studies.driver import Progress
from atleastk.research.tables.markdown import markdown_table

WORKERS: Final = 2
"""Of every executor."""

_LASTING: Final = ("key", "state", "status", "trust", "cost", "bound", "error")
"""What is the same wherever a run is performed."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--instances", type=int, default=500)
    parser.add_argument("--slurm", action="store_true", help="one that runs here")
    parser.add_argument("--out", type=Path, help="a file for the table")
    chosen = parser.parse_args(arguments)
    study = Study(
        problem="interval-covering",
        instances=[{"family": "uniform", "seeds": chosen.instances, "n": 6}],
        methods=["dynamic-program"],
    )
    rows, results = [], []
    for name, executor in executors(chosen.slurm):
        row, found = measured(study, executor)
        rows.append([name, *row])
        results.append([[each[k] for k in _LASTING] for each in found.rows])
    heads = ("executor", "runs>", "ms a run, on the clock>", "ms in it>", "load>")
    table = "\n".join(markdown_table(heads, rows)) + "\n"
    if chosen.out is None:
        print(table, end="")
    else:
        chosen.out.write_text(table, encoding="utf-8")
    return int(any(each != results[0] for each in results))


def executors(slurm: bool) -> Iterator[tuple[str, str | Executor]]:
    yield "local processes", "processes"
    clusters = {"Dask": local_cluster} | (
        {"Dask on SLURM": slurm_cluster} if slurm else {}
    )
    for name, cluster in clusters.items():
        with cluster() as opened:
            yield name, f"dask://{opened.scheduler_address.removeprefix('tcp://')}"


@contextmanager
def local_cluster() -> Iterator[Any]:
    distributed: Any = optional("distributed", "dask", "clusters of Dask")
    local = {"threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(n_workers=WORKERS, **local) as cluster:
        yield cluster


@contextmanager
def slurm_cluster() -> Iterator[Any]:
    """Open a cluster of Dask whose workers are jobs of the SLURM that runs here."""
    distributed: Any = optional("distributed", "dask", "clusters of Dask")
    jobqueue: Any = optional("dask_jobqueue", "dask", "jobs of SLURM")
    with TemporaryDirectory() as folder:
        opened = jobqueue.SLURMCluster(
            cores=1,
            processes=1,
            memory="700MB",
            walltime="02:00:00",
            job_directives_skip=["--mem="],
            interface="lo",
            log_directory=folder,
            python=sys.executable,
            scheduler_options={"dashboard_address": ":0"},
        )
        with opened as cluster, distributed.Client(cluster) as client:
            cluster.scale(jobs=WORKERS)
            client.wait_for_workers(WORKERS)
            yield cluster


def measured(
    study: Study, executor: str | Executor
) -> tuple[Sequence[object], StudyResults]:
    """Return what a run costs, from the first that ended to the last."""
    seen: list[tuple[float, int]] = []

    def note(progress: Progress) -> None:
        if progress.fresh:
            seen.append((time.monotonic(), progress.fresh))

    with TemporaryDirectory() as folder:
        path = Path(folder) / "study.db"
        found = conduct(
            study, path, executor=executor, workers=WORKERS, on_progress=note
        )
    (first, before), (last, after) = seen[0], seen[-1]
    each = 1e3 * (last - first) / max(1, after - before)
    inside = 1e3 * sum(row["seconds"] for row in found.rows) / len(found.rows)
    load = f"{os.getloadavg()[0]:.0f}"
    return [len(found.rows), f"{each:.2f}", f"{inside:.2f}", load], found


if __name__ == "__main__":
    sys.exit(main())
