"""Min-max bin covering: what the registry knows of the problem."""

from __future__ import annotations

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.generators.bin_covering import FAMILIES
from atleastk.models.bin_covering import check
from atleastk.models.certificates.bin_covering import check_certificate
from atleastk.solvers.bin_covering.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.bin_covering.certify import certify
from atleastk.solvers.bin_covering.methods import METHODS, solve
from atleastk.solvers.method import Problem

__all__ = ["PROBLEM"]

PROBLEM = Problem(
    instance=BinCovering,
    question="Partition sizes into bins of level >= k, the fullest bin least",
    check=check,
    check_certificate=check_certificate,
    certify=certify,
    solve=solve,
    methods=METHODS,
    algorithms=ALGORITHMS,
    families=FAMILIES,
)
