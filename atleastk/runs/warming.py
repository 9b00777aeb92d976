"""Warming up: compiling loops ahead, for images and clusters.

A loop is compiled when it is first called. So small instances of every family, and one
of some hundred items, are solved by every method: a new loop needs no entry anywhere.
Loops that only larger instances or rarer options call are compiled by the run that
needs them.

Problems are warmed up in parallel, each in a process of its own, since the compiler
works in one thread of a process. If a process fails, this one takes over.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from typing import Final

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.instance import Instance
from atleastk.runs import api
from atleastk.runs.ask import AUTO, Ask
from atleastk.runs.registry import PROBLEMS, problem_named
from atleastk.runs.solving import solve_within
from atleastk.solvers.budget import Budget, usable_processors
from atleastk.solvers.compiled.compile import loops_compiled
from atleastk.solvers.compiled.rows import FEW

_SECONDS: Final = 2.0
"""The time limit of each run in seconds, without what it compiles."""

_MANY: Final = 3 * FEW
"""Items of an instance that is not small."""


def warm_up(*problems: str) -> int:
    """Compile ahead the loops of solving, approximating and certifying.

    It takes some minutes, once after an installation; machine code is cached beside the
    package, or in the folder that the environment calls ``NUMBA_CACHE_DIR``.

    Parameters
    ----------
    problems
        The names of the problems; all of them by default.

    Returns
    -------
    int
        How many loops were compiled, without those that had been compiled before.
    """
    return sum(loops for _, loops in warm_up_each(problems))


def warm_up_each(problems: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Warm up problems; yield each when it is done, with its number of loops."""
    names = [problem_named(name).name for name in problems or PROBLEMS]
    workers = min(len(names), _processors())
    if workers == 1:
        yield from ((name, _warm_up(name)) for name in names)
        return
    pool, running = ThreadPoolExecutor(workers), list[subprocess.Popen[str]]()
    apart_first = names[::2] + names[1::2]  # neighbours share loops
    begun = {pool.submit(_warm_up_apart, name, running): name for name in apart_first}
    try:
        for ended in as_completed(begun):
            loops = ended.result()
            yield begun[ended], _warm_up(begun[ended]) if loops is None else loops
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in running:
            process.kill()


def _processors() -> int:
    """Return how many processes may work at once; a frozen program can start none."""
    if getattr(sys, "frozen", False):
        return 1
    return usable_processors()


def _warm_up(problem: str) -> int:
    """Warm up a problem in this process."""
    before = loops_compiled()
    known = problem_named(problem)
    for family in known.families:
        _solve(family.make(0, **family.parameters), AUTO)
    family = known.families[0]
    small = family.make(0, **family.parameters)
    for method in known.methods:
        _solve(small, method.name)
    if "n" in family.parameters:
        large = family.make(0, **{**family.parameters, "n": _MANY})
        _solve(large, AUTO)
        for algorithm in known.algorithms:
            with suppress(NotApplicableError):
                api.approximate(large, algorithm.name)
    return loops_compiled() - before


def _warm_up_apart(problem: str, running: list[subprocess.Popen[str]]) -> int | None:
    """Warm up a problem in a child process, which ends with this one; None: failed."""
    with subprocess.Popen(
        [sys.executable, "-m", __name__, problem],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        running.append(process)
        assert process.stdout is not None
        loops = process.stdout.read()
    return None if process.returncode else int(loops)


def _solve(instance: Instance, method: str) -> None:
    """Solve an instance within a moment, if the method takes it."""
    with suppress(NotApplicableError):
        ask = Ask(Budget.checked(_SECONDS), method, certify=True)
        outcome = solve_within(instance, ask)
        if outcome.signalled is not None:
            raise KeyboardInterrupt


def _end_with_parent() -> None:
    """End this process when its standard input is closed."""
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    print(_warm_up(sys.argv[1]))
