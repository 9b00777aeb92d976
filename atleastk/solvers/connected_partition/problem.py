"""Connected partition: what the registry knows of the problem."""

from __future__ import annotations

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.generators.connected_partition import FAMILIES
from atleastk.models.certificates.connected_partition import check_certificate
from atleastk.models.connected_partition import check
from atleastk.solvers.connected_partition.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.connected_partition.certify import certify
from atleastk.solvers.connected_partition.methods import METHODS, solve
from atleastk.solvers.method import Problem

__all__ = ["PROBLEM"]

PROBLEM = Problem(
    instance=ConnectedPartition,
    question="Partition a graph into connected parts >= k, the heaviest least",
    check=check,
    check_certificate=check_certificate,
    solve=solve,
    methods=METHODS,
    algorithms=ALGORITHMS,
    families=FAMILIES,
    certify=certify,
)
