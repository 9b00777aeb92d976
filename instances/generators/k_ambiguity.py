"""Families of generated instances of k_ambiguity."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.family import Family
from atleastk.instances.k_ambiguity import KAmbiguity

__all__ = ["FAMILIES"]

FAMILIES: Sequence[Family[KAmbiguity]] = ()
