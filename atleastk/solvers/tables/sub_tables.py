"""Large neighbourhood search: sub-tables are rearranged by integer programs.

A solution gives every pattern at least k rows in all, or none. A *sub-table* takes rows
out, whole groups or what a large group can spare, and asks for the best arrangement of
these rows while all else stays: a row may join any pattern that still has k rows, of
which the cheapest, its *refuge*, is enough; or rows open patterns together:

    minimise what is paid  such that  all rows are somewhere,  x_pt <= supply_t y_p,
    sum_t x_pt >= k y_p.

A pattern is left out if, of all the rows of the sub-table that match it, no choice of k
or more saves against their refuges: in any arrangement they might as well go there.

Only pairs of small reduced cost are offered, beside those in use: in a good solution
few others occur. A solution of a sub-table that costs no more than before is accepted;
ties take the search elsewhere.

Every worker has a sub-table, of rows that no other one has, unless they are too few.
What one leaves k rows is not taken as a whole by the next: so all rows can also go
back.

A sub-table begins where groups pay more than the weights of their rows: a solution is
above the bound of the multipliers by that alone.

The time for a sub-table is in proportion to its rows. Those that are solved in time
grow, those that are not, or that leave little time for others, shrink. Where the linear
program is nearly integral they become the whole table, whose optimum over the pairs
offered ends the search. For k > 2 they stay small.

The fullest column
------------------
With z the stars of the fullest column of the whole table, and P the sum of the prices
of the columns, the model may minimise  P z + what is paid. So a part that cannot lower
z makes room where it is dear. Then one worker has sub-tables, as each of them counts
the stars of all rows outside.

References
----------
P. Shaw, "Using Constraint Programming and Local Search Methods to Solve Vehicle Routing
Problems", CP 1998 (large neighbourhood search).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from math import inf
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.models.encodings.k_anonymity import pattern_model
from atleastk.models.linear import INFINITE, LinearModel
from atleastk.models.results.status import Status
from atleastk.models.tables.patterns import Patterns
from atleastk.packages import sparse
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.precision import NOTHING
from atleastk.solvers.tables.assignment import (
    Assignment,
    patterns_by_record,
    patterns_of,
)
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import Multipliers, reduced_costs
from atleastk.solvers.tables.reduced_model import with_columns
from atleastk.solvers.tables.reporting import Throttle

_OFFERED: Final = 0.3
_OFFERED_LATER: Final = 0.1
"""The greatest reduced cost, in cells, of pairs that are offered, for k = 2 and k > 2.
For greater k more pairs make the models harder, and gain less in the same time."""

_OFFERED_FULLEST: Final = 0.5
"""The same for the fullest column: not tuned."""

_FIRST_ROWS: Final = 150
_SECONDS: Final = 0.3
_SECONDS_PER_ROW: Final = 0.002
"""Seconds for a sub-table, and for each of its rows in addition."""

_FRUITLESS: Final = 20
"""It ends when sub-tables of this many times the rows of the table have gained
nothing."""

_MARGIN: Final = 0.9
"""The share of its time that HiGHS is given, since it often notices late."""

_GROW: Final = 1.3
_SHRINK: Final = 0.75
_FULL: Final = 0.7
"""They grow only if this share of the rows asked for was found."""

_LONG: Final = 0.1
"""They shrink after one that took more than this share of the time left, or the last
one would be in vain: with 0.05 they save a tenth less on all of Adult, k = 2."""

_BRANCHES: Final = 12
"""The most records of a pattern whose groups are looked at."""

_DEAD_ENDS: Final = 30
"""Consecutive attempts that take out no row before the selection ends: not tuned."""


def reoptimise(
    table: ListedTable,
    start: Assignment,
    multipliers: Multipliers,
    budget: Budget,
    on_better: Callable[[Assignment], object] = lambda _: None,
    *,
    fullest: bool = False,
) -> Assignment:
    """Return the best assignment found, never worse than the start.

    The start has groups of at least k rows that patterns cover. The better the
    multipliers, the better the pairs that are offered. `on_better` receives better
    assignments on the way, now and then. If the `fullest` column counts then it costs
    as much as a star in every column, beside all stars.
    """

    def cost_of(found: Assignment) -> int:
        own = found.cost(records)
        return own + records.most * int(found.stars(records).max()) if fullest else own

    records, k = table.records, table.k
    best, cost = start, cost_of(start)
    if budget.spent or cost == 0:
        return start
    n, workers = records.n, 1 if fullest else max(1, budget.workers)
    most = _OFFERED if k <= 2 else _OFFERED_LATER
    most = _OFFERED_FULLEST if fullest else most
    occupancy = Occupancy(table, start, multipliers, most)
    rows = float(max(_FIRST_ROWS, 3 * k))
    rng, idle, solved = np.random.default_rng(budget.seed), 0, False

    def report(_: None) -> None:
        nonlocal best, cost
        found = occupancy.assignment()
        reached = cost_of(found)
        if reached < cost:
            best, cost = found, reached
            on_better(found)

    throttle = Throttle[None](report)
    with ThreadPoolExecutor(workers) as pool:
        while not (solved or idle > _FRUITLESS * n or budget.spent):
            # Of more than half of the rows few are left that are related.
            count = max(1, min(workers, n // int(2 * rows)))
            tables = occupancy.take(int(rows), count, rng)
            idle += not tables
            solve = partial(
                _rearranged, occupancy=occupancy, fullest=fullest, budget=budget
            )
            answers = [*pool.map(solve, tables)]
            for taken, found in zip(tables, answers, strict=True):
                occupancy.put(found.pair, found.copies)
                size = taken.records.n
                solved = solved or (found.in_time and size == n)
                idle = 0 if found.saved else idle + size
                long = found.seconds > _LONG * budget.remaining
                if not found.in_time or long:
                    rows *= _SHRINK
                elif size >= _FULL * rows:
                    rows *= _GROW
                rows = min(n, max(2 * k, rows))
            if any(found.saved for found in answers):
                throttle.take(None)
        throttle.flush()
    return best


class SubTable(NamedTuple):
    """Rows that were taken out, and how they may be arranged."""

    pair: IntArray  # what was taken, and how many copies, [entry]
    copies: IntArray  # [entry]
    records: Records  # the records of these rows, as a table of their own
    refuge: IntArray  # the pair of a record with its refuge, or -1, [record]
    patterns: Patterns  # those that may be opened, of these records
    option: IntArray  # their pairs among all, [pair of `patterns`]


class Found(NamedTuple):
    """Where the rows of a sub-table go, and what that saves."""

    pair: IntArray
    copies: IntArray
    saved: int
    in_time: bool  # whether it is optimal
    seconds: float  # that it took


class Occupancy:
    """How many copies of each record every pattern has; sub-tables are taken out.

    Pairs of a pattern and a record are those in use, and of at most so many cells more.

    Attributes
    ----------
    held, size
        The copies of every pair, and the rows of every pattern.
    pattern, paid
        The pattern of every pair, and what a row pays there.
    """

    def __init__(
        self, table: ListedTable, start: Assignment, known: Multipliers, most: float
    ) -> None:
        held, most = held_pairs(table, start), table.records.cell * most * known.scale
        offered = (reduced_costs(table, known) <= most) | (held > 0)
        self.records, self.k, self.held = table.records, table.k, held[offered]
        self.patterns = patterns = table.patterns.only(offered)
        self.pattern = patterns.pattern
        size = np.bincount(self.pattern, weights=self.held, minlength=patterns.count)
        self.size = size.astype(np.int64)
        self.paid = patterns.stars[self.pattern] * self.records.worth[patterns.records]
        self._excess = self.paid - (known.weights / known.scale)[patterns.records]
        each = np.bincount(patterns.records, minlength=self.records.distinct)
        order = np.argsort(patterns.records, kind="stable")
        self._pairs = np.split(order, np.cumsum(each)[:-1])  # the cheapest first

    def stars_of(self, pair: IntArray) -> IntArray:
        """Return in which columns pairs have a star, [pair, column]."""
        kept = self.patterns.kept[self.pattern[pair], None]
        starred: IntArray = 1 - (kept >> np.arange(self.records.m) & 1)
        return starred

    def assignment(self) -> Assignment:
        """Return the solution."""
        some = np.flatnonzero(self.held)
        record = self.patterns.records[some]
        return Assignment.of(self.pattern[some], record, self.held[some])

    def take(self, rows: int, tables: int, rng: np.random.Generator) -> list[SubTable]:
        """Take out about `rows` related rows, some times; all if there are no more."""
        if rows >= self.records.n:
            pair = np.flatnonzero(self.held)
            taken = [(pair, self.held[pair])]
            self.held[:] = 0
            self.size[:] = 0
        else:
            held = np.flatnonzero(self.held)
            above = np.bincount(self.pattern[held], (self.held * self._excess)[held])
            chance = np.maximum(above, NOTHING)[self.pattern[held]]
            draw = partial(
                rng.choice, self.patterns.records[held], p=chance / chance.sum()
            )
            taken, guarded = [], np.zeros(self.patterns.count, dtype=np.bool_)
            for _ in range(tables):
                pair, copies = self._related(rows, guarded, draw, rng)
                guarded[self.pattern[pair]] = True
                taken.append((pair, copies))
        return [self._sub_table(*each) for each in taken if len(each[0])]

    def put(self, pair: IntArray, copies: IntArray) -> None:
        """Put the rows of a sub-table back, as they were or rearranged."""
        np.add.at(self.held, pair, copies)
        np.add.at(self.size, self.pattern[pair], copies)

    def _related(
        self,
        goal: int,
        guarded: BoolArray,
        draw: Callable[[], int],
        rng: np.random.Generator,
    ) -> tuple[IntArray, IntArray]:
        """Take rows related to one that is drawn; return pairs and copies."""
        found = np.empty((2, 0), dtype=np.int64)
        pairs, copies, failed, t = [found], 0, 0, draw()
        while copies < goal and failed < _DEAD_ENDS:
            # A pattern of the record at hand, and some records that match it, too.
            matching = self.patterns.matching(self.pattern[rng.choice(self._pairs[t])])
            near = np.roll(matching, rng.integers(len(matching)))[:_BRANCHES]
            before = copies
            pairs_near = np.concatenate([self._pairs[r] for r in (t, *near)])
            for pair in pairs_near[self.held[pairs_near] > 0]:
                if self.held[pair] and copies < goal:
                    pairs.append(self._freed_at(pair, guarded))
                    copies += int(pairs[-1][1].sum())
            # It goes on at a record that was taken, or anew after a dead end.
            failed = failed + 1 if copies == before else 0
            found = np.hstack(pairs)
            t = draw() if failed else self.patterns.records[rng.choice(found[0])]
        return found[0], found[1]

    def _freed_at(self, pair: int, guarded: BoolArray) -> IntArray:
        """Take the rows of a small group, or what a large one spares of a record.

        Returns pairs and copies.
        """
        p, k, pairs = self.pattern[pair], self.k, np.array([pair])
        whole = k <= self.size[p] <= 2 * k + max(2, k // 2)
        spare = np.clip(self.size[p] - k, 0, 2 * k)
        if whole and not guarded[p]:
            pairs, spare = np.arange(*self.patterns.starts[p : p + 2]), self.size[p]
        copies = np.minimum(self.held[pairs], spare)
        pairs, copies = pairs[copies > 0], copies[copies > 0]
        self.held[pairs] -= copies
        self.size[p] -= copies.sum()
        return np.stack((pairs, copies))

    def _sub_table(self, pair: IntArray, copies: IntArray) -> SubTable:
        record, place = np.unique(self.patterns.records[pair], return_inverse=True)
        supply = np.zeros(len(record), dtype=np.int64)
        np.add.at(supply, place, copies)
        refuge, option = self._options(record, supply)
        chosen = np.zeros(self.patterns.pairs, dtype=np.bool_)
        chosen[option] = True
        opened = self.patterns.only(chosen)
        home = np.searchsorted(record, opened.records).astype(np.int32)
        few = self.records.apart(record.astype(np.int64), supply)
        opened = replace(opened, records=home)
        return SubTable(pair, copies, few, refuge, opened, option)

    def _options(
        self, record: Int32Array, supply: IntArray
    ) -> tuple[IntArray, IntArray]:
        """Return the refuge of each record, and the pairs worth deciding on."""
        pair = np.sort(np.concatenate([self._pairs[t] for t in record]))
        member = np.searchsorted(record, self.patterns.records[pair])
        kept = self.size[self.pattern[pair]] >= self.k
        refuge = np.full(len(record), -1, dtype=np.int64)
        safe, first = np.unique(member[kept], return_index=True)
        refuge[safe] = pair[kept][first]
        # Closed patterns: the rows that gain most come first, those without a refuge.
        pair, member = pair[~kept], member[~kept]
        pattern, lost = self.pattern[pair], refuge[member] < 0
        gain = np.where(lost, 0, self.paid[refuge[member]] - self.paid[pair])
        order = np.lexsort((-gain, pattern))
        rows, gain, lost = supply[member[order]], gain[order], lost[order]
        begins = np.flatnonzero(np.diff(pattern, prepend=-1))
        lengths = np.diff(np.append(begins, len(pair)))
        before = np.cumsum(rows) - rows
        before -= np.repeat(before[begins], lengths)
        # All rows that save go there, and those that lose least up to k.
        taken = np.where(gain > 0, rows, np.clip(self.k - before, 0, rows))
        saves = np.add.reduceat(taken * gain, begins) > 0
        saves |= np.logical_or.reduceat(lost, begins)
        opened = saves & (np.add.reduceat(rows, begins) >= self.k)
        return refuge, pair[np.repeat(opened, lengths)]


def held_pairs(table: ListedTable, start: Assignment) -> IntArray:
    """Return how many copies of each pair a solution uses."""
    patterns, records = table.patterns, table.records
    lists = patterns_by_record(patterns, records.distinct)
    chosen = patterns_of(start, records, patterns, *lists)[start.group]
    pairs = patterns.pattern * records.distinct + patterns.records
    used = np.searchsorted(pairs, chosen * records.distinct + start.record)
    held = np.zeros(patterns.pairs, dtype=np.int64)
    np.add.at(held, used, start.copies)
    return held


def _rearranged(
    table: SubTable, occupancy: Occupancy, fullest: bool, budget: Budget
) -> Found:
    """Return where the rows of a sub-table go: to opened patterns, or to refuges.

    They stay as they are if that is cheaper.
    """
    few, k, safe = table.records, occupancy.k, table.refuge >= 0
    cost = np.where(safe, occupancy.paid[table.refuge], 0)
    joining = pattern_model(few, k, table.patterns).model
    staying = sparse.eye_array(few.distinct, dtype=np.int64, format="csr")
    model = with_columns(joining, staying, cost, few.copies * safe)
    pair = np.concatenate((table.option, table.refuge))
    stay = joining.columns + np.arange(few.distinct)
    place = np.concatenate((np.arange(len(table.option)), stay))
    old = int(occupancy.paid[table.pair] @ table.copies)
    if fullest:
        model, before = _with_fullest(model, place, pair, table, occupancy)
        old += before
    seconds = _SECONDS + _SECONDS_PER_ROW * few.n
    part = budget.slice(seconds)
    options = {
        "threads": 1,
        "time_limit": min(_MARGIN * part.on_the_wall, inf),
        "objective_bound": old + 0.5,
        "mip_abs_gap": 0.99,  # costs are integers
    }
    began = CLOCK.now()
    answer = Highs(options).minimise(model, part)
    took = CLOCK.now() - began
    in_time = answer.status is Status.OPTIMAL
    if answer.values is None or answer.cost is None or answer.cost > old:
        return Found(table.pair, table.copies, 0, in_time, took)
    copies = answer.values[place]
    saved, some = old - answer.cost, copies > 0
    return Found(pair[some], copies[some], saved, in_time, took)


def _with_fullest(
    model: LinearModel,
    place: IntArray,
    pair: IntArray,
    table: SubTable,
    occupancy: Occupancy,
) -> tuple[LinearModel, int]:
    """Add the stars of the fullest column; return the model, and what they cost before.

    `place` has the variables of pairs.
    """
    records = occupancy.records
    held = np.flatnonzero(occupancy.held)
    outside = occupancy.held[held] @ occupancy.stars_of(held)
    before = outside + table.copies @ occupancy.stars_of(table.pair)
    counted = np.zeros((records.m, model.columns), dtype=np.int64)
    counted[:, place] = occupancy.stars_of(pair).T
    model = replace(
        model,
        rows=sparse.csr_array(sparse.vstack((model.rows, sparse.csr_array(counted)))),
        row_lower=np.append(model.row_lower, np.full(records.m, -INFINITE)),
        row_upper=np.append(model.row_upper, -outside),
    )
    greatest = np.zeros((1, model.rows.shape[0]), dtype=np.int64)
    greatest[0, -records.m :] = -1
    column = sparse.csr_array(greatest)
    model = with_columns(model, column, records.most, records.n)
    return model, records.most * int(before.max())
