"""Separation of Hall rows for fractional openings, by a maximum flow.

Let centre c be open to the amount y_c. It needs at least r y_c of the points of its
ball, at most y_c of each, and no point gives more than 1. That is a flow, source ->
centre (r y_c) -> point of its ball (y_c) -> sink (1), here in whole numbers. If a
maximum one does not saturate the source then the points U that its residual network
still reaches prove it:

    sum over c of y_c (r - |ball of c without U|)^+  >  |U|.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import IntArray
from atleastk.packages import csgraph, sparse
from atleastk.solvers.clustering.neighbourhoods import Balls


def deficient_sets(
    balls: Balls, shares: IntArray, needs: IntArray, rooms: IntArray
) -> list[IntArray]:
    """Return the point sets U of violated Hall rows, none if all needs can be met.

    They are the connected parts of one set. `shares` is the most that a centre takes of
    a point of its ball, `needs` what it takes at least in all, and `rooms` what a point
    gives at most; all are below 2^31.
    """
    m, n = len(balls), len(rooms)
    source, sink = m + n, m + n + 1
    tails = np.concatenate((np.full(m, source), balls.owners, m + np.arange(n)))
    heads = np.concatenate((np.arange(m), m + balls.points, np.full(n, sink)))
    most = np.concatenate((needs, shares[balls.owners], rooms)).astype(np.int32)
    network = sparse.csr_array((most, (tails, heads)), shape=(m + n + 2, m + n + 2))
    flow = csgraph.maximum_flow(network, source, sink).flow
    residual = sparse.csr_array(network - flow)
    residual.eliminate_zeros()
    reached = np.zeros(m + n + 2, dtype=np.bool_)
    order = csgraph.breadth_first_order(residual, source, return_predecessors=False)
    reached[order] = True
    centres, points = reached[:m], reached[m:source]
    lacking = balls.only(centres[balls.owners] & points[balls.points])
    of_centre, of_point = lacking.components(n)
    parts = np.unique(of_centre[centres])
    return [np.flatnonzero(points & (of_point == part)) for part in parts]
