"""Decisions about a window of a component, by the first of several methods.

Where the sets that fit the window are not too many they are listed: then a node in none
of them, weights of a linear program, or the sweep (dynamic programming) may decide.
Those that leave a node beside them without a set are dropped before. Where parts are
large, halving finds parts of almost equal weights; all cuts of a small map (meeting in
the middle) and backtracking (carving) run out of them. These come first on the smallest
maps, since halving never sees that there are none. With several workers they run side
by side. A window that stays undecided can be asked for again, with more time.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.carving import decide_by_carving
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.connected_sets import connected_sets
from atleastk.solvers.connected_partition.cover_lp import CoverLp
from atleastk.solvers.connected_partition.halving import decide_by_halving
from atleastk.solvers.connected_partition.meeting import decide_by_meeting
from atleastk.solvers.connected_partition.support import supported
from atleastk.solvers.connected_partition.sweep import sweep
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.engine.race import first_decided

Answer = Decision[list[list[int]]]
"""Parts within the window, or that there are none; and by which method."""

_MOST_SETS: Final = 3_000_000
"""Sets in a list, at most: they take about a gigabyte."""

_BYTES_OF_A_SET: Final = 400
"""Bytes of a set in a list, with what the methods make of it, about."""

_NODES_OF_LARGE_PARTS: Final = 7
"""Nodes from which on sets are mostly too many to be listed."""

_REFUTED: Final = 600
"""Nodes times nodes a part below which others come before halving: carving refuted 18
of 20 windows of almost no room in less than 2 s, 0 of 6 above."""

_PAIRS: Final = 4
"""Parts that all cuts decide about soon. Of two and three, halving finds sooner."""

_OF_CUTS: Final = 0.9
"""The share of the time for these cuts, which decide nothing before they are all."""

_OF_OTHERS: Final = 0.6
"""The share of the time left for any other method; not tuned."""

_OFTEN_REFUTED: Final = 4
"""Parts up to which halving leaves half of its time to what may refute them."""


def are_large(parts: int, component: Component) -> bool:
    """Return whether so many parts have too many connected sets to be listed."""
    return component.n >= _NODES_OF_LARGE_PARTS * parts


def decide(
    component: Component,
    window: Window,
    budget: Budget,
    indivisible: int | None = None,
) -> Answer:
    """Decide about a window by the first of several methods.

    If a part more is known to be impossible, a part is `indivisible` into two that
    weigh so much each.
    """
    large = are_large(window.parts, component)
    lists = partial(by_lists, component, window, indivisible)

    def meeting(budget: Budget) -> Answer:
        return decide_by_meeting(component, window, budget).credited("meeting")

    def halving(budget: Budget) -> Answer:
        part = budget.share(0.5 if window.parts <= _OFTEN_REFUTED else 1.0)
        return decide_by_halving(component, window, part).credited("halving")

    def carving(budget: Budget) -> Answer:
        part = budget.share(1.0 if large else 0.05)
        return decide_by_carving(component, window, part).credited("carving")

    finders = [halving, meeting, carving] if large else [carving]
    share = _OF_OTHERS
    if component.n**2 < _REFUTED * window.parts:
        finders = [*finders[1:], *finders[:1]]
    elif large and window.parts == _PAIRS:
        finders, share = [meeting, halving, carving], _OF_CUTS
    return first_decided([*finders, lists], budget, share)


def by_lists(
    component: Component, window: Window, indivisible: int | None, budget: Budget
) -> Answer:
    """Decide by a list of all sets that fit."""
    splits = indivisible is not None and window.most >= 2 * indivisible
    sets = connected_sets(
        component,
        window.least,
        window.most,
        budget,
        int(min(_MOST_SETS, budget.memory / _BYTES_OF_A_SET)),
        parts=window.parts,
        split=indivisible if splits else None,
    )
    if sets is None:
        return Decision.unknown()
    with budget.flagging() as flag:
        left = supported(component, sets, flag)
    if not len(left):
        return Decision.impossible().credited("lists")
    part = budget.share(0.5)
    relaxed = CoverLp(component.n, left, window.parts, budget.seed).solve(part)
    if relaxed is not None and relaxed.refuted is not None:
        return Decision.impossible().credited("weights")
    return sweep(component, window, left, budget).credited("sweep")
