"""Counting nodes of the lattice whose classes have a condition on sensitive values.

Without suppressed rows that is a matter of counting. With them, the least that each
class loses bounds the loss, and often rows are found that suffice
(:mod:`~atleastk.models.diverse_deletion`). If that leaves a node undecided when all
others have been counted, a model decides
(:mod:`~atleastk.models.encodings.diverse_deletion`), in HiGHS and CP-SAT by turns: some
nodes are easy for one of them alone. It has a share of the time left, and its answer
has no certificate.
"""

from __future__ import annotations

from collections import Counter as Tally
from dataclasses import replace
from typing import Final

from atleastk.arrays import IntArray
from atleastk.instances.diversity import Diversity
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.diverse_deletion import Deletion, is_enough, suppressed_sets
from atleastk.models.diversity import is_diverse_node
from atleastk.models.encodings.diverse_deletion import deletion_model
from atleastk.models.generalization import (
    GeneralizationSolution,
    solution_at,
)
from atleastk.models.linear import LinearModel
from atleastk.models.results.status import Status
from atleastk.solvers.backends.backend import Answer
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.generalization import predictive_tagging
from atleastk.solvers.generalization.boxes import Levels
from atleastk.solvers.generalization.counting import Count, Counter, Counts
from atleastk.solvers.search import Search

_MOST_SETS: Final = 5_000
"""Sets of rows that are tried at a node: seconds."""

_MOST_KINDS: Final = 100_000
"""Kinds of rows in the model of a node: seconds of writing."""


def counts_of(search: Search[Diversity], *, certified: bool = False) -> Counts:
    """Return the counter of the nodes; if certified, it asks no solver."""
    if search.instance.suppress_rows:
        return SuppressingCounter(search, 0 if certified else _MOST_KINDS)
    return ConditionCounter(search.instance)


def minimise_by_tagging(
    search: Search[Diversity], source: str, *, certified: bool = False
) -> None:
    """Minimise on attributes by predictive tagging: the condition is monotone.

    If certified, what only a solver could decide is left open.
    """
    predictive_tagging.minimise_by_tagging(
        search, source, counts_of(search, certified=certified)
    )


class ConditionCounter(Counter):
    """Counts classes of k rows that satisfy the condition; no row is suppressed."""

    _instance: Diversity

    def count(self, levels: Levels) -> Count:
        """Return the classes and losses of a node."""
        count = super().count(levels)
        if count.refused or is_diverse_node(self._instance, levels):
            return count
        return Count(count.floor)


class SuppressingCounter(Counter):
    """Counts classes, and rows to suppress so that the others satisfy the condition."""

    def __init__(self, search: Search[Diversity], most_kinds: int) -> None:
        super().__init__(search.instance)
        self._search, self._most_kinds = search, most_kinds
        self._rows: dict[Levels, IntArray] = {}
        self._looked: Tally[Levels] = Tally()

    def count(self, levels: Levels) -> Count:
        """Return the classes and losses of a node."""
        instance, known = self._search.instance, self._search.cost
        of_k = super().count(levels)
        if of_k.least is None:
            return of_k
        deletion = Deletion.at(instance, levels)
        if deletion.refused:
            return Count(of_k.floor)
        count = Count(of_k.floor, max(of_k.least, deletion.least_loss))
        rows = self._rows.get(levels, deletion.rows)
        if rows is not None:
            count = self._found(deletion, rows, count)
        useless = known is not None and count.least is not None and count.least >= known
        if count.settled or useless:
            return count
        self._looked[levels] += 1
        if self._looked[levels] == 1:
            return replace(count, late=True)
        if instance.is_modelled:
            return self._decided(deletion, count)
        return self._tried(deletion, count)

    def solution(self, levels: Levels) -> GeneralizationSolution:
        """Return the solution of a node for which sufficient rows were found."""
        return solution_at(self._search.instance, levels, self._rows[levels].tolist())

    def _found(self, deletion: Deletion, rows: IntArray, count: Count) -> Count:
        """Return the count with sufficient rows, unless it has better ones."""
        loss, ties = deletion.loss(rows), deletion.ties(rows)
        if count.loss is not None and (count.loss, count.ties) <= (loss, ties):
            return count
        self._rows[deletion.levels] = rows
        return replace(count, loss=loss, ties=ties)

    def _tried(self, deletion: Deletion, count: Count) -> Count:
        """Return what all sets of rows say of a node, if they are few."""
        sets = suppressed_sets(deletion, _MOST_SETS) if self._most_kinds else None
        if sets is None:
            return count
        for rows in sets:
            if self._search.budget.spent:
                return count
            if is_enough(deletion, rows):
                count = self._found(deletion, rows, count)
                if deletion.instance.is_linear:
                    break  # the fewest come first
        if count.loss is None:
            return Count(count.floor, claimed=True)
        return replace(count, least=count.loss, claimed=True)

    def _decided(self, deletion: Deletion, count: Count) -> Count:
        """Return what a model decides about a node, if it is not too large."""
        times = self._looked[deletion.levels]
        budget = self._search.budget.share(0.1 if times == 2 else 0.5)
        try:
            node = deletion_model(deletion, self._most_kinds)
            answer = _answer(node.model, budget, highs_first=times % 2 == 0)
        except NotApplicableError:
            return count
        if answer.status is Status.INFEASIBLE:
            return Count(count.floor, claimed=True)
        if answer.values is not None:
            count = self._found(deletion, node.rows(answer.values), count)
        if not deletion.instance.is_linear and answer.bound is not None:
            least = max(count.least or 0, count.floor + answer.bound)
            count = replace(count, least=least, claimed=least > (count.least or 0))
        return replace(count, late=not count.settled)


def _answer(model: LinearModel, budget: Budget, *, highs_first: bool) -> Answer:
    """Minimise in one solver, or in the other if it refuses the model.

    The numbers of closeness grow with the square of the rows, soon beyond HiGHS.
    """
    one, other = (Highs(), CpSat()) if highs_first else (CpSat(), Highs())
    try:
        return one.minimise(model, budget)
    except NotApplicableError:
        return other.minimise(model, budget)
