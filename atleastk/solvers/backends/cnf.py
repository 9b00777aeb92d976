"""CNF encoding of linear models.

A variable with bounds l..u is l plus weighted literals of weights 1, 2, 4, .., rest,
which sum up to u - l: so every combination of literals is a value within the bounds. A
row becomes two inequalities over literals with positive weights, and these become

- clauses, if every single literal suffices to break or to keep them;
- a sequential counter, if at most one literal may hold;
- a cardinality network, if all weights are equal;
- the watchdog encoding with sorting networks otherwise: polynomial, unlike others.

Encodings above `MOST_CLAUSES` are refused.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.in_time import look_up
from atleastk.models.linear import INFINITE, LinearModel
from atleastk.packages import card, pb
from atleastk.solvers.backends.backend import clean_rows

MOST_CLAUSES = 5_000_000
"""The most clauses that a formula may have by an estimate: some gigabytes."""

Terms = list[tuple[int, int]]
"""Literals with their weights."""


def spread(width: int) -> list[int]:
    """Return the weights 1, 2, 4, .., rest, whose subsets add up to 0..width."""
    weights: list[int] = []
    while width:
        weights.append(min(1 << len(weights), width))
        width -= weights[-1]
    return weights


class Formula:
    """A linear model as clauses, handed to `take` as they are made.

    The objective is terms over literals and a constant.
    """

    def __init__(
        self,
        model: LinearModel,
        take: Callable[[list[list[int]]], object],
        name: str,
    ) -> None:
        self._model, self._take, self._name = model, take, name
        self._top = 0
        self._size = 0
        widths = (model.upper - model.lower).tolist()
        self._literals = [
            [(self._new(), weight) for weight in spread(width)] for width in widths
        ]
        used = model.objective.nonzero()[0]
        self.objective = self._sum(used, model.objective[used])

    def encode_rows(self) -> None:
        """Add the rows."""
        model = self._model
        self._make_room(self.objective[0])
        rows = clean_rows(model)
        for r in range(rows.shape[0]):
            look_up()
            span = slice(rows.indptr[r], rows.indptr[r + 1])
            terms, shift = self._sum(rows.indices[span], rows.data[span])
            lower, upper = int(model.row_lower[r]), int(model.row_upper[r])
            self._make_room(terms)
            if upper < INFINITE:
                self._at_most(terms, upper - shift)
            if lower > -INFINITE:
                opposite = [(literal, -weight) for literal, weight in terms]
                self._at_most(opposite, shift - lower)

    def ask(self, cost: int) -> int:
        """Return a new literal under which the cost is at most `cost`."""
        terms, shift = self.objective
        switch = self._new()
        self._at_most(terms, cost - shift, switch)
        return switch

    def values(self, literals: list[int]) -> IntArray:
        """Return the point at which these literals hold."""
        true = {literal for literal in literals if literal > 0}
        values = self._model.lower.copy()
        for j, terms in enumerate(self._literals):
            values[j] += sum(weight for literal, weight in terms if literal in true)
        return values

    def phases(self, values: IntArray) -> list[int]:
        """Return the literals that hold at a point, moved within the bounds."""
        rests = np.clip(values, self._model.lower, self._model.upper)
        rests -= self._model.lower
        phases = []
        for terms, rest in zip(self._literals, rests.tolist(), strict=True):
            for literal, weight in reversed(terms):
                taken = weight <= rest
                rest -= weight * taken
                phases.append(literal if taken else -literal)
        return phases

    def _new(self) -> int:
        self._top += 1
        return self._top

    def _sum(self, columns: NDArray[Any], factors: NDArray[Any]) -> tuple[Terms, int]:
        """Return a linear form as terms over literals and a constant."""
        pairs = list(zip(columns.tolist(), factors.tolist(), strict=True))
        constant = sum(factor * int(self._model.lower[j]) for j, factor in pairs)
        terms = [
            (literal, factor * weight)
            for j, factor in pairs
            for literal, weight in self._literals[j]
        ]
        return terms, constant

    def _at_most(self, terms: Terms, bound: int, switch: int | None = None) -> None:
        """Add ``sum of terms <= bound``, if the switch is on."""
        bound -= sum(weight for _, weight in terms if weight < 0)
        terms = [
            (literal if weight > 0 else -literal, abs(weight))
            for literal, weight in terms
        ]
        if bound < 0:
            never = self._new()
            self._add_all([[never], [-never]], switch)
            return
        self._add_all(
            [[-literal] for literal, weight in terms if weight > bound], switch
        )
        terms = [term for term in terms if term[1] <= bound]
        if sum(weight for _, weight in terms) <= bound:
            return
        divisor = math.gcd(*(weight for _, weight in terms))
        literals = [literal for literal, _ in terms]
        weights = [weight // divisor for _, weight in terms]
        self._add_all(self._encoded(literals, weights, bound // divisor), switch)

    def _encoded(
        self, literals: list[int], weights: list[int], bound: int
    ) -> list[list[int]]:
        """Return clauses for a sum that can exceed its bound, by no single term."""
        lightest, second = heapq.nsmallest(2, weights)
        if sum(weights) - lightest <= bound:
            return [[-literal for literal in literals]]
        if lightest + second > bound:
            encoded = card.CardEnc.atmost(
                literals, 1, top_id=self._top, encoding=card.EncType.seqcounter
            )
        elif max(weights) == 1:
            encoded = card.CardEnc.atmost(
                literals, bound, top_id=self._top, encoding=card.EncType.cardnetwrk
            )
        else:
            encoded = pb.PBEnc.atmost(
                literals, weights, bound, top_id=self._top, encoding=pb.EncType.binmerge
            )
        self._top = max(self._top, encoded.nv)
        clauses: list[list[int]] = encoded.clauses
        return clauses

    def _make_room(self, terms: Terms) -> None:
        """Refuse the model if the clauses of these terms, at worst, are too many."""
        depth = len(terms).bit_length()
        heaviest = max((abs(weight) for _, weight in terms), default=0)
        self._size += len(terms) * heaviest.bit_length() * depth * depth
        if self._size > MOST_CLAUSES:
            raise NotApplicableError(
                f"{self._name} would need more than {MOST_CLAUSES} clauses for this "
                "model; use CP-SAT or a MILP solver"
            )

    def _add_all(self, clauses: list[list[int]], switch: int | None) -> None:
        if switch is not None:
            clauses = [[-switch, *clause] for clause in clauses]
        self._take(clauses)
