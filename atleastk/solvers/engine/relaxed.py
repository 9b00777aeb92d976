"""What a linear program says of partitions into some number of listed groups.

By Farkas there are shares of groups that cover every item once and add up to p, or
weights y of the items and Y with y(S) <= Y for all listed groups and y(all) > p Y.
"""

from __future__ import annotations

from dataclasses import dataclass

from atleastk.arrays import FloatArray, IntArray

__all__ = ["Relaxed", "Weights"]


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Integer weights of the items that refute, and the greatest of a group."""

    values: IntArray
    most: int


@dataclass(frozen=True, slots=True, eq=False)
class Relaxed:
    """The result of a linear program: one of both, or nothing if time is up.

    Attributes
    ----------
    refuted
        Weights that prove that there is no partition into the groups asked for.
    shares
        How much of every listed group a fractional partition has.
    """

    refuted: Weights | None = None
    shares: FloatArray | None = None
