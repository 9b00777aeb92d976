"""Branch and bound for set partitioning over listed groups: Ryan-Foster branching.

Two items are in one group, or they are not [RyanFoster81]: groups with just one of them
go, or those with both. Where no pair is fractional, a single group is in or out. A node
is a subset of the list. The duals of its linear program are rounded; with their reduced
costs c', in integers, any choice costs at least

    sum of y, times the sides of the rows, + sum of the negative c',

and a group that raises this to the limit goes, too (reduced cost fixing). So the answer
does not rely on the accuracy of the linear program. Triples that a node violates are
added for all.

Items of several copies have no pairs: groups with these are only in, once or more, or
out.

References
----------
[RyanFoster81] D. M. Ryan and B. A. Foster, "An Integer Programming Approach to
Scheduling", in Computer Scheduling of Public Transport, 1981.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import numpy as np

from atleastk.arrays import BoolArray, FloatArray, IntArray
from atleastk.models.linear import LinearModel
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import Basis, GrowingLp, LpOptimum, unit_for
from atleastk.solvers.engine.refutation_tree import WHOLE, most_even, togetherness
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.oracle import Frame
from atleastk.solvers.engine.set_partition.triples import crossing, violated_triples

_MOST_TRIPLES: Final = 400
"""Triples of a linear program, at most: not tuned."""

_TRIED: Final = 6
"""Candidates of strong branching: pairs whose branches are both solved."""

_FLAT: Final = 20
"""The effort of a linear program without a pivot, in pivots."""

_GIVEN_UP: Final = 64
"""The cost of giving up, in limits: bounds are valid with any cost of at least one, and
with just one a share of it hides for long that a node has no choice. Not tuned."""

_CORE: Final = 1_000
"""Columns that a linear program begins with. Not tuned."""

_ENTERING: Final = 300
"""Columns that enter it at a time. Not tuned."""

_CLOSE: Final = 1e-6
"""Columns whose reduced costs are below 0 by less do not enter."""

_SAFE: Final = 2**61
"""Below this, sums are safe in 64 bits."""


@dataclass(frozen=True, slots=True, eq=False)
class _Relaxed:
    """The solution of a linear program, its bound, scaled, and the columns left."""

    point: FloatArray
    total: int
    left: IntArray


class _Program:
    """The linear program of the columns of a node, and of one that gives up.

    It begins with the first of them, those of the least reduced costs before. Others
    enter as theirs ask for it.
    """

    def __init__(
        self, program: GrowingLp, rows: Any, costs: FloatArray, times: IntArray
    ) -> None:
        self.rows, self._program = rows, program  # [column, row], sparse
        self._costs, self._times = costs, times
        self._has = np.zeros(len(costs), dtype=np.bool_)
        self._known = np.zeros(0, dtype=np.int64)  # columns in the order they entered
        self._enter(np.arange(min(len(costs), _CORE)))
        self.effort = 0

    @property
    def basis(self) -> Basis:
        """The basis at the end of the last run."""
        return self._program.basis

    def allow(self, allowed: BoolArray | None, basis: Basis | None = None) -> None:
        """Let the next run have some of the columns only, and start from a basis."""
        times = self._times if allowed is None else allowed * self._times
        self._program.cap(1, times[self._known])
        if basis is not None:
            self._program.start_from(basis)

    def solve(self, budget: Budget) -> LpOptimum | None:
        """Return the optimum of the columns that have entered, [column], gives up."""
        optimum = self._program.solve(budget)
        self.effort += _FLAT * len(self._costs)
        self.effort += self._program.pivots * len(self._known)
        if optimum is None:
            return None
        point = np.zeros(len(self._costs) + 1)
        point[self._known], point[-1] = optimum.primal[1:], optimum.primal[0]
        return LpOptimum(point, optimum.duals, optimum.value)

    def grow(self, duals: FloatArray, allowed: BoolArray | None) -> bool:
        """Let allowed columns enter that duals ask for; return whether there are any.

        Without any, the optimum is that of all allowed columns.
        """
        reduced = self._costs - self.rows @ duals
        wanted = (reduced < -_CLOSE) & ~self._has
        if allowed is not None:
            wanted &= allowed
        entering = np.flatnonzero(wanted)
        order = np.argsort(reduced[entering], kind="stable")
        self._enter(entering[order[:_ENTERING]])
        return len(entering) > 0

    def _enter(self, columns: IntArray) -> None:
        self._program.add_columns(
            self.rows[columns], self._costs[columns], self._times[columns]
        )
        self._has[columns] = True
        self._known = np.concatenate((self._known, columns))


class Branching:
    """A search for a choice of groups that costs less than a limit.

    Parameters
    ----------
    model
        Of these groups and triples, with the limit as the cost of its last variable
        (:func:`~atleastk.solvers.engine.set_partition.listed.listed_model`).
    on_choice
        Called with better choices: the places of groups in the list, each as often as
        it is taken.
    on_bound
        Called with lower bounds of all choices.
    """

    def __init__(
        self,
        frame: Frame,
        groups: Groups,
        triples: IntArray,
        model: LinearModel,
        on_choice: Callable[[IntArray], object],
        on_bound: Callable[[int], object],
    ) -> None:
        n, alone = frame.n, frame.n if frame.left_out else 0
        self.limit, self._scale = int(model.objective[-1]), frame.scale
        self._groups, self._triples = groups.count, triples
        self._has = np.concatenate((groups.has, np.eye(alone, n, dtype=np.bool_)))
        self._cost, self._times = model.objective[:-1], model.upper[:-1]
        self._rows = sparse.csr_array(model.rows[:, :-1].T)
        self._least = np.maximum(model.row_lower, 0)
        self._most = np.minimum(model.row_upper, int(frame.demand.sum()))
        self._single = frame.demand == 1
        self._n, self._unit = n, unit_for(self.limit, n)
        self._on_choice, self._on_bound = on_choice, on_bound
        self._nodes = [(0, 0, np.arange(len(self._cost)))]
        self._made = self._effort = 0

    def run(self, budget: Budget, effort: int | None = None) -> bool:
        """Continue the search; return whether it is complete, as far as it can be.

        `effort` limits the pivots, times the columns, of this run.
        """
        nodes, begun = self._nodes, self._effort
        while nodes:
            if effort is not None and self._effort - begun > effort:
                return False
            self._on_bound(min(self.limit, -(-nodes[0][0] // self._scale)))
            total, _, left = nodes[0]
            if self._is_over(total):
                break
            branches = self._branches(left, budget)
            if branches is None:
                return False
            heapq.heappop(nodes)
            for relaxed in branches:
                if not self._is_over(relaxed.total):
                    self._made += 1
                    node = (max(total, relaxed.total), -self._made, relaxed.left)
                    heapq.heappush(nodes, node)
        nodes.clear()
        self._on_bound(self.limit)
        return True

    def lower(self, limit: int) -> None:
        """Look for choices below a lower limit from now on."""
        self.limit = min(self.limit, limit)

    def _is_over(self, total: int) -> bool:
        return total > self._scale * (self.limit - 1)

    def _branches(self, left: IntArray, budget: Budget) -> list[_Relaxed] | None:
        """Return the best pair of branches of a node.

        None if out of time, or if only groups without items of one copy are fractional.
        """
        for _ in range(4):
            program = self._program(left)
            relaxed = self._solved(program, left, budget)
            if relaxed is None:
                return None
            if self._is_over(relaxed.total):
                return []
            triples = violated_triples(
                self._has[left], relaxed.point, self._single, most=40
            )
            if not len(triples) or len(self._triples) + len(triples) > _MOST_TRIPLES:
                break
            self._add(triples)
            left = relaxed.left
        else:
            program = self._program(left)
            relaxed = self._solved(program, left, budget)
            if relaxed is None:
                return None
        if self._is_over(relaxed.total):
            return []
        return self._best_branches(program, left, relaxed, budget)

    def _best_branches(
        self, program: _Program, left: IntArray, node: _Relaxed, budget: Budget
    ) -> list[_Relaxed] | None:
        basis = program.basis
        best: list[_Relaxed] = []
        most: tuple[int, int] | None = None
        for sides in self._divisions(left, node.point):
            tried = []
            for side in sides:
                relaxed = self._side(program, basis, left, side, budget)
                if relaxed is None:
                    return None
                tried.append(relaxed)
            gains = sorted(
                min(t.total, self._scale * self.limit) - node.total for t in tried
            )
            if most is None or (gains[0], gains[1]) > most:
                best, most = tried, (gains[0], gains[1])
            if self._is_over(gains[0] + node.total):
                return []
        if most is None and not self._single.all() and not self._is_over(node.total):
            return None
        return best

    def _side(
        self,
        program: _Program,
        basis: Basis,
        left: IntArray,
        allowed: BoolArray,
        budget: Budget,
    ) -> _Relaxed | None:
        """Solve the program of a node with some of its columns only."""
        program.allow(allowed, basis)
        return self._solved(program, left, budget, allowed)

    def _divisions(
        self, left: IntArray, point: FloatArray
    ) -> Iterator[tuple[BoolArray, BoolArray]]:
        """Yield pairs of sides: the columns left if two items are together, or apart.

        Without such a pair, if a group is in, or out. All sides are proper subsets;
        without any, the columns in use are the only choice left.
        """
        has = self._has[left]
        shared = togetherness(has, point)
        shared[~self._single] = shared[:, ~self._single] = 0.0
        tried = 0
        for i, j in islice(most_even(shared), 10 * _TRIED):
            together, both = has[:, i] == has[:, j], has[:, i] & has[:, j]
            if tried == _TRIED:
                break
            if both.any() and not together.all():
                tried += 1
                yield together, ~both
        if tried:
            return
        used = np.flatnonzero(point > WHOLE)
        halved = np.argsort(np.abs(point[used] - 0.5), kind="stable")
        for column in used[halved].tolist():
            out = np.arange(len(left)) != column
            disjoint = ~has[:, has[column] & self._single].any(axis=1)
            if not (disjoint | ~out).all():
                yield disjoint | ~out, out
                return
        self._choose(left[used])

    def _solved(
        self,
        program: _Program,
        left: IntArray,
        budget: Budget,
        allowed: BoolArray | None = None,
    ) -> _Relaxed | None:
        """Solve a program, and report the point if it is a choice."""
        optimum = program.solve(budget)
        while optimum is not None and program.grow(optimum.duals, allowed):
            optimum = program.solve(budget)
        self._effort += program.effort
        program.effort = 0
        if optimum is None:
            return None
        total, reduced = self._proved(program.rows, optimum.duals, left, allowed)
        values = optimum.primal
        spare = self._scale * (self.limit - 1) - total
        stays = reduced <= spare if allowed is None else allowed & (reduced <= spare)
        point = values[:-1]
        times = np.rint(point)
        if np.abs(values - np.append(times, 0.0)).max() <= WHOLE:
            self._choose(np.repeat(left, times.astype(np.int64)))
        kept = np.flatnonzero(stays)
        kept = kept[np.argsort(reduced[kept], kind="stable")]
        return _Relaxed(point, total, left[kept])

    def _proved(
        self,
        rows: Any,
        duals: FloatArray,
        left: IntArray,
        allowed: BoolArray | None,
    ) -> tuple[int, IntArray]:
        """Return the bound, scaled, and the reduced costs."""
        rounded = np.rint(duals * self._unit * self._scale)
        free = self._least == 0
        rounded[free] = np.minimum(rounded[free], 0)
        # A share of duals proves that share of their bound.
        rounded *= min(1.0, _SAFE / max(1.0, np.abs(rounded).sum()))
        y = rounded.astype(np.int64)
        sides = np.where(y < 0, self._most, self._least)
        reduced = self._scale * self._cost[left] - rows @ y
        under = np.minimum(reduced, 0) * self._times[left]
        if allowed is not None:
            under = under[allowed]
        if under.astype(np.float64).sum() < -_SAFE:
            return -2 * _SAFE, reduced  # below all costs
        return int(y @ sides) + int(under.sum()), reduced

    def _choose(self, chosen: IntArray) -> None:
        """Report columns, each as often as it is listed, if they are a choice."""
        cost, held = int(self._cost[chosen].sum()), self._rows[chosen].sum(axis=0)
        if cost < self.limit and ((self._least <= held) & (held <= self._most)).all():
            self._on_choice(chosen[chosen < self._groups])
            self.lower(cost)

    def _add(self, triples: IntArray) -> None:
        """Add triples to all programs to come."""
        crossed = sparse.csr_array(crossing(self._has, triples).astype(np.int64))
        self._rows = sparse.csr_array(
            sparse.hstack((self._rows, crossed), format="csr")
        )
        self._triples = np.concatenate((self._triples, triples))
        one = np.ones(len(triples), dtype=np.int64)
        self._least = np.concatenate((self._least, 0 * one))
        self._most = np.concatenate((self._most, one))

    def _program(self, left: IntArray) -> _Program:
        """Return the linear program of some columns."""
        least = np.where(self._least > 0, self._least, -np.inf)
        program = GrowingLp(least, self._most)
        given_up = _GIVEN_UP * self.limit / self._unit
        program.add_columns(self._least[None], given_up, 1.0)
        costs, rows = self._cost[left] / self._unit, self._rows[left]
        return _Program(program, rows, costs, self._times[left])
