"""The fullest column: prices of columns bound it, and moves that count it lower it.

Let c_j be the stars of column j, and p any prices of at least 0. Then

    (sum of p) max c  >=  sum of p_j c_j  >=  L(p),

where L(p) is any bound on a table of k-anonymity in which a star of column j costs p_j,
by the multipliers of :mod:`~atleastk.solvers.tables.multipliers`. The best prices have
stars on the columns that would be fullest: they are raised and lowered by the stars of
the fractional optimum in every column (multiplicative weights), step by step.

Groups are rearranged by the moves of :mod:`~atleastk.solvers.tables.near_moves`. Their
cost is that of padded columns (:mod:`~atleastk.solvers.tables.orders`) where a number
of constant columns is less important than all others: each of them is padded to the
fullest column. So the cost is sum c + (their number) max c.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.instances.records import Records
from atleastk.instances.suppression import Suppression
from atleastk.models.results.solution import Solution, labels_of
from atleastk.models.suppression import solution_of_groups
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.listing import Listing
from atleastk.solvers.tables.dual_ascent import improve
from atleastk.solvers.tables.multipliers import Activity, Multipliers
from atleastk.solvers.tables.near_moves import regroup
from atleastk.solvers.tables.orders import Order
from atleastk.solvers.tables.reporting import Throttle

_SCALE: Final = 64
"""The mean price of a column."""

_STEP: Final = 0.5
"""By how much the logarithm of a price moves at first for a column of twice the mean
stars: not tuned."""

_ASCENT: Final = 0.7
_SHARE: Final = 0.05
"""Seconds of an ascent at some prices, and its share of a turn if that is more: not
tuned."""

_WEIGHTS: Final = (1, 5, 25)
"""How much the fullest column counts, in columns, in turn: on Adult and random tables
each was the best once."""

_FIRST: Final = 2.0
_GROWTH: Final = 1.5
"""Seconds of a first run of moves, and how many times as long each is as the one
before: not tuned."""


def is_plain(instance: Suppression) -> bool:
    """Return whether the fullest column counts, and nothing else matters."""
    free = not (instance.limits or instance.intact or instance.deletion)
    ordered = instance.column_order or instance.row_order
    return instance.minimise == "per_column" and free and not ordered


class FullestColumn:
    """Raises the bound and lowers the cost by turns, and goes on where it was."""

    def __init__(self, search: Search[Suppression], listing: Listing | None) -> None:
        self._search, self._instance, self._listing = search, search.instance, listing
        self._logarithms = np.zeros(search.instance.m)
        self._multipliers: Multipliers | None = None
        self._steps, self._runs = 0, 0

    def take_turn(self, budget: Budget) -> None:
        """Try prices for a third of the time, and rearrange for the rest."""
        if self._listing is not None:
            self._try_prices(self._listing, budget.share(1 / 3))
        self._rearrange(budget)

    def _try_prices(self, listing: Listing, budget: Budget) -> None:
        """Raise the bound by prices that follow the fractional stars."""
        patterns = listing.patterns
        seconds = max(_ASCENT, _SHARE * budget.remaining)
        while not (self._search.done or budget.spent):
            prices = _prices(self._logarithms)
            records = replace(listing.kinds.records, prices=prices)
            found = improve(
                _priced(patterns, prices),
                records,
                self._instance.k,
                budget.slice(seconds),
                self._multipliers,
                primal=True,
            )
            least = -(-found.bound // int(prices.sum()))
            self._search.raise_bound(least, "prices")
            self._multipliers = replace(found, activity=None)
            self._steps += 1
            if found.activity is not None:
                stars = _stars(patterns, found.activity, len(prices))
                step = _STEP / self._steps**0.5
                self._logarithms += step * (stars / max(1.0, stars.mean()) - 1.0)

    def _rearrange(self, budget: Budget) -> None:
        """Rearrange the best groups, again and again, and report better ones."""
        search, instance = self._search, self._instance
        throttle = Throttle[IntArray](self._report)
        for seconds in self._lengths():
            if search.done or budget.spent or search.solution is None:
                return
            weight = instance.m * _WEIGHTS[self._runs % len(_WEIGHTS)]
            best = regroup(
                _widened(instance.records, weight),
                instance.k,
                labels_of(search.solution.groups, instance.n),
                replace(budget.slice(seconds), seed=budget.seed + self._runs),
                throttle.take,
                order=_order(instance.m, weight),
            )
            throttle.take(best)
            throttle.flush()
            self._runs += 1

    def _lengths(self) -> Iterator[float]:
        """Yield the seconds of every run."""
        for number in count(self._runs // len(_WEIGHTS)):
            for _ in range(len(_WEIGHTS) - self._runs % len(_WEIGHTS)):
                yield _FIRST * _GROWTH**number

    def _report(self, labels: IntArray) -> None:
        groups = Solution.labelled(labels).groups
        self._search.offer(solution_of_groups(self._instance, groups), "moves")


def _prices(logarithms: FloatArray) -> IntArray:
    """Return prices in integers, of a fixed mean but for rounding."""
    weights = np.exp(logarithms - logarithms.max())
    shares = weights / weights.sum()
    prices: IntArray = np.rint(_SCALE * len(weights) * shares).astype(np.int64)
    return prices


def _priced(patterns: Patterns, prices: IntArray) -> Patterns:
    """Return patterns, all of which are listed, at other prices of the columns."""
    starred = _starred(patterns, len(prices))
    return replace(
        patterns, stars=(starred @ prices).astype(np.int32), reach=int(prices.sum())
    )


def _starred(patterns: Patterns, m: int) -> IntArray:
    """Return which columns each pattern suppresses, [pattern, column]."""
    kept = patterns.kept[:, None] >> np.arange(m) & 1
    starred: IntArray = 1 - kept
    return starred


def _stars(patterns: Patterns, activity: Activity, m: int) -> FloatArray:
    """Return the stars of every column in a fractional solution."""
    pattern = patterns.pattern
    rows = np.bincount(pattern, activity.chosen, patterns.count)
    return np.asarray(rows @ _starred(patterns, m), dtype=np.float64)


def _widened(records: Records, more: int) -> Records:
    """Return a table with so many constant columns after its own."""
    constant = np.zeros((records.distinct, more), dtype=records.codes.dtype)
    codes = np.ascontiguousarray(np.hstack((records.codes, constant)))
    return replace(records, codes=codes)


def _order(m: int, more: int) -> Order:
    """Return the order in which these columns are the least important ones."""
    starts = np.array([0, m, m + more], dtype=np.int64)
    return Order(np.arange(m + more), starts, np.ones(m + more, dtype=np.bool_))
