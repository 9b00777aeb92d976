"""APPROX-DS: a cover by balls of small diameter, made a partition.

[ParkShim07, section 5.1] compares with the polynomial algorithm of [MeyersonWilliams04]
for the k-minimum diameter sum: a greedy cover by balls around records, of weight twice
their radius, which bounds their diameter. It chooses and cuts balls as GEN-COVER-FQ
does (:mod:`atleastk.solvers.k_anonymity.algorithms.greedy_cover`): the ratio is divided
by 2k - 1 rows at most.

Promise: cost <= (2k-1)^2 / k * H(2k-1) * OPT.

1. A group S of a best solution lies in the ball of radius d(S) around any of its rows,
   so balls of weight <= 2 * sum of d(S) cover all. The greedy cover weighs at most
   H(2k-1) times as much.
2. At most 2k - 1 rows within distance i of a centre differ in (2k-1) i columns at most:
   sum of a(S) <= (2k-1) * sum of radii. CONVERT does not raise the sum of a(S).
3. OPT >= k * sum of d(S) [ParkShim07, Lemma 3.7], and groups have at most 2k - 1 rows.

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

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.k_anonymity.algorithms.set_systems import SetSystem

MOST_RECORDS = 2000
"""The most distinct records for which balls are listed."""


def balls(records: Records, k: int) -> SetSystem:
    """Return the balls of at least k rows around all records, by increasing radius.

    Balls that a smaller radius has as well are left out.
    """
    weights, starts, members = _balls(records.codes, records.copies, k)
    return SetSystem(weights, starts, members)


@compiled
def _balls(
    codes: Int32Array, copies: IntArray, k: int
) -> tuple[IntArray, IntArray, Int32Array]:
    n, m = codes.shape
    # Distances of all pairs, and how many rows and records are at each distance.
    distances = np.empty((n, n), dtype=np.uint8)
    for u in range(n):
        for v in range(n):
            distance = 0
            for j in range(m):
                if codes[u, j] != codes[v, j]:
                    distance += 1
            distances[u, v] = distance
    rows_at = np.zeros((n, m + 1), dtype=np.int64)
    records_at = np.zeros((n, m + 1), dtype=np.int64)
    for u in range(n):
        for v in range(n):
            rows_at[u, distances[u, v]] += copies[v]
            records_at[u, distances[u, v]] += 1
    # The balls of at least k rows are counted, with their members ...
    count, pairs = 0, 0
    for u in range(n):
        rows, inside = 0, 0
        for radius in range(m + 1):
            rows += rows_at[u, radius]
            inside += records_at[u, radius]
            if rows >= k and records_at[u, radius] > 0:
                count += 1
                pairs += inside
    # ... and written by increasing radius.
    weights = np.empty(count, dtype=np.int64)
    starts = np.zeros(count + 1, dtype=np.int64)
    members = np.empty(pairs, dtype=np.int32)
    ball, used = 0, 0
    held = np.zeros(n, dtype=np.int64)
    for radius in range(m + 1):
        for u in range(n):
            held[u] += rows_at[u, radius]
            if held[u] < k or (records_at[u, radius] == 0):
                continue
            for v in range(n):
                if distances[u, v] <= radius:
                    members[used] = v
                    used += 1
            weights[ball] = 2 * radius
            ball += 1
            starts[ball] = used
    return weights, starts, members
