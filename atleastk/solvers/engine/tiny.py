"""Dynamic programming over subsets, for tiny instances, before any other method.

Large-instance methods waste time on tiny instances; a DP over subsets solves those
first, if the problem has a method ``subset-dp`` that takes the instance. A certificate
of the optimum is then searched for, for a second; if the user asked for one, the caller
searches afterwards, within the whole budget.
"""

from __future__ import annotations

from typing import Any, Final

from atleastk.instances.instance import Instance
from atleastk.solvers.method import Method
from atleastk.solvers.problem import Problem
from atleastk.solvers.search import Search

__all__ = ["MOST_ITEMS", "SOURCE", "is_tiny", "solve"]

SOURCE: Final = "subset-dp"
"""The name of the method for tiny instances."""

MOST_ITEMS: Final = 12
"""The most items: for their 4,096 subsets nothing else is quicker."""

_PROOF: Final = 1.0
"""Seconds for a certificate that nobody asked for; most are found in milliseconds."""


def solve(
    problem: Problem[Any], search: Search[Any], *, certified_later: bool = False
) -> None:
    """Solve a tiny instance by the method; leave others to the automatic choice.

    Parameters
    ----------
    certified_later
        Whether a certificate is looked for when this has ended: then not here.
    """
    method = _method(problem, search.instance)
    if method is not None:
        _settle(problem, method, search, certified_later=certified_later)
    if not search.done:
        problem.solve(search)


def is_tiny(instance: Instance) -> bool:
    """Return whether an instance is so small that it needs no first answer."""
    return getattr(instance, "n", MOST_ITEMS + 1) <= MOST_ITEMS


def _method(problem: Problem[Any], instance: Instance) -> Method[Any] | None:
    """Return the method for a tiny instance; None for others."""
    for method in problem.methods:
        if method.name == SOURCE:
            tiny = is_tiny(instance) and method.refuses(instance) is None
            return method if tiny else None
    return None


def _settle(
    problem: Problem[Any],
    method: Method[Any],
    search: Search[Any],
    *,
    certified_later: bool,
) -> None:
    """Report the optimum, with a certificate if one is found."""
    inner = Search(search.instance, problem.check, search.budget)
    method.run(inner)
    if inner.infeasible:
        search.close_infeasible(SOURCE, inner.certificate)
    if inner.solution is not None:
        search.offer(inner.solution, inner.found_by or SOURCE)
    if inner.infeasible or not inner.closed or inner.bound is None:
        return
    proof = inner.certificate
    if proof is None and problem.certify is not None and not certified_later:
        short = search.budget.slice(_PROOF)
        proof = problem.certify(search.instance, inner.bound, short)
    search.raise_bound(inner.bound, SOURCE, proof)
