"""Interval covering: the ordered version of min-max bin covering.

Definition
----------
As bin covering, but the items stand in a row and every group is a run of consecutive
items (labels from an ordered universe, generalised into intervals).

Complexity
----------
Polynomial; O(n log S) for ``max`` [Du09, section 4 claims O(n log n) by a simple
greedy; every greedy of that kind we know of fails, see
:mod:`atleastk.solvers.interval_covering.methods`].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from atleastk.instances.covering import Covering


@dataclass(frozen=True)
class IntervalCovering(Covering):
    """Partition a row of sizes into intervals of level at least k."""

    problem: ClassVar[str] = "interval-covering"
