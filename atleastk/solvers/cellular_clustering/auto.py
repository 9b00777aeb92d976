"""Cellular clustering: the automatic choice of methods; `STAGES`, at the end, lists it.

The bound of the linear program over all clusters, by column generation, has a
certificate (:mod:`~atleastk.solvers.cellular_clustering.master`). Triples of points
that clusters may not share raise it further; then all clusters within the gap by
reduced cost are listed, and the best are chosen
(:mod:`~atleastk.solvers.cellular_clustering.column_enumeration`).

Same seed, one worker and no time limit: same answer.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Final

import numpy as np

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.models.clustering import completed, measured
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.certify import quick_certificate_of
from atleastk.solvers.cellular_clustering.column_enumeration import (
    listed_below,
    minimise_listed,
    offer_known,
)
from atleastk.solvers.cellular_clustering.columns import Columns
from atleastk.solvers.cellular_clustering.cuts import violated_triples
from atleastk.solvers.cellular_clustering.first import LARGE, begin, raise_by_much
from atleastk.solvers.cellular_clustering.local_search import FEW, improve
from atleastk.solvers.cellular_clustering.master import Master
from atleastk.solvers.cellular_clustering.sites import above_all, sites_of
from atleastk.solvers.engine.stages import (
    SideBySide,
    Stage,
    Stages,
    always,
    run_stages,
)
from atleastk.solvers.search import Search

_MOST_POINTS: Final = 1000
"""The most points for which column generation is tried."""

_CHOOSING: Final = 0.1
"""The share of the time for the best choice of few points' clusters: not tuned."""

_FAILURES: Final = 1
"""Searches without an improvement before local search ends."""

_TURNS: Final = 2
"""Turns at listed clusters below a limit that is not the best cost: not tuned."""

_CUTS: Final = 100
"""Triples that are added at a time: not tuned."""

_MOST_TRIPLES: Final = 2000
"""Triples of a linear program, at most: not tuned."""

_GAIN: Final = 1e-6
"""Rounds of triples that raise the bound by less, relative to it, are the last."""

_STEPS: Final = 400_000_000
"""Steps of a search for missed clusters: some seconds."""

_HANDY: Final = 1_000
"""Clusters that are few enough to be listed at once: not tuned."""

_POOLS: Final = (20_000, 80_000, 320_000)
"""Clusters that are listed at most, one after the other."""

_STEPS_PER_CLUSTER: Final = 2_000
"""Steps of a listing for every cluster that it may list: not tuned."""


def solve(search: Search[CellularClustering]) -> None:
    """Find a clustering of least cost, and prove it, as far as the budget goes."""
    run_stages(search, STAGES, _Work(search))


def generate_columns(search: Search[CellularClustering]) -> None:
    """Solve by column generation, from whatever the search knows."""
    run_stages(search, COLUMNS, _Work(search))


class _Work:
    """A search, and its linear program once that is solved."""

    master: Master | None = None

    def __init__(self, search: Search[CellularClustering]) -> None:
        self.search, self.n = search, search.instance.n
        self.few, self.many = self.n <= FEW, self.n > _MOST_POINTS
        self.some = not self.few and not self.many
        self.alone = search.budget.workers == 1

    def improve(self, part: Budget) -> None:
        improve(self.search, part)

    def improve_again(self, part: Budget) -> None:
        """Improve the solution until a few searches bring nothing."""
        search, failures = self.search, 0
        for again in count():
            if search.closed or part.spent or failures == _FAILURES:
                return
            before = search.cost
            improve(search, replace(part, seed=part.seed + again))
            failures = failures + 1 if search.cost == before else 0

    def improve_on(self, part: Budget) -> None:
        """Improve the solution to the end; without a limit until that does not help."""
        search = self.search
        for again in count(1):
            before = search.cost
            if search.done:
                return
            improve(search, replace(part, seed=part.seed + 1_000 * again))
            if search.cost == before and part.remaining == float("inf"):
                return

    def bound(self, _: Budget) -> None:
        self.master = _bounded(self.search)

    def enumerate(self, _: Budget) -> None:
        if self.master is not None:
            _enumerate(self.search, self.master)


def _bounded(search: Search[CellularClustering]) -> Master | None:
    """Solve the linear program, with triples; None if there is no more to do."""
    instance, budget = search.instance, search.budget
    master = Master(instance, sites_of(instance), _limit(search), budget.seed)
    _add_known(search, master)
    solved = master.converge(budget)
    _report(search, master, certified=True)
    if solved and not search.done:
        if instance.n <= FEW:
            offer_known(search, master, _limit(search), budget.share(_CHOOSING))
            _report(search, master, certified=True)
        _cut(search, master)
    return master if solved and not search.done else None


def _cut(search: Search[CellularClustering], master: Master) -> None:
    """Add triples while they raise the bound and there is too much left to list."""
    budget = search.budget
    while not search.done:
        _offer_if_whole(search, master)
        if search.done:
            return
        if _is_handy(search, master):
            _enumerate(search, master)
            return
        triples = violated_triples(master.columns.has, master.point, _CUTS)
        if not len(triples) or len(master.triples) + len(triples) > _MOST_TRIPLES:
            return
        before = master.proof.total
        master.cut(triples)
        solved = master.converge_with_triples(budget, _STEPS)
        _report(search, master)
        if not solved or master.proof.total - before < _GAIN * before:
            return


def _enumerate(search: Search[CellularClustering], master: Master) -> None:
    """List the clusters of better solutions, as far as there is room; minimise.

    Limits below the best cost get only a few turns.
    """
    budget = search.budget
    for most in _POOLS:
        while not search.done:
            limit = _limit(search)
            columns, below = _longest_list(search, master, limit, most)
            if columns is None:
                break
            early = below < limit
            turns = _TURNS if early else None
            if not minimise_listed(search, master, columns, below, budget, turns):
                if early:
                    break
                return
            _close_infeasible(search, below)


def _longest_list(
    search: Search[CellularClustering], master: Master, limit: int, most: int
) -> tuple[Columns | None, int]:
    """Return all clusters below a limit, lowered until there are not too many.

    None if that is no more than the bound.
    """
    budget, bound = search.budget, max(search.bound or 0, master.proof.bound)
    below = limit
    while below > bound and not budget.spent:
        found = listed_below(master, below, budget, most, most * _STEPS_PER_CLUSTER)
        if found is not None:
            return found, below
        below = bound + (below - bound) // 2
    return None, below


def _is_handy(search: Search[CellularClustering], master: Master) -> bool:
    """Return whether few clusters are left."""
    steps = _HANDY * _STEPS_PER_CLUSTER
    found = listed_below(master, _limit(search), search.budget, _HANDY, steps)
    return found is not None


def _report(
    search: Search[CellularClustering], master: Master, *, certified: bool = False
) -> None:
    """Report the bound of the linear program, and drop sites by it."""
    proof, instance, limit = master.proof, search.instance, _limit(search)
    bound, certificate = min(proof.bound, limit), None
    if certified and bound >= (search.bound or 0):
        prices = proof.prices
        certificate = quick_certificate_of(
            instance, prices.weights, prices.scale, bound
        )
    search.raise_bound(bound, "clusters", certificate)
    _close_infeasible(search, proof.bound)
    if not search.done:
        master.narrow(limit)


def _offer_if_whole(search: Search[CellularClustering], master: Master) -> None:
    """Report the solution of the linear program if it is one of the instance."""
    whole = np.flatnonzero(master.point > 0.5)
    has, instance = master.columns.has[whole], search.instance
    once = has.sum(axis=0)
    left_out = int((once == 0).sum())
    few = instance.max_clusters is None or len(whole) <= instance.max_clusters
    if (once > 1).any() or left_out > instance.max_outliers or not few:
        return
    solution = master.columns.solution(whole, master.sites.reading)
    search.offer_if_feasible(solution, "clusters")


def _add_known(search: Search[CellularClustering], master: Master) -> None:
    """Add the clusters of the best solution."""
    instance = search.instance
    if search.solution is None:
        return
    solution = completed(instance, search.solution)
    sizes = map(len, solution.groups)
    radii = measured(instance, solution)
    centres = solution.centres or (0,) * len(solution.groups)
    costs = [
        size * radius + int(instance.facilities[centre])
        for size, radius, centre in zip(sizes, radii, centres, strict=True)
    ]
    master.add(Columns.listed(instance.n, solution.groups, costs, centres))


def _limit(search: Search[CellularClustering]) -> int:
    """Return the best cost known, or more than any solution costs."""
    return above_all(search.instance) if search.cost is None else search.cost


def _close_infeasible(search: Search[CellularClustering], bound: int) -> None:
    """Report that nothing is feasible if that is what a bound says."""
    if search.cost is None and bound >= above_all(search.instance):
        search.close_infeasible("clusters")


COLUMNS: Final[Stages[_Work]] = (
    Stage("linear program", always, None, _Work.bound),
    Stage("listed clusters", always, None, _Work.enumerate),
)
"""Column generation alone."""

STAGES: Final[Stages[_Work]] = (
    Stage("at once", always, None, lambda w, _: begin(w.search, "greedy")),
    Stage("local search", lambda w: w.many, 0.3, _Work.improve),
    Stage(
        "bounds", lambda w: w.n > LARGE, 0.3, lambda w, p: raise_by_much(w.search, p)
    ),
    Stage("local search", lambda w: w.some and w.alone, 0.2, _Work.improve),
    Stage("linear program", lambda w: w.some and w.alone, None, _Work.bound),
    SideBySide(
        lambda w: w.some and not w.alone,
        (
            Stage("linear program", always, None, _Work.bound),
            Stage("local search", always, 0.5, _Work.improve_again),
        ),
    ),
    Stage("linear program", lambda w: w.few, None, _Work.bound),
    Stage("local search", lambda w: w.few and w.master is not None, 0.2, _Work.improve),
    Stage("listed clusters", always, None, _Work.enumerate),
    Stage("local search", always, None, _Work.improve_on),
)
"""What is done for more than a few points. Shares are not tuned."""
