"""Families of generated instances of generalization."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.family import Family
from atleastk.instances.generalization import Generalization

__all__ = ["FAMILIES"]

FAMILIES: Sequence[Family[Generalization]] = ()
