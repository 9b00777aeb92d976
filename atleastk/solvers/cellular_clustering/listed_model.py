"""The set-partitioning model over listed clusters.

Every point is in one cluster, or is an outlier. An artificial column covers everything
at the cost of a limit, so the optimum is that of the list, or the limit if no choice
costs less. Triples of points (subset-row inequalities) strengthen it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.models.linear import INFINITE, LinearModel
from atleastk.packages import sparse
from atleastk.solvers.cellular_clustering.columns import Columns
from atleastk.solvers.cellular_clustering.master import crossing


@dataclass(frozen=True, slots=True, eq=False)
class ListedModel:
    """A linear model over clusters, outliers, and the artificial column."""

    model: LinearModel
    columns: Columns

    def chosen(self, values: IntArray) -> IntArray | None:
        """Return the clusters of a point, None if it uses the artificial column."""
        if values[-1]:
            return None
        return np.flatnonzero(values[: self.columns.count])

    @property
    def escape(self) -> IntArray:
        """The point of the artificial column alone."""
        values = np.zeros(self.model.columns, dtype=np.int64)
        values[-1] = 1
        return values


def listed_model(
    instance: CellularClustering,
    columns: Columns,
    triples: IntArray,
    limit: int,
) -> ListedModel:
    """Return the model over listed clusters; its artificial column costs `limit`."""
    n, count = instance.n, columns.count
    outliers = n if instance.max_outliers else 0
    points = sparse.csr_array(columns.has.T.astype(np.int64))
    alone = sparse.csr_array(np.eye(n, outliers, dtype=np.int64))
    given_up = sparse.csr_array(np.ones((n, 1), dtype=np.int64))
    cuts = sparse.csr_array(crossing(columns.has, triples).T.astype(np.int64))
    counted = np.zeros((2, count + outliers + 1), dtype=np.int64)
    counted[0, :count] = 1
    counted[1, count:-1] = 1
    triple_rows = sparse.hstack(
        (
            cuts,
            sparse.csr_array((len(triples), outliers), dtype=np.int64),
            sparse.csr_array(np.ones((len(triples), 1), dtype=np.int64)),
        )
    )
    rows = sparse.vstack(
        (
            sparse.hstack((points, alone, given_up)),
            sparse.csr_array(counted),
            triple_rows,
        )
    )
    clusters, most_outliers = instance.limits
    most = INFINITE if clusters is None else clusters
    ones = np.ones(n, dtype=np.int64)
    unbounded = np.full(2 + len(triples), -INFINITE, dtype=np.int64)
    upper = np.array([most, most_outliers], dtype=np.int64)
    width = count + outliers + 1
    model = LinearModel(
        objective=np.concatenate((columns.cost, np.zeros(outliers, np.int64), [limit])),
        lower=np.zeros(width, dtype=np.int64),
        upper=np.ones(width, dtype=np.int64),
        rows=sparse.csr_array(rows),
        row_lower=np.concatenate((ones, unbounded)),
        row_upper=np.concatenate((ones, upper, np.ones(len(triples), np.int64))),
    )
    return ListedModel(model, columns)
