"""The approximation algorithms of k_ambiguity."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.solvers.method import Algorithm

__all__ = ["ALGORITHMS"]

ALGORITHMS: Sequence[Algorithm[KAmbiguity]] = ()
