"""Generalization: what is offered for it, and where it stands."""

from typing import Final

from atleastk.solvers.problem import described

PROBLEM: Final = described(
    "generalization",
    "Generalise cells so that every row equals k - 1 others; lose the least",
    certify_less="solvers.generalization.certify.certify_less",
    first_bound="solvers.generalization.auto.first_bound",
    priced="solvers.generalization.subset_dp.priced",
    formulations="models.encodings.suppressed_rows.FORMULATIONS",
    refuted="models.proofs.tables.refuted_levels",
    ground="research.adversary.grounds.GENERALIZED",
    tiny="research.adversary.tiny.tables_with_hierarchies",
)
