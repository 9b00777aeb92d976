"""Admissible groups: the one theorem that all problems share.

A *group* S is a set of items that may stand together. Every problem of atleastk asks
for a partition of the items into admissible groups, at the least

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
check needs only an **oracle** that maximises y(S) - c(S), in exact integers. The same
oracle prices columns, so a model that offers it gets column generation, an LP bound,
and certificates. Where groups are listed, or priced by many centres at once, a problem
has a pricing of its own, and shares the theorem and the linear program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable


class Parts(NamedTuple):
    """How many groups a partition can have, both ends included."""

    fewest: int
    most: int


@dataclass(frozen=True, slots=True)
class Group:
    """Items (or kinds of items) that may stand together, and what they cost.

    In the decision problems of a max objective the cost is 0.
    """

    items: tuple[int, ...]
    cost: int


class GroupModel(Protocol):
    """The admissible groups of an instance, seen through their oracle.

    Items that cannot be told apart may be merged into one *kind* with a multiplicity;
    a group then holds a kind as often as it is repeated in ``items``, at most its
    multiplicity, and the weights are indexed by kind.
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


@runtime_checkable
class ManyGroupsModel(GroupModel, Protocol):
    """A model whose oracle sees many good groups at the price of the best."""

    def better_groups(
        self, weights: Sequence[int], scale: int, least: int
    ) -> Sequence[Group]:
        """Return groups of value above `least`, a best one among them if there are any.

        Together they should need few items more than once.
        """
        ...
