"""k-anonymity by generalisation: what the registry knows of the problem."""

from __future__ import annotations

from atleastk.instances.generalization import Generalization
from atleastk.instances.generators.generalization import FAMILIES
from atleastk.models.certificates.generalization import check_certificate
from atleastk.models.generalization import check
from atleastk.solvers.generalization.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.generalization.certify import certify
from atleastk.solvers.generalization.methods import METHODS, solve
from atleastk.solvers.method import Problem

__all__ = ["PROBLEM"]

PROBLEM = Problem(
    instance=Generalization,
    question="Generalise cells so that k rows at a time look the same",
    check=check,
    check_certificate=check_certificate,
    certify=certify,
    solve=solve,
    methods=METHODS,
    algorithms=ALGORITHMS,
    families=FAMILIES,
)
