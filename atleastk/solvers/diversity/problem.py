"""Diversity: what is offered for it, and where it stands."""

from typing import Final

from atleastk.solvers.problem import described

PROBLEM: Final = described(
    "diversity",
    "Generalise cells so that no class tells a sensitive value; lose the least",
    first_bound="solvers.diversity.auto.first_bound",
    certify_less="solvers.diversity.certify.certify_less",
    priced="solvers.diversity.subset_dp.priced",
    refuted="models.proofs.tables.refuted_levels",
    ground="research.adversary.grounds.DIVERSE",
    tiny="research.adversary.tiny.tables_with_sensitive_values",
)
