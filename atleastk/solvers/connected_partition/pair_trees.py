"""Search for a Ryan-Foster tree that refutes a number of parts.

Depth first, over listed parts. Where the linear program over the parts that respect all
decisions has no solution, its weights are a leaf. Otherwise two nodes are together in a
fraction of the parts; of some such pairs the one is branched on most sides of which are
refuted at once (strong branching).

Theorem: :mod:`atleastk.models.certificates.connected_partition`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.models.admissible.decided import Decided
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.connected_sets import ConnectedSets
from atleastk.solvers.connected_partition.cover_lp import CoverLp, Relaxed

_MOST_NODES: Final = 1_000
"""Nodes of a tree: half a megabyte of weights for 50 nodes of a map."""

_MOST_DEPTH: Final = 200
"""Splits above one another: readers may be recursive, as of JSON they are."""

_TRIED: Final = 2
"""Pairs whose sides are both solved before one is chosen: of 1, 2, 4 and 8 the fastest
on a grid of 42 nodes, with the smallest tree."""

_WHOLE: Final = 1e-6
"""What differs less from a whole number is taken for it: ten times the tolerance of
HiGHS."""


class _OpenError(Exception):
    """A node that is not refuted, or not in time."""


def claim_of(
    component: Component, sets: ConnectedSets, parts: int, budget: Budget
) -> Mapping[str, Any] | None:
    """Return a refutation of this many parts, given a list of all possible ones.

    A leaf if weights suffice, else a tree; None if nothing was found in time.
    """
    if len(sets) == 0:
        return {"weights": [], "most": -1}
    tree = _Tree(component, sets, parts, budget)
    try:
        nothing = Decided.nothing(component.n)
        return tree.below(nothing, tree.relaxed(nothing), 0)
    except _OpenError:
        return None


class _Tree:
    """The tree of one number of parts, and the linear program that its nodes share."""

    def __init__(
        self, component: Component, sets: ConnectedSets, parts: int, budget: Budget
    ) -> None:
        self._names = [members[0] for members in component.members]
        self._budget = budget
        self._has = np.zeros((len(sets), component.n), dtype=np.bool_)
        owners = np.repeat(np.arange(len(sets)), np.diff(sets.starts))
        self._has[owners, sets.items] = True
        self._cover = CoverLp(component.n, sets, parts, budget.seed)
        self._nodes = 0

    def below(self, decided: Decided, relaxed: Relaxed, depth: int) -> dict[str, Any]:
        """Return the tree below a node with this relaxation."""
        self._nodes += 1
        if self._nodes > _MOST_NODES or depth > _MOST_DEPTH:
            raise _OpenError
        if relaxed.refuted is not None:
            values = relaxed.refuted.values.tolist()
            named = [[self._names[i], y] for i, y in enumerate(values) if y]
            return {"weights": named, "most": relaxed.refuted.most}
        if relaxed.shares is None:
            return {"weights": [], "most": -1}
        pair, sides = self._best_split(decided, relaxed.shares)
        together, apart = (self.below(*side, depth + 1) for side in sides)
        names = [self._names[node] for node in pair]
        return {"pair": names, "together": together, "apart": apart}

    def relaxed(self, decided: Decided) -> Relaxed:
        """Solve the linear program; the result is empty if no parts are left."""
        left = decided.allows(self._has)
        found = self._cover.solve(self._budget, left) if left.any() else Relaxed()
        if found is None:
            raise _OpenError
        return found

    def _best_split(
        self, decided: Decided, shares: FloatArray
    ) -> tuple[tuple[int, int], Sequence[tuple[Decided, Relaxed]]]:
        """Return the pair most sides of which are refuted, and its sides."""
        best: tuple[tuple[int, int], Sequence[tuple[Decided, Relaxed]]] | None = None
        most = -1
        for pair in islice(self._pairs(decided, shares), _TRIED):
            sides = [(side, self.relaxed(side)) for side in decided.by_pair(*pair)]
            refuted = sum(found.shares is None for _, found in sides)
            if refuted > most:
                best, most = (pair, sides), refuted
            if refuted == len(sides):
                break
        if best is None:  # this is a partition: the bound does not hold
            raise _OpenError
        return best

    def _pairs(self, decided: Decided, shares: FloatArray) -> Iterator[tuple[int, int]]:
        """Yield pairs of nodes that are together in part, the most even first."""
        some = shares > _WHOLE
        inside = self._has[some].astype(np.float64)
        shared = np.triu(inside.T @ (inside * shares[some][:, None]), 1)
        shared[decided.together | decided.apart] = 0.0
        open_ = np.minimum(shared, 1.0 - shared)
        for place in np.argsort(-open_, axis=None, kind="stable").tolist():
            a, b = divmod(place, len(open_))
            if open_[a, b] <= _WHOLE:
                return
            yield a, b
