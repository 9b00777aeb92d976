"""The approximation algorithms of generalization."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.generalization import Generalization
from atleastk.solvers.method import Algorithm

__all__ = ["ALGORITHMS"]

ALGORITHMS: Sequence[Algorithm[Generalization]] = ()
