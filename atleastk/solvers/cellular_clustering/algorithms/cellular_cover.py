"""From clusters that opened to a clustering [Aggarwal10, section 3].

Clusters are taken by decreasing radius; one stays open if none of the points with tight
edges to it is assigned yet, and gets these *directly*. A cluster c' is shut down if one
of them, j, has been assigned to some cluster c: then d_c >= d_c', and the points that
c' connected and nobody got go to c *indirectly*. So

    d(i, v_c) <= d(i, v_c') + d(v_c', j) + d(j, v_c) <= 2 d_c' + d_c <= 3 d_c,

and alpha_i >= alpha_j >= d_c. With the points P_c of c, among them all that paid for c,

    sum over P_c of alpha_i >= |P_c| d_c + F(c),    radius of P_c about v_c <= 3 d_c,

which is Theorem 3.5 if F(c) = f_c and everybody is connected.

As printed
----------
"There must exist a point j" does not mean just any point with a tight edge to c': it
has to be one that was assigned *when c' was shut down*. One that was assigned later is
in a smaller cluster, and Lemma 3.3 fails. So c is written down at that time.

References
----------
[Aggarwal10] as in :mod:`atleastk.instances.cellular_clustering`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.cellular_clustering.algorithms.primal_dual import Raised


@dataclass(frozen=True, slots=True)
class Cover:
    """A cluster that stays open: its centre, the radius it opened with, its points."""

    centre: int
    radius: int
    points: IntArray


def cover(dual: Raised, seed: int = 0) -> list[Cover]:
    """Return the clusters that stay open, with all connected points, in any order.

    The seed decides among clusters of equal radius.
    """
    if not len(dual.radii):
        return []
    ties = np.random.default_rng(seed).permutation(len(dual.radii))
    owner = np.full(len(dual.alphas), -1, dtype=np.int64)
    heir = np.arange(len(dual.radii))
    for c in np.lexsort((ties, -dual.radii)):
        tight = dual.tight(c)
        taken = owner[tight]
        taken = taken[taken >= 0]
        if len(taken):
            heir[c] = taken[0]
        else:
            owner[tight] = c
    indirect = np.flatnonzero((owner < 0) & (dual.witness >= 0))
    owner[indirect] = heir[dual.witness[indirect]]
    order = np.argsort(owner, kind="stable")[int((owner < 0).sum()) :]
    names, firsts = np.unique(owner[order], return_index=True)
    return [
        Cover(int(dual.centres[c]), int(dual.radii[c]), points)
        for c, points in zip(names, np.split(order, firsts[1:]), strict=True)
    ]
