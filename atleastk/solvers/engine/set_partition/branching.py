"""Branch and bound for set partitioning over listed groups: Ryan-Foster branching.

Two items are in one group, or they are not [RyanFoster81]: groups with just one of them
go, or those with both. Where no pair is fractional, a single group is in or out. A node
is a subset of the list. The duals of its linear program are rounded; with their reduced
costs c', in integers, any choice costs at least

    sum of y, times the sides of the rows, + sum of the negative c',

and a group that raises this to the limit goes, too (reduced cost fixing). So the answer
does not rely on the accuracy of the linear program. Triples that a node violates are
added for it and what is below it, which begins with its basis.

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
from functools import partial
from itertools import compress
from math import inf
from threading import Condition
from typing import Any, Final

import numpy as np

from atleastk.arrays import BoolArray, FloatArray, IntArray
from atleastk.models.linear import LinearModel
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import (
    Basis,
    GrowingLp,
    LpOptimum,
    are_basic,
    start_of,
    unit_for,
)
from atleastk.solvers.engine.race import together
from atleastk.solvers.engine.refutation_tree import (
    GIVEN_UP,
    TRIED,
    most_even,
    togetherness,
)
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.oracle import Frame
from atleastk.solvers.engine.set_partition.triples import crossing, violated_triples
from atleastk.solvers.interrupting import GLANCE
from atleastk.solvers.precision import NOTHING

_MOST_TRIPLES: Final = 400
"""Triples of a linear program, at most: not tuned."""

_FLAT: Final = 20
"""The effort of a linear program without a pivot, in pivots."""

_CORE: Final = 1_000
"""Columns that a linear program begins with. Not tuned."""

_ENTERING: Final = 300
"""Columns that enter it at a time. Not tuned."""

_SAFE: Final = 2**61
"""Below this, sums are safe in 64 bits."""


@dataclass(frozen=True, slots=True, eq=False)
class _Node:
    """Columns of the list, those of the least reduced costs first, and triples."""

    total: int  # what choices cost at least, scaled
    left: IntArray
    triples: IntArray
    known: IntArray  # columns of a basis
    basis: Basis | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Relaxed:
    """A solution of a linear program, its bound, scaled, and the columns that stay."""

    point: FloatArray  # [column]
    total: int
    stays: BoolArray  # [column]
    reduced: IntArray  # [column]
    known: IntArray  # columns of the basis
    basis: Basis


class _Program:
    """The linear program of the columns of a node, and of one that gives up.

    It begins with the first of them, those of the least reduced costs before, and with
    those of a basis. Others enter as theirs ask for it.
    """

    def __init__(
        self,
        node: _Node,
        crossed: BoolArray,  # [column, triple]
        rows: Any,  # [column, row], sparse
        least: IntArray,
        most: IntArray,
        costs: FloatArray,
        times: IntArray,
        given_up: float,
    ) -> None:
        self.left, self.triples = node.left, node.triples[:0]
        self.rows, self.least, self.most = rows, least, most
        self._costs, self._times = costs, times
        self._program = GrowingLp(np.where(least > 0, least, -np.inf), most)
        self._program.add_columns(least[None], given_up, 1.0)
        self._has = np.zeros(len(costs), dtype=np.bool_)
        self._known = np.zeros(0, dtype=np.int64)  # columns in the order they entered
        self.effort = 0
        self._enter(np.arange(min(len(costs), _CORE)))
        self.cut(node.triples, crossed)
        if node.basis is not None:
            self._begin(node.known, node.basis)

    def _begin(self, known: IntArray, basis: Basis) -> None:
        """Let the first run start from a basis of columns of the list."""
        escape, *others = basis.col_status
        used = known[np.array(are_basic(others), dtype=np.bool_)]
        self._enter(np.flatnonzero(np.isin(self.left, used) & ~self._has))
        status = dict(zip(known.tolist(), others, strict=True))
        entered = map(status.get, self.known.tolist())
        self._program.start_from(start_of([escape, *entered], basis.row_status))

    @property
    def known(self) -> IntArray:
        """The columns of the list that have entered."""
        return self.left[self._known]

    @property
    def basis(self) -> Basis:
        """The basis at the end of the last run."""
        return self._program.basis

    def allow(self, allowed: BoolArray, basis: Basis) -> None:
        """Let the next run have some of the columns only, and start from a basis."""
        self._program.cap(1, (allowed * self._times)[self._known])
        self._program.start_from(basis)

    def cut(self, triples: IntArray, crossed: BoolArray) -> None:
        """Add triples, and which columns cross them."""
        given_up = np.zeros((len(triples), 1))
        entries = np.hstack((given_up, crossed[self._known].T))
        self._program.add_rows(entries, -np.inf, 1.0)
        added = sparse.csr_array(crossed).astype(np.int64)
        self.rows = sparse.hstack((self.rows, added), format="csr")
        self.triples = np.concatenate((self.triples, triples))
        one = np.ones(len(triples), dtype=np.int64)
        self.least = np.concatenate((self.least, 0 * one))
        self.most = np.concatenate((self.most, one))

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
        wanted = (reduced < -NOTHING) & ~self._has
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
        Of these groups and maybe triples, with the limit as the cost of its last
        variable (:func:`~atleastk.solvers.engine.set_partition.listed.listed_model`).
    known
        The best cost known, the limit at least.
    on_choice
        Called with better choices than that: the places of groups in the list, each as
        often as it is taken.
    on_bound
        Called with lower bounds of all choices.
    """

    def __init__(
        self,
        frame: Frame,
        groups: Groups,
        model: LinearModel,
        known: int,
        on_choice: Callable[[IntArray], object],
        on_bound: Callable[[int], object],
    ) -> None:
        n, alone = frame.n, frame.n if frame.left_out else 0
        self.limit, self._scale = int(model.objective[-1]), frame.scale
        self._groups = groups.count
        self._has = np.concatenate((groups.has, np.eye(alone, n, dtype=np.bool_)))
        self._cost, self._times = model.objective[:-1], model.upper[:-1]
        self._rows = sparse.csr_array(model.rows[:, :-1].T)
        self._least = np.maximum(model.row_lower, 0)
        self._most = np.minimum(model.row_upper, int(frame.demand.sum()))
        self._single = frame.demand == 1
        self._unit = unit_for(self.limit, n)
        self._on_choice, self._on_bound = on_choice, on_bound
        nothing = np.zeros((0, 3), dtype=np.int64)
        every = np.arange(len(self._cost))
        self._nodes = [(0, 0, _Node(0, every, nothing, every[:0]))]
        self._made = self._effort = 0
        self._known = known
        self._busy: list[int] = []  # bounds of nodes that are at work
        self._turn = Condition()

    def run(self, budget: Budget, effort: int | None = None) -> bool:
        """Continue the search; return whether it is complete, as far as it can be.

        Every worker has a thread. `effort` limits the pivots, times the columns, of
        this run.
        """
        most = inf if effort is None else self._effort + effort
        work = partial(self._work, most)
        if budget.workers == 1:
            return work(budget)
        return all(together([work] * budget.workers, budget))

    def lower(self, limit: int) -> bool:
        """Look for choices below a limit; return whether it is the lowest so far."""
        with self._turn:
            better = limit < self._known
            self._known = min(self._known, limit)
            self.limit = min(self.limit, limit)
        return better

    def _work(self, most: float, budget: Budget) -> bool:
        """Take one node after the other; return whether none is left."""
        while (node := self._next(most, budget)) is not None:
            branches = self._branches(node, budget)
            with self._turn:
                self._busy.remove(node.total)
                for branch in [node] if branches is None else branches:
                    self._made += 1
                    heapq.heappush(self._nodes, (branch.total, -self._made, branch))
                self._turn.notify_all()
            if branches is None:
                return False
        with self._turn:
            if self._nodes or self._busy:
                return False
        self._on_bound(self.limit)
        return True

    def _next(self, most: float, budget: Budget) -> _Node | None:
        """Return the node of the least bound; None if none is left, or no effort."""
        with self._turn:
            while True:
                if self._nodes and self._is_over(self._nodes[0][0]):
                    self._nodes.clear()
                if self._nodes or not self._busy or budget.spent:
                    break
                self._turn.wait(GLANCE)
            if not self._nodes or self._effort > most or budget.spent:
                return None
            node = heapq.heappop(self._nodes)[2]
            self._busy.append(node.total)
            least = min(self._busy)
        self._on_bound(min(self.limit, -(-least // self._scale)))
        return node

    def _is_over(self, total: int) -> bool:
        return total > self._scale * (self.limit - 1)

    def _branches(self, node: _Node, budget: Budget) -> list[_Node] | None:
        """Return the best pair of branches of a node, without those that are over.

        None if out of time, or if only groups without items of one copy are fractional.
        """
        program = self._program(node)
        relaxed = self._solved(program, budget)
        for _ in range(4):
            if relaxed is None:
                return None
            if self._is_over(relaxed.total):
                return []
            has = self._has[program.left]
            triples = violated_triples(has, relaxed.point, self._single, most=40)
            if not len(triples) or len(program.triples) + len(triples) > _MOST_TRIPLES:
                break
            program.allow(relaxed.stays, relaxed.basis)
            program.cut(triples, crossing(has, triples))
            relaxed = self._solved(program, budget, relaxed.stays)
        if relaxed is None:
            return None
        if self._is_over(relaxed.total):
            return []
        best = self._best_branches(program, relaxed, budget)
        if best is None:
            return None
        left = (each for each in best if not self._is_over(each.total))
        return [self._child(program, each, node.total) for each in left]

    def _child(self, program: _Program, relaxed: _Relaxed, least: int) -> _Node:
        """Return the node of a branch, with the triples that are of use to it."""
        kept = np.flatnonzero(relaxed.stays)
        kept = kept[np.argsort(relaxed.reduced[kept], kind="stable")]
        basis, rows = relaxed.basis, len(self._least)
        status = basis.row_status
        used = ~np.array(are_basic(status[rows:]), dtype=np.bool_)
        basis.row_status = [*status[:rows], *compress(status[rows:], used)]
        triples = program.triples[used]
        total = max(least, relaxed.total)
        return _Node(total, program.left[kept], triples, relaxed.known, basis)

    def _best_branches(
        self, program: _Program, node: _Relaxed, budget: Budget
    ) -> list[_Relaxed] | None:
        best: list[_Relaxed] = []
        most: tuple[int, int] | None = None
        for sides in self._divisions(program.left, node):
            tried = []
            for side in sides:
                program.allow(side, node.basis)
                relaxed = self._solved(program, budget, side)
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

    def _divisions(
        self, left: IntArray, node: _Relaxed
    ) -> Iterator[tuple[BoolArray, BoolArray]]:
        """Yield pairs of sides: the columns left if two items are together, or apart.

        Without such a pair, if a group is in, or out. All sides are proper subsets;
        without any, the columns in use are the only choice left.
        """
        has, point, stays = self._has[left], node.point, node.stays
        shared = togetherness(has, point)
        shared[~self._single] = shared[:, ~self._single] = 0.0
        tried = 0
        for i, j in most_even(shared, 160):
            together, both = has[:, i] == has[:, j], has[:, i] & has[:, j]
            if tried == TRIED:
                break
            if (both & stays).any() and (stays & ~together).any():
                tried += 1
                yield together & stays, ~both & stays
        if tried:
            return
        used = np.flatnonzero(point > NOTHING)
        halved = np.argsort(np.abs(point[used] - 0.5), kind="stable")
        for column in used[halved].tolist():
            out = np.arange(len(left)) != column
            disjoint = ~has[:, has[column] & self._single].any(axis=1)
            if (stays & out & ~disjoint).any():
                yield stays & (disjoint | ~out), stays & out
                return
        self._choose(left[used])

    def _solved(
        self,
        program: _Program,
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
        total, reduced = self._proved(program, optimum.duals, allowed)
        stays = reduced <= self._scale * (self.limit - 1) - total
        if allowed is not None:
            stays &= allowed
        point = optimum.primal[:-1]
        times = np.rint(point)
        if np.abs(optimum.primal - np.append(times, 0.0)).max() <= NOTHING:
            self._choose(np.repeat(program.left, times.astype(np.int64)))
        return _Relaxed(point, total, stays, reduced, program.known, program.basis)

    def _proved(
        self, program: _Program, duals: FloatArray, allowed: BoolArray | None
    ) -> tuple[int, IntArray]:
        """Return the bound, scaled, and the reduced costs."""
        rounded = np.rint(duals * self._unit * self._scale)
        free = program.least == 0
        rounded[free] = np.minimum(rounded[free], 0)
        # A share of duals proves that share of their bound.
        rounded *= min(1.0, _SAFE / max(1.0, np.abs(rounded).sum()))
        y = rounded.astype(np.int64)
        sides = np.where(y < 0, program.most, program.least)
        reduced = self._scale * self._cost[program.left] - program.rows @ y
        under = np.minimum(reduced, 0) * self._times[program.left]
        if allowed is not None:
            under = under[allowed]
        if under.astype(np.float64).sum() < -_SAFE:
            return -2 * _SAFE, reduced  # below all costs
        return int(y @ sides) + int(under.sum()), reduced

    def _choose(self, chosen: IntArray) -> None:
        """Report columns, each as often as it is listed, if they are a choice."""
        cost, held = int(self._cost[chosen].sum()), self._rows[chosen].sum(axis=0)
        whole = ((self._least <= held) & (held <= self._most)).all()
        if whole and self.lower(cost):
            self._on_choice(chosen[chosen < self._groups])

    def _program(self, node: _Node) -> _Program:
        """Return the linear program of a node."""
        left = node.left
        return _Program(
            node,
            crossing(self._has[left], node.triples),
            self._rows[left],
            self._least,
            self._most,
            self._cost[left] / self._unit,
            self._times[left],
            GIVEN_UP * self.limit / self._unit,
        )
