"""Closing: all clusters that a cheaper solution may have, listed; then minimised.

A proof at prices y (:mod:`~atleastk.solvers.cellular.master`) tells the greatest
reduced cost in a solution that costs less than a limit B. With all clusters up to it
listed, the best choice of them (:mod:`~atleastk.solvers.cellular.branching`) is the
optimum of the instance, or nothing costs less than B.

B is the best known cost if the list is short enough; else it is lowered until it is,
and raised again when that is proved to be a bound.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.solvers.backends.highs import run_apart
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular.branching import Branching
from atleastk.solvers.cellular.columns import Columns
from atleastk.solvers.cellular.master import Master
from atleastk.solvers.cellular.pricing import list_clusters
from atleastk.solvers.search import Search

__all__ = ["close_within", "listed_below"]

IntArray = NDArray[np.int64]

_SOURCE: Final = "listed clusters"


def listed_below(
    master: Master, limit: int, budget: Budget, most: int, steps: int
) -> Columns | None:
    """Return all clusters of solutions below a limit; None if too many."""
    proof, sites = master.proof, master.sites
    found = list_clusters(
        sites, proof.prices, proof.spare(limit), budget, most, steps=steps
    )
    if not found.complete:
        return None
    columns = Columns.of(sites, found)
    return columns.only(columns.cheapest())


def close_within(
    search: Search[CellularClustering],
    master: Master,
    columns: Columns,
    limit: int,
    budget: Budget,
) -> bool:
    """Minimise over all clusters below a limit; tell whether that was decided."""

    def chosen(clusters: IntArray) -> None:
        search.offer(columns.solution(clusters, master.sites.reading), _SOURCE)

    def proved(bound: int) -> None:
        search.raise_bound(bound, _SOURCE)

    branching = Branching(
        search.instance,
        columns,
        master.proof.prices.triples,
        limit,
        master.scale,
        chosen,
        proved,
    )
    decided: list[bool] = []
    run_apart(lambda: decided.append(branching.run(budget)), budget)
    return decided == [True]
