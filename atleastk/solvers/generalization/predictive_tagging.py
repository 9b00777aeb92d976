"""The best k-anonymous node of a lattice, by predictive tagging [Kohlmayer12].

k-anonymity is monotone: nodes above a k-anonymous node are k-anonymous, nodes below one
that is not are not. All losses are monotone, too, while no row is suppressed. So the
optimum is among the minimal k-anonymous nodes, and every count of a node decides many
others:

1. Take the cheapest open node, and a chain of open nodes from it upwards.
2. Find by binary search two neighbours of the chain, one refused and the next
   k-anonymous. A refused node refuses all below; one that is k-anonymous, or costs no
   less than the best known one, settles all above. The chain ends where nodes are too
   dear, so the refused one may be far below the highest: its columns are raised, one
   after another, as far as it stays refused.
3. Repeat until no node is open.

For height and precision, whose loss needs no count, a better solution settles all nodes
of its cost or more at once, and the cheapest open node is a lower bound.

Where rows may be suppressed, nodes above a k-anonymous one may need fewer, and have
less discernibility. There a count settles all above only if the least that they lose is
no less than the best; otherwise the node alone.

Of nodes that lose the same the best by `ties_of_node` is wanted. Once no node can lose
less, nodes that may lose the same are opened again, and as many of them are counted as
before. The note on ties says whether these were all.

A count may leave a node undecided, with a bound on its loss. It is set aside and
counted again at the end, if there is time; if not, that is a lower bound.

The nodes that were refused, those that were too dear, and those that were settled alone
cover the lattice: they are a certificate, see
:mod:`atleastk.models.certificates.generalization`.

References
----------
[Samarati01] P. Samarati, "Protecting Respondents' Identities in Microdata Release",
IEEE TKDE 13(6), 2001.
[LeFevre05] K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Incognito: Efficient Full-Domain
K-Anonymity", SIGMOD 2005.
[Kohlmayer12] F. Kohlmayer, F. Prasser, C. Eckert, A. Kemper, K. A. Kuhn, "Flash:
Efficient, Stable and Optimal K-Anonymity", PASSAT 2012.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.generalization import Generalization
from atleastk.models.certificates.generalization import losses_of_nodes
from atleastk.models.wording import counted
from atleastk.solvers.generalization.boxes import Box, Levels
from atleastk.solvers.generalization.counting import Count, Counts
from atleastk.solvers.generalization.descent import Descent
from atleastk.solvers.generalization.lattice_marks import (
    LEFT_OUT,
    REFUSED,
    SETTLED,
    Marks,
)
from atleastk.solvers.search import Search

MOST_NODES: Final = 2**24
"""The most nodes of a lattice, or of a box of it, that are all marked."""

_MOST_TIES: Final = 500
"""Nodes that may lose as much as the best and are counted in any case."""

_SHARE_OF_TIES: Final = 0.3
"""The share of the time left that these have."""

_ORDER: Final = "suppressed rows, then precision, then discernibility"
TIES_ALL: Final = f"of all tables that lose as little, the best by {_ORDER}"
TIES_FOUND: Final = f"of tables found that lose as little, the best by {_ORDER}"
"""The notes on nodes of equal loss."""


def minimise_by_tagging(
    search: Search[Any], source: str, counts: Counts | None = None
) -> None:
    """Minimise on attributes; the lattice has at most `MOST_NODES` nodes.

    Parameters
    ----------
    counts
        Counts the classes of nodes; by default classes of k rows. It must be monotone:
        above a node that it admits it refuses none.
    """
    PredictiveTagging(search, source, Descent(search, source, counts)).run()


class PredictiveTagging:
    """The state of a run on all nodes of a box; all others are settled."""

    def __init__(
        self,
        search: Search[Any],
        source: str,
        descent: Descent,
        box: Box | None = None,
    ) -> None:
        instance = search.instance
        self._box = box or Box.whole(instance)
        self._counts = descent.counts
        self._descent = descent
        self._search, self._source = search, source
        self._linear = instance.is_linear
        losses = losses_of_nodes(instance, self._box.low, self._box.high)
        self._losses = losses.reshape(-1)
        self._order = _ascending(self._losses)
        self._columns = _finest_first(instance)
        self._marks = Marks(self._box.high, self._box.low)
        self._refused: list[Levels] = list(self._box.refused)
        self._floors: dict[int, int] = {}
        self._admitted: dict[int, int] = {}
        self._alone: dict[int, int] = {}
        self._undecided: dict[int, int] = {}
        self._late: list[int] = []
        self._claimed = False
        self._settled = search.cost
        self._breaks_ties = False

    def run(self) -> None:
        """Tag until no node is open, or the budget is spent."""
        for levels, count in self._descent.known.items():
            if count.refused:
                self._refused.append(levels)
                self._marks.refuse_below(levels)
        if self._linear and self._search.cost is not None:
            self._marks.marks[self._losses >= self._search.cost] |= SETTLED
        place = self._first_open(0)
        self._raise(place)
        while not self._search.budget.spent:
            place = self._first_open(place)
            if place == len(self._order):
                self._prove()
                if not self._reopen():
                    self._report_undecided()
                    return
                place = 0
                continue
            self._raise(place)
            node = int(self._order[place])
            self._bisect(self._marks.chain(node, self._columns))
            self._descent.report(self._source)

    def _raise(self, place: int) -> None:
        """Report the bound by the cheapest open node, if its loss needs no count."""
        if self._linear and place < len(self._order):
            bound = self._bound(int(self._losses[self._order[place]]))
            self._search.raise_bound(bound, self._source)

    def _break_ties(self, cost: int) -> None:
        """Count nodes that may lose as much as the best, as far as that is cheap.

        No node loses less: of those that cost as much by their levels, or have no
        greater floor, all are opened that are not refused and were not counted.
        """
        marks = Marks(self._box.high, self._box.low)
        counted = len(self._floors)
        for levels in self._refused:
            marks.refuse_below(levels)
        if self._linear:
            marks.marks[self._losses > cost] |= SETTLED
        for node, floor in self._floors.items():
            marks.marks[node] |= LEFT_OUT
            if floor > cost:
                marks.settle(node)
        if self._linear:
            marks.marks[self._losses < cost] |= LEFT_OUT
        self._marks, self._breaks_ties = marks, True
        budget = self._search.budget.share(_SHARE_OF_TIES)
        most, place = counted + max(_MOST_TIES, counted), 0
        while (place := self._first_open(place)) < len(self._order):
            if budget.spent or len(self._floors) >= most:
                break
            self._bisect(self._marks.chain(int(self._order[place]), self._columns))
        complete = place == len(self._order)
        self._descent.report(self._source)
        tied = sum(loss == cost for loss in self._admitted.values())
        if tied > 1 or not complete:
            self._search.note(TIES_ALL if complete else TIES_FOUND)

    def _first_open(self, place: int) -> int:
        step = 4096
        while place < len(self._order):
            marks = self._marks.marks[self._order[place : place + step]]
            if not marks.all():
                return place + int(marks.argmin())
            place += step
        return len(self._order)

    def _reopen(self) -> bool:
        """Open undecided nodes again; return whether there are any.

        They are still among those that are undecided.
        """
        best = self._search.cost
        found = self._left_open()
        late = [
            x for x in self._late if x in found and (best is None or found[x] < best)
        ]
        self._late = []
        for node in late:
            self._marks.marks[node] &= np.uint8(255 - LEFT_OUT)
        return bool(late)

    def _bisect(self, chain: Sequence[int]) -> None:
        """Decide a chain of open nodes by binary search."""
        low, high = 0, len(chain)
        refused: int | None = None
        while low < high and not self._search.budget.spent:
            middle = (low + high) // 2
            node = chain[middle]
            count = self._counted(node)
            self._mark(node, count)
            if count.refused and not count.claimed:
                refused = node
            if count.loss is None:
                low = middle + 1
            else:
                high = middle
        if refused is not None and self._linear:
            self._lift(self._marks.levels_of(refused))

    def _counted(self, node: int) -> Count:
        """Return the count of a node; of one that is undecided, a new one.

        A new count may rest on a solver, so it is not shared with descents.
        """
        levels = self._marks.levels_of(node)
        if node in self._undecided:
            return self._counts.count(levels)
        return self._descent.look(levels)

    def _lift(self, levels: Levels) -> None:
        """Raise a refused node as far as it stays refused, and mark it.

        Each time another column is raised first: so they are spread over the lattice.
        """
        m = len(levels)
        first = len(self._refused) % max(1, m)
        lifted = self._descent.lifted(levels, [(first + j) % m for j in range(m)])
        if lifted != levels:
            self._refused.append(lifted)
            self._marks.refuse_below(lifted)

    def _mark(self, node: int, count: Count) -> None:
        self._floors[node] = count.floor
        self._claimed |= count.claimed
        if count.loss is not None:
            self._admitted[node] = count.loss
            self._descent.take(self._marks.levels_of(node), count)
        if not self._breaks_ties:
            self._settle_dear()
        if count.least is None:
            self._undecided.pop(node, None)
            self._refused.append(self._marks.levels_of(node))
            self._marks.refuse(node)
        elif not self._is_dear(count.floor):
            self._undecided.pop(node, None)
            among = self._alone if count.settled else self._undecided
            among[node] = count.least
            if count.late:
                self._late.append(node)
            self._marks.marks[node] |= LEFT_OUT
        if not self._linear and self._is_dear(count.floor):
            self._marks.settle(node)

    def _is_dear(self, loss: int) -> bool:
        """Tell whether a loss is too great, for all nodes above as well."""
        if self._breaks_ties:
            return self._search.cost is not None and loss > self._search.cost
        known = (self._search.cost, self._descent.found.loss)
        return any(cost is not None and loss >= cost for cost in known)

    def _settle_dear(self) -> None:
        """Settle what costs no less than the best node, if that is a new one."""
        loss = self._descent.found.loss
        if loss is None or (self._settled is not None and loss >= self._settled):
            return
        self._settled = loss
        if self._linear:
            self._marks.marks[self._losses >= loss] |= SETTLED
            return
        for node, floor in self._floors.items():
            if floor >= loss:
                self._marks.settle(node)

    def _bound(self, loss: int) -> int:
        """Return a loss, or the least of an undecided node if that is less."""
        return min((loss, *self._left_open().values()))

    def _left_open(self) -> Mapping[int, int]:
        """Return the undecided nodes that no other one decides, with their bounds."""
        marks, closed = self._marks.marks, REFUSED | SETTLED
        pairs = self._undecided.items()
        return {node: least for node, least in pairs if not marks[node] & closed}

    def _prove(self) -> None:
        """Report the bound and its certificate; or that all nodes are refused.

        If the bound is the best loss, ties are broken before: a search that is closed
        ends.
        """
        cost = self._search.cost
        if cost is None:
            if (self._marks.marks & REFUSED).all():
                self._search.close_infeasible(self._source)
            return
        bound = self._bound(cost)
        certificate = None if self._claimed else self._certificate(bound)
        if bound == cost:
            self._break_ties(cost)
        self._search.raise_bound(bound, self._source, certificate)

    def _report_undecided(self) -> None:
        """Report how many undecided nodes may be better than the best."""
        cost, left = self._search.cost, self._left_open().values()
        undecided = sum(cost is None or least < cost for least in left)
        if undecided:
            self._search.remark(
                f"{self._source}: {counted(undecided, 'node')} of the lattice undecided"
            )

    def _certificate(self, bound: int) -> Mapping[str, Any]:
        dear = {node for node, floor in self._floors.items() if floor >= bound}
        levels_of = self._marks.levels_of
        all_dear = [*self._box.dear, *map(levels_of, dear)]
        lowest = [] if self._linear else extremes(all_dear, least=True)
        highest = extremes(self._refused, least=False)
        found = {"kind": "lattice", "refused": highest, "dear": lowest}
        left = [*self._alone, *self._left_open()]
        alone = [levels_of(node) for node in left if node not in dear]
        return {**found, "alone": alone} if alone else found


def _finest_first(instance: Generalization) -> Sequence[int]:
    values = [int(labels[0].max(initial=-1)) for labels in instance.labels]
    return sorted(range(instance.m), key=lambda j: -values[j])


def _ascending(losses: Int32Array) -> IntArray:
    """Return the nodes by loss; few different losses are sorted in O(N)."""
    few = int(losses.max(initial=0)) < 2**16
    return np.argsort(losses.astype(np.uint16) if few else losses, kind="stable")


def extremes(nodes: Iterable[Levels], *, least: bool = False) -> list[list[int]]:
    """Return the nodes that no other is above; or the least, that none is below."""
    listed = np.array(sorted(set(nodes)), dtype=np.int64)
    if not len(listed):
        return []
    order = np.argsort(listed.sum(axis=1), kind="stable")
    found, count = np.empty_like(listed), 0
    for levels in listed[order if least else order[::-1]]:
        others = found[:count]
        beyond = (others <= levels) if least else (others >= levels)
        if not beyond.all(axis=1).any():
            found[count] = levels
            count += 1
    extremes: list[list[int]] = found[:count].tolist()
    return extremes
