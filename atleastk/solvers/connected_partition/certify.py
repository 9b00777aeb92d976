"""Lower bounds of connected partition with certificates: counting, and node weights.

A level K of a component is refuted for every number of parts that counting leaves, by
weights from the linear program over all admissible parts, or by a tree of such weights.

At every node of a tree (:mod:`~atleastk.solvers.engine.refutation_tree`) the linear
program is over the listed parts that agree with the decisions so far. If it has no
solution, its weights are a leaf. Otherwise the node is split by a Ryan-Foster pair, two
vertices that are together in part: one for which most sides are refuted at once.

Theorem: :mod:`atleastk.models.certificates.connected_partition`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.admissible.connected_partition import AdmissibleParts, Steps
from atleastk.models.admissible.decided import Decided
from atleastk.models.certificates.connected_partition import (
    COUNT,
    counted,
    open_windows,
)
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import Component, components_of
from atleastk.solvers.connected_partition.connected_sets import (
    ConnectedSets,
    connected_sets,
)
from atleastk.solvers.connected_partition.cover_lp import CoverLp
from atleastk.solvers.engine.linear_program import Relaxed
from atleastk.solvers.engine.refutation_tree import (
    Found,
    OpenError,
    Split,
    most_even,
    refutation,
    undecided,
)

Certificate = Mapping[str, Any]

_MOST_SETS: Final = 200_000
"""Lists that are longer take a reader without compiled loops too long."""

_STEPS: Final = 100_000
"""Steps of an enumeration without compiled loops: half a second. Wheels of 40 nodes
take a few thousand of them, and compiled loops without end."""


def certify(
    instance: ConnectedPartition, bound: int | None, budget: Budget
) -> Certificate | None:
    """Return a certificate for a lower bound on the cost, or None if none was found.

    The bound None stands for: nothing is feasible.
    """
    known = counted(instance)
    if known is None or bound is None:
        return COUNT if known is bound else None
    if bound <= known:
        return COUNT
    for component in components_of(instance):
        refuted = _refute(component, instance.k, bound - 1, budget)
        if refuted is not None:
            first = int(component.firsts[0])
            return {
                "kind": "parts",
                "component": first,
                "level": bound - 1,
                "refuted": refuted,
            }
    return None


def _refute(
    component: Component, k: int, level: int, budget: Budget
) -> list[Certificate] | None:
    """Return what refutes a level of a component; None if nothing was found."""
    refuted = []
    for window in open_windows(component.weights.tolist(), k, level):
        claim = _claim(component, window, budget)
        if claim is None:
            return None
        refuted.append(claim)
    return refuted


def _claim(component: Component, window: Window, budget: Budget) -> Certificate | None:
    """Return weights or a tree that refute a window; None if none were found."""
    sets = _listed(component, window, budget)
    if sets is None:
        return None
    if not len(sets):
        return {"parts": window.parts, "weights": [], "most": -1}
    nodes = _Nodes(component, sets, window.parts, budget)
    try:
        root = nodes.solved(Decided.nothing(component.n))
        found = refutation(root, nodes.visit)
    except OpenError:
        return None
    if found is None:
        return None
    tree = found if "weights" in found else {"tree": found}
    return {"parts": window.parts, **tree}


def _listed(
    component: Component, window: Window, budget: Budget
) -> ConnectedSets | None:
    """Return all parts of a window; None if they are too many, or take too long.

    An enumeration that is fast follows one that cuts off more.
    """
    weights = component.weights.tolist()
    around = AdmissibleParts.of(component.neighbours, weights, window)
    try:
        found = list(around.listed(Steps(_STEPS)))
    except NotApplicableError:
        least, most, parts = window.least, window.most, window.parts
        return connected_sets(component, least, most, budget, _MOST_SETS, parts=parts)
    lengths = np.array([0, *map(len, found)], dtype=np.int64)
    return ConnectedSets(
        np.cumsum(lengths),
        np.array([v for part in found for v in part], dtype=np.int64),
        np.array([sum(weights[v] for v in part) for part in found], dtype=np.int64),
    )


_Node = tuple[Decided, Relaxed]
"""The decisions so far, and the solution of their linear program."""


class _Nodes:
    """The nodes of the tree of one number of parts, and their linear program."""

    def __init__(
        self, component: Component, sets: ConnectedSets, parts: int, budget: Budget
    ) -> None:
        self._names = component.firsts.tolist()
        self._budget = budget
        self._has = np.zeros((len(sets), component.n), dtype=np.bool_)
        owners = np.repeat(np.arange(len(sets)), np.diff(sets.starts))
        self._has[owners, sets.items] = True
        self._cover = CoverLp(component.n, sets, parts, budget.seed)

    def visit(self, node: _Node) -> Found[_Node]:
        """Return a leaf that refutes a node, or else some splits of it."""
        decided, relaxed = node
        if relaxed.refuted is not None:
            values = relaxed.refuted.values.tolist()
            named = [[self._names[i], y] for i, y in enumerate(values) if y]
            return {"weights": named, "most": relaxed.refuted.most}
        if relaxed.shares is None:
            return {"weights": [], "most": -1}
        return self._splits(decided, relaxed.shares)

    def solved(self, decided: Decided) -> _Node:
        """Solve the linear program of a node, which is empty if no parts are left."""
        left = decided.allows(self._has)
        found = self._cover.solve(self._budget, left) if left.any() else Relaxed()
        if found is None:
            raise OpenError
        return decided, found

    def _splits(self, decided: Decided, shares: FloatArray) -> Iterator[Split[_Node]]:
        """Yield a few splits, best those both sides of which are refuted at once."""
        shared = undecided(decided, self._has, shares)
        for a, b in most_even(shared):
            together, apart = map(self.solved, decided.by_pair(a, b))
            refuted = (together[1].shares is None) + (apart[1].shares is None)
            pair = {"pair": [self._names[a], self._names[b]]}
            sides = {"together": together, "apart": apart}
            yield Split(pair, sides, 1.0 + refuted, refuted == len(sides))
