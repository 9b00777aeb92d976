"""Cellular clustering: the check of solutions.

Definition, complexity and references: :mod:`atleastk.instances.cellular_clustering`.

Facts
-----
- *A sum problem*: a cluster S about c costs f_c + |S| max d(c, S), whatever the others.
- *Without facility costs and limits, sizes r..2r-1 suffice*: a larger cluster splits
  into two about the same centre. With centres "member" that does not hold.
- *Readings*: with f = 0 and the costs A of centres "input", B of "member" and C of
  "any" (size times diameter), A <= B <= C <= 2 A in any metric.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Final

import numpy as np

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.models.clustering import ClusteringSolution, judged
from atleastk.models.clustering import completed as completed
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution, Verdict


def check(instance: CellularClustering, solution: Solution) -> Verdict:
    """Recompute the cellular cost of a solution and list its violations.

    Groups without centres get the best ones; points in no group are outliers.
    """

    def cost(full: ClusteringSolution, radii: Sequence[int]) -> int:
        sizes = PackedGroups.of(full.groups).sizes.tolist()
        service: int = sum(map(mul, sizes, radii))
        centres = np.array(full.centres, dtype=np.int64)
        fees: int = sum(instance.facilities[centres].tolist())
        return service + fees

    return judged(instance, solution, cost)


SOLUTION: Final = ClusteringSolution
