"""The fullest column: prices of columns bound it, and moves that count it lower it.

Let c_j be the stars of column j, and p any prices of at least 0. Then

    (sum of p) max c  >=  sum of p_j c_j  >=  L(p),

where L(p) is any bound on a table of k-anonymity in which a star of column j costs p_j,
by the multipliers of :mod:`~atleastk.solvers.tables.multipliers`. The best prices have
stars on the columns that would be fullest: they are raised and lowered by the stars of
the fractional optimum in every column (multiplicative weights), step by step.

Groups are annealed from pattern to pattern at the best of these prices, by what moves
change in a norm of the c_j that is near the fullest
(:mod:`~atleastk.solvers.tables.balance`). In turn with that, sub-tables are rearranged
by integer programs (:mod:`~atleastk.solvers.tables.sub_tables`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.instances.suppression import Suppression
from atleastk.models.suppression import solution_of_groups
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search
from atleastk.solvers.tables import annealing
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.closed_patterns import (
    cheapest_first,
    closed_patterns,
    is_listable,
    pairs_within,
)
from atleastk.solvers.tables.dual_ascent import improve
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import Multipliers
from atleastk.solvers.tables.reporting import Throttle
from atleastk.solvers.tables.sub_tables import reoptimise
from atleastk.solvers.tables.truncated_patterns import truncated_patterns

_SCALE: Final = 64
"""The mean price of a column."""

_STEP: Final = 0.5
"""By how much the logarithm of a price moves at first for a column of twice the mean
stars: not tuned."""

_ASCENT: Final = 0.1
_PER_PAIR: Final = 2.5e-7
_SHARE: Final = 0.002
"""Seconds of an ascent at some prices, or so many for each pair of a pattern and a
record, or its share of a turn if that is more: on 500 rows seven times as many steps
prove in 5 s what longer ones prove in 12 s; of 20,000 rows 0.1 s are next to none."""

_LOOKOUT: Final = 30
_GAIN: Final = 1e-3
"""Steps after which they end if all of them gained less than this part of the bound:
not tuned."""

_POWERS: Final = (8.0, 30.0, 8.0)
"""Powers of the norm, in turn, the last at equal prices: not tuned."""

_FIRST: Final = 2.0
_GROWTH: Final = 1.5
"""Seconds of a first run of moves, and how many times as long each is as the one
before: not tuned."""

_FEW: Final = 4_000
"""Sub-tables have as long as annealing up to so many distinct records: of 20,000 rows
they cost 6 % after 40 s. Not tuned."""


def is_plain(instance: Suppression) -> bool:
    """Return whether only the fullest column counts, and patterns may be listed."""
    free = not (instance.limits or instance.intact or instance.deletion)
    ordered = instance.column_order or instance.row_order
    plain = instance.minimise == "per_column" and free and not ordered
    return plain and is_listable(instance.records, _SCALE * instance.k)


class FullestColumn:
    """Raises the bound and lowers the cost by turns, and goes on where it was."""

    def __init__(self, search: Search[Suppression]) -> None:
        self._search, self._k = search, search.instance.k
        self._records = search.instance.records
        self._logarithms = np.zeros(search.instance.m)
        self._prices = _prices(self._logarithms)
        self._patterns: Patterns | None = None
        self._multipliers: Multipliers | None = None
        self._least, self._proved = _ASCENT, [0.0]
        self._listed = self._runs = 0
        self._last: Assignment | None = None

    def take_turn(self, budget: Budget) -> None:
        """Try prices for a third of the time, and rearrange for the rest.

        A list that was cut since the turn was short is made again in a longer one.
        """
        most = pairs_within(budget, self._records.distinct)
        if self._patterns is None or (not self._complete and most > self._listed):
            table, self._listed = (self._records, self._k), most
            whole = closed_patterns(*table, most, budget)
            self._patterns = whole or truncated_patterns(*table, budget, most)
            self._least = max(_ASCENT, _PER_PAIR * self._patterns.pairs)
        if self._complete:
            self._try_prices(self._patterns, budget.share(1 / 3))
        self._rearrange(self._patterns, budget)

    @property
    def _complete(self) -> bool:
        """Whether all patterns are listed."""
        return self._patterns is not None and self._patterns.reach >= self._records.most

    def _try_prices(self, patterns: Patterns, budget: Budget) -> None:
        """Raise the bound by prices that follow the fractional stars, while that pays.

        It ends for good when the last steps gained next to nothing.
        """
        seconds = max(self._least, _SHARE * budget.remaining)
        while not (self._search.done or budget.spent or self._settled):
            prices = _prices(self._logarithms)
            table = self._priced(patterns, prices)
            part, start = budget.slice(seconds), self._multipliers
            found = improve(table, part, start, primal=True)
            proved = found.value / prices.sum()
            if proved > self._proved[-1]:
                self._prices = np.maximum(1, prices)
            self._proved.append(max(proved, self._proved[-1]))
            least = -(-found.bound // int(prices.sum()))
            self._search.raise_bound(least, "prices")
            self._multipliers = found
            assert found.rows is not None
            hidden = table.patterns.kept[:, None] >> np.arange(len(prices)) & 1 == 0
            stars = np.asarray(found.rows @ hidden)
            step = _STEP / len(self._proved) ** 0.5
            self._logarithms += step * (stars / max(1.0, stars.mean()) - 1.0)

    @property
    def _settled(self) -> bool:
        """Whether the last steps gained next to nothing."""
        late = len(self._proved) > _LOOKOUT
        return late and self._proved[-1] < (1 + _GAIN) * self._proved[-1 - _LOOKOUT]

    def _priced(self, patterns: Patterns, prices: IntArray) -> ListedTable:
        """Return the table at some prices, the cheapest patterns first."""
        records = replace(self._records, prices=prices)
        kept, support, starts = patterns.kept, patterns.support, patterns.starts
        priced = cheapest_first(records, kept, support, starts, patterns.records)
        return ListedTable(priced, records, self._k)

    def _rearrange(self, patterns: Patterns, budget: Budget) -> None:
        """Rearrange the best groups, again and again, and report better ones.

        Sub-tables, in turn with annealing, begin with what was reported last.
        """
        search = self._search
        throttle = Throttle[Assignment](self._report)
        while not (search.done or budget.spent or search.solution is None):
            seconds = _FIRST * _GROWTH ** (self._runs // len(_POWERS))
            prices = np.ones_like(self._prices) if self._runs % 3 == 2 else self._prices
            own = replace(budget, seed=budget.seed + self._runs)
            annealing.improve(
                self._priced(patterns, prices),
                own.slice(seconds),
                self._best,
                throttle.take,
                power=_POWERS[self._runs % len(_POWERS)],
            )
            throttle.flush()
            if self._multipliers is not None and self._records.distinct <= _FEW:
                table = self._priced(patterns, self._prices)
                known = improve(table, own.slice(self._least), self._multipliers)
                start, part = self._last or self._best, own.slice(seconds)
                reoptimise(table, start, known, part, self._report, fullest=True)
            self._runs += 1

    @property
    def _best(self) -> Assignment:
        assert self._search.solution is not None
        return Assignment.of_solution(self._records, self._search.solution)

    def _report(self, found: Assignment) -> None:
        self._last = found
        groups = found.solution(self._records).groups
        self._search.offer(solution_of_groups(self._search.instance, groups), "moves")


def _prices(logarithms: FloatArray) -> IntArray:
    """Return prices in integers, of a fixed mean but for rounding."""
    weights = np.exp(logarithms - logarithms.max())
    shares = weights / weights.sum()
    prices: IntArray = np.rint(_SCALE * len(weights) * shares).astype(np.int64)
    return prices
