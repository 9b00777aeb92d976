"""Admissible groups and their pricing oracle: column generation and weak duality.

A *group* S is a set of items that may form a part. Every problem of atleastk asks for a
partition of the items into admissible groups, at the least

- **sum** of the groups' costs c(S), or
- **max** of the groups' costs: the least K for which groups of cost <= K suffice.

Weights of items bound either: :mod:`atleastk.models.certificates.weights`. The oracles
of solvers find many groups at once:
:mod:`atleastk.solvers.engine.set_partition.oracle`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Parts(NamedTuple):
    """How many groups a partition can have, both ends included."""

    fewest: int
    most: int


@dataclass(frozen=True, slots=True)
class Group:
    """The items (or kinds of items) of an admissible group, and its cost.

    In the decision problems of a max objective the cost is 0.
    """

    items: tuple[int, ...]
    cost: int

    def worth(self, weights: Sequence[int], scale: int) -> int:
        """Return y(S) - D c(S)."""
        return sum(weights[item] for item in self.items) - scale * self.cost
