"""Cellular clustering: the automatic choice of methods; `STAGES`, at the end, lists it.

The bound of the linear program over all clusters, by column generation, has a
certificate. Triples of points that clusters may not share raise it further; then all
clusters within the gap by reduced cost are listed, and the best are chosen
(:mod:`~atleastk.solvers.engine.set_partition.closing`).

Same seed, one worker and no time limit: same answer.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.models.certificates.weights import Prices
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.by_squares import (
    improve_by_squares,
    near_of,
    suits,
)
from atleastk.solvers.cellular_clustering.certify import quick_certificate_of
from atleastk.solvers.cellular_clustering.clusters import (
    ClusterOracle,
    groups_of,
    solution_in,
)
from atleastk.solvers.cellular_clustering.first import (
    LARGE,
    begin,
    raise_by_much,
    raise_by_neighbours,
)
from atleastk.solvers.cellular_clustering.local_search import FEW, PRICED, improve
from atleastk.solvers.cellular_clustering.sites import above_all
from atleastk.solvers.engine.set_partition.closing import Closing
from atleastk.solvers.engine.stages import (
    SideBySide,
    Stage,
    Stages,
    always,
    reseeded,
    run_stages,
)
from atleastk.solvers.precision import SCALE
from atleastk.solvers.search import Search


def solve(search: Search[CellularClustering]) -> None:
    """Find a clustering of least cost, and prove it, as far as the budget goes."""
    run_stages(search, STAGES, _Work(search))


def generate_columns(search: Search[CellularClustering]) -> None:
    """Solve by column generation, from whatever the search knows."""
    run_stages(search, COLUMNS, _Work(search))


class _Work:
    """A search, and how clusters are priced: at first, after local search, or not."""

    def __init__(self, search: Search[CellularClustering]) -> None:
        self.search, self.n = search, search.instance.n
        self.prices_first = self.n <= FEW
        self.prices_late = FEW < self.n <= PRICED
        self.is_spread = self.n > LARGE and suits(search.instance)
        self.one_worker = search.budget.workers == 1
        self._weights: IntArray | None = None  # in balance, if there are any
        self._paid: tuple[IntArray, IntArray] | None = None  # by neighbours of all

    @cached_property
    def closing(self) -> Closing[CellularClustering]:
        """The closing of the gap, which begins with the best clusters known."""
        search, instance = self.search, self.search.instance
        above = above_all(instance)
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
        if self._weights is not None:
            scale = closing.master.frame.scale
            weights = np.floor(self._weights * (scale / SCALE)).astype(np.int64)
            closing.start(Prices(scale, weights))
        return closing

    @property
    def is_open(self) -> bool:
        """Whether the linear program is solved and leaves a gap."""
        return (self.prices_first or self.prices_late) and self.closing.is_open

    @property
    def is_unsolved(self) -> bool:
        """Whether the linear program has to go on, its part of the time being over."""
        return self.prices_late and not self.is_open

    def improve(self, part: Budget) -> None:
        improve(self.search, part)

    def improve_beside(self, part: Budget) -> None:
        """Improve the solution until that does not help."""
        for own in reseeded(self.search, part, falling=True):
            improve(self.search, own)

    def improve_on(self, part: Budget) -> None:
        """Improve the solution to the end; without a limit until that does not help."""
        step, falling = 1_000, part.endless
        for own in reseeded(self.search, part, first=1, step=step, falling=falling):
            improve(self.search, own)

    def balance(self, part: Budget) -> None:
        """Raise the bound of many points by weights."""
        self._weights = raise_by_much(self.search, part, self._paid)

    def look_around(self, part: Budget) -> None:
        """Find near points for what follows, and raise the bound by these."""
        near_of(self.search.instance, part.share(0.8))
        paid = raise_by_neighbours(self.search, part)
        self._paid = None if part.spent else paid

    def improve_by_squares(self, part: Budget) -> None:
        """Improve the solution of many points by squares, about near centres."""
        improve_by_squares(self.search, part)

    def bound(self, part: Budget) -> None:
        self.closing.bound(part=part)

    def enumerate(self, _: Budget) -> None:
        self.closing.enumerate()


COLUMNS: Final[Stages[_Work]] = (
    Stage("bounds", lambda w: w.n > FEW, None, _Work.balance),
    Stage("linear program", always, None, _Work.bound),
    Stage("listed clusters", lambda w: w.closing.is_open, None, _Work.enumerate),
)
"""Column generation alone."""

STAGES: Final[Stages[_Work]] = (
    Stage("at once", always, None, lambda w, _: begin(w.search, "greedy")),
    Stage("near points", lambda w: w.is_spread, 0.6, _Work.look_around),
    Stage("squares", lambda w: w.is_spread, 0.85, _Work.improve_by_squares),
    Stage(
        "bounds",
        lambda w: w.n > FEW,
        lambda w: 0.2 if w.n <= LARGE else 0.4,
        _Work.balance,
    ),
    Stage("local search", lambda w: w.prices_late and w.one_worker, 0.2, _Work.improve),
    SideBySide(
        lambda w: w.prices_late and not w.one_worker,
        (
            Stage("linear program", always, 0.5, _Work.bound),
            Stage("local search", always, 0.5, _Work.improve_beside),
        ),
    ),
    Stage(
        "linear program",
        lambda w: w.prices_first or (w.prices_late and w.one_worker),
        lambda w: None if w.prices_first else 0.5,
        _Work.bound,
    ),
    Stage("local search", lambda w: w.is_unsolved, 0.5, _Work.improve_on),
    Stage("linear program", lambda w: w.is_unsolved, None, _Work.bound),
    Stage("local search", lambda w: w.prices_first and w.is_open, 0.2, _Work.improve),
    Stage("listed clusters", lambda w: w.is_open, None, _Work.enumerate),
    Stage("local search", always, None, _Work.improve_on),
)
"""What is done for more than a few points. Shares are not tuned."""
