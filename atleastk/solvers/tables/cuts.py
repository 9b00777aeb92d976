"""Cuts for the model of listed groups: subset-row inequalities.

Take three records of one copy each. Groups are disjoint, so at most one of them has two
or more of the three: the z_S of these groups sum to 1 at most
[JepsenPetersenSpoorendonkPisinger08]. The variable that gives up counts as one of them,
or else a small part of it would satisfy all cuts.
:mod:`atleastk.solvers.engine.tightening` adds cuts and fixes variables.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.instances.records import Records
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine import tightening
from atleastk.solvers.engine.set_partition.triples import crossing, violated_triples
from atleastk.solvers.engine.tightening import Tightened
from atleastk.solvers.tables.reduced_model import ReducedModel

_PER_ROUND: Final = 200
_PER_RECORD: Final = 8
"""Cuts per round, and cuts of a round that contain the same record: not tuned."""

_MOST_DISTINCT: Final = 2000
"""Distinct records up to which cuts pay: a table of all pairs is made."""


def tightened(
    reduced: ReducedModel, records: Records, limit: int, budget: Budget
) -> Tightened:
    """Return the model with cuts, without what costs `limit` or more."""
    model = reduced.model
    if records.distinct > _MOST_DISTINCT:
        return Tightened(model, 0, model.columns)
    count, single = reduced.groups.count, records.copies == 1
    has = reduced.groups.has

    def violated(point: FloatArray) -> sparse.csr_array[Any]:
        triples = violated_triples(has, point[:count], single, _PER_ROUND, _PER_RECORD)
        crossed = sparse.csr_array(crossing(has, triples).T.astype(np.int64))
        others = sparse.csr_array((len(triples), model.columns - count - 1))
        given_up = sparse.csr_array(np.ones((len(triples), 1), dtype=np.int64))
        rows = sparse.hstack((crossed, others, given_up), format="csr")
        return sparse.csr_array(rows).astype(np.int64)

    return tightening.tightened(model, violated, limit, budget)
