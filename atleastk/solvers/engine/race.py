"""Threads side by side: races in which the first answer counts, and joint work.

Every run gets a budget with a ``stop`` of its own. In a race the first answer sets it
and ends the others; joint work goes on until all have ended, or one of them sets it. A
run that fails ends the others, too: its exception is raised at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    FIRST_EXCEPTION,
    ThreadPoolExecutor,
    wait,
)
from contextvars import copy_context
from dataclasses import replace
from typing import TypeVar

from atleastk.models.results.status import Status
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.interrupting import GLANCE

T = TypeVar("T")


def first_answer(
    deciders: Sequence[Callable[[Budget], T]],
    budget: Budget,
    answers: Callable[[T], bool],  # whether what a decider came to is an answer
    share: float = 1.0,
) -> T | None:
    """Return the first answer of a decider; None if there is none.

    As many work at a time as there are workers; those who have others waiting for them
    get a share of the time that is left. The first answer stops all.
    """
    threads = max(1, min(budget.workers, len(deciders)))
    race = replace(budget, workers=budget.workers // threads)
    if threads > 1:
        race = race.apart()

    def run(place: int) -> T:
        waiting = place < len(deciders) - threads
        return deciders[place](race.share(share) if waiting else race)

    if threads == 1:
        return next(filter(answers, map(run, range(len(deciders)))), None)
    with ThreadPoolExecutor(threads) as pool, budget.calling(race.stop.set):
        left = {
            pool.submit(copy_context().run, run, place): place
            for place in range(len(deciders))
        }
        try:
            while left:
                ended, _ = wait(left, return_when=FIRST_COMPLETED)
                for one in sorted(ended, key=left.__getitem__):
                    del left[one]
                    if answers(one.result()):
                        return one.result()
        finally:
            race.stop.set()
    return None


def first_decided(
    deciders: Sequence[Callable[[Budget], Decision[T]]],
    budget: Budget,
    share: float = 1.0,
) -> Decision[T]:
    """Return the first decision that is reached; see `first_answer`."""
    found = first_answer(
        deciders, budget, lambda d: d.status is not Status.UNKNOWN, share
    )
    return Decision.unknown() if found is None else found


def together(
    runs: Sequence[Callable[[Budget], T]],
    budget: Budget,
    over: Callable[[], bool] = lambda: False,
) -> list[T]:
    """Run side by side until all have ended; return what they return.

    Each is given the workers of the whole budget. All are stopped when the budget is
    spent, when one of them sets its ``stop`` or fails, and when it is over.
    """
    race = budget.apart()
    with ThreadPoolExecutor(len(runs)) as pool:
        try:
            started = [pool.submit(copy_context().run, run, race) for run in runs]
            while True:
                ended, running = wait(started, GLANCE, FIRST_EXCEPTION)
                failed = any(run.exception() is not None for run in ended)
                if not running or failed or budget.spent or over():
                    break
        finally:
            race.stop.set()
    for run in ended:
        run.result()
    return [run.result() for run in started]


def beside(
    other: Callable[[Budget], object],
    work: Callable[[Budget], T],
    budget: Budget,
    over: Callable[[], bool] = lambda: False,
) -> T:
    """Work while something else runs beside it, which is stopped when the work ends."""
    found: list[T] = []

    def run(race: Budget) -> None:
        found.append(work(race))
        race.stop.set()

    together([run, other], budget, over)
    return found[0]
