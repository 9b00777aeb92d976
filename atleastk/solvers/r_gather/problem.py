"""r-gather: what is offered for it, and where it stands."""

from typing import Final

from atleastk.solvers.problem import described

PROBLEM: Final = described(
    "r-gather",
    "Cluster points, at least r together; minimise the greatest radius",
    formats=("tsplib",),
    priced="solvers.clustering.subset_dp.priced",
    refuted="models.proofs.clusters.refuted_gathered",
    ground="research.adversary.grounds.GATHERED",
    tiny="research.adversary.tiny.metrics",
)
