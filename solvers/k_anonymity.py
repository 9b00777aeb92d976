"""k-anonymity by cell suppression: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.anonymity.portfolio`.
"""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.anonymity.portfolio import solve
from atleastk.solvers.method import Method

__all__ = ["METHODS", "solve"]

METHODS: Sequence[Method[KAnonymity]] = ()
