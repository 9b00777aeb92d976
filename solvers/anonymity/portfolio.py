"""k-anonymity: the automatic choice of methods."""

from __future__ import annotations

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.search import Search

__all__ = ["solve"]


def solve(search: Search[KAnonymity]) -> None:
    """Find an anonymisation of least cost, and prove it."""
    instance, source = search.instance, "bounds"
    if 0 < instance.n < instance.k:
        search.close_infeasible(source)
        return
    search.offer([range(instance.n)] if instance.n else [], source)
    search.raise_bound(0, source)
