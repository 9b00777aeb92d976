"""Diversity: the exact methods, and the automatic choice.

- On attributes: as in generalisation, on lattices of any size.
- On entries: generalisation without the sensitive values gives a bound, and groups to
  begin with (:mod:`~atleastk.solvers.diversity.relaxed`). Groups that break a condition
  are repaired with near ones (:mod:`~atleastk.solvers.diversity.near_moves`), or merged
  with others (:mod:`~atleastk.solvers.diversity.group_merging`); weights of kinds of
  rows raise the bound (:mod:`~atleastk.solvers.diversity.bounds`), near groups are
  rearranged, and reduced cost fixing closes small tables: a limit rises from the bound,
  and models assign rows to patterns with only the pairs that solutions below it have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.diversity import Diversity
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.records import Records
from atleastk.models.encodings import k_anonymity
from atleastk.models.encodings.diversity import (
    leader_model,
    pair_model,
    pattern_model,
)
from atleastk.models.encodings.encoding import SolutionEncoding, point
from atleastk.models.generalization import solution_of_groups
from atleastk.models.tables.patterns import Patterns
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.bounds import KindWeights
from atleastk.solvers.diversity.cuts import tightened, with_escape
from atleastk.solvers.diversity.first import begin
from atleastk.solvers.diversity.generated_groups import converge
from atleastk.solvers.diversity.group_merging import merged
from atleastk.solvers.diversity.near_moves import Rearrangement
from atleastk.solvers.diversity.node_counts import counts_of
from atleastk.solvers.diversity.relaxed import minimise_by_tagging, solve_relaxed
from atleastk.solvers.diversity.subset_dp import priced
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.modelled import begun, modelled
from atleastk.solvers.engine.subsets import by_subsets, cheapest
from atleastk.solvers.generalization import subset_dp
from atleastk.solvers.generalization.attributes import minimise_on_attributes
from atleastk.solvers.generalization.priced_patterns import PricedPatterns
from atleastk.solvers.generalization.refusals import (
    refuses_attributes,
    refuses_leaders,
    refuses_pairs,
    refuses_tagging,
)
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search

_MOST_PAIRS: Final = 200_000
"""Pairs of a pattern and a kind of rows that it matches: a minute of writing."""

_MOST_WEIGHED: Final = 20_000_000
"""The same, for bounds by weights: a step takes some seconds."""

_MOST_KINDS: Final = 2500
"""Kinds of rows for which column generation ends soon."""

_CONVERGING: Final = 0.4
"""The share of the time left for column generation."""

_WEIGHING: Final = 0.25
"""The share of the time left for bounds that know the sensitive values."""

_MENDING: Final = 0.3
"""The share of the time left to repair groups that break a condition."""

_MENDING_FEW: Final = 0.1
"""The same of few rows, which soon have better groups by column generation."""

_PARTNERS: Final = 40
"""Near groups that are tried as partners of a group that fails: not tuned."""

_REARRANGING: Final = 0.15
"""The share of the time left for moves of near rows where models follow."""

_LIMIT: Final = 0.6
"""The share of the time left for one limit."""

_CUTTING: Final = 0.2
"""The share of that for its cuts."""

_STEP: Final = 1.0
"""By how much a limit exceeds the bound, as a multiple of what models have raised
it."""

_RELAXED: Final = 0.45
"""The share of the time for the table without sensitive values. With a third of half a
minute the bounds of all of Adult are still far from settled, and what follows begins
with their weights."""

_RELAXED_FEW: Final = 0.05
"""The same of few rows, which soon have a better bound by column generation."""


class _KindPatterns(NamedTuple):
    """The kinds of the rows with their records, and the patterns that they match."""

    kinds: Records
    record: IntArray
    patterns: Patterns


def solve(search: Search[Diversity]) -> None:
    """Find a table of least loss, and prove it, as far as the budget goes."""
    instance = search.instance
    if not begin(search, "one group"):
        return
    if instance.on == "attributes":
        minimise_on_attributes(search, counts_of(search))
        return
    share = _RELAXED_FEW if _is_small(instance) else _RELAXED
    found = solve_relaxed(search, search.budget.share(share))
    if search.done or found is None:
        return
    plain = records_of_levels(instance)
    _repair(search, plain, found.groups)
    if search.done:
        return
    weighted = raise_by_weights(search, search.budget.share(_WEIGHING))
    if search.done:
        return
    if weighted is not None and _is_closable(search, weighted[1]):
        _rearrange(search, plain, search.budget.share(_REARRANGING))
        close_gap(search, *weighted)
    else:
        search.remark("its patterns are too many for a model")
    seeds = count(search.budget.seed)
    while _rearrange(search, plain, replace(search.budget, seed=next(seeds))):
        pass


def _is_small(instance: Diversity) -> bool:
    return instance.n <= _MOST_KINDS


def raise_by_weights(
    search: Search[Diversity], budget: Budget
) -> tuple[_KindPatterns, KindWeights] | None:
    """Raise the bound by weights; return these, or None if the pairs are too many."""
    matched = None if budget.spent else _match_kinds(search.instance, _MOST_WEIGHED)
    if matched is None:
        return None
    weights = KindWeights(
        search.instance, matched.kinds, matched.record, matched.patterns
    )
    weights.begin(search.certificate)
    weights.improve(search, budget)
    if matched.kinds.distinct <= _MOST_KINDS and not search.done:
        part = search.budget.share(_CONVERGING)
        converge(search, matched.kinds, weights, part)
    return matched, weights


def _is_closable(search: Search[Diversity], weights: KindWeights) -> bool:
    """Tell whether few pairs are needed below the best cost."""
    cost = search.cost
    return cost is not None and int(weights.needed(cost).sum()) <= _MOST_PAIRS


def close_gap(
    search: Search[Diversity], matched: _KindPatterns, weights: KindWeights
) -> None:
    """Reduced cost fixing: minimise below a limit that rises from the bound.

    Solutions that cost less than a limit consist of its pairs, so each model proves the
    limit or finds the optimum. If a model does neither in its time, the pairs of the
    best solution are added, and the rest of the time is for better ones.
    """
    started, step = search.bound or 0, 1
    while not search.done and search.cost is not None:
        bound = search.bound or 0
        limit = min(search.cost, bound + step)
        needed = weights.needed(limit)
        left = matched._replace(patterns=matched.patterns.only(needed))
        _minimise_below(search, left, limit, search.budget.share(_LIMIT))
        if search.bound == bound and not search.done:
            _improve(search, matched, needed, limit)
            return
        step = max(1, int(_STEP * (bound + step - started)))


def _improve(
    search: Search[Diversity], matched: _KindPatterns, pairs: BoolArray, limit: int
) -> None:
    """Minimise over the pairs below a limit and those of the best solution."""
    kinds, _, patterns = matched
    assert search.solution is not None
    model = k_anonymity.pattern_model(kinds, search.instance.least_rows, patterns)
    known = model.encode(search.solution.groups)
    if known is not None:
        pairs = pairs | (known[: patterns.pairs] > 0)
    minimise_encoded(
        search,
        _model(search.instance, matched._replace(patterns=patterns.only(pairs))),
        Highs(),
        "patterns",
        below=limit,
        start=search.solution,
    )


def _minimise_below(
    search: Search[Diversity], matched: _KindPatterns, limit: int, budget: Budget
) -> None:
    """Prove a limit, or find the optimum: with cuts, then by a model with an escape."""
    encoding = _model(search.instance, matched)
    model = with_escape(encoding.model, matched.kinds.copies, limit)
    cutting = budget.share(_CUTTING)
    tight = tightened(model, matched.kinds, matched.patterns, limit, cutting)

    def proved(bound: int) -> None:
        search.raise_bound(min(bound, limit), "patterns")

    def found(values: IntArray) -> None:
        if not values[-1]:
            search.offer(encoding.decode(values[:-1]), "patterns")

    proved(tight.bound)
    if search.done or (search.bound or 0) >= limit:
        return
    answer = Highs().minimise(
        tight.model,
        budget,
        hint=point(model.columns, [(model.columns - 1, 1)]),
        on_answer=found,
        on_bound=proved,
    )
    if answer.values is not None:
        found(answer.values)
    if answer.bound is not None:
        proved(answer.bound)


def _repair(
    search: Search[Diversity], plain: Records, groups: Sequence[Sequence[int]]
) -> None:
    """Report groups that broke a condition: repaired and merged, or only merged."""
    instance = search.instance
    near = Rearrangement(instance, plain, groups)
    share = _MENDING_FEW if _is_small(instance) else _MENDING
    near.repair(search.budget.share(share))
    for source, parts, candidates in (
        ("mended", near.groups(), _PARTNERS),
        ("joined", groups, 1),
    ):
        found = merged(instance, plain, parts, search.budget, candidates)
        if found is not None:
            search.offer(found, source)


def _rearrange(search: Search[Diversity], plain: Records, budget: Budget) -> bool:
    """Anneal the best groups once; tell whether to go on until a time limit."""
    instance, solution = search.instance, search.solution
    if search.done or solution is None:
        return False
    near = Rearrangement(instance, plain, solution.groups)
    near.anneal(
        budget,
        lambda found: search.offer(solution_of_groups(instance, found), "near rows"),
    )
    return not search.done and not near.few and budget.remaining < float("inf")


def _match_kinds(instance: Diversity, most_pairs: int) -> _KindPatterns | None:
    """Return the patterns, the kinds of rows, and what kinds match each pattern."""
    mined = PricedPatterns.of(instance.relaxed, most_pairs)
    if mined is None:
        return None
    plain = mined.records
    apart = Records.coded(np.column_stack((plain.record_of, instance.values)))
    codes = np.ascontiguousarray(plain.codes[apart.codes[:, 0]])
    kinds = Records(
        codes,
        apart.copies,
        apart.record_of,
        plain.worth[apart.codes[:, 0]],
        plain.prices,
    )
    # Kinds are sorted by their record: those of one record follow one another.
    first = np.searchsorted(apart.codes[:, 0], np.arange(plain.distinct + 1))
    many = np.diff(first)[mined.patterns.records]
    if many.sum() > most_pairs:
        return None
    ends = np.cumsum(many)
    within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - many, many)
    listed = np.repeat(first[mined.patterns.records], many) + within
    starts = np.concatenate(([0], ends))[mined.patterns.starts]
    patterns = replace(mined.patterns, starts=starts, records=listed.astype(np.int32))
    return _KindPatterns(kinds, apart.codes[:, 0].astype(np.int64), patterns)


def assignment_model(instance: Diversity) -> SolutionEncoding:
    """Return the model that assigns rows to patterns."""
    matched = _match_kinds(instance, _MOST_PAIRS)
    if matched is None:
        raise NotApplicableError(_refuses_patterns(instance))
    return _model(instance, matched)


def _model(instance: Diversity, matched: _KindPatterns) -> SolutionEncoding:
    return pattern_model(instance, matched.kinds, instance.least_rows, matched.patterns)


def _refuses_patterns(instance: Diversity) -> str | None:
    if instance.on == "entries" and _match_kinds(instance, _MOST_PAIRS) is None:
        return "its patterns are too many, have too many levels, or cost too much"
    return refuses_attributes(instance)


def _refuses_sat(instance: Diversity) -> str | None:
    if instance.t is not None:
        return "it has no numbers for closeness"
    return refuses_leaders(instance)


METHODS: Sequence[Method[Diversity]] = (
    Method(
        "tagging",
        "attributes: nodes tagged along halved chains of the lattice",
        "combinatorial",
        begun(begin, minimise_by_tagging, "tagging"),
        refuses_tagging,
    ),
    modelled(
        "pairs",
        "attributes: distinct records joined in pairs, in CP-SAT",
        pair_model,
        CpSat(),
        begin,
        refuses_pairs,
    ),
    modelled(
        "patterns",
        "entries: rows assigned to closed patterns of levels, in HiGHS",
        assignment_model,
        Highs(),
        begin,
        _refuses_patterns,
    ),
    modelled(
        "leaders",
        "entries: rows led by the first of their group, in CP-SAT",
        leader_model,
        CpSat(),
        begin,
        refuses_leaders,
    ),
    modelled(
        "sat",
        "entries: rows led by the first of their group, in SAT",
        leader_model,
        Sat(),
        begin,
        _refuses_sat,
    ),
    by_subsets(
        "entries: a dynamic program over all subsets of rows",
        begin,
        cheapest(priced),
        subset_dp.refuses,
    ),
)
