"""Standard sizes: what an instance is. This file knows nothing of solving.

Definition
----------
Pieces of given lengths are cut, each from a bar of its own that is at least as long.
Bars come in standard sizes, of each of which at least k are ordered. Which sizes need
the least material? So pieces are partitioned into groups of at least k, and a group
costs the number of its pieces times the length of its longest one.

Runs are enough
---------------
*Lemma.* With the pieces in order of length, some best solution consists of runs of
k to 2k - 1 of them.

*Proof.* Of two groups, let the longest pieces be a <= b, and let the first have s
pieces. Give it the s shortest of both: at least s of them are no longer than a, so no
group gets a longer size. Repeated, this ends with runs. A run of 2k or more can be cut
in two, which only makes the size of its shorter half smaller.

Complexity
----------
Polynomial: O(n k^2) by a dynamic program over runs
(:mod:`atleastk.solvers.standard_sizes.methods`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from atleastk.instances.fields.shapes import Integer, ListOf
from atleastk.instances.instance import Instance, shaped


@dataclass(frozen=True)
class StandardSizes(Instance):
    """Order bars of standard sizes, at least k of each; use the least material.

    Attributes
    ----------
    lengths
        The lengths of the pieces: positive integers.
    k
        The least number of bars of one size.
    """

    problem: ClassVar[str] = "standard-sizes"

    lengths: Sequence[int] = field(metadata=shaped(ListOf(Integer(minimum=1))))
    k: int = field(metadata=shaped(Integer(minimum=1)))

    @property
    def n(self) -> int:
        """The number of items: every instance has this."""
        return len(self.lengths)

    def _describe(self) -> Iterator[str]:
        yield from super()._describe()
        yield f"n={self.n} k={self.k}"
