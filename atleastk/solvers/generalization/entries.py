"""Generalisation on entries, solved as suppression on the expanded table.

All that is known of k-anonymity by suppression holds for the table of pseudo-columns
(:mod:`atleastk.models.tables.pseudo_columns`), so its automatic choice of methods runs
on that table and its reports are passed on, times the unit of the costs. That takes a
pseudo-column for every level and unit of weight. Where these are more than patterns can
have, levels get prices instead: :mod:`atleastk.solvers.generalization.priced_patterns`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.generalization import Generalization
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.generalization import solution_of_groups
from atleastk.models.k_anonymity import check
from atleastk.models.results.result import Event
from atleastk.models.tables.pseudo_columns import expanded
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity import auto as portfolio
from atleastk.solvers.search import Search

Certificate = Mapping[str, Any]


def solve_as_suppression(
    search: Search[Generalization], source: str, budget: Budget | None = None
) -> None:
    """Solve on entries by the methods of k-anonymity by suppression."""
    instance = search.instance

    def forward(event: Event) -> None:
        if event.cost is not None and inner.solution is not None:
            known = search.cost
            if known is None or event.cost * instance.unit < known:
                best = solution_of_groups(instance, inner.solution.groups)
                search.offer(best, source)
        if event.bound is not None:
            raise_bound()

    def raise_bound() -> None:
        proof = inner.proof
        if proof is not None and proof.bound is not None:
            certificate = _in_units(proof.certificate, instance.unit)
            search.raise_bound(proof.bound * instance.unit, source, certificate)
        if inner.bound is not None:
            search.raise_bound(inner.bound * instance.unit, source)

    inner: Search[KAnonymity] = Search(
        expanded(instance), check, budget or search.budget, forward
    )
    if search.solution is not None:
        inner.offer(search.solution.groups, "start")
    portfolio.solve(inner)
    raise_bound()


def _in_units(certificate: Certificate | None, unit: int) -> Certificate | None:
    """Return the certificate of the bound times `unit`, the cost of every cell."""
    if certificate is None or unit == 1:
        return certificate
    if certificate["kind"] != "weights":
        return None
    weights = [unit * weight for weight in certificate["weights"]]
    return {**certificate, "weights": weights}
