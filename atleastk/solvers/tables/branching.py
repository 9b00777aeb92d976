"""Branch and price for small tables, on the columns that the group of a record keeps.

Every group has the pattern of exactly the columns that its rows share. So for a record
of one copy and any set of patterns, its group is in one of them or it is not: two
nodes, and in both some pairs of a pattern and the record are excluded. The sets tried
are all patterns that keep a certain column, and all of at most a certain number of
stars. They divide the solutions evenly, where single groups or pairs of rows
(Ryan-Foster branching) would not.

A node is a set of pairs, hence a table of closed patterns like any other: column
generation (:mod:`atleastk.solvers.tables.group_program`) bounds it, multipliers exclude
further pairs, and once all groups left are few they are listed, and minimised over with
cuts. Nodes that reach the limit are put off until the limit is raised, and nothing that
is proved is lost: the least bound of the open nodes is one for the table.

The linear program only chooses. All bounds of nodes are proved in integers, by
multipliers or by the cuts, except for the last step, the minimisation by a back end.

References
----------
C. Barnhart, E. L. Johnson, G. L. Nemhauser, M. W. P. Savelsbergh, P. H. Vance,
"Branch-and-Price: Column Generation for Solving Huge Integer Programs", 1998.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, FloatArray, IntArray
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.set_partition.listed import escape_of
from atleastk.solvers.tables.cuts import tightened
from atleastk.solvers.tables.group_program import GroupProgram, best_groups
from atleastk.solvers.tables.listed_groups import list_groups, no_groups
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import Multipliers, prove, reduced_costs
from atleastk.solvers.tables.reduced_model import ReducedModel, reduced_model
from atleastk.solvers.tables.table_search import TableSearch

_MOST_GROUPS: Final = 700
"""Groups of a node that are listed, to look for cuts, and that these may leave in one
that is not divided further."""

_TRIED: Final = 8
"""Divisions whose nodes are bounded, roughly, before one is chosen: strong
branching."""

_TOLERANCE: Final = 0.01
"""In stars: duals of a program that is no higher above what is proved are not tried."""

_LEAST_GAIN: Final = 1e-3
"""The gain of a side that counts at least, in stars, so that products are not 0."""


@dataclass(frozen=True, slots=True, eq=False)
class _Node:
    """The pairs that a node allows, weights for it, and its bound times the scale."""

    allowed: BoolArray
    proved: Multipliers
    total: int


@dataclass(frozen=True, slots=True, eq=False)
class _Restricted:
    """The patterns of some pairs, and where these are among all."""

    table: ListedTable
    names: IntArray
    allowed: BoolArray


class Tree:
    """The open nodes of a table, for ever higher limits."""

    def __init__(self, table: TableSearch, proved: Multipliers) -> None:
        self._search, self._table = table, table.listed
        patterns, self._records = self._table.patterns, table.records
        self._program = GroupProgram(self._table)
        self._members, self._pattern_of = patterns.records, patterns.pattern
        self._sets = _sets(patterns, table.records.m)
        everything = np.ones(patterns.pairs, dtype=np.bool_)
        self._count = 0
        self._open: list[tuple[int, int, _Node]] = []
        self._push(_Node(everything, proved, proved.total))
        self._scale = proved.scale
        whole = self._restricted(everything)
        self._add_groups(whole, proved.weights, table.k * self._scale)

    @property
    def bound(self) -> int:
        """No solution costs less, unless it is the best one known."""
        return -(-self._open[0][0] // self._scale)

    def explore(self, limit: int, budget: Budget) -> None:
        """Look for solutions below a limit until there is one or there are none."""
        table = self._search
        while self.bound < limit <= table.cost and not budget.spent:
            node = heapq.heappop(self._open)[2]
            for part in self._parts(node, limit, budget):
                self._push(part)
            table.raise_bound(min(self.bound, limit), "closing")

    def _push(self, node: _Node) -> None:
        self._count += 1
        heapq.heappush(self._open, (node.total, self._count, node))

    def _parts(self, node: _Node, limit: int, budget: Budget) -> list[_Node]:
        """Return the node with a better bound, or the two into which it divides."""
        most = limit * self._scale
        left = self._left(node.allowed, node.proved, limit)
        proved = self._converged(left, node.proved, limit, budget)
        node = replace(node, total=max(node.total, min(proved.total, most)))
        if proved.bound >= limit or budget.spent:
            return [node]
        left = self._left(left.allowed, proved, limit)
        few = _MOST_GROUPS, _MOST_GROUPS
        pool = list_groups(left.table, proved, limit, budget, *few)
        listed = bool(pool.complete.all())
        if not listed:
            pool = no_groups(left.table)
        reduced = reduced_model(left.table, pool, limit)
        if listed:
            tight = tightened(reduced, self._records, limit, budget)
            total = min(tight.bound * self._scale, most)
            node = replace(node, total=max(node.total, total))
            if tight.bound >= limit:
                return [node]
            reduced = replace(reduced, model=tight.model)
            listed = tight.left <= _MOST_GROUPS
        parts = [] if listed else self._divided(left, limit, budget)
        if parts or budget.spent:
            return [
                replace(node, allowed=node.allowed & ~out, proved=proved)
                for out in parts
            ] or [node]
        bound = self._minimised(reduced, limit, budget)
        return [replace(node, total=max(node.total, bound * self._scale))]

    def _restricted(self, allowed: BoolArray) -> _Restricted:
        """Return the allowed pairs of patterns that still have k rows."""
        allowed = self._table.supported(allowed)
        names = np.unique(self._pattern_of[allowed])
        return _Restricted(self._table.only(allowed), names, allowed)

    def _left(self, allowed: BoolArray, proved: Multipliers, limit: int) -> _Restricted:
        """Return the pairs of a node that solutions below a limit may use."""
        within = self._restricted(allowed)
        proved = prove(within.table, proved.weights, self._scale)
        raises = reduced_costs(within.table, proved)
        few = np.zeros(len(allowed), dtype=np.bool_)
        spare = (limit - 1) * self._scale - proved.total
        few[within.allowed] = raises <= spare
        return self._restricted(few)

    def _converged(
        self, left: _Restricted, start: Multipliers, limit: int, budget: Budget
    ) -> Multipliers:
        """Return weights that prove the limit, or nearly the bound of the program."""
        scale = self._scale
        best = prove(left.table, start.weights, scale)
        self._program.allow(left.allowed)
        while best.bound < limit:
            optimum = self._program.solve(budget)
            if optimum is None or optimum.value - best.value < _TOLERANCE:
                break
            added = 0
            for share in (0.6, 0.0):  # of the best weights
                tried = share * best.weights + (1.0 - share) * scale * optimum.duals
                weights = np.rint(tried).astype(np.int64)
                proved = prove(left.table, weights, scale)
                best = max(best, proved, key=lambda known: known.total)
                added += self._add_groups(left, weights, 0)
            if not added:
                break
        return best

    def _add_groups(self, left: _Restricted, weights: IntArray, most: int) -> int:
        found = best_groups(left.table, weights, self._scale, most)
        return self._program.add(replace(found, mark=left.names[found.mark]))

    def _divided(
        self, left: _Restricted, limit: int, budget: Budget
    ) -> list[BoolArray]:
        """Return the pairs that two nodes exclude; nothing if no record divides."""
        optimum = self._program.solve(budget)
        if optimum is None:
            return []
        members, best, parts = self._members, -1.0, []
        for record, chosen in self._candidates(left, optimum.activity):
            yes = (members == record) & chosen[self._pattern_of]
            no = (members == record) & ~chosen[self._pattern_of]
            gains = [
                min(self._program.value_without(out, optimum), limit) - optimum.value
                for out in (yes, no)
            ]
            score = max(gains[0], _LEAST_GAIN) * max(gains[1], _LEAST_GAIN)
            if score > best:
                best, parts = score, [yes, no]
        return parts

    def _candidates(
        self, left: _Restricted, activity: FloatArray
    ) -> list[tuple[int, BoolArray]]:
        active = np.flatnonzero(activity > _LEAST_GAIN)
        record, pattern = self._members[active], self._pattern_of[active]
        distinct = self._records.distinct
        parts = np.array(
            [
                np.bincount(record, activity[active] * chosen[pattern], distinct)
                for chosen in self._sets
            ]
        )
        uneven = np.abs(parts - 0.5)
        uneven[:, self._records.copies != 1] = 1.0
        found: dict[tuple[int, bytes], tuple[int, BoolArray]] = {}
        for place in np.argsort(uneven, axis=None, kind="stable"):
            s, t = divmod(int(place), distinct)
            if uneven[s, t] > 0.45 or len(found) == _TRIED:  # nearly 0 or 1
                break
            of_record = left.allowed & (self._members == t)
            key = t, self._sets[s][self._pattern_of[of_record]].tobytes()
            found.setdefault(key, (t, self._sets[s]))
        return list(found.values())

    def _minimised(self, reduced: ReducedModel, limit: int, budget: Budget) -> int:
        """Minimise over the groups of a node; return the bound, at most the limit."""
        answer = _PROVER.minimise(
            reduced.model, replace(budget, workers=1), hint=escape_of(reduced.model)
        )
        if answer.values is not None and not answer.values[-1]:
            self._search.offer_assignment(reduced.decode(answer.values), "closing")
        return min(limit, answer.bound or 0)


_PROVER: Final = Highs({"mip_heuristic_effort": 0.0})


def _sets(patterns: Patterns, columns: int) -> list[BoolArray]:
    by_column = [(patterns.kept >> j) & 1 == 1 for j in range(columns)]
    by_stars = [patterns.stars <= s for s in np.unique(patterns.stars)[:-1]]
    return by_column + by_stars
