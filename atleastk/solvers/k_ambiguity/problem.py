"""k-ambiguity: what the registry knows of the problem."""

from __future__ import annotations

from atleastk.instances.generators.k_ambiguity import FAMILIES
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.certificates.k_ambiguity import check_certificate
from atleastk.models.k_ambiguity import check
from atleastk.solvers.k_ambiguity.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.k_ambiguity.methods import METHODS, solve
from atleastk.solvers.method import Problem

__all__ = ["PROBLEM"]

PROBLEM = Problem(
    instance=KAmbiguity,
    question="Suppress the fewest cells so that every row may be k - 1 others",
    check=check,
    check_certificate=check_certificate,
    solve=solve,
    methods=METHODS,
    algorithms=ALGORITHMS,
    families=FAMILIES,
)
