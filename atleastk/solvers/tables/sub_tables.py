"""Large neighbourhood search: sub-tables are rearranged by integer programs.

A sub-table (:mod:`atleastk.solvers.tables.occupancy`) has patterns that it may
open, and pairs that its rows may join:

    minimise what is paid  such that  all rows are somewhere,  x_pt <= supply_t y_p,
    sum_t x_pt >= k y_p.

Only pairs of small reduced cost are offered, beside those in use: in a good solution
few others occur. A solution of a sub-table that costs no more than before is accepted;
ties take the search elsewhere.

The time for a sub-table is in proportion to its rows. Those that are solved in time
grow, those that are not shrink. Where the linear program is nearly integral they become
the whole table, whose optimum over the pairs offered ends the search; for k = 2 that is
tried at once. For greater k they stay small.

References
----------
P. Shaw, "Using Constraint Programming and Local Search Methods to Solve Vehicle Routing
Problems", CP 1998 (large neighbourhood search).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from math import inf
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.models.encodings.k_anonymity import pattern_model
from atleastk.models.linear import LinearModel
from atleastk.models.results.status import Status
from atleastk.packages import sparse
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.tables.assignment import (
    Assignment,
    patterns_by_record,
    patterns_of,
)
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import Multipliers, reduced_costs
from atleastk.solvers.tables.occupancy import Occupancy, SubTable
from atleastk.solvers.tables.reduced_model import with_columns
from atleastk.solvers.tables.reporting import Throttle

_OFFERED: Final = 0.3
_OFFERED_LATER: Final = 0.1
"""The greatest reduced cost, in cells, of pairs that are offered, for k = 2 and k > 2.
For greater k more pairs make the models harder, and gain less in the same time."""

_FIRST_ROWS: Final = 150
_SECONDS: Final = 0.3
_SECONDS_PER_ROW: Final = 0.002
"""Seconds for a sub-table, and for each of its rows in addition."""

_FRUITLESS: Final = 20
"""It ends when sub-tables of this many times the rows of the table have gained
nothing."""

_WHOLE: Final = 2
_WHOLE_PAIRS: Final = 200_000
"""Up to this k and this many offered pairs the whole table comes first ..."""

_WHOLE_SHARE: Final = 0.8
"""... for this share of the time left."""

_MARGIN: Final = 0.9
"""The share of its time that HiGHS is given, since it often notices late."""

_GROW: Final = 1.3
_SHRINK: Final = 0.75
_FULL: Final = 0.7
"""They grow only if this share of the rows asked for was found."""


def reoptimise(
    table: ListedTable,
    start: Assignment,
    multipliers: Multipliers,
    budget: Budget,
    on_better: Callable[[Assignment], object] = lambda _: None,
) -> Assignment:
    """Return the best assignment found, never worse than the start.

    The start has groups of at least k rows that patterns cover. The better the
    multipliers, the better the pairs that are offered. `on_better` receives better
    assignments on the way, now and then.
    """
    if budget.spent or start.cost(table.records) == 0:
        return start
    most = _OFFERED if table.k <= _WHOLE else _OFFERED_LATER
    occupancy = occupied(table, start, multipliers, most)
    return _Reoptimisation(occupancy, start, budget, on_better).run()


def occupied(
    table: ListedTable, start: Assignment, known: Multipliers, most: float
) -> Occupancy:
    """Return where rows are, among pairs in use or of at most so many cells more."""
    held, most = held_pairs(table, start), table.records.cell * most * known.scale
    offered = (reduced_costs(table, known) <= most) | (held > 0)
    weights = known.weights / known.scale
    return Occupancy.of(table.only(offered), weights, held[offered])


@dataclass(frozen=True, slots=True)
class Found:
    """Where the rows of a sub-table go, what that saves, and whether it is optimal."""

    pair: IntArray
    copies: IntArray
    saved: int
    in_time: bool


class _Reoptimisation:
    """The state of a search: the occupancy, the sub-tables that are out, their size."""

    def __init__(
        self,
        occupancy: Occupancy,
        start: Assignment,
        budget: Budget,
        on_better: Callable[[Assignment], object],
    ) -> None:
        self._best, self._cost = start, start.cost(occupancy.records)
        self._occupancy, self._budget = occupancy, budget
        self._on_better = on_better
        self._rng = np.random.default_rng(budget.seed)
        self._out: dict[Future[Found], SubTable] = {}
        self._total = occupancy.records.n
        k = occupancy.k
        at_once = k <= _WHOLE and occupancy.patterns.pairs <= _WHOLE_PAIRS
        self._rows = self._total if at_once else float(max(_FIRST_ROWS, 3 * k))
        self._idle = 0
        self._solved = False
        self._gained = 0
        self._throttle = Throttle[None](self._report)

    def run(self) -> Assignment:
        """Rearrange sub-tables until that no longer pays."""
        with ThreadPoolExecutor(max(1, self._budget.workers)) as pool:
            while True:
                self._send(pool)
                if not self._out:
                    self._throttle.flush()
                    return self._best
                for task in wait(self._out, return_when=FIRST_COMPLETED).done:
                    self._receive(self._out.pop(task), task.result())
                self._throttle.take(None)

    @property
    def _over(self) -> bool:
        fruitless = self._idle > _FRUITLESS * self._total
        return self._solved or fruitless or self._budget.spent

    def _send(self, pool: ThreadPoolExecutor) -> None:
        """Take sub-tables out, one for every worker; the whole table goes alone."""
        while not self._over and len(self._out) < max(1, self._budget.workers):
            if self._rows >= self._total and self._out:
                return
            seed = int(self._rng.integers(2**31))
            table = self._occupancy.take(int(self._rows), seed)
            if self._out and not len(table.pair):
                self._occupancy.put(table, table.pair, table.copies)
                return
            task = pool.submit(_solved, table, self._occupancy, self._budget)
            self._out[task] = table

    def _receive(self, table: SubTable, found: Found) -> None:
        """Put a sub-table back, and learn from it how large the next should be."""
        self._occupancy.put(table, found.pair, found.copies)
        rows = int(table.copies.sum())
        self._gained += found.saved
        self._idle = 0 if found.saved else self._idle + max(1, rows)
        self._solved = self._solved or (found.in_time and rows == self._total)
        if not found.in_time:
            self._rows *= _SHRINK
        elif rows >= _FULL * self._rows:
            self._rows *= _GROW
        self._rows = min(self._total, max(2 * self._occupancy.k, self._rows))

    def _report(self, _: None) -> None:
        """Report the current solution if it is better when its cost is recomputed."""
        if self._gained:
            found = self._occupancy.assignment(self._out.values())
            cost = found.cost(self._occupancy.records)
            if cost < self._cost:
                self._best, self._cost = found, cost
                self._on_better(found)
        self._gained = 0


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


def model_of(table: SubTable, occupancy: Occupancy) -> tuple[LinearModel, IntArray]:
    """Return the model of a sub-table, whose rows join opened patterns, or stay.

    And its variables for the pairs that are offered.
    """
    few, safe = table.records, table.refuge >= 0
    cost = np.zeros(few.distinct, dtype=np.int64)
    cost[safe] = occupancy.paid_in(table.refuge[safe])
    joining = pattern_model(few, occupancy.k, table.patterns).model
    staying = sparse.eye_array(few.distinct, dtype=np.int64, format="csr")
    stay = np.arange(joining.columns, joining.columns + few.distinct)
    places = np.concatenate((np.arange(len(table.option)), stay))
    return with_columns(joining, staying, cost, few.copies * safe), places


def _solved(table: SubTable, occupancy: Occupancy, budget: Budget) -> Found:
    """Rearrange a sub-table unless that makes it worse."""
    old = int(occupancy.paid_in(table.pair) @ table.copies)
    rows = table.records.n
    seconds = _SECONDS + _SECONDS_PER_ROW * rows
    if occupancy.k <= _WHOLE and rows == occupancy.records.n:
        seconds = max(seconds, _WHOLE_SHARE * budget.remaining)
    return arranged(table, *model_of(table, occupancy), old, budget.slice(seconds))


def arranged(
    table: SubTable, model: LinearModel, places: IntArray, old: int, budget: Budget
) -> Found:
    """Return where a model has the rows of a sub-table, or as they are if cheaper."""
    options = {
        "threads": 1,
        "time_limit": min(_MARGIN * budget.on_the_wall, inf),
        "objective_bound": old + 0.5,
        "mip_abs_gap": 0.99,  # costs are integers
    }
    answer = Highs(options).minimise(model, budget)
    in_time = answer.status is Status.OPTIMAL
    if answer.values is None or answer.cost is None or answer.cost > old:
        return Found(table.pair, table.copies, 0, in_time)
    copies = answer.values[places]
    used = copies > 0
    return Found(table.offered[used], copies[used], old - answer.cost, in_time)
