"""Iterated greedy descent in a lattice of any size, from the top downwards.

A column is lowered by one level at a time, as long as the node is admitted: what a node
refuses, all nodes below it refuse, so a column that cannot be lowered is never tried
again. One descent takes the step that spends least of the allowance of suppressed rows
per share of the column's height, another one the step that leaves classes largest; some
hundred counts each. Then columns of the best node are raised at random and the next
descent begins there, again and again. Of all nodes that were counted the best is
reported.

Every count is remembered: no node is counted twice.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from math import log
from typing import Any, Final

from atleastk.instances.counted_elsewhere import CountedElsewhere
from atleastk.instances.generalization import Generalization
from atleastk.solvers.generalization.boxes import Levels, with_level
from atleastk.solvers.generalization.counting import (
    Count,
    Counter,
    Counts,
    counter_of,
)
from atleastk.solvers.search import Search

_RAISED: Final = (1, 2, 2, 3)
"""How many columns are raised at a time, each number equally likely."""

_MANY: Final = 50_000
_FEWER: Final = 10
"""Distinct records from which on a descent begins where one has come to of a sample,
which has so many times fewer. Not tuned."""

Preference = Callable[[int, Count, Count], float]
"""The cost of a step that lowers a column, from one count to another."""


class Descent:
    """Descents in the lattice of a search.

    Attributes
    ----------
    known
        The counts of nodes, by levels.
    best, found
        The node of least loss, the best of these by `ties`, and its count; None if none
        is admitted.
    """

    def __init__(
        self, search: Search[Any], source: str, counts: Counts | None = None
    ) -> None:
        self._search, self._source = search, source
        self._instance: Generalization = search.instance
        self.counts = counts or counter_of(search.instance)
        self.known: dict[Levels, Count] = {}
        self.best: Levels | None = None
        self.found = Count(0)
        self._rng = random.Random(search.budget.seed)

    def look(self, levels: Levels) -> Count:
        """Return the count of a node."""
        count = self.known.get(levels)
        if count is None:
            count = self.known[levels] = self.counts.count(levels)
            self.take(levels, count)
        return count

    def take(self, levels: Levels, count: Count) -> None:
        """Remember a node if it is the best."""
        loss, known = count.loss, self.found.loss
        if loss is None:
            return
        if known is None or (loss, count.ties) < (known, self.found.ties):
            self.best, self.found = levels, count

    def is_refused(self, levels: Levels) -> bool:
        """Tell whether a node is refused, and so are all nodes below."""
        return self.look(levels).refused

    def is_refused_in_time(self, levels: Levels) -> bool:
        """Tell the same, unless the time is over: then nothing is known to be."""
        return not self._search.budget.spent and self.is_refused(levels)

    def begin(self) -> None:
        """Report the best node of two descents."""
        for _ in self._descents(self._first()):
            self.report()

    def look_around(self) -> None:
        """Do the same, but report nothing."""
        for _ in self._descents(self._first()):
            pass

    def improve(self, rounds: int) -> None:
        """Raise columns of the best node and descend, for so many rounds in vain."""
        tried = 0
        while self.best is not None and tried < rounds and not self._search.done:
            known = self.best
            self._descend(self._raised(known), self._at_random())
            self._descend_from_best()
            tried = tried + 1 if self.best == known else 0
            if self.best != known:
                self.report()

    def descend(self, levels: Levels) -> None:
        """Lower columns of an admitted node, in any order."""
        self._descend(levels, self._at_random())

    def lifted(self, levels: Levels, columns: Sequence[int]) -> Levels:
        """Raise columns of a refused node, in this order, as far as it stays refused.

        In most cases a column can go to its top at once.
        """
        greatest = self._instance.greatest_levels
        for j in columns:
            top = with_level(levels, j, greatest[j])
            if self._search.budget.spent:
                break
            if self.is_refused(top):
                levels = top
                continue
            while self.is_refused(above := _moved(levels, j, 1)):
                levels = above
        return levels

    def report(self, source: str | None = None) -> None:
        """Report the best node that was counted, unless that is done."""
        search, loss = self._search, self.found.loss
        if self.best is None or loss is None:
            return
        known = search.cost
        if known is None or (loss, self.found.ties) < (known, search.ties):
            search.offer(self.counts.solution(self.best), source or self._source)

    def _first(self) -> Levels:
        """Return the top; of many records, where descents of samples have come to."""
        instance, levels = self._instance, self._instance.greatest_levels
        if isinstance(instance, CountedElsewhere) or instance.conditions:
            return levels
        shares = [1.0]
        while instance.records.distinct * shares[0] > _MANY:
            shares.insert(0, shares[0] / _FEWER)
        for share in shares[:-1]:
            if self._search.done:
                break
            counts = Counter(instance, share)
            sample = Descent(self._search, self._source, counts)
            for _ in sample._descents(levels):
                levels = sample.best or levels
        while levels != instance.greatest_levels and self.is_refused_in_time(levels):
            above = (level + 1 for level in levels)
            levels = tuple(map(min, above, instance.greatest_levels))
        return levels

    def _descents(self, levels: Levels) -> Iterator[None]:
        """Descend twice from a node, and look up after each."""
        for prefers in (self._spends, self._splits):
            self._descend(levels, prefers)
            self._descend_from_best()
            yield

    def _descend_from_best(self) -> None:
        """Descend from the best node, which a descent may have passed by."""
        known = None
        while self.best is not None and self.best != known:
            known = self.best
            self._descend(known, self._spends)

    def _descend(self, levels: Levels, prefers: Preference) -> None:
        free, least = set(range(len(levels))), self._instance.least_levels
        here = self.look(levels)
        while free and here.loss is not None and not self._search.done:
            steps = []
            for j in sorted(free):
                if self._search.budget.spent:
                    return
                below = _moved(levels, j, -1)
                count = self.look(below) if levels[j] > least[j] else None
                if count is None or count.loss is None:
                    free.discard(j)
                else:
                    steps.append((prefers(j, here, count), below, count))
            if steps:
                _, levels, here = min(steps, key=lambda step: step[:2])

    def _raised(self, levels: Levels) -> Levels:
        raised, greatest = list(levels), self._instance.greatest_levels
        count = min(self._rng.choice(_RAISED), len(levels))
        for j in self._rng.sample(range(len(levels)), count):
            raised[j] = self._rng.randint(levels[j], greatest[j])
        return tuple(raised)

    def _spends(self, column: int, before: Count, after: Count) -> float:
        """Return how many more rows are suppressed, per share of the height."""
        share = self._instance.shares[column]
        return (after.ties[0] - before.ties[0]) / share

    def _splits(self, column: int, before: Count, after: Count) -> float:
        n = self._instance.n
        sizes = [max(1, count.ties[2] - n * count.ties[0]) for count in (before, after)]
        return log(sizes[0] / sizes[1]) / self._instance.shares[column]

    def _at_random(self) -> Preference:
        noise = [self._rng.random() for _ in range(self._instance.m)]
        return lambda column, *_: noise[column]


def _moved(levels: Levels, column: int, step: int) -> Levels:
    return with_level(levels, column, levels[column] + step)
