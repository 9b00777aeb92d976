"""Windows of centres that are annealed again, where points are missing.

What centres miss at a radius, they miss in few places. So a few clusters about such a
point are annealed anew, from where they are, and all others stay, with their points.
The outcome is taken unless it is worse. As windows are small and what they gain adds
up, that gets further than to anneal all again. A window has less missing by one of two
counts, in turn: every point in no ball counts; or those count that are more than the
outliers, of which some may be left.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.spaces.metric_spaces import MetricSpace
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Balls
from atleastk.solvers.r_gather.annealing import Limits, annealed
from atleastk.solvers.r_gather.flow import fill

_POINTS: Final = 500
"""Points of a window, about."""

_LEAST: Final = 6
"""Clusters of a window, at least: not tuned."""

_ROUNDS: Final = 50
"""Rounds in a window for each of its candidates."""

_HEAT: Final = 0.4
"""The first temperature in a window, in missing points."""


class Windows:
    """Open candidates, and what their balls hold.

    Parameters
    ----------
    opened
        The indices of the candidates.
    """

    def __init__(
        self,
        space: MetricSpace,
        balls: Balls,
        centres: IntArray,
        opened: IntArray,
        limits: Limits,
    ) -> None:
        self._space, self._balls, self._centres = space, balls, centres
        self._holders = balls.turned(space.n)
        self._limits = limits
        self._is_open = np.zeros(len(centres), dtype=np.bool_)
        self._is_open[opened] = True
        # [point] the candidate that takes it, -1 for none; how many balls hold it
        self._home = self._filled(balls.chosen(opened), opened)
        self._cover = self._held(opened)

    @property
    def opened(self) -> IntArray:
        """The indices of the candidates that are open."""
        return np.flatnonzero(self._is_open)

    @property
    def missing(self) -> int:
        """How many points are missing."""
        return max(0, self._bare - self._limits.outliers) + self._lacking

    def repair(self, rounds: int, rng: np.random.Generator, budget: Budget) -> int:
        """Anneal windows until nothing is missing; return how many rounds are left."""
        few = max(_LEAST, _POINTS // self._limits.r)
        while rounds > 0 and self.missing and not budget.spent:
            if self._is_open.sum() <= few:
                break
            rounds -= self._anneal(few, rng.random() < 0.5, rng, budget)
        return rounds

    @property
    def _bare(self) -> int:
        return int((self._cover == 0).sum())

    @property
    def _lacking(self) -> int:
        wanted = self._limits.r * int(self._is_open.sum())
        return wanted - int((self._home >= 0).sum())

    def _filled(self, chosen: Balls, some: IntArray) -> IntArray:
        """Return the candidate, of some with these balls, that takes a point, or -1."""
        own = self._centres[some] if self._limits.member else None
        home = fill(chosen, self._space.n, self._limits.r, own).home
        return np.where(home < 0, -1, some[home])

    def _held(self, some: IntArray) -> IntArray:
        """Return for every point how many of some balls hold it."""
        held = self._balls.chosen(some).points
        return np.bincount(held, minlength=self._space.n)

    def _anneal(
        self, few: int, counts_all: bool, rng: np.random.Generator, budget: Budget
    ) -> int:
        """Anneal a window, keep what is no worse; return the number of rounds."""
        limits, opened, n = self._limits, self.opened, self._space.n
        held = np.bincount(self._home[self._home >= 0], minlength=len(self._centres))
        lacking = self._centres[opened[held[opened] < limits.r]]
        bare = np.flatnonzero(self._cover == 0)
        spare = max(0, limits.outliers - len(bare))
        counts_all = counts_all or not spare
        missed = np.concatenate((bare, lacking)) if counts_all else lacking
        away = self._space.apart(rng.choice(missed), self._centres[opened])
        old = opened[np.argpartition(away, few)[:few]]
        in_window = np.zeros(len(self._centres), dtype=np.bool_)
        in_window[old] = True
        # Candidates can have the points of the window, and such that nobody has.
        free = (self._home >= 0) & in_window[self._home]
        holding = self._holders.chosen(np.flatnonzero(free)).points
        able = np.unique(holding).astype(np.int64)
        able = able[in_window[able] | ~self._is_open[able]]
        free |= self._home < 0
        if limits.member:
            able = able[free[self._centres[able]]]
        balls = self._balls.chosen(able)
        balls = balls.only(free[balls.points])
        enough = np.where(in_window[able], 1, limits.r)
        kept = np.flatnonzero(balls.sizes >= enough)
        able, balls = able[kept], balls.chosen(kept)
        # There are no other points; of these some are in other balls.
        others = self._cover - self._held(old)
        elsewhere = np.ones(n, dtype=np.int64)
        elsewhere[balls.points] = others[balls.points]
        outliers = 0 if counts_all else spare + int((elsewhere == 0)[bare].sum())
        most = max(few, len(np.unique(balls.points)) // limits.r)
        clusters = min(most, limits.clusters - len(opened) + few)
        rounds = _ROUNDS * max(1, len(able))
        _, found = annealed(
            balls,
            self._centres[able],
            np.flatnonzero(in_window[able]),
            n,
            limits._replace(clusters=clusters, outliers=outliers),
            _HEAT,
            rounds,
            rng,
            budget,
            elsewhere,
        )
        before, kept_open = self._worth(counts_all), self._is_open.copy()
        home, cover = self._home, self._cover
        new = able[found]
        self._is_open[old], self._is_open[new] = False, True
        self._home = np.where(free, self._filled(balls.chosen(found), new), home)
        self._cover = others + self._held(new)
        if self._worth(counts_all) > before:
            self._is_open, self._home, self._cover = kept_open, home, cover
        return rounds

    def _worth(self, counts_all: bool) -> tuple[int, int]:
        every = self._bare + self._lacking
        return (every, self._lacking) if counts_all else (self.missing, every)
