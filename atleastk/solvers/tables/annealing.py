"""Simulated annealing of tables, on shares of the rows side by side.

A solution falls apart: the groups of any share of its rows are a solution of that
share. So the groups of a large table are distributed over as many shares as there are
workers, mostly by their values in one column, a thread anneals each share
(:mod:`atleastk.solvers.tables.ruin_and_recreate`), and all groups are distributed
anew. If several shares opened the same pattern, its groups become one afterwards.
Shares of few rows would leave little to move: workers that are left over anneal
solutions of their own, each in as many shares.

Between rounds every group takes the closed pattern of all columns on which it is
constant, and rows move to cheaper open patterns that they match, from groups that keep
k rows.

The run cools once (:mod:`atleastk.solvers.tables.cooling`). With one worker and no
deadline the same seed gives the same answer.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from atleastk.arrays import Int32Array
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.cooling import Cooling, Schedule
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.local_search_state import PatternIndex
from atleastk.solvers.tables.ruin_and_recreate import State
from atleastk.solvers.tables.side_by_side import ROWS_OF_A_SHARE, distribute

EFFORT = 2_000
"""Moves per row: beyond that, more gain little."""

_SCHEDULE = Schedule(hot=1.5, cold=0.2, rounds=100, longest=5.0, patience=20.0)
"""Heats are in units of the average price of a column times the median worth of a
row. What cools in few moves per row begins cooler: with 2 (Census-income) and 9 (Adult,
k = 20) it ends 0.3 % lower; with 43, a cooler begin ends 0.4 % higher."""

_NO_ROWS = np.zeros(0, dtype=np.int32)


def improve(
    table: ListedTable,
    budget: Budget,
    start: Assignment,
    on_better: Callable[[Assignment], object] = lambda _: None,
    effort: int = EFFORT,
    power: float | None = None,
) -> Assignment:
    """Return the best assignment found, never worse than the start.

    The table has at least k rows, and the patterns include one that all rows match.
    `on_better` receives every better assignment; `effort` is the most moves per row.
    If a condition is asked for then the groups of the start keep it, and so do all.
    With a `power` better is what has fewer stars in the fullest column; the norm of
    that power is lowered (:mod:`~atleastk.solvers.tables.balance`).
    """
    index, records = PatternIndex.of(table), table.records

    def cost_of(found: Assignment) -> int:
        return found.cost(records) if power is None else int(found.stars(records).max())

    best, cost = start, cost_of(start)
    shares = max(1, min(budget.workers, records.n // ROWS_OF_A_SHARE))
    chains = [index.chosen(best) for _ in range(max(1, budget.workers // shares))]
    rng = np.random.default_rng(budget.seed)
    cell, most = records.cell, max(_SCHEDULE.rounds, effort * records.n)
    with budget.flagging() as flag, ThreadPoolExecutor(shares * len(chains)) as pool:

        def work(state: State, moves: int, hot: float, cold: float, seed: int) -> int:
            done = state.anneal(moves, hot, cold, seed, flag)
            state.settle()
            return done

        # Compiles, if that is to be done, before it cools.
        idle = State(index, chains[0], _NO_ROWS, power)
        work(idle, 0, _SCHEDULE.hot, _SCHEDULE.cold, 0)
        cooling = Cooling(_SCHEDULE, records.n, most, budget.deadline)
        while not cooling.over and not budget.spent and cost > 0:
            moves = min(cooling.moves, cooling.left)
            states = [
                State(index, pattern, share, power)
                for pattern in chains
                for share in _shares(index, pattern, shares, rng)
            ]
            before, after = cooling.heats(moves)
            heats = cell * before, cell * after
            seeds = rng.integers(2**31, size=len(states)).tolist()
            began = CLOCK.now()
            tasks = [
                pool.submit(work, state, moves // shares, *heats, seed)
                for state, seed in zip(states, seeds, strict=True)
            ]
            done = sum(task.result() for task in tasks) // len(chains)
            cooling.advance(done, CLOCK.now() - began)
            for place, pattern in enumerate(chains):
                found = index.assignment(pattern)
                reached = cost_of(found)
                if reached < cost:
                    best, cost = found, reached
                    on_better(best)
                chains[place] = index.chosen(found)
    return best


def _shares(
    index: PatternIndex, pattern: Int32Array, count: int, rng: np.random.Generator
) -> list[Int32Array]:
    if count == 1:
        return [np.arange(len(pattern), dtype=np.int32)]
    codes = index.listed.records.codes[index.table.record]
    shares = distribute(codes, pattern, count, rng)
    return [share.astype(np.int32) for share in shares]
