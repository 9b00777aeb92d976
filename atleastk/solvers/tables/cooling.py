"""Simulated annealing: the cooling schedule of the local searches on tables.

Moves are made in rounds, whose speed decides how many moves the next one has. The heat
falls geometrically with the progress of a run: the share of the moves that are made, or
of the time that is over, whichever is greater. Without a time limit nothing depends on
the clock, and the same seed gives the same answer.
"""

from __future__ import annotations

from math import isinf
from typing import Final, NamedTuple

from atleastk.solvers.clock import CLOCK
from atleastk.solvers.compiled.compile import inlined

_FIRST_MOVES: Final = 2_000
"""Moves until their speed is measured."""

_FEWEST_MOVES: Final = 100
"""Moves between two looks at the clock, at least."""


class Schedule(NamedTuple):
    """How a run cools, from `hot` to `cold`, in cells.

    It has at least this many rounds, of at most the `longest` seconds if there is a
    time limit. It begins cooler if it has time for fewer moves per row than `patience`.
    """

    hot: float
    cold: float
    rounds: int
    longest: float
    patience: float

    def round_seconds(self, span: float) -> float:
        """Return the seconds of a round of a run that has `span` seconds."""
        return min(self.longest, span / self.rounds)


class Moves(NamedTuple):
    """The number of moves of a round, their first and last heat, and their seed."""

    number: int
    hot: float
    cold: float
    seed: int


@inlined
def heat_at(move: int, moves: Moves) -> float:
    """Return the heat of a move: it falls geometrically."""
    return float(moves.hot * (moves.cold / moves.hot) ** (move / moves.number))


class Cooling:
    """The progress of one run of at most `most` moves on some rows.

    It has `span` seconds, and the next round has `moves`.
    """

    def __init__(
        self, schedule: Schedule, rows: int, most: int, deadline: float
    ) -> None:
        self._schedule, self._rows, self._most = schedule, rows, most
        self._began = CLOCK.now()
        self.span = deadline - self._began
        self.moves = _FIRST_MOVES
        self._made, self._progress = 0, 0.0
        self._hot = schedule.cold

    @property
    def over(self) -> bool:
        """Whether all moves are made, or the time is over."""
        return self._progress >= 1.0

    @property
    def left(self) -> int:
        """The moves that are left of all."""
        return self._most - self._made

    def heats(self, moves: int) -> tuple[float, float]:
        """Return the heat before and after the next moves."""
        after = max(self._progress, (self._made + moves) / self._most)
        return self._heat(self._progress), self._heat(after)

    def advance(self, made: int, seconds: float) -> None:
        """Count a round in, and plan the next one by its speed."""
        schedule, made = self._schedule, max(1, made)
        self._made += made
        elapsed, speed = CLOCK.now() - self._began, made / max(1e-6, seconds)
        self._progress = max(self._made / self._most, elapsed / max(self.span, 1e-9))
        expected = min(self.left, speed * (self.span - elapsed)) / self._rows
        warmth = min(1.0, expected / schedule.patience)
        cold = schedule.cold
        self._hot = max(self._hot, cold + (schedule.hot - cold) * warmth)
        self.moves = self._most // schedule.rounds
        if not isinf(self.span):
            in_time = int(speed * schedule.round_seconds(self.span))
            self.moves = min(self.moves, in_time)
        self.moves = max(_FEWEST_MOVES, self.moves)

    def _heat(self, progress: float) -> float:
        hot, cold = self._hot, self._schedule.cold
        return float(hot * (cold / hot) ** min(1.0, progress))
