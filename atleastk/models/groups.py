"""Admissible groups and their pricing oracle: column generation and weak duality.

A *group* S is a set of items that may form a part. Every problem of atleastk asks for a
partition of the items into admissible groups, at the least

- **sum** of the groups' costs c(S), or
- **max** of the groups' costs: the least K for which groups of cost <= K suffice.

Weights certify
---------------
Let y_i be integers, one per item.

- *Sum.* If y(S) <= c(S) for every admissible S then every partition costs at least
  y_1 + ... + y_n.
- *Max.* If y(S) <= Y for every admissible S and y_1 + ... + y_n > m * Y then no
  partition into m such groups exists.

Both follow by adding up over the groups of a partition (weak duality of the
set-partitioning LP); :mod:`atleastk.models.certificates.weights` has them as one. The
theorem is behind the weights of all problems; `GroupModel`, which their checkers can
ask, is that of bin covering (``BinGroups``). The oracles of solvers find many groups at
once: :mod:`atleastk.solvers.engine.set_partition.oracle`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


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


class GroupModel(Protocol):
    """The admissible groups of an instance, given by their pricing oracle.

    Equal items may be merged into one *kind* with a multiplicity; a group then holds a
    kind as often as it is repeated in ``items``, at most its multiplicity, and the
    weights are indexed by kind.
    """

    @property
    def demand(self) -> Sequence[int]:
        """The multiplicity of every kind of item, at least 1."""
        ...

    @property
    def parts(self) -> Parts:
        """Bounds on the number of groups; ``most < fewest`` if nothing is feasible."""
        ...

    def best_group(self, weights: Sequence[int], scale: int) -> Group | None:
        """Return a group S of greatest ``weights(S) - scale * cost(S)``.

        Exact in integers. None if no group is admissible at all. Bounded work: a
        model whose oracle would take longer than about a second refuses with
        `NotApplicableError`.
        """
        ...
