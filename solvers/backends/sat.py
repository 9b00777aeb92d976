"""SAT solvers of PySAT on linear models.

Encoding
--------
A variable with bounds l..u is l plus weighted literals of weights 1, 2, 4, .., rest,
which sum up to u - l: so every combination of literals is a value within the bounds. A
row becomes two inequalities over literals with positive weights, and these become

- clauses, if every single literal suffices to break or to keep them;
- a sequential counter, if at most one literal may hold;
- a cardinality network, if all weights are equal;
- the watchdog encoding with sorting networks otherwise: polynomial, unlike others.

Minimisation bisects between the proved bound and the best cost; each step asks for a
point of at most the middle cost, under a literal that switches the question off again.

Encodings above `MOST_CLAUSES` are refused. Only solvers that can be interrupted are
offered; they have no seed and work alone.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pysat.card import CardEnc
from pysat.card import EncType as CardType
from pysat.pb import EncType as PbType
from pysat.pb import PBEnc
from pysat.solvers import Solver

from atleastk.instances.errors import (
    NotApplicableError,
    UnknownNameError,
    WrongAnswerError,
)
from atleastk.models.linear import INFINITE, LinearModel
from atleastk.models.status import Status
from atleastk.solvers.backends.backend import (
    Answer,
    Claims,
    IntArray,
    OnAnswer,
    OnBound,
    box_bound,
    clean_rows,
    refuse_sums_above,
)
from atleastk.solvers.budget import Budget

__all__ = ["MOST_CLAUSES", "SAT_SOLVERS", "Sat"]

MOST_CLAUSES = 5_000_000
"""An estimate above this is refused."""

SAT_SOLVERS = ("glucose4", "glucose3", "maplechrono", "maplecm", "minisat22")
"""The solvers that can be interrupted, the default first."""

_WIDEST = 2**53

Terms = list[tuple[int, int]]
"""Literals with their weights."""


@dataclass(frozen=True, slots=True)
class Sat:
    """A SAT solver as a back end."""

    family: ClassVar[str] = "SAT"
    solver: str = "glucose4"

    def __post_init__(self) -> None:
        if self.solver not in SAT_SOLVERS:
            known = ", ".join(SAT_SOLVERS)
            message = f"no interruptible SAT solver {self.solver!r}; there are {known}"
            raise UnknownNameError(message)

    @property
    def name(self) -> str:
        return f"SAT {self.solver}"

    def version(self) -> str:
        return version("python-sat")

    def missing(self) -> str | None:
        return None

    def minimise(
        self,
        model: LinearModel,
        budget: Budget,
        *,
        hint: IntArray | None = None,
        on_answer: OnAnswer | None = None,
        on_bound: OnBound | None = None,
    ) -> Answer:
        refuse_sums_above(model, _WIDEST, self.name)
        claims = Claims(
            model,
            self.name,
            floor=box_bound(model),
            hint=hint,
            on_answer=on_answer,
            on_bound=on_bound,
        )
        if model.impossible:
            return claims.answer(Status.INFEASIBLE)
        if budget.spent:
            return claims.answer(Status.UNKNOWN)
        with Solver(name=self.solver) as solver:
            formula = _Formula(model, solver, self.name)
            if not formula.encode_rows(budget):
                return claims.answer(Status.UNKNOWN)
            if hint is not None:
                formula.suggest(hint)
            with claims.stopping(budget, solver.interrupt):
                status = _search(formula, claims, budget)
        return claims.answer(status)


def _search(formula: _Formula, claims: Claims, budget: Budget) -> Status:
    """Bisect over the cost; points and bounds go to the claims."""
    if claims.cost is None:
        match formula.solve():
            case None:
                return Status.UNKNOWN
            case False:
                return Status.INFEASIBLE
        claims.found(formula.point())
    while not budget.spent and (target := claims.halfway) is not None:
        switch = formula.ask(target)
        found = formula.solve(switch)
        if found is None:
            break
        if found:
            claims.found(formula.point(target))
        else:
            claims.proved(target + 1)
        formula.add([switch if found else -switch])
    return Status.UNKNOWN


class _Formula:
    """A linear model as clauses inside a SAT solver."""

    def __init__(self, model: LinearModel, solver: Solver, name: str) -> None:
        self._model, self._solver, self._name = model, solver, name
        self._top = 0
        self._size = 0
        widths = (model.upper - model.lower).tolist()
        self._literals = [self._spread(width) for width in widths]
        used = model.objective.nonzero()[0]
        self._objective = self._sum(used, model.objective[used])

    def encode_rows(self, budget: Budget) -> bool:
        """Add the rows; tell whether the budget sufficed."""
        model = self._model
        self._make_room(self._objective[0])
        rows = clean_rows(model)
        for r in range(rows.shape[0]):
            if budget.spent:
                return False
            span = slice(rows.indptr[r], rows.indptr[r + 1])
            terms, shift = self._sum(rows.indices[span], rows.data[span])
            lower, upper = int(model.row_lower[r]), int(model.row_upper[r])
            self._make_room(terms)
            if upper < INFINITE:
                self._at_most(terms, upper - shift)
            if lower > -INFINITE:
                opposite = [(literal, -weight) for literal, weight in terms]
                self._at_most(opposite, shift - lower)
        return True

    def ask(self, cost: int) -> int:
        """Return a new literal under which the cost is at most `cost`."""
        terms, shift = self._objective
        switch = self._new()
        self._at_most(terms, cost - shift, switch)
        return switch

    def add(self, clause: list[int]) -> None:
        """Add a clause."""
        self._solver.add_clause(clause)

    def solve(self, *assumptions: int) -> bool | None:
        """Tell whether there is a point, None if interrupted."""
        answer: bool | None = self._solver.solve_limited(
            assumptions=assumptions, expect_interrupt=True
        )
        return answer

    def point(self, most: int | None = None) -> IntArray:
        """Return the point found, whose cost was asked to be at most `most`."""
        true = {literal for literal in self._solver.get_model() if literal > 0}
        values = self._model.lower.copy()
        for j, terms in enumerate(self._literals):
            values[j] += sum(weight for literal, weight in terms if literal in true)
        if most is not None and self._model.cost(values) > most:
            message = f"{self._name} was asked for a cost of at most {most} and missed"
            raise WrongAnswerError(message)
        return values

    def suggest(self, values: IntArray) -> None:
        """Let the solver try the literals of a point first."""
        rests = np.clip(values, self._model.lower, self._model.upper)
        rests -= self._model.lower
        phases = []
        for terms, rest in zip(self._literals, rests.tolist(), strict=True):
            for literal, weight in reversed(terms):
                taken = weight <= rest
                rest -= weight * taken
                phases.append(literal if taken else -literal)
        self._solver.set_phases(phases)

    def _new(self) -> int:
        self._top += 1
        return self._top

    def _spread(self, width: int) -> Terms:
        terms = []
        weight = 1
        while width:
            terms.append((self._new(), min(weight, width)))
            width -= min(weight, width)
            weight *= 2
        return terms

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
            encoded = CardEnc.atmost(
                literals, 1, top_id=self._top, encoding=CardType.seqcounter
            )
        elif max(weights) == 1:
            encoded = CardEnc.atmost(
                literals, bound, top_id=self._top, encoding=CardType.cardnetwrk
            )
        else:
            encoded = PBEnc.atmost(
                literals, weights, bound, top_id=self._top, encoding=PbType.binmerge
            )
        self._top = max(self._top, encoded.nv)
        clauses: list[list[int]] = encoded.clauses
        return clauses

    def _make_room(self, terms: Terms) -> None:
        """Count what the encoding of terms will need at worst."""
        depth = len(terms).bit_length()
        heaviest = max((abs(weight) for _, weight in terms), default=0)
        self._size += len(terms) * heaviest.bit_length() * depth * depth
        if self._size > MOST_CLAUSES:
            message = (
                f"{self._name} would need more than {MOST_CLAUSES} clauses for this "
                "model; use CP-SAT or a MILP solver"
            )
            raise NotApplicableError(message)

    def _add_all(self, clauses: list[list[int]], switch: int | None) -> None:
        if switch is not None:
            clauses = [[-switch, *clause] for clause in clauses]
        self._solver.append_formula(clauses)
