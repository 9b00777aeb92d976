"""Connected partition: families of generated instances."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.family import Family

__all__ = ["FAMILIES"]

FAMILIES: Sequence[Family[ConnectedPartition]] = ()
