"""The status of a result, why its run stopped, and how far it can be trusted."""

from __future__ import annotations

from enum import StrEnum


class _Ordered(StrEnum):
    """Words in the order of their declaration, not in alphabetical order.

    They equal their texts and have the same hash. A text that is one of the words is
    compared as that word; any other is a `TypeError`.
    """

    @property
    def rank(self) -> int:
        """The place in the order, from 0."""
        return list(type(self)).index(self)

    def __lt__(self, other: str) -> bool:
        return self.rank < self._rank_of(other)

    def __le__(self, other: str) -> bool:
        return self.rank <= self._rank_of(other)

    def __gt__(self, other: str) -> bool:
        return self.rank > self._rank_of(other)

    def __ge__(self, other: str) -> bool:
        return self.rank >= self._rank_of(other)

    def _rank_of(self, other: str) -> int:
        kind = type(self)
        try:
            return kind(other).rank
        except ValueError as error:
            raise TypeError(
                f"{other!r} has no place in the order of {', '.join(kind)}"
            ) from error


class Status(_Ordered):
    """How a run ended; in increasing order of knowledge.

    The last two are final: ``status >= Status.INFEASIBLE``.
    """

    UNKNOWN = "UNKNOWN"
    """No solution found and none excluded."""
    FEASIBLE = "FEASIBLE"
    """A checked solution; the bound does not meet it."""
    INFEASIBLE = "INFEASIBLE"
    """Proven: no solution exists."""
    OPTIMAL = "OPTIMAL"
    """A solution whose cost meets the proven bound."""


class Stop(StrEnum):
    """What ended a run."""

    CLOSED = "closed"
    """Nothing was left to do: optimal, or proved infeasible."""
    GAP = "gap"
    """The cost is near enough to the bound."""
    TARGET = "target"
    """The solution is as good as the requested target."""
    TIME_LIMIT = "time limit"
    WORK_LIMIT = "work limit"
    CALLBACK = "callback"
    """The caller's ``on_event`` said ``"stop"``."""
    INTERRUPTED = "interrupted"
    """A signal; also if what it ended was the search for a certificate only."""
    GAVE_UP = "gave up"
    """The method had nothing left to try; the note says why."""
    ALGORITHM = "algorithm"
    """An algorithm returned its one solution, of which it proves nothing."""


class Trust(_Ordered):
    """Why an answer should be believed, in increasing order."""

    HEURISTIC = "heuristic"
    """The solution passed the checker; nothing is claimed about optimality."""
    PROVED = "proved"
    """One method proved it."""
    AGREED = "agreed"
    """Two unrelated formulations in two solver families gave the same value."""
    CERTIFIED = "certified"
    """The solution and a lower bound were re-checked without any solver."""
