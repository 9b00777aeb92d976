"""k-anonymity of few columns and values: branch and bound over sets of open patterns.

[Chakaravarthy10, section 4]: guess which patterns are open, that is, given to at least
k rows; for each guess an integer program assigns the copies s(t) of every record t to
the open patterns that match it. With m columns and s values there are (s+1)^m patterns,
so at most 2^((s+1)^m) guesses, each with at most (s+1)^m s^m variables: constants if m
and s are, but doubly exponential in the columns.

The same, with less work:

- closed patterns of support at least k suffice [ParkShim07, Theorem 4.14];
- the integer program of a guess is a transportation problem with lower bounds, so a
  minimum-cost flow, which is integral, solves it: no integer programming is needed;
- guesses are made one pattern at a time, and a flow in which the patterns not yet
  guessed may take any number of copies bounds all guesses that begin like this. If it
  gives each of them none or at least k, it is the best of these guesses; otherwise one
  that it gives fewer is guessed next, open or closed.

The flows are computed in exact integers by OR-Tools, which is imported by the first
run. At most 2^(p+1) of them for p closed patterns.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import IntArray
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.encodings.k_anonymity import pattern_model
from atleastk.models.tables.patterns import Patterns
from atleastk.packages import min_cost_flow
from atleastk.solvers.search import Search

MOST_PATTERNS = 64
"""Closed patterns, at most: flows are computed for up to 2^(p + 1) sets of them."""

Guesses = NDArray[np.int8]

_FREE, _OPEN, _CLOSED = 0, 1, 2


def minimise_by_guesses(
    search: Search[KAnonymity], patterns: Patterns, source: str
) -> None:
    """Solve by guessing open patterns; the search has a solution."""
    transport = _Transport(search.instance, patterns)
    decode = pattern_model(search.instance.records, search.instance.k, patterns).decode
    queue: list[tuple[int, int, Guesses, int]] = []
    numbers = count()

    def guess(guesses: Guesses) -> None:
        copies = transport.cheapest(guesses)
        if copies is not None:
            cost = int(transport.stars @ copies)
            following = transport.most_broken(copies)
            heappush(queue, (cost, next(numbers), guesses, following))

    guess(np.full(patterns.count, _FREE, dtype=np.int8))
    while queue and not search.closed:
        if search.budget.spent:
            return
        cost, _, guesses, following = heappop(queue)
        if search.cost is not None and cost >= search.cost:
            break
        search.raise_bound(cost, source)
        if following < 0:
            best = transport.cheapest(guesses)
            if best is not None:
                search.offer(decode(best), source)
            break
        for answer in (_OPEN, _CLOSED):
            further = guesses.copy()
            further[following] = answer
            guess(further)
    search.conclude(source)


class _Transport:
    """The transportation problem of assigning records to patterns.

    Nodes are the records, the patterns, and a sink; arcs are the pairs, and one from
    every pattern to the sink, for what it gets beyond its lower bound. `stars` are
    those of the pattern of every pair.
    """

    def __init__(self, instance: KAnonymity, patterns: Patterns) -> None:
        self.k, self.supply = instance.k, instance.records.copies
        self.patterns, self.pattern = patterns.count, patterns.pattern
        self.record = patterns.records.astype(np.int64)
        self.stars = patterns.stars.astype(np.int64)[self.pattern]

    def cheapest(self, guesses: Guesses) -> IntArray | None:
        """Return the copies that every pair takes at least cost; None if impossible."""
        least = np.where(guesses == _OPEN, self.k, 0)
        beyond = int(self.supply.sum() - least.sum())
        if beyond < 0:
            return None
        records = len(self.supply)
        sink = records + self.patterns
        pairs = np.flatnonzero(guesses[self.pattern] != _CLOSED)
        flow = min_cost_flow.SimpleMinCostFlow()
        arcs = flow.add_arcs_with_capacity_and_unit_cost(
            self.record[pairs],
            records + self.pattern[pairs],
            self.supply[self.record[pairs]],
            self.stars[pairs],
        )
        flow.add_arcs_with_capacity_and_unit_cost(
            np.arange(records, sink),
            np.full(self.patterns, sink),
            np.full(self.patterns, beyond),
            np.zeros(self.patterns, dtype=np.int64),
        )
        flow.set_nodes_supplies(
            np.arange(sink + 1), np.concatenate((self.supply, -least, [-beyond]))
        )
        if flow.solve() != flow.OPTIMAL:
            return None
        copies = np.zeros(len(self.pattern), dtype=np.int64)
        copies[pairs] = flow.flows(arcs)
        return copies

    def most_broken(self, copies: IntArray) -> int:
        """Return the pattern of most copies among those of too few, else -1."""
        given = np.bincount(self.pattern, copies, minlength=self.patterns)
        given[given >= self.k] = 0
        chosen = int(given.argmax())
        return chosen if given[chosen] > 0 else -1
