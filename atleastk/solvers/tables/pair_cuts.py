"""Cuts for the model that assigns rows to patterns: subset-row inequalities.

Take three kinds of one row each, a, b and c. Classes are disjoint, so at most one of
them has two or more of the three rows; giving up counts as one, too. Let the class of
pattern p be opened if y = 1, and have x_a, x_b and x_c of the rows, all at most y. The
number m_p, 1 if it has two or more of them and else 0, is at least

    x_a + x_b - y,   x_a + x_c - y,   x_b + x_c - y,   (x_a + x_b + x_c - y) / 2,

as one sees for 0, 1, 2 and 3 rows. So the sum over all patterns of any one of these is
1 at most; all is doubled to have integers. These are the subset-row inequalities of
[JepsenPetersenSpoorendonkPisinger08] without listing groups.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any, Final

import numpy as np

from atleastk.arrays import BoolArray, FloatArray, IntArray
from atleastk.instances.records import Records
from atleastk.models.linear import LinearModel
from atleastk.models.tables.patterns import Patterns
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.engine import tightening
from atleastk.solvers.engine.tightening import Tightened

_PER_ROUND: Final = 400
_PER_KIND: Final = 12
"""Cuts per round, and cuts of a round that contain the same kind: not tuned."""

_VIOLATED: Final = 0.02
_USED: Final = 1e-6
"""By how much a cut is violated, and the least part of a row that counts."""

_MOST_KINDS: Final = 2000
"""Kinds up to which cuts pay: a table of all pairs is made."""


def with_escape(model: LinearModel, copies: IntArray, limit: int) -> LinearModel:
    """Return the model with a last variable that assigns all rows, at a price.

    The first constraints of the model assign the copies of every kind.
    """
    column = np.zeros((model.rows.shape[0], 1), dtype=np.int64)
    column[: len(copies), 0] = copies
    return replace(
        model,
        objective=np.append(model.objective, limit),
        lower=np.append(model.lower, 0),
        upper=np.append(model.upper, 1),
        rows=sparse.csr_array(sparse.hstack((model.rows, sparse.csr_array(column)))),
    )


def tightened(
    model: LinearModel, kinds: Records, patterns: Patterns, limit: int, budget: Budget
) -> Tightened:
    """Return a model with an escape with cuts, without what costs `limit` or more.

    Its first variables are the pairs of a pattern and a kind, then come the patterns.
    """
    if kinds.distinct > _MOST_KINDS:
        return Tightened(model, 0, model.columns)
    cuts = _Cuts(kinds, patterns, model.columns)
    return tightening.tightened(model, cuts.violated, 2, limit, budget)


class _Cuts:
    """The cuts of one model, and the pairs of its kinds."""

    def __init__(self, kinds: Records, patterns: Patterns, columns: int) -> None:
        self._patterns, self._columns = patterns, columns
        self._single = kinds.copies == 1
        self._pattern = np.repeat(np.arange(patterns.count), np.diff(patterns.starts))
        self._pairs = np.argsort(patterns.records, kind="stable")
        counts = np.bincount(patterns.records, minlength=kinds.distinct)
        self._starts = np.concatenate(([0], np.cumsum(counts)))

    def violated(self, point: FloatArray) -> sparse.csr_array[Any]:
        """Return the rows of cuts that the point violates most."""
        pairs, count = self._patterns.pairs, self._patterns.count
        x, y = point[:pairs], point[pairs : pairs + count]
        used = np.flatnonzero(x > _USED)
        opened, place = np.unique(self._pattern[used], return_inverse=True)
        shares = np.zeros((len(self._single), len(opened)))
        shares[self._patterns.records[used], place] = x[used]
        triples = _triples(shares, y[opened], self._single, _VIOLATED)
        rows = [self._row(triple, x, y) for triple in _spread(triples, len(shares))]
        ends = np.cumsum([0, *map(len, rows)])
        columns = [column for row in rows for column in row]
        factors = [factor for row in rows for factor in row.values()]
        shape = len(rows), self._columns
        return sparse.csr_array(
            (np.array(factors, np.int64), np.array(columns, np.int64), ends), shape
        )

    def _row(self, triple: IntArray, x: FloatArray, y: FloatArray) -> dict[int, int]:
        """Return the cut of three kinds: the greatest term of every pattern."""
        pairs: defaultdict[int, list[int]] = defaultdict(list)
        for kind in triple.tolist():
            for pair in self._pairs[self._starts[kind] : self._starts[kind + 1]]:
                pairs[int(self._pattern[pair])].append(int(pair))
        row = {self._columns - 1: 2}
        for p, used in pairs.items():
            if len(used) < 2:
                continue
            used.sort(key=lambda pair: -x[pair])
            all_three = len(used) == 3 and x[used].sum() - y[p] > 2 * (
                x[used[:2]].sum() - y[p]
            )
            factor = 1 if all_three else 2
            chosen = used if all_three else used[:2]
            if x[chosen].sum() >= y[p]:
                row |= dict.fromkeys(chosen, factor)
                row[self._patterns.pairs + p] = -factor
        return row


def _spread(triples: FloatArray, kinds: int) -> list[IntArray]:
    """Return the kinds of the most violated triples, no kind in too many."""
    uses = np.zeros(kinds, dtype=np.int64)
    chosen: list[IntArray] = []
    for place in np.argsort(-triples[:, 0], kind="stable"):
        triple = triples[place, 1:].astype(np.int64)
        if (uses[triple] < _PER_KIND).all():
            uses[triple] += 1
            chosen.append(triple)
            if len(chosen) == _PER_ROUND:
                break
    return chosen


@compiled
def _triples(
    shares: FloatArray, opened: FloatArray, single: BoolArray, tolerance: float
) -> FloatArray:
    """Return all violated triples of kinds: the sum over the patterns, and the kinds.

    Any two kinds of such a triple share a pattern: the sum for one kind is at most 1.
    """
    kinds, patterns = shares.shape
    # Which kinds share a pattern.
    near = np.zeros((kinds, kinds), dtype=np.bool_)
    held = np.empty(kinds, dtype=np.int64)
    for p in range(patterns):
        count = 0
        for t in range(kinds):
            if shares[t, p] > 0 and single[t]:
                held[count] = t
                count += 1
        for i in range(count):
            for j in range(count):
                near[held[i], held[j]] = True
    # All triples of kinds that do, two by two.
    found, count = np.empty((64, 4)), 0
    for a in range(kinds):
        for b in range(a + 1, kinds):
            if not near[a, b]:
                continue
            for c in range(b + 1, kinds):
                if not near[a, c] or not near[b, c]:
                    continue
                total = 0.0
                for p in range(patterns):
                    total += _part(shares[a, p], shares[b, p], shares[c, p], opened[p])
                if total <= 1.0 + tolerance:
                    continue
                if count == len(found):
                    found = _longer(found)
                found[count, 0], found[count, 1] = total, a
                found[count, 2], found[count, 3] = b, c
                count += 1
    return found[:count]


@inlined
def _part(a: float, b: float, c: float, opened: float) -> float:
    """Return a lower bound on whether a pattern has two or more of three rows."""
    total = a + b + c
    two = total - min(a, b, c) - opened
    return max(0.0, two, (total - opened) / 2)


@inlined
def _longer(found: FloatArray) -> FloatArray:
    more = np.empty((2 * len(found), 4))
    for i in range(len(found)):
        for j in range(4):
            more[i, j] = found[i, j]
    return more
