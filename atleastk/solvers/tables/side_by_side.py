"""Near moves by all workers: on shares of the rows, or on the whole table each.

A solution falls apart: the groups of any share of its rows are a solution of that
share. So the groups of a large table are distributed over as many shares as there are
workers, mostly by the values of their rows in one random column, and every worker makes
moves in one share (:mod:`~atleastk.solvers.tables.near_moves`). On a small table every
worker makes moves with a seed of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.race import together
from atleastk.solvers.tables.conditions import Sensitive
from atleastk.solvers.tables.near_moves import are_small, regroup

ROWS_OF_A_SHARE: Final = 1_000
"""Rows for each worker from which a table is shared out: not tuned."""


def rearrange(
    records: Records,
    k: int,
    labels: IntArray,
    budget: Budget,
    on_better: Callable[[IntArray], object],
    asked: Sensitive | None = None,
) -> bool:
    """Anneal groups by moves of near rows; return whether there is more than one.

    `on_better` receives labels of the whole table, from one thread at a time. Where
    groups have to keep a condition, those of too many rows stay as they are.
    """
    lock, best = threading.Lock(), labels.copy()
    small = np.ones(records.n, dtype=np.bool_)
    if asked is not None:
        small = are_small(labels, k)

    def work(place: int, rows: IntArray, race: Budget) -> None:
        def report(found: IntArray) -> None:
            with lock:
                best[rows] = (place + 1) * records.n + found
                on_better(best.copy())

        few = records if len(rows) == records.n else records.only(rows)
        kept = asked
        if asked is not None and few is not records:
            kept = asked.only(np.unique(records.record_of[rows]))
        own = replace(race, workers=1, seed=budget.seed + place)
        regroup(few, k, labels[rows], own, report, asked=kept)

    if small.sum() < 2 * k:
        return False
    shares = shares_of(records, labels, max(1, budget.workers), budget.seed)
    shares = [rows[small[rows]] for rows in shares]
    runs = [partial(work, place, rows) for place, rows in enumerate(shares)]
    if len(runs) == 1:
        runs[0](budget)
    else:
        together(runs, budget)
    return True


def shares_of(
    records: Records, labels: IntArray, workers: int, seed: int
) -> list[IntArray]:
    """Return the rows of each worker, whole groups: all rows if they are few."""
    if records.n < ROWS_OF_A_SHARE * workers or workers == 1:
        return [np.arange(records.n)] * workers
    rng = np.random.default_rng(seed)
    return distribute(records.codes[records.record_of], labels, workers, rng)


def distribute(
    codes: Int32Array,
    labels: IntArray | Int32Array,
    workers: int,
    rng: np.random.Generator,
) -> list[IntArray]:
    """Return the rows of each share, mostly by their values in one random column.

    `codes` are the values of every row, `labels` the groups.
    """
    values = codes[:, int(rng.integers(codes.shape[1]))]
    rank = rng.permutation(int(values.max()) + 1)
    _, first, group = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(rank[values[first]] + rng.random(len(first)))
    ends = np.cumsum(np.bincount(group)[order])
    share = np.empty(len(first), dtype=np.int64)
    share[order] = np.minimum(workers - 1, (ends - 1) * workers // len(codes))
    return [np.flatnonzero(share[group] == i) for i in range(workers)]
