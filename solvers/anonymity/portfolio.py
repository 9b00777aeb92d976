"""k-anonymity: the automatic choice of methods.

What costs next to nothing comes first: OPT-LB, a solution of sorted neighbours and a
greedy cover. Then

- tables of few pairs are annealed shortly and *closed*: all that the bound of the
  linear program leaves open is listed and minimised
  (:mod:`~atleastk.solvers.anonymity.closing`);
- larger ones are annealed for as long as there is time, while the multipliers of the
  bound ascend beside it; what is left after that is closed if it has become little.

Tables of more than 62 columns have no list of patterns: small ones are solved by the
leader model.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.certificates.k_anonymity import is_checkable
from atleastk.models.encodings.k_anonymity import leader_model
from atleastk.models.patterns import MOST_COLUMNS, Patterns
from atleastk.models.solution import Solution
from atleastk.solvers.anonymity.assignment import Assignment
from atleastk.solvers.anonymity.beginnings import begin
from atleastk.solvers.anonymity.bounds import opt_lb
from atleastk.solvers.anonymity.closing import close
from atleastk.solvers.anonymity.dual import improve as ascend
from atleastk.solvers.anonymity.levels import patterns_within
from atleastk.solvers.anonymity.mining import MOST_PAIRS
from atleastk.solvers.anonymity.multipliers import Multipliers
from atleastk.solvers.anonymity.neighbourhoods import improve as anneal
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.budget import Budget
from atleastk.solvers.certify.k_anonymity import certificate_of
from atleastk.solvers.encoded import minimise_encoded
from atleastk.solvers.search import Search

__all__ = ["solve"]

_BYTES_A_PAIR: Final = 48
"""What all lists together take for a pair of a pattern and a record."""

_FEW_PAIRS: Final = 600_000
_SMALL_GAP: Final = 30
_MOST_LED: Final = 200
_FIRST_SHARE: Final = 0.05
_FIRST_SECONDS: Final = 2.0
_PAUSE: Final = 0.5
"""Seconds between two solutions that are reported, at least."""


def solve(search: Search[KAnonymity]) -> None:
    """Find an anonymisation of least cost, and prove it, as far as the budget goes."""
    if not begin(search, "neighbours"):
        return
    instance = search.instance
    if instance.m > MOST_COLUMNS:
        if instance.n <= _MOST_LED:
            minimise_encoded(search, leader_model(instance), CpSat(), "leaders")
        return
    most = int(min(MOST_PAIRS, search.budget.memory / _BYTES_A_PAIR))
    budget = search.budget
    patterns = patterns_within(instance.records, instance.k, budget, most)
    search.raise_bound(opt_lb(instance.records, patterns), "opt-lb")
    complete = patterns.reach >= instance.m
    if complete and patterns.pairs <= _FEW_PAIRS:
        first = min(_FIRST_SECONDS, _FIRST_SHARE * budget.remaining)
        start = _Annealing(search, patterns).run(budget.slice(first))
        if not search.done:
            _close(search, patterns, start)
        return
    with ThreadPoolExecutor(1) as pool:
        ascent = pool.submit(_ascend, search, patterns)
        start = _Annealing(search, patterns).run(budget)
        multipliers = ascent.result()
    left = (search.cost or 0) - (search.bound or 0)
    if complete and left <= _SMALL_GAP and not search.done:
        _close(search, patterns, start, multipliers)


class _Annealing:
    """Annealing on behalf of a search, which is told of the best now and then.

    Whole solutions are dealt to rows and checked: too much for every improvement.
    """

    def __init__(self, search: Search[KAnonymity], patterns: Patterns) -> None:
        self._search, self._patterns = search, patterns
        self._latest: Assignment | None = None
        self._told = float("-inf")
        self._pause = _PAUSE

    def run(self, budget: Budget) -> Assignment:
        """Anneal until the budget is spent, with time left for a last report."""
        instance = self._search.instance
        spare = min(0.2 * budget.remaining, 4e-6 * instance.n)
        best = anneal(
            self._patterns,
            instance.records,
            instance.k,
            budget.slice(budget.remaining - spare),
            on_better=self._take,
        )
        self._tell()
        return best

    def _take(self, assignment: Assignment) -> None:
        self._latest = assignment
        if time.monotonic() >= self._told + self._pause:
            self._tell()

    def _tell(self) -> None:
        if self._latest is None:
            return
        began = time.monotonic()
        offer(self._search, self._latest, "annealing")
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
