"""One study on local processes, Dask and SLURM, killed on the way: the same results.

What a run costs there is told, too: with short runs and no kills that is how they are
handed over and kept.

    python -m scripts.studies.everywhere [--spec FILE] [--instances N] [--kills N]
        [--places processes dask slurm] [--out DIR]

In every place the study has two workers. As it goes on its driver and a worker are
killed (kill -9) in turn, so often each, and the driver is started again by the same
command. Told are

- *ms a run*: on the clock, from the first runs that are seen to be done to the last,
  and in the run itself;
- *lost*: runs that are not done at the end;
- *twice*: runs that were done when something was killed, and were performed again:
  their seconds are others;
- *other*: runs whose results are not those of the first place.

The databases stay in DIR, where a study goes on that has begun; those of places that
are not asked for are compared as they are. SLURM is one that runs here. Prints a table;
the exit code is 1 unless all three are 0.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any, Final

from atleastk import Study, StudyResults
from atleastk.instances.fields.errors import AtleastkError, optional
from atleastk.research.studies.store import DONE, Store
from atleastk.research.tables.markdown import markdown_table
from atleastk.runs.pools import LOCAL

WORKERS: Final = 2
"""Of every place."""

_SPEC: Final = Path(__file__).with_name("connected_partition.toml")
_WHICH: Final = ("instance", "kind", "name", "seed")
"""What tells runs apart; their keys depend on versions, too."""

_LASTING: Final = ("state", "status", "cost", "bound", "error")
"""What is the same wherever a run is performed; the trust of `auto` takes seconds."""

_PATIENT: Final = {"distributed.deploy.lost-worker-timeout": "10 minutes"}
"""A worker that is killed is started again, however busy the machine is."""

_GLANCE: Final = 0.5
"""Seconds between two looks at a study: not tuned."""

Pids = Callable[[int], Sequence[int]]
"""From the process of a driver to those of its workers."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--spec", type=Path, default=_SPEC)
    add("--instances", type=int, help="the first of the study (default: all)")
    add("--kills", type=int, default=3, help="of the driver, and as many of workers")
    add("--places", nargs="+", choices=_PLACES, default=list(_PLACES))
    add("--out", type=Path, help="a folder (default: a new one)")
    chosen = parser.parse_args(arguments)
    out = chosen.out or Path(mkdtemp())
    out.mkdir(parents=True, exist_ok=True)
    spec = written(Study.load(chosen.spec), chosen.instances, out)
    rows: dict[str, Sequence[object]] = {}
    for name in chosen.places:
        with place(name) as (executor, pids):
            rows[name] = killed(spec, out / f"{name}.db", executor, pids, chosen.kills)
    held = {name: out / f"{name}.db" for name in _PLACES}
    found = {n: StudyResults.load(path) for n, path in held.items() if path.exists()}
    first, faults = next(iter(found.values())), 0
    table = []
    for name, results in found.items():
        lost = len(results.rows) - results.states.get(DONE, 0)
        other = differing(first, results)
        *counts, twice = rows.get(name, ("", "", "", "", 0))
        faults += lost + other + int(str(twice))
        inside = 1e3 * sum(row["seconds"] or 0 for row in results.rows)
        told = len(results.rows), *counts, f"{inside / len(results.rows):.2f}"
        table.append([name, *told, lost, twice, other])
    print("\n".join(markdown_table(_HEADS, table)))
    print(f"\n{out}")
    return int(faults > 0)


def written(study: Study, most: int | None, out: Path) -> Path:
    with (out / "instances.jsonl").open("w", encoding="utf-8") as file:
        for instance in islice(study.drawn(), most):
            file.write(json.dumps(instance.to_dict()) + "\n")
    spec = out / "study.toml"
    fields = {"problem": study.problem, "seeds": list(study.seeds)}
    lines = [f"{name} = {json.dumps(value)}" for name, value in fields.items()]
    text = "\n".join([*lines, "[[instances]]", 'files = "instances.jsonl"', ""])
    spec.write_text(text, encoding="utf-8")
    return spec


@contextmanager
def local_cluster() -> Iterator[Any]:
    distributed: Any = optional("distributed", "dask", "clusters of Dask")
    local = {"threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(n_workers=WORKERS, **local) as cluster:
        yield cluster


@contextmanager
def slurm_cluster() -> Iterator[Any]:
    """Open a cluster of Dask whose workers are jobs of the SLURM that runs here."""
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
        with opened as cluster:
            cluster.scale(jobs=WORKERS)
            yield cluster


_CLUSTERS: Final = {"dask": local_cluster, "slurm": slurm_cluster}
_PLACES: Final = (LOCAL, *_CLUSTERS)
_HEADS: Final = (
    *("place", "runs>", "s>", "drivers>", "workers>", "ms a run, on the clock>"),
    *("ms in it>", "lost>", "twice>", "other>"),
)


@contextmanager
def place(name: str) -> Iterator[tuple[str, Pids]]:
    """Yield what an executor is called, and what tells the processes of its workers."""
    if name == LOCAL:
        yield name, _children
        return
    dask: Any = optional("dask", "dask", "clusters of Dask")
    distributed: Any = optional("distributed", "dask", "clusters of Dask")
    with (
        dask.config.set(_PATIENT),
        _CLUSTERS[name]() as cluster,
        distributed.Client(cluster) as client,
    ):
        client.wait_for_workers(WORKERS)
        address = cluster.scheduler_address.removeprefix("tcp://")
        yield f"dask://{address}", lambda _: list(client.run(os.getpid).values())


def _children(driver: int) -> Sequence[int]:
    """Return the processes that a pool has started."""
    children = Path(f"/proc/{driver}/task/{driver}/children").read_text(
        encoding="utf-8"
    )
    return [
        int(pid)
        for pid in children.split()
        if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


def killed(
    spec: Path, path: Path, executor: str, pids: Pids, kills: int
) -> Sequence[object]:
    """Perform a study in spite of all; tell seconds, kills, costs, what ran twice."""
    command = [sys.executable, "-m", "atleastk", "study", str(spec), "-o", str(path)]
    command += ["--executor", executor, "--workers", str(WORKERS)]
    begun = time.monotonic()
    done: dict[str, float] = {}
    counts = {"driver": 0, "worker": 0}
    first: tuple[float, int] | None = None
    driver = _started(command)
    while driver.poll() is None:
        time.sleep(_GLANCE)
        so_far, (ended, planned) = sum(counts.values()), _so_far(path)
        first = first or ((time.monotonic(), ended) if ended else None)
        if so_far == 2 * kills or ended * (2 * kills + 1) < planned * (so_far + 1):
            continue
        victim = "worker" if so_far % 2 else "driver"
        victims = pids(driver.pid) if victim == "worker" else [driver.pid]
        if not victims:
            continue
        os.kill(victims[0], signal.SIGKILL)
        counts[victim] += 1
        if victim == "driver":
            driver.wait()
        done |= {key: s for key, s in _done(path).items() if key not in done}
        if victim == "driver":
            driver = _started(command)
    if driver.returncode:
        raise AtleastkError(
            f"{path}: the driver ended with exit code {driver.returncode}"
        )
    after, now = _done(path), time.monotonic()
    twice = sum(after.get(key) != seconds for key, seconds in done.items())
    since, before = first or (begun, 0)
    each = 1e3 * (now - since) / max(1, len(after) - before)
    return [f"{now - begun:.0f}", *counts.values(), f"{each:.2f}", twice]


def _started(command: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def _so_far(path: Path) -> tuple[int, int]:
    """Return how many runs of a study are done, and how many there are."""
    try:
        with Store.reading(path) as store:
            states = store.states()
    except AtleastkError:  # not planned yet
        return 0, 1
    return states.get(DONE, 0), sum(states.values())


def _done(path: Path) -> Mapping[str, float]:
    rows = StudyResults.load(path).rows
    return {row["key"]: row["seconds"] for row in rows if row["state"] == DONE}


def differing(one: StudyResults, other: StudyResults) -> int:
    """Count the runs that did not give the same in two places."""
    before, after = (
        {
            tuple(row[name] for name in _WHICH): [row[name] for name in _LASTING]
            for row in results.rows
        }
        for results in (one, other)
    )
    return sum(before.get(key) != after.get(key) for key in {**before, **after})


if __name__ == "__main__":
    sys.exit(main())
