"""RTILE: families of generated instances."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.family import Family
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid

__all__ = ["FAMILIES"]

FAMILIES: Sequence[Family[RectangleTilingGrid]] = ()
