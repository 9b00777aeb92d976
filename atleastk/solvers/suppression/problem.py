"""The utility-preserving suppression family: what the registry knows of the problem."""

from __future__ import annotations

from atleastk.instances.generators.suppression import FAMILIES
from atleastk.instances.suppression import Suppression
from atleastk.models.certificates.suppression import check_certificate
from atleastk.models.suppression import check
from atleastk.solvers.method import Problem
from atleastk.solvers.suppression.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.suppression.methods import METHODS, solve

__all__ = ["PROBLEM"]

PROBLEM = Problem(
    instance=Suppression,
    question="Suppress within limits on cells, rows, columns; lose the least",
    check=check,
    check_certificate=check_certificate,
    solve=solve,
    methods=METHODS,
    algorithms=ALGORITHMS,
    families=FAMILIES,
)
