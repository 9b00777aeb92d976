"""3-Partition, and min-max bin covering made of it.

Definition
----------
Given B and 3m weights strictly between B/4 and B/2 with total m B, do they partition
into m triples of total B each? NP-complete in the strong sense.

Theorem 5 [Du09]: sizes w_i and k = B. The optimum is B iff the answer is yes: m bins of
level >= B in a total of m B have level B, and B/4 < w < B/2 makes them triples. With
fewer bins one has level >= m B / (m - 1).

Theorem 6 [Du09], the bound 4/3 for unary sizes
-----------------------------------------------
The paper's construction is in its preprint, not in its text; this one is ours. Lift
every weight by an offset D > 0: sizes D + w_i, k = 3D + B. Two items have less than
2D + B < k, so every bin has at least three.

- Yes: the triples are bins of level k, and the optimum is k.
- No: if every bin had three items there would be m bins, all of level exactly k, which
  answers yes. So some bin has four, and costs at least 4 (D + least w) > 4D + B.

(4D + B) / (3D + B) tends to 4/3 as D grows; a polynomial D beats any ratio below 4/3.
With unary sizes, a polynomial algorithm of such a ratio would decide 3-Partition.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import COUNT, COUNTS
from atleastk.instances.instance import Instance
from atleastk.instances.reductions.reduction import Reduction


@dataclass(frozen=True)
class ThreePartition(Instance):
    """Split weights into triples of one total each."""

    problem: ClassVar[str] = "three-partition"

    target: int = field(metadata=COUNT)
    """The total B of a triple; every weight is between B/4 and B/2."""
    weights: Sequence[int] = field(metadata=COUNTS)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.weights or len(self.weights) % 3:
            raise InvalidInstanceError(
                f"weights: expected 3m of them, got {len(self.weights)}"
            )
        for i, weight in enumerate(self.weights):
            if not self.target < 4 * weight < 2 * self.target:
                raise InvalidInstanceError(
                    f"weights[{i}]: expected more than B/4 and less than B/2 for "
                    f"B = {self.target}, got {weight}"
                )
        if sum(self.weights) != self.triples * self.target:
            raise InvalidInstanceError(
                f"weights: expected the total {self.triples * self.target}, "
                f"got {sum(self.weights)}"
            )

    @property
    def triples(self) -> int:
        """The number m of triples."""
        return len(self.weights) // 3


def to_bin_covering(problem: ThreePartition) -> BinCovering:
    """Return the bin covering of Theorem 5: its optimum is k iff the answer is yes."""
    return BinCovering(
        problem.weights,
        problem.target,
        source="reduced from 3-Partition by [Du09] Theorem 5",
    )


def gap_instance(problem: ThreePartition, offset: int) -> BinCovering:
    """Return the lifted instance: optimum k = 3D + B if yes, above 4D + B if no."""
    if offset < 1:
        raise InvalidInstanceError(f"offset: expected a positive integer, got {offset}")
    return BinCovering(
        [offset + weight for weight in problem.weights],
        3 * offset + problem.target,
        source=f"reduced from 3-Partition with offset {offset}: a gap towards 4/3",
    )


def solution_back(
    problem: ThreePartition, groups: Iterable[Iterable[int]]
) -> list[tuple[int, ...]] | None:
    """Return the triples that bins of cost k are; None if the bins cost more.

    For the bins of `to_bin_covering` and of `gap_instance` alike.
    """
    triples = [tuple(sorted(group)) for group in groups]
    weights = problem.weights
    exact = all(
        len(triple) == 3 and sum(weights[i] for i in triple) == problem.target
        for triple in triples
    )
    return triples if exact else None


REDUCTIONS: Final = (
    Reduction(
        "3-PARTITION",
        "bin-covering",
        "many-one",
        "[Du09] Theorem 5",
        to_bin_covering,
        solution_back,
        claim="yes iff the optimum is k",
    ),
)
"""The reduction of Theorem 5."""
