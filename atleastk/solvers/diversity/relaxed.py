"""Diversity by generalisation without sensitive values: bounds, and lattice nodes."""

from __future__ import annotations

from atleastk.instances.diversity import Diversity
from atleastk.instances.generalization import Generalization
from atleastk.models.diversity import check
from atleastk.models.generalization import check as check_relaxed
from atleastk.models.results.result import Event
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.node_counts import counts_of
from atleastk.solvers.generalization import methods, predictive_tagging
from atleastk.solvers.search import Search


def minimise_by_tagging(
    search: Search[Diversity], source: str, *, certified: bool = False
) -> None:
    """Minimise on attributes by predictive tagging: the condition is monotone.

    Parameters
    ----------
    certified
        Leave open what only a solver could decide.
    """
    predictive_tagging.minimise_by_tagging(
        search, source, counts_of(search, certified=certified)
    )


def solve_relaxed(search: Search[Diversity], budget: Budget) -> Solution | None:
    """Solve on entries without sensitive values; report what holds with them, too.

    Bounds hold, with their certificates, and solutions that happen to satisfy the
    condition. Returns the best solution, which may break it.
    """
    instance = search.instance
    relaxed = instance.relaxed

    def forward(event: Event) -> None:
        best = inner.solution
        if event.cost is not None and best is not None:
            known = search.cost
            better = known is None or event.cost < known
            if better and check(instance, best).feasible:
                search.offer(best, "relaxed")
        if event.bound is not None:
            search.raise_bound(event.bound, "relaxed", inner.certificate)

    inner: Search[Generalization] = Search(relaxed, check_relaxed, budget, forward)
    methods.solve(inner)
    if inner.bound is not None:
        search.raise_bound(inner.bound, "relaxed", inner.certificate)
    return inner.solution
