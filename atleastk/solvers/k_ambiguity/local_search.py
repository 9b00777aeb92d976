"""Iterated local search for k-ambiguity: perturb what is hidden, and make it minimal.

Suppressing more never hurts, so cells can be released one by one until every one that
is left is needed: one pass in any order is enough, for a cell that is needed once stays
so (:func:`released`).

A perturbation releases some of the cells, suppresses others until every row that
matches too few others matches near ones again, then releases what is no longer needed,
in random order. The result is accepted if it is no worse (:func:`perturbed`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, Int32Array, IntArray
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.k_ambiguity import Looks, matches, useful_columns
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.arrays import copy_into
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.compiled.sorting import number, permutation


class _Rows(NamedTuple):
    """Rows, and behind them equal ones together, whose cells stay as they are."""

    codes: Int32Array  # [row, column]
    copies: IntArray  # [row]: 1, or how many are together
    hidden: BoolArray  # [row, column]
    counts: IntArray  # [row]: how many rows it matches

    @classmethod
    def of(cls, instance: KAmbiguity, looks: Looks) -> _Rows:
        codes = np.ascontiguousarray(instance.records.codes[looks.record])
        return cls(codes, looks.copies, looks.hidden, matches(instance, looks))


def apart(instance: KAmbiguity, looks: Looks | None = None) -> Looks:
    """Return an entry for every row with suppressed cells; without looks there is none.

    Behind them of the others of every record k - 1 have an entry each, and the rest one
    at the end, whose cells stay: k rows that suppress the same ones are one too many.
    """
    records = instance.records
    looks = looks or Looks.kept(np.arange(0), np.arange(0), records.m)
    rows = np.flatnonzero(looks.hidden.any(axis=1))
    rows = np.repeat(rows, looks.copies[rows])
    starred = Looks(looks.record[rows], np.ones_like(rows), looks.hidden[rows])
    record, copies, _ = starred.others(records)
    single = np.minimum(copies, min(instance.k - 1, instance.n))
    alone, rest = np.repeat(record, single), np.flatnonzero(copies > single)
    return starred.beside(
        Looks.kept(alone, np.ones_like(alone), records.m),
        Looks.kept(record[rest], (copies - single)[rest], records.m),
    )


def suppressed_rows(instance: KAmbiguity) -> Looks:
    """Return those of Lemma 1: k - 1 rows lose all but constant columns."""
    looks = apart(instance)
    if instance.k > 1:
        alone = np.flatnonzero(looks.copies == 1)[1 - instance.k :]
        looks.hidden[np.ix_(alone, useful_columns(instance))] = True
    return looks


def released(instance: KAmbiguity, looks: Looks, seed: int = 0) -> Looks:
    """Release suppressed cells in random order until all are needed."""
    looks = apart(instance, looks)
    order = np.random.default_rng(seed).permutation(np.argwhere(looks.hidden))
    _release(_Rows.of(instance, looks), min(instance.k, instance.n + 1), order)
    return looks


def perturbed(
    instance: KAmbiguity, looks: Looks, rounds: int, enough: int, budget: Budget
) -> Looks:
    """Perturb looks for some rounds, or until they cost no more than `enough`."""
    looks = apart(instance, looks)
    rows, rng = _Rows.of(instance, looks), np.random.default_rng(budget.seed)
    with budget.flagging() as flag:
        _improve(rows, instance.k, rounds, enough, rng, flag)
    return looks


def nearest(instance: KAmbiguity, most: int, budget: Budget) -> Looks | None:
    """Make rows match their nearest ones; None if that takes more than `most` cells."""
    looks = apart(instance)
    rows, rng = _Rows.of(instance, looks), np.random.default_rng(budget.seed)
    with budget.flagging() as flag:
        done = _repair(rows, instance.k, most, rng, flag)
    return looks if done else None


@compiled
def _gap(rows: _Rows, a: int, b: int) -> int:
    codes, hidden, apart = rows.codes, rows.hidden, 0
    for j in range(codes.shape[1]):
        if codes[a, j] != codes[b, j] and not hidden[a, j] and not hidden[b, j]:
            apart += 1
    return apart


@compiled
def _parts(rows: _Rows, row: int, j: int, other: int) -> bool:
    """Tell whether a row differs from another in a column, if it shows that."""
    return rows.codes[other, j] != rows.codes[row, j] and not rows.hidden[other, j]


@compiled
def _suppress(rows: _Rows, row: int, j: int) -> None:
    """Suppress a cell of a single row, and count the new matches."""
    for other in range(len(rows.codes)):
        if _parts(rows, row, j, other) and _gap(rows, row, other) == 1:
            rows.counts[row] += rows.copies[other]
            rows.counts[other] += 1
    rows.hidden[row, j] = True


@compiled
def _release_cell(rows: _Rows, row: int, j: int, least: int) -> bool:
    """Release a cell unless a row is then left with fewer matches than `least`."""
    counts, lost = rows.counts, 0
    for other in range(len(rows.codes)):
        if _parts(rows, row, j, other) and _gap(rows, row, other) == 0:
            lost += rows.copies[other]
            if counts[other] <= least or counts[row] - lost < least:
                return False
    rows.hidden[row, j] = False
    for other in range(len(rows.codes)):
        if _parts(rows, row, j, other) and _gap(rows, row, other) == 1:
            counts[row] -= rows.copies[other]
            counts[other] -= 1
    return True


@compiled
def _release(rows: _Rows, k: int, order: IntArray) -> None:
    for i in range(len(order)):
        _release_cell(rows, order[i, 0], order[i, 1], k)


@compiled
def _repair(
    rows: _Rows, k: int, most: int, rng: np.random.Generator, flag: ByteArray
) -> bool:
    """Make all rows match k - 1 others; tell whether at most `most` cells sufficed."""
    n, m = rows.codes.shape
    spent = np.sum(rows.hidden)
    for row in permutation(rng, n):
        while rows.counts[row] < k:
            if flag[0] != 0:
                return False
            # A nearest row that does not match yet, at random among equals.
            partner, best, ties = -1, m + 1, 0
            for other in range(n):
                apart = _gap(rows, row, other)
                if apart == 0 or apart > best:
                    continue
                if apart < best:
                    best, ties = apart, 0
                ties += 1
                if rng.random() * ties < 1.0:
                    partner = other
            spent += best
            if partner < 0 or spent > most:
                return False
            # The cells in which they differ are suppressed in one of the two.
            either = rng.random() < 0.6 and rows.copies[partner] == 1
            starred = partner if either else row
            for j in range(m):
                if _parts(rows, row, j, partner) and not rows.hidden[row, j]:
                    _suppress(rows, starred, j)
    return True


@compiled
def _improve(
    best: _Rows,
    k: int,
    rounds: int,
    enough: int,
    rng: np.random.Generator,
    flag: ByteArray,
) -> None:
    """Perturb the best mask and its counts of matches, round by round."""
    n, m = best.codes.shape
    cost = np.sum(best.hidden)
    for _ in range(rounds):
        if flag[0] != 0 or cost <= enough:
            return
        # Perturb: suppress most of a row, or release a share of all cells.
        hidden = best.hidden.copy()
        rows = _Rows(best.codes, best.copies, hidden, best.counts.copy())
        if rng.random() < 0.3:
            chosen = int(rng.random() * n)
            while rows.copies[chosen] > 1:
                chosen = int(rng.random() * n)
            for j in range(m):
                if not hidden[chosen, j] and rng.random() < 0.7:
                    _suppress(rows, chosen, j)
        else:
            share = 0.1 + 0.6 * rng.random()
            for row in range(n):
                for j in range(m):
                    if hidden[row, j] and rng.random() < share:
                        _release_cell(rows, row, j, number(0))
        if not _repair(rows, k, cost + 2 * m, rng, flag):
            continue
        # Release what is not needed, in random order.
        cells, suppressed = np.empty((n * m, 2), np.int64), 0
        for row in range(n):
            for j in range(m):
                if hidden[row, j]:
                    cells[suppressed, 0], cells[suppressed, 1] = row, j
                    suppressed += 1
        for i in permutation(rng, suppressed):
            _release_cell(rows, cells[i, 0], cells[i, 1], k)
        # Accept what is no worse.
        reached = np.sum(hidden)
        if reached <= cost:
            for row in range(n):
                copy_into(best.hidden[row], hidden[row])
            copy_into(best.counts, rows.counts)
            cost = reached
