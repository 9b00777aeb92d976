"""Connected partition: simulated annealing under a schedule of windows.

Within a window - a number of parts, each of a weight from `least` to `most` - a
partition is annealed until no part lacks weight or has too much, see
:mod:`atleastk.solvers.connected_partition.annealing`.

The cost is brought down window by window. All numbers p of parts for which W / p is
less than the cost take turns, the lowest first, and of several that would meet the
bound those that counting leaves most room; every other turn is that of the best
solution's number.
Large components are brought down from above before that: parts of a tree, fewer than
there may be, are annealed within windows that close step by step. Where many of these
weigh less than k, or a better partition cannot have as many, a random division begins
instead.

The first attempt asks for a level of W / p, the next ones for a random level up to the
cost: tight windows pull everything together, loose ones are easily met. Also random are
the temperature, and whether an attempt begins where the last one with as many parts
ended. Attempts become longer and longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from atleastk.arrays import IntArray, distinct_places
from atleastk.models.windows import Window, window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.annealing import Annealer
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.tree_parts import even_parts
from atleastk.solvers.connected_partition.trees import divided
from atleastk.solvers.engine.part_counts import LeastLevels

_ROUNDS: Final = 1_000
"""Rounds of the first attempt."""

_GROWTH: Final = 1.15
"""How many times as long every attempt is as the one before."""

_ROOM: Final = (0.0, 0.5, 0.9)
"""Levels to ask for: 0 is the lowest one, 1 the cost; one is drawn per attempt."""

_LARGE: Final = 300
"""Nodes from which on components are brought down from above at first."""

_EASY: Final = (0.03, 0.05, 0.1)
_HARD: Final = (0.02, 0.01, 0.005, 0.0025, 0.0)
"""The shares of the most parts to do without, one after the other: easier and easier
ones until a better partition is found, then harder and harder ones."""

_VAST: Final = ((3_000_000, 0.1), (30_000, 0.05))
"""Shares that come first above so many nodes: less has to be mended. Not tuned."""

_LIGHT: Final = 0.25
"""The share of the parts of a tree that may weigh less than k, unless nodes are very
many. With 0.28 and more of them moves missed the first window on maps of 650 to 2,500
nodes; with 0.23 they did not."""

_MOVES: Final = 30
"""Moves per part within one window, at least."""

_TURNS: Final = 40
"""Windows that a division is annealed within, at most."""

_MISSES: Final = 4
"""Windows in a row that are missed before a division is given up."""

_TIGHTER: Final = 1 / 8
"""The share of the gap to the lowest level by which a window gets tighter."""

_NEARER: Final = 1.5
"""What this share is divided by after a miss."""

_PATIENCE: Final = 2
"""As many more rounds as before a better partition, times this, are tried after it."""


def improve(
    component: Component,  # weighs at least k
    k: int,
    budget: Budget,
    rounds: int,  # the moves to try; more where a better partition was found late
    offer: Callable[[IntArray], object],
    levels: LeastLevels,  # the numbers of parts that are open
    start: IntArray | None = None,
) -> None:
    """Offer partitions into connected parts of at least k: a label for every node.

    Each costs less than all before, and than that to begin with.
    """
    if start is None:
        start = np.zeros(component.n, dtype=np.int64)
        offer(start)
    labels = distinct_places(start)[1]
    parts = 1 + int(labels.max())
    turns = _Turns(component.total, k, levels, component.cost(start), parts)
    known = {parts: labels}
    with budget.flagging() as flag:
        annealer = Annealer(component, np.random.default_rng(budget.seed), flag)
        length, spent = float(_ROUNDS), 0
        if component.n >= _LARGE:
            lowered = _brought_down(annealer, k, turns, rounds, offer)
            if lowered is not None:
                known[turns.parts] = lowered
        while rounds > 0 and not flag[0]:
            asked = turns.next_window(annealer.rng)
            if asked is None:
                return
            now = min(int(length), rounds)
            found = annealer.run(asked, known.get(asked.parts), k, turns.cost, now)
            rounds, spent = rounds - now, spent + now
            length *= _GROWTH
            known[asked.parts] = found.labels
            if found.better is not None:
                turns.cost, turns.parts = component.cost(found.better), asked.parts
                offer(found.better)
                rounds = max(rounds, _PATIENCE * spent)


def _brought_down(
    annealer: Annealer,
    k: int,
    turns: _Turns,
    rounds: int,
    offer: Callable[[IntArray], object],
) -> IntArray | None:
    """Offer what becomes of parts of a tree, or of a random division.

    Return the best of them.
    """
    best: IntArray | None = None
    component = annealer.component
    most = int(turns.levels.parts.max(initial=0))
    vast = tuple(share for nodes, share in _VAST if component.n > nodes)
    fits = True  # what a tree gives
    tried, least = set[int](), int(turns.levels.levels.min(initial=turns.cost))
    for spared in (*vast, *_EASY, *_HARD):
        if annealer.flag[0] or turns.cost <= least:
            break
        wanted = max(2, int(most * (1 - spared)))
        if wanted in tried or (best is not None and spared in _EASY):
            continue
        labels = even_parts(component, wanted)
        parts = 1 + int(labels.max())
        light = (component.masses(labels) < k).sum()
        fits = bool(vast) or (fits and light <= _LIGHT * parts)
        if not fits and spared == _EASY[0]:
            continue  # a random division needs more room at first
        tried.add(wanted)
        if not fits or turns.low(parts) >= turns.cost:
            labels, parts = divided(component, wanted, annealer.rng), wanted
        low = turns.low(parts)
        if low >= turns.cost:
            continue
        length = max(_MOVES * parts, rounds // _TURNS)
        # A lower window has its middle below the mean: more parts will fit better.
        ends = max(low, 2 * component.total // parts - k) if vast else low, turns.cost
        for better in _descent(annealer, k, labels, ends, length):
            offer(better)
            best, turns.parts = better, parts
            turns.cost = component.cost(better)
        fits &= best is not None
    return best


def _descent(
    annealer: Annealer, k: int, labels: IntArray, ends: tuple[int, int], rounds: int
) -> Iterator[IntArray]:
    """Yield better and better divisions, annealed in tighter and tighter windows.

    `ends` are the lowest level and the cost to fall below. The first window is one that
    nearly all parts are within.
    """
    component, (low, cost) = annealer.component, ends
    weight = np.sort(component.masses(labels))
    parts = len(weight)
    level, share, misses = max(low, int(weight[-1 - parts // 100])), _TIGHTER, 0
    reached: int | None = None
    for _ in range(_TURNS):
        asked = window(component.total, k, parts, level)
        if asked is None or annealer.flag[0]:
            return
        found = annealer.run(asked, labels, k, cost, rounds, mild=True)
        labels = found.labels
        if found.better is not None:
            now = component.cost(found.better)
            reached = now if reached is None else min(reached, now)
            if now < cost:
                cost = now
                yield found.better
        misses = misses + 1 if found.violation else 0
        if found.violation:
            share /= _NEARER
        if reached is not None:
            level = min(reached - 1, int(reached - share * (reached - low)))
        if level < low or misses >= _MISSES:
            return


@dataclass
class _Turns:
    """The schedule of windows: numbers of parts in turn, at random levels."""

    total: int
    k: int
    levels: LeastLevels  # the numbers of parts that are open
    cost: int  # of the best partition
    parts: int  # and its parts
    _turn: int = 0
    _tries: IntArray = field(init=False)

    def __post_init__(self) -> None:
        self._tries = np.zeros_like(self.levels.parts)

    def low(self, parts: int) -> int:
        """Return the least open level of a number of parts; the cost if it has none."""
        level = self.levels.level(parts)
        return self.cost if level is None else level

    def next_window(self, rng: np.random.Generator) -> Window | None:
        """Return the window to be tried next; None if no cost below is left."""
        some = int(np.searchsorted(self.levels.levels, self.cost))
        if not some:
            return None
        parts, levels, tries = self.levels.parts[:some], self.levels.levels, self._tries
        self._turn += 1
        best = np.flatnonzero(parts == self.parts)
        if not (self._turn % 2 and len(best) and tries[best[0]]):
            best = self._next(parts)
        place = int(best[0])
        low = int(levels[place])
        room = rng.choice(_ROOM) if tries[place] else 0.0
        tries[place] += 1
        level = low + int(room * (self.cost - 1 - low))
        return window(self.total, self.k, int(parts[place]), level)

    def _next(self, parts: IntArray) -> IntArray:
        """Return the places of numbers: few tries, then low levels, then much room."""
        tries = self._tries[: len(parts)]
        least = np.flatnonzero(tries == tries.min())
        levels = self.levels.levels[least]
        least = least[levels == levels[0]]
        parts = parts[least].astype(np.float64)  # products may leave 64 bits
        room = np.minimum(self.total - parts * self.k, parts * levels[0] - self.total)
        best: IntArray = least[room == room.max()]
        return best
