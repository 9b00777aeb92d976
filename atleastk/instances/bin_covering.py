"""Min-max bin covering: the instance.

Definition
----------
Given positive integers x_1, ..., x_n and k >= 1, partition all items into bins of
level at least k. The number of bins is free. Three objectives:

- ``max`` (default): the level of the fullest bin;
- ``excess``: sum of (level - k) over the bins. All levels add up to the same total, so
  this asks for as many bins as possible: classical bin covering;
- ``quadratic``: sum of level * (level - k), each of a bin's records paying its excess.

Complexity
----------
Strongly NP-complete [Du09, Theorem 5]; no polynomial algorithm has a ratio below 2 for
binary and 4/3 for unary sizes unless P = NP [Du09, Theorem 6].

References
----------
[Du09] W. Du, D. Eppstein, M. T. Goodrich, G. S. Lueker, "On the Approximability of
Geometric and Geographic Generalization and the Min-Max Bin Covering Problem", 2009,
sections 1 and 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from atleastk.instances.covering import Covering


@dataclass(frozen=True)
class BinCovering(Covering):
    """Partition sizes into bins of level at least k; the fullest bin costs."""

    problem: ClassVar[str] = "bin-covering"
