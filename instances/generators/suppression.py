"""Families of generated instances of suppression."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.family import Family
from atleastk.instances.suppression import Suppression

__all__ = ["FAMILIES"]

FAMILIES: Sequence[Family[Suppression]] = ()
