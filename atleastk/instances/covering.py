"""The base of bin covering and interval covering: sizes, k and an objective."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.shaped import COUNT, COUNTS
from atleastk.instances.fields.shapes import OneOf
from atleastk.instances.instance import Instance, shaped

Objective = Literal["max", "excess", "quadratic"]


@dataclass(frozen=True)
class Covering(Instance):
    """Sizes to be partitioned into groups of level at least k.

    Attributes
    ----------
    sizes
        Positive integers of up to 2000 digits; stored as a tuple.
    k
        The least level of a group.
    objective
        What to minimise: ``max``, the level of the fullest group; ``excess``, the sum
        of (level - k), which asks for as many groups as possible; ``quadratic``, the
        sum of level * (level - k).
    """

    sizes: Sequence[int] = field(metadata=COUNTS)
    k: int = field(metadata=COUNT)
    objective: Objective = field(
        default="max", metadata=shaped(OneOf(("max", "excess", "quadratic")))
    )

    @property
    def nested(self) -> bool:
        return self.objective == "max"  # the others cost what is above k

    @property
    def n(self) -> int:
        """The number of items."""
        return len(self.sizes)

    @cached_property
    def total(self) -> int:
        """The total size S of all items."""
        return sum(self.sizes)

    @cached_property
    def amounts(self) -> IntArray:
        """The sizes as an array, if their total is safe in 64 bits."""
        return np.array(self.sizes, dtype=np.int64)

    @cached_property
    def longest(self) -> IntArray:
        """The items in decreasing order of these sizes."""
        return np.argsort(-self.amounts, kind="stable")

    def _describe(self) -> Iterator[str]:
        yield from super()._describe()
        yield f"n={self.n} k={self.k} total={self.total}"
        if self.objective != "max":
            yield f"objective={self.objective}"
