"""Connected partition: simulated annealing under a schedule of windows.

Within a window - a number of parts, each of a weight from `least` to `most` - a
partition is annealed until no part lacks weight or has too much, see
:mod:`atleastk.solvers.connected_partition.annealing`.

The cost is brought down window by window. All numbers p of parts for which W / p is
less than the cost take turns, the lowest first, and of several that would meet the
bound those that counting leaves most room; every other turn is that of the best
solution's number.
Large components are brought down from above before that: a random division into fewer
parts than there may be is annealed within windows that close step by step, with more
and more parts as long as all of them reach k.

The first attempt asks for a level of W / p, the next ones for a random level up to the
cost: tight windows pull everything together, loose ones are easily met. Also random are
the temperature, and whether an attempt begins where the last one with as many parts
ended. Attempts become longer and longer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.models.windows import Window, window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.annealing import Annealed, annealed
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.trees import divided

_ROUNDS: Final = 1_000
"""Rounds of the first attempt."""

_GROWTH: Final = 1.15
"""How many times as long every attempt is as the one before."""

_HOT: Final = (0.3, 0.1, 0.1, 0.03)
"""Temperatures to begin with, in mean weights of nodes; one is drawn per attempt."""

_COLD: Final = (0.1, 0.03, 0.001)
"""Temperatures to end with, as shares of the first one; one is drawn per attempt."""

_ROOM: Final = (0.0, 0.5, 0.9)
"""Levels to ask for: 0 is the lowest one, 1 the cost; one is drawn per attempt."""

_LARGE: Final = 300
"""Nodes from which on components are brought down from above at first."""

_SPARED: Final = (0.05, 0.02, 0.01, 0.1, 0.005, 0.0025, 0.0)
"""The shares of the most parts to do without, one after the other."""

_MILD: Final = 0.1
"""The temperature while components are brought down, in mean weights of nodes."""

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

_FRESH: Final = 0.3
"""How often an attempt begins with another partition, as a probability."""


def improve(
    component: Component,
    k: int,
    budget: Budget,
    rounds: int,
    offer: Callable[[IntArray], object],
    lowest: int,
    start: IntArray | None = None,
    open_at: Callable[[int], int | None] | None = None,
) -> None:
    """Offer better and better partitions into connected parts of at least k.

    Parameters
    ----------
    component
        Weighs at least k.
    rounds
        The most moves to try.
    offer
        Takes every partition that costs less than all before, a label for every node.
    lowest
        A lower bound of the cost; work ends when it is met.
    start
        A partition to begin with; what costs as much is not offered.
    open_at
        The least level that is open for a number of parts, None for none; by counting
        unless given.
    """
    if start is None:
        start = np.zeros(component.n, dtype=np.int64)
        offer(start)
    turns = _Turns(component, k, lowest, _cost(component, start), open_at)
    annealer = Annealer(component, np.random.default_rng(budget.seed))
    known: dict[int, IntArray] = {}
    turns.parts = len(np.unique(start))
    with budget.flagging() as flag:
        annealer.flag = flag
        length = float(_ROUNDS)
        labels = _numbered(start, turns.parts)
        if labels is not None:
            known[turns.parts] = labels
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
            rounds -= now
            length *= _GROWTH
            known[asked.parts] = found.labels
            if found.better is not None:
                turns.cost, turns.parts = _cost(component, found.better), asked.parts
                offer(found.better)


def _brought_down(
    annealer: Annealer,
    k: int,
    turns: _Turns,
    rounds: int,
    offer: Callable[[IntArray], object],
) -> IntArray | None:
    """Offer the best divisions into fewer and fewer parts less than there may be."""
    best: IntArray | None = None
    tried: set[int] = set()
    for spared in _SPARED:
        parts = max(2, int(turns.most * (1 - spared)))
        low = turns.lowest(parts)
        if parts in tried or parts > turns.most or low >= turns.cost:
            continue
        tried.add(parts)
        length = max(_MOVES * parts, rounds // _TURNS)
        descent = _Descent(annealer, k, parts, low, turns.cost)
        going = True
        while going:
            descent.take_turn(length)
            going = not annealer.stopped and descent.goes_on()
            if descent.cost < turns.cost and (descent.is_due() or not going):
                turns.cost, turns.parts, best = descent.cost, parts, descent.best
                offer(best)
        if annealer.stopped or turns.cost <= turns.lowest(turns.most):
            break
    return best


class _Descent:
    """A division into some parts that is annealed within tighter and tighter windows.

    Attributes
    ----------
    cost, best
        Of the best partition, once it costs less than what was known.
    """

    def __init__(
        self, annealer: Annealer, k: int, parts: int, low: int, cost: int
    ) -> None:
        self.cost = cost
        self._annealer, self._k, self._parts, self._low = annealer, k, parts, low
        self.best = self._labels = divided(annealer.component, parts, annealer.rng)
        self._level = max(low, _cost(annealer.component, self._labels))
        self._reached: int | None = None
        self._share, self._turns, self._misses, self._better = _TIGHTER, 0, 0, 0

    def goes_on(self) -> bool:
        """Return whether a level is left, and not too many windows were missed."""
        hopeless = self._misses >= _MISSES
        return self._turns < _TURNS and self._level >= self._low and not hopeless

    def is_due(self) -> bool:
        """Count a better partition; return whether to offer it: the 1st, 2nd, 4th .."""
        self._better += 1
        return self._better & (self._better - 1) == 0

    def take_turn(self, rounds: int) -> None:
        """Anneal within a window, and ask for a lower level, or for a nearer one."""
        component = self._annealer.component
        self._turns += 1
        asked = window(component.total, self._k, self._parts, self._level)
        if asked is None:
            self._level = self._low - 1
            return
        found = self._annealer.cooled(asked, self._labels, self._k, self.cost, rounds)
        self._labels = found.labels
        if found.better is not None:
            reached = _cost(component, found.better)
            if self._reached is None or reached < self._reached:
                self._reached = reached
            if reached < self.cost:
                self.cost, self.best = reached, found.better
        if found.violation == 0:
            self._misses = 0
        else:
            self._misses += 1
            self._share /= _NEARER
        if self._reached is not None:
            gap = self._reached - self._low
            self._level = min(self._reached - 1, int(self._reached - self._share * gap))


@dataclass
class Annealer:
    """Anneal partitions of a component."""

    component: Component
    rng: np.random.Generator
    flag: ByteArray | None = None

    @property
    def stopped(self) -> bool:
        """Whether the time is up."""
        return self.flag is not None and bool(self.flag[0])

    def cooled(
        self, wanted: Window, start: IntArray, k: int, cost: int, rounds: int
    ) -> Annealed:
        """Anneal from a partition, at a low temperature."""
        assert self.flag is not None
        hot = max(0.3, _MILD * self.component.total / self.component.n)
        heat = hot, max(0.1, hot * _COLD[1])
        return annealed(
            self.component, wanted, start, k, cost, heat, rounds, self.rng, self.flag
        )

    def run(
        self, wanted: Window, start: IntArray | None, k: int, cost: int, rounds: int
    ) -> Annealed:
        """Anneal from a partition or a new one, at random temperatures."""
        component, flag = self.component, self.flag
        assert flag is not None
        if start is None or self.rng.random() < _FRESH:
            start = divided(component, wanted.parts, self.rng)
        mean = component.total / component.n
        hot = max(0.3, mean * self.rng.choice(_HOT))
        heat = hot, max(0.1, hot * self.rng.choice(_COLD))
        return annealed(component, wanted, start, k, cost, heat, rounds, self.rng, flag)


class _Turns:
    """The schedule of windows: numbers of parts in turn, at random levels.

    Attributes
    ----------
    cost, parts
        Of the best partition.
    most
        The most parts that are possible, by counting.
    """

    def __init__(
        self,
        component: Component,
        k: int,
        lowest: int,
        cost: int,
        open_at: Callable[[int], int | None] | None,
    ) -> None:
        self.cost, self.parts = cost, 1
        self._total, self._k = component.total, k
        self.most = min(component.n, self._total // k)
        self._floor = max(lowest, k, component.heaviest)
        self._open_at = open_at
        self._turn = 0
        self._tries: dict[int, int] = {}

    def next_window(self, rng: np.random.Generator) -> Window | None:
        """Return the window to be tried next; None if no cost below is left."""
        some = self._candidates()
        if not some:
            return None
        self._turn += 1
        if self._turn % 2 and self.parts in some and self._tries.get(self.parts):
            parts = self.parts
        else:
            parts = min(
                some, key=lambda p: (self._tries.get(p, 0), *self._room(p, some[p]))
            )
        low, tries = some[parts], self._tries.get(parts, 0)
        self._tries[parts] = tries + 1
        room = 0.0 if tries == 0 else rng.choice(_ROOM)
        level = low + int(room * (self.cost - 1 - low))
        return window(self._total, self._k, parts, level)

    def _room(self, parts: int, level: int) -> tuple[int, int]:
        """Return a sort key: low levels first, then numbers of parts with much room."""
        lacking, free = self._total - parts * self._k, parts * level - self._total
        return level, -min(lacking, free)

    def _candidates(self) -> dict[int, int]:
        """Return the least level of all numbers of parts that may cost less."""
        found = {}
        for parts in range(self.most, 0, -1):
            if max(self._floor, -(-self._total // parts)) >= self.cost:
                break
            low = self.lowest(parts)
            if low < self.cost:
                found[parts] = low
        return found

    def lowest(self, parts: int) -> int:
        """Return the least level that is open for a number of parts."""
        low = max(self._floor, -(-self._total // parts))
        if self._open_at is None:
            return low
        level = self._open_at(parts)
        return self.cost if level is None else max(low, level)


def _numbered(labels: IntArray | None, parts: int) -> IntArray | None:
    """Return labels renumbered to 0..parts-1; None if there are not that many."""
    if labels is None:
        return None
    found, numbered = np.unique(labels, return_inverse=True)
    return numbered.astype(np.int64) if len(found) == parts else None


def _cost(component: Component, labels: IntArray) -> int:
    heavy = np.zeros(component.n, dtype=np.int64)
    np.add.at(heavy, np.unique(labels, return_inverse=True)[1], component.weights)
    return int(heavy.max())
