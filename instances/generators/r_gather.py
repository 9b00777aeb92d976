"""r-gather: families of generated instances."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.family import Family
from atleastk.instances.r_gather import RGather

__all__ = ["FAMILIES"]

FAMILIES: Sequence[Family[RGather]] = ()
