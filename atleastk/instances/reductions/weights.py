"""Partition and 3-Partition as instances with files, reduced to bin covering.

Definitions, theorems and proofs: :mod:`.partition` and :mod:`.three_partition`. The
answer is yes iff the optimum of the image is its k.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.fields.shapes import Integer, ListOf
from atleastk.instances.instance import Instance, shaped
from atleastk.instances.reductions import partition, three_partition
from atleastk.instances.reductions.reduction import Reduction

_WEIGHTS: Final = ListOf(Integer(minimum=1))
Groups = Iterable[Iterable[int]]


@dataclass(frozen=True)
class Partition(Instance):
    """Split weights into two parts of equal total."""

    problem: ClassVar[str] = "partition"

    weights: Sequence[int] = field(metadata=shaped(_WEIGHTS))


@dataclass(frozen=True)
class ThreePartition(Instance):
    """Split weights into triples of one total each.

    Attributes
    ----------
    target
        The total B of a triple; every weight is between B/4 and B/2.
    """

    problem: ClassVar[str] = "three-partition"

    target: int = field(metadata=shaped(Integer(minimum=1)))
    weights: Sequence[int] = field(metadata=shaped(_WEIGHTS))

    def __post_init__(self) -> None:
        super().__post_init__()
        self.plain()

    def plain(self) -> three_partition.ThreePartition:
        """Return the same problem as the theorems take it."""
        return three_partition.ThreePartition(self.target, self.weights)


def _halves(problem: Partition) -> BinCovering:
    return partition.gap_instance(problem.weights)


def _half_back(problem: Partition, groups: Groups) -> tuple[int, ...] | None:
    """Return the weights of one half; None if these bins are not halves."""
    first, *others = (tuple(sorted(group)) for group in groups)
    half = 2 * sum(problem.weights[i] for i in first) == sum(problem.weights)
    return first if half and len(others) == 1 else None


def _triples(problem: ThreePartition) -> BinCovering:
    return three_partition.to_bin_covering(problem.plain())


def _triples_back(
    problem: ThreePartition, groups: Groups
) -> list[tuple[int, ...]] | None:
    return three_partition.solution_back(problem.plain(), groups)


REDUCTIONS: Final = (
    Reduction(
        "PARTITION",
        "bin-covering",
        "many-one",
        "for [Du09] Theorem 6",
        _halves,
        _half_back,
        claim="yes iff the optimum is k",
        hypotheses="an even total",
        applies=lambda problem: sum(problem.weights) % 2 == 0,
        ours=True,
    ),
    Reduction(
        "3-PARTITION",
        "bin-covering",
        "many-one",
        "[Du09] Theorem 5",
        _triples,
        _triples_back,
        claim="yes iff the optimum is k",
    ),
)
"""Both partition problems, reduced to bin covering."""
