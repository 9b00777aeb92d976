"""k-ambiguity: the automatic choice of methods.

1. The solutions of Lemma 1 and of near rows.
2. Weights: for large tables of many values they prove (k - 1) m at once. Where sets of
   columns are too many: the sum of the bounds of blocks of columns, since rows that
   match do so in every block.
3. Iterated local search, for a better solution.
4. For few needy records the best weights by a linear program; then reduced cost fixing:
   all star sets within the gap, minimised by HiGHS.
5. Small tables that are still open by the model of cells; larger ones are searched
   further.
6. While a time limit leaves some: the best weights of many needy records, for half of
   it, and further local search.

Same seed, one worker and no time limit: same answer.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from math import isfinite
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.certificates.k_ambiguity import certificate_of, part_of, proven
from atleastk.models.encodings.k_ambiguity import cell_model
from atleastk.models.k_ambiguity import mask_of, solution_of_mask, useful_columns
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.k_ambiguity.first import begin
from atleastk.solvers.k_ambiguity.local_search import improved
from atleastk.solvers.k_ambiguity.reduced_cost_fixing import close_gap
from atleastk.solvers.k_ambiguity.weights import (
    Classes,
    best_duals,
    feasible_weights,
    integer_weights,
    needy_sample,
)
from atleastk.solvers.search import Search

_FEW_NEEDY: Final = 150
"""Records for which the linear program takes a second at most."""

_DUALS: Final = 0.5
"""The share of the time left for the linear program of more records: not tuned."""

_BLOCK: Final = 8
"""Columns of wide tables that are weighted together."""

_MOVES: Final = 300_000_000
"""Cells looked at in one local search, and three times as many in the last."""

_MOST_CELLS: Final = 100_000
"""Pairs of rows times columns in the model of cells."""


def solve(search: Search[KAmbiguity]) -> None:
    """Suppress the fewest cells and prove it, as far as the budget goes."""
    if not begin(search, "suppressed rows"):
        return
    instance = search.instance
    sample = needy_sample(instance, search.budget.seed)
    weights = np.zeros(instance.records.distinct, dtype=np.int64)
    sampled = Classes(instance, sample) if len(sample) else None
    if sampled is not None:
        weights = _raise_by_weights(search, sampled)
    else:
        _raise_by_blocks(search)
    if not search.done:
        _perturb(search, _MOVES)
    if not search.done and sampled is not None and len(sample) <= _FEW_NEEDY:
        weights = _raise_by_duals(search, sampled, search.budget)
    if not search.done:
        close_gap(search, weights, Highs(), "star sets")
    if not search.done and instance.n**2 * instance.m <= 2 * _MOST_CELLS:
        minimise_encoded(search, cell_model(instance), CpSat(), "cells")
    if not search.done:
        _perturb(search, 3 * _MOVES)
    _search_to_the_end(search, None if len(sample) <= _FEW_NEEDY else sampled)


def _search_to_the_end(search: Search[KAmbiguity], sampled: Classes | None) -> None:
    """Improve bound and solution until the time limit, if there is one."""
    budget = search.budget
    if sampled is not None and not search.done and isfinite(budget.remaining):
        _raise_by_duals(search, sampled, budget.share(_DUALS))
    for seed in count(budget.seed + 1):
        if search.done or not isfinite(budget.remaining):
            return
        _perturb(search, 3 * _MOVES, seed)


def _raise_by_weights(search: Search[KAmbiguity], sampled: Classes) -> IntArray:
    """Raise the bound by feasible weights; return those of the first bound."""
    keeping = integer_weights(
        sampled, feasible_weights(sampled, search.budget, keeping=True)
    )
    _raise(search, keeping, "weights")
    plain = integer_weights(sampled, feasible_weights(sampled, search.budget))
    if not search.closed:
        _raise(search, plain, "weights")
    return plain


def _raise_by_blocks(search: Search[KAmbiguity]) -> None:
    """Raise the bound by the weights of some columns at a time."""
    instance, bound = search.instance, 0
    blocks = []
    columns = useful_columns(instance).tolist()
    for start in range(0, len(columns), _BLOCK):
        block = columns[start : start + _BLOCK]
        part = part_of(instance, block)
        sampled = Classes(part, needy_sample(part, search.budget.seed))
        if len(sampled.sample):
            weights = integer_weights(
                sampled, feasible_weights(sampled, search.budget, keeping=True)
            )
            bound += proven(part, weights)
            blocks.append({"columns": block, "weights": weights.tolist()})
    proof = {"kind": "blocks", "blocks": blocks}
    search.raise_bound(bound, "blocks of columns", proof)


def _raise_by_duals(
    search: Search[KAmbiguity], sampled: Classes, budget: Budget
) -> IntArray:
    """Raise the bound by the weights of a linear program; return them."""
    weights = integer_weights(sampled, best_duals(sampled, search.cost or 0, budget))
    _raise(search, weights, "duals")
    return weights


def _raise(search: Search[KAmbiguity], weights: IntArray, source: str) -> None:
    bound = proven(search.instance, weights)
    search.raise_bound(bound, source, certificate_of(weights))


def _perturb(search: Search[KAmbiguity], moves: int, seed: int | None = None) -> None:
    """Perturb the best solution; with another seed than that of the run if given."""
    instance, budget = search.instance, search.budget
    if seed is not None:
        budget = replace(budget, seed=seed)
    if search.solution is None:
        return
    hidden = mask_of(instance, search.solution)
    work = instance.n * max(1, instance.m) * max(1, int(hidden.sum()))
    better = improved(
        instance,
        hidden,
        max(20, min(5_000, moves // work)),
        search.bound or 0,
        budget,
    )
    search.offer(solution_of_mask(instance, better), "perturbation")
