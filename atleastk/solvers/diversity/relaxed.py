"""Diversity by generalisation without sensitive values: bounds, and lattice nodes."""

from __future__ import annotations

from atleastk.instances.diversity import Diversity
from atleastk.models.generalization import check as check_relaxed
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.node_counts import counts_of
from atleastk.solvers.generalization import methods, predictive_tagging
from atleastk.solvers.search import Search
from atleastk.solvers.tables.reporting import inner_search


def minimise_by_tagging(
    search: Search[Diversity], source: str, *, certified: bool = False
) -> None:
    """Minimise on attributes by predictive tagging: the condition is monotone.

    If certified, what only a solver could decide is left open.
    """
    predictive_tagging.minimise_by_tagging(
        search, source, counts_of(search, certified=certified)
    )


def solve_relaxed(search: Search[Diversity], budget: Budget) -> Solution | None:
    """Solve on entries without sensitive values; report what holds with them, too.

    Bounds hold, with their certificates, and solutions that happen to satisfy the
    condition. Returns the best solution, which may break it.
    """
    relaxed = search.instance.relaxed
    inner = inner_search(
        relaxed,
        check_relaxed,
        budget,
        lambda found: search.offer_if_feasible(found, "relaxed"),
        lambda bound, proof: search.raise_bound(bound, "relaxed", proof),
    )
    methods.solve(inner)
    if inner.bound is not None:
        search.raise_bound(inner.bound, "relaxed", inner.certificate)
    return inner.solution
