"""Measured: what the scripts that time the automatic choice of methods share.

Runs are lines of a file, and an interrupted script goes on with its file; move it away
to begin anew.
"""

from __future__ import annotations

import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

import atleastk
from atleastk import Instance
from atleastk.research.studies.runs_table import software_line
from atleastk.runs.versions import versions_installed

SHARE: Final = 0.05
Answer = TypeVar("Answer")
OUT = Path(__file__).parents[2] / "docs/benchmarks"

_CHILD: Final = r"""
import os, sys, time
from atleastk.solvers.clock import CLOCK
by_cpu = sys.argv.pop(1) == "cpu"
if by_cpu:
    CLOCK.source = time.process_time
from atleastk.cli.main import main
def taken():
    return time.process_time() - by_cpu * CLOCK.stood
class Stamped:
    def __init__(self, stream):
        self.stream = stream
    def write(self, text):
        return self.stream.write(f"@{taken():.3f} {text}" if text.strip() else text)
    def __getattr__(self, name):
        return getattr(self.stream, name)
def leave(code):
    with open("/proc/self/status") as status:
        print(code, taken(), *status.read().split(), file=sys.__stderr__, flush=True)
    end(code)
end, os._exit = os._exit, leave
sys.stderr = Stamped(sys.stderr)
leave(main(sys.argv[1:]) or 0)
"""
"""Runs a command on a clock of CPU time and says when it prints what; tells its code,
seconds and status last. ``ru_maxrss`` counts what a parent had as well."""


class Limited:
    """A run with a time limit, which may be missed by `SHARE` of it and a reserve."""

    RESERVE: ClassVar[float]

    limit: float
    seconds: float

    @property
    def over(self) -> float:
        """The seconds beyond the limit; 0 for a run that ended in time."""
        return max(0.0, self.seconds - self.limit)

    @property
    def held(self) -> bool:
        """Whether the limit counts as kept."""
        return self.over <= self.RESERVE + SHARE * self.limit


Run = Mapping[str, Any]
"""What was asked, and what came of it: a line of a file."""


def kept(path: Path) -> list[Run]:
    """Return the runs of a file of JSON lines, which is made if there is none."""
    path.touch()
    return [*map(json.loads, path.read_text().splitlines())]


def carry_on(
    path: Path, runs: list[Run], asked: Iterable[tuple[Run, Callable[[], Run | None]]]
) -> None:
    """Make the runs that are asked for and not there, and write each as it ends.

    One that comes to None, because a rival does not take the instance, is left out.
    """
    for key, make in asked:
        if any(key.items() <= run.items() for run in runs):
            continue
        ends = make()
        if ends is not None:
            runs.append({**key, **ends})
            keep(path, runs[-1])


def keep(path: Path, run: Run) -> None:
    """Append a run to a file."""
    with path.open("a") as file:
        print(json.dumps(run), file=file)


def solved(
    instance: Instance, seconds: float, workers: int, **options: Any
) -> dict[str, Any]:
    """Return the ends of a run of the automatic choice, and when it had an answer."""
    result = atleastk.solve(instance, seconds, workers=workers, **options)
    first = next((e.seconds for e in result.events if e.cost is not None), None)
    ends = {"status": result.status.name, "cost": result.cost, "bound": result.bound}
    return {**ends, "first": first}


def answered(
    seconds: float, work: Callable[[], Answer], cpu_time: float = math.inf
) -> Answer | None:
    """Return what work gives in a process of its own, which then is killed.

    None if it fails, or gives nothing in so many seconds, or of so much CPU time.
    """
    apart = get_context("fork")
    here, there = apart.Pipe(duplex=False)
    process = apart.Process(target=_send, args=(there, work, cpu_time))
    process.start()
    there.close()  # or the end of a process that fails is not seen here
    try:
        answer: Answer | None = here.recv() if here.poll(seconds) else None
    except EOFError:
        answer = None
    process.kill()
    process.join()
    return answer


def _send(pipe: Connection, work: Callable[[], object], cpu_time: float) -> None:
    if cpu_time < math.inf:
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(cpu_time),) * 2)
    pipe.send(work())


def judged(instance: Instance, groups: Any) -> int | None:
    """Return what the checker says that a solution costs; None if it is none."""
    verdict = atleastk.check(instance, groups)
    return verdict.cost if verdict.feasible else None


class Ended(NamedTuple):
    """A command that has ended.

    Attributes
    ----------
    seconds, megabytes
        Of CPU time of its process, and the most memory of that.
    out, told
        What it printed, and the lines that it said beside, with the times of these.
    """

    code: int
    seconds: float
    megabytes: int
    out: str
    told: Sequence[str]


def ended(words: Sequence[str], clock: str = "cpu") -> Ended:
    """Run a command of `atleastk` on a clock of CPU time, or ``"wall"`` as users do."""
    call = [sys.executable, "-c", _CHILD, clock, *words]
    made = subprocess.run(call, capture_output=True, text=True, check=False)
    *told, last = made.stderr.splitlines()
    code, seconds, status = last.split(maxsplit=2)
    return Ended(int(code), float(seconds), peak_in(status), made.stdout, told)


def peak_in(status: str) -> int:
    """Return the most memory that a process has had by its status, in megabytes."""
    *_, after = status.partition("VmHWM:")
    return int(after.split()[0]) >> 10 if after else 0


def cpu_of_ended() -> float:
    """Return the CPU time of all processes that this one began, and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds_of_process(workers: float) -> float:
    """Return the CPU time of this process, a share of it for each worker.

    Workers of half a core count half.
    """
    return time.process_time() / workers


def software() -> str:
    return software_line(versions_installed())
