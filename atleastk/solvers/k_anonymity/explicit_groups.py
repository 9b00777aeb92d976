"""k-anonymity by explicit groups: column generation, then set partitioning in the gap.

Column generation (:mod:`atleastk.solvers.engine.column_generation`) gives integer
weights and with them a bound. Let a partition cost less than U, the best cost known. By
weak duality (:mod:`atleastk.models.certificates.weights`) the reduced costs of its
groups S add up to

    sum over S of (scale c(S) - y(S))  <=  scale (U - 1) - sum y,

so no single group has a greater reduced cost. All groups that have none are listed by
depth-first search (:mod:`atleastk.solvers.tables.listed_groups`); if they are few,
the best partition into them is optimal, or there is none and U is the optimum. If they
are too many, the pattern model is minimised over the pairs of a pattern and a record
that such a group has.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.admissible.k_anonymity import RowGroups
from atleastk.models.certificates.weights import value_of
from atleastk.models.encodings.k_anonymity import pattern_model
from atleastk.models.encodings.leaders import split_groups
from atleastk.models.encodings.set_partition import set_partition
from atleastk.models.groups import Group
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.column_generation import scaled, solve_master
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.search import Search
from atleastk.solvers.tables.listed_groups import Wanted, listed_groups

_MOST_GROUPS = 200_000
"""Groups that are listed for one model; where there are more, pairs are."""
_SCALE = 10**6
"""By which the duals of records are multiplied before they are rounded."""
_ENDLESS = 2**62
"""Steps of a search that ends only when all groups are found, or too many."""
_MARGIN = 2
"""Cells by which a group may be worse than the best one to be tried first."""
_SHARE = 0.2
"""The share of the time left for a solution of the generated groups alone."""


def minimise_groups(
    search: Search[KAnonymity], patterns: Patterns, backend: Backend, source: str
) -> None:
    """Solve by explicit groups; the search has a solution, the patterns are all."""
    instance, budget = search.instance, search.budget
    groups = RowGroups.of(instance, patterns)
    answer = solve_master(groups, budget, _known(groups, search))
    if answer.bound is not None:
        search.raise_bound(max(0, answer.bound), source)
    if search.done or not answer.converged:
        return
    weights = scaled(answer.duals, _SCALE)
    _improve(search, groups, weights, backend, source)
    if search.done or search.cost is None:
        return
    below = search.cost
    least = _least_value(groups, weights, below)
    listed = groups_above(groups, weights, _SCALE, least, budget, _MOST_GROUPS)
    if budget.spent:
        return
    if listed is None:
        left = groups.values_of_pairs(weights, _SCALE) >= least
        encoding = pattern_model(instance.records, instance.k, patterns.only(left))
    else:
        encoding = set_partition(listed, groups.kinds, groups.parts)
    minimise_encoded(search, encoding, backend, source, below=below)


def groups_above(
    groups: RowGroups,
    weights: Sequence[int],
    scale: int,
    least: int,
    budget: Budget,
    limit: int,
) -> list[Group] | None:
    """Return all groups S of ``weights(S) - scale * cost(S) >= least``.

    None if they are more than `limit` or the budget ends first.
    """
    wanted = Wanted(groups.k, -least, limit, limit, _ENDLESS, partly=False)
    pool = listed_groups(
        groups.patterns,
        groups.records,
        np.array(weights, dtype=np.int64),
        scale,
        wanted,
        budget,
    )
    if not pool.complete.all():
        return None
    members = np.repeat(pool.record, pool.copies).tolist()
    ends = np.cumsum(pool.sizes, dtype=np.int64).tolist()
    return [groups.group(members[begin:end]) for begin, end in pairwise([0, *ends])]


def _known(groups: RowGroups, search: Search[KAnonymity]) -> list[Group]:
    if search.solution is None:
        return []
    parts = split_groups(search.solution.groups, groups.k)
    record_of = groups.records.record_of
    return [groups.group(record_of[part].tolist()) for part in parts]


def _improve(
    search: Search[KAnonymity],
    groups: RowGroups,
    weights: Sequence[int],
    backend: Backend,
    source: str,
) -> None:
    """Look for a solution among the pairs of good groups, for a part of the time.

    The pairs of the best solution are there too.
    """
    instance, budget = search.instance, search.budget
    least = _greatest_value(groups, weights) - _MARGIN * _SCALE
    pairs = groups.values_of_pairs(weights, _SCALE) >= least
    known = () if search.solution is None else search.solution.groups
    used = pattern_model(instance.records, instance.k, groups.patterns).encode(known)
    if used is not None:
        pairs |= used[: len(pairs)] > 0
    encoding = pattern_model(instance.records, instance.k, groups.patterns.only(pairs))
    backend.minimise(
        encoding.model,
        budget.slice(max(1.0, _SHARE * min(budget.remaining, 300.0))),
        hint=encoding.encode(known),
        on_answer=lambda values: search.offer(encoding.decode(values), source),
    )


def _greatest_value(groups: RowGroups, weights: Sequence[int]) -> int:
    best = groups.best_group(weights, _SCALE)
    return 0 if best is None else value_of(best.items, best.cost, weights, _SCALE)


def _least_value(groups: RowGroups, weights: Sequence[int], below: int) -> int:
    """Return the least value of a group in a solution that costs less than `below`."""
    greatest = _greatest_value(groups, weights)
    others = groups.parts.most if greatest > 0 else groups.parts.fewest
    total = sum(d * y for d, y in zip(groups.demand, weights, strict=True))
    return total - _SCALE * (below - 1) - (others - 1) * greatest
