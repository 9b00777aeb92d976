"""k-anonymity: the approximation algorithms of the papers."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.method import Algorithm

__all__ = ["ALGORITHMS"]

ALGORITHMS: Sequence[Algorithm[KAnonymity]] = ()
