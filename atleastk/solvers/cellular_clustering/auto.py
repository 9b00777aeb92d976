"""Cellular clustering: the automatic choice of methods; `STAGES`, at the end, lists it.

The bound of the linear program over all clusters, by column generation, has a
certificate. Triples of points that clusters may not share raise it further; then all
clusters within the gap by reduced cost are listed, and the best are chosen
(:mod:`~atleastk.solvers.engine.set_partition.closing`).

Same seed, one worker and no time limit: same answer.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count
from typing import Final

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.certify import quick_certificate_of
from atleastk.solvers.cellular_clustering.clusters import (
    ClusterOracle,
    groups_of,
    solution_in,
)
from atleastk.solvers.cellular_clustering.first import LARGE, begin, raise_by_much
from atleastk.solvers.cellular_clustering.local_search import FEW, improve
from atleastk.solvers.cellular_clustering.sites import above_all
from atleastk.solvers.engine.set_partition.closing import Closing
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


def solve(search: Search[CellularClustering]) -> None:
    """Find a clustering of least cost, and prove it, as far as the budget goes."""
    run_stages(search, STAGES, _Work(search))


def generate_columns(search: Search[CellularClustering]) -> None:
    """Solve by column generation, from whatever the search knows."""
    run_stages(search, COLUMNS, _Work(search))


class _Work:
    """A search, and how to close its gap once the linear program is solved."""

    closing: Closing[CellularClustering] | None = None

    def __init__(self, search: Search[CellularClustering]) -> None:
        self.search, self.n = search, search.instance.n
        self.few, self.many = self.n <= FEW, self.n > _MOST_POINTS
        self.some = not self.few and not self.many
        self.alone = search.budget.workers == 1

    @property
    def is_open(self) -> bool:
        """Whether the linear program is solved and has left a gap."""
        return self.closing is not None

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
        closing = closing_of(self.search)
        if closing.bound(_CHOOSING if self.n <= FEW else 0.0):
            self.closing = closing

    def enumerate(self, _: Budget) -> None:
        if self.closing is not None:
            self.closing.enumerate()


def closing_of(search: Search[CellularClustering]) -> Closing[CellularClustering]:
    """Return the closing of the gap, which begins with the best clusters known."""
    instance, above = search.instance, above_all(search.instance)
    closing = Closing(
        search,
        ClusterOracle(instance, above if search.cost is None else search.cost),
        above,
        "clusters",
        partial(solution_in, instance),
        partial(quick_certificate_of, instance),
    )
    if search.solution is not None:
        closing.master.add(groups_of(instance, search.solution))
    return closing


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
    Stage(
        "local search", lambda w: w.few and w.closing is not None, 0.2, _Work.improve
    ),
    Stage("listed clusters", always, None, _Work.enumerate),
    Stage("local search", always, None, _Work.improve_on),
)
"""What is done for more than a few points. Shares are not tuned."""
