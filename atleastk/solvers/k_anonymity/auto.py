"""k-anonymity: the automatic choice of methods.

What costs next to nothing comes first: groups of sorted neighbours, a bound by rare
values and near rows (:mod:`~atleastk.solvers.tables.wide_tables`), groups of near
rows (:mod:`~atleastk.solvers.tables.near_groups`), the bound OPT-LB, a greedy
cover and APPROX-DR. A table of very few pairs is solved by an integer program over all
its patterns before most of that. Then come rounds of growing effort
(:mod:`~atleastk.solvers.k_anonymity.rounds`): simulated annealing, dual ascent for the
bound, large neighbourhood search over sub-tables, and reduced cost fixing to close the
gap.

Tables whose list of patterns has to be cut off, and those of more than 62 columns,
which have no list at all, are annealed by moves of near rows
(:mod:`~atleastk.solvers.tables.near_moves`); a bound comes from the distances of
rows (:mod:`~atleastk.solvers.tables.wide_tables`), and small tables are solved by
the leader model. With a second worker near rows are rearranged while patterns are
listed.

As long as there is time and the gap is open, groups are rearranged further.

Same seed, one worker and no time limit: same answer. With a time limit, the clock
decides how long tables are annealed, so solutions that are not proved optimal may vary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.certificates.k_anonymity import is_checkable
from atleastk.models.encodings.k_anonymity import leader_model, pattern_model
from atleastk.models.results.solution import Solution, labels_of
from atleastk.models.tables.patterns import MOST_COLUMNS, Patterns
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.race import beside, together
from atleastk.solvers.k_anonymity.first import begin
from atleastk.solvers.k_anonymity.rounds import Rounds
from atleastk.solvers.search import Search
from atleastk.solvers.tables.bounds import least_stars
from atleastk.solvers.tables.closed_patterns import closed_patterns, pairs_within
from atleastk.solvers.tables.multipliers import prove
from atleastk.solvers.tables.near_groups import cost_of_labels, near_groups
from atleastk.solvers.tables.near_moves import regroup
from atleastk.solvers.tables.reporting import Reporter
from atleastk.solvers.tables.truncated_patterns import truncated_patterns
from atleastk.solvers.tables.weights import certificate_of
from atleastk.solvers.tables.wide_tables import least_at_once, least_known

T = TypeVar("T")

_NEAR_ROWS: Final = "near rows"
"""The source of groups of near rows in results."""

_LISTING: Final = 0.45
"""The share of the time left for a list."""

_BOUNDING: Final = 0.3
"""The share of the time left that one worker bounds a table without a list."""

_FEWEST_PAIRS: Final = 1000
"""Pairs over which HiGHS minimises as fast as all else does, in 0.03 to 1 s, and
without most of the compiled loops: measured on 30 tables."""

_NODES: Final = 300
"""Nodes of HiGHS before all else is tried; such tables mostly take one."""

_AT_ONCE: Final = 0.2
"""The share of the time for that: not tuned."""

_MOST_LEADER_CELLS: Final = 600_000
"""Pairs of rows times columns for which the leader model is written in a second."""

_FIRST_SHARE: Final = 0.05
"""The share of the time that a first improvement gets, at most: not tuned."""

_FIRST_SECONDS: Final = 2.0
"""Seconds that a first improvement gets, at most: not tuned."""


def solve(search: Search[KAnonymity]) -> None:
    """Find an anonymisation of least cost and prove it, as far as the budget goes."""
    if not begin(search, "neighbours"):
        return
    _raise_at_once(search)
    if search.done:
        return
    if search.instance.m <= MOST_COLUMNS:
        _minimise_at_once(search)
    if search.done:
        return
    build_near(search)
    if search.done:
        return
    if search.instance.m > MOST_COLUMNS:
        _solve_unlisted(search)
    else:
        _solve_by_patterns(search)
    _rearrange_until_the_end(search)


def _minimise_at_once(search: Search[KAnonymity]) -> None:
    instance = search.instance
    if instance.records.distinct > _FEWEST_PAIRS:
        return
    patterns = closed_patterns(
        instance.records, instance.k, _FEWEST_PAIRS, search.budget
    )
    if patterns is None:
        return
    _raise_opt_lb(search, patterns)
    if not search.done:
        model = pattern_model(instance.records, instance.k, patterns)
        highs, part = Highs({"mip_max_nodes": _NODES}), search.budget.share(_AT_ONCE)
        minimise_encoded(search, model, highs, "patterns", part)


def build_near(search: Search[KAnonymity]) -> None:
    """Report groups of near rows, built within windows as wide as there is time for.

    They are not built again for a search that has some.
    """
    if search.credits["cost", _NEAR_ROWS]:
        return
    records = search.instance.records
    for labels in near_groups(records, search.instance.k, search.budget):
        if search.cost is None or cost_of_labels(records, labels) < search.cost:
            search.offer(Solution.labelled(labels), _NEAR_ROWS)
        if search.done:
            return


def _solve_by_patterns(search: Search[KAnonymity]) -> None:
    """Solve a table by closed patterns, all of them or as many as can be listed."""
    instance, budget = search.instance, search.budget
    most = pairs_within(budget, instance.records.distinct)
    listing = budget.share(_LISTING)

    def listed(part: Budget) -> Patterns | None:
        return closed_patterns(instance.records, instance.k, most, part)

    patterns = _while_regrouping(search, listed, listing)
    if patterns is None:
        _solve_truncated(search, most)
        return
    _raise_opt_lb(search, patterns)
    if search.closed:
        return
    Rounds(search, patterns).run()


def _solve_unlisted(search: Search[KAnonymity]) -> None:
    """Solve a table of more columns than patterns can have."""
    if _fits_leader_model(search.instance):
        _raise_by_distances(search, search.budget)
        regroup_near(search, _first_part(search))
        _minimise_leader_model(search)
    else:
        _regroup_beside(search, partial(_raise_by_distances, search))


def _solve_truncated(search: Search[KAnonymity], most_pairs: int) -> None:
    if _fits_leader_model(search.instance):
        patterns = _raise_by_truncated(search, search.budget, most_pairs)
        Rounds(search, patterns).anneal_briefly()
        _minimise_leader_model(search)
        return

    def bound(budget: Budget) -> None:
        patterns = _raise_by_truncated(search, budget, most_pairs)
        if not search.done:
            Rounds(search, patterns).ascend(budget)

    _regroup_beside(search, bound)


def _raise_by_truncated(
    search: Search[KAnonymity], budget: Budget, most_pairs: int
) -> Patterns:
    """Raise the bound by a truncated list of patterns; return the list."""
    instance = search.instance
    distances = _raise_by_distances(search, budget)
    part = budget.share(_LISTING)
    patterns = truncated_patterns(instance.records, instance.k, part, most_pairs)
    least = np.maximum(distances, least_stars(instance.records, patterns))
    search.raise_bound(int(least @ instance.records.copies), "opt-lb")
    return patterns


def _regroup_beside(
    search: Search[KAnonymity], bound: Callable[[Budget], object]
) -> None:
    """Rearrange near rows while the bound is raised; after that if one thread works."""
    if search.budget.workers > 1:
        both: Sequence[Callable[[Budget], object]] = (
            bound,
            partial(regroup_near, search),
        )
        together(both, search.budget)
    else:
        bound(search.budget.share(_BOUNDING))
        regroup_near(search, search.budget)


def _while_regrouping(
    search: Search[KAnonymity], work: Callable[[Budget], T], budget: Budget
) -> T:
    """Do some work; with two workers near rows are rearranged at the same time."""
    if budget.workers < 2:
        return work(budget)
    return beside(partial(regroup_near, search), work, budget)


def regroup_near(search: Search[KAnonymity], budget: Budget) -> None:
    """Anneal the best groups by moves of near rows until the budget is spent."""
    instance, reporter = search.instance, Reporter(search, _NEAR_ROWS)
    if search.solution is None:
        return
    labels = labels_of(search.solution.groups, instance.n)
    part = reporter.sparing(budget)
    regroup(instance.records, instance.k, labels, part, reporter.take_labels)
    reporter.finish()


def _rearrange_until_the_end(search: Search[KAnonymity]) -> None:
    """Rearrange near rows until the time limit, if there is one."""
    budget, seed = search.budget, search.budget.seed
    while not search.done and budget.remaining < float("inf"):
        seed += 1
        regroup_near(search, replace(budget, seed=seed))


def _fits_leader_model(instance: KAnonymity) -> bool:
    return instance.n * instance.n // 2 * instance.m <= _MOST_LEADER_CELLS


def _minimise_leader_model(search: Search[KAnonymity]) -> None:
    if _fits_leader_model(search.instance) and not search.done:
        minimise_encoded(search, leader_model(search.instance), CpSat(), "leaders")


def _raise_at_once(search: Search[KAnonymity]) -> None:
    """Raise the bound by what takes no time; that is its own certificate."""
    instance = search.instance
    least = least_at_once(instance.records, instance.k)
    proof = None
    if is_checkable(instance):
        proof = {"kind": "weights", "scale": 1, "weights": least.tolist()}
    search.raise_bound(int(least @ instance.records.copies), "distances", proof)


def _raise_opt_lb(search: Search[KAnonymity], patterns: Patterns) -> None:
    """Raise the bound to OPT-LB; least stars, as multipliers, are its certificate."""
    instance = search.instance
    records, k = instance.records, instance.k
    least = least_stars(records, patterns)
    bound, proof = int(least @ records.copies), None
    if is_checkable(instance):
        weights = prove(patterns, records, k, least, 1)
        proof = certificate_of(patterns, records, k, weights, bound)
    search.raise_bound(bound, "opt-lb", proof)


def _raise_by_distances(search: Search[KAnonymity], budget: Budget) -> IntArray:
    """Raise the bound by distances of rows; return the least cost of each record."""
    records, k = search.instance.records, search.instance.k
    least = least_known(records, k, budget)
    search.raise_bound(int(least @ records.copies), "distances")
    return least


def _first_part(search: Search[KAnonymity]) -> Budget:
    """Return the part of the budget that a first improvement has."""
    budget = search.budget
    if budget.remaining == float("inf"):
        return budget
    return budget.slice(min(_FIRST_SECONDS, _FIRST_SHARE * budget.remaining))
