"""Precision: what sums of doubles, and answers of solvers in doubles, are good for."""

from typing import Final

TOLERANCE: Final = 1e-7
"""The tolerance of HiGHS: what is violated, or differs, by less does not."""

NOTHING: Final = 1e-6
"""What counts for nothing, as the distance to a whole number: ten times that."""

SURE: Final = 1.0 - 1e-9
"""The share of a sum of positive doubles that is relied on."""

SCALE: Final = 2**20
"""The scale at which weights are rounded down to integers: a millionth is lost."""
