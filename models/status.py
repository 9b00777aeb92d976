"""How an answer ended, and how far it can be trusted."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Status", "Trust"]


class Status(StrEnum):
    """How a run ended."""

    OPTIMAL = "OPTIMAL"
    """A solution whose cost meets the proven bound."""
    FEASIBLE = "FEASIBLE"
    """A checked solution; the bound does not meet it."""
    INFEASIBLE = "INFEASIBLE"
    """Proven: no solution exists."""
    UNKNOWN = "UNKNOWN"
    """No solution found and none excluded."""


class Trust(StrEnum):
    """Why an answer should be believed, in increasing order."""

    HEURISTIC = "heuristic"
    """The solution passed the checker; nothing is claimed about optimality."""
    PROVED = "proved"
    """One method proved it."""
    AGREED = "agreed"
    """Two unrelated formulations in two solver families gave the same value."""
    CERTIFIED = "certified"
    """The solution and a lower bound were re-checked without any solver."""

    @property
    def rank(self) -> int:
        """The place in the order, from 0 for ``heuristic``."""
        return list(Trust).index(self)
