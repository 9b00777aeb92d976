"""Races between deciders: the first answer counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import TypeVar

from atleastk.models.status import Status
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.decision import Decision

__all__ = ["first_answer", "first_decided"]

T = TypeVar("T")


def first_answer(
    deciders: Sequence[Callable[[Budget], T]],
    budget: Budget,
    answers: Callable[[T], bool],
    share: float = 1.0,
) -> T | None:
    """Return the first answer of a decider; None if there is none.

    As many work at a time as there are workers; those who have others waiting for them
    get a share of the time that is left. The first answer stops all.

    Parameters
    ----------
    answers
        Tells whether what a decider came to is an answer.
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
        left = {pool.submit(run, place): place for place in range(len(deciders))}
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
    deciders: Sequence[Callable[[Budget], Decision[T]]], budget: Budget
) -> Decision[T]:
    """Return the first decision that is reached; see `first_answer`."""
    found = first_answer(deciders, budget, lambda d: d.status is not Status.UNKNOWN)
    return Decision.unknown() if found is None else found
