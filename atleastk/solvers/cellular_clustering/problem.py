"""Cellular clustering: what is offered for it, and where it stands."""

from typing import Final

from atleastk.solvers.problem import described

PROBLEM: Final = described(
    "cellular-clustering",
    "Cluster points; minimise the sum of size times radius",
    formats=("tsplib",),
    priced="solvers.clustering.subset_dp.priced",
    refuted="models.proofs.clusters.refuted_cellular",
    ground="research.adversary.grounds.CELLULAR",
    tiny="research.adversary.tiny.metrics",
)
