"""The best k-anonymous node of a lattice, by predictive tagging.

k-anonymity is monotone: what is above a k-anonymous node is so, what is below another
one is not. All losses are monotone, too, while no row is suppressed. So the optimum is
among the minimal k-anonymous nodes, and every count of a node tells of many others:

1. Take the cheapest open node, and a chain of open nodes from it upwards.
2. Halve the chain until two neighbours are found, one refused and the next k-anonymous.
   A refused node refuses all below; one that is k-anonymous, or costs no less than the
   best known one, settles all above.
3. Repeat until no node is open.

For height and precision, whose loss needs no count, a better solution settles all nodes
of its cost or more at once, and the cheapest open node is a lower bound.

Where rows may be suppressed, nodes above a k-anonymous one may do with fewer, and have
less discernibility. There a count settles all above only if what they lose at least is
no less than the best; otherwise the node alone.

Whoever counts may leave a node undecided, with what it loses at least. It is set aside
and looked at again at the end, if there is time; if not, that is a lower bound.

The nodes that were refused, those that were found too dear, and those that were settled
alone cover the lattice: they are a certificate, see
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
from typing import Any, Final, Generic, TypeVar

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.generalization import Generalization
from atleastk.models.certificates.generalization import losses_of_nodes
from atleastk.models.wording import counted
from atleastk.solvers.generalization.counting import Count, Counter, Counts
from atleastk.solvers.generalization.lattice_marks import REFUSED, SETTLED, Marks
from atleastk.solvers.search import Search

__all__ = ["MOST_NODES", "minimise_by_tagging"]

G = TypeVar("G", bound=Generalization)

Levels = tuple[int, ...]

MOST_NODES: Final = 2**22
"""The most nodes of a lattice that are all marked."""


def minimise_by_tagging(
    search: Search[G], source: str, counts: Counts | None = None
) -> None:
    """Minimise on attributes; the lattice has at most `MOST_NODES` nodes.

    Parameters
    ----------
    counts
        What counts classes, and what they keep; of k rows if nothing is given. Above a
        node that it does not refuse it refuses none.
    """
    Tagging(search, source, counts or Counter(search.instance)).run()


class Tagging(Generic[G]):
    """The state of a run."""

    def __init__(self, search: Search[G], source: str, counts: Counts) -> None:
        instance = search.instance
        self._counts = counts
        self._search, self._source = search, source
        self._marks = Marks(instance.heights)
        self._linear = instance.is_linear
        self._losses = losses_of_nodes(instance).reshape(-1)
        self._order = np.argsort(self._losses, kind="stable")
        self._columns = _finest_first(instance)
        self._refused: list[int] = []
        self._floors: dict[int, int] = {}
        self._alone: dict[int, int] = {}
        self._undecided: dict[int, int] = {}
        self._late: list[int] = []
        self._claimed = False
        self._best: tuple[int, int] | None = None

    def run(self) -> None:
        """Tag until no node is open, or the budget is spent."""
        if self._linear and self._search.cost is not None:
            self._marks.settle_all(self._losses >= self._search.cost)
        place = 0
        while not self._search.budget.spent:
            place = self._first_open(place)
            if place == len(self._order):
                self._prove()
                if not self._reopened():
                    self._excuse()
                    return
                place = 0
                continue
            node = int(self._order[place])
            if self._linear:
                bound = self._bound(int(self._losses[node]))
                self._search.raise_bound(bound, self._source)
            self._halve(self._marks.chain(node, self._columns))
            self._tell()

    def _first_open(self, place: int) -> int:
        """Return the next place in the order whose node is open."""
        step = 4096
        while place < len(self._order):
            marks = self._marks.marks[self._order[place : place + step]]
            if not marks.all():
                return place + int(marks.argmin())
            place += step
        return len(self._order)

    def _reopened(self) -> bool:
        """Open nodes again of which more may be found out; tell whether there are any.

        They are still among those that are undecided.
        """
        best = self._search.cost
        found = self._left_open()
        late = [
            x for x in self._late if x in found and (best is None or found[x] < best)
        ]
        self._late = []
        for node in late:
            self._marks.open_again(node)
        return bool(late)

    def _halve(self, chain: Sequence[int]) -> None:
        """Tag all of a chain of open nodes."""
        low, high = 0, len(chain)
        while low < high and not self._search.budget.spent:
            middle = (low + high) // 2
            node = chain[middle]
            count = self._counts.count(self._marks.levels_of(node))
            self._take(node, count)
            if count.loss is None:
                low = middle + 1
            else:
                high = middle

    def _take(self, node: int, count: Count) -> None:
        """Mark what a count tells."""
        self._floors[node] = count.floor
        self._claimed |= count.claimed
        if count.loss is not None and (
            self._best is None or count.loss < self._best[0]
        ):
            self._best = count.loss, node
            self._settle_dear()
        if count.least is None:
            self._undecided.pop(node, None)
            self._refused.append(node)
            self._marks.refuse(node)
        elif not self._is_dear(count.floor):
            self._undecided.pop(node, None)
            among = self._alone if count.settled else self._undecided
            among[node] = count.least
            if count.late:
                self._late.append(node)
            self._marks.leave_out(node)
        if not self._linear and self._is_dear(count.floor):
            self._marks.settle(node)

    def _is_dear(self, loss: int) -> bool:
        known = self._search.cost
        best = self._best
        return (best is not None and loss >= best[0]) or (
            known is not None and loss >= known
        )

    def _settle_dear(self) -> None:
        """Mark what costs no less than the best."""
        if self._best is None:
            return
        if self._linear:
            self._marks.settle_all(self._losses >= self._best[0])
            return
        for node, floor in self._floors.items():
            if floor >= self._best[0]:
                self._marks.settle(node)

    def _tell(self) -> None:
        """Report the best node if it is news."""
        if self._best is None:
            return
        cost = self._search.cost
        if cost is None or self._best[0] < cost:
            levels = self._marks.levels_of(self._best[1])
            self._search.offer(self._counts.solution(levels), self._source)

    def _bound(self, loss: int) -> int:
        """Return a loss, or the least of a node that is undecided if that is less."""
        return min((loss, *self._left_open().values()))

    def _left_open(self) -> Mapping[int, int]:
        """Return undecided nodes that no other one has closed, and what they lose."""
        marks, closed = self._marks.marks, REFUSED | SETTLED
        pairs = self._undecided.items()
        return {node: least for node, least in pairs if not marks[node] & closed}

    def _prove(self) -> None:
        """Report what nothing loses less than, and the nodes that show it."""
        cost = self._search.cost
        if cost is None:
            return
        bound = self._bound(cost)
        certificate = None if self._claimed else self._certificate(bound)
        self._search.raise_bound(bound, self._source, certificate)

    def _excuse(self) -> None:
        """Say how many nodes are left that may be better than the best."""
        cost, left = self._search.cost, self._left_open().values()
        undecided = sum(cost is None or least < cost for least in left)
        if undecided:
            self._search.remark(
                f"{self._source}: {counted(undecided, 'node')} of the lattice undecided"
            )

    def _certificate(self, bound: int) -> Mapping[str, Any]:
        dear = {node for node, floor in self._floors.items() if floor >= bound}
        levels_of = self._marks.levels_of
        lowest = [] if self._linear else _extremes(map(levels_of, dear), least=True)
        highest = _extremes(map(levels_of, self._refused), least=False)
        found = {"kind": "lattice", "refused": highest, "dear": lowest}
        left = [*self._alone, *self._left_open()]
        alone = [levels_of(node) for node in left if node not in dear]
        return {**found, "alone": alone} if alone else found


def _finest_first(instance: Generalization) -> Sequence[int]:
    """Return the columns, those of most distinct values first."""
    values = [int(labels[0].max(initial=-1)) for labels in instance.labels]
    return sorted(range(instance.m), key=lambda j: -values[j])


def _extremes(nodes: Iterable[Levels], *, least: bool) -> list[list[int]]:
    """Return the nodes with no other one below, or above."""
    listed = np.array(sorted(set(nodes)), dtype=np.int64)
    if not len(listed):
        return []
    kept: list[IntArray] = []
    order = np.argsort(listed.sum(axis=1), kind="stable")
    for levels in listed[order if least else order[::-1]]:
        if kept:
            others = np.stack(kept)
            beyond = (others <= levels) if least else (others >= levels)
            if beyond.all(axis=1).any():
                continue
        kept.append(levels)
    return [levels.tolist() for levels in kept]
