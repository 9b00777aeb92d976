"""Backtracking that cuts one part after the other out of a map ("carving").

For few and large parts of almost the same weight: the connected sets are too many to be
listed, but only one of many thousands has a weight in the window. Once one is taken,
the rest is a smaller map with one part less.

Some part holds a given node. So the connected sets that hold it and have the right
weight are listed, and for each of them the rest is searched alike. If no set is left,
there is no partition. Heavy nodes are in few sets; several are tried, since their
numbers of sets differ by orders of magnitude.

Where that takes too many steps, what has been taken is given back, and the search
restarts with more patience in the end. So it is exact; there is no guarantee of how
soon. Parts that are many are found by :mod:`~.halving` before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.models.connected_partition import reach
from atleastk.models.results.status import Status
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.connected_sets import sets_that_hold
from atleastk.solvers.connected_partition.graph import FREE, TAKEN, Marks
from atleastk.solvers.engine.decision import Decision

Groups = list[list[int]]

_STEPS: Final = 1 << 15
"""Sets to look at per list, times the patience.

None of these constants is tuned.
"""

_FIRST: Final = 16
"""How many times as long the first list may take: there is only one."""

_FEW_STEPS: Final = _STEPS >> 6
"""Sets to look at per list at first, when the sets of many nodes are tried."""

_HURRY: Final = 8
"""The factor of these steps from one attempt to list sets to the next."""

_ROOTS: Final = 16
"""Nodes whose sets are tried to be listed in the first steps."""

_FEWER_ROOTS: Final = 3
"""Nodes whose sets are tried to be listed in more steps."""


def decide_by_carving(
    component: Component, window: Window, budget: Budget
) -> Decision[Groups]:
    """Decide whether there is a partition into parts of a window, ``1 <= least``."""
    if not window.admits(component.total):
        return Decision.impossible()
    with budget.flagging() as flag:
        carver = _Carver(component, window, flag)
        patience = 1
        while not budget.spent:
            decision = carver.decide(patience)
            if decision.status is not Status.UNKNOWN:
                return decision
            patience *= 2
    return Decision.unknown()


class _Carver:
    """A map of which some parts may be taken."""

    def __init__(self, component: Component, window: Window, flag: ByteArray) -> None:
        self._component = component
        self._window = window
        self._flag = flag
        self._map = Marks.none_of(component.n)

    def decide(self, patience: int) -> Decision[Groups]:
        """Decide about the window, depth first: one part after the other is taken."""
        taken: list[IntArray] = []
        ways: list[Iterator[IntArray]] = []
        complete: list[bool] = []
        while True:
            # Enter what is left: a part, or several, one of which is to be taken.
            left = self._window.parts - len(taken)
            if left == 1:
                last = self._last()
                if last.found is not None:
                    return Decision.of(
                        [*(part.tolist() for part in taken), *last.found]
                    )
                ended = True
            elif self._flag[0]:  # listed sets would be tried one after the other
                return Decision.unknown()
            else:
                sets = self._listed(left, patience)
                complete.append(sets is not None)
                ways.append(iter(sets or ()))
            # Take the next part; where there is none, give back the one before.
            while len(ways) <= len(taken) or (part := next(ways[-1], None)) is None:
                if len(ways) > len(taken):
                    ways.pop()
                    ended = complete.pop()
                if not taken:
                    return Decision.impossible() if ended else Decision.unknown()
                self._map.state[taken.pop()] = FREE
                complete[-1] &= ended
            self._map.state[part] = TAKEN
            taken.append(part)

    def _listed(self, parts: int, patience: int) -> list[IntArray] | None:
        """Return all sets that hold some node and leave the other parts.

        None if too many sets would have to be looked at.
        """
        rest = self._rest()
        bounds = self._bounds(parts, rest)
        order = np.argsort(-self._component.weights[rest], kind="stable")
        heavy = rest[order].tolist()
        first = len(rest) == self._component.n
        most = patience * _STEPS * (_FIRST if first else 1)
        steps, roots, graph = _FEW_STEPS, _ROOTS, self._component.graph
        while steps <= most and not self._flag[0]:
            for root in heavy[:roots]:
                sets = sets_that_hold(graph, bounds, self._map, root, steps, self._flag)
                if sets is not None:
                    return sets
            steps, roots = _HURRY * steps, _FEWER_ROOTS
        return None

    def _last(self) -> Decision[Groups]:
        """Decide whether the rest is a part."""
        rest: list[int] = self._rest().tolist()
        weight = sum(int(self._component.weights[v]) for v in rest)
        connected = len(reach(self._component.neighbours, rest)) == len(rest)
        if connected and self._window.holds(weight):
            return Decision.of([rest])
        return Decision.impossible()

    def _rest(self) -> IntArray:
        """Return the nodes that are in no part, ascending."""
        return np.flatnonzero(self._map.state == FREE)

    def _bounds(self, parts: int, rest: IntArray) -> tuple[int, int, int, int]:
        """Return the bounds of a part, the number of others, and the weight left."""
        left = int(self._component.weights[rest].sum())
        return self._window.least, self._window.most, parts - 1, left
