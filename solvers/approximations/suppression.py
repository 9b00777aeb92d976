"""The approximation algorithms of suppression."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.suppression import Suppression
from atleastk.solvers.method import Algorithm

__all__ = ["ALGORITHMS"]

ALGORITHMS: Sequence[Algorithm[Suppression]] = ()
