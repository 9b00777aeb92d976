"""Closing: all clusters that a cheaper solution may have, listed; then minimised.

A proof at prices y (:mod:`~atleastk.solvers.cellular.master`) tells the greatest
reduced cost in a solution that costs less than a limit B. With all clusters up to it
listed, the set-partitioning model over them and one more column, which covers
everything at the cost B, has the optimum of the instance, or B if nothing costs less.

B is the best known cost if the list is short enough; else it is lowered until it is,
and raised again when that is proved to be a bound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack, vstack

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.errors import NotApplicableError
from atleastk.models.clustering import ClusteringSolution
from atleastk.models.linear import INFINITE, LinearModel
from atleastk.solvers.backends.backend import Answer
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs, refuse_beyond_doubles
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular.columns import Columns
from atleastk.solvers.cellular.master import Master, crossing
from atleastk.solvers.cellular.pricing import list_clusters
from atleastk.solvers.search import Search

__all__ = ["ListedModel", "close_within", "listed_below", "listed_model"]

IntArray = NDArray[np.int64]

_SOURCE: Final = "listed clusters"


@dataclass(frozen=True, slots=True, eq=False)
class ListedModel:
    """A linear model over clusters, outliers, and the column that gives up."""

    model: LinearModel
    columns: Columns
    reading: int

    def decode(self, values: IntArray) -> ClusteringSolution | None:
        """Return the solution that a point stands for, None if it gives up."""
        if values[-1]:
            return None
        chosen = np.flatnonzero(values[: self.columns.count])
        return self.columns.solution(chosen, self.reading)

    @property
    def escape(self) -> IntArray:
        """The point that gives up."""
        values = np.zeros(self.model.columns, dtype=np.int64)
        values[-1] = 1
        return values


def listed_model(
    instance: CellularClustering,
    columns: Columns,
    triples: IntArray,
    limit: int,
    reading: int,
) -> ListedModel:
    """Return the model over listed clusters, in which to give up costs `limit`."""
    n, count = instance.n, columns.count
    outliers = n if instance.max_outliers else 0
    points = csr_array(columns.has.T.astype(np.int64))
    alone = csr_array(np.eye(n, outliers, dtype=np.int64))
    given_up = csr_array(np.ones((n, 1), dtype=np.int64))
    cuts = csr_array(crossing(columns.has, triples).T.astype(np.int64))
    counted = np.zeros((2, count + outliers + 1), dtype=np.int64)
    counted[0, :count] = 1
    counted[1, count:-1] = 1
    triple_rows = hstack(
        (
            cuts,
            csr_array((len(triples), outliers), dtype=np.int64),
            csr_array(np.ones((len(triples), 1), dtype=np.int64)),
        )
    )
    rows = vstack((hstack((points, alone, given_up)), csr_array(counted), triple_rows))
    most = INFINITE if instance.max_clusters is None else instance.max_clusters
    ones = np.ones(n, dtype=np.int64)
    unbounded = np.full(2 + len(triples), -INFINITE, dtype=np.int64)
    upper = np.array([most, instance.max_outliers], dtype=np.int64)
    width = count + outliers + 1
    model = LinearModel(
        objective=np.concatenate((columns.cost, np.zeros(outliers, np.int64), [limit])),
        lower=np.zeros(width, dtype=np.int64),
        upper=np.ones(width, dtype=np.int64),
        rows=csr_array(rows),
        row_lower=np.concatenate((ones, unbounded)),
        row_upper=np.concatenate((ones, upper, np.ones(len(triples), np.int64))),
    )
    return ListedModel(model, columns, reading)


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
    listed = listed_model(
        search.instance,
        columns,
        master.proof.prices.triples,
        limit,
        master.sites.reading,
    )

    def found(values: IntArray) -> None:
        solution = listed.decode(values)
        if solution is not None:
            search.offer(solution, _SOURCE)

    def proved(bound: int) -> None:
        search.raise_bound(min(bound, limit), _SOURCE)

    answer = _minimise(listed, budget, found, proved)
    if answer.values is not None:
        found(answer.values)
    if answer.bound is not None:
        proved(answer.bound)
    return answer.bound is not None and answer.bound == answer.cost


def _minimise(
    listed: ListedModel,
    budget: Budget,
    found: Callable[[IntArray], object],
    proved: Callable[[int], object],
) -> Answer:
    """Minimise in HiGHS; in CP-SAT if the numbers are too large, or without an end."""
    hint = listed.escape
    if _suits_doubles(listed.model):
        answer = Highs().minimise(
            listed.model, budget, hint=hint, on_answer=found, on_bound=proved
        )
        if budget.spent or (answer.cost is not None and answer.cost == answer.bound):
            return answer
    return CpSat().minimise(
        listed.model, budget, hint=hint, on_answer=found, on_bound=proved
    )


def _suits_doubles(model: LinearModel) -> bool:
    """Tell whether HiGHS can decide a model."""
    try:
        refuse_beyond_doubles(model, Highs.name)
    except NotApplicableError:
        return False
    return True
