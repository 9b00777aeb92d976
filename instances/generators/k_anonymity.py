"""k-anonymity: families of generated tables."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.family import Family
from atleastk.instances.k_anonymity import KAnonymity

__all__ = ["FAMILIES"]

FAMILIES: Sequence[Family[KAnonymity]] = ()
