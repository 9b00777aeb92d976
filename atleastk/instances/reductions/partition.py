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

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import COUNTS
from atleastk.instances.instance import Instance
from atleastk.instances.reductions.reduction import Reduction


@dataclass(frozen=True)
class Partition(Instance):
    """Split weights into two parts of equal total."""

    problem: ClassVar[str] = "partition"

    weights: Sequence[int] = field(metadata=COUNTS)


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


def _half_back(
    problem: Partition, groups: Iterable[Iterable[int]]
) -> tuple[int, ...] | None:
    """Return the weights of one half; None if these bins are not halves."""
    first, *others = (tuple(sorted(group)) for group in groups)
    half = 2 * sum(problem.weights[i] for i in first) == sum(problem.weights)
    return first if half and len(others) == 1 else None


REDUCTIONS: Final = (
    Reduction(
        "PARTITION",
        "bin-covering",
        "many-one",
        "for [Du09] Theorem 6",
        lambda problem: gap_instance(problem.weights),
        _half_back,
        claim="yes iff the optimum is k",
        hypotheses="an even total",
        applies=lambda problem: sum(problem.weights) % 2 == 0,
        ours=True,
    ),
)
"""The reduction of Theorem 6."""
