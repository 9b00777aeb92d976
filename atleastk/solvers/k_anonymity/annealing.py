"""Upper bounds at scale: annealed neighbourhoods, on shares of the table side by side.

A solution falls apart: the groups of any share of its rows are a solution of that
share. So with w workers, the groups are dealt to w shares, mostly by their values in
one column, each share is annealed by a thread of its own
(:mod:`atleastk.solvers.k_anonymity.ruin_and_recreate`), and all are dealt anew. The
same pattern may be open in several shares; its groups become one afterwards.

Between rounds every group goes to the pattern of all columns that it happens to keep,
and rows go to cheaper open patterns where k remain.

The run cools once, over the time there is or over so many moves a row, whichever ends
first; so small tables end early, and with one worker and no deadline the same seed
gives the same answer.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from atleastk.arrays import ByteArray, Int32Array
from atleastk.instances.records import Records
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.k_anonymity.assignment import Assignment
from atleastk.solvers.k_anonymity.greedy_cover import Ground, greedy_start
from atleastk.solvers.k_anonymity.ruin_and_recreate import State

EFFORT = 2_000
"""Moves a row: beyond that, more gain little."""

_HOT = 1.5
_COLD = 0.2
_ROUNDS = 100
_FIRST_MOVES = 2_000
_LONGEST = 5.0
"""Seconds of a round at most: better solutions are reported in between."""


_NO_ROWS = np.zeros(0, dtype=np.int32)
_NO_FLAG = np.zeros(1, dtype=np.uint8)


def improve(
    patterns: Patterns,
    records: Records,
    k: int,
    budget: Budget,
    start: Assignment | None = None,
    on_better: Callable[[Assignment], object] | None = None,
    effort: int = EFFORT,
) -> Assignment:
    """Return the best assignment found, never worse than the start; at least k rows.

    The start defaults to a greedy cover. The patterns must include the one that all
    rows match. `on_better` gets every better assignment, the greedy cover included.
    """
    ground = Ground.of(patterns, records, k)
    best = start
    if best is None:
        best = greedy_start(ground)
        if on_better is not None:
            on_better(best)
    cost = best.cost(records)
    pattern = ground.chosen(best)
    rng = np.random.default_rng(budget.seed)
    _work(State(ground, pattern, _NO_ROWS), 0, _HOT, _COLD, 0, _NO_FLAG)  # compiles
    began = CLOCK.now()
    span = budget.deadline - began
    most = max(_ROUNDS, effort * records.n)
    made, moves, cooled = 0, _FIRST_MOVES, 0.0
    with (
        budget.flagging() as flag,
        ThreadPoolExecutor(max(1, budget.workers)) as pool,
    ):
        while cooled < 1.0 and not budget.spent and cost > 0:
            moves = min(moves, most - made)
            shares = _shares(ground, pattern, max(1, budget.workers), rng)
            states = [State(ground, pattern, share) for share in shares]
            then = _progress(made + moves, most, CLOCK.now() - began, span)
            heats = _heat(cooled), _heat(max(cooled, then))
            seeds = rng.integers(2**31, size=len(states)).tolist()
            round_began = CLOCK.now()
            tasks = [
                pool.submit(_work, state, moves // len(states), *heats, seed, flag)
                for state, seed in zip(states, seeds, strict=True)
            ]
            done = sum(task.result() for task in tasks)
            seconds = max(1e-6, CLOCK.now() - round_began)
            found = ground.assignment(pattern)
            reached = found.cost(records)
            if reached < cost:
                best, cost = found, reached
                if on_better is not None:
                    on_better(best)
            pattern = ground.chosen(found)
            made += max(1, done)
            cooled = _progress(made, most, CLOCK.now() - began, span)
            length = min(_LONGEST, span / _ROUNDS)
            moves = max(_ROUNDS, min(most // _ROUNDS, int(done / seconds * length)))
    return best


def _work(
    state: State,
    moves: int,
    hot: float,
    cold: float,
    seed: int,
    flag: ByteArray,
) -> int:
    done = state.anneal(moves, hot, cold, seed, flag)
    state.settle()
    return done


def _progress(made: int, most: int, seconds: float, span: float) -> float:
    """Return the part of the run that is over."""
    return max(made / most, seconds / max(span, 1e-9))


def _heat(progress: float) -> float:
    return float(_HOT * (_COLD / _HOT) ** min(1.0, progress))


def _shares(
    ground: Ground, pattern: Int32Array, workers: int, rng: np.random.Generator
) -> list[Int32Array]:
    """Deal the rows to shares, whole groups at a time, mostly by a random column."""
    rows = np.arange(len(pattern), dtype=np.int32)
    if workers == 1:
        return [rows]
    count, codes = ground.patterns.count, ground.records.codes
    values = codes[:, int(rng.integers(codes.shape[1]))]
    rank = rng.permutation(int(values.max()) + 1)
    key = np.zeros(count)
    key[pattern] = rank[values[ground.record]]
    key += rng.random(count)
    order = np.argsort(key)
    ends = np.cumsum(np.bincount(pattern, minlength=count)[order])
    share = np.empty(count, dtype=np.int64)
    share[order] = np.minimum(workers - 1, (ends - 1) * workers // len(rows))
    return [rows[share[pattern] == i] for i in range(workers)]
