"""k-ambiguity: the automatic choice of methods; `STAGES`, at the end, lists it.

Weights prove (k - 1) m at once for large tables of many values. Where sets of columns
are too many, the bounds of blocks add up: rows that match do so in every block. The
best weights leave few star sets within the gap (reduced cost fixing).

Same seed, one worker and no time limit: same answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.certificates.k_ambiguity import (
    certificate_of,
    certificate_of_lists,
    part_of,
    proven,
)
from atleastk.models.encodings.k_ambiguity import cell_model
from atleastk.models.k_ambiguity import looks_of, solution_of, useful_columns
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.stages import (
    MORE,
    Stage,
    Stages,
    always,
    reseeded,
    run_stages,
)
from atleastk.solvers.k_ambiguity.first import begin
from atleastk.solvers.k_ambiguity.local_search import apart, perturbed
from atleastk.solvers.k_ambiguity.reduced_cost_fixing import close_gap
from atleastk.solvers.k_ambiguity.weights import (
    Classes,
    best_duals,
    feasible_weights,
    integer_weights,
    needy_sample,
    weights_beside,
)
from atleastk.solvers.search import Search
from atleastk.solvers.tables.leaders import paired_cells

_FEW_NEEDY: Final = 150
"""Records for which the linear program takes a second at most."""

_BLOCK: Final = 8
"""Columns of wide tables that are weighted together."""

_MOVES: Final = 300_000_000
"""Cells looked at in a first local search."""

_MOST_WEIGHED: Final = 50_000_000
"""Needy records times k times sets of columns that are weighed beside rows: not tuned.
"""

_MOST_CELLS: Final = 100_000
"""Pairs of rows times columns in the model of cells."""


def solve(search: Search[KAmbiguity]) -> None:
    """Suppress the fewest cells and prove it, as far as the budget goes."""
    run_stages(search, STAGES, _Work(search, search.instance))


@dataclass
class _Work:
    """A search, the needy records that are weighted, and their best weights so far."""

    search: Search[KAmbiguity]
    instance: KAmbiguity
    weights: IntArray | None = None

    @cached_property
    def sample(self) -> IntArray:
        """The needy records that are weighted: none if sets of columns are too many."""
        return needy_sample(self.instance, self.search.budget.seed)

    @property
    def needy(self) -> int:
        """How many these are."""
        return len(self.sample)

    @cached_property
    def sampled(self) -> Classes:
        """The classes of these records."""
        return Classes(self.instance, self.sample)

    @property
    def goes_on(self) -> bool:
        """Whether there is a time limit, up to which it can go on."""
        return not self.search.budget.endless

    def weigh(self, part: Budget) -> None:
        """Raise the bound by feasible weights."""
        for keeping in (True, False):
            if not self.search.closed:
                found = feasible_weights(self.sampled, part, keeping=keeping)
                self.weights = integer_weights(self.sampled, found)
                self._raise(self.weights, "weights")

    def weigh_blocks(self, part: Budget) -> None:
        """Raise the bound by the weights of some columns at a time."""
        bound, blocks = 0, []
        columns = useful_columns(self.instance).tolist()
        for start in range(0, len(columns), _BLOCK):
            block = columns[start : start + _BLOCK]
            table = part_of(self.instance, block)
            sampled = Classes(table, needy_sample(table, part.seed))
            if len(sampled.sample):
                keeping = feasible_weights(sampled, part, keeping=True)
                weights = integer_weights(sampled, keeping)
                bound += proven(table, weights)
                blocks.append({"columns": block, "weights": weights.tolist()})
        proof = {"kind": "blocks", "blocks": blocks}
        self.search.raise_bound(bound, "blocks of columns", proof)

    def solve_dual(self, part: Budget) -> None:
        """Raise the bound by the weights of a linear program."""
        duals = best_duals(self.sampled, self.search.cost or 0, part)
        self.weights = integer_weights(self.sampled, duals)
        self._raise(self.weights, "duals")

    def weigh_beside_rows(self, part: Budget) -> None:
        """Raise the bound by weights for every number of rows that match everything."""
        ends = self.search.bound or 0, self.search.cost or 0
        bound, lists = weights_beside(self.instance, self.sampled, *ends, part)
        if lists:
            proof = certificate_of_lists(lists)
            self.search.raise_bound(bound, "weights beside rows", proof)

    def close(self, _: Budget) -> None:
        """Minimise over the star sets that the weights leave."""
        weights = self.weights
        if weights is None:
            weights = np.zeros(self.instance.records.distinct, dtype=np.int64)
        close_gap(self.search, weights, Highs(), "star sets")

    def minimise(self, _: Budget) -> None:
        """Minimise the model of cells."""
        minimise_encoded(self.search, cell_model(self.instance), CpSat(), "cells")

    def perturb(self, part: Budget, more: int = 1) -> None:
        """Search for a better solution from the best one."""
        if self.search.solution is None:
            return
        looks = apart(self.instance, looks_of(self.instance, self.search.solution))
        rounds = more * _MOVES // max(1, looks.hidden.size * looks.cost)
        rounds, bound = max(20, min(5_000, rounds)), self.search.bound or 0
        better = perturbed(self.instance, looks, rounds, bound, part)
        self.search.offer(solution_of(self.instance, better), "perturbation")

    def perturb_to_the_end(self, part: Budget) -> None:
        """Do so again and again, with other random numbers."""
        for own in reseeded(self.search, part, first=1):
            self.perturb(own, MORE)

    def _raise(self, weights: IntArray, source: str) -> None:
        bound = proven(self.instance, weights)
        self.search.raise_bound(bound, source, certificate_of(weights))


def _has_few_cells(work: _Work) -> bool:
    return paired_cells(work.instance.n, work.instance.m) <= _MOST_CELLS


def _has_few_sets(work: _Work) -> bool:
    """Whether all weights beside rows can be re-checked."""
    instance = work.instance
    columns = len(useful_columns(instance))
    weighed = work.needy * instance.k << min(columns, 62)
    return work.needy > 0 and columns > 1 and weighed <= _MOST_WEIGHED


STAGES: Final[Stages[_Work]] = (
    Stage("at once", always, None, lambda w, _: begin(w.search, "no rows")),
    Stage("weights", lambda w: w.needy > 0, None, _Work.weigh),
    Stage("weights beside rows", _has_few_sets, 0.5, _Work.weigh_beside_rows),
    Stage("blocks of columns", lambda w: not w.needy, None, _Work.weigh_blocks),
    Stage("perturbation", always, None, _Work.perturb),
    Stage("duals", lambda w: 0 < w.needy <= _FEW_NEEDY, None, _Work.solve_dual),
    Stage("star sets", always, None, _Work.close),
    Stage("cells", _has_few_cells, None, _Work.minimise),
    Stage("perturbation", always, None, lambda w, p: w.perturb(p, MORE)),
    Stage("duals", lambda w: w.goes_on and w.needy > _FEW_NEEDY, 0.5, _Work.solve_dual),
    Stage("perturbation", lambda w: w.goes_on, None, _Work.perturb_to_the_end),
)
"""What is done for a table of more than a few rows. Shares are not tuned."""
