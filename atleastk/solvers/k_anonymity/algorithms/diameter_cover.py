"""APPROX-DS: a cover by balls of small diameter, made a partition.

[ParkShim07, section 5.1] compares with the polynomial algorithm of [MeyersonWilliams04]
for the k-minimum diameter sum: a greedy cover by balls around records, of weight twice
their radius, which bounds their diameter. It chooses and cuts balls as GEN-COVER-FQ
does (:mod:`atleastk.solvers.k_anonymity.algorithms.greedy_cover`): the ratio is divided
by 2k - 1 rows at most.

Promise: cost <= (2k-1)^2 / k * H(k) * OPT, H(g) = 1 + 1/2 + ... + 1/g. On the family
``worst-balls`` it pays (2k-1)^2 / (k+1) times the optimum.

1. A group S of a best solution lies in the ball of radius d(S) around any of its rows,
   so the greedy cover weighs at most the sum of H(|S|) * 2 * d(S).
2. At most 2k - 1 rows within distance i of a centre differ in (2k-1) i columns at most:
   sum of a(S) <= (2k-1) * sum of radii. CONVERT does not raise the sum of a(S).
3. Groups have at most 2k - 1 rows, and S costs the optimum at least |S| * d(S). From
   g = k on, H(g) / g only falls.

Time and space: the distances of all pairs of records, and all pairs of a ball and a
record in it.

As printed
----------
Neither paper prints the algorithm. The cap of 2k - 1 rows is ours: without it the ball
of all rows is chosen first as soon as n > m k, and what it is cut into may cost m stars
per row.
"""

from __future__ import annotations

import numpy as np

from atleastk.instances.records import Records
from atleastk.solvers.k_anonymity.algorithms.set_systems import SetSystem

MOST_RECORDS = 2000
"""The most distinct records for which balls are listed."""


def balls(records: Records, k: int) -> SetSystem:
    """Return the balls of at least k rows around all records, by increasing radius.

    Balls that a smaller radius has as well are left out.
    """
    apart = np.zeros((records.distinct, records.distinct), dtype=np.int16)
    for column in records.codes.T:
        apart += column[:, None] != column
    weights: list[int] = []
    members = [np.empty(0, dtype=np.int32)]
    for radius in np.unique(apart).tolist():
        inside, new = apart <= radius, (apart == radius).any(axis=1)
        for centre in np.flatnonzero(new & (inside @ records.copies >= k)):
            weights.append(2 * radius)
            members.append(np.flatnonzero(inside[centre]).astype(np.int32))
    return SetSystem(
        np.array(weights, dtype=np.int64),
        np.cumsum([len(ball) for ball in members], dtype=np.int64),
        np.concatenate(members),
    )
