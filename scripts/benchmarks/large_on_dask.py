"""Generalise a large table on a cluster of Dask that is killed on the way.

    python -m scripts.benchmarks.large_on_dask FOLDER --table ADULT.csv.gz
        [--rows N] [--kills N] [--memory SIZE]

Makes a file of Parquet, anonymises it by DuckDB in one process, and then by a scheduler
with two workers, as users start them, while so many times a worker and the driver are
killed (kill -9), as pieces are counted and as they are written; the driver is begun
again by the same command. Once more from the counts that were kept; and once without
those, and undisturbed.

Prints a table in Markdown: seconds by the clock from the first start to the end,
seconds of CPU time of drivers and workers, and the most memory of a driver and of a
worker. The exit code is 1 if two plans or two published tables, up to the order of
their rows, are not the same.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import duckdb
from pyarrow import parquet

from atleastk.instances.fields.errors import optional
from scripts.benchmarks.large_tables import RULES, resampled, write
from scripts.benchmarks.measured import cpu_of_ended, peak_in

psutil: Any = optional("psutil", "dask", "processes of a cluster of Dask")

_PLAN: Final = ("status", "cost", "bound", "levels", "suppressed", "rows", "distinct")
"""What is the same however a table is counted."""

_TICK: Final = 0.05
"""Seconds between two looks at the files of a run: not tuned."""

_LATER: Final = 0.5
"""Seconds from the end of a worker to that of the driver: not tuned."""

_DRIVER: Final = "driver"
_WORKER: Final = "worker"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--table", type=Path, required=True, metavar="FILE")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--memory", default="2GB")
    chosen = parser.parse_args(arguments)
    folder = chosen.folder
    path, counts = folder / "table", folder / "counts"
    path.mkdir(parents=True, exist_ok=True)
    write(path / "0.parquet", resampled(chosen.rows, chosen.table))
    names = ",".join(parquet.read_schema(path / "0.parquet").names)
    command = [sys.executable, "-m", "atleastk", "anonymize", str(path)]
    command += ["--columns", names, "-k", "10", "--hierarchies", str(RULES), "--json"]
    command += ["--loss", "precision", "--suppress-rows", "0.1%", "--time-limit"]
    command += ["none", "--memory", chosen.memory]
    plans, tables = list[Any](), list[Any]()
    heads = "run", "killed", "counted by", "s", "CPU s", "MB of a driver", "of a worker"
    print(*heads, sep=" | ")
    print("--- | ---: | --- | ---: | ---: | ---: | ---:", flush=True)

    def note(name: str, *engine: str, kills: int = 0) -> None:
        out = folder / "out"
        began, used = time.monotonic(), sum(map(_cpu, pids)) + cpu_of_ended()
        peaks.clear()
        called = [*command, *engine, "-o", str(out)]
        made, killed = _killed(called, counts, out, kills, address)
        seconds = time.monotonic() - began
        cpu = sum(map(_cpu, pids)) + cpu_of_ended() - used
        found = [name, killed, made["counted_by"], f"{seconds:.0f}", f"{cpu:.0f}"]
        print(*found, peaks[_DRIVER], peaks[_WORKER], sep=" | ", flush=True)
        plans.append([made[field] for field in _PLAN])
        tables.append(_classes(out, names))
        shutil.rmtree(out)

    peaks = Counter[str]()
    with (
        _cluster(folder, chosen.memory) as (address, pids),
        _watched(frozenset(pids), peaks),
    ):
        note("one process", "--engine", "duckdb")
        engine = "--engine", f"dask://{address}", "--counts", str(counts)
        note("killed on the way", *engine, kills=chosen.kills)
        note("again, from kept counts", *engine)
        shutil.rmtree(counts)
        note("two workers", *engine)
    shutil.rmtree(counts)
    shutil.rmtree(path)
    print(f"\n{json.dumps(dict(zip(_PLAN, plans[0], strict=True)))}")
    same = all(plan == plans[0] for plan in plans) and all(
        table == tables[0] for table in tables
    )
    return int(not same)


def _classes(out: Path, names: str) -> Sequence[Any]:
    """Return how many classes a published table has, and two sums of their hashes."""
    columns = ", ".join(f'"{name}"' for name in names.split(","))
    classes = f"SELECT {columns}, count(*) FROM '{out}/*.parquet' GROUP BY ALL"
    found = f"SELECT hash(one) AS x FROM ({classes}) AS one"
    query = f"SELECT count(*), sum(x::HUGEINT), bit_xor(x) FROM ({found})"
    return duckdb.connect().execute(query).fetchall()


def _killed(
    command: Sequence[str], counts: Path, out: Path, kills: int, address: str
) -> tuple[dict[str, Any], int]:
    """Run a command to its end; kill a worker and then itself, so many times.

    The first half of the times while pieces are counted, then while they are written,
    each time when there is one piece more.
    """
    killed = 0
    for i in range(kills):
        glob = f".{out.name}.*.partial/part-*" if i >= (kills + 1) // 2 else "*.parquet"
        place = out.parent if i >= (kills + 1) // 2 else counts
        before = len(list(place.glob(glob)))
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        while len(list(place.glob(glob))) == before:
            if process.poll() is not None:
                raise RuntimeError(f"ended before it was killed: {process.returncode}")
            time.sleep(_TICK)
        os.kill(_workers(address)[i % 2], signal.SIGKILL)
        time.sleep(_LATER)
        process.kill()
        process.communicate()
        killed += 2
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found, killed


@contextmanager
def _cluster(folder: Path, memory: str) -> Iterator[tuple[str, Sequence[int]]]:
    """Start a scheduler with two workers; give its address and the ids of all three."""
    dask, known = Path(sys.executable).with_name("dask"), folder / "scheduler.json"
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    where = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    call = [str(dask), "scheduler", *where, "--scheduler-file", str(known)]
    started = [subprocess.Popen(call, **quiet)]
    try:
        while not known.exists() or not known.stat().st_size:
            time.sleep(_TICK)
        address = json.loads(known.read_text())["address"]
        more = ["--nthreads", "1", "--memory-limit", memory, "--no-dashboard"]
        for _ in range(2):
            call = [str(dask), "worker", address, *more]
            started.append(subprocess.Popen(call, cwd=folder, **quiet))
        _workers(address)
        yield address.removeprefix("tcp://"), [one.pid for one in started]
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait()
        known.unlink(missing_ok=True)


def _workers(address: str) -> list[int]:
    """Return the ids of the processes of two workers, once they are there."""
    distributed: Any = optional("distributed", "dask", "clusters of Dask")
    with distributed.Client(address) as client:
        client.wait_for_workers(2)
        return sorted(client.run(os.getpid).values())


@contextmanager
def _watched(workers: Collection[int], peaks: Counter[str]) -> Iterator[None]:
    """Keep the most memory of drivers and of workers, in megabytes."""
    ended = Event()

    def watch() -> None:
        while not ended.wait(_TICK):
            with suppress(OSError, psutil.Error):  # a process is gone
                for child in psutil.Process().children():
                    role = _WORKER if child.pid in workers else _DRIVER
                    for one in (child, *child.children(True)):
                        status = Path(f"/proc/{one.pid}/status").read_text()
                        peaks[role] = max(peaks[role], peak_in(status))

    watching = Thread(target=watch)
    watching.start()
    try:
        yield
    finally:
        ended.set()
        watching.join()


def _cpu(pid: int) -> float:
    """Return the seconds of CPU time of a process and of its children, ended or not."""
    whole = psutil.Process(pid)
    return sum(sum(one.cpu_times()[:4]) for one in (whole, *whole.children(True)))


if __name__ == "__main__":
    sys.exit(main())
