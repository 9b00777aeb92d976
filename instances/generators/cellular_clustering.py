"""Cellular clustering: families of generated instances."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.family import Family

__all__ = ["FAMILIES"]

FAMILIES: Sequence[Family[CellularClustering]] = ()
