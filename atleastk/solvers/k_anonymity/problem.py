"""k-anonymity: what is offered for it, and where it stands."""

from typing import Final

from atleastk.solvers.problem import described

PROBLEM: Final = described(
    "k-anonymity",
    "Suppress the fewest cells so that every row equals k - 1 others",
    first_bound="solvers.k_anonymity.auto.first_bound",
    certify_less="solvers.k_anonymity.certify.certify_less",
    priced="solvers.k_anonymity.subset_dp.priced",
    formulations="solvers.k_anonymity.methods.FORMULATIONS",
    refuted="models.proofs.tables.refuted_cells",
    ground="research.adversary.grounds.TABLES",
    tiny="research.adversary.tiny.larger_tables",
)
