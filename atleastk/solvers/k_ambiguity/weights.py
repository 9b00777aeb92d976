"""Lower bounds of k-ambiguity: weights of the records.

The certificates of :mod:`atleastk.models.certificates.k_ambiguity` ask for weights of
the needy records, those of less than k copies, under which no class is too heavy for
its suppressed cells.

*Multiplicative updates* of equal weights (:mod:`~atleastk.solvers.engine.balanced`).

*A linear program.* The best weights of the first bound are the duals of a linear
program with a row per needy record and a column per class. Columns are generated: the
duals are summed over all classes, and those that are too heavy are added.

Beside h rows that match everything (the second bound) needs are less by h, the class of
all columns is no class, and h rows drop out, as those of the greatest weights may: that
is one more row of the program, h at most, and a column per record. Weights of their own
for every h prove far more than the same for all; mostly those of one h do for many of
the next (:func:`weights_beside`).
"""

from __future__ import annotations

from copy import copy
from typing import Final

import numpy as np

from atleastk.arrays import FloatArray, Int32Array, IntArray
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.certificates.k_ambiguity import (
    WeightsFrom,
    classes,
    proven_beside,
)
from atleastk.models.k_ambiguity import needs, useful_columns
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine.balanced import balanced
from atleastk.solvers.engine.linear_program import GrowingLp
from atleastk.solvers.precision import TOLERANCE

SCALE: Final = 2**24
"""Weights are rounded down to integers at this scale."""

_MOST_CLASSES: Final = 20_000_000
"""Sets of columns times sampled records: the terms of the sums of a round."""

_SLACK: Final = 64
"""What is subtracted from the scale, against rounding of sums of doubles."""

_ROUNDS: Final = 60
"""Rounds of updates, at most."""

_ENTERING: Final = 60
"""Columns that enter the linear program in a round, at most."""

_MARGIN: Final = 1e-2
"""By how much weights prove more than asked for: they are rounded down."""

_CLOSE: Final = 0.5
"""By how much weights may be improved when that is not tried any more: not tuned."""

_UNBOUNDED: Final = 10**20
"""More than any row of the program reaches: no bound."""

Entered = dict[tuple[int, int], int]
"""Sets of columns and classes of a linear program, with their hubs."""


class Classes:
    """The classes of a sample of the needy records, for all sets of columns.

    `stars` are the sizes of the sets; `named` are the classes, [set, record].
    """

    def __init__(self, instance: KAmbiguity, sample: IntArray) -> None:
        records, columns = instance.records, useful_columns(instance)
        self.distinct, self.m = records.distinct, len(columns)
        self.sample = sample
        self.copies = records.copies[sample]
        self.needs = needs(instance)[sample]
        listed = [c for c in classes(records.codes[sample][:, columns]) if c[0]]
        self.stars = np.array([hidden.bit_count() for hidden, _ in listed])
        self.named = np.array([named for _, named in listed], dtype=np.int32)

    @property
    def own(self) -> FloatArray:
        """How often a record counts beyond once if it is suppressed itself."""
        counts: FloatArray = np.maximum(0.0, self.needs / self.copies - 1)
        return counts

    def beside(self, rows: int) -> Classes:
        """Return those beside so many rows that match everything."""
        rest, kept = copy(self), self.stars < self.m
        rest.needs = np.maximum(0, self.needs - rows)
        rest.stars, rest.named = self.stars[kept], self.named[kept]
        return rest


def needy_sample(instance: KAmbiguity, seed: int) -> IntArray:
    """Return needy records, as many as fit into the sums over their classes."""
    needy = needs(instance).nonzero()[0].astype(np.int64)
    most = _MOST_CLASSES >> min(62, len(useful_columns(instance)))
    if len(needy) <= most:
        return needy
    rng = np.random.default_rng(seed)
    return np.sort(rng.choice(needy, most, replace=False))


def feasible_weights(
    sampled: Classes, budget: Budget, *, keeping: bool = False
) -> FloatArray:
    """Return weights under which no class is too heavy.

    With `keeping`, only sets of columns that do not contain all of them count.
    """
    sets = sampled.stars < sampled.m if keeping and sampled.m > 1 else sampled.stars > 0
    named, stars, own = sampled.named[sets], sampled.stars[sets], sampled.own
    start, worth = np.ones(len(sampled.sample)), sampled.needs.astype(np.float64)
    return balanced(
        start, lambda now: _worst(named, stars, now, own), worth, _ROUNDS, budget
    )


def best_duals(
    sampled: Classes,
    enough: int,
    budget: Budget,
    rows: int = 0,
    entered: Entered | None = None,
    beaten: int = 0,
) -> FloatArray:
    """Return the weights of the greatest bound, or of one above `enough` - 1.

    Classes are also looked for half way to the best weights so far, which converges
    sooner than from duals alone (smoothing).

    Parameters
    ----------
    rows
        The number of rows that drop out.
    entered
        Classes that are in the program from the start. Those that enter are added.
    beaten
        Weights that prove no more are of no use.
    """
    size, own = len(sampled.sample), sampled.own
    listed = {} if entered is None else entered
    program = GrowingLp(
        [*sampled.needs.tolist(), -rows], [_UNBOUNDED] * (size + 1), budget.seed
    )
    for i in range(size):
        copies, lacking = int(sampled.copies[i]), int(sampled.needs[i])
        program.add(copies, [i], [max(copies, lacking)])
        if rows and lacking:
            program.add(0, [i, size], [lacking, -copies])
    for (s, c), hub in listed.items():
        _enter(program, sampled, s, c, hub)
    best = feasible_weights(sampled, budget)
    reached = _proved(sampled, best, rows)
    while reached <= enough - 1 + _MARGIN:
        answer = program.solve(budget)
        if answer is None or answer.value <= max(beaten, reached + _CLOSE):
            break
        duals = np.maximum(0.0, answer.duals[:size])
        for point in ((duals + best) / 2, duals):
            values, heavy, hubs = _weigh(sampled.named, point, own * point)
            excess = float((values / sampled.stars).max())
            proved = _proved(sampled, point, rows) / max(1.0, excess)
            if proved > reached:
                best, reached = point / max(1.0, excess), proved
            over = values - sampled.stars
            for s in np.argsort(-over, kind="stable")[:_ENTERING]:
                place = int(s), int(heavy[s])
                if over[s] > TOLERANCE and listed.get(place) != hubs[s]:
                    listed[place] = int(hubs[s])
                    _enter(program, sampled, *place, int(hubs[s]))
        if excess <= 1 + TOLERANCE:
            break
    return best


def weights_beside(
    instance: KAmbiguity, sampled: Classes, bound: int, cost: int, budget: Budget
) -> tuple[int, list[WeightsFrom]]:
    """Return a bound of `cost` at most, and weights for all numbers of rows.

    It ends without any as soon as no more than `bound` is proved.
    """
    lists: list[WeightsFrom] = []
    entered: Entered = {}
    least, start = cost, 0
    while start < instance.k - 1:
        rest = sampled.beside(start)
        enough = least - start * sampled.m
        beaten = bound - start * sampled.m
        part = budget.share(0.5)
        duals = best_duals(rest, enough, part, start, entered, beaten)
        weights = integer_weights(sampled, duals)
        lists.append(WeightsFrom(start, weights))
        # Weights for some numbers of rows are tried at once.
        ahead = range(start, min(instance.k - 1, start + 16))
        proved = proven_beside(instance, weights, ahead)
        least = min(least, proved[0])
        if least <= bound or budget.spent:
            return bound, []
        start += next((i for i, p in enumerate(proved) if p < least), len(proved))
    return least, lists


def _proved(sampled: Classes, weights: FloatArray, rows: int) -> float:
    """Return what weights prove if rows drop out, those of the greatest ones."""
    values = weights * sampled.needs
    shares = values / sampled.copies
    order = np.argsort(-shares, kind="stable")
    before = np.cumsum(sampled.copies[order]) - sampled.copies[order]
    dropped = np.clip(rows - before, 0, sampled.copies[order]) @ shares[order]
    return float(values.sum() - dropped)


def integer_weights(sampled: Classes, weights: FloatArray) -> IntArray:
    """Return weights of all distinct records, in integers at the common scale."""
    rounded = np.zeros(sampled.distinct, dtype=np.int64)
    rounded[sampled.sample] = np.floor(weights * (SCALE - _SLACK))
    return rounded


def _enter(program: GrowingLp, sampled: Classes, s: int, heavy: int, hub: int) -> None:
    """Add the column of a class; times the copies of its hub, to have integers.

    The hub is the member that is suppressed itself; -1 if there is none.
    """
    members = (sampled.named[s] == heavy).nonzero()[0]
    share = int(sampled.copies[hub]) if hub >= 0 else 1
    factors = np.full(len(members), share)
    factors[members == hub] = sampled.needs[hub]
    program.add(int(sampled.stars[s]) * share, members.tolist(), factors.tolist())


@compiled
def _worst(
    named: Int32Array,  # [set of columns, record]
    stars: IntArray,  # [set of columns]
    weights: FloatArray,  # [record]
    own: FloatArray,  # [record]
) -> FloatArray:
    """Return by which factor the worst class of every record is too heavy."""
    sets, size = named.shape
    worst, total, most = np.zeros(size), np.empty(size), np.empty(size)
    for s in range(sets):
        for i in range(size):
            total[i] = most[i] = 0.0
        for i in range(size):
            c = named[s, i]
            total[c] += weights[i]
            most[c] = max(most[c], own[i] * weights[i])
        for i in range(size):
            c = named[s, i]
            worst[i] = max(worst[i], (total[c] + most[c]) / stars[s])
    return worst


@compiled
def _weigh(
    named: Int32Array, weights: FloatArray, own: FloatArray
) -> tuple[FloatArray, IntArray, IntArray]:
    """Return for every set of columns the heaviest class, its value and its hub."""
    sets, size = named.shape
    values = np.zeros(sets)
    heavy = np.zeros(sets, dtype=np.int64)
    hubs = np.full(sets, -1, dtype=np.int64)
    for s in range(sets):
        total = np.zeros(size)
        hub = np.full(size, -1, dtype=np.int64)
        for i in range(size):
            c = named[s, i]
            total[c] += weights[i]
            if own[i] > 0 and (hub[c] < 0 or own[i] > own[hub[c]]):
                hub[c] = i
        for c in range(size):
            value = total[c] + (own[hub[c]] if hub[c] >= 0 else 0.0)
            if value > values[s]:
                values[s], heavy[s], hubs[s] = value, c, hub[c]
    return values, heavy, hubs
