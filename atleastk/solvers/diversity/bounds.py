"""Lagrangian bounds that know the sensitive values: weights of kinds of rows.

A kind is a record with its sensitive values. Let u be any weights of the kinds, and V
of a closed pattern of cost c the greatest sum of u - c over groups S that it matches.
Every solution gives each closed pattern to one group or to none (groups of one pattern
may be merged), so it costs at least the sum of all u, over all rows, less the sum of
max(0, V). V may be overestimated: here S needs `least_rows` rows, and l different
values of one sensitive column, which the frequency form asks for, too.

Such an S of the greatest sum has the greatest row of each of l values, those of the
greatest such rows: another value in S could be exchanged for one of them. To these come
the greatest other rows, as many as are missing, and all further ones above 0.

A solution that gives a pattern a row of t costs at least max(0, -V) more than that
bound, and if no t is in a best set S, also w - (u - c), where w is the least term of S,
or 0 if that is positive. Let S' be a set with such a row. If it can do without, its
value is V + u - c at most. If it cannot, its values have become too few without, and S
has a row of another one, or its rows have, and S has another row: let that one, of term
w or more, take the place of t. The value of the result is V at most.

The weights are improved by dual ascent (:mod:`~atleastk.solvers.tables.dual_ascent`),
which knows such sets. Here all is in arrays, in time O(P log P) for P pairs of a
pattern and a kind. All sums are exact: weights are integers, in parts of a cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.diversity import Diversity
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.models.certificates.diversity import check_certificate
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.kind_patterns import KindPatterns
from atleastk.solvers.search import Search
from atleastk.solvers.tables.dual_ascent import Ascent
from atleastk.solvers.tables.multipliers import Multipliers

SCALE: Final = 1_000
"""Parts of a unit of cost: finer than what rounding loses."""

_GREATEST: Final = 2**60
"""The greatest sum of the weights of all rows: sums stay within 64 bits."""


class BestSets(NamedTuple):
    """A set of the greatest value for every pattern.

    By pair, the greatest terms of a pattern first: its place in the list of pairs, its
    kind, how many copies are in the set, and the cost of one in parts of a cell. By
    pattern: the value, and whether there is such a set at all.
    """

    order: IntArray  # [pair]
    kind: IntArray  # [pair]
    taken: IntArray  # [pair]
    cost: IntArray  # [pair]
    values: IntArray  # [pattern]
    enough: BoolArray  # [pattern]


class KindWeights:
    """Weights of the kinds of rows of one instance.

    Parameters
    ----------
    matched
        The kinds of rows, and the closed patterns with the kinds that they match.

    Attributes
    ----------
    weights
        One per kind, in parts of a cell; they become better.
    most
        The greatest weight.
    """

    def __init__(
        self,
        instance: Diversity,
        matched: KindPatterns,
    ) -> None:
        kinds, patterns, _ = self._matched = matched
        self._rows = instance.least_rows
        self._different = instance.l if instance.totals else 1
        self.most = _GREATEST // max(1, instance.n)
        self._copies = kinds.copies
        self._starts = patterns.starts[:-1].astype(np.int64)
        self._pattern = np.repeat(np.arange(patterns.count), np.diff(patterns.starts))
        self._kind = patterns.records.astype(np.int64)
        paid = patterns.stars.astype(np.int64)[self._pattern]
        self._cost = paid * kinds.worth[self._kind] * SCALE
        self._even = kinds.weights is None or len(np.unique(kinds.weights)) < 2
        firsts = np.unique(kinds.record_of, return_index=True)[1]
        least = np.full(kinds.distinct, np.iinfo(np.int64).max)
        np.minimum.at(least, self._kind, self._cost)
        self.weights: IntArray = least
        widest = max(map(len, instance.totals), default=1)
        column = max(
            range(len(instance.totals)),
            key=lambda s: int(instance.totals[s].max(initial=0)),
            default=0,
        )
        value = np.zeros(kinds.distinct, dtype=np.int64)
        if instance.totals:
            value += instance.values[firsts, column]
        self._value = self._pattern * widest + value[self._kind]

    def best_sets(self) -> BestSets:
        """Return a set of the greatest value for every pattern."""
        order = self._order()
        kind, first = self._kind[order], self._representing(self._value[order])
        cost = self._cost[order]
        terms = self.weights[kind] - cost
        held = self._copies[kind] - first
        before = np.cumsum(held) - held
        before -= np.repeat(before[self._starts], self._lengths)
        missing = max(0, self._rows - self._different)
        taken = np.where(terms > 0, held, np.clip(missing - before, 0, held)) + first
        values = np.add.reduceat(taken * terms, self._starts)
        enough = np.add.reduceat(taken, self._starts) >= self._rows
        enough &= np.add.reduceat(first, self._starts) == self._different
        return BestSets(order, kind, taken, cost, values, enough)

    def bound(self) -> tuple[int, IntArray]:
        """Return the bound of the weights, and how often each kind is used for it."""
        total, used = self._total(self.best_sets())
        return -(-total // SCALE), used

    @property
    def total(self) -> int:
        """The bound before rounding, in parts of a cell."""
        return self._total(self.best_sets())[0]

    def needed(self, below: int) -> BoolArray:
        """Return which pairs solutions of cost less than `below` may use."""
        best = self.best_sets()
        spare = (below - 1) * SCALE - self._total(best)[0]
        terms = self.weights[best.kind] - best.cost
        held = best.taken > 0
        least = np.minimum.reduceat(np.where(held, terms, 0), self._starts)
        raised = np.where(held, 0, np.maximum(0, least[self._pattern] - terms))
        raised += np.maximum(0, -best.values)[self._pattern]
        needed = np.empty(len(raised), dtype=np.bool_)
        needed[best.order] = (raised <= spare) & best.enough[self._pattern]
        return needed

    def _total(self, best: BestSets) -> tuple[int, IntArray]:
        """Return the bound in parts of a cell, and how often each kind is used."""
        worth = best.enough & (best.values > 0)
        counts = np.repeat(worth, self._lengths)
        used = np.bincount(
            best.kind[counts], best.taken[counts], minlength=len(self.weights)
        ).astype(np.int64)
        total = int(self.weights @ self._copies) - int(best.values[worth].sum())
        return total, used

    def _order(self) -> IntArray:
        if not self._even:
            return np.lexsort((self._cost - self.weights[self._kind], self._pattern))
        rank = np.empty(len(self.weights), dtype=np.int64)
        rank[np.argsort(-self.weights, kind="stable")] = np.arange(len(rank))
        return np.argsort(self._pattern * len(rank) + rank[self._kind], kind="stable")

    @property
    def _lengths(self) -> IntArray:
        return np.diff(self._starts, append=len(self._kind))

    def _representing(self, value: IntArray) -> IntArray:
        """Return 1 for pairs, in order, that are the first of one of l first values."""
        place = np.full(int(value.max(initial=-1)) + 1, -1, dtype=np.int64)
        # Of several places the last one stays: backwards, the first.
        place[value[::-1]] = np.arange(len(value) - 1, -1, -1)
        first = np.zeros(len(value), dtype=np.int64)
        first[place[place >= 0]] = 1
        before = np.cumsum(first) - first
        before -= np.repeat(before[self._starts], self._lengths)
        return first * (before < self._different)

    def improve(self, search: Search[Diversity], budget: Budget) -> None:
        """Raise the bound by dual ascent, and certify it if the weights prove it."""

        def report(found: Multipliers) -> None:
            search.raise_bound(found.bound, "kinds")

        kinds, patterns, asked = self._matched
        if asked is not None:  # sets of this class know different values only
            asked = replace(asked, share=1)
        ascent = Ascent(patterns, kinds, self._rows, asked=asked)
        ascent.climb(budget, report, search.cost)
        found = ascent.best()
        rounded = np.rint(found.weights * (SCALE / found.scale))
        self.weights = np.clip(rounded, -self.most, self.most).astype(np.int64)
        search.raise_bound(max(found.bound, self.bound()[0]), "kinds")
        self.certify(search)

    def certify(self, search: Search[Diversity]) -> None:
        """Certify the best bound by these weights, if nothing else does."""
        bound = self.bound()[0]
        open_yet = search.certificate is None and not search.infeasible
        if open_yet and bound == search.bound:
            proof = self._proof(search.instance, self.weights, bound)
            search.raise_bound(bound, "kinds", proof)

    def _proof(
        self, instance: Diversity, weights: IntArray, bound: int
    ) -> Mapping[str, Any] | None:
        """Return weights as a tree of one leaf, if that is a certificate of a bound."""
        leaf = {"weights": weights.tolist(), "entries": SCALE * instance.unit}
        proof = {"kind": "tree", "tree": leaf}
        try:
            check_certificate(instance, proof, bound)
        except (CertificateError, NotApplicableError):
            return None
        return proof
