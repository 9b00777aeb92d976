"""r-gather: what the registry knows of the problem."""

from __future__ import annotations

from atleastk.instances.generators.r_gather import FAMILIES
from atleastk.instances.r_gather import RGather
from atleastk.models.certificates.r_gather import check_certificate
from atleastk.models.r_gather import check
from atleastk.solvers.method import Problem
from atleastk.solvers.r_gather.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.r_gather.certify import certify
from atleastk.solvers.r_gather.methods import METHODS, solve

__all__ = ["PROBLEM"]

PROBLEM = Problem(
    instance=RGather,
    question="Cluster points, at least r together, the greatest radius least",
    check=check,
    check_certificate=check_certificate,
    solve=solve,
    methods=METHODS,
    algorithms=ALGORITHMS,
    families=FAMILIES,
    certify=certify,
)
