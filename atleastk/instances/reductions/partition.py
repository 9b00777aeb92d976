"""Partition, and min-max bin covering made of it.

Definition
----------
Given positive integers of total 2k, does some part of them have total k? NP-complete.

Theorem 6 [Du09], the bound 2 for binary sizes
----------------------------------------------
The paper's construction is in its preprint, not in its text; this one is ours. Take the
integers as sizes. Two bins of level >= k have level exactly k, and more do not fit. So
the optimum is k if the answer is yes, and else 2k, all items in one bin: a polynomial
algorithm of any ratio below 2 would decide Partition.
"""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.fields.errors import InvalidInstanceError


def gap_instance(weights: Sequence[int]) -> BinCovering:
    """Return the instance of optimum k if half the total can be split off, else 2k."""
    total = sum(weights)
    if total % 2 or total == 0:
        raise InvalidInstanceError(
            f"weights: expected an even positive total, got {total}"
        )
    return BinCovering(
        weights,
        total // 2,
        source="reduced from Partition: the optimum is k if yes, 2k if no",
    )
