"""Linear relaxation of assignments: the least excess over the limits.

x_pt copies of kind t have pattern p, y_p is how far p is in use, e is minimised:

- sum over p of x_pt = copies of t,  sum over t of x_pt >= k y_p,  x_pt <= copies y_p,
- every limit plus e, and every pair of successive classes of columns has a threshold:
  cells of the first class <= threshold + e, those of the second >= threshold - e,
- the decisions of the node: pairs without copies, and rows for its splits;
- in k-ambiguity no y, but the needs that are found to be violated;
- in diversity, for every pattern and sensitive column: d_pv <= y_p and <= rows of value
  v, sum of d_pv >= l y_p; or l times the rows of v <= all rows; and f_pv >= n times the
  rows of v - those of the table times all rows, where the sum of f_pv is at most t n
  times all rows.

Artificial variables with a high cost stand for copies without a pattern and violated
splits, so that the program is feasible. The duals of a positive excess, rounded, are
the weights of a leaf (:mod:`atleastk.models.certificates.pattern_weights`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.instances.diversity import Diversity
from atleastk.models.certificates.matching_needs import Need, is_sure, lacking, payments
from atleastk.models.certificates.pattern_pairs import CountSplit, Node, PatternPairs
from atleastk.models.certificates.pattern_weights import Leaf, is_refuted, prices_of
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import SCALES, GrowingLp, LpOptimum
from atleastk.solvers.pattern_trees.needs import unmet_needs
from atleastk.solvers.precision import NOTHING

_Terms = Sequence[tuple[Any, Any, Any]]
"""Indices of added rows, variables, and coefficients."""

_DIGITS: Final = 7
"""Decimals of a number of copies: the tolerance of HiGHS."""


class Relaxation(NamedTuple):
    """The copies of every pair, the excess over the limits, and the duals."""

    x: FloatArray
    excess: float
    duals: FloatArray


class _Columns(NamedTuple):
    """Indices of the variables: pairs, patterns, kinds without one, thresholds.

    ``broken`` is the violation of splits, ``excess`` that of limits.
    """

    x: IntArray
    y: IntArray
    unplaced: IntArray
    thresholds: IntArray
    broken: int
    excess: int

    @classmethod
    def of(cls, pairs: PatternPairs) -> _Columns:
        orders = max(0, len(pairs.table.column_order or ()) - 1)
        sizes = len(pairs.kind), len(pairs.hidden), len(pairs.copies), orders
        ends = np.cumsum((0, *sizes)).tolist()
        x, y, unplaced, thresholds = (np.arange(*span) for span in pairwise(ends))
        return cls(x, y, unplaced, thresholds, ends[-1], ends[-1] + 1)

    @property
    def all(self) -> int:
        """The number of variables."""
        return self.excess + 1


class Program:
    """The relaxation of all nodes with the same columns outside the region.

    `node` is one of these nodes.
    """

    def __init__(self, pairs: PatternPairs, node: Node) -> None:
        question = pairs.table
        self._pairs, self._columns = pairs, _Columns.of(pairs)
        self._rows, self._variables = 0, self._columns.all
        self._limits: dict[tuple[str, int], int] = {}
        self._orders: dict[tuple[int, int], int] = {}
        self._splits: dict[CountSplit | int, int] = {}
        self._decided: list[int] = []
        self._needs: dict[tuple[int, int, bool], int] = {}
        heaviest = int(pairs.row_weights.max(initial=1))
        self._least = float(pairs.problem.rows * (question.m * heaviest + 1) + 1)
        """The shift of the excess: it may be negative, variables may not."""
        self._lp = GrowingLp([], [])
        self._add_columns()
        self._add_assignments()
        self._add_limits(node)
        self._add_orders()
        if pairs.problem.diverse is not None:
            self._add_values(pairs.problem.diverse)
        floor = [(0, self._columns.excess, 1.0)]
        self._floor = self._add(1, floor, -np.inf, np.inf)

    def least_excess(self, node: Node, budget: Budget) -> Relaxation | None:
        """Return a fractional assignment of least excess; None if out of time."""
        pairs, lp = self._pairs, self._lp
        lp.cap(0, np.where(pairs.allowed(node), np.inf, 0.0))
        for row in self._decided:
            lp.bound_row(row, -np.inf, np.inf)
        self._decided = [*map(self._row_of, node.counts), *map(self._row_of, node.used)]
        for split in node.counts:
            row = self._row_of(split)
            if split.yes:
                lp.bound_row(row, -np.inf, split.most)
            else:
                lp.bound_row(row, split.most + 1, np.inf)
        for pattern in node.used:
            lp.bound_row(self._row_of(pattern), 1.0, np.inf)
        for (kind, needed, sure), row in self._needs.items():
            holds = sure == is_sure(pairs, node, kind, needed)
            least = lacking(pairs, kind) if sure else 0.0
            lp.bound_row(row, least if holds else -np.inf, np.inf)
        while True:
            found = self._within_needs(budget)
            if found is None or not self._add_needs(node, found.x):
                return found

    def _add_needs(self, node: Node, x: FloatArray) -> bool:
        """Add rows for violated needs; tell whether there are any."""
        pairs, columns, added = self._pairs, self._columns, False
        if not pairs.problem.matches:
            return False
        for kind, needed in unmet_needs(pairs, node, x):
            sure = is_sure(pairs, node, kind, needed)
            if (kind, needed, sure) not in self._needs:
                paid = payments(pairs, node, kind, needed)
                row = [(0, columns.x, -paid), (0, columns.broken, 1.0)]
                least = float(lacking(pairs, kind)) if sure else 0.0
                self._needs[kind, needed, sure] = self._add(1, row, least, np.inf)
                added = True
        return added

    def _within_needs(self, budget: Budget) -> Relaxation | None:
        """Return an assignment of least excess within the needs so far."""
        columns = self._columns
        found = self._least_above(0.0, budget)
        missing = np.append(columns.unplaced, columns.broken)
        limited = self._limits or self._orders
        if found and not (limited and found.primal[missing].max() <= NOTHING):
            # A negative excess must not outweigh the artificial variables.
            found = self._least_above(self._least, budget)
        if found is None:
            return None
        x = np.round(found.primal[columns.x], _DIGITS)
        return Relaxation(x, found.value - self._least, found.duals)

    def _least_above(self, least: float, budget: Budget) -> LpOptimum | None:
        """Return an optimum whose shifted excess is at least `least`."""
        self._lp.bound_row(self._floor, least, np.inf)
        return self._lp.solve(budget)

    def leaf(self, node: Node, found: Relaxation) -> Leaf | None:
        """Return rounded duals that refute a node; None if they do not."""
        if found.excess < NOTHING:
            return None
        for scale in (*SCALES, 10**8):
            leaf = self._rounded(node, found.duals * scale)
            if is_refuted(self._pairs, node, leaf):
                return leaf
        return None

    def _rounded(self, node: Node, duals: FloatArray) -> Leaf:
        m, classes = self._pairs.table.m, self._pairs.table.column_order or ()
        above = {limit: -duals[row] for limit, row in self._limits.items()}
        orders = np.zeros((max(0, len(classes) - 1), m), dtype=np.int64)
        for (c, j), row in self._orders.items():
            orders[c, j] = _weight(-duals[row]) * (1 if j in classes[c] else -1)
        for c, factors in enumerate(orders):  # they have to add up to 0
            surplus = int(factors.sum())
            factors[classes[c + (surplus > 0)][0]] -= surplus
        leaf = Leaf(
            tuple(map(round, duals[: len(self._pairs.copies)].tolist())),
            _weight(above.get(("entries", 0), 0.0)),
            _weight(above.get(("rows", 0), 0.0)),
            tuple(_weight(above.get(("per_column", j), 0.0)) for j in range(m)),
            tuple(map(tuple, orders.tolist())),
            tuple(_weight(-s.sign * duals[self._row_of(s)]) for s in node.counts),
            tuple(
                Need(kind, needed, _weight(duals[row]))
                for (kind, needed, sure), row in self._needs.items()
                if row < len(duals)
                and _weight(duals[row])
                and sure == is_sure(self._pairs, node, kind, needed)
            ),
        )
        return self._exact(node, leaf) if self._pairs.problem.matches else leaf

    def _exact(self, node: Node, leaf: Leaf) -> Leaf:
        """Return a leaf whose kinds are worth just what their cheapest pattern costs.

        In k-ambiguity no pattern is shared.
        """
        allowed = self._pairs.allowed(node)
        least = np.array(leaf.weights, dtype=np.int64)
        kind = self._pairs.kind[allowed]
        least[kind] = np.iinfo(np.int64).max
        np.minimum.at(least, kind, prices_of(self._pairs, node, leaf)[allowed])
        return replace(leaf, weights=tuple(least.tolist()))

    def _add_columns(self) -> None:
        columns, question = self._columns, self._pairs.table
        costs, upper = np.zeros(columns.all), np.full(columns.all, np.inf)
        upper[columns.y] = 1.0
        costs[columns.excess] = 1.0
        heaviest = int(self._pairs.row_weights.max(initial=1))
        dear = 2.0 * (question.m + 1) * question.k * heaviest
        costs[columns.unplaced] = costs[columns.broken] = dear
        self._lp.add_columns(sparse.csr_array((columns.all, 0)), costs, upper)

    def _add_assignments(self) -> None:
        """Add the rows of kinds, which come first, of patterns, and of pairs."""
        pairs, columns = self._pairs, self._columns
        copies = pairs.copies.astype(np.float64)
        kinds, patterns = np.arange(len(copies)), np.arange(len(columns.y))
        placed: _Terms = [(pairs.kind, columns.x, 1.0), (kinds, columns.unplaced, 1.0)]
        self._add(len(kinds), placed, copies, copies)
        if pairs.problem.matches:  # no pattern is shared
            return
        k = float(pairs.table.k)
        full = [(pairs.pattern, columns.x, 1.0), (patterns, columns.y, -k)]
        self._add(len(patterns), full, 0.0, np.inf)
        y = columns.y[pairs.pattern]
        used = [(columns.x, columns.x, 1.0), (columns.x, y, -copies[pairs.kind])]
        self._add(len(columns.x), used, -np.inf, 0.0)

    def _add_limits(self, node: Node) -> None:
        pairs, columns = self._pairs, self._columns
        limits = pairs.table.limits
        stars = pairs.stars() * pairs.row_weights[pairs.kind]
        counted = {("entries", 0): stars, ("rows", 0): pairs.outside(node)}
        for j in range(pairs.table.m):
            counted["per_column", j] = pairs.hides(j)
        for limit, cells in counted.items():
            if limit[0] in limits:
                row = [(0, columns.x, cells), (0, columns.excess, -1.0)]
                most = limits[limit[0]] - self._least
                self._limits[limit] = self._add(1, row, -np.inf, most)

    def _add_orders(self) -> None:
        pairs, columns = self._pairs, self._columns
        successive = pairwise(pairs.table.column_order or ())
        for c, (here, after) in enumerate(successive):
            for j in (*here, *after):
                sign = 1.0 if j in here else -1.0
                row = [
                    (0, columns.x, sign * pairs.hides(j)),
                    (0, columns.thresholds[c], -sign),
                    (0, columns.excess, -1.0),
                ]
                self._orders[c, j] = self._add(1, row, -np.inf, -self._least)

    def _add_values(self, instance: Diversity) -> None:
        """Add the variables of every pattern and value, and the rows of diversity."""
        pattern, x = self._pairs.pattern, self._columns.x
        y = self._columns.y
        for s, totals in enumerate(instance.totals):
            values, many = self._pairs.values[self._pairs.kind, s], len(totals)
            cell, all_cells = pattern * many + values, np.arange(len(y) * many)
            home = all_cells // max(1, many)
            # Every pair is counted for all values of its pattern.
            every = np.add.outer(pattern * many, np.arange(many)).ravel()
            repeated = np.repeat(x, many)
            if instance.reading == "distinct":
                shown = self._more(len(all_cells))
                of_rows = [(all_cells, shown, 1.0), (cell, x, -1.0)]
                self._add(len(all_cells), of_rows, -np.inf, 0.0)
                of_use = [(all_cells, shown, 1.0), (all_cells, y[home], -1.0)]
                self._add(len(all_cells), of_use, -np.inf, 0.0)
                least = float(min(instance.l, many + 1))
                enough = [(home, shown, 1.0), (np.arange(len(y)), y, -least)]
                self._add(len(y), enough, 0.0, np.inf)
            else:
                most = float(min(instance.l, instance.n + 1))
                shared = [(cell, x, most), (every, repeated, -1.0)]
                self._add(len(all_cells), shared, -np.inf, 0.0)
            if instance.t is not None:
                far = self._more(len(all_cells))
                shares = np.tile(totals / instance.n, len(pattern))
                distances = [
                    (all_cells, far, -1.0),
                    (cell, x, 1.0),
                    (every, repeated, -shares),
                ]
                self._add(len(all_cells), distances, -np.inf, 0.0)
                near = [(home, far, 1.0), (pattern, x, -float(instance.t))]
                self._add(len(y), near, -np.inf, 0.0)

    def _more(self, count: int) -> IntArray:
        none = sparse.csr_array((count, self._rows))
        self._lp.add_columns(none, np.zeros(count), np.full(count, np.inf))
        self._variables += count
        return np.arange(self._variables - count, self._variables)

    def _row_of(self, split: CountSplit | int) -> int:
        """Return the row of a split by copies, or of a pattern's use; made once."""
        if split not in self._splits:
            columns = self._columns
            terms: _Terms
            if isinstance(split, int):
                terms = [(0, columns.y[split], 1.0), (0, columns.broken, 1.0)]
            else:
                counted = self._pairs.counted(split)
                terms = [
                    (0, columns.x, counted),
                    (0, columns.broken, float(not split.yes)),
                ]
            self._splits[split] = self._add(1, terms, -np.inf, np.inf)
        return self._splits[split]

    def _add(self, count: int, terms: _Terms, lower: Any, upper: Any) -> int:
        """Add rows of terms (row among them, column, factor); return the first."""
        parts = [np.broadcast_arrays(*map(np.atleast_1d, term)) for term in terms]
        row, column, factor = (
            np.concatenate(some) for some in zip(*parts, strict=True)
        )
        shape = count, self._variables
        entries = sparse.coo_array((factor.astype(np.float64), (row, column)), shape)
        self._lp.add_rows(entries.tocsr(), lower, upper)
        self._rows += count
        return self._rows - count


def _weight(dual: float) -> int:
    """Return the nearest integer of at least 0."""
    return max(0, round(float(dual)))
