"""The exact model over the groups and patterns that reduced cost fixing leaves.

Groups of a pattern come in two forms, mixed at will:

- listed one by one (:mod:`atleastk.solvers.tables.listed_groups`): z_S times the
  group S. Solvers see which groups exclude each other, and derive cuts from that which
  close gaps that the other form leaves open;
- as a whole, for patterns of too many groups: x_pt <= copies_t y_p copies of record t,
  and k y_p or more in all.

minimise sum c_S z_S + sum stars_p x_pt such that all copies of every record are
assigned; or give up, at the price of a limit. So there is a feasible point from the
start, and no search for solutions that cost the limit or more. If every solution below
the limit consists of listed groups and of the pairs given then the optimum is that of
the table, or the limit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.records import Records
from atleastk.models.linear import INFINITE, LinearModel
from atleastk.models.tables.patterns import Patterns
from atleastk.packages import sparse
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.listed_groups import Pool


@dataclass(frozen=True, slots=True, eq=False)
class ReducedModel:
    """A linear model; its variables are z, then y, then x, then the one that gives up.

    Attributes
    ----------
    whole
        The number of patterns that have variables y and x.
    opened, record
        The y (0, 1, ... among them) and the record of every x.
    """

    model: LinearModel
    groups: Groups
    whole: int
    opened: IntArray
    record: IntArray

    def decode(self, values: IntArray) -> Assignment:
        """Return the groups of a point that does not give up."""
        group, record, copies = self.groups.entries
        count = self.groups.count
        return Assignment.of(
            np.concatenate((group, count + self.opened)),
            np.concatenate((record, self.record)),
            np.concatenate((copies * values[group], values[count + self.whole : -1])),
        )


def reduced_model(
    patterns: Patterns, records: Records, k: int, pool: Pool, limit: int
) -> ReducedModel:
    """Return the model over listed groups, and the patterns that are not complete.

    Giving up costs `limit`.
    """
    whole = np.flatnonzero(~pool.complete)
    lengths = np.diff(patterns.starts)
    used = np.repeat(~pool.complete, lengths)
    record = patterns.records[used].astype(np.int64)
    opened = np.repeat(np.arange(len(whole)), lengths[whole])
    listed, count, pairs = pool.groups, len(whole), len(record)
    groups = listed.count
    owner, item, copies = listed.entries
    supply = records.copies[record]
    first, last = records.distinct, records.distinct + count
    y, x = groups + np.arange(count), groups + count + np.arange(pairs)
    ones, linked = np.ones(pairs, dtype=np.int64), last + np.arange(pairs)
    blocks = (
        (copies, item, owner),
        (ones, record, x),
        (ones, first + opened, x),
        (np.full(count, -k), first + np.arange(count), y),
        (ones, linked, x),
        (-supply, linked, groups + opened),
        (
            records.copies,
            np.arange(records.distinct),
            np.full(records.distinct, groups + count + pairs),
        ),
    )
    data, rows, columns = map(np.concatenate, zip(*blocks, strict=True))
    shape = (last + pairs, groups + count + pairs + 1)
    nothing = np.zeros(count + pairs, dtype=np.int64)
    model = LinearModel(
        objective=np.concatenate(
            (
                listed.cost,
                nothing[:count],
                patterns.stars[whole[opened]].astype(np.int64),
                [limit],
            )
        ),
        lower=np.zeros(shape[1], dtype=np.int64),
        upper=np.concatenate(
            (listed.times(records.copies), np.ones(count, np.int64), supply, [1])
        ),
        rows=sparse.csr_array(sparse.coo_array((data, (rows, columns)), shape=shape)),
        row_lower=np.concatenate(
            (records.copies, nothing[:count], np.full(pairs, -INFINITE))
        ),
        row_upper=np.concatenate(
            (records.copies, np.full(count, INFINITE), nothing[:pairs])
        ),
    )
    return ReducedModel(model, listed, count, opened, record)
