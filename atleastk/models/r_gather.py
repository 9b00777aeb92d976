"""r-gather: the check of solutions.

Definition, complexity and references: :mod:`atleastk.instances.r_gather`.

Facts
-----
- *Without limits* a solution exists iff n <= max_outliers or n >= r and no distance is
  missing; with missing distances it may not.
- *The cost is a distance*: one of at most n (n - 1) / 2 + 1 values, 0 among them.
- *Readings*: with the costs A of centres "input", B of "member" and C of "any" (the
  greatest diameter), A <= B <= C <= 2 A in any metric. So "any" costs, as a radius,
  between A / 2 and A.
"""

from __future__ import annotations

from typing import Final

from atleastk.instances.r_gather import RGather
from atleastk.models.clustering import ClusteringSolution, judged
from atleastk.models.clustering import completed as completed
from atleastk.models.results.solution import Solution, Verdict


def check(instance: RGather, solution: Solution) -> Verdict:
    """Recompute the greatest radius of a solution and list its violations.

    Groups without centres get the best ones; points in no group are outliers.
    """
    return judged(instance, solution, lambda _full, radii: max(radii, default=0))


SOLUTION: Final = ClusteringSolution
