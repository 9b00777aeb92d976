"""The exact model over the groups and patterns that reduced cost fixing leaves.

Groups of a pattern come in two forms, mixed at will:

- as a whole, for patterns of too many groups: the model that assigns copies to patterns
  (:func:`~atleastk.models.encodings.k_anonymity.pattern_model`);
- listed one by one (:mod:`atleastk.solvers.tables.listed_groups`): z_S times the
  group S. Solvers see which groups exclude each other, and derive cuts from that which
  close gaps that the other form leaves open.

Or it gives up, at the price of a limit. So there is a feasible point from the start,
and no search for solutions that cost the limit or more. If every solution below the
limit consists of listed groups and of the pairs given then the optimum is that of the
table, or the limit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from atleastk.arrays import IntArray
from atleastk.models.encodings.k_anonymity import pattern_model
from atleastk.models.linear import LinearModel
from atleastk.models.tables.patterns import Patterns
from atleastk.packages import sparse
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.listed_groups import Pool
from atleastk.solvers.tables.listed_table import ListedTable


@dataclass(frozen=True, slots=True, eq=False)
class ReducedModel:
    """A linear model; its variables are those of `whole`, then z, and giving up."""

    model: LinearModel
    groups: Groups  # the listed ones
    whole: Patterns  # those whose groups are not listed

    @property
    def first(self) -> int:
        """The first z."""
        return self.whole.pairs + self.whole.count

    def decode(self, values: IntArray) -> Assignment:
        """Return the groups of a point that does not give up."""
        whole, (group, record, copies) = self.whole, self.groups.entries
        times = values[self.first : -1]
        return Assignment.of(
            np.concatenate((whole.pattern, whole.count + group)),
            np.concatenate((whole.records.astype(np.int64), record)),
            np.concatenate((values[: whole.pairs], copies * times[group])),
        )


def reduced_model(table: ListedTable, pool: Pool, limit: int) -> ReducedModel:
    """Return the model over listed groups, and the patterns that are not complete.

    Giving up costs `limit`.
    """
    records, groups = table.records, pool.groups
    whole = table.patterns.where(~pool.complete)
    model = pattern_model(records, table.k, whole).model
    times = groups.times(records.copies)
    model = with_columns(model, groups.rows, groups.cost, times)
    return ReducedModel(with_escape(model, records.copies, limit), groups, whole)


def with_escape(model: LinearModel, copies: IntArray, limit: int) -> LinearModel:
    """Return the model with a last variable that assigns all rows, at a price.

    The first constraints of the model assign the copies of every kind.
    """
    return with_columns(model, sparse.csr_array(copies[None]), [limit], [1])


def with_columns(
    model: LinearModel, columns: sparse.csr_array[Any], cost: ArrayLike, most: ArrayLike
) -> LinearModel:
    """Return the model with further variables, from 0 to `most`, behind the others.

    Their coefficients are those in the first constraints, [variable, constraint].
    """
    shape = columns.shape[0], model.rows.shape[0]
    entries = columns.data, columns.indices, columns.indptr
    added = sparse.csr_array(entries, shape=shape).T
    return replace(
        model,
        objective=np.append(model.objective, cost),
        lower=np.append(model.lower, np.zeros(shape[0], dtype=np.int64)),
        upper=np.append(model.upper, most),
        rows=sparse.csr_array(sparse.hstack((model.rows, added))),
    )
