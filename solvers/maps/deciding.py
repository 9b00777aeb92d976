"""Decisions about a window of a component, by whatever method decides first.

Where the sets that fit the window are not too many they are listed: a node in none of
them, branch and bound over linear programs, or the sweep may decide. Where parts are
large, roots in CP-SAT do. With several workers they run side by side. A window that
nothing decides in the time given can be asked for again, with more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from atleastk.instances.errors import NotApplicableError
from atleastk.models.status import Status
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.decision import Decision
from atleastk.solvers.maps.component import Component
from atleastk.solvers.maps.cover import decide_by_cover
from atleastk.solvers.maps.lists import connected_sets
from atleastk.solvers.maps.rooted import decide_by_roots
from atleastk.solvers.maps.sweep import sweep

__all__ = ["decide", "first_decided"]

Parts = Decision[list[list[int]]]
Decider = tuple[str, Callable[[Budget], Parts]]

_MOST_SETS: Final = 3_000_000
_BYTES_OF_A_SET: Final = 400
"""In a list, with what the methods make of it."""

_SHARE_OF_LISTS: Final = 0.3
"""Of the time of a decision."""


def decide(
    component: Component,
    window: Window,
    budget: Budget,
    indivisible: int | None = None,
) -> tuple[Parts, str]:
    """Decide about a window, and tell by which method.

    Parameters
    ----------
    indivisible
        No part splits into two that weigh so much each, since a part more is known to
        be impossible; None if that is not known.
    """
    by_roots: Decider = "roots", partial(_by_roots, component, window)
    sets = connected_sets(
        component,
        window.least,
        window.most,
        budget.slice(_SHARE_OF_LISTS * budget.remaining),
        int(min(_MOST_SETS, budget.memory / _BYTES_OF_A_SET)),
        parts=window.parts,
        split=indivisible,
    )
    if sets is None:
        return first_decided([by_roots], budget)
    covered = np.zeros(component.n, dtype=np.bool_)
    covered[sets.items] = True
    if not covered.all():
        return Decision.impossible(), "lists"
    by_cover: Decider = "cover", partial(decide_by_cover, component, window, sets)
    by_sweep: Decider = "sweep", partial(sweep, component, window, sets)
    return first_decided([by_cover, by_sweep, by_roots], budget)


def first_decided(deciders: Sequence[Decider], budget: Budget) -> tuple[Parts, str]:
    """Return the first answer that is not unknown, and whose it is.

    As many at a time as there are workers, who share the time that is left, and the
    first answer stops the others.
    """
    threads = min(budget.workers, len(deciders))
    race = replace(budget, workers=budget.workers // threads)
    if threads > 1:
        race = race.apart()

    def run(place: int) -> Parts:
        share = min(1.0, threads / (len(deciders) - place))
        return deciders[place][1](race.slice(share * race.remaining))

    if threads == 1:
        for place, (name, _) in enumerate(deciders):
            found = run(place)
            if found.status is not Status.UNKNOWN:
                return found, name
        return Decision.unknown(), ""
    with ThreadPoolExecutor(threads) as pool, budget.calling(race.stop.set):
        runs = {pool.submit(run, i): i for i in range(len(deciders))}
        try:
            found, first = _first(runs)
        finally:
            race.stop.set()
    return found, "" if first is None else deciders[first][0]


def _first(runs: dict[Future[Parts], int]) -> tuple[Parts, int | None]:
    left = set(runs)
    while left:
        ended, left = wait(left, return_when=FIRST_COMPLETED)
        for run in sorted(ended, key=lambda run: runs[run]):
            if run.result().status is not Status.UNKNOWN:
                return run.result(), runs[run]
    return Decision.unknown(), None


def _by_roots(component: Component, window: Window, budget: Budget) -> Parts:
    """Decide by roots; a map that is too heavy for that stays open."""
    try:
        return decide_by_roots(component, window, budget)
    except NotApplicableError:
        return Decision.unknown()
