"""Iterated local search for k-ambiguity: perturb a mask, and make it minimal again.

Suppressing more never hurts, so cells can be released one by one until every one that
is left is needed: one pass in any order is enough, for a cell that is needed once stays
so (:func:`released`).

A perturbation releases some of the cells, suppresses others until every row that
matches too few others matches near ones again, then releases what is no longer needed,
in random order. The result is accepted if it is no worse (:func:`perturbed`).
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, Int32Array, IntArray
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.k_ambiguity import matches
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.arrays import copy_into
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.compiled.sorting import number, permutation


def suppressed_rows(instance: KAmbiguity) -> BoolArray:
    """Return the mask of Lemma 1: the last k - 1 rows, except for constant columns."""
    codes = _codes(instance)
    hidden = np.zeros(codes.shape, dtype=np.bool_)
    if instance.n and instance.k > 1:
        hidden[1 - instance.k :, (codes != codes[0]).any(axis=0)] = True
    return hidden


def released(instance: KAmbiguity, hidden: BoolArray, seed: int = 0) -> BoolArray:
    """Release suppressed cells in random order until all are needed."""
    left = hidden.copy()
    counts = matches(instance, left)
    order = np.random.default_rng(seed).permutation(np.argwhere(left))
    _release(_codes(instance), left, counts, min(instance.k, instance.n + 1), order)
    return left


def perturbed(
    instance: KAmbiguity, hidden: BoolArray, rounds: int, enough: int, budget: Budget
) -> BoolArray:
    """Perturb a mask for some rounds, or until it costs no more than `enough`."""
    best = hidden.copy()
    counts = matches(instance, best)
    with budget.flagging() as flag:
        _improve(
            _codes(instance),
            best,
            counts,
            instance.k,
            rounds,
            enough,
            np.random.default_rng(budget.seed),
            flag,
        )
    return best


def nearest(instance: KAmbiguity, most: int, budget: Budget) -> BoolArray | None:
    """Make rows match their nearest ones; None if that takes more than `most` cells."""
    codes = _codes(instance)
    hidden = np.zeros(codes.shape, dtype=np.bool_)
    counts = matches(instance, hidden)
    with budget.flagging() as flag:
        rng = np.random.default_rng(budget.seed)
        done = _repair(codes, hidden, counts, instance.k, most, rng, flag)
    return hidden if done else None


def _codes(instance: KAmbiguity) -> Int32Array:
    return np.ascontiguousarray(instance.records.codes[instance.records.record_of])


@compiled
def _gap(codes: Int32Array, hidden: BoolArray, a: int, b: int) -> int:
    apart = 0
    for j in range(codes.shape[1]):
        if codes[a, j] != codes[b, j] and not hidden[a, j] and not hidden[b, j]:
            apart += 1
    return apart


@compiled
def _suppress(
    codes: Int32Array, hidden: BoolArray, counts: IntArray, row: int, j: int
) -> None:
    """Suppress a cell, and count the new matches."""
    for other in range(len(codes)):
        if (
            codes[other, j] != codes[row, j]
            and not hidden[other, j]
            and _gap(codes, hidden, row, other) == 1
        ):
            counts[row] += 1
            counts[other] += 1
    hidden[row, j] = True


@compiled
def _release_cell(
    codes: Int32Array, hidden: BoolArray, counts: IntArray, row: int, j: int, least: int
) -> bool:
    """Release a cell unless a row is then left with fewer matches than `least`."""
    lost = 0
    for other in range(len(codes)):
        if (
            codes[other, j] != codes[row, j]
            and not hidden[other, j]
            and _gap(codes, hidden, row, other) == 0
        ):
            lost += 1
            if counts[other] <= least or counts[row] - lost < least:
                return False
    hidden[row, j] = False
    for other in range(len(codes)):
        if (
            codes[other, j] != codes[row, j]
            and not hidden[other, j]
            and _gap(codes, hidden, row, other) == 1
        ):
            counts[row] -= 1
            counts[other] -= 1
    return True


@compiled
def _release(
    codes: Int32Array, hidden: BoolArray, counts: IntArray, k: int, order: IntArray
) -> None:
    for i in range(len(order)):
        _release_cell(codes, hidden, counts, order[i, 0], order[i, 1], k)


@compiled
def _repair(
    codes: Int32Array,
    hidden: BoolArray,
    counts: IntArray,
    k: int,
    most: int,
    rng: np.random.Generator,
    flag: ByteArray,
) -> bool:
    """Make all rows match k - 1 others; tell whether at most `most` cells sufficed."""
    n, m = codes.shape
    spent = np.sum(hidden)
    for row in permutation(rng, n):
        while counts[row] < k:
            if flag[0] != 0:
                return False
            # A nearest row that does not match yet, at random among equals.
            partner, best, ties = -1, m + 1, 0
            for other in range(n):
                apart = _gap(codes, hidden, row, other)
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
            starred = partner if rng.random() < 0.6 else row
            for j in range(m):
                if (
                    codes[row, j] != codes[partner, j]
                    and not hidden[row, j]
                    and not hidden[partner, j]
                ):
                    _suppress(codes, hidden, counts, starred, j)
    return True


@compiled
def _improve(
    codes: Int32Array,
    best: BoolArray,
    best_counts: IntArray,
    k: int,
    rounds: int,
    enough: int,
    rng: np.random.Generator,
    flag: ByteArray,
) -> None:
    """Perturb the best mask and its counts of matches, round by round."""
    n, m = codes.shape
    cost = np.sum(best)
    for _ in range(rounds):
        if flag[0] != 0 or cost <= enough:
            return
        # Perturb: suppress most of a row, or release a share of all cells.
        hidden, counts = best.copy(), best_counts.copy()
        if rng.random() < 0.3:
            chosen = int(rng.random() * n)
            for j in range(m):
                if not hidden[chosen, j] and rng.random() < 0.7:
                    _suppress(codes, hidden, counts, chosen, j)
        else:
            share = 0.1 + 0.6 * rng.random()
            for row in range(n):
                for j in range(m):
                    if hidden[row, j] and rng.random() < share:
                        _release_cell(codes, hidden, counts, row, j, number(0))
        if not _repair(codes, hidden, counts, k, cost + 2 * m, rng, flag):
            continue
        # Release what is not needed, in random order.
        cells, suppressed = np.empty((n * m, 2), np.int64), 0
        for row in range(n):
            for j in range(m):
                if hidden[row, j]:
                    cells[suppressed, 0], cells[suppressed, 1] = row, j
                    suppressed += 1
        for i in permutation(rng, suppressed):
            _release_cell(codes, hidden, counts, cells[i, 0], cells[i, 1], k)
        # Accept what is no worse.
        reached = np.sum(hidden)
        if reached <= cost:
            for row in range(n):
                copy_into(best[row], hidden[row])
            copy_into(best_counts, counts)
            cost = reached
