"""Cellular clustering: what the registry knows of the problem."""

from __future__ import annotations

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.generators.cellular_clustering import FAMILIES
from atleastk.models.cellular_clustering import check
from atleastk.models.certificates.cellular_clustering import check_certificate
from atleastk.solvers.cellular_clustering.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.cellular_clustering.certify import certify
from atleastk.solvers.cellular_clustering.methods import METHODS, solve
from atleastk.solvers.method import Problem

__all__ = ["PROBLEM"]

PROBLEM = Problem(
    instance=CellularClustering,
    question="Cluster points, the sum of size times radius least",
    check=check,
    check_certificate=check_certificate,
    solve=solve,
    methods=METHODS,
    algorithms=ALGORITHMS,
    families=FAMILIES,
    certify=certify,
)
