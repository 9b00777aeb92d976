"""Upper bounds at scale: sub-tables, arranged anew by integer programming.

A sub-table (:mod:`atleastk.solvers.k_anonymity.holdings`) has patterns that it may
open, and pairs that its rows may join:

    minimise what is paid  such that  all rows are somewhere,  x_pt <= supply_t y_p,
    sum_t x_pt >= k y_p.

Only pairs that raise the bound of the multipliers by little are offered, beside those
in use: in a good solution few others occur. A solution of a sub-table that costs no
more than before is accepted; ties take the search elsewhere.

The time for a sub-table is in proportion to its rows. Those that are solved in time
grow, those that are not shrink. Where the linear program is nearly integral they become
the whole table, whose optimum over the pairs offered ends the search; for k = 2 that is
tried at once. For greater k they stay small.

References
----------
P. Shaw, "Using Constraint Programming and Local Search Methods to Solve Vehicle Routing
Problems", CP 1998 (large neighbourhoods).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from math import inf
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.records import Records
from atleastk.models.linear import INFINITE, LinearModel
from atleastk.models.results.status import Status
from atleastk.models.tables.patterns import Patterns
from atleastk.packages import sparse
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.k_anonymity.assignment import Assignment
from atleastk.solvers.k_anonymity.greedy_cover import Ground
from atleastk.solvers.k_anonymity.holdings import Holdings, SubTable
from atleastk.solvers.k_anonymity.multipliers import Multipliers, reduced_costs

_OFFERED: Final = 0.3
_OFFERED_LATER: Final = 0.1
"""Pairs are offered that raise the bound by so many cells at most, for k = 2 and k > 2.

For greater k more pairs make the models harder, and gain less in the same time."""

_FIRST_ROWS: Final = 150
_SECONDS: Final = 0.3
_SECONDS_A_ROW: Final = 0.002
"""Seconds for a sub-table, and for each of its rows in addition."""

_PAUSE: Final = 0.5
"""Seconds between two better assignments, at least."""

_FRUITLESS: Final = 20
"""It ends when this many times the rows of the table have gained nothing."""

_WHOLE: Final = 2
_WHOLE_PAIRS: Final = 200_000
"""For k and offered pairs up to these, the whole table comes first ..."""

_WHOLE_SHARE: Final = 0.8
"""... for so much of the time left."""

_MARGIN: Final = 0.9
"""The share of its time that HiGHS is told, since it often notices late."""

_GROW: Final = 1.3
_SHRINK: Final = 0.75
_FULL: Final = 0.7
"""They grow only if this part of the rows asked for was found."""


def reoptimise(
    patterns: Patterns,
    records: Records,
    k: int,
    start: Assignment,
    multipliers: Multipliers,
    budget: Budget,
    on_better: Callable[[Assignment], object] | None = None,
    prices: IntArray | None = None,
    cell: float = 1.0,
) -> Assignment:
    """Return the best assignment found, never worse than the start; at least k rows.

    The start must be of groups of at least k rows that patterns cover. The better the
    multipliers, the better the pairs that are offered. `on_better` gets better
    assignments on the way, now and then. Columns have these prices, and a cell costs so
    much on average.
    """
    if budget.spent or start.cost(records, prices) == 0:
        return start
    held = held_pairs(patterns, records, k, start)
    raises = reduced_costs(patterns, records, k, multipliers)
    most = cell * (_OFFERED if k <= _WHOLE else _OFFERED_LATER)
    offered = (raises <= most * multipliers.scale) | (held > 0)
    weights = multipliers.weights / multipliers.scale
    few = patterns.only(offered)
    holdings = Holdings.of(few, records, k, weights, held[offered])
    return _Reoptimisation(holdings, k, start, budget, on_better, prices).run()


@dataclass(frozen=True, slots=True)
class _Found:
    """Where the rows of a sub-table go, what that saves, and if that is optimal."""

    pair: IntArray
    copies: IntArray
    saved: int
    in_time: bool


class _Reoptimisation:
    """The state of a search: the holdings, the sub-tables that are out, their size."""

    def __init__(
        self,
        holdings: Holdings,
        k: int,
        start: Assignment,
        budget: Budget,
        on_better: Callable[[Assignment], object] | None,
        prices: IntArray | None,
    ) -> None:
        self._best, self._cost = start, start.cost(holdings.records, prices)
        self._holdings, self._k, self._budget = holdings, k, budget
        self._prices = prices
        self._on_better = on_better
        self._rng = np.random.default_rng(budget.seed)
        self._out: dict[Future[_Found], SubTable] = {}
        self._total = holdings.records.n
        at_once = k <= _WHOLE and holdings.patterns.pairs <= _WHOLE_PAIRS
        self._rows = self._total if at_once else float(max(_FIRST_ROWS, 3 * k))
        self._idle = 0
        self._solved = False
        self._gained = 0
        self._told = float("-inf")

    def run(self) -> Assignment:
        """Arrange sub-tables anew until that ceases to pay."""
        with ThreadPoolExecutor(max(1, self._budget.workers)) as pool:
            while True:
                self._send(pool)
                if not self._out:
                    self._tell()
                    return self._best
                for task in wait(self._out, return_when=FIRST_COMPLETED).done:
                    self._receive(self._out.pop(task), task.result())
                if CLOCK.now() >= self._told + _PAUSE:
                    self._tell()

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
            table = self._holdings.take(int(self._rows), seed)
            if self._out and not len(table.pair):
                self._holdings.put(table, table.pair, table.copies)
                return
            task = pool.submit(_solved, table, self._holdings, self._k, self._budget)
            self._out[task] = table

    def _receive(self, table: SubTable, found: _Found) -> None:
        """Put a sub-table back, and learn from it how large the next should be."""
        self._holdings.put(table, found.pair, found.copies)
        rows = int(table.copies.sum())
        self._gained += found.saved
        self._idle = 0 if found.saved else self._idle + max(1, rows)
        self._solved = self._solved or (found.in_time and rows == self._total)
        if not found.in_time:
            self._rows *= _SHRINK
        elif rows >= _FULL * self._rows:
            self._rows *= _GROW
        self._rows = min(self._total, max(2 * self._k, self._rows))

    def _tell(self) -> None:
        """Keep and report what is held, if it is better when recounted."""
        if self._gained:
            found = self._holdings.assignment(self._out.values())
            cost = found.cost(self._holdings.records, self._prices)
            if cost < self._cost:
                self._best, self._cost = found, cost
                if self._on_better is not None:
                    self._on_better(found)
        self._gained = 0
        self._told = CLOCK.now()


def held_pairs(
    patterns: Patterns, records: Records, k: int, start: Assignment
) -> IntArray:
    """Return how many copies of each pair a solution uses."""
    ground = Ground.of(patterns, records, k)
    chosen = ground.chosen(start).astype(np.int64)
    pattern = np.repeat(np.arange(patterns.count), np.diff(patterns.starts))
    pairs = pattern * records.distinct + patterns.records
    rows = chosen * records.distinct + ground.record
    used, copies = np.unique(rows, return_counts=True)
    held = np.zeros(patterns.pairs, dtype=np.int64)
    held[np.searchsorted(pairs, used)] = copies
    return held


def _solved(table: SubTable, holdings: Holdings, k: int, budget: Budget) -> _Found:
    """Arrange a sub-table anew if it gets no worse."""
    nothing = _Found(table.pair, table.copies, 0, False)
    old = int(holdings.paid_in(table.pair) @ table.copies)
    rows = int(table.supply.sum())
    seconds = _SECONDS + _SECONDS_A_ROW * rows
    if k <= _WHOLE and rows == holdings.records.n:
        seconds = max(seconds, _WHOLE_SHARE * budget.remaining)
    limited = budget.slice(seconds)
    options = {
        "threads": 1,
        "time_limit": min(_MARGIN * limited.remaining, inf),
        "objective_bound": old + 0.5,
        "mip_abs_gap": 0.99,  # costs are integers
    }
    answer = Highs(options).minimise(_model(table, holdings, k), limited)
    in_time = answer.status is Status.OPTIMAL
    if answer.values is None or answer.cost is None or answer.cost > old:
        return replace(nothing, in_time=in_time)
    stays, joins = np.split(answer.values, [len(table.supply)])
    copies = np.concatenate((stays, joins[len(table.opened) :]))
    used = copies > 0
    pair = np.concatenate((table.refuge, table.joining))[used]
    return _Found(pair, copies[used], old - answer.cost, in_time)


def _model(table: SubTable, holdings: Holdings, k: int) -> LinearModel:
    """Return the model: rows in refuges, then y, then x.

    Its rows are the records, then the patterns, then the links of x and y.
    """
    records, patterns, pairs = len(table.supply), len(table.opened), len(table.joining)
    safe = table.refuge >= 0
    cost = np.zeros(records + patterns + pairs, dtype=np.int64)
    cost[:records][safe] = holdings.paid_in(table.refuge[safe])
    cost[records + patterns :] = holdings.paid_in(table.joining)
    supply = table.supply[table.record]
    one, every = np.ones(pairs, dtype=np.int64), np.arange(pairs)
    of_record = sparse.csr_array((one, (table.record, every)), shape=(records, pairs))
    of_pattern = sparse.csr_array(
        (one, (table.pattern, every)), shape=(patterns, pairs)
    )
    most = sparse.csr_array((supply, (every, table.pattern)), shape=(pairs, patterns))
    rows = sparse.block_array(
        [
            [sparse.eye_array(records), None, of_record],
            [None, -k * sparse.eye_array(patterns), of_pattern],
            [None, -most, sparse.eye_array(pairs)],
        ],
        format="csr",
        dtype=np.int64,
    )
    nothing = np.zeros(patterns, dtype=np.int64), np.zeros(pairs, dtype=np.int64)
    return LinearModel(
        cost,
        np.zeros_like(cost),
        np.concatenate(
            (table.supply * safe, np.ones(patterns, dtype=np.int64), supply)
        ),
        rows,
        np.concatenate((table.supply, nothing[0], np.full(pairs, -INFINITE))),
        np.concatenate((table.supply, np.full(patterns, INFINITE), nothing[1])),
    )
