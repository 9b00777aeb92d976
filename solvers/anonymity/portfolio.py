"""k-anonymity: the automatic choice of methods.

What costs next to nothing comes first: OPT-LB, a solution of sorted neighbours and a
greedy cover. Then

- tables of few pairs are annealed shortly and *closed*: all that the bound of the
  linear program leaves open is listed and minimised
  (:mod:`~atleastk.solvers.anonymity.closing`); what stays open is improved as below;
- larger ones are annealed while the multipliers of the bound ascend beside it; then
  sub-tables are arranged anew by integer programs over the pairs that these leave
  (:mod:`~atleastk.solvers.anonymity.reoptimisation`), and what is left is closed if it
  has become little.

Where the list of patterns has to be cut off, solutions and a bound come also from the
distances of rows (:mod:`~atleastk.solvers.anonymity.wide_tables`), and small tables are
solved by the leader model. Tables of more than 62 columns have no list at all.

Same seed, one worker and no time limit: same answer. With a time limit, the clock
decides how long tables are annealed, so solutions that are not proved optimal may vary.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.certificates.k_anonymity import is_checkable
from atleastk.models.encodings.k_anonymity import leader_model
from atleastk.models.patterns import MOST_COLUMNS, Patterns
from atleastk.models.solution import Solution
from atleastk.solvers.anonymity.assignment import Assignment
from atleastk.solvers.anonymity.beginnings import begin
from atleastk.solvers.anonymity.bounds import least_stars
from atleastk.solvers.anonymity.closing import close
from atleastk.solvers.anonymity.dual import improve as ascend
from atleastk.solvers.anonymity.ground import Ground, greedy_start
from atleastk.solvers.anonymity.levels import truncated_patterns
from atleastk.solvers.anonymity.mining import MOST_PAIRS, closed_patterns
from atleastk.solvers.anonymity.multipliers import Multipliers, prove
from atleastk.solvers.anonymity.neighbourhoods import EFFORT
from atleastk.solvers.anonymity.neighbourhoods import improve as anneal
from atleastk.solvers.anonymity.reoptimisation import reoptimise
from atleastk.solvers.anonymity.wide_tables import least_distances, offer_near_rows
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.budget import Budget
from atleastk.solvers.certify.k_anonymity import certificate_of
from atleastk.solvers.encoded import minimise_encoded
from atleastk.solvers.search import Search

__all__ = ["solve"]

_BYTES_A_PAIR: Final = 48
"""What all lists together take for a pair of a pattern and a record."""

_PAIRS_A_SECOND: Final = 2_000_000
"""Less than what is listed in a second: the rest of the time is for solving."""

_PAIRS_ANYWAY: Final = 5_000_000
"""However little time is left; a third of a second."""

_LISTING: Final = 0.2
"""The share of the time left for a list that has to be cut off."""

_FEW_PAIRS: Final = 600_000
_SMALL_GAP: Final = 30
_SMALL_SHARE: Final = 0.005
"""A table is closed if no more cells are left open, or no more of the cost."""

_MOST_LED: Final = 600_000
"""Cells of pairs of rows for which the leader model is written in a second."""

_ANNEALING: Final = {True: (0.15, 5), False: (0.6, 100)}
"""For k = 2, and else: the share of the time, and moves a row without a limit."""

_MOST_REARRANGED: Final = 500_000
"""Rows; of larger tables sub-tables would touch next to nothing."""

_FIRST_SHARE: Final = 0.05
_FIRST_SECONDS: Final = 2.0
_FIRST_MOVES: Final = 2_000_000
_PAUSE: Final = 0.5
"""Seconds between two solutions that are reported, at least."""


def solve(search: Search[KAnonymity]) -> None:
    """Find an anonymisation of least cost, and prove it, as far as the budget goes."""
    if not begin(search, "neighbours"):
        return
    instance = search.instance
    if instance.m > MOST_COLUMNS:
        offer_near_rows(search)
        _raise_by_distances(search)
        _lead(search)
        return
    most = _most_pairs(search)
    patterns = closed_patterns(instance.records, instance.k, most)
    if patterns is None:
        _solve_truncated(search, most)
        return
    _raise_opt_lb(search, patterns)
    if search.closed:
        return
    if patterns.pairs > _FEW_PAIRS:
        _solve_large(search, patterns)
        return
    start = _anneal_first(search, patterns)
    if not search.done:
        _close(search, patterns, start)
    if not search.done:
        _improve(search, patterns)


def _solve_truncated(search: Search[KAnonymity], most_pairs: int) -> None:
    """Solve a table of more pairs than may be listed, first without any list."""
    instance, budget = search.instance, search.budget
    offer_near_rows(search)
    distances = _raise_by_distances(search)
    if budget.remaining < float("inf"):
        budget = budget.slice(_LISTING * budget.remaining)
    patterns = truncated_patterns(instance.records, instance.k, budget, most_pairs)
    least = np.maximum(distances, least_stars(instance.records, patterns))
    search.raise_bound(int(least @ instance.records.copies), "opt-lb")
    if _may_be_led(instance):
        _anneal_first(search, patterns)
        _lead(search)
    else:
        _solve_large(search, patterns)


def _solve_large(search: Search[KAnonymity], patterns: Patterns) -> None:
    """Improve what is known, and close the table if little is left open."""
    start, multipliers = _improve(search, patterns)
    cost, bound = search.cost or 0, search.bound or 0
    little = cost - bound <= max(_SMALL_GAP, _SMALL_SHARE * cost)
    if little and patterns.reach >= search.instance.m and not search.done:
        _close(search, patterns, start, multipliers)


def _improve(
    search: Search[KAnonymity], patterns: Patterns
) -> tuple[Assignment, Multipliers]:
    """Anneal while the multipliers ascend, then arrange sub-tables anew by them."""
    instance, budget = search.instance, search.budget
    share, effort = _ANNEALING[instance.k == 2]
    part = budget
    if budget.remaining < float("inf"):
        part, effort = budget.slice(share * budget.remaining), EFFORT
    if budget.workers > 1:
        with ThreadPoolExecutor(1) as pool:
            ascent = pool.submit(_ascend, search, patterns)
            start = _anneal(search, patterns, part, effort)
            multipliers = ascent.result()
    else:
        multipliers = _ascend(search, patterns)
        start = _anneal(search, patterns, part, effort)
    if not search.done and instance.n <= _MOST_REARRANGED:
        start = _rearrange(search, patterns, start, multipliers)
    return start, multipliers


def _most_pairs(search: Search[KAnonymity]) -> int:
    """Return how many pairs may be listed: that fit, in time, and some in any case."""
    budget, least = search.budget, 2 * search.instance.records.distinct
    in_time = max(_PAIRS_ANYWAY, _PAIRS_A_SECOND * budget.remaining)
    return max(least, int(min(MOST_PAIRS, budget.memory / _BYTES_A_PAIR, in_time)))


def _may_be_led(instance: KAnonymity) -> bool:
    """Tell whether a table is small enough for the leader model."""
    return instance.n * instance.n // 2 * instance.m <= _MOST_LED


def _lead(search: Search[KAnonymity]) -> None:
    """Minimise by leaders if the table is small."""
    if _may_be_led(search.instance) and not search.done:
        minimise_encoded(search, leader_model(search.instance), CpSat(), "leaders")


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


def _raise_by_distances(search: Search[KAnonymity]) -> NDArray[np.int64]:
    """Raise the bound by distances of rows; return what each record pays at least."""
    records, k = search.instance.records, search.instance.k
    least = least_distances(records, k, search.budget)
    search.raise_bound(int(least @ records.copies), "distances")
    return least


def _anneal_first(search: Search[KAnonymity], patterns: Patterns) -> Assignment:
    """Anneal for a short while; for so many moves if there is no time limit."""
    budget = search.budget
    effort = min(EFFORT, max(1, _FIRST_MOVES // search.instance.n))
    if budget.remaining < float("inf"):
        budget = budget.slice(min(_FIRST_SECONDS, _FIRST_SHARE * budget.remaining))
    return _anneal(search, patterns, budget, effort)


def _anneal(
    search: Search[KAnonymity], patterns: Patterns, budget: Budget, effort: int
) -> Assignment:
    """Anneal what is best so far until the budget is spent."""
    instance, reporter = search.instance, _Reporter(search, "annealing")
    best = anneal(
        patterns,
        instance.records,
        instance.k,
        reporter.sparing(budget),
        _best_start(search, patterns, reporter),
        on_better=reporter.take,
        effort=effort,
    )
    reporter.tell()
    return best


def _rearrange(
    search: Search[KAnonymity],
    patterns: Patterns,
    start: Assignment,
    multipliers: Multipliers,
) -> Assignment:
    """Arrange sub-tables anew until the budget is spent."""
    instance, reporter = search.instance, _Reporter(search, "sub-tables")
    best = reoptimise(
        patterns,
        instance.records,
        instance.k,
        start,
        multipliers,
        reporter.sparing(search.budget),
        on_better=reporter.take,
    )
    reporter.tell()
    return best


def _best_start(
    search: Search[KAnonymity], patterns: Patterns, reporter: _Reporter
) -> Assignment:
    """Return the best solution of the search, or a greedy cover if that is better.

    What the search has may come from its user, or from the distances of rows.
    """
    records, cost = search.instance.records, search.cost
    greedy = greedy_start(Ground.of(patterns, records, search.instance.k))
    known = search.solution
    if known is None or cost is None or greedy.cost(records) < cost:
        reporter.take(greedy)
        return greedy
    return Assignment.of_groups(records, known.groups)


class _Reporter:
    """Tells a search of the best assignment now and then.

    Whole solutions are dealt to rows and checked: too much for every improvement.
    """

    def __init__(self, search: Search[KAnonymity], source: str) -> None:
        self._search, self._source = search, source
        self._latest: Assignment | None = None
        self._told = float("-inf")
        self._pause = _PAUSE

    def sparing(self, budget: Budget) -> Budget:
        """Return a budget that leaves time for a last report."""
        if budget.remaining == float("inf"):
            return budget
        spare = min(0.2 * budget.remaining, 4e-6 * self._search.instance.n)
        return budget.slice(budget.remaining - spare)

    def take(self, assignment: Assignment) -> None:
        """Take a better assignment."""
        self._latest = assignment
        if time.monotonic() >= self._told + self._pause:
            self.tell()

    def tell(self) -> None:
        """Report the latest, unless that is done."""
        if self._latest is None:
            return
        began = time.monotonic()
        offer(self._search, self._latest, self._source)
        self._latest = None
        self._told = time.monotonic()
        self._pause = max(_PAUSE, 10 * (self._told - began))


def offer(search: Search[KAnonymity], assignment: Assignment, source: str) -> None:
    """Report an assignment."""
    labels = search.instance.records.deal(
        assignment.group, assignment.record, assignment.copies
    )
    search.offer(Solution.labelled(labels), source)


def _ascend(search: Search[KAnonymity], patterns: Patterns) -> Multipliers:
    """Raise the bound by multipliers, and keep the certificate of the last."""
    instance, source = search.instance, "multipliers"
    records, k = instance.records, instance.k

    def tell(found: Multipliers) -> None:
        search.raise_bound(found.bound, source)

    best = ascend(patterns, records, k, search.budget, on_bound=tell)
    if is_checkable(instance) and patterns.reach >= instance.m:
        proof = certificate_of(patterns, records, k, best, best.bound)
        search.raise_bound(best.bound, source, proof)
    return best


def _close(
    search: Search[KAnonymity],
    patterns: Patterns,
    start: Assignment,
    multipliers: Multipliers | None = None,
) -> None:
    close(
        patterns,
        search.instance.records,
        search.instance.k,
        start,
        search.budget,
        on_assignment=lambda found: offer(search, found, "closing"),
        on_bound=lambda bound: search.raise_bound(bound, "closing"),
        multipliers=multipliers,
    )
