"""k-anonymity by cell suppression: what the registry knows of the problem."""

from __future__ import annotations

from atleastk.instances.generators.k_anonymity import FAMILIES
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.certificates.k_anonymity import check_certificate
from atleastk.models.k_anonymity import check
from atleastk.solvers.k_anonymity.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.k_anonymity.certify import certify
from atleastk.solvers.k_anonymity.methods import METHODS, solve
from atleastk.solvers.method import Problem

__all__ = ["PROBLEM"]

PROBLEM = Problem(
    instance=KAnonymity,
    question="Suppress the fewest cells so that k rows at a time look the same",
    check=check,
    check_certificate=check_certificate,
    certify=certify,
    solve=solve,
    methods=METHODS,
    algorithms=ALGORITHMS,
    families=FAMILIES,
)
